/* test_size_rewrite.c: the many ways in which students say how large things are, and what only
 * looks like it. In every text A_WIDTH gets 96, BLOCK_SIZE 8, OFFSET -3 and min 7. */
#include "toolchain/size_rewrite.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OVERRIDES = 4 };

static const struct rubric_override overrides[OVERRIDES] = {
    {.name = "A_WIDTH"},
    {.name = "BLOCK_SIZE"},
    {.name = "OFFSET"},
    {.name = "min"}, /* which may be called, too */
};
static const int64_t values[OVERRIDES] = {96, 8, -3, 7};

/* Overrides a text and tells which names it defines as a word of "ABOM"; small letters are those
 * whose value cannot be exchanged. */
static const char * override(struct arena *arena, const char *text, size_t length,
                             char defined[OVERRIDES + 1])
{
    struct macro_location locations[OVERRIDES] = {{.kind = MACRO_UNSEEN}};
    const struct macro_values given = {overrides, OVERRIDES, values, locations};
    size_t result_length = 0;
    size_t count = 0;

    macro_survey(arena, text, length, overrides, OVERRIDES, locations);
    const char *result = size_rewrite(arena, text, length, &given, &result_length);
    for (size_t i = 0; i < OVERRIDES; i++) {
        if (locations[i].kind != MACRO_UNSEEN) {
            defined[count++] = (locations[i].kind == MACRO_FIXED ? "abom" : "ABOM")[i];
        }
    }
    defined[count] = '\0';
    assert_true(result == text || strlen(result) == result_length);
    return result;
}

struct row {
    const char *text;
    const char *expected; /* NULL: as it is */
    const char *defined;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        char defined[OVERRIDES + 1];
        const char *expected = rows[i].expected == NULL ? rows[i].text : rows[i].expected;
        assert_string_equal(override(arena, rows[i].text, strlen(rows[i].text), defined), expected);
        if (strcmp(defined, rows[i].defined) != 0) {
            fail_msg("defined \"%s\", not \"%s\": %s", defined, rows[i].defined, rows[i].text);
        }
        arena_free(arena);
    }
}

static void macros_get_the_value(void **state)
{
    static const struct row rows[] = {
        {"#define A_WIDTH 1024\n", "#define A_WIDTH 96  \n", "A"},
        {"#define A_WIDTH 8", "#define A_WIDTH 96", "A"},
        {"#define A_WIDTH (1024)\n", "#define A_WIDTH (96  )\n", "A"},
        {"#define A_WIDTH 1024u\n", "#define A_WIDTH 96u  \n", "A"},
        {"#define A_WIDTH 0x400UL\n", "#define A_WIDTH 96UL   \n", "A"},
        {"#define A_WIDTH 0x40f\n", "#define A_WIDTH 96   \n", "A"},
        {"#define A_WIDTH 1'024\n", "#define A_WIDTH 96   \n", "A"},
        {"#define A_WIDTH 1024.0f\n", "#define A_WIDTH 96.0f  \n", "A"},
        {"#define A_WIDTH ((size_t)1024)\n", "#define A_WIDTH ((size_t)96  )\n", "A"},
        {"#define A_WIDTH static_cast<int>(1024)\n", "#define A_WIDTH static_cast<int>(96  )\n",
         "A"},
        {"#define A_WIDTH (1<<10)\n", "#define A_WIDTH 96     \n", "A"},
        {"#define A_WIDTH 64 * BLOCK_SIZE // tiles\n", "#define A_WIDTH 96              // tiles\n",
         "A"},
        {"#define A_WIDTH WIDTH\n", "#define A_WIDTH 96   \n", "A"},
        {"#define A_WIDTH f(1, 2)\n", "#define A_WIDTH 96     \n", "A"},
        {"#define A_WIDTH f(1024)\n", "#define A_WIDTH 96     \n", "A"},
        {"#define A_WIDTH\n", "#define A_WIDTH 96\n", "A"},
        {"#define A_WIDTH/* to do */\n", "#define A_WIDTH 96/* to do */\n", "A"},
        {"#define A_WIDTH", "#define A_WIDTH 96", "A"},
        {"#define OFFSET 10\n", "#define OFFSET (-3)\n", "O"},
        {"#define OFFSET -100\n", "#define OFFSET (-3)\n", "O"},
        {"  #  define\tA_WIDTH /* of A */ 1024 /* columns */\n",
         "  #  define\tA_WIDTH /* of A */ 96   /* columns */\n", "A"},
        {"/* x */ #define A_WIDTH 1024\n", "/* x */ #define A_WIDTH 96  \n", "A"},
        {"%:define A_WIDTH 1024\n", "%:define A_WIDTH 96  \n", "A"},
        {"\xef\xbb\xbf#define A_WIDTH 1024\n", "\xef\xbb\xbf#define A_WIDTH 96  \n", "A"},
        {"#define A_WIDTH 1024\r\n#define BLOCK_SIZE 16\r\n",
         "#define A_WIDTH 96  \r\n#define BLOCK_SIZE 8 \r\n", "AB"},
        {"#ifndef BLOCK_SIZE\n#define BLOCK_SIZE 16\n#endif\n",
         "#ifndef BLOCK_SIZE\n#define BLOCK_SIZE 8 \n#endif\n", "B"},
        {"#if 0\n don't\n#define A_WIDTH 1024\n#endif\n",
         "#if 0\n don't\n#define A_WIDTH 96  \n#endif\n", "A"},
        {"#define A_WIDTH 1024\n#undef A_WIDTH\n#define A_WIDTH 5\n",
         "#define A_WIDTH 96  \n#undef A_WIDTH\n#define A_WIDTH 96\n", "A"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void joined_lines_stay(void **state)
{
    static const struct row rows[] = {
        {"#define A_WIDTH \\\n  1024\nint a;", "#define A_WIDTH \\\n  96  \nint a;", "A"},
        {"#define A_WIDTH (1 + \\\n 2)\nint a;", "#define A_WIDTH 96\\\n\nint a;", "A"},
        {"#define A_WIDTH 10\\\r\n24\r\nint a;", "#define A_WIDTH 96\\\r\n\r\nint a;", "A"},
        {"#define A_WID\\\nTH 1024\n", "#define A_WID\\\nTH 96  \n", "A"},
        {"#def\\\nine A_WIDTH 1024\n", "#def\\\nine A_WIDTH 96  \n", "A"},
        {"#define A_WIDTH\\\n1024\n", NULL, ""},
        {"#define A_WIDTH 1 /* a\nb */ + 2\nint a;", "#define A_WIDTH 96\n\nint a;", "A"},
        {"// joined \\\n#define A_WIDTH 1024\n", NULL, ""},
        {"const int A_WIDTH =\n    1024 *\n    2;\n", "const int A_WIDTH =\n    96\n;\n", "A"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void what_only_looks_like_a_macro_stays(void **state)
{
    static const struct row rows[] = {
        {"// #define A_WIDTH 1024\n", NULL, ""},
        {"/* \n#define A_WIDTH 1024\n*/\n", NULL, ""},
        {"const char *s = \"\\\n#define A_WIDTH 1024\\n\";\n", NULL, ""},
        {"const char *s = R\"(\n#define A_WIDTH 1024\n)\";\n", NULL, ""},
        {"const char *s = u8R\"x(\n)\"\n#define A_WIDTH 1024\n)x\";\n", NULL, ""},
        {"#define MY_A_WIDTH 1024\n#define A_WIDTH_2 5\n", NULL, ""},
        {"#undef A_WIDTH\n#ifdef A_WIDTH\n#endif\n", NULL, ""},
        {"x = '\"'; // \"\n#define B 1\n", NULL, ""},
        {"#error don't define A_WIDTH\n", NULL, ""},
        {"int a = 1'000; /* ' */ a = A_WIDTH;\n", NULL, ""},
        {"#include <A_WIDTH//x>\nint b = A_WIDTH;\n", NULL, ""},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void declarations_get_the_value(void **state)
{
    static const struct row rows[] = {
        {"const int A_WIDTH = 1024;\n", "const int A_WIDTH = 96  ;\n", "A"},
        {"constexpr int A_WIDTH{1024};", "constexpr int A_WIDTH{96  };", "A"},
        {"const int A_WIDTH(1024);", "const int A_WIDTH(96  );", "A"},
        {"int A_WIDTH = {1024};", "int A_WIDTH = {96  };", "A"},
        {"static const unsigned long long A_WIDTH = 1024ULL, b = 2;",
         "static const unsigned long long A_WIDTH = 96ULL  , b = 2;", "A"},
        {"static constexpr std::size_t A_WIDTH = std::size_t(1024);",
         "static constexpr std::size_t A_WIDTH = std::size_t(96  );", "A"},
        {"int x = 1, A_WIDTH = 1024, BLOCK_SIZE{16}, y;",
         "int x = 1, A_WIDTH = 96  , BLOCK_SIZE{8 }, y;", "AB"},
        {"int x = 1'000, A_WIDTH = 1024;", "int x = 1'000, A_WIDTH = 96  ;", "A"},
        {"int A_WIDTH = int min(5);", "int A_WIDTH = 96        ;", "A"},
        {"int x{1}, A_WIDTH{1024};", "int x{1}, A_WIDTH{96  };", "A"},
        {"int x[2] = {1, 2}, A_WIDTH = 1024;", "int x[2] = {1, 2}, A_WIDTH = 96  ;", "A"},
        {"enum { A_WIDTH = 1024, BLOCK_SIZE = 16 };", "enum { A_WIDTH = 96  , BLOCK_SIZE = 8  };",
         "AB"},
        {"enum Sizes : int {\n  B = 2,\n  A_WIDTH = 1 << 10\n};",
         "enum Sizes : int {\n  B = 2,\n  A_WIDTH = 96     \n};", "A"},
        {"enum class S { A, A_WIDTH = (5), C = A_WIDTH };",
         "enum class S { A, A_WIDTH = (96), C = A_WIDTH };", "A"},
        {"struct Sizes { static const int A_WIDTH = 1024; int b = A_WIDTH; };",
         "struct Sizes { static const int A_WIDTH = 96  ; int b = A_WIDTH; };", "A"},
        {"namespace n { inline constexpr int A_WIDTH = 2 * 512; }",
         "namespace n { inline constexpr int A_WIDTH = 96     ; }", "A"},
        {"int main() { f(a, b); const int A_WIDTH = 64 * BLOCK_SIZE; }", NULL, "a"},
        {"__constant__ int BLOCK_SIZE = 16;", "__constant__ int BLOCK_SIZE = 8 ;", "B"},
        {"int A_WIDTH = argc > 1 ? atoi(argv[1]) : 1024;",
         "int A_WIDTH = 96                             ;", "A"},
        {"int A_WIDTH = std::max(1, 2), b;", "int A_WIDTH = 96            , b;", "A"},
        {"template <typename T, int BLOCK_SIZE = f<(3 > 2)>()> const int A_WIDTH = 1024;",
         "template <typename T, int BLOCK_SIZE = f<(3 > 2)>()> const int A_WIDTH = 96  ;", "A"},
        {"template <class T, {\nconst int A_WIDTH = 1024;", NULL, "a"},
        {"template <class T\n#define A_WIDTH 1024\n", "template <class T\n#define A_WIDTH 96  \n",
         "A"},
        {"<:x:> %> const int A_WIDTH <%1024%>;", "<:x:> %> const int A_WIDTH <%96  %>;", "A"},
        {"int a(int x) { return x; }\nint A_WIDTH = 1024;\n",
         "int a(int x) { return x; }\nint A_WIDTH = 96  ;\n", "A"},
        {"#ifdef X\nint f(int a,\n#else\nint f(\n#endif\nint b);\nint A_WIDTH = 1024;",
         "#ifdef X\nint f(int a,\n#else\nint f(\n#endif\nint b);\nint A_WIDTH = 96  ;", "A"},
        {"#ifdef X\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nenum { A_WIDTH = 5 };",
         "#ifdef X\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nenum { A_WIDTH = 96 };", "A"},
        {"std::vector<::size_t> v;\nint A_WIDTH = 1024;",
         "std::vector<::size_t> v;\nint A_WIDTH = 96  ;", "A"},
        {"run([&] { const int A_WIDTH = 1024; });", NULL, "a"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void uses_and_assignments_stay(void **state)
{
    static const struct row rows[] = {
        {"A_WIDTH = 1024;", NULL, ""},
        {"x = 1, A_WIDTH = 1024;", NULL, ""},
        {"if (x) A_WIDTH = 1024; else A_WIDTH = 5;", NULL, ""},
        {"return A_WIDTH == 1024;", NULL, ""},
        {"int a = A_WIDTH == 5;", NULL, ""},
        {"for (int BLOCK_SIZE = 8; BLOCK_SIZE <= 32; BLOCK_SIZE *= 2) {}", NULL, ""},
        {"void f(int A_WIDTH = 1024);", NULL, ""},
        {"extern __constant__ int BLOCK_SIZE;", NULL, ""},
        {"int A_WIDTH();", NULL, ""},
        {"int A_WIDTH(int x);", NULL, ""},
        {"int A_WIDTH(int x = 5);", NULL, ""},
        {"int A_WIDTH(float);", NULL, ""},
        {"int A_WIDTH(float, Matrix);", NULL, ""},
        {"int A_WIDTH(Matrix m) { return m.width; }", NULL, ""},
        {"int A_WIDTH(const Matrix *);", NULL, ""},
        {"typedef int A_WIDTH;", NULL, ""},
        {"struct matrix { int A_WIDTH; };", NULL, ""},
        {"template <int BLOCK_SIZE> void f();", NULL, ""},
        {"const char *A_WIDTH = \"1024\";", NULL, ""},
        {"int *A_WIDTH = 0;", NULL, ""},
        {"using A_WIDTH = int;", NULL, ""},
        {"template <typename A_WIDTH = int> void f();", NULL, ""},
        {"struct point p = {.A_WIDTH = 1024};", NULL, ""},
        {"f(A_WIDTH); g[A_WIDTH] = 5; h{A_WIDTH, 3};", NULL, ""},
        {"auto f = [A_WIDTH = 5] {};", NULL, ""},
        {"tile<A_WIDTH>(5);", NULL, ""},
        {"case FOO: A_WIDTH = 5;", NULL, ""},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* What is defined, but not as a value that could be exchanged, is told apart from what is not. */
static void fixed_values_stay(void **state)
{
    static const struct row rows[] = {
        {"#define A_WIDTH(x) 1024\n", NULL, "a"},
        {"#define A_WIDTH\\\n(x) 1024\n", NULL, "a"},
        {"int A_WIDTH;", NULL, "a"},
        {"int A_WIDTH[] = {1024};", NULL, "a"},
        {"std::string A_WIDTH = \"1024\";", NULL, "a"},
        {"dim3 BLOCK_SIZE(16, 16);", NULL, "b"},
        {"dim3 BLOCK_SIZE = {16, 16};", NULL, "b"},
        {"dim3 BLOCK_SIZE{16, 16};", NULL, "b"},
        {"const dim3 BLOCK_SIZE = dim3(16, 16);", NULL, "b"},
        {"auto BLOCK_SIZE = dim3{16, 16};", NULL, "b"},
        {"#define BLOCK_SIZE dim3(16, 16)\n", NULL, "b"},
        {"auto A_WIDTH = [] { return 5; };", NULL, "a"},
        {"int A_WIDTH = x = 5;", NULL, "a"},
        {"int A_WIDTH =\n#if X\n5\n#else\n6\n#endif\n;", NULL, "a"},
        {"int A_WIDTH = (1;", NULL, "a"},
        {"int A_WIDTH = 5", NULL, "a"},
        {"int A_WIDTH = {", NULL, "a"},
        {"int A_WIDTH = 5}", NULL, "a"},
        {"__global__ void f() { int BLOCK_SIZE = blockDim.x; }", NULL, "b"},
        {"int A_WIDTH; int main() { int A_WIDTH = 1024; }", NULL, "a"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Whatever a definition holds, up to the end of its declarator. */
static void whole_values_are_exchanged(void **state)
{
    static const struct row rows[] = {
        {"constexpr int A_WIDTH = tiles(6);", "constexpr int A_WIDTH = 96      ;", "A"},
        {"constexpr int A_WIDTH = [] { return 1024; }();",
         "constexpr int A_WIDTH = 96                   ;", "A"},
        {"constexpr int A_WIDTH = [] { int A_WIDTH = 5; return A_WIDTH; }(), BLOCK_SIZE = 16;",
         "constexpr int A_WIDTH = 96                                       , BLOCK_SIZE = 8 ;",
         "AB"},
        {"constexpr unsigned H = 128u, A_WIDTH(H), BLOCK_SIZE = 0b10000;",
         "constexpr unsigned H = 128u, A_WIDTH(96), BLOCK_SIZE = 8      ;", "AB"},
        {"const int A_WIDTH(n::width);", "const int A_WIDTH(96      );", "A"},
        {"const int A_WIDTH(width(4) * 2);", "const int A_WIDTH(96          );", "A"},
        {"const int A_WIDTH{tiles()};", "const int A_WIDTH{96     };", "A"},
        {"const int A_WIDTH{};", "const int A_WIDTH{96};", "A"},
        {"const int A_WIDTH = int{1024};", "const int A_WIDTH = 96       ;", "A"},
        {"const int A_WIDTH = sizes.a[2];", "const int A_WIDTH = 96        ;", "A"},
        {"const int A_WIDTH = config->width;", "const int A_WIDTH = 96           ;", "A"},
        {"const int A_WIDTH = sizeof(\"some text\");", "const int A_WIDTH = 96                 ;",
         "A"},
        {"const int A_WIDTH = f<1, 2>(x), BLOCK_SIZE = 16;",
         "const int A_WIDTH = 96        , BLOCK_SIZE = 8 ;", "AB"},
        {"const int A_WIDTH = x < 1, BLOCK_SIZE = 16;",
         "const int A_WIDTH = 96   , BLOCK_SIZE = 8 ;", "AB"},
        {"const int A_WIDTH = x < 1, b, BLOCK_SIZE{16};",
         "const int A_WIDTH = 96   , b, BLOCK_SIZE{8 };", "AB"},
        {"const int A_WIDTH = x << 3, b = y >= 2 ? 1 : 2, BLOCK_SIZE = 16;",
         "const int A_WIDTH = 96    , b = y >= 2 ? 1 : 2, BLOCK_SIZE = 8 ;", "AB"},
        {"const int A_WIDTH = x <= 3 ? 1 : 2;", "const int A_WIDTH = 96            ;", "A"},
        {"enum { A_WIDTH = tiles(2, 3), BLOCK_SIZE = sizeof(int) };",
         "enum { A_WIDTH = 96         , BLOCK_SIZE = 8           };", "AB"},
        {"template <int BLOCK_SIZE = f<3>(), class T> void f();", NULL, ""},
        {"int main() { const int A_WIDTH = tiles(6); }", NULL, "a"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* With auto, the type is that of the old value. */
static void types_of_auto_stay(void **state)
{
    static const struct row rows[] = {
        {"constexpr auto A_WIDTH = 1024;", "constexpr auto A_WIDTH = 96  ;", "A"},
        {"constexpr auto A_WIDTH = 1024u, BLOCK_SIZE = A_WIDTH;",
         "constexpr auto A_WIDTH = 96u  , BLOCK_SIZE = static_cast<decltype(A_WIDTH)>(8);", "AB"},
        {"static constexpr auto B = 1, BLOCK_SIZE{n::B};",
         "static constexpr auto B = 1, BLOCK_SIZE{static_cast<decltype(n::B)>(8)};", "B"},
        {"auto A_WIDTH = static_cast<unsigned>(1024);",
         "auto A_WIDTH = static_cast<unsigned>(96  );", "A"},
        {"constexpr auto A_WIDTH = 1_Ki;", "constexpr auto A_WIDTH = (true ? 96 : (1_Ki));", "A"},
        {"constexpr auto A_WIDTH = 2u * 512;", "constexpr auto A_WIDTH = (true ? 96 : (2u * 512));",
         "A"},
        {"constexpr auto A_WIDTH = (N);", "constexpr auto A_WIDTH = (true ? 96 : ((N)));", "A"},
        {"constexpr auto A_WIDTH = [] { return 4u; }();",
         "constexpr auto A_WIDTH = (true ? 96 : ([] { return 4u; }()));", "A"},
        {"auto OFFSET = f(1,\n 2), b = 3;", "auto OFFSET = (true ? (-3) : (f(1,\n 2))), b = 3;",
         "O"},
        {"auto f(auto x); const int A_WIDTH = x;", "auto f(auto x); const int A_WIDTH = 96;", "A"},
        {"auto a = 1,\n#define A_WIDTH N\nb = A_WIDTH;",
         "auto a = 1,\n#define A_WIDTH 96\nb = A_WIDTH;", "A"},
    };

    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* Beside a size of the program, a local of its name is another thing. */
static void locals_give_way(void **state)
{
#define SIZE "const int A_WIDTH = 96;\n"
    static const char *const others[] = {
        "void f() { const int A_WIDTH = 2; }",
        "struct s f() { const int A_WIDTH = 2; }",
        "class c f(int x) const { const int A_WIDTH = 2; }",
        "enum e f() { const int A_WIDTH = 2; }",
        "extern \"C\" int f() { const int A_WIDTH = 2; }",
        "static auto f() -> struct s { const int A_WIDTH = 2; }",
        "template <class T> void f() { const int A_WIDTH = 2; }",
        "KERNEL(f)(int x) { const int A_WIDTH = 2; }",
        "namespace n { class c { void f() { const int A_WIDTH = 2; } }; }",
        "void f() { struct s { static const int A_WIDTH = 2; }; enum { A_WIDTH = 3 }; }",
        "void f() { if (x) { int y = 1, A_WIDTH = 2; } }",
        "auto f = [](int x) { const int A_WIDTH = 2; };",
        "auto f = [] { const int A_WIDTH = 2; };",
        "struct s : t { s() : x{1}, y(2) { const int A_WIDTH = 2; } };",
        "template <int A_WIDTH = 2> void f();",
        "#ifdef X\nvoid f() {\n#else\nvoid g() {\n#endif\n const int A_WIDTH = 2; }",
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct arena *arena = arena_new();
        const char *before = arena_printf(arena, SIZE "%s\n", others[i]);
        const char *behind = arena_printf(arena, "%s\n" SIZE, others[i]);
        const char *macro = arena_printf(arena, "%s\n#define A_WIDTH 96\n", others[i]);
        const struct row rows[] = {{before, NULL, "A"}, {behind, NULL, "A"}, {macro, NULL, "A"}};
        check_rows(rows, 3);
        arena_free(arena);
    }
#undef SIZE
}

/* All of these are sizes of a program, though braces are around them. */
static void what_is_outside_counts(void **state)
{
    static const char *const others[] = {
        "namespace n { const int A_WIDTH = 22; }",
        "namespace { const int A_WIDTH = 22; }",
        "inline namespace n::m { const int A_WIDTH = 22; }",
        "extern \"C\" { const int A_WIDTH = 22; }",
        "class c : public d<e> { static const int A_WIDTH = 22; };",
        "struct __align__(16) s { static const int A_WIDTH = 22; };",
        "typedef struct { int A_WIDTH = 22; } s;",
        "template <class T> struct s { void f() {} enum { A_WIDTH = 22 }; };",
        "enum e { A_WIDTH = 22 };",
        "void f() BEGIN } const int A_WIDTH = 22;",
        "int f() { return 1; } const int A_WIDTH = 22;",
        "#define A_WIDTH 22 \n",
        "void f() {\n#define A_WIDTH 22 \n}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct arena *arena = arena_new();
        const char *local = "\nvoid local() { int A_WIDTH = 5; }";
        char *expected = arena_printf(arena, "%s%s", others[i], local);
        memcpy(strstr(expected, " 22") + 1, "96", 2);
        const struct row row = {arena_printf(arena, "%s%s", others[i], local), expected, "A"};
        check_rows(&row, 1);
        arena_free(arena);
    }
}

static void locations_say_where(void **state)
{
    static const struct {
        const char *text;
        enum macro_location_kind kind;
        int line;
        size_t count;
    } rows[] = {
        {"int x;\n", MACRO_UNSEEN, 0, 0},
        {"int x;\nint A_WIDTH;\nint A_WIDTH[3];\n", MACRO_FIXED, 2, 2},
        {"void f() {\nint A_WIDTH = 3; }\nint A_WIDTH;\n", MACRO_FIXED, 2, 4},
        {"void f() {\nint A_WIDTH = 3; }\n\nconst\nint A_WIDTH = 3;\n", MACRO_OUTSIDE, 5, 1},
    };
    struct macro_location location = {.kind = MACRO_UNSEEN};
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        macro_survey(arena, rows[i].text, strlen(rows[i].text), overrides, 1, &location);
        assert_int_equal(location.kind, rows[i].kind);
        assert_int_equal(location.line, rows[i].line);
        assert_int_equal(location.count, rows[i].count);
    }
    /* What another file defines as well changes nothing. */
    macro_survey(arena, rows[1].text, strlen(rows[1].text), overrides, 1, &location);
    assert_int_equal(location.line, 5);
    arena_free(arena);
}

/* Definitions within definitions, none of which ends: each is read once. */
static void time_is_linear(void **state)
{
    struct arena *arena = arena_new();
    struct text text;
    char defined[OVERRIDES + 1];

    (void)state;
    text_init(&text);
    for (int i = 0; i < 100000; i++) {
        text_append(&text, i % 2 == 0 ? "int A_WIDTH = f<[] {" : "int BLOCK_SIZE = x < 1, y{");
    }
    override(arena, text.bytes, text.length, defined);
    assert_string_equal(defined, "a");
    text_release(&text);
    arena_free(arena);
}

/* Texts made of pieces that matter to the lexer: nothing is read outside of them, lines keep their
 * number, and what was overridden is not overridden to something else. */
static void any_text_is_survived(void **state)
{
    static const char *const pieces[] = {
        "#define ", "A_WIDTH", " ", "\n", "\\\n", "\\", "=",    "1024", "int ",      "{",
        "}",        "(",       ")", ";",  ",",    "/*", "*/",   "//",   "\"",        "'",
        "R\"(",     ")\"",     "<", ">",  "enum", "::", "%:",   "<%",   "template ", "#if 1\n",
        "#else\n",  "#endif",  "#", ".",  "->",   "\r", "0x1f", "e+",   "int min(",  "OFFSET",
    };
    uint64_t random = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct arena *arena = arena_new();
        struct text text;
        char defined[OVERRIDES + 1];
        size_t lines = 0;
        text_init(&text);
        for (int i = 0; i < 24; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            text_append(&text, pieces[(random >> 33) % (sizeof pieces / sizeof pieces[0])]);
        }
        char *exact = malloc(text.length); /* no byte behind it: sanitizers see a read there */
        memcpy(exact, text.bytes, text.length);
        const char *result = override(arena, exact, text.length, defined);
        for (size_t i = 0; i < text.length; i++) {
            lines += exact[i] == '\n' ? 1 : 0;
        }
        for (const char *c = result; result != exact && *c != '\0'; c++) {
            lines -= *c == '\n' ? 1 : 0;
        }
        assert_true(result == exact || lines == 0);
        free(exact);
        text_release(&text);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_get_the_value),
        cmocka_unit_test(joined_lines_stay),
        cmocka_unit_test(what_only_looks_like_a_macro_stays),
        cmocka_unit_test(declarations_get_the_value),
        cmocka_unit_test(uses_and_assignments_stay),
        cmocka_unit_test(fixed_values_stay),
        cmocka_unit_test(whole_values_are_exchanged),
        cmocka_unit_test(types_of_auto_stay),
        cmocka_unit_test(locals_give_way),
        cmocka_unit_test(what_is_outside_counts),
        cmocka_unit_test(locations_say_where),
        cmocka_unit_test(time_is_linear),
        cmocka_unit_test(any_text_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
