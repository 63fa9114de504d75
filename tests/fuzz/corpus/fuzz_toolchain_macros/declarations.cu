template <int BLOCK_SIZE = 16, class T = int> struct s { static const int A_WIDTH{5}; };
#if X
void f(int a,
#else
void f(
#endif
int b) { int c = 1, A_WIDTH = min(1, 2), min(3); run([&] { int BLOCK_SIZE = 5; }); }
std::vector<::size_t> v<:3:> = <% A_WIDTH, 'a', "\
" %>;
int A_WIDTH = int min(5);
