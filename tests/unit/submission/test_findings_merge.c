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
    struct rubric_launch launch = {.id = "tiled"};
    struct rubric rubric = {.launches = &launch, .launch_count = 1};
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

/* Very many findings that differ, each seen twice, in kernels that share their lines: each is in
 * the list once, and no search among all of the others has to find it. */
static void many_findings_stay_apart(void **state)
{
    enum { KINDS = 60000 };
    struct arena *arena = arena_new();
    struct finding *seen = arena_array(arena, (size_t)KINDS, sizeof *seen);
    struct sample samples[] = {{.findings = seen, .finding_count = KINDS},
                               {.findings = seen, .finding_count = KINDS}};
    struct observation observation = {.samples = samples, .sample_count = 2};
    struct launch_run run = {.observations = &observation, .observation_count = 1};
    struct submission_evidence evidence = {.launch_runs = &run};
    struct rubric_launch launch = {.id = "tiled"};
    struct rubric rubric = {.launches = &launch, .launch_count = 1};
    const struct finding *merged = NULL;
    size_t count = 0;
    (void)state;

    for (int i = 0; i < KINDS; i++) {
        seen[i] = finding_at(CODE_SHARED_RACE, 1 + i / 3, 1);
        seen[i].kernel = (const char *[]){"a", "b", "c"}[i % 3];
    }
    findings_merge(arena, &rubric, &evidence, &merged, &count);
    assert_int_equal(count, KINDS);
    for (size_t i = 0; i < KINDS; i++) {
        assert_int_equal(merged[i].count, 2);
        assert_int_equal(merged[i].shapes, 1);
    }
    arena_free(arena);
}

/* Each shape of a launch counts once, the program's own data not at all. */
static void shapes_are_counted(void **state)
{
    struct arena *arena = arena_new();
    struct finding seen[] = {finding_at(CODE_SHARED_RACE, 30, 2)};
    struct sample samples[] = {{.findings = seen, .finding_count = 1},
                               {.findings = seen, .finding_count = 1}};
    struct sample clean[] = {{.finding_count = 0}};
    struct observation observations[] = {
        {.case_index = SIZE_MAX}, /* the first shape is not probed */
        {.samples = clean, .sample_count = 1},
        {.samples = samples, .sample_count = 2, .parameters = {32}, .block = 16},
        {.samples = samples, .sample_count = 2, .parameters = {48}, .block = 16},
    };
    struct launch_run run = {.activity = {.findings = seen, .finding_count = 1},
                             .observations = observations,
                             .observation_count = 4};
    struct submission_evidence evidence = {.launch_runs = &run};
    struct rubric_parameter parameter = {.name = "n"};
    struct rubric_launch launch = {.operand_count = 1, .operands = {{.name = "A", .rank = 1}}};
    struct rubric rubric = {
        .parameters = &parameter, .parameter_count = 1, .launches = &launch, .launch_count = 1};
    const struct finding *merged = NULL;
    size_t count = 0;
    size_t offset = 0;
    (void)state;

    assert_int_equal(expression_parse(arena, "n", &launch.operands[0].shape[0], &offset, NULL), 0);
    findings_merge(arena, &rubric, &evidence, &merged, &count);
    assert_int_equal(count, 1);
    assert_int_equal(merged[0].count, 10);
    assert_int_equal(merged[0].shapes, 2);
    assert_int_equal(merged[0].of_shapes, 3);
    assert_string_equal(merged[0].first_shape, "n 32");
    launch.call = "copy"; /* the run's list has what was found in its calls */
    findings_merge(arena, &rubric, &evidence, &merged, &count);
    assert_int_equal(count, 1);
    assert_int_equal(merged[0].count, 8);
    arena_free(arena);
}

/* What only the real GPU showed: print runs beside the emulated ones, and launches that were timed.
 */
static void findings_of_the_gpu_are_kept(void **state)
{
    struct arena *arena = arena_new();
    struct finding printed[] = {finding_at(CODE_GLOBAL_OUT_OF_BOUNDS, 30, 2)};
    struct finding timed[] = {finding_at(CODE_GLOBAL_OUT_OF_BOUNDS, 31, 1)};
    struct finding own[] = {finding_at(CODE_MISALIGNED_ACCESS, 32, 1)};
    struct print_run emulated = {.activity = {.ran = true}};
    struct print_run real = {.activity = {.findings = printed, .finding_count = 1}};
    struct timing_run timing = {
        .activity = {.findings = own, .finding_count = 1}, .findings = timed, .finding_count = 1};
    struct submission_evidence evidence = {
        .print_runs = &emulated, .gpu_print_runs = &real, .timings = &timing};
    struct rubric_printout printout = {.id = "occupancy"};
    struct rubric_criterion criterion = {.id = "speedup"};
    struct rubric rubric = {
        .printouts = &printout, .printout_count = 1, .criteria = &criterion, .criterion_count = 1};
    const struct finding *merged = NULL;
    size_t count = 0;
    (void)state;

    findings_merge(arena, &rubric, &evidence, &merged, &count);
    assert_int_equal(count, 3);
    assert_int_equal(merged[0].places[0].line, 30);
    assert_int_equal(merged[1].places[0].line, 31);
    assert_int_equal(merged[2].places[0].line, 32);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_lines_are_one_finding),
        cmocka_unit_test(many_findings_stay_apart),
        cmocka_unit_test(shapes_are_counted),
        cmocka_unit_test(findings_of_the_gpu_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
