/* sandbox_run.c: one running program: its pipes, clocks and limits; see sandbox.h.
 *
 * The grader holds one end of: standard input (a socket, so that writing to a program that is gone
 * raises no signal), standard output and error (pipes), and the helper's control socket (jail.h).
 * Shutting the control socket is the order to kill everything; the helper's own end, watched
 * through its pidfd, is the sign that everything is dead. Only then is the rest of the output
 * taken, so a process that holds a pipe open cannot delay anything.
 */
#include "sandbox/sandbox.h"

#include "base/clock.h"
#include "base/process.h"
#include "sandbox/jail.h"
#include "sandbox/sandbox_command.h"
#include "sandbox/sandbox_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_WAIT_NS (20 * CLOCK_NS_PER_S)
#define KILL_GRACE_NS (2 * CLOCK_NS_PER_S)
enum { READ_BLOCK_BYTES = 1 << 16 };

struct sandbox_run {
    struct arena *arena;
    struct process helper;
    struct sandbox_limits limits;
    enum sandbox_tier tier;
    int control;
    int input;
    int output_fd, errors_fd;
    struct text output, errors;
    struct text queue; /* for standard input */
    size_t queue_sent;
    bool input_closing;
    int slot_fd;
    const char **taken_folders; /* [taken_count]: changed to the slot's user */
    size_t taken_count;
    uint64_t started_ns;
    uint64_t held_ns;       /* how long the clock stood still in all */
    uint64_t hold_began_ns; /* 0: the clock runs */
    uint64_t kill_by_ns;    /* 0: not being killed */
    bool decided;           /* end.ending was set by the grader */
    bool ended;
    struct sandbox_end end;
};

static struct sandbox_run *run_new(const struct sandbox *sandbox, const struct sandbox_spec *spec)
{
    struct arena *arena = arena_new();
    struct sandbox_run *run = arena_alloc(arena, sizeof *run);

    run->arena = arena;
    run->helper.pid_fd = -1;
    run->limits = spec->limits;
    run->tier = sandbox->tier;
    run->control = run->input = run->output_fd = run->errors_fd = run->slot_fd = -1;
    text_init(&run->output);
    text_init(&run->errors);
    text_init(&run->queue);
    return run;
}

/* Gives the folders that the program may write to its user; the grader takes them back. */
static enum error take_folders(struct sandbox_run *run, const struct sandbox_spec *spec,
                               uint32_t uid, struct diagnostic *diagnostic)
{
    run->taken_folders = arena_array(run->arena, spec->mount_count + 1, sizeof *run->taken_folders);
    for (size_t i = 0; i <= spec->mount_count; i++) {
        const char *path = spec->temporary_folder;
        if (i < spec->mount_count) {
            path = spec->mounts[i].writable ? spec->mounts[i].source : NULL;
        }
        if (path == NULL) {
            continue;
        }
        if (lchown(path, uid, uid) != 0) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "cannot give %s to the user of the sandbox: %s", path, strerror(errno));
            return ERROR_ENVIRONMENT;
        }
        run->taken_folders[run->taken_count++] = arena_strdup(run->arena, path);
    }
    return ERROR_NONE;
}

static void return_folders(struct sandbox_run *run)
{
    for (size_t i = 0; i < run->taken_count; i++) {
        if (lchown(run->taken_folders[i], geteuid(), getegid()) != 0) {
            continue; /* it was removed meanwhile */
        }
    }
    run->taken_count = 0;
}

/* In tier C there is nothing that could show a folder elsewhere. */
static enum error check_mounts(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; sandbox->tier == SANDBOX_C && i < spec->mount_count; i++) {
        if (strcmp(spec->mounts[i].source, spec->mounts[i].target) != 0) {
            diagnostic_set(diagnostic, BLAME_GRADER, "sandbox tier C cannot show %s as %s",
                           spec->mounts[i].source, spec->mounts[i].target);
            return ERROR_ENVIRONMENT;
        }
    }
    return ERROR_NONE;
}

static bool set_nonblocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

/* Makes the descriptors of both sides; the child's are written to child [5 + 1]. */
static enum error make_descriptors(struct sandbox_run *run, const struct sandbox *sandbox,
                                   const struct sandbox_spec *spec, int *child,
                                   struct diagnostic *diagnostic)
{
    int pair[2];

    if (spec->keeps_input_open) {
        if (socket_pair(pair, diagnostic) != ERROR_NONE) {
            return ERROR_ENVIRONMENT;
        }
        run->input = pair[0];
        child[0] = pair[1];
        shutdown(run->input, SHUT_RD);
    } else {
        child[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    if (pipe_pair(pair, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    run->output_fd = pair[0];
    child[1] = pair[1];
    if (pipe_pair(pair, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    run->errors_fd = pair[0];
    child[2] = pair[1];
    if (socket_pair(pair, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    run->control = pair[0];
    child[JAIL_CONTROL_FD] = pair[1];
    if (sandbox->tier == SANDBOX_A) {
        child[JAIL_SELF_FD] = open(sandbox->jail_path, O_RDONLY | O_CLOEXEC);
    }
    if (child[0] < 0 || (sandbox->tier == SANDBOX_A && child[JAIL_SELF_FD] < 0) ||
        !set_nonblocking(run->output_fd) || !set_nonblocking(run->errors_fd)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot open %s: %s", sandbox->jail_path,
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

static enum error spawn_helper(struct sandbox_run *run, const struct sandbox *sandbox,
                               const struct sandbox_spec *spec, uint32_t uid,
                               struct diagnostic *diagnostic)
{
    struct process_spec process = {
        .path = sandbox->jail_path,
        .arguments = sandbox_command(run->arena, sandbox, spec, uid),
        .environment = sandbox_environment(run->arena, sandbox, spec),
        .descriptors = {-1, -1, -1, -1, -1, -1},
        .descriptor_count = JAIL_SELF_FD + 1,
        .own_group = true,
    };

    enum error error = make_descriptors(run, sandbox, spec, process.descriptors, diagnostic);
    if (error == ERROR_NONE) {
        process.descriptors[JAIL_CHANNEL_FD] = spec->channel_fd;
        error = process_start(&process, &run->helper, diagnostic);
    }
    process.descriptors[JAIL_CHANNEL_FD] = -1; /* the caller's */
    for (size_t i = 0; i < process.descriptor_count; i++) {
        descriptor_close(&process.descriptors[i]);
    }
    return error;
}

/* Takes one record if there is one. */
static bool read_record(struct sandbox_run *run, struct jail_record *out_record)
{
    return recv(run->control, out_record, sizeof *out_record, MSG_DONTWAIT) ==
           (ssize_t)sizeof *out_record;
}

/* Takes what a pipe holds. Returns false when it is at its end; stops at the limit. */
static bool drain(int fd, struct text *text, uint64_t limit_bytes)
{
    char block[READ_BLOCK_BYTES];

    while (text->length <= limit_bytes) {
        ssize_t got = read(fd, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 && errno == EAGAIN;
        }
        text_append_bytes(text, block, (size_t)got);
    }
    return true;
}

/* Waits for the record that the program runs. Whatever went wrong before is on standard error. */
static enum error wait_for_start(struct sandbox_run *run, const struct sandbox_spec *spec,
                                 struct diagnostic *diagnostic)
{
    struct pollfd waited = {.fd = run->control, .events = POLLIN};
    struct jail_record record = {.kind = 0};
    uint64_t deadline_ns = clock_now_ns() + START_WAIT_NS;
    int ready;

    do {
        ready = poll(&waited, 1, clock_poll_timeout_ms(deadline_ns));
    } while (ready < 0 && errno == EINTR);
    if (ready > 0 && read_record(run, &record) && record.kind == JAIL_STARTED) {
        return ERROR_NONE;
    }
    if (record.kind == JAIL_NOT_STARTED) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot start %s in the sandbox: %s",
                       spec->arguments[0], strerror(record.value));
        return ERROR_ENVIRONMENT;
    }
    drain(run->errors_fd, &run->errors, 4096);
    struct text message;
    text_init(&message);
    text_append_printable(&message, run->errors.bytes, run->errors.length, true);
    while (message.length > 0 && message.bytes[message.length - 1] == '\n') {
        message.bytes[--message.length] = '\0';
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the sandbox did not start: %s",
                   message.length > 0 ? message.bytes : "its helper was slow or was killed");
    text_release(&message);
    return ERROR_ENVIRONMENT;
}

enum error sandbox_start(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                         struct sandbox_run **out_run, struct diagnostic *diagnostic)
{
    uint32_t uid = 0;

    enum error error = check_mounts(sandbox, spec, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    struct sandbox_run *run = run_new(sandbox, spec);
    if (sandbox->uses_slots) {
        error = sandbox_slot_take(&run->slot_fd, &uid, diagnostic);
        if (error == ERROR_NONE) {
            error = take_folders(run, spec, uid, diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        error = spawn_helper(run, sandbox, spec, uid, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = wait_for_start(run, spec, diagnostic);
    }
    if (error != ERROR_NONE) {
        sandbox_run_free(run);
        return error;
    }
    run->started_ns = clock_now_ns();
    *out_run = run;
    return ERROR_NONE;
}

/* How long the program's clock has run. */
static uint64_t elapsed_ns(const struct sandbox_run *run)
{
    uint64_t now = run->hold_began_ns != 0 ? run->hold_began_ns : clock_now_ns();

    return now - run->started_ns - run->held_ns;
}

/* Orders the helper to kill everything; the first reason counts. */
static void order_kill(struct sandbox_run *run, enum sandbox_ending ending, uint64_t limit)
{
    if (run->kill_by_ns != 0) {
        return;
    }
    run->decided = true;
    run->end.ending = ending;
    run->end.limit = limit;
    run->kill_by_ns = clock_now_ns() + KILL_GRACE_NS;
    shutdown(run->control, SHUT_WR);
}

/* Reads how the program ended out of what waitpid gave the helper. */
static void judge_status(struct sandbox_run *run, int status)
{
    struct sandbox_end *end = &run->end;

    if (WIFEXITED(status)) {
        end->ending = SANDBOX_EXITED;
        end->exit_status = WEXITSTATUS(status);
        return;
    }
    end->ending = SANDBOX_SIGNALLED;
    end->signal = WTERMSIG(status);
    /* Anyone may send these signals, so the time counts too. The kernel enforces the limit by
     * counting ticks, which on a busy machine runs well ahead of the time that it reports. */
    bool by_time = end->signal == SIGXCPU || end->signal == SIGKILL;
    if (by_time && end->cpu_ns >= run->limits.cpu_ns / 2) {
        end->ending = SANDBOX_CPU_LIMIT;
        end->limit = run->limits.cpu_ns;
    }
    if (end->signal == SIGXFSZ) {
        end->ending = SANDBOX_FILE_LIMIT;
        end->limit = run->limits.file_bytes;
    }
}

/* Cuts an output at its limit; true if it was longer. */
static bool cut(struct text *text, uint64_t limit_bytes)
{
    if (text->length <= limit_bytes) {
        return false;
    }
    text->length = (size_t)limit_bytes;
    text->bytes[text->length] = '\0';
    return true;
}

/* Everything is dead: takes the rest of the output and the helper's record. */
static void finish(struct sandbox_run *run)
{
    struct jail_record record;
    int status = SIGKILL;

    run->end.wall_ns = elapsed_ns(run);
    drain(run->output_fd, &run->output, run->limits.output_bytes);
    drain(run->errors_fd, &run->errors, run->limits.output_bytes);
    while (read_record(run, &record)) {
        if (record.kind == JAIL_ENDED) {
            status = record.value;
            run->end.cpu_ns = record.cpu_ns;
            run->end.peak_memory_bytes = record.peak_memory_bytes;
        }
    }
    if (!run->decided) {
        judge_status(run, status);
    }
    bool too_long = cut(&run->output, run->limits.output_bytes);
    too_long = cut(&run->errors, run->limits.output_bytes) || too_long;
    if (too_long && run->end.ending == SANDBOX_EXITED) {
        run->end.ending = SANDBOX_OUTPUT_LIMIT;
        run->end.limit = run->limits.output_bytes;
    }
    return_folders(run);
    descriptor_close(&run->input);
    descriptor_close(&run->output_fd);
    descriptor_close(&run->errors_fd);
    descriptor_close(&run->control);
    descriptor_close(&run->slot_fd);
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

/* When pump must act by itself: the caller's deadline, the program's, or the helper's. */
static uint64_t next_deadline(const struct sandbox_run *run, uint64_t deadline_ns)
{
    uint64_t next = deadline_ns;

    if (run->kill_by_ns != 0) {
        return run->kill_by_ns < next ? run->kill_by_ns : next;
    }
    if (run->hold_began_ns == 0) {
        uint64_t wall_end_ns;
        uint64_t begin_ns = run->started_ns + run->held_ns;
        if (!__builtin_add_overflow(begin_ns, run->limits.wall_ns, &wall_end_ns) &&
            wall_end_ns < next) {
            next = wall_end_ns;
        }
    }
    return next;
}

/* Kills what is over a limit of the grader's own. */
static void enforce_limits(struct sandbox_run *run)
{
    if (run->output.length > run->limits.output_bytes ||
        run->errors.length > run->limits.output_bytes) {
        order_kill(run, SANDBOX_OUTPUT_LIMIT, run->limits.output_bytes);
    }
    if (run->hold_began_ns == 0 && elapsed_ns(run) >= run->limits.wall_ns) {
        order_kill(run, SANDBOX_WALL_LIMIT, run->limits.wall_ns);
    }
    if (run->kill_by_ns != 0 && clock_now_ns() >= run->kill_by_ns) {
        process_kill(&run->helper, true);
        finish(run);
    }
}

/* Once over the limit an output is read no further: the program is being killed. */
static void take_output(struct sandbox_run *run, int *fd, struct text *text)
{
    if (*fd >= 0 && !drain(*fd, text, run->limits.output_bytes)) {
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
    if (run->hold_began_ns == 0) {
        run->hold_began_ns = clock_now_ns();
    }
}

void sandbox_release_clock(struct sandbox_run *run)
{
    if (run->hold_began_ns != 0) {
        run->held_ns += clock_now_ns() - run->hold_began_ns;
        run->hold_began_ns = 0;
    }
}

void sandbox_stop(struct sandbox_run *run)
{
    /* A program that has ended by itself a moment ago keeps its own end. */
    if (!run->ended && sandbox_pump(run, -1, 0) == SANDBOX_WAKE_ENDED) {
        return;
    }
    if (!run->ended) {
        order_kill(run, SANDBOX_STOPPED, 0);
        sandbox_pump(run, -1, UINT64_MAX);
    }
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
    return_folders(run);
    descriptor_close(&run->input);
    descriptor_close(&run->output_fd);
    descriptor_close(&run->errors_fd);
    descriptor_close(&run->control);
    descriptor_close(&run->slot_fd);
    text_release(&run->output);
    text_release(&run->errors);
    text_release(&run->queue);
    arena_free(run->arena);
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
    sandbox_pump(run, -1, UINT64_MAX);
    *out_end = run->end;
    text_append_bytes(out_output, run->output.bytes, run->output.length);
    text_append_bytes(out_errors, run->errors.bytes, run->errors.length);
    sandbox_run_free(run);
    return ERROR_NONE;
}
