/* test_console.c: messages, as a terminal and a CI log see them. */
#include "cli/console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Standard error goes into a pipe while the function runs. */
static void check(const struct diagnostic *diagnostic, const char *expected)
{
    char seen[8192];
    int fds[2];
    int kept = dup(STDERR_FILENO);

    assert_int_equal(pipe(fds), 0);
    assert_true(kept >= 0 && dup2(fds[1], STDERR_FILENO) >= 0);
    console_report(diagnostic);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
    close(fds[1]);
    ssize_t length = read(fds[0], seen, sizeof seen - 1);
    close(fds[0]);
    assert_true(length >= 0);
    seen[length] = '\0';
    assert_string_equal(seen, expected);
}

static void every_line_is_signed_or_indented(void **state)
{
    struct diagnostic diagnostic = {.blame = BLAME_USAGE};

    (void)state;
    diagnostic_set(&diagnostic, BLAME_USAGE, "two lines:\nrebuild it");
    check(&diagnostic, "gpugrade: two lines:\n  rebuild it\n");
    diagnostic_set(&diagnostic, BLAME_STUDENT, "a\n::error::b\n \t::error::c\ngpugrade: d");
    check(&diagnostic,
          "gpugrade: submission: a\n  | ::error::b\n  |  \t::error::c\n  gpugrade: d\n");
}

static void nothing_reaches_the_terminal_as_it_is(void **state)
{
    struct diagnostic diagnostic = {.blame = BLAME_USAGE};

    (void)state;
    diagnostic_set_at(&diagnostic, BLAME_STUDENT, "a\x1B[2J.zip", 3, 0, "\xC2\x9B\r\xFF ##[group]");
    check(&diagnostic,
          "gpugrade: a\\x1B[2J.zip:3: submission: \\xC2\\x9B\\x0D\\xFF ##\\x5Bgroup]\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_signed_or_indented),
        cmocka_unit_test(nothing_reaches_the_terminal_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
