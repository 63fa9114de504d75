/* batch_run.c: one loop over workers, signals and the clock; see batch_run.h. */
#include "batch/batch_run.h"

#include "base/clock.h"
#include "base/process.h"
#include "batch/batch_queue.h"
#include "batch/batch_worker.h"
#include "report/score/report_archive.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK_MS = 200,
    GRADED_FOR_ESTIMATE = 3, /* before a remaining time is told */
};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

struct batch {
    struct store *store;
    const struct batch_config *config;
    struct arena *arena;
    struct batch_queue queue;
    struct batch_worker *workers; /* [config->jobs] */
    struct pollfd *polled;        /* [config->jobs + 1] */
    sigset_t before;              /* the signal mask for workers */
    int signal_fd;
    int signals;  /* how many have come */
    int received; /* the first one; 0: none */
    uint64_t started_ns;
    struct batch_progress progress;
    enum error error; /* the first one: nothing more is stored or started */
    struct diagnostic diagnostic;
};

static void block_signals(struct batch *batch)
{
    sigset_t waited;

    sigemptyset(&waited);
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
        struct sigaction action;
        if (sigaction(ending_signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            sigaddset(&waited, ending_signals[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &waited, &batch->before);
    batch->signal_fd = signalfd(-1, &waited, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void end_workers(struct batch *batch)
{
    for (size_t i = 0; i < batch->config->jobs; i++) {
        if (batch->workers[i].item != NULL) {
            batch_worker_end(&batch->workers[i]);
        }
    }
}

static void fail(struct batch *batch, enum error error, const struct diagnostic *diagnostic)
{
    if (error != ERROR_NONE && batch->error == ERROR_NONE) {
        batch->error = error;
        batch->diagnostic = *diagnostic;
        end_workers(batch);
    }
}

static void read_signals(struct batch *batch)
{
    struct signalfd_siginfo information;

    while (read(batch->signal_fd, &information, sizeof information) ==
           (ssize_t)sizeof information) {
        batch->signals++;
        if (batch->signals == 1) {
            batch->received = (int)information.ssi_signo;
            batch->progress.is_ending = true;
        } else if (batch->signals == 2) {
            end_workers(batch);
        }
    }
}

/* Fills in what time and the workers say. */
static void tell(struct batch *batch, const struct batch_event *event)
{
    struct batch_progress *progress = &batch->progress;
    size_t worked = progress->done - progress->known;
    const struct batch_config *config = batch->config;

    progress->running = 0;
    for (size_t i = 0; i < config->jobs; i++) {
        progress->running += batch->workers[i].item != NULL ? 1 : 0;
    }
    progress->elapsed_s = (double)(clock_now_ns() - batch->started_ns) / (double)CLOCK_NS_PER_S;
    progress->remaining_s =
        worked < GRADED_FOR_ESTIMATE
            ? -1
            : progress->elapsed_s / (double)worked * (double)(progress->total - progress->done);
    if (config->progress != NULL) {
        config->progress(config->progress_context, progress, event);
    }
}

/* Counts what a submission came to, and tells it. */
static void finish(struct batch *batch, const struct batch_event *event, bool has_failed)
{
    struct batch_progress *progress = &batch->progress;

    if (!event->is_retried) {
        progress->done++;
        progress->known += event->is_known ? 1 : 0;
        progress->graded += event->kind == OUTCOME_GRADED ? 1 : 0;
        progress->nothing += event->kind == OUTCOME_NOTHING ? 1 : 0;
        progress->trouble += event->kind == OUTCOME_TROUBLE ? 1 : 0;
        progress->failed += has_failed ? 1 : 0;
        progress->errors += event->errors > 0 ? 1 : 0;
    }
    tell(batch, event);
}

static bool has_failed(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        enum status status = report->verdicts[i].status;
        if (status == STATUS_FAILED || status == STATUS_PARTIAL) {
            return true;
        }
    }
    return false;
}

static size_t count_errors(const struct report *report)
{
    size_t count = 0;

    for (size_t i = 0; i < report->verdict_count; i++) {
        count += report->verdicts[i].status == STATUS_ERROR ? 1 : 0;
    }
    return count;
}

/* True if a criterion could not be judged by the fault of the machine, which may be gone the next
 * time; what the emulated device does not know stays unknown. */
static bool has_machine_error(const struct report *report)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict->status == STATUS_ERROR &&
            (verdict->cause.code == CODE_NONE ||
             code_cause(verdict->cause.code) != CAUSE_UNSUPPORTED)) {
            return true;
        }
    }
    return false;
}

/* A submission was linked to what its files got before: looks that up for the event. */
static enum error finish_known(struct batch *batch, const struct queue_item *item, double seconds,
                               struct diagnostic *diagnostic)
{
    struct batch_event event = {
        .submission = item->task->submission,
        .kind = OUTCOME_NOTHING,
        .is_known = true,
        .seconds = seconds,
        .message = "",
    };
    struct arena *arena = arena_new();
    const char *archive = NULL;
    size_t length = 0;
    struct report report;
    bool failed = false;
    enum error error =
        store_archive(batch->store, arena, item->task->submission, &archive, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = report_archive_read(arena, archive, length, item->task->submission,
                                    batch->config->rubric, &report, diagnostic);
        if (error == ERROR_NONE) {
            event.kind = OUTCOME_GRADED;
            event.score = report_score(&report);
            event.maximum = report_measurable_max(&report);
            event.errors = count_errors(&report);
            event.wants_review = report_wants_review(&report);
            failed = has_failed(&report);
        }
    } else if (error == ERROR_NOT_FOUND) { /* there was nothing to grade */
        error = ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        finish(batch, &event, failed);
    }
    arena_free(arena);
    return error;
}

/* Asks the store; with STORE_FAILED and STORE_ALL only what this batch has graded counts. */
static bool is_known(struct batch *batch, const struct queue_item *item)
{
    bool known = false;
    bool graded_here = false;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    for (size_t i = 0; i < batch->queue.count; i++) {
        const struct queue_item *other = &batch->queue.items[i];
        graded_here = graded_here || (other != item && other->state == QUEUE_DONE &&
                                      strcmp(other->content, item->content) == 0);
    }
    if (batch->config->choice == STORE_PENDING || graded_here) {
        fail(batch,
             store_link(batch->store, item->task->id, item->content, batch->config->evidence,
                        &known, &diagnostic),
             &diagnostic);
    }
    return known;
}

/* Those who wait for the files of `item`, which has ended. */
static void release_duplicates(struct batch *batch, const struct queue_item *item)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct queue_item *duplicate;

    while (item->state == QUEUE_DONE && item->content[0] != '\0' && batch->error == ERROR_NONE &&
           (duplicate = batch_queue_duplicate_of(&batch->queue, item->content)) != NULL) {
        if (is_known(batch, duplicate)) {
            duplicate->state = QUEUE_DONE;
            fail(batch, finish_known(batch, duplicate, 0, &diagnostic), &diagnostic);
        } else {
            duplicate->state = QUEUE_WAITING;
        }
    }
}

static void answer(struct batch *batch, struct batch_worker *worker, const char *content)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct queue_item *item = worker->item;

    if (batch_queue_is_duplicate(&batch->queue, item, content)) {
        batch_worker_answer(worker, true);
        return;
    }
    bool known = is_known(batch, item);
    batch_worker_answer(worker, known || batch->error != ERROR_NONE);
    if (known) {
        item->state = QUEUE_DONE;
        fail(batch, finish_known(batch, item, batch_worker_seconds(worker), &diagnostic),
             &diagnostic);
    }
}

/* Reads the report of an outcome, which becomes trouble if it cannot be read. */
static const struct report *read_report(struct batch *batch, struct arena *arena,
                                        struct outcome *outcome, const char *submission)
{
    struct report *report = arena_alloc(arena, sizeof *report);
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    if (outcome->kind != OUTCOME_GRADED) {
        return NULL;
    }
    if (report_archive_read(arena, outcome->archive, outcome->archive_length, submission,
                            batch->config->rubric, report, &diagnostic) != ERROR_NONE) {
        outcome->kind = OUTCOME_TROUBLE;
        outcome->message = arena_printf(arena, "its report cannot be read: %s", diagnostic.message);
        outcome->archive = NULL;
        outcome->archive_length = 0;
        return NULL;
    }
    return report;
}

/* Stores what came of the worker's submission, and decides whether it is tried again. */
static void take_outcome(struct batch *batch, struct batch_worker *worker, struct arena *arena,
                         struct outcome *outcome)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct queue_item *item = worker->item;
    const struct report *report = read_report(batch, arena, outcome, item->task->submission);
    const struct store_result result = {
        .submission = item->task->id,
        .evidence = batch->config->evidence,
        .outcome = outcome,
        .report = report,
        .seconds = batch_worker_seconds(worker),
        .started = worker->started,
    };
    bool in_trouble = report != NULL ? has_machine_error(report) : outcome->kind == OUTCOME_TROUBLE;

    if (batch->signals > 1 && outcome->kind == OUTCOME_TROUBLE) {
        item->state = QUEUE_WAITING; /* it was ended by the user */
        return;
    }
    enum error error = store_put_result(batch->store, &result, &diagnostic);
    fail(batch, error, &diagnostic);
    if (error != ERROR_NONE) {
        return;
    }
    struct batch_event event = {
        .submission = item->task->submission,
        .kind = outcome->kind,
        .score = report == NULL ? 0 : report_score(report),
        .maximum = report == NULL ? 0 : report_measurable_max(report),
        .errors = report == NULL ? 0 : count_errors(report),
        .wants_review = report != NULL && report_wants_review(report),
        .seconds = result.seconds,
        .message = outcome->message,
        .is_retried = in_trouble && batch_queue_retry(&batch->queue, item),
    };
    if (!event.is_retried) {
        item->state = QUEUE_DONE;
    }
    finish(batch, &event, report != NULL && has_failed(report));
    release_duplicates(batch, item);
}

/* The worker has said all. */
static void end_worker(struct batch *batch, struct batch_worker *worker)
{
    struct arena *arena = arena_new();
    struct outcome outcome;

    batch_worker_outcome(worker, arena, &outcome);
    struct batch_worker ended = *worker;
    worker->item = NULL; /* it runs no more, for those who count */
    if (!ended.is_known && batch->error == ERROR_NONE) {
        take_outcome(batch, &ended, arena, &outcome);
    }
    batch_worker_release(&ended);
    *worker = ended;
    arena_free(arena);
}

static void start_workers(struct batch *batch)
{
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};

    for (size_t i = 0; i < batch->config->jobs; i++) {
        if (batch->workers[i].item != NULL) {
            continue;
        }
        if (batch->error != ERROR_NONE || batch->signals > 0) {
            return;
        }
        struct queue_item *item = batch_queue_take(&batch->queue);
        if (item == NULL) {
            return;
        }
        fail(batch,
             batch_worker_start(&batch->workers[i], batch->config, item, &batch->before,
                                &diagnostic),
             &diagnostic);
    }
}

static void wait_a_moment(struct batch *batch)
{
    size_t jobs = batch->config->jobs;

    for (size_t i = 0; i < jobs; i++) {
        const struct batch_worker *worker = &batch->workers[i];
        batch->polled[i] =
            (struct pollfd){.fd = worker->item == NULL ? -1 : worker->fd, .events = POLLIN};
    }
    batch->polled[jobs] = (struct pollfd){.fd = batch->signal_fd, .events = POLLIN};
    if (poll(batch->polled, (nfds_t)(jobs + 1), TICK_MS) < 0) {
        return;
    }
    if (batch->polled[jobs].revents != 0) {
        read_signals(batch);
    }
    for (size_t i = 0; i < jobs; i++) {
        struct batch_worker *worker = &batch->workers[i];
        char content[65];
        if (batch->polled[i].revents != 0) {
            batch_worker_read(worker);
        }
        if (worker->item != NULL && batch_worker_question(worker, content)) {
            answer(batch, worker, content);
        }
    }
}

static bool any_runs(const struct batch *batch)
{
    for (size_t i = 0; i < batch->config->jobs; i++) {
        if (batch->workers[i].item != NULL) {
            return true;
        }
    }
    return false;
}

static void run(struct batch *batch)
{
    for (;;) {
        start_workers(batch);
        if (!any_runs(batch)) {
            return;
        }
        wait_a_moment(batch);
        for (size_t i = 0; i < batch->config->jobs; i++) {
            struct batch_worker *worker = &batch->workers[i];
            if (worker->item == NULL) {
                continue;
            }
            batch_worker_watch(worker);
            if (worker->fd < 0) {
                end_worker(batch, worker);
            }
        }
        tell(batch, NULL);
    }
}

enum error batch_run(struct store *store, const struct batch_config *config,
                     struct batch_progress *out_progress, int *out_signal,
                     struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct batch batch = {
        .store = store,
        .config = config,
        .arena = arena,
        .workers = arena_array(arena, config->jobs, sizeof *batch.workers),
        .polled = arena_array(arena, config->jobs + 1, sizeof *batch.polled),
        .signal_fd = -1,
        .started_ns = clock_now_ns(),
    };
    const struct store_task *tasks = NULL;
    size_t count = 0;
    enum error error = store_tasks(store, arena, config->choice, &tasks, &count, diagnostic);

    if (error == ERROR_NONE) {
        batch_queue_init(&batch.queue, arena, tasks, count, config->tries,
                         config->choice == STORE_PENDING);
        batch.progress.total = count;
        for (size_t i = 0; i < config->jobs; i++) {
            batch.workers[i].fd = -1;
        }
        block_signals(&batch);
        tell(&batch, NULL);
        run(&batch);
        read_signals(&batch); /* what came meanwhile has been answered: it is over */
        sigprocmask(SIG_SETMASK, &batch.before, NULL);
        descriptor_close(&batch.signal_fd);
        error = batch.error;
        if (error != ERROR_NONE && diagnostic != NULL) {
            *diagnostic = batch.diagnostic;
        }
        batch.progress.running = 0;
        *out_progress = batch.progress;
        *out_signal = batch.received;
    }
    arena_free(arena);
    return error;
}
