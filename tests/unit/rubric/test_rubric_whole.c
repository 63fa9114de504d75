/* test_rubric_whole.c: what tests/rubrics/valid/whole.json comes to: whole programs, choices, block
 * block widths that cases give, and criteria that hold a launch against another one. What is
 * refused of them are rows of tests/rubrics/invalid.
 */
#include "base/file.h"
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    const struct rubric *rubric;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct diagnostic diagnostic = {0};

    fixture.arena = arena_new();
    if (rubric_load(fixture.arena, GPUGRADE_SOURCE_DIR "/tests/rubrics/valid/whole.json", "/root",
                    &fixture.rubric, &diagnostic) != ERROR_NONE) {
        print_error("%d:%d: %s\n", diagnostic.line, diagnostic.column, diagnostic.message);
        return -1;
    }
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    arena_free(fixture->arena);
    return 0;
}

static void programs_have_overrides(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric_program *programs = fixture->rubric->programs;

    assert_int_equal(fixture->rubric->arithmetic, ARITHMETIC_EXACT);
    assert_int_equal(programs[0].override_count, 4);
    assert_string_equal(programs[0].overrides[1].name, "WIDTH");
    assert_string_equal(expression_text(programs[0].overrides[1].value), "m * k");
    assert_true(programs[0].is_compatible);
    assert_false(programs[0].is_optional);
    assert_int_equal(programs[1].override_count, 1);
    assert_true(programs[1].is_optional);
    assert_false(programs[1].is_compatible);
    assert_int_equal(programs[2].override_count, 0);
    assert_int_equal(programs[2].harness_count, 1);
}

static void choices_are_kept_in_their_order(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric_case *drawn_from = &fixture->rubric->cases[1];

    assert_int_equal(drawn_from->values[1].choice_count, 3);
    assert_int_equal(drawn_from->values[1].choices[0], 7);
    assert_int_equal(drawn_from->values[1].choices[2], 9);
    assert_int_equal(drawn_from->values[1].minimum, 5);
    assert_int_equal(drawn_from->values[1].maximum, 9);
    assert_int_equal(drawn_from->values[2].choice_count, 0);
    assert_int_equal(drawn_from->values[3].minimum, 16);
}

static void launches_of_whole_programs_have_no_input(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric_launch *launches = fixture->rubric->launches;

    assert_true(launches[0].is_pattern);
    assert_int_equal(launches[0].given_kernel_count, 2);
    assert_string_equal(launches[0].given_kernels[1], "ns::check");
    assert_int_equal(launches[0].input_count, 0);
    assert_string_equal(launches[0].operands[0].bind.symbol, "d_in");
    assert_false(launches[1].is_pattern);
    assert_int_equal(launches[1].given_kernel_count, 0);
    assert_true(launches[2].is_pattern);
    assert_null(launches[2].block);
    assert_string_equal(launches[3].kernel, "ns::*ed_*");
    assert_int_equal(launches[3].input_count, 2);
}

/* Where `blocks` is left out, it is what `block` gives: 8 for 7 and 8, 16 and 32, and 16 at first.
 */
static void edges_come_from_the_cases(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric_launch *launches = fixture->rubric->launches;

    assert_int_equal(launches[0].block_count, 3);
    assert_int_equal(launches[0].blocks[0], 8);
    assert_int_equal(launches[0].blocks[1], 16);
    assert_int_equal(launches[0].blocks[2], 32);
    assert_int_equal(launches[1].block_count, 2);
    assert_int_equal(launches[3].block_count, 4);
    assert_int_equal(launches[3].blocks[0], 7);
}

static void criteria_name_a_baseline(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric_criterion *criteria = fixture->rubric->criteria;

    assert_int_equal(criteria[1].kind, CRITERION_SAVED_LOADS);
    assert_int_equal(criteria[1].launch, 0);
    assert_int_equal(criteria[1].baseline, 1);
    assert_string_equal(expression_text(criteria[1].ratio), "block / 2");
    assert_null(criteria[4].ratio);
    assert_true(criteria[2].any_operand);
    assert_true(criteria[2].operand_counts[0]);
    assert_true(criteria[2].operand_counts[1]);
    assert_false(criteria[3].any_operand);
    assert_true(criteria[3].has_operands);
    assert_false(criteria[5].has_bytes_printout);
    assert_string_equal(expression_text(criteria[5].minimum_bytes), "8 * threads");
    assert_true(criteria[6].no_marks == 0.2);
    assert_true(criteria[6].smallest_reference == 0.5);
}

/* What has been tried holds for every case that is drawn: block widths that are allowed, overrides
 * that an int holds. */
static void every_drawn_case_can_be_built(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric = fixture->rubric;

    for (uint64_t seed = 0; seed < 50; seed++) {
        const struct drawn_case *cases = NULL;
        size_t count = 0;
        cases_draw(fixture->arena, rubric, seed, &cases, &count);
        for (size_t i = 0; i < count; i++) {
            const struct rubric_launch *launch = &rubric->launches[0];
            int64_t block = case_block(rubric, launch, &cases[i]);
            int64_t parameters[RUBRIC_PARAMETERS_MAX];
            int64_t values[RUBRIC_OVERRIDES_MAX];
            assert_true(block == 8 || block == 16 || block == 32);
            assert_true(case_parameters(rubric, &cases[i], block, parameters));
            assert_true(
                case_override_values(rubric, &rubric->programs[0], parameters, block, values));
            assert_int_equal(values[0], parameters[0]);
            assert_int_equal(values[1], parameters[1] * parameters[2]);
            assert_int_equal(values[2], block);
        }
    }
}

static const char *hash_of(const struct rubric *rubric, const char *id)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (strcmp(rubric->criteria[i].id, id) == 0) {
            return rubric->criteria[i].evidence_sha256;
        }
    }
    fail_msg("no criterion %s", id);
    return "";
}

/* It decides which kernel is meant, so what was seen of the others must be seen again. */
static void a_criterion_of_dynamic_bytes_concerns_those_of_its_launch(void **state)
{
    static const char added[] =
        "{ \"id\": \"bytes\", \"kind\": \"dynamic\", \"title\": \"bytes\", "
        "\"points\": 5, \"bonus\": true, \"launch\": \"l\", \"minimum_bytes\": \"4\" },";
    struct fixture *fixture = *state;
    struct diagnostic diagnostic = {0};
    const struct rubric *rubric = NULL;
    char *text = NULL;
    size_t length = 0;

    assert_int_equal(file_read(fixture->arena,
                               GPUGRADE_SOURCE_DIR "/tests/rubrics/valid/whole.json", 1 << 20,
                               BLAME_GRADER, &text, &length, NULL),
                     ERROR_NONE);
    const char *list = strstr(text, "\"criteria\": [");
    assert_non_null(list);
    list += strlen("\"criteria\": [");
    const char *more =
        arena_printf(fixture->arena, "%.*s%s%s", (int)(list - text), text, added, list);
    if (rubric_parse(fixture->arena, more, strlen(more), "more", "/root", &rubric, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    assert_string_not_equal(hash_of(rubric, "tiled"), hash_of(fixture->rubric, "tiled"));
    assert_string_equal(hash_of(rubric, "compile"), hash_of(fixture->rubric, "compile"));
    assert_string_equal(hash_of(rubric, "block"), hash_of(fixture->rubric, "block"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_have_overrides),
        cmocka_unit_test(choices_are_kept_in_their_order),
        cmocka_unit_test(launches_of_whole_programs_have_no_input),
        cmocka_unit_test(edges_come_from_the_cases),
        cmocka_unit_test(criteria_name_a_baseline),
        cmocka_unit_test(every_drawn_case_can_be_built),
        cmocka_unit_test(a_criterion_of_dynamic_bytes_concerns_those_of_its_launch),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
