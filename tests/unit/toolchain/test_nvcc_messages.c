/* test_nvcc_messages.c: texts that nvcc 13.0, g++ 12, ptxas and ld printed, as messages. */
#include "base/text.h"
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct expected {
    bool is_error;
    const char *file;
    int line, column;
    const char *message;
};

/* Every file of the submission has the same text, the context. */
static const char *source_text(void *context, const char *file, size_t *out_length)
{
    assert_true(file[0] != '/');
    *out_length = context == NULL ? 0 : strlen(context);
    return context;
}

static void expect(const char *text, const char *prefix, const char *source,
                   const struct expected *expected, size_t expected_count)
{
    struct arena *arena = arena_new();
    const struct message_sources sources = {
        .folder = prefix,
        .text = source_text,
        .context = source == NULL ? NULL : arena_strdup(arena, source),
    };
    const struct tool_message *messages;
    size_t count;

    toolchain_read_messages(arena, text, strlen(text), &sources, &messages, &count);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(messages[i].is_error, expected[i].is_error);
        assert_string_equal(messages[i].file, expected[i].file);
        assert_int_equal(messages[i].line, expected[i].line);
        assert_int_equal(messages[i].column, expected[i].column);
        assert_string_equal(messages[i].message, expected[i].message);
    }
    arena_free(arena);
}

#define EXPECT(text, prefix, source, ...)                                                          \
    do {                                                                                           \
        const struct expected list[] = {__VA_ARGS__};                                              \
        expect(text, prefix, source, list, sizeof list / sizeof list[0]);                          \
    } while (0)

static void front_end_with_caret(void **state)
{
    (void)state;
    EXPECT("semicolon.cu(5): error: expected a \";\"\n"
           "      undefined_thing = x;\n"
           "      ^\n"
           "\n"
           "1 error detected in the compilation of \"semicolon.cu\".\n",
           "", "\n\n\n\n    undefined_thing = x;\n",
           {true, "semicolon.cu", 5, 5, "expected a \";\""});
    EXPECT("/w/source/undefined.cu(2): warning #940-D: missing return statement at end of non-void "
           "function \"unused_thing\"\n"
           "  int unused_thing() { int y; }\n"
           "                              ^\n"
           "\n"
           "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
           "\n"
           "/w/source/undefined.cu(1): error: identifier \"q\" is undefined\n"
           "      p[threadIdx.x] = BLOCK_SIZE * q;\n"
           "                                    ^\n"
           "\n",
           "/w/source", "    p[threadIdx.x] = BLOCK_SIZE * q;\nint unused_thing() { int y; }\n",
           {true, "undefined.cu", 1, 35, "identifier \"q\" is undefined"},
           {false, "undefined.cu", 2, 29,
            "missing return statement at end of non-void function \"unused_thing\""});
}

/* One line of mac.cu at a time: #define W 16, #define MUL(a, b) ((a) * (b)). */
static void column_behind_macros_comments_and_tabs(void **state)
{
    static const struct {
        const char *source, *shown;
        int column;
    } rows[] = {
        {"    const char *s = \"\xc3\xa4\xc3\xb6\"; int z = q1;",
         "      const char *s = \"\xc3\xa4\xc3\xb6\"; int z = q1;\n"
         "                                    ^\n",
         37},
        {"    int a = W * q2;", "      int a = 16 * q2;\n                   ^\n", 17},
        {"    int b = MUL(W, 3) + q3;",
         "      int b = ((16) * (3)) + q3;\n                             ^\n", 25},
        {"    int c = q4 + MUL(W, 3);", "      int c = q4 + ((16) * (3));\n              ^\n", 13},
        {"    p[W] = MUL(q5, 2);", "      p[16] = ((q5) * (2));\n                ^\n", 16},
        {"    /* note */ p[0] = q6; // tail W",
         "                 p[0] = q6;\n                        ^\n", 23},
        {"\tp[1] = q7;\tp[2] = W;", "   p[1] = q7; p[2] = 16;\n          ^\n", 9},
        {"    return q;\r", "      return q;\n             ^\n", 12},
        {"__global__ void k(float *p, int n) { p[0] = zz; }",
         "  __attribute__((global)) void k(float *p, int n) { p[0] = zz; }\n"
         "                                                           ^\n",
         45},
        {"__global__ int k3(float *p) { }",
         "  __attribute__((global)) int k3(float *p) { }\n                 ^\n", 0},
        {"    int a = W + W * q + W;",
         "      int a = 16 + 16 * q + 16;\n                        ^\n", 21},
        {"    int a = Q + q5 + W;", "      int a = q5 + q5 + 16;\n              ^\n", 0},
        {"an entirely different line", "      int a = 16 + 16;\n              ^\n", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "a.cu(1): error: bad\n%s\n", rows[i].shown);
        EXPECT(text, "", rows[i].source, {true, "a.cu", 1, rows[i].column, "bad"});
    }
}

static void front_end_with_more_text(void **state)
{
    (void)state;
    EXPECT("goto.cu(2): error: transfer of control bypasses initialization of:\n"
           "            variable \"y\" (declared at line 2)\n"
           "  int f(int x) { goto l; { int y = 1; l: return y; } }\n"
           "                 ^\n"
           "\n",
           "", "\nint f(int x) { goto l; { int y = 1; l: return y; } }\n",
           {true, "goto.cu", 2, 16,
            "transfer of control bypasses initialization of: variable \"y\" (declared at line 2)"});
    EXPECT("t.cu(1): error: expression must have class type\n"
           "  template <class T> T half(T x) { return x.half; }\n"
           "                                          ^\n"
           "          detected during instantiation of \"T half(T) [with T=int]\" at line 2\n"
           "\n",
           "", "template <class T> T half(T x) { return x.half; }\n",
           {true, "t.cu", 1, 41,
            "expression must have class type detected during instantiation of \"T half(T) [with "
            "T=int]\" at line 2"});
}

static void error_in_a_system_header_is_told_where_it_comes_from(void **state)
{
    (void)state;
    EXPECT("/usr/include/c++/12/bits/stl_construct.h(119): error: no instance of constructor "
           "\"N::N\" matches the argument list\n"
           "        ::new((void*)__p) _Tp(std::forward<_Args>(__args)...);\n"
           "                             ^\n"
           "sys.cu(4): note #3322-D: number of parameters of function \"N::N(const N &)\" does not "
           "match the call\n"
           "  struct N { N(int); };\n"
           "         ^\n"
           "          detected during:\n"
           "            instantiation of \"void std::_Construct(_Tp *, _Args &&...) [with _Tp=N, "
           "_Args=<>]\" at line 638 of /usr/include/c++/12/bits/stl_uninitialized.h\n"
           "            instantiation of \"void std::vector<_Tp, _Alloc>::resize(unsigned long) "
           "[with _Tp=N, _Alloc=std::allocator<N>]\" at line 7 of sys.cu\n"
           "\n"
           "/usr/include/c++/12/bits/unique_ptr.h(1065): error: no instance of constructor "
           "\"N::N\" matches the argument list\n"
           "            argument types are: (const char [2], int)\n"
           "      { return unique_ptr<_Tp>(new _Tp(std::forward<_Args>(__args)...)); }\n"
           "                                      ^\n"
           "sys.cu(4): note #3322-D: number of parameters of function \"N::N(int)\" does not match "
           "the call\n"
           "  struct N { N(int); };\n"
           "             ^\n"
           "          detected during instantiation of \"std::__detail::__unique_ptr_t<_Tp> "
           "std::make_unique<_Tp,_Args...>(_Args &&...) [with _Tp=N]\" at line 8 of sys.cu\n"
           "\n"
           "/usr/include/x.h(3): warning #177-D: variable \"a\" was declared but never referenced\n"
           "\n"
           "2 errors detected in the compilation of \"sys.cu\".\n",
           "", NULL,
           {true, "sys.cu", 7, 0,
            "no instance of constructor \"N::N\" matches the argument list (in stl_construct.h)"},
           {true, "sys.cu", 8, 0,
            "no instance of constructor \"N::N\" matches the argument list argument types are: "
            "(const char [2], int) (in unique_ptr.h)"});
}

static void end_of_source(void **state)
{
    (void)state;
    EXPECT("At end of source: error: expected a \";\"\n"
           "\n"
           "At end of source: error: expected a \"}\"\n"
           "pass.cu(1): note #3196-D: to match this \"{\"\n"
           "  int f() { return 1 \n"
           "          ^\n"
           "\n"
           "2 errors detected in the compilation of \"pass.cu\".\n",
           "", "int f() {\n  return 1\n\n",
           {true, "pass.cu", 2, 0, "expected a \";\" at the end of the file"},
           {true, "pass.cu", 2, 0,
            "expected a \"}\" at the end of the file to match this \"{\" in line 1"});
}

static void repeated_messages_are_told_once(void **state)
{
    static const char warning[] = "warn.cu(3): warning #186-D: pointless comparison of unsigned "
                                  "integer with zero\n"
                                  "   for (unsigned i = 5; i >= 0; i--) p[i] = 1; }\n"
                                  "                          ^\n"
                                  "\n";
    char text[1024];

    (void)state;
    snprintf(text, sizeof text, "%sRemark: The warnings can be suppressed\n\n%s", warning, warning);
    EXPECT(text, "", "\n\n for (unsigned i = 5; i >= 0; i--) p[i] = 1; }\n",
           {false, "warn.cu", 3, 25, "pointless comparison of unsigned integer with zero"});
}

/* Every line of a large file is found, whatever the order of the messages; of one that is very long
 * no column is told. */
static void columns_in_a_large_file(void **state)
{
    (void)state;
    enum { LINES = 3000, LONG_LINE = 1700 };
    static const int lines[] = {LINES, 1, 2, LINES - 1, 1500, LONG_LINE, LONG_LINE + 1, 1499, 3};
    struct text source;

    text_init(&source);
    for (int i = 1; i <= LINES; i++) {
        text_append_repeated(&source, i == LONG_LINE ? ';' : ' ', i == LONG_LINE ? 5000 : i % 9);
        text_printf(&source, "x%d = q;%s", i, i < LINES ? "\n" : "");
    }
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char both[512];
        int line = lines[i], next = line == LINES ? 1 : LINES;
        int blanks = line % 9, next_blanks = next % 9;
        snprintf(both, sizeof both,
                 "a.cu(%d): error: one\n  %*sx%d = q;\n  %*s^\n\n"
                 "a.cu(%d): error: two\n  %*sx%d = q;\n  %*s^\n\n",
                 line, blanks, "", line, blanks, "", next, next_blanks, "", next, next_blanks, "");
        EXPECT(both, "", source.bytes,
               {true, "a.cu", line, line == LONG_LINE ? 0 : blanks + 1, "one"},
               {true, "a.cu", next, next_blanks + 1, "two"});
    }
    EXPECT("a.cu(3001): error: none\n  x\n  ^\n\n", "", source.bytes,
           {true, "a.cu", LINES + 1, 0, "none"});
    text_release(&source);
}

static void column_is_left_out_where_it_is_not_certain(void **state)
{
    (void)state;
    EXPECT("a.cu(5): error: bad\n  x = y;\n  ^\n\n", "", NULL, {true, "a.cu", 5, 0, "bad"});
    EXPECT("a.cu(5): error: bad\n  x = y;\n  ^\n\n", "", "x = y;\n", {true, "a.cu", 5, 0, "bad"});
    EXPECT("a.cu(1): error: bad\n\t\tx = y;\n      ^\n\n", "", "x = y;\n",
           {true, "a.cu", 1, 0, "bad"});
    EXPECT("a.cu(5): error: bad\n", "", "x\n", {true, "a.cu", 5, 0, "bad"});
    EXPECT("odd(1).cu(7): error: bad\n", "", NULL, {true, "odd(1).cu", 7, 0, "bad"});
}

static void host_compiler(void **state)
{
    (void)state;
    EXPECT("hash_error.cu:1:2: error: #error \"fill this in\"\n"
           "    1 | #error \"fill this in\"\n"
           "      |  ^~~~~\n"
           "hash_error.cu:2:10: fatal error: nothere.h: No such file or directory\n"
           "    2 | #include \"nothere.h\"\n"
           "      |          ^~~~~~~~~~~\n"
           "compilation terminated.\n",
           "", "#error \"fill this in\"\n#include \"nothere.h\"\n",
           {true, "hash_error.cu", 1, 2, "#error \"fill this in\""},
           {true, "hash_error.cu", 2, 10, "nothere.h: No such file or directory"});
    EXPECT("cc1plus: fatal error: nofile.cu: No such file or directory\ncompilation terminated.\n",
           "", NULL, {true, "", 0, 0, "nofile.cu: No such file or directory"});
    /* g++ counts a tab up to the next multiple of eight; other lines are not what it compiled. */
    EXPECT("a.cu:1:4: error: #error stop\na.cu:2:5: error: impossible constraint in 'asm'\n", "",
           "\t#error stop\nint x;\n", {true, "a.cu", 1, 0, "#error stop"},
           {true, "a.cu", 2, 0, "impossible constraint in 'asm'"});
    EXPECT("a.cu:1:10: error: #error stop\n", "", "\t#error stop\n",
           {true, "a.cu", 1, 3, "#error stop"});
}

static void host_compiler_names_what_was_included_from(void **state)
{
    (void)state;
    EXPECT("In file included from inc.cu:1:\n"
           "mine2.h:1:10: fatal error: nothere.h: No such file or directory\n"
           "    1 | #include \"nothere.h\"\n"
           "      |          ^~~~~~~~~~~\n",
           "", "#include \"nothere.h\"\n",
           {true, "mine2.h", 1, 10, "nothere.h: No such file or directory"});
    EXPECT("In file included from /usr/include/a.h:4,\n"
           "                 from mine.h:3,\n"
           "                 from inc.cu:12:\n"
           "/usr/include/b.h:7:2: error: #error \"not supported\"\n"
           "    7 | #error\n"
           "/usr/include/c.h:7:2: error: #error \"alone\"\n",
           "", NULL, {true, "inc.cu", 12, 0, "#error \"not supported\""},
           {true, "", 0, 0, "#error \"alone\""});
}

static void assembler_and_drivers(void **state)
{
    (void)state;
    EXPECT("ptxas bad.ptx, line 27; error   : Not a name of any known instruction: 'mow'\n"
           "ptxas fatal   : Ptx assembly aborted due to errors\n",
           "", NULL, {true, "", 0, 0, "Not a name of any known instruction: 'mow'"});
    EXPECT("ptxas fatal   : Ptx assembly aborted due to errors\n", "", NULL,
           {true, "", 0, 0, "Ptx assembly aborted due to errors"});
    EXPECT(
        "ptxas error   : Entry function '_Z1kPi' uses too much shared data (0x61a80 bytes, "
        "0xc000 max)\n",
        "", NULL,
        {true, "", 0, 0, "Entry function 'k' uses too much shared data (400000 bytes, 49152 max)"});
    EXPECT("ptxas fatal   : Unresolved extern function '_Z7productff'\n", "", NULL,
           {true, "", 0, 0, "Unresolved extern function 'product'"});
    EXPECT("nvlink error   : Multiple definition of '_Z6twice2i' in '/tmp/d2.o', first defined in "
           "'/tmp/d1.o'\n"
           "nvlink fatal   : merge_elf failed\n",
           "", NULL,
           {true, "", 0, 0,
            "Multiple definition of 'twice2' in '/tmp/d2.o', first defined in '/tmp/d1.o'"});
    EXPECT("nvcc fatal   : Unknown option '-bogus'\n", "", NULL,
           {true, "", 0, 0, "Unknown option '-bogus'"});
    EXPECT("nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n", "", NULL,
           {true, "", 0, 0, "'cicc' died due to signal 9 (Kill signal)"});
    EXPECT("nvcc warning : Support for offline compilation for architectures prior to "
           "'<compute/sm/lto>_75' will be removed\n"
           "nvcc fatal   : Don't know what to do with 'x.foo'\n",
           "", NULL, {true, "", 0, 0, "Don't know what to do with 'x.foo'"});
}

/* The place is that of the .loc before the line, in the same function. */
static void assembler_lines_are_those_of_the_source(void **state)
{
    static const char ptx[] = "\n.visible .entry k()\n{\n\t.loc\t1 3 5\n\tmow.f32 %f1, 0;\n}\n"
                              ".visible .entry l()\n{\n\tmow.f32 %f1, 0;\n}\n"
                              "\t.file\t1 \"/somewhere/bad.cu\"\n";
    static const char *const lines[] = {"5", "9"};
    struct arena *arena = arena_new();
    const struct message_sources sources = {.ptx = ptx};
    const struct tool_message *messages;
    size_t count;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const char *text =
            arena_printf(arena, "ptxas m.ptx, line %s; error   : Not a name\n", lines[i]);
        toolchain_read_messages(arena, text, strlen(text), &sources, &messages, &count);
        assert_int_equal(count, 1);
        assert_string_equal(messages[0].file, i == 0 ? "bad.cu" : "");
        assert_int_equal(messages[0].line, i == 0 ? 3 : 0);
        assert_int_equal(messages[0].column, i == 0 ? 5 : 0);
    }
    arena_free(arena);
}

static void linker(void **state)
{
    (void)state;
    EXPECT("/usr/bin/ld: main2.o: in function `main':\n"
           "main.cc:(.text+0x0): multiple definition of `main'; main.o:/x/main.cc:4: first defined "
           "here\n"
           "/usr/bin/ld: a1.o: warning: relocation against `missing' in read-only section `.text'\n"
           "/usr/bin/ld: main.o: in function `main':\n"
           "/x/main.cc:4: undefined reference to `launchTiled(float const*, float const*, float*, "
           "matmul_shape)'\n"
           "/usr/bin/ld: /x/main.cc:4: undefined reference to `printOccupancy()'\n"
           "/usr/bin/ld: main.cc:(.text+0x40): undefined reference to `printOccupancy()'\n"
           "/usr/bin/ld: warning: creating DT_TEXTREL in a PIE\n"
           "collect2: error: ld returned 1 exit status\n",
           "", NULL, {true, "", 0, 0, "multiple definition of `main'"},
           {true, "", 0, 0,
            "undefined reference to `launchTiled(float const*, float const*, float*, "
            "matmul_shape)'"},
           {true, "", 0, 0, "undefined reference to `printOccupancy()'"});
    EXPECT("hugeh.o: in function `main':\n"
           "tmpxft_00004eb9.cudafe1.cpp:(.text+0x44): relocation truncated to fit: R_X86_64_PC32 "
           "against symbol `used' defined in .bss section in hugeh.o\n"
           "tmpxft_00004eb9.cudafe1.cpp:(.text+0x98): relocation truncated to fit: R_X86_64_PC32 "
           "against `.bss'\n"
           "collect2: error: ld returned 1 exit status\n",
           "", NULL,
           {true, "", 0, 0, "relocation truncated to fit: R_X86_64_PC32 against symbol `used'"});
    EXPECT("/usr/bin/ld: cannot find -lnope: No such file or directory\n", "", NULL,
           {true, "", 0, 0, "cannot find -lnope: No such file or directory"});
}

static void symbols_of_messages(void **state)
{
    static const char *const pairs[][2] = {
        {"undefined reference to `launchTiled(float*, float const*)'", "launchTiled"},
        {"undefined reference to `void ns::t<3>()'", "ns::t"},
        {"undefined reference to `missing_variable'", "missing_variable"},
        {"multiple definition of `main'", "main"},
        {"Unresolved extern function '_Z7productff'", "product"},
        {"Unresolved extern function 'plain_c'", "plain_c"},
        {"Entry function '_ZN2ns2ktILi30000EEEvPf' uses too much shared data", "ns::kt"},
        {"Multiple definition of '_Z6twice2i' in 'd2.o'", "twice2"},
        {"undefined reference to `", NULL},
        {"Unknown option '-bogus'", NULL},
        {"", NULL},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *symbol = toolchain_message_symbol(arena, pairs[i][0]);
        assert_true((symbol == NULL) == (pairs[i][1] == NULL));
        if (symbol != NULL) {
            assert_string_equal(symbol, pairs[i][1]);
        }
    }
    assert_string_equal(toolchain_readable_message(arena, "0x10 bytes, 0xff max, 0xab, '_Z1fv"),
                        "16 bytes, 255 max, 0xab, '_Z1fv");
    arena_free(arena);
}

static void other_lines_are_skipped(void **state)
{
    struct arena *arena = arena_new();
    const struct tool_message *messages;
    size_t count;
    static const char text[] = "error\n(5): error: x\n::: error:\n99999999999999(1): errors: x\n\n"
                               "a(99999999999): error: x\na(): error: x\nptxas , line ; error";

    (void)state;
    toolchain_read_messages(arena, text, sizeof text - 1, NULL, &messages, &count);
    assert_int_equal(count, 0);
    toolchain_read_messages(arena, "", 0, NULL, &messages, &count);
    assert_int_equal(count, 0);
    arena_free(arena);
}

/* Warnings cost no error, and what is not listed is counted. */
static void errors_outlive_warnings(void **state)
{
    struct arena *arena = arena_new();
    const struct tool_message *messages;
    size_t count;
    struct text text;

    (void)state;
    text_init(&text);
    for (int i = 1; i <= 1500; i++) {
        text_printf(&text,
                    "a.cu(%d): warning #177-D: variable \"v%d\" was declared but never "
                    "referenced\n",
                    i, i);
    }
    text_append(&text, "a.cu(2000): error: identifier \"x\" is undefined\n");
    toolchain_read_messages(arena, text.bytes, text.length, NULL, &messages, &count);
    assert_int_equal(count, 1002);
    assert_true(messages[0].is_error);
    assert_int_equal(messages[0].line, 2000);
    assert_false(messages[1001].is_error);
    assert_string_equal(messages[1001].message, "500 more messages are not listed");
    printf("flood  nvcc_messages  1500 warnings, planted 1 error, found 1, left out 500\n");
    text_release(&text);
    arena_free(arena);
}

/* However much stands below a message: the last place that it comes from is its own, and text that
 * is left out is said to be. */
static void a_long_tail_is_read_to_its_end(void **state)
{
    struct arena *arena = arena_new();
    const struct tool_message *messages;
    struct text text;
    size_t count;

    (void)state;
    text_init(&text);
    text_append(&text, "/usr/x.h(1): error: it is wrong\n");
    for (int i = 0; i < 400; i++) {
        text_printf(&text, "              more text, line %d\n", i);
    }
    for (int i = 0; i < 3000; i++) {
        text_printf(&text, "            instantiation of \"t<%d>\" at line 3\n%s", i,
                    i == 0 ? "          detected during:\n" : "");
    }
    text_append(&text, "            instantiation of \"t<1>\" at line 7 of a.cu\n\n"
                       "a.cu(9): error: planted\n");
    toolchain_read_messages(arena, text.bytes, text.length, NULL, &messages, &count);
    assert_int_equal(count, 2);
    assert_string_equal(messages[0].file, "a.cu");
    assert_int_equal(messages[0].line, 7);
    assert_non_null(strstr(messages[0].message, "line 39 more"));
    assert_non_null(strstr(messages[0].message, " ... (in x.h)"));
    assert_null(strstr(messages[0].message, "line 399"));
    assert_string_equal(messages[1].message, "planted");
    printf("flood  front_end       3400 lines below an error, planted 1 error, found %d\n",
           messages[1].is_error);
    text_release(&text);
    arena_free(arena);
}

static void plain_names(void **state)
{
    struct arena *arena = arena_new();
    static const char *const pairs[][2] = {
        {"_Z14matrixMulTiledILi16EEvPKfS1_Pfii", "matrixMulTiled"},
        {"_Z14matrixMulTiledPKfS0_Pfii", "matrixMulTiled"},
        {"_ZN2ns6kernelIiEEvPT_", "ns::kernel"},
        {"_ZN12_GLOBAL__N_16kernelEPf", "(anonymous namespace)::kernel"},
        {"BLOCK_SIZE", "BLOCK_SIZE"},
        {"_Z", "_Z"},
        {"_Znonsense", "_Znonsense"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_string_equal(toolchain_plain_name(arena, pairs[i][0]), pairs[i][1]);
    }
    arena_free(arena);
}

static void variable_names(void **state)
{
    struct arena *arena = arena_new();
    static const char *const pairs[][2] = {
        {"_ZZ14matrixMulTiledPKfS0_PfiiE6tile_a", "tile_a"},
        {"_ZZN2ns6kernelILi3EEEvPT_E4tile", "tile"},
        {"_ZN2ns5tilesE", "tiles"},
        {"tiles", "tiles"},
        {"_Znonsense", "_Znonsense"},
        {"", ""},
        {"_ZZ1fPKfS0_PfiE20a_tile_with_a_lo", "a_tile_with_a_lo..."}, /* cut off */
        {"_ZZ12a_long_kernel_with_Ea_long_na", "_ZZ12a_long_kernel_with_Ea_long_na"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_string_equal(toolchain_variable_name(arena, pairs[i][0]), pairs[i][1]);
    }
    arena_free(arena);
}

/* pair<a, a>, the pair of that twice, and so on: each step doubles the name. */
static void names_that_grow_are_not_demangled(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMN";
    struct arena *arena = arena_new();
    struct text bomb, same;

    (void)state;
    text_init(&bomb);
    text_init(&same);
    text_append(&bomb, "1fSt4pairI1aS0_E");
    for (size_t i = 1; i < sizeof digits - 1; i++) {
        text_printf(&bomb, "S_IS%c_S%c_E", digits[i], digits[i]);
    }
    text_printf(&same, "_Z%s", bomb.bytes);
    assert_string_equal(toolchain_plain_name(arena, same.bytes), "f");
    text_clear(&same);
    text_printf(&same, "_ZZ%sE4tile", bomb.bytes);
    assert_string_equal(toolchain_variable_name(arena, same.bytes), same.bytes);
    text_clear(&same);
    text_printf(&same, "_ZNK%s", bomb.bytes);
    assert_string_equal(toolchain_plain_name(arena, same.bytes), same.bytes);
    text_release(&bomb);
    text_release(&same);
    arena_free(arena);
}

/* The runtime demangles 1024 bytes; a kernel's template arguments may have more. */
static void long_names_are_plain_too(void **state)
{
    struct arena *arena = arena_new();
    struct text name;

    (void)state;
    text_init(&name);
    text_append(&name, "_ZN2ns6kernelI3000");
    for (int i = 0; i < 3000; i++) {
        text_append_char(&name, 'q');
    }
    text_append(&name, "EEvPT_");
    assert_string_equal(toolchain_plain_name(arena, name.bytes), "ns::kernel");
    text_release(&name);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_end_with_caret),
        cmocka_unit_test(column_behind_macros_comments_and_tabs),
        cmocka_unit_test(front_end_with_more_text),
        cmocka_unit_test(error_in_a_system_header_is_told_where_it_comes_from),
        cmocka_unit_test(end_of_source),
        cmocka_unit_test(repeated_messages_are_told_once),
        cmocka_unit_test(columns_in_a_large_file),
        cmocka_unit_test(column_is_left_out_where_it_is_not_certain),
        cmocka_unit_test(host_compiler),
        cmocka_unit_test(host_compiler_names_what_was_included_from),
        cmocka_unit_test(a_long_tail_is_read_to_its_end),
        cmocka_unit_test(names_that_grow_are_not_demangled),
        cmocka_unit_test(long_names_are_plain_too),
        cmocka_unit_test(assembler_and_drivers),
        cmocka_unit_test(assembler_lines_are_those_of_the_source),
        cmocka_unit_test(linker),
        cmocka_unit_test(symbols_of_messages),
        cmocka_unit_test(other_lines_are_skipped),
        cmocka_unit_test(errors_outlive_warnings),
        cmocka_unit_test(plain_names),
        cmocka_unit_test(variable_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
