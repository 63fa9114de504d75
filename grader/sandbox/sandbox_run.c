/* sandbox_run.c: one running program: its pipes, clocks and limits; see sandbox.h.
 *
 * The grader holds one end of: standard input (a socket, so that writing to a program that is gone
 * raises no signal), standard output and error (pipes), and the helper's control socket (jail.h).
 * Shutting the control socket is the order to kill everything; the helper's own end, watched
 * through its pidfd, is the sign that everything is dead. Only then is the rest of the output
 * taken, so a process that holds a pipe open cannot delay anything. A helper that does not end in
 * time is killed itself, then its user's processes and those of its control group.
 *
 * The kernel enforces memory, tasks, processor time of each process and the size of a file; here
 * wall time, output, processor time and files of all processes together are watched.
 */
#include "sandbox/sandbox_run_state.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

/* For a helper that is stopped, or cannot kill; on a busy machine an honest one takes long, too.
 * Where nothing but the helper knows all processes of the program, it gets the time that it takes
 * at most. */
#define KILL_GRACE_NS (4 * CLOCK_NS_PER_S)
#define KILL_MOST_NS (JAIL_KILL_SECONDS * CLOCK_NS_PER_S + KILL_GRACE_NS)

/* Each process has a limit of the kernel's own; their sum may pass it by this before all are
 * killed, so that one process alone ends by the kernel's. */
#define CPU_LOOK_NS (100 * (uint64_t)CLOCK_NS_PER_MS)
#define CPU_SLACK_NS (CLOCK_NS_PER_S / 4)

/* How much time of the program's clock is divided at once (program_clock.h), and how much of it may
 * be starved, in limits of wall time, and where that is less, in all: then the machine is too busy
 * for any verdict. */
#define CLOCK_LOOK_NS (200 * (uint64_t)CLOCK_NS_PER_MS)
#define STARVED_LEAST_NS (60 * (uint64_t)CLOCK_NS_PER_S)
enum { STARVED_LIMITS = 10 };

/* Divides the time that has passed into the program's own and what is not charged. */
static void look_at_clock(struct sandbox_run *run)
{
    struct task_times program = {.count = 0};
    struct task_times device = {.count = 0};

    task_times_read_tree(run->program, &program);
    task_times_read(run->device, &device);
    program_clock_look(&run->clock, clock_now_ns(), &program, &device);
}

/* Is it time for that? Most programs have ended before. */
static bool is_clock_due(const struct sandbox_run *run, uint64_t now_ns)
{
    uint64_t most_ns = program_clock_most_ns(&run->clock, now_ns);

    return run->clock.since_ns != 0 && most_ns - run->clock.charged_ns >= CLOCK_LOOK_NS;
}

static bool has_group(const struct sandbox_run *run)
{
    return run->group.memory_path != NULL || run->group.tasks_path != NULL;
}

/* Does all that the program has started end without the helper? */
static bool ends_without_helper(const struct sandbox_run *run)
{
    return run->tier == SANDBOX_A || run->slot_fd >= 0 || has_group(run);
}

/* Orders the helper to kill everything; the first reason counts. */
static void order_kill(struct sandbox_run *run, enum sandbox_ending reason)
{
    if (run->kill_by_ns != 0) {
        return;
    }
    run->facts.is_ordered = true;
    run->facts.ordered = reason;
    run->kill_by_ns = clock_now_ns() + (ends_without_helper(run) ? KILL_GRACE_NS : KILL_MOST_NS);
    shutdown(run->control, SHUT_WR);
}

/* Cuts an output at its limit. */
static void cut(struct text *text, uint64_t limit_bytes)
{
    if (text->length > limit_bytes) {
        text->length = (size_t)limit_bytes;
        text->bytes[text->length] = '\0';
    }
}

/* Takes what the helper and the control groups tell of the end. */
static void gather_facts(struct sandbox_run *run, bool *out_reported)
{
    struct sandbox_facts *facts = &run->facts;
    struct sandbox_group_counts counts = sandbox_group_count(&run->group);
    struct jail_record record;

    *out_reported = false;
    facts->status = SIGKILL;
    facts->cpu_ns = run->cpu_seen_ns;
    facts->peak_memory_bytes = counts.peak_memory_bytes;
    facts->memory_kills = counts.memory_kills;
    facts->tasks_refused = counts.tasks_refused;
    facts->peak_tasks = counts.peak_tasks;
    while (sandbox_take_record(run, &record)) {
        if (record.kind == JAIL_ENDED) {
            *out_reported = true;
            facts->status = record.value;
            facts->step_signals = record.step_signals;
            facts->cpu_ns = record.cpu_ns > facts->cpu_ns ? record.cpu_ns : facts->cpu_ns;
            facts->largest_process_bytes = record.peak_memory_bytes;
            if (run->group.tasks_path == NULL) {
                facts->peak_tasks = record.peak_tasks;
                /* Nobody counts refusals; who may have one task alone always has as many as it may.
                 */
                facts->tasks_refused =
                    run->limits.processes > 1 && record.peak_tasks >= run->limits.processes ? 1 : 0;
            }
        }
    }
}

static void close_all(struct sandbox_run *run)
{
    sandbox_group_remove(&run->group);
    sandbox_files_release(&run->files);
    sandbox_return_folders(run);
    descriptor_close(&run->input);
    descriptor_close(&run->output_fd);
    descriptor_close(&run->errors_fd);
    descriptor_close(&run->control);
    descriptor_close(&run->slot_fd);
}

/* The helper has ended, and with it everything: takes the rest of the output and its record. Where
 * there is doubt that everything is dead, it is killed once more. */
static void finish(struct sandbox_run *run)
{
    struct sandbox_facts *facts = &run->facts;
    bool told;

    program_clock_stop(&run->clock, clock_now_ns());
    facts->wall_ns = program_clock_most_ns(&run->clock, 0);
    sandbox_drain(run->output_fd, &run->output, run->limits.output_bytes);
    sandbox_drain(run->errors_fd, &run->errors, run->limits.output_bytes);
    facts->output_bytes =
        run->output.length > run->errors.length ? run->output.length : run->errors.length;
    sandbox_files_look(&run->files, true);
    facts->file_bytes = run->files.written_bytes;
    facts->files_over = sandbox_files_over(&run->files);
    gather_facts(run, &told);
    sandbox_judge(&run->limits, facts, &run->end);
    cut(&run->output, run->limits.output_bytes);
    cut(&run->errors, run->limits.output_bytes);
    if (run->slot_fd >= 0 && !told) {
        sandbox_run_verb(run, "sweep", NULL); /* a helper that tells its end has done this itself */
    }
    close_all(run);
    run->ended = true;
}

/* Writes what the program takes of the queue; closes the input after the last byte. */
static void feed(struct sandbox_run *run)
{
    while (run->input >= 0 && run->queue_sent < run->queue.length) {
        ssize_t put = send(run->input, run->queue.bytes + run->queue_sent,
                           run->queue.length - run->queue_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put > 0) {
            run->queue_sent += (size_t)put;
        } else if (put < 0 && errno == EAGAIN) {
            return;
        } else if (put < 0 && errno != EINTR) {
            descriptor_close(&run->input); /* nobody reads any more */
        }
    }
    text_clear(&run->queue);
    run->queue_sent = 0;
    if (run->input_closing) {
        descriptor_close(&run->input);
    }
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* When pump must act by itself: the caller's deadline, the program's, or the helper's. */
static uint64_t next_deadline(const struct sandbox_run *run, uint64_t deadline_ns)
{
    if (run->kill_by_ns != 0) {
        return earlier(run->kill_by_ns, deadline_ns);
    }
    deadline_ns = earlier(deadline_ns, run->files.next_ns);
    if (has_group(run)) {
        deadline_ns = earlier(deadline_ns, run->cpu_look_ns);
    }
    if (run->clock.since_ns != 0) {
        uint64_t charged_ns = program_clock_most_ns(&run->clock, run->clock.since_ns);
        uint64_t left_ns = run->limits.wall_ns > charged_ns ? run->limits.wall_ns - charged_ns : 0;
        deadline_ns = earlier(deadline_ns, run->clock.since_ns + earlier(left_ns, CLOCK_LOOK_NS));
    }
    return deadline_ns;
}

/* Has all the program's processes together used too much processor time? */
static bool over_cpu(struct sandbox_run *run)
{
    uint64_t now = clock_now_ns();
    uint64_t limit_ns;

    if (!has_group(run) || now < run->cpu_look_ns) {
        return false;
    }
    run->cpu_look_ns = now + CPU_LOOK_NS;
    uint64_t used_ns = sandbox_group_cpu_ns(&run->group);
    run->cpu_seen_ns = used_ns > run->cpu_seen_ns ? used_ns : run->cpu_seen_ns;
    return !__builtin_add_overflow(run->limits.cpu_ns, CLOCK_NS_PER_S + CPU_SLACK_NS, &limit_ns) &&
           run->cpu_seen_ns > limit_ns;
}

/* Ends a program whose time is over, or that gets none. */
static void enforce_clock(struct sandbox_run *run)
{
    uint64_t now_ns = clock_now_ns();
    bool is_over = program_clock_most_ns(&run->clock, now_ns) >= run->limits.wall_ns;

    if (run->clock.since_ns == 0 || (!is_over && !is_clock_due(run, now_ns))) {
        return;
    }
    look_at_clock(run);
    if (run->clock.charged_ns >= run->limits.wall_ns) {
        run->facts.use = program_clock_use(&run->clock);
        order_kill(run, SANDBOX_WALL_LIMIT);
    } else if (run->clock.starved_ns >= STARVED_LEAST_NS &&
               run->clock.starved_ns / STARVED_LIMITS >= run->limits.wall_ns) {
        run->facts.is_starved = run->kill_by_ns == 0;
        order_kill(run, SANDBOX_STOPPED);
    }
}

/* Kills what is over a limit of the grader's own. */
static void enforce_limits(struct sandbox_run *run)
{
    sandbox_files_look(&run->files, false);
    if (run->output.length > run->limits.output_bytes ||
        run->errors.length > run->limits.output_bytes) {
        order_kill(run, SANDBOX_OUTPUT_LIMIT);
    }
    if (sandbox_files_over(&run->files)) {
        order_kill(run, SANDBOX_FILE_LIMIT);
    }
    if (over_cpu(run)) {
        order_kill(run, SANDBOX_CPU_LIMIT);
    }
    enforce_clock(run);
    if (run->kill_by_ns != 0 && clock_now_ns() >= run->kill_by_ns) {
        if (run->slot_fd >= 0) {
            sandbox_run_verb(run, "sweep", NULL); /* a helper of another user is not ours to kill */
        }
        sandbox_files_unfollow(&run->files);
        process_kill(&run->helper, true);
        finish(run);
    }
}

/* Once over the limit an output is read no further: the program is being killed. */
static void take_output(struct sandbox_run *run, int *fd, struct text *text)
{
    if (*fd >= 0 && !sandbox_drain(*fd, text, run->limits.output_bytes)) {
        descriptor_close(fd);
    }
}

enum { WAIT_EVENT, WAIT_HELPER, WAIT_INPUT, WAIT_OUTPUT, WAIT_ERRORS, WAIT_COUNT };

/* Waits for one of them; poll skips descriptors of -1. */
static void wait_for_any(const struct sandbox_run *run, int event_fd, uint64_t deadline_ns,
                         struct pollfd waited[WAIT_COUNT])
{
    bool full_output = run->output.length > run->limits.output_bytes;
    bool full_errors = run->errors.length > run->limits.output_bytes;
    bool feeding = run->queue_sent < run->queue.length;

    waited[WAIT_EVENT] = (struct pollfd){.fd = event_fd, .events = POLLIN};
    waited[WAIT_HELPER] = (struct pollfd){.fd = run->helper.pid_fd, .events = POLLIN};
    waited[WAIT_INPUT] = (struct pollfd){.fd = feeding ? run->input : -1, .events = POLLOUT};
    waited[WAIT_OUTPUT] =
        (struct pollfd){.fd = full_output ? -1 : run->output_fd, .events = POLLIN};
    waited[WAIT_ERRORS] =
        (struct pollfd){.fd = full_errors ? -1 : run->errors_fd, .events = POLLIN};
    int timeout_ms = run->ended ? 0 : clock_poll_timeout_ms(next_deadline(run, deadline_ns));
    if (poll(waited, WAIT_COUNT, timeout_ms) < 0) {
        for (int i = 0; i < WAIT_COUNT; i++) {
            waited[i].revents = 0; /* interrupted: look again */
        }
    }
}

enum sandbox_wake sandbox_pump(struct sandbox_run *run, int event_fd, uint64_t deadline_ns)
{
    struct pollfd waited[WAIT_COUNT];
    int status;

    for (;;) {
        wait_for_any(run, event_fd, deadline_ns, waited);
        if (!run->ended) {
            feed(run);
            take_output(run, &run->output_fd, &run->output);
            take_output(run, &run->errors_fd, &run->errors);
            if (waited[WAIT_HELPER].revents != 0) {
                sandbox_files_unfollow(&run->files);
                process_wait(&run->helper, UINT64_MAX, &status);
                finish(run);
            } else {
                enforce_limits(run);
            }
        }
        if (waited[WAIT_EVENT].revents != 0) {
            return SANDBOX_WAKE_EVENT;
        }
        if (run->ended) {
            return SANDBOX_WAKE_ENDED;
        }
        if (clock_now_ns() >= deadline_ns) {
            return SANDBOX_WAKE_DEADLINE;
        }
    }
}

void sandbox_write(struct sandbox_run *run, const void *bytes, size_t length)
{
    if (run->input >= 0 && !run->input_closing) {
        text_append_bytes(&run->queue, bytes, length);
        feed(run);
    }
}

void sandbox_close_input(struct sandbox_run *run)
{
    run->input_closing = true;
    feed(run);
}

void sandbox_hold_clock(struct sandbox_run *run)
{
    program_clock_stop(&run->clock, clock_now_ns());
}

void sandbox_release_clock(struct sandbox_run *run)
{
    program_clock_start(&run->clock, clock_now_ns());
}

void sandbox_served_by(struct sandbox_run *run, pid_t device)
{
    run->device = device;
}

pid_t sandbox_program(const struct sandbox_run *run)
{
    return run->program;
}

void sandbox_stop(struct sandbox_run *run)
{
    /* A program that has ended by itself a moment ago keeps its own end. */
    if (!run->ended && sandbox_pump(run, -1, 0) == SANDBOX_WAKE_ENDED) {
        return;
    }
    if (!run->ended) {
        order_kill(run, SANDBOX_STOPPED);
        sandbox_pump(run, -1, UINT64_MAX);
    }
}

enum error sandbox_wait(struct sandbox_run *run, struct diagnostic *diagnostic)
{
    sandbox_pump(run, -1, UINT64_MAX);
    if (!run->end.is_starved) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                   "a program waited for a processor for more than a minute, and %d times its time "
                   "limit: this machine is too busy; try again later",
                   STARVED_LIMITS);
    return ERROR_ENVIRONMENT;
}

const struct sandbox_end *sandbox_end(const struct sandbox_run *run)
{
    return &run->end;
}

const struct text *sandbox_output(const struct sandbox_run *run)
{
    return &run->output;
}

const struct text *sandbox_errors(const struct sandbox_run *run)
{
    return &run->errors;
}

void sandbox_run_free(struct sandbox_run *run)
{
    if (run == NULL) {
        return;
    }
    if (!run->ended && run->helper.pid > 0) {
        sandbox_stop(run);
    }
    close_all(run);
    text_release(&run->output);
    text_release(&run->errors);
    text_release(&run->queue);
    arena_free(run->arena);
}

enum error sandbox_start(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                         struct sandbox_run **out_run, struct diagnostic *diagnostic)
{
    struct sandbox_run *run;

    enum error error = sandbox_run_make(sandbox, spec, &run, diagnostic);
    if (error != ERROR_NONE) {
        sandbox_run_free(run);
        return error;
    }
    *out_run = run;
    return ERROR_NONE;
}

enum error sandbox_run_to_end(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                              struct sandbox_end *out_end, struct text *out_output,
                              struct text *out_errors, struct diagnostic *diagnostic)
{
    struct sandbox_run *run;

    enum error error = sandbox_start(sandbox, spec, &run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = sandbox_wait(run, diagnostic);
    if (error != ERROR_NONE) {
        sandbox_run_free(run);
        return error;
    }
    *out_end = run->end;
    text_append_bytes(out_output, run->output.bytes, run->output.length);
    text_append_bytes(out_errors, run->errors.bytes, run->errors.length);
    sandbox_run_free(run);
    return ERROR_NONE;
}
