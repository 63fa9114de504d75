/* test_kernel_choice.c: of several kernels that may be meant, a verdict that is not passed says
 * which was judged. */
#include "criteria/outcome.h"
#include "diagnosis/hints/kernel_choice.h"

#include "../criteria_fixture.h"

static struct fixture fixture;
static struct surveyed_kernel surveyed[3];
static struct verdict verdict;

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.is_pattern = true;
    fixture.launch.kernel = "*";
    surveyed[0] =
        (struct surveyed_kernel){"_Z5given", "given", 1, true, false, true, 2, true, false};
    surveyed[1] = (struct surveyed_kernel){"_Z4mine", "mine", 1, false, true, true, 2, true, false};
    surveyed[2] =
        (struct surveyed_kernel){"_Z5scale", "scale", 1, false, true, true, 0, true, false};
    fixture.run.surveyed = surveyed;
    fixture.run.surveyed_count = 3;
    fixture.run.kernel = "mine";
    verdict = (struct verdict){.criterion = &fixture.criterion,
                               .status = STATUS_FAILED,
                               .cause = cause_make(CODE_WRONG_BLOCK, "a block")};
    verdict.cause.hint = "change it";
    return 0;
}

static const char *told(void)
{
    kernel_choice_report(&fixture.input, fixture.arena, &verdict);
    return verdict.cause.hint;
}

static void a_later_kernel_is_named(void **state)
{
    (void)state;
    assert_string_equal(told(), "change it; `mine` is the kernel that is graded, not `scale`: it "
                                "loads from more of the inputs");
}

static void the_reason_is_told(void **state)
{
    (void)state;
    surveyed[2].inputs_read = 2;
    surveyed[2].has_allowed_block_width = false;
    assert_string_equal(
        told(),
        "change it; `mine` is the kernel that is graded, not `scale`: its block width is allowed");
    surveyed[1].is_dynamic = true;
    verdict.cause.hint = "change it";
    assert_string_equal(told(), "change it; `mine` is the kernel that is graded, not `scale`: all "
                                "of its shared memory is dynamic");
    fixture.run.kernel = "scale";
    verdict.cause.hint = "";
    assert_string_equal(told(),
                        "`scale` is the kernel that is graded, not `mine`: it is launched last");
}

/* Instances share the name: which was judged shows in the first observation. */
static void instances_of_a_template_are_one_kernel(void **state)
{
    (void)state;
    surveyed[1] =
        (struct surveyed_kernel){"_Z4mineILi8EEvv", "mine", 1, false, true, true, 2, false, false};
    surveyed[2] =
        (struct surveyed_kernel){"_Z4mineILi4EEvv", "mine", 1, false, true, true, 2, false, false};
    assert_string_equal(told(), "change it");
    surveyed[0] =
        (struct surveyed_kernel){"_Z5other", "other", 1, false, true, true, 2, true, false};
    surveyed[2].inputs_read = 3;
    fixture.observations[0].kernel = "_Z4mineILi8EEvv";
    assert_string_equal(
        told(), "change it; `mine` is the kernel that is graded, not `other`: it is launched last");
    verdict.cause.hint = "change it";
    fixture.observations[0].kernel = "_Z4mineILi4EEvv"; /* it reads more than the other one */
    assert_string_equal(told(), "change it");
}

static void nothing_is_told_where_nothing_is_open(void **state)
{
    (void)state;
    surveyed[2].uses_shared = false; /* it does something else */
    assert_string_equal(told(), "change it");
    surveyed[2].uses_shared = true;
    verdict.status = STATUS_PASSED;
    assert_string_equal(told(), "change it");
    verdict.status = STATUS_FAILED;
    verdict.cause.code = CODE_CASE_COMPILE_ERROR;
    assert_string_equal(told(), "change it");
    verdict.cause.code = CODE_WRONG_BLOCK;
    fixture.launch.is_pattern = false;
    assert_string_equal(told(), "change it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_later_kernel_is_named, set_up),
        cmocka_unit_test_setup(the_reason_is_told, set_up),
        cmocka_unit_test_setup(instances_of_a_template_are_one_kernel, set_up),
        cmocka_unit_test_setup(nothing_is_told_where_nothing_is_open, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
