/* test_supervise.c: whatever the task does, its folder and its children are gone afterwards. */
#include "cli/supervise.h"

#include "base/arena.h"
#include "base/file.h"
#include "cli/console.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

/* What the task tells the test, in memory that both see. */
struct told {
    char folder[256];
    pid_t grandchild;
};

static struct told *reported_new(void)
{
    struct told *told =
        mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    assert_true(told != MAP_FAILED);
    return told;
}

/* Notes the folder and puts a file and a folder into it. */
static void fill_folder(struct told *told)
{
    struct arena *arena = arena_new();
    const char *folder = getenv("TMPDIR");

    snprintf(told->folder, sizeof told->folder, "%s", folder);
    folder_make(arena_printf(arena, "%s/inside", folder), 0700, NULL);
    file_write_atomic(arena_printf(arena, "%s/inside/file", folder), "x", 1, NULL);
    arena_free(arena);
}

static void assert_all_gone(const struct told *told)
{
    assert_true(told->folder[0] == '/');
    assert_false(folder_exists(told->folder));
    if (told->grandchild != 0) {
        assert_true(kill(told->grandchild, 0) != 0 && errno == ESRCH);
    }
}

/* Starts a process that leaves its parent, ignores what can be ignored, and never ends. */
static void start_daemon(struct told *told)
{
    int ready[2];
    char byte;

    if (pipe(ready) != 0) {
        abort();
    }
    if (fork() == 0) {
        setsid();
        if (fork() != 0) {
            _exit(0);
        }
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        told->grandchild = getpid();
        close(ready[1]);
        for (;;) {
            pause();
        }
    }
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 0) {
        abort();
    }
    close(ready[0]);
}

static int task_ends(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    return 42;
}

static void the_result_is_handed_on(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise(task_ends, told, NULL, NULL), 42);
    assert_all_gone(told);
}

static int task_crashes(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    start_daemon(context);
    signal(SIGABRT, SIG_DFL);
    raise(SIGKILL);
    return 0;
}

static void a_crash_is_the_graders(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise(task_crashes, told, NULL, NULL), EXIT_GRADER);
    assert_all_gone(told);
}

/* Tasks that call an oracle, whose expect() does not come back. */
static struct oracle_watch *watch;

static void call(void (*expect)(const struct oracle_problem *, double *, double *))
{
    const struct oracle_problem problem = {.output_count = 1};
    const struct oracle oracle = {.expect = expect, .watch = watch};
    double expected, magnitude;

    oracle_expect(&oracle, &problem, &expected, &magnitude);
}

static void oracle_comes_back(const struct oracle_problem *problem, double *out_expected,
                              double *out_magnitudes)
{
    (void)problem;
    *out_expected = *out_magnitudes = 1;
}

static void oracle_exits(const struct oracle_problem *problem, double *out_expected,
                         double *out_magnitudes)
{
    (void)problem;
    (void)out_expected;
    (void)out_magnitudes;
    _exit(0);
}

static void oracle_aborts(const struct oracle_problem *problem, double *out_expected,
                          double *out_magnitudes)
{
    (void)problem;
    (void)out_expected;
    (void)out_magnitudes;
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void oracle_stays(const struct oracle_problem *problem, double *out_expected,
                         double *out_magnitudes)
{
    (void)problem;
    (void)out_expected;
    (void)out_magnitudes;
    for (;;) {
        pause();
    }
}

static int task_calls_well(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    call(oracle_comes_back);
    return 0;
}

static int task_crashes_after_a_call(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    call(oracle_comes_back);
    signal(SIGABRT, SIG_DFL);
    abort();
}

static int task_exits_in_oracle(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    call(oracle_exits);
    return 0;
}

static int task_crashes_in_oracle(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    call(oracle_aborts);
    return 0;
}

static int task_stays_in_oracle(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    start_daemon(context);
    call(oracle_stays);
    return 0;
}

static void what_the_oracle_ends_is_the_courseworks(void **state)
{
    static const struct {
        int (*task)(void *context, int stage_fd);
        int status;
        const char *ended;
    } rows[] = {
        {task_calls_well, 0, ""},
        {task_crashes_after_a_call, EXIT_GRADER, ""},
        {task_exits_in_oracle, EXIT_USAGE, "expect() of the oracle ended the grader with exit(0);"},
        {task_crashes_in_oracle, EXIT_USAGE, "expect() of the oracle was ended by signal 6 ("},
        {task_stays_in_oracle, EXIT_USAGE, "expect() of the oracle did not return within 0.3 s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct told *told = reported_new();
        watch = oracle_watch_new(rows[i].task == task_stays_in_oracle ? 300 : 60000);
        snprintf(watch->name, sizeof watch->name, "the oracle");
        assert_int_equal(supervise(rows[i].task, told, watch, NULL), rows[i].status);
        assert_int_equal(strncmp(watch->ended, rows[i].ended, strlen(rows[i].ended)), 0);
        assert_int_equal(watch->ended[0] == '\0', rows[i].ended[0] == '\0');
        if (told->folder[0] != '\0') {
            assert_all_gone(told);
        }
        oracle_watch_free(watch);
    }
}

static int task_leaves_a_daemon(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    start_daemon(context);
    return 0;
}

static void a_daemon_does_not_survive(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise(task_leaves_a_daemon, told, NULL, NULL), 0);
    assert_true(told->grandchild > 0);
    assert_all_gone(told);
}

static int task_is_interrupted(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    start_daemon(context);
    kill(getppid(), SIGTERM);
    while (getppid() != 0) {
        pause();
    }
    return 1;
}

static void a_signal_ends_everything(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise(task_is_interrupted, told, NULL, NULL), 128 + SIGTERM);
    assert_all_gone(told);
}

static int task_ignores_signals(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    signal(SIGINT, SIG_IGN);
    kill(getppid(), SIGINT);
    while (getppid() != 0) {
        pause();
    }
    return 1;
}

static void a_deaf_task_is_killed(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise(task_ignores_signals, told, NULL, NULL), 128 + SIGINT);
    assert_all_gone(told);
}

/* Waits for the signal that it sends to its supervisor, and answers it in its own way. */
static int task_decides(void *context, int stage_fd)
{
    sigset_t waited;
    int number = 0;

    (void)stage_fd;
    fill_folder(context);
    start_daemon(context);
    sigemptyset(&waited);
    sigaddset(&waited, SIGTERM);
    sigprocmask(SIG_BLOCK, &waited, NULL);
    kill(getppid(), SIGTERM);
    sigwait(&waited, &number);
    return number == SIGTERM ? 77 : 1;
}

static void a_program_answers_signals_itself(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise_program(task_decides, told), 77);
    assert_all_gone(told);
}

static int task_is_ended_by_a_signal(void *context, int stage_fd)
{
    (void)stage_fd;
    fill_folder(context);
    kill(getppid(), SIGINT);
    while (getppid() != 0) {
        pause();
    }
    return 1;
}

static void a_signal_may_end_the_task_alone(void **state)
{
    struct told *told = reported_new();

    (void)state;
    assert_int_equal(supervise_program(task_is_ended_by_a_signal, told), 128 + SIGINT);
    assert_all_gone(told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_result_is_handed_on),
        cmocka_unit_test(a_crash_is_the_graders),
        cmocka_unit_test(what_the_oracle_ends_is_the_courseworks),
        cmocka_unit_test(a_daemon_does_not_survive),
        cmocka_unit_test(a_signal_ends_everything),
        cmocka_unit_test(a_deaf_task_is_killed),
        cmocka_unit_test(a_program_answers_signals_itself),
        cmocka_unit_test(a_signal_may_end_the_task_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
