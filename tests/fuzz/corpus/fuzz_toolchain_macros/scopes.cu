namespace n { extern "C" { struct __align__(8) s { static const int A_WIDTH = f<1, 2>(x), b; }; } }
constexpr int BLOCK_SIZE = [] { int A_WIDTH = 3; return A_WIDTH; }(), min(A_WIDTH);
auto g() -> struct s { const int A_WIDTH = y < 2, min = x <= 5 ? 1 : 2; enum { BLOCK_SIZE }; }
int min[2], A_WIDTH{}; dim3 BLOCK_SIZE(1, 2); int min(const float *);
