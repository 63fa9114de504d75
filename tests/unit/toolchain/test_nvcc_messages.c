/* test_nvcc_messages.c: texts that nvcc 13.0, g++ 12, ptxas and ld printed, as messages. */
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

static void expect(const char *text, const char *prefix, const struct expected *expected,
                   size_t expected_count)
{
    struct arena *arena = arena_new();
    const struct tool_message *messages;
    size_t count;

    toolchain_read_messages(arena, text, strlen(text), prefix, &messages, &count);
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

#define EXPECT(text, prefix, ...)                                                                  \
    do {                                                                                           \
        const struct expected list[] = {__VA_ARGS__};                                              \
        expect(text, prefix, list, sizeof list / sizeof list[0]);                                  \
    } while (0)

static void front_end_with_caret(void **state)
{
    (void)state;
    EXPECT("semicolon.cu(5): error: expected a \";\"\n"
           "      undefined_thing = x;\n"
           "      ^\n"
           "\n"
           "1 error detected in the compilation of \"semicolon.cu\".\n",
           "", {true, "semicolon.cu", 5, 5, "expected a \";\""});
    EXPECT("/w/source/undefined.cu(8): warning #940-D: missing return statement at end of non-void "
           "function \"unused_thing\"\n"
           "  int unused_thing() { int y; }\n"
           "                              ^\n"
           "\n"
           "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
           "\n"
           "/w/source/undefined.cu(4): error: identifier \"q\" is undefined\n"
           "      p[threadIdx.x] = BLOCK_SIZE * q;\n"
           "                                    ^\n"
           "\n",
           "/w/source", {true, "undefined.cu", 4, 35, "identifier \"q\" is undefined"},
           {false, "undefined.cu", 8, 29,
            "missing return statement at end of non-void function \"unused_thing\""});
}

static void front_end_with_more_text(void **state)
{
    (void)state;
    EXPECT("goto.cu(2): error: transfer of control bypasses initialization of:\n"
           "            variable \"y\" (declared at line 2)\n"
           "  int f(int x) { goto l; { int y = 1; l: return y; } }\n"
           "                 ^\n"
           "\n",
           "",
           {true, "goto.cu", 2, 16,
            "transfer of control bypasses initialization of: variable \"y\" (declared at line 2)"});
    EXPECT("t.cu(1): error: expression must have class type\n"
           "  template <class T> T half(T x) { return x.half; }\n"
           "                                          ^\n"
           "          detected during instantiation of \"T half(T) [with T=int]\" at line 2\n"
           "\n",
           "", {true, "t.cu", 1, 41, "expression must have class type"});
}

static void column_is_left_out_where_it_is_not_certain(void **state)
{
    (void)state;
    EXPECT("a.cu(5): error: bad\n\tx = y;\n\t^\n\n", "", {true, "a.cu", 5, 0, "bad"});
    EXPECT("a.cu(5): error: bad\n  \tx = y;\n      ^\n\n", "", {true, "a.cu", 5, 0, "bad"});
    EXPECT("a.cu(5): error: bad\n", "", {true, "a.cu", 5, 0, "bad"});
    EXPECT("odd(1).cu(7): error: bad\n", "", {true, "odd(1).cu", 7, 0, "bad"});
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
           "", {true, "hash_error.cu", 1, 2, "#error \"fill this in\""},
           {true, "hash_error.cu", 2, 10, "nothere.h: No such file or directory"});
    EXPECT("cc1plus: fatal error: nofile.cu: No such file or directory\ncompilation terminated.\n",
           "", {true, "", 0, 0, "nofile.cu: No such file or directory"});
}

static void assembler_and_drivers(void **state)
{
    (void)state;
    EXPECT("ptxas bad.ptx, line 27; error   : Not a name of any known instruction: 'mow'\n"
           "ptxas fatal   : Ptx assembly aborted due to errors\n",
           "", {true, "", 0, 0, "Not a name of any known instruction: 'mow'"},
           {true, "", 0, 0, "Ptx assembly aborted due to errors"});
    EXPECT("ptxas error   : Entry function '_Z1kPi' uses too much shared data (0x61a80 bytes, "
           "0xc000 max)\n",
           "",
           {true, "", 0, 0,
            "Entry function '_Z1kPi' uses too much shared data (0x61a80 bytes, 0xc000 max)"});
    EXPECT("nvcc fatal   : Unknown option '-bogus'\n", "",
           {true, "", 0, 0, "Unknown option '-bogus'"});
    EXPECT("nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n", "",
           {true, "", 0, 0, "'cicc' died due to signal 9 (Kill signal)"});
}

static void linker(void **state)
{
    (void)state;
    EXPECT("/usr/bin/ld: main2.o: in function `main':\n"
           "main.cc:(.text+0x0): multiple definition of `main'; main.o:/x/main.cc:4: first defined "
           "here\n"
           "/usr/bin/ld: main.o: in function `main':\n"
           "/x/main.cc:4: undefined reference to `launchTiled(float const*, float const*, float*, "
           "matmul_shape)'\n"
           "/usr/bin/ld: /x/main.cc:4: undefined reference to `printOccupancy()'\n"
           "/usr/bin/ld: main.cc:(.text+0x40): undefined reference to `printOccupancy()'\n"
           "collect2: error: ld returned 1 exit status\n",
           "", {true, "", 0, 0, "multiple definition of `main'"},
           {true, "", 0, 0,
            "undefined reference to `launchTiled(float const*, float const*, float*, "
            "matmul_shape)'"},
           {true, "", 0, 0, "undefined reference to `printOccupancy()'"});
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
    };

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_string_equal(toolchain_variable_name(arena, pairs[i][0]), pairs[i][1]);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_end_with_caret),
        cmocka_unit_test(front_end_with_more_text),
        cmocka_unit_test(column_is_left_out_where_it_is_not_certain),
        cmocka_unit_test(host_compiler),
        cmocka_unit_test(assembler_and_drivers),
        cmocka_unit_test(linker),
        cmocka_unit_test(other_lines_are_skipped),
        cmocka_unit_test(plain_names),
        cmocka_unit_test(variable_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
