/* test_process.c: children get exactly their descriptors, waiting ends at deadlines. */
#include "base/clock.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs a line of shell with a pipe as standard output and returns what it prints. */
static int run_line(const char *line, struct process_spec spec, char *out, size_t capacity)
{
    const char *const arguments[] = {"sh", "-c", line, NULL};
    struct process process;
    int pair[2];
    int status = -1;
    size_t length = 0;
    ssize_t got;

    assert_int_equal(pipe_pair(pair, NULL), ERROR_NONE);
    spec.path = "/bin/sh";
    spec.arguments = arguments;
    spec.descriptors[1] = pair[1];
    assert_int_equal(process_start(&spec, &process, NULL), ERROR_NONE);
    close(pair[1]);
    while ((got = read(pair[0], out + length, capacity - 1 - length)) > 0) {
        length += (size_t)got;
    }
    out[length] = '\0';
    close(pair[0]);
    assert_true(process_wait(&process, UINT64_MAX, &status));
    assert_int_equal(process.pid, 0);
    process_kill(&process, true);
    return status;
}

static void descriptors_are_those_of_the_list(void **state)
{
    char out[256];
    int swapped[2];

    (void)state;
    assert_int_equal(pipe_pair(swapped, NULL), ERROR_NONE);
    int stray = dup(swapped[0]); /* not close-on-exec, must not be passed on */
    struct process_spec spec = {.descriptors = {-1, -1, 2, -1, swapped[1]}, .descriptor_count = 5};
    run_line("ls /proc/self/fd | tr '\\n' ' '; echo word >&4", spec, out, sizeof out);
    /* The folder that ls lists takes the free number 0; 3 stays free. */
    assert_string_equal(out, "0 1 2 4 ");
    char word[8] = "";
    assert_int_equal(read(swapped[0], word, sizeof word), 5);
    assert_string_equal(word, "word\n");
    close(stray);
    close(swapped[0]);
    close(swapped[1]);
}

static void descriptors_may_be_exchanged(void **state)
{
    static const char *const arguments[] = {"sh", "-c", "echo one >&3; echo two >&4", NULL};
    struct process process;
    int one[2];
    int two[2];
    int status;
    char word[8] = "";

    (void)state;
    assert_int_equal(pipe_pair(one, NULL), ERROR_NONE);
    assert_int_equal(pipe_pair(two, NULL), ERROR_NONE);
    /* Numbers 3 and 4 here become 4 and 3 there. */
    int reading = fcntl(one[0], F_DUPFD_CLOEXEC, 20);
    int first = fcntl(one[1], F_DUPFD_CLOEXEC, 20);
    int second = fcntl(two[1], F_DUPFD_CLOEXEC, 20);
    assert_int_equal(dup2(first, 4), 4);
    assert_int_equal(dup2(second, 3), 3);
    struct process_spec spec = {.path = "/bin/sh",
                                .arguments = arguments,
                                .descriptors = {-1, -1, 2, 4, 3},
                                .descriptor_count = 5};
    assert_int_equal(process_start(&spec, &process, NULL), ERROR_NONE);
    assert_true(process_wait(&process, UINT64_MAX, &status));
    assert_int_equal(read(reading, word, sizeof word), 4);
    assert_string_equal(word, "one\n");
}

static void environment_and_signals_are_clean(void **state)
{
    static const char *const environment[] = {"COLOUR=blue", NULL};
    char out[4096];
    struct process_spec spec = {
        .descriptors = {-1, -1, 2}, .descriptor_count = 3, .environment = environment};

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    int status = run_line("echo $COLOUR$HOME; kill -PIPE $$", spec, out, sizeof out);
    signal(SIGPIPE, SIG_DFL);
    assert_string_equal(out, "blue\n");
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

static void waiting_ends_at_the_deadline(void **state)
{
    static const char *const arguments[] = {"sleep", "100", NULL};
    struct process_spec spec = {.path = "/bin/sleep",
                                .arguments = arguments,
                                .descriptors = {-1, -1, -1},
                                .descriptor_count = 3,
                                .own_group = true};
    struct process process;
    int status;

    (void)state;
    assert_int_equal(process_start(&spec, &process, NULL), ERROR_NONE);
    uint64_t begin_ns = clock_now_ns();
    assert_false(process_wait(&process, begin_ns + CLOCK_NS_PER_S / 20, &status));
    assert_true(clock_now_ns() - begin_ns >= CLOCK_NS_PER_S / 20);
    pid_t pid = process.pid;
    assert_int_equal(getpgid(pid), pid);
    process_kill(&process, true);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(process.pid_fd, -1);
    process_kill(&process, true);
    process_kill(&(struct process){.pid = 0}, false);
}

static void missing_program_is_told(void **state)
{
    static const char *const arguments[] = {"nothing", NULL};
    struct process_spec spec = {.path = "/nowhere/nothing", .arguments = arguments};
    struct process process;
    struct diagnostic diagnostic;

    (void)state;
    assert_int_equal(process_start(&spec, &process, &diagnostic), ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "/nowhere/nothing"));
    int fd = -1;
    descriptor_close(&fd);
    assert_int_equal(fd, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_those_of_the_list),
        cmocka_unit_test(environment_and_signals_are_clean),
        cmocka_unit_test(waiting_ends_at_the_deadline),
        cmocka_unit_test(missing_program_is_told),
        cmocka_unit_test(descriptors_may_be_exchanged), /* last: it takes numbers 3 and 4 */
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
