/* test_denials.c: the table of denials, and in which sandbox each of them must hold. */
#include "sandbox/denials.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct sandbox strong = {
    .tier = SANDBOX_A, .uses_slots = true, .bound = SANDBOX_CGROUP2};
static const struct sandbox user_alone = {.tier = SANDBOX_B, .uses_slots = true};
static const struct sandbox landlock_alone = {.tier = SANDBOX_B, .landlock_abi = 1};
static const struct sandbox weak = {.tier = SANDBOX_C};

static void everything_holds_in_tier_a(void **state)
{
    (void)state;
    for (int denial = 0; denial < DENIAL_COUNT; denial++) {
        assert_true(denial_must_hold((enum denial)denial, &strong));
    }
}

static void the_sum_of_memory_needs_a_cgroup(void **state)
{
    struct sandbox sandbox = strong;

    (void)state;
    sandbox.bound = SANDBOX_PER_PROCESS;
    assert_false(denial_must_hold(DENIAL_MEMORY_SUM, &sandbox));
    assert_false(denial_must_hold(DENIAL_MEMORY_SHARED, &sandbox));
    assert_true(denial_must_hold(DENIAL_MEMORY, &sandbox));
    sandbox = weak;
    sandbox.bound = SANDBOX_CGROUP1;
    assert_true(denial_must_hold(DENIAL_MEMORY_SUM, &sandbox));
}

static void tier_b_promises_what_it_has(void **state)
{
    (void)state;
    assert_true(denial_must_hold(DENIAL_PRIVATE_FILE, &user_alone));
    assert_true(denial_must_hold(DENIAL_PRIVATE_FILE, &landlock_alone));
    assert_false(denial_must_hold(DENIAL_SHARED_FILE, &user_alone));
    assert_true(denial_must_hold(DENIAL_SHARED_FILE, &landlock_alone));
    assert_true(denial_must_hold(DENIAL_TCP, &user_alone));
    assert_true(denial_must_hold(DENIAL_SIGNAL, &landlock_alone));
}

static void tier_c_promises_limits(void **state)
{
    struct sandbox with_users = weak;

    (void)state;
    with_users.uses_slots = true;
    assert_false(denial_must_hold(DENIAL_TCP, &weak));
    assert_false(denial_must_hold(DENIAL_PRIVATE_FILE, &weak));
    assert_true(denial_must_hold(DENIAL_PRIVATE_FILE, &with_users));
    assert_false(denial_must_hold(DENIAL_SHARED_FILE, &with_users));
    assert_true(denial_must_hold(DENIAL_TASKS, &weak));
    assert_true(denial_must_hold(DENIAL_DAEMON, &weak));
    assert_true(denial_must_hold(DENIAL_PRIVILEGES, &weak));
}

/* The words are those of the sandbox probe's command line, the names those of the doctor's screen.
 * */
static void each_row_has_its_own_words(void **state)
{
    (void)state;
    for (int i = 0; i < DENIAL_COUNT; i++) {
        assert_true(denial_name((enum denial)i)[0] != '\0');
        assert_true(denial_tried((enum denial)i)[0] != '\0');
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(denial_word((enum denial)i), denial_word((enum denial)j));
            assert_string_not_equal(denial_name((enum denial)i), denial_name((enum denial)j));
            assert_string_not_equal(denial_tried((enum denial)i), denial_tried((enum denial)j));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_holds_in_tier_a),
        cmocka_unit_test(the_sum_of_memory_needs_a_cgroup),
        cmocka_unit_test(tier_b_promises_what_it_has),
        cmocka_unit_test(tier_c_promises_limits),
        cmocka_unit_test(each_row_has_its_own_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
