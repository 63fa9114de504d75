/* test_kernel_pattern.c: which names a pattern means. */
#include "model/kernel_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_star_stands_for_anything(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } rows[] = {
        {"*", "", true},
        {"*", "anything", true},
        {"", "", true},
        {"", "a", false},
        {"mine", "mine", true},
        {"mine", "mines", false},
        {"mine", "min", false},
        {"mine*", "mine", true},
        {"mine*", "mines", true},
        {"mine*", "a_mine", false},
        {"*Shared", "mulShared", true},
        {"*Shared", "mulShared2", false},
        {"*Shared*", "mulShared2", true},
        {"a*b*c", "abc", true},
        {"a*b*c", "aXbYc", true},
        {"a*b*c", "aXbYcZ", false},
        {"a*b*c", "aXbXbYcYc", true},
        {"**", "x", true},
        {"*ab", "aab", true},
        {"*aab", "aaab", true},
        {"A*", "a", false},
        {"?", "a", false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (kernel_pattern_matches(rows[i].pattern, rows[i].name) != rows[i].matches) {
            fail_msg("`%s` and `%s`", rows[i].pattern, rows[i].name);
        }
    }
}

/* Many stars cost no more than their product with the name. */
static void many_stars_end_soon(void **state)
{
    char pattern[201] = {0}, name[20001] = {0};
    (void)state;

    for (size_t i = 0; i < 100; i++) {
        memcpy(pattern + 2 * i, "*a", 2);
    }
    memset(name, 'a', sizeof name - 1);
    assert_true(kernel_pattern_matches(pattern, name));
    name[sizeof name - 2] = 'b';
    assert_false(kernel_pattern_matches(pattern, name));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_star_stands_for_anything),
        cmocka_unit_test(many_stars_end_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
