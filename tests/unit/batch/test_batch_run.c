/* test_batch_run.c: a whole batch with workers that pretend.
 *
 * What a worker does is said by a word for each submission; how often it was asked to grade stands
 * in memory that all of them share.
 */
#include "store_fixture.h"

#include "base/clock.h"
#include "batch/batch_run.h"
#include "report/score/report_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { SUBMISSIONS_MAX = 16, FD_OF_WORKER = 3, LONG_MS = 600000 };

/* What all workers see. */
struct shared {
    int graded[SUBMISSIONS_MAX]; /* how often */
    int order[4 * SUBMISSIONS_MAX];
    int order_count;
    int running, running_most;
    pid_t worker;
};

struct fake {
    const char *const *words; /* [count] what the submission does */
    struct shared *shared;
};

static struct shared *shared;

static int index_of(const struct store_task *task)
{
    return (int)strtol(task->submission + 1, NULL, 10);
}

static void send_graded(int fd, const char *content, double points, enum code error_code)
{
    struct report report = make_report(points);
    struct verdict verdicts[3];
    struct outcome outcome = {.kind = OUTCOME_GRADED, .message = ""};
    struct text archive;

    memcpy(verdicts, report.verdicts, sizeof verdicts);
    if (error_code != CODE_NONE) {
        verdicts[1].status = STATUS_ERROR;
        verdicts[1].points = 0;
        verdicts[1].cause.code = error_code;
    }
    report.verdicts = verdicts;
    memset(report.submission_sha256, '0', 64);
    memcpy(outcome.content, content, sizeof outcome.content);
    text_init(&archive);
    report_archive_write(&report, &archive);
    outcome.archive = archive.bytes;
    outcome.archive_length = archive.length;
    outcome_send(fd, &outcome);
    text_release(&archive);
}

static void send_other(int fd, enum outcome_kind kind)
{
    struct outcome outcome = {.kind = kind, .message = "because"};

    outcome_send(fd, &outcome);
}

/* What a worker of this word does after it was told to grade; returns its exit status. */
static int act(const char *word, const char *content, int tries, int fd)
{
    if (strcmp(word, "crash") == 0 || (strcmp(word, "crash once") == 0 && tries == 1)) {
        raise(SIGKILL);
    } else if (strcmp(word, "trouble") == 0) {
        send_other(fd, OUTCOME_TROUBLE);
    } else if (strcmp(word, "nothing") == 0) {
        send_other(fd, OUTCOME_NOTHING);
    } else if (strcmp(word, "half") == 0) {
        assert_int_equal(write(fd, "{\"kind\":\"graded\"", 16), 16);
    } else if (strcmp(word, "machine once") == 0) {
        send_graded(fd, content, 20, tries == 1 ? CODE_MISMATCH : CODE_NONE);
    } else if (strcmp(word, "unknown") == 0) {
        send_graded(fd, content, 20, CODE_UNKNOWN_INSTRUCTION);
    } else if (strcmp(word, "sleep") == 0) {
        poll(NULL, 0, LONG_MS);
    } else if (strcmp(word, "signal") == 0) {
        kill(getppid(), SIGINT);
        poll(NULL, 0, 100);
        send_graded(fd, content, 20, CODE_NONE);
    } else if (strcmp(word, "signals") == 0) { /* two that come at once are one */
        for (int waited_ms = 0; waited_ms < LONG_MS; waited_ms += 100) {
            kill(getppid(), SIGINT);
            poll(NULL, 0, 100);
        }
    } else if (strcmp(word, "descriptors") == 0) {
        bool any = false;
        for (int other = FD_OF_WORKER + 1; other < 100; other++) {
            any = any || fcntl(other, F_GETFD) >= 0;
        }
        send_other(fd, any || fd != FD_OF_WORKER ? OUTCOME_TROUBLE : OUTCOME_NOTHING);
    } else {
        send_graded(fd, content, strcmp(word, "wrong") == 0 ? 0 : 20, CODE_NONE);
    }
    return 0;
}

/* "duplicate" and "duplicate of trouble" have files that others have too; "beside another" is right, and
 * waits for a worker that grades at the same time: a busy machine may start it late. */
static int fake_grade(void *context, const struct store_task *task, int fd)
{
    const struct fake *fake = context;
    int index = index_of(task);
    const char *word = fake->words[index];
    char content[65];

    fixture_content(strncmp(word, "duplicate", 4) == 0 ? 1000 + (long)strlen(word) : index + 1,
                    content);
    if (!outcome_ask(fd, content)) {
        return 0;
    }
    int running = __atomic_add_fetch(&fake->shared->running, 1, __ATOMIC_SEQ_CST);
    if (running > fake->shared->running_most) {
        fake->shared->running_most = running;
    }
    int tries = __atomic_add_fetch(&fake->shared->graded[index], 1, __ATOMIC_SEQ_CST);
    fake->shared->order[__atomic_fetch_add(&fake->shared->order_count, 1, __ATOMIC_SEQ_CST)] =
        index;
    fake->shared->worker = getpid();
    int waits = 0;
    do {
        poll(NULL, 0, 20);
    } while (strcmp(word, "beside another") == 0 && fake->shared->running_most < 2 &&
             ++waits < LONG_MS / 20);
    __atomic_sub_fetch(&fake->shared->running, 1, __ATOMIC_SEQ_CST);
    return act(strcmp(word, "duplicate of trouble") == 0 ? "trouble" : word, content, tries, fd);
}

static int set_up(void **state)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    return fixture_set_up(state);
}

static int tear_down(void **state)
{
    munmap(shared, sizeof *shared);
    return fixture_tear_down(state);
}

struct run {
    struct batch_progress progress;
    int signal;
    enum error error;
    size_t events, retried;
    struct batch_event last;
};

static void note_event(void *context, const struct batch_progress *progress,
                       const struct batch_event *event)
{
    struct run *run = context;

    (void)progress;
    if (event != NULL) {
        run->events++;
        run->retried += event->is_retried;
        run->last = *event;
        run->last.message = arena_strdup(arena, event->message);
    }
}

static struct run run_batch(struct store *store, const char *const *words, size_t jobs,
                            enum store_choice choice)
{
    struct fake fake = {.words = words, .shared = shared};
    struct run run = {.signal = -1};
    const struct batch_config config = {
        .rubric = &fixture_rubric,
        .evidence = FIXTURE_EVIDENCE,
        .jobs = jobs,
        .choice = choice,
        .tries = STORE_TRIES,
        .limit_s = LONG_MS / 1000,
        .grade = fake_grade,
        .grade_context = &fake,
        .progress = note_event,
        .progress_context = &run,
    };

    diagnostic.message[0] = '\0';
    run.error = batch_run(store, &config, &run.progress, &run.signal, &diagnostic);
    return run;
}

static void each_is_graded_once(void **state)
{
    static const char *const words[] = {"beside another", "wrong", "right",
                                        "nothing",        "right", "wrong"};
    (void)state;

    struct store *store = make_store(results, 6);
    struct run run = run_batch(store, words, 3, STORE_PENDING);
    assert_int_equal(run.error, ERROR_NONE);
    assert_int_equal(run.signal, 0);
    assert_int_equal(run.events, 6);
    assert_int_equal(run.progress.total, 6);
    assert_int_equal(run.progress.done, 6);
    assert_int_equal(run.progress.graded, 5);
    assert_int_equal(run.progress.failed, 2);
    assert_int_equal(run.progress.nothing, 1);
    assert_int_equal(run.progress.trouble, 0);
    assert_in_range(shared->running_most, 2, 3);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(shared->graded[i], 1);
    }
    run = run_batch(store, words, 3, STORE_PENDING);
    assert_int_equal(run.progress.total, 0);
    assert_int_equal(shared->order_count, 6);
    store_close(store);
}

static void equal_files_are_graded_once(void **state)
{
    static const char *const words[] = {"duplicate", "duplicate", "right", "duplicate",
                                        "duplicate"};
    (void)state;

    struct store *store = make_store(results, 5);
    struct run run = run_batch(store, words, 3, STORE_PENDING);
    assert_int_equal(run.error, ERROR_NONE);
    assert_int_equal(run.progress.done, 5);
    assert_int_equal(run.progress.known, 3);
    assert_int_equal(run.progress.graded, 5);
    assert_int_equal(shared->order_count, 2);
    struct class_results class = read_class(store, false);
    for (size_t i = 0; i < class.row_count; i++) {
        assert_int_equal(class.rows[i].state, CLASS_GRADED);
        assert_true(class.rows[i].final.mark == 25);
    }
    store_close(store);
}

static void trouble_is_tried_again_at_the_end(void **state)
{
    static const char *const words[] = {"crash", "crash once", "right", "right", "half"};
    (void)state;

    struct store *store = make_store(results, 5);
    struct run run = run_batch(store, words, 1, STORE_PENDING);
    assert_int_equal(run.error, ERROR_NONE);
    assert_int_equal(run.progress.done, 5);
    assert_int_equal(run.progress.graded, 3);
    assert_int_equal(run.progress.trouble, 2);
    assert_int_equal(run.retried, 5);
    static const int order[] = {0, 1, 2, 3, 4, 0, 1, 4, 0, 4};
    assert_int_equal(shared->order_count, 10);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(shared->order[i], order[i]);
    }
    assert_non_null(strstr(run.last.message, "ended without a result (exit status 0)"));
    assert_int_equal(count_tasks(store, STORE_FAILED), 2);
    assert_int_equal(count_tasks(store, STORE_PENDING), 0);

    static const char *const mended[] = {"right", "", "", "", "wrong"};
    run = run_batch(store, mended, 2, STORE_FAILED);
    assert_int_equal(run.progress.graded, 2);
    assert_int_equal(count_tasks(store, STORE_FAILED), 0);
    store_close(store);
}

static void errors_of_the_machine_are_tried_again(void **state)
{
    static const char *const words[] = {"machine once", "unknown"};
    (void)state;

    struct store *store = make_store(results, 2);
    struct run run = run_batch(store, words, 2, STORE_PENDING);
    assert_int_equal(run.progress.graded, 2);
    assert_int_equal(run.progress.errors, 1);
    assert_int_equal(shared->graded[0], 2);
    assert_int_equal(shared->graded[1], 1); /* it would not be known the next time either */
    assert_int_equal(count_tasks(store, STORE_FAILED), 1);
    store_close(store);
}

static void duplicates_of_trouble_have_tries_of_their_own(void **state)
{
    static const char *const words[] = {"duplicate of trouble", "duplicate of trouble",
                                        "duplicate of trouble"};
    (void)state;

    struct store *store = make_store(results, 3);
    struct run run = run_batch(store, words, 3, STORE_PENDING);
    assert_int_equal(run.error, ERROR_NONE);
    assert_int_equal(run.progress.trouble, 3);
    for (int i = 0; i < 3; i++) {
        assert_in_range(shared->graded[i], 1, 3);
    }
    store_close(store);
}

static void a_signal_finishes_what_runs(void **state)
{
    static const char *const words[] = {"signal", "right", "right"};
    (void)state;

    struct store *store = make_store(results, 3);
    struct run run = run_batch(store, words, 1, STORE_PENDING);
    assert_int_equal(run.error, ERROR_NONE);
    assert_int_equal(run.signal, SIGINT);
    assert_int_equal(run.progress.graded, 1);
    assert_true(run.progress.is_ending);
    assert_int_equal(count_tasks(store, STORE_PENDING), 2);
    store_close(store);
}

static void a_second_signal_ends_it(void **state)
{
    static const char *const words[] = {"signals", "sleep", "right"};
    uint64_t started_ns = clock_now_ns();
    (void)state;

    struct store *store = make_store(results, 3);
    struct run run = run_batch(store, words, 2, STORE_PENDING);
    assert_int_equal(run.signal, SIGINT);
    assert_int_equal(run.progress.done, 0);
    assert_int_equal(count_tasks(store, STORE_PENDING), 3);
    assert_true(clock_now_ns() - started_ns < LONG_MS / 2 * (uint64_t)CLOCK_NS_PER_MS);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
    assert_int_equal(errno, ECHILD);
    store_close(store);
}

static void a_worker_has_no_descriptors_of_the_batch(void **state)
{
    static const char *const words[] = {"descriptors"};
    (void)state;

    struct store *store = make_store(results, 1);
    struct run run = run_batch(store, words, 1, STORE_PENDING);
    assert_int_equal(run.progress.nothing, 1);
    store_close(store);
}

static void what_hangs_is_stopped(void **state)
{
    static const char *const words[] = {"sleep"};
    struct fake fake = {.words = words, .shared = shared};
    struct run run = {.signal = -1};
    const struct batch_config config = {
        .rubric = &fixture_rubric,
        .evidence = FIXTURE_EVIDENCE,
        .jobs = 1,
        .tries = 1,
        .limit_s = 1,
        .grade = fake_grade,
        .grade_context = &fake,
        .progress = note_event,
        .progress_context = &run,
    };
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(batch_run(store, &config, &run.progress, &run.signal, &diagnostic));
    assert_int_equal(run.progress.trouble, 1);
    assert_non_null(strstr(run.last.message, "took too long and was stopped after 1 s"));
    store_close(store);
}

static void workers_end_with_their_batch(void **state)
{
    static const char *const words[] = {"sleep"};
    int status = 0;
    (void)state;

    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t batch = fork();
    if (batch == 0) {
        struct store *store = make_store(results, 1);
        run_batch(store, words, 1, STORE_PENDING);
        _exit(0);
    }
    while (shared->worker == 0) {
        poll(NULL, 0, 5);
    }
    kill(batch, SIGKILL);
    assert_int_equal(waitpid(batch, &status, 0), batch);
    assert_int_equal(waitpid(shared->worker, &status, 0), shared->worker);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 0); /* a sanitizer's helper of a killed worker is not ours */

    struct store *store = open_store(results, STORE_WRITE); /* no lock is left */
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    store_close(store);
}

static void a_full_disk_ends_the_batch(void **state)
{
    static const char *const words[] = {"right", "right", "sleep"};
    struct rlimit before, limit;
    (void)state;

    struct store *store = make_store(results, 3);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct run run = run_batch(store, words, 2, STORE_PENDING);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(run.error, ERROR_ENVIRONMENT);
    assert_int_equal(run.progress.done, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    store_close(store);

    store = open_store(results, STORE_WRITE);
    assert_int_equal(count_tasks(store, STORE_PENDING), 3);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_is_graded_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equal_files_are_graded_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trouble_is_tried_again_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_of_the_machine_are_tried_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(duplicates_of_trouble_have_tries_of_their_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_signal_finishes_what_runs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_signal_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_worker_has_no_descriptors_of_the_batch, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_hangs_is_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(workers_end_with_their_batch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_disk_ends_the_batch, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
