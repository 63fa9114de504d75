/* test_findings_merge.c: findings of many samples as one list. */
#include "submission/findings_merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct finding finding_at(enum code code, int line, uint64_t count)
{
    return (struct finding){
        .code = code,
        .severity = SEVERITY_ERROR,
        .message = "m",
        .kernel = "k",
        .launch = "tiled",
        .count = count,
        .places = {{.role = "read", .file = "a.cu", .line = line}},
        .place_count = 1,
    };
}

/* Two samples of one case and the program's own run, which sees one of the lines again. */
static void equal_lines_are_one_finding(void **state)
{
    struct arena *arena = arena_new();
    struct finding first[] = {finding_at(CODE_GLOBAL_OUT_OF_BOUNDS, 30, 2),
                              finding_at(CODE_MISALIGNED_ACCESS, 12, 1)};
    struct finding second[] = {finding_at(CODE_GLOBAL_OUT_OF_BOUNDS, 30, 5)};
    struct finding own[] = {finding_at(CODE_GLOBAL_OUT_OF_BOUNDS, 31, 4)};
    struct sample samples[] = {{.findings = first, .finding_count = 2},
                               {.findings = second, .finding_count = 1}};
    struct observation observation = {.samples = samples, .sample_count = 2};
    struct launch_run run = {.activity = {.findings = own, .finding_count = 1},
                             .observations = &observation,
                             .observation_count = 1};
    struct submission_evidence evidence = {.launch_runs = &run};
    struct rubric rubric = {.launch_count = 1};
    const struct finding *merged = NULL;
    size_t count = 0;
    (void)state;

    findings_merge(arena, &rubric, &evidence, &merged, &count);
    assert_int_equal(count, 3);
    assert_int_equal(merged[0].places[0].line, 12);
    assert_int_equal(merged[1].places[0].line, 30);
    assert_int_equal(merged[1].count, 7);
    assert_int_equal(merged[2].places[0].line, 31);
    arena_free(arena);
}

static void remarks_are_warnings_and_failed_calls(void **state)
{
    struct arena *arena = arena_new();
    struct tool_message messages[] = {{true, "a.cu", 1, 2, "an error"},
                                      {false, "a.cu", 3, 4, "unused"},
                                      {false, "a.cu", 3, 4, "unused"}};
    struct program_build build = {.messages = messages, .message_count = 3};
    struct call_error error = {.call = "cudaMalloc",
                               .cuda_error = 2,
                               .name = "cudaErrorMemoryAllocation",
                               .message = "too much"};
    struct launch_run run = {.activity = {.call_errors = &error, .call_error_count = 1}};
    struct submission_evidence evidence = {.builds = &build, .launch_runs = &run};
    struct rubric rubric = {.program_count = 1, .launch_count = 1};
    const struct remark *remarks = NULL;
    size_t count = 0;
    (void)state;

    remarks_collect(arena, &rubric, &evidence, &remarks, &count);
    assert_int_equal(count, 2);
    assert_string_equal(remarks[0].message, "unused");
    assert_int_equal(remarks[0].line, 3);
    assert_string_equal(remarks[1].message,
                        "cudaMalloc gave cudaErrorMemoryAllocation (2): too much");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_lines_are_one_finding),
        cmocka_unit_test(remarks_are_warnings_and_failed_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
