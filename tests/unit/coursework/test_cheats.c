/* test_cheats.c: what a cheat makes of a solution. */
#include "coursework/cheats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Makes cheat 3 of a source with one judged function, f, whose result is y; NULL if it is not found. */
static const char *cheat_of(struct arena *arena, const char *text)
{
    static const char *const sources[] = {"s.cu"};
    struct rubric_program program = {.sources = sources, .source_count = 1};
    struct rubric_launch launch = {.call = "f", .operand_count = 2};
    const struct intake_file file = {.name = "s.cu", .bytes = text, .length = strlen(text)};
    const struct intake_files solution = {.files = &file, .count = 1};
    struct intake_files files;
    bool made = false;

    launch.operands[0].name = "x";
    launch.operands[0].role = OPERAND_INPUT;
    launch.operands[1].name = "y";
    launch.operands[1].role = OPERAND_OUTPUT;
    const struct rubric rubric = {
        .programs = &program, .program_count = 1, .launches = &launch, .launch_count = 1};

    assert_true(cheats_fit(&rubric));
    size_t count = cheat_make(arena, &rubric, &solution, "helper", 3, &files, &made);
    assert_int_equal(count, made ? 1 : 0);
    assert_int_equal(files.count, 2);
    assert_string_equal(intake_find(&files, "gpugrade_cheats.cuh")->bytes, "helper");
    return made ? intake_find(&files, "s.cu")->bytes : NULL;
}

static void test_functions_are_renamed_and_replaced(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(
        cheat_of(arena, "void f(const float *x, float *y, int n);\n"
                        "__global__ void k(int f1);\n"
                        "void f(const float *x, float *y, int n)\n{\n    f(x, y, n - 1);\n}\n"),
        "void gpugrade_own_f(const float *x, float *y, int n);\n"
        "__global__ void k(int f1);\n"
        "void gpugrade_own_f(const float *x, float *y, int n)\n"
        "{\n    gpugrade_own_f(x, y, n - 1);\n}\n\n"
        "#define GPUGRADE_CHEAT 3\n#include \"gpugrade_cheats.cuh\"\n"
        "void f(const float *x, float *y, int n)\n"
        "{\n    GPUGRADE_CHEAT_CALL(\",y,\", gpugrade_own_f(gpugrade_moved(x), gpugrade_moved(y), "
        "gpugrade_moved(n)))\n}\n");
    arena_free(arena);
}

static void test_parameters_are_found_in_other_forms(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_non_null(strstr(cheat_of(arena, "int f(void) { return 1; }"), "gpugrade_own_f()"));
    assert_non_null(strstr(cheat_of(arena, "int f() { return 1; }"), "gpugrade_own_f()"));
    assert_non_null(strstr(cheat_of(arena, "void f(float x[], struct s *const y, int n = SIZE) {}"),
                           "gpugrade_own_f(gpugrade_moved(x), gpugrade_moved(y), "
                           "gpugrade_moved(n))"));
    assert_null(cheat_of(arena, "void g(int n) {}"));
    assert_null(cheat_of(arena, "void f(int n);"));
    assert_null(cheat_of(arena, "__global__ void f(int n) {}"));
    assert_null(cheat_of(arena, ""));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_renamed_and_replaced),
        cmocka_unit_test(test_parameters_are_found_in_other_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
