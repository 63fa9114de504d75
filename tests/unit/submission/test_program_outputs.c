/* test_program_outputs.c: which run of a program is told of, and how much of it. */
#include "submission/program_outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric_program programs[] = {{.id = "tiled"}, {.id = "dynamic"}};
static const struct rubric_launch launches[] = {{.program = 0}, {.program = 1}};
static const struct rubric_printout printouts[] = {{.program = 1}};
static const struct rubric rubric = {.programs = programs,
                                     .program_count = 2,
                                     .launches = launches,
                                     .launch_count = 2,
                                     .printouts = printouts,
                                     .printout_count = 1};

static struct program_activity wrote(const char *output, const char *errors)
{
    return (struct program_activity){.ran = true,
                                     .output = output,
                                     .output_length = strlen(output),
                                     .errors = errors,
                                     .errors_length = strlen(errors)};
}

static void a_printout_s_run_comes_first(void **state)
{
    struct arena *arena = arena_new();
    struct launch_run launched[2] = {{.activity = wrote("8 shapes", "")},
                                     {.activity = wrote("8 shapes", "late")}};
    struct print_run printed[1] = {{.activity = wrote("", "cannot")}};
    const struct submission_evidence evidence = {.launch_runs = launched, .print_runs = printed};
    const struct program_output *outputs;
    size_t count;

    (void)state;
    program_outputs_collect(arena, &rubric, &evidence, &outputs, &count);
    assert_int_equal(count, 2);
    assert_string_equal(outputs[0].program, "tiled");
    assert_false(outputs[0].is_errors);
    assert_int_equal(outputs[0].length, 8);
    assert_memory_equal(outputs[0].bytes, "8 shapes", 8);
    assert_string_equal(outputs[1].program, "dynamic");
    assert_true(outputs[1].is_errors);
    assert_memory_equal(outputs[1].bytes, "cannot", 6);
    /* not built, or no criterion wants it */
    printed[0].activity.ran = false;
    launched[0].activity.ran = false;
    program_outputs_collect(arena, &rubric, &evidence, &outputs, &count);
    assert_int_equal(count, 2);
    assert_string_equal(outputs[0].program, "dynamic");
    assert_memory_equal(outputs[0].bytes, "8 shapes", 8);
    assert_memory_equal(outputs[1].bytes, "late", 4);
    arena_free(arena);
}

static void only_the_beginning_is_kept(void **state)
{
    static char bytes[PROGRAM_OUTPUT_BYTES_MAX + 11];
    struct arena *arena = arena_new();
    struct launch_run launched[2];
    struct print_run printed[1];
    const struct submission_evidence evidence = {.launch_runs = launched, .print_runs = printed};
    const struct program_output *outputs;
    size_t count;

    (void)state;
    memset(launched, 0, sizeof launched);
    memset(bytes, 'x', sizeof bytes - 1);
    printed[0].activity = wrote(bytes, "");
    program_outputs_collect(arena, &rubric, &evidence, &outputs, &count);
    assert_int_equal(count, 1);
    assert_int_equal(outputs[0].length, PROGRAM_OUTPUT_BYTES_MAX);
    assert_int_equal(outputs[0].left_out, 10);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_printout_s_run_comes_first),
        cmocka_unit_test(only_the_beginning_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
