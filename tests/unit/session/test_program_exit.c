/* Tests of program_exit.c: who closes a channel by ending is told from who goes on. */
#include "session/program_exit.h"

#include "base/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 200 };

static void wait_for_end_of(int fd)
{
    char byte;

    assert_int_equal(read(fd, &byte, 1), 0);
}

static void *sleep_on(void *unused)
{
    pause();
    return unused;
}

/* However soon one looks, and with threads or without. */
static void a_process_that_ends_is_leaving(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        int fds[2];

        assert_int_equal(socket_pair(fds, NULL), ERROR_NONE);
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;

            close(fds[0]);
            if (i % 2 == 1) {
                pthread_create(&thread, NULL, sleep_on, NULL);
            }
            _exit(0);
        }
        close(fds[1]);
        wait_for_end_of(fds[0]);
        assert_true(program_is_leaving(child));
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(program_is_leaving(child));
        close(fds[0]);
    }
}

static void a_process_that_goes_on_is_not(void **state)
{
    int fds[2];

    (void)state;
    assert_int_equal(socket_pair(fds, NULL), ERROR_NONE);
    pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        close(fds[1]);
        pause();
        _exit(0);
    }
    close(fds[1]);
    wait_for_end_of(fds[0]);
    assert_false(program_is_leaving(child));
    assert_false(program_is_leaving(getpid()));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(fds[0]);
}

static void nobody_is_leaving(void **state)
{
    (void)state;
    assert_true(program_is_leaving(0));
    assert_true(program_is_leaving(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_that_ends_is_leaving),
        cmocka_unit_test(a_process_that_goes_on_is_not),
        cmocka_unit_test(nobody_is_leaving),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
