/* test_unmeasured.c: what a criterion counts that the machine could not measure. */
#include "criteria/kinds/marks_again.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RIGHT, OTHER, FAST, TIMED, COUNT };

static const struct rubric_criterion criteria[COUNT] = {
    [RIGHT] = {.id = "right", .kind = CRITERION_CORRECT, .has_launch = true, .points = 40},
    [OTHER] = {.id = "other", .kind = CRITERION_CORRECT, .has_launch = true, .launch = 1},
    [FAST] = {.id = "fast", .kind = CRITERION_SPEEDUP, .has_launch = true, .points = 15},
    [TIMED] = {.id = "timed", .kind = CRITERION_SPEEDUP, .has_launch = true, .points = 8},
};

static struct arena *arena;
static struct verdict verdicts[COUNT];

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < COUNT; i++) {
        verdicts[i] = (struct verdict){.criterion = &criteria[i],
                                       .status = STATUS_PASSED,
                                       .points = criteria[i].points,
                                       .summary = "well"};
    }
    verdicts[OTHER].status = STATUS_FAILED;
    verdicts[FAST].status = STATUS_SKIPPED;
    verdicts[FAST].points = 0;
    verdict_add_measured_text(&verdicts[FAST], "why", "there is no GPU");
    verdicts[TIMED].status = STATUS_PARTIAL;
    verdicts[TIMED].points = 3;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* Settles them, and leaves them so for the next rubric. */
static const struct verdict *settle(enum unmeasured how)
{
    const struct rubric rubric = {.unmeasured = how};
    const struct verdict *settled = marks_settle_unmeasured(&rubric, arena, verdicts, COUNT);

    for (size_t i = 0; i < COUNT; i++) {
        verdicts[i] = settled[i];
    }
    return &settled[FAST];
}

static void each_policy_follows_each(void **state)
{
    static const enum unmeasured order[] = {UNMEASURED_ZERO,      UNMEASURED_FULL, UNMEASURED_ZERO,
                                            UNMEASURED_LEAVE_OUT, UNMEASURED_FULL, UNMEASURED_FULL,
                                            UNMEASURED_LEAVE_OUT};
    static const enum status statuses[] = {[UNMEASURED_LEAVE_OUT] = STATUS_SKIPPED,
                                           [UNMEASURED_ZERO] = STATUS_PARTIAL,
                                           [UNMEASURED_FULL] = STATUS_PASSED};

    (void)state;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const struct verdict *fast = settle(order[i]);
        assert_int_equal(fast->status, statuses[order[i]]);
        assert_true(fast->points == (order[i] == UNMEASURED_FULL ? 15 : 0));
        assert_true(verdicts[TIMED].status == STATUS_PARTIAL && verdicts[TIMED].points == 3);
        assert_true(verdicts[RIGHT].status == STATUS_PASSED && verdicts[RIGHT].points == 40);
    }
}

/* Without a GPU speed is skipped before anything is looked at: a wrong kernel must not earn it. */
static void what_is_wrong_earns_nothing(void **state)
{
    (void)state;
    verdicts[RIGHT].status = STATUS_PARTIAL;
    const struct verdict *fast = settle(UNMEASURED_FULL);
    assert_int_equal(fast->status, STATUS_PARTIAL);
    assert_true(fast->points == 0);
}

/* What the grader or the machine failed at, and what is a person's, stays so. */
static void other_statuses_stay(void **state)
{
    static const enum status statuses[] = {STATUS_FAILED, STATUS_ERROR, STATUS_OPEN};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        verdicts[FAST].status = statuses[i];
        assert_int_equal(settle(UNMEASURED_FULL)->status, statuses[i]);
    }
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(each_policy_follows_each),
        T(what_is_wrong_earns_nothing),
        T(other_statuses_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
