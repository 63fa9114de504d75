/* test_rubric_load.c: rubrics that load, and every mistake with its place.
 *
 * tests/rubrics/valid/NAME.json must load. tests/rubrics/invalid/NAME.json must not; NAME.expected
 * beside it holds "line:column: part of the message".
 */
#include "base/file.h"
#include "base/text.h"
#include "rubric/rubric_load.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rubric *load(struct arena *arena, const char *name)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    const char *path = arena_printf(arena, "%s/%s", GPUGRADE_SOURCE_DIR, name);

    if (rubric_load(arena, path, "/root", &rubric, &diagnostic) != ERROR_NONE) {
        fail_msg("%s:%d:%d: %s", name, diagnostic.line, diagnostic.column, diagnostic.message);
    }
    return rubric;
}

static void test_matmul(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "rubrics/matmul.json");
    size_t cases = 0;

    (void)state;
    assert_string_equal(rubric->id, "matmul");
    assert_int_equal(rubric->version, 5);
    assert_string_equal(rubric->gpu_model, "H200");
    assert_string_equal(rubric->reference_folder, GPUGRADE_SOURCE_DIR "/reference/matmul");
    assert_string_equal(rubric->template_folder, GPUGRADE_SOURCE_DIR "/student_template/matmul");
    assert_int_equal(rubric->arithmetic, ARITHMETIC_EPSILON);
    assert_int_equal(strlen(rubric->sha256), 64);
    assert_int_equal(rubric->program_count, 2);
    assert_string_equal(rubric->programs[1].sources[0], "exercise2_dynamic.cu");
    assert_string_equal(rubric->programs[1].defines[0].name, "EXERCISE");
    assert_string_equal(rubric->programs[1].defines[0].value, "2");
    assert_int_equal(rubric->programs[0].harness_count, 2);
    for (size_t i = 0; i < rubric->case_count; i++) {
        cases += rubric->cases[i].repeat;
        assert_false(rubric->cases[i].hidden);
    }
    assert_int_equal(cases, 11);
    assert_int_equal(rubric->limits.compile_wall_ns, UINT64_C(60000000000));
    assert_int_equal(rubric->limits.program_memory_bytes, UINT64_C(1) << 30);
    assert_int_equal(rubric->limits.program_processes, 64);
    arena_free(arena);
}

static void test_largest(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "rubrics/adjacent_difference.json");

    (void)state;
    for (size_t i = 0; i < rubric->launch_count; i++) {
        assert_int_equal(rubric->launches[i].operands[0].largest, 0);
        assert_int_equal(rubric->launches[i].operands[1].largest, (1 << 30) - 1);
    }
    arena_free(arena);
}

/* What tests/cli/operands.sh grades by: every key of operands. */
static void test_operands(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "tests/cli/operands/rubrics/operands.json");
    const struct rubric_launch *launches = rubric->launches;
    const struct rubric_case *equal = &rubric->cases[2];

    (void)state;
    assert_int_equal(rubric->cases[1].values[1].minimum, -50);
    assert_int_equal(launches[0].operands[1].role, OPERAND_IN_PLACE);
    assert_int_equal(launches[0].operands[1].compare.kind, COMPARE_BOUND);
    assert_int_equal(launches[0].scalars[0].type, ELEMENT_F32);
    assert_true(launches[1].operands[1].is_counted);
    assert_int_equal(launches[1].operands[1].counter, 2);
    assert_int_equal(launches[2].operands[0].compare.kind, COMPARE_CHECK);
    assert_true(launches[2].operands[0].values.is_set);
    assert_string_equal(expression_text(launches[2].operands[0].values.most), "1000000");
    assert_int_equal(launches[3].operands[0].type, ELEMENT_U8);
    assert_int_equal(launches[3].operands[0].lanes, 3);
    assert_true(launches[3].operands[1].compare.absolute == 1);
    assert_true(launches[4].operands[1].starts_as_zero);
    assert_true(launches[5].operands[4].compare.of_magnitude == 1e-5);
    assert_int_equal(launches[8].operands[2].role, OPERAND_SCRATCH);
    assert_string_equal(expression_text(launches[9].operands[1].compare.additions), "n");
    assert_true(launches[10].operands[1].compare.has_share);
    assert_int_equal(equal->input_count, 2);
    assert_string_equal(equal->inputs[0].operand, "keys");
    assert_string_equal(expression_text(equal->inputs[0].values.distinct), "1");
    arena_free(arena);
}

static void test_matmul_launches(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "rubrics/matmul.json");
    const struct rubric_launch *launch = &rubric->launches[1];

    (void)state;
    assert_int_equal(rubric->launch_count, 3);
    assert_string_equal(rubric->launches[2].id, "naive");
    assert_string_equal(rubric->launches[2].kernel, "matrixMulNaive");
    assert_int_equal(rubric->launches[2].program, 0);
    assert_string_equal(launch->id, "dynamic");
    assert_int_equal(launch->program, 1);
    assert_string_equal(launch->call, "launchDynamic");
    assert_string_equal(launch->kernel, "matrixMulDynamic");
    assert_true(launch->has_first);
    assert_int_equal(launch->first_values[2], 288);
    assert_int_equal(launch->block_count, 3);
    assert_int_equal(launch->blocks[2], 32);
    assert_int_equal(launch->operand_count, 3);
    assert_int_equal(launch->operands[2].role, OPERAND_OUTPUT);
    assert_int_equal(launch->operands[2].rank, 2);
    assert_string_equal(expression_text(launch->operands[2].shape[1]), "b_width");
    assert_int_equal(launch->scalar_count, 1);
    assert_true(launch->scalars[0].bind.is_symbol);
    assert_string_equal(launch->scalars[0].bind.symbol, "BLOCK_SIZE");
    arena_free(arena);
}

static void test_matmul_criteria(void **state)
{
    static const double points[] = {5, 20, 15, 10, 10, 5, 5, 5, 5, 5, 10, 5};
    static const char *const ids[] = {"compile",         "correct.tiled",     "correct.dynamic",
                                      "race-free.tiled", "race-free.dynamic", "tiled.tiled",
                                      "tiled.dynamic",   "dynamic",           "occupancy",
                                      "block-size",      "speedup.tiled",     "speedup.dynamic"};
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "rubrics/matmul.json");

    (void)state;
    assert_false(rubric->checks_global_races);
    assert_int_equal(rubric->criterion_count, 12);
    for (size_t i = 0; i < 12; i++) {
        assert_string_equal(rubric->criteria[i].id, ids[i]);
        assert_true(rubric->criteria[i].points == points[i]);
    }
    const struct rubric_criterion *dynamic = &rubric->criteria[7];
    assert_int_equal(dynamic->launch, 1);
    assert_true(dynamic->has_bytes_printout);
    assert_true(rubric->printouts[dynamic->bytes_printout].table);
    assert_true(dynamic->has_scalar);
    assert_int_equal(dynamic->scalar, 0);
    assert_non_null(dynamic->minimum_bytes);
    const struct rubric_criterion *occupancy = &rubric->criteria[8];
    assert_int_equal(rubric->printouts[occupancy->printout].form, PRINTOUT_FRACTION);
    assert_int_equal(occupancy->formula_count, 4);
    assert_false(rubric->criteria[3].allows_warp_races);
    assert_int_equal(rubric->criteria[4].launch, 1);
    assert_string_equal(expression_text(rubric->criteria[6].maximum_bytes),
                        "8 * a_height * b_width * a_width / block");
    arena_free(arena);
}

static void test_matmul_speedup(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "rubrics/matmul.json");
    static const char *const shape[] = {"32 * ceil(multiprocessors / 2)", "1024", "4096"};

    (void)state;
    for (size_t i = 10; i < 12; i++) {
        const struct rubric_criterion *speedup = &rubric->criteria[i];
        assert_int_equal(speedup->kind, CRITERION_SPEEDUP);
        assert_int_equal(speedup->launch, i - 10);
        assert_int_equal(speedup->baseline, 2);
        for (size_t j = 0; j < 3; j++) {
            assert_string_equal(expression_text(speedup->timing_shape[j]), shape[j]);
        }
        assert_string_equal(expression_text(speedup->operations),
                            "2 * a_height * a_width * b_width");
        assert_string_equal(expression_text(speedup->full_marks), "1 + 0.8 * (reference - 1)");
        assert_true(speedup->no_marks == 1);
        assert_true(speedup->smallest_reference == 1.05);
        assert_true(speedup->step == 0.5);
    }
    assert_null(rubric->criteria[0].full_marks);
    arena_free(arena);
}

static void test_every_key(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = load(arena, "tests/rubrics/valid/every_key.json");

    (void)state;
    assert_int_equal(rubric->version, 7);
    assert_int_equal(rubric->arithmetic, ARITHMETIC_NO_FMAD);
    assert_int_equal(rubric->limits.compile_wall_ns, 1500000000);
    assert_int_equal(rubric->limits.program_processes, 3);
    assert_int_equal(rubric->limits.program_output_bytes, 2048);
    assert_int_equal(rubric->limits.program_file_bytes, UINT64_C(64) << 20);
    assert_string_equal(rubric->programs[0].given[0], "copy.h");
    assert_string_equal(rubric->programs[0].flags[0], "-O1");
    assert_string_equal(rubric->programs[0].defines[1].value, "x");
    assert_true(rubric->cases[0].distinct);
    assert_false(rubric->cases[0].hidden);
    assert_int_equal(rubric->hints, HINTS_LOCATE);
    assert_int_equal(rubric->cases[0].values[0].minimum, 1);
    assert_int_equal(rubric->cases[0].values[0].maximum, 4);
    assert_int_equal(rubric->launches[0].scalars[1].type, ELEMENT_U32);
    assert_false(rubric->criteria[1].hidden);
    assert_false(rubric_hides(rubric));
    assert_true(rubric->late.has_due);
    assert_int_equal(rubric->late.due, 1795215540); /* 2026-11-20T22:59:00Z */
    assert_int_equal(rubric->late.grace_s, 900);
    assert_true(rubric->late.per_day == 2.5);
    assert_false(rubric->late.is_percent);
    assert_true(rubric->late.has_cut_off);
    assert_int_equal(rubric->late.cut_off_s, 604800);
    assert_int_equal(rubric->attempts, ATTEMPTS_BEST);
    assert_true(rubric->criteria[10].bonus);
    assert_false(rubric->criteria[7].bonus);
    assert_false(rubric->criteria[0].hidden);
    const struct rubric_printout *output = &rubric->printouts[rubric->criteria[11].printout];
    assert_int_equal(output->file_count, 2);
    assert_string_equal(output->files[0].name, "in.txt");
    assert_string_equal(output->files[0].bytes, "3 4\n\n");
    assert_int_equal(output->files[0].length, 5);
    assert_int_equal(output->files[1].length, 0);
    assert_true(rubric->checks_global_races);
    assert_true(rubric->criteria[4].allows_warp_races);
    assert_false(rubric->criteria[5].allows_warp_races);
    assert_string_equal(expression_text(rubric->criteria[6].maximum_bytes), "4 * n / block");
    assert_true(rubric->criteria[6].has_operands);
    assert_true(rubric->criteria[6].operand_counts[0]);
    assert_false(rubric->criteria[6].operand_counts[1]);
    assert_true(rubric->criteria[7].maximum_ratio == 1);
    assert_false(rubric->criteria[7].has_operands);
    assert_true(rubric->criteria[8].maximum_ratio == 1.5);
    assert_true(rubric->criteria[8].has_operands);
    assert_false(rubric->criteria[8].operand_counts[0]);
    assert_true(rubric->criteria[8].operand_counts[1]);
    const struct rubric_criterion *speedup = &rubric->criteria[9];
    assert_int_equal(speedup->baseline, 1);
    assert_string_equal(expression_text(speedup->timing_shape[0]), "1024 * multiprocessors");
    assert_string_equal(expression_text(speedup->least_bytes), "8 * n");
    assert_string_equal(expression_text(speedup->full_marks), "reference / 2 + 1");
    assert_true(speedup->no_marks == 0.5);
    assert_true(speedup->smallest_reference == 1.25);
    assert_true(speedup->step == 0.25);
    arena_free(arena);
}

/* Calls `visit` for each rubric of a folder; returns how many. */
static int for_each(const char *folder, void (*visit)(struct arena *arena, const char *stem))
{
    int count = 0;
    struct arena *arena = arena_new();
    const char *path = arena_printf(arena, "%s/%s", GPUGRADE_SOURCE_DIR, folder);
    DIR *stream = opendir(path);
    struct dirent *entry;

    assert_non_null(stream);
    while ((entry = readdir(stream)) != NULL) {
        if (text_ends_with(entry->d_name, ".json") &&
            !text_ends_with(entry->d_name, ".schema.json")) {
            visit(arena,
                  arena_printf(arena, "%s/%.*s", folder,
                               (int)(strlen(entry->d_name) - strlen(".json")), entry->d_name));
            count++;
        }
    }
    closedir(stream);
    arena_free(arena);
    return count;
}

static void visit_valid(struct arena *arena, const char *stem)
{
    load(arena, arena_printf(arena, "%s.json", stem));
}

static void visit_invalid(struct arena *arena, const char *stem)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    char *expected = NULL;
    size_t length = 0;
    const char *path = arena_printf(arena, "%s/%s.json", GPUGRADE_SOURCE_DIR, stem);
    const char *beside = arena_printf(arena, "%s/%s.expected", GPUGRADE_SOURCE_DIR, stem);

    assert_int_equal(file_read(arena, beside, 1000, BLAME_GRADER, &expected, &length, NULL), 0);
    expected[strcspn(expected, "\n")] = '\0';
    if (rubric_load(arena, path, "/root", &rubric, &diagnostic) == ERROR_NONE) {
        fail_msg("%s loads; expected %s", stem, expected);
    }
    assert_null(rubric);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_true(text_ends_with(diagnostic.file, path_name(path)));
    char *message = strchr(expected, ' ') + 1;
    const char *place = arena_printf(arena, "%d:%d: ", diagnostic.line, diagnostic.column);
    if (!text_starts_with(expected, place) || strstr(diagnostic.message, message) == NULL) {
        fail_msg("%s\n  expected %s\n  got      %s%s", stem, expected, place, diagnostic.message);
    }
}

static void test_valid(void **state)
{
    (void)state;
    assert_true(for_each("tests/rubrics/valid", visit_valid) >= 6);
}

static void test_invalid(void **state)
{
    (void)state;
    assert_true(for_each("tests/rubrics/invalid", visit_invalid) >= 190);
}

static void test_shipped(void **state)
{
    (void)state;
    assert_true(for_each("rubrics", visit_valid) >= 5);
}

static void test_missing_file(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};

    (void)state;
    assert_int_equal(rubric_load(arena, "/nowhere/rubric.json", "/root", &rubric, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_non_null(strstr(diagnostic.message, "rubric.json"));
    assert_null(rubric);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matmul),          cmocka_unit_test(test_matmul_launches),
        cmocka_unit_test(test_matmul_criteria), cmocka_unit_test(test_matmul_speedup),
        cmocka_unit_test(test_operands),        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_valid),           cmocka_unit_test(test_largest),
        cmocka_unit_test(test_invalid),         cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_missing_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
