/* sandbox_start.c: starts a program: its descriptors, folders, control groups and helper.
 *
 *   slot -> folders -> descriptors -> control groups -> helper -> record: it runs
 *
 * Whatever was made by then is given back by sandbox_start if a step fails.
 */
#include "sandbox/sandbox_run_state.h"

#include "base/clock.h"
#include "sandbox/sandbox_command.h"
#include "sandbox/sandbox_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define START_WAIT_NS (60 * CLOCK_NS_PER_S)
#define VERB_WAIT_NS (30 * CLOCK_NS_PER_S)
enum { READ_BLOCK_BYTES = 1 << 16 };

static struct sandbox_run *run_new(const struct sandbox *sandbox, const struct sandbox_spec *spec)
{
    struct arena *arena = arena_new();
    struct sandbox_run *run = arena_alloc(arena, sizeof *run);

    run->arena = arena;
    run->helper.pid_fd = -1;
    run->limits = spec->limits;
    run->tier = sandbox->tier;
    run->jail_path = arena_strdup(arena, sandbox->jail_path);
    sandbox_files_init(&run->files, arena, spec);
    run->control = run->input = run->output_fd = run->errors_fd = run->slot_fd = -1;
    text_init(&run->output);
    text_init(&run->errors);
    text_init(&run->queue);
    return run;
}

bool sandbox_run_verb(const struct sandbox_run *run, const char *verb, const char *folder)
{
    char uid[16];
    const char *const arguments[] = {"gpugrade-jail", verb, uid, folder, NULL};
    const struct process_spec spec = {.path = run->jail_path,
                                      .arguments = arguments,
                                      .descriptors = {-1, -1, -1},
                                      .descriptor_count = 3};
    struct process helper;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    int status = 0;

    snprintf(uid, sizeof uid, "%lu", (unsigned long)run->uid);
    if (process_start(&spec, &helper, &diagnostic) != ERROR_NONE) {
        return false;
    }
    if (!process_wait(&helper, clock_now_ns() + VERB_WAIT_NS, &status)) {
        process_kill(&helper, false);
        return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Lets the run's user write to a folder: root gives it away, others ask the helper. */
static bool give_folder(const struct sandbox_run *run, const char *path)
{
    return geteuid() == 0 ? lchown(path, run->uid, run->uid) == 0
                          : sandbox_run_verb(run, "give", path);
}

/* Gives the folders that the program may write to its user; the grader takes them back. */
static enum error take_folders(struct sandbox_run *run, const struct sandbox_spec *spec,
                               struct diagnostic *diagnostic)
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
        if (!give_folder(run, path)) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "cannot give %s to the user of the sandbox", path);
            return ERROR_ENVIRONMENT;
        }
        run->taken_folders[run->taken_count++] = arena_strdup(run->arena, path);
    }
    return ERROR_NONE;
}

void sandbox_return_folders(struct sandbox_run *run)
{
    for (size_t i = 0; i < run->taken_count; i++) {
        if (geteuid() != 0) {
            sandbox_run_verb(run, "clear", run->taken_folders[i]);
        } else if (lchown(run->taken_folders[i], geteuid(), getegid()) != 0) {
            continue; /* it was removed meanwhile */
        }
    }
    run->taken_count = 0;
}

/* Without a file system of its own nothing could show a folder elsewhere. */
static enum error check_mounts(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; sandbox->tier != SANDBOX_A && i < spec->mount_count; i++) {
        if (strcmp(spec->mounts[i].source, spec->mounts[i].target) != 0) {
            diagnostic_set(diagnostic, BLAME_GRADER, "sandbox tier %s cannot show %s as %s",
                           sandbox_tier_name(sandbox->tier), spec->mounts[i].source,
                           spec->mounts[i].target);
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

/* Makes the descriptors of both sides; the child's are written to child [JAIL_SELF_FD + 1]. */
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
    /* Records tell who sent them: that is how the program's process is known. */
    const int yes = 1;
    if (setsockopt(run->control, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot ask for credentials: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
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
        .descriptor_count = JAIL_DESCRIPTORS,
        .own_group = true,
    };

    for (size_t i = 0; i < process.descriptor_count; i++) {
        process.descriptors[i] = -1;
    }

    enum error error = make_descriptors(run, sandbox, spec, process.descriptors, diagnostic);
    if (error == ERROR_NONE && run->slot_fd >= 0) {
        /* The slot stays taken while the helper runs, also when the grader is killed. */
        process.descriptors[JAIL_SLOT_FD] = fcntl(run->slot_fd, F_DUPFD_CLOEXEC, 0);
    }
    if (error == ERROR_NONE) {
        error = sandbox_group_make(run->arena, sandbox, &run->limits, &run->group,
                                   &process.descriptors[JAIL_MEMORY_GROUP_FD], diagnostic);
    }
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

bool sandbox_take_record(struct sandbox_run *run, struct jail_record *out_record)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
    } space;
    struct iovec place = {.iov_base = out_record, .iov_len = sizeof *out_record};
    struct msghdr message = {.msg_iov = &place,
                             .msg_iovlen = 1,
                             .msg_control = space.bytes,
                             .msg_controllen = sizeof space.bytes};

    if (recvmsg(run->control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) !=
        (ssize_t)sizeof *out_record) {
        return false;
    }
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (out_record->kind == JAIL_PROGRAM && header != NULL && header->cmsg_level == SOL_SOCKET &&
        header->cmsg_type == SCM_CREDENTIALS) {
        struct ucred sender;
        memcpy(&sender, CMSG_DATA(header), sizeof sender);
        run->program = sender.pid;
    }
    return true;
}

/* Waits for the record that the program runs, or could not be started. */
static bool await_start(struct sandbox_run *run, struct jail_record *out_record)
{
    struct pollfd waited = {.fd = run->control, .events = POLLIN};
    uint64_t deadline_ns = clock_now_ns() + START_WAIT_NS;

    out_record->kind = 0;
    for (;;) {
        int ready = poll(&waited, 1, clock_poll_timeout_ms(deadline_ns));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready <= 0 || !sandbox_take_record(run, out_record)) {
            return false;
        }
        if (out_record->kind == JAIL_STARTED || out_record->kind == JAIL_NOT_STARTED) {
            return true;
        }
    }
}

bool sandbox_drain(int fd, struct text *text, uint64_t limit_bytes)
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

/* Whatever went wrong before the program runs is on standard error. */
static enum error wait_for_start(struct sandbox_run *run, const struct sandbox_spec *spec,
                                 struct diagnostic *diagnostic)
{
    struct jail_record record;

    if (await_start(run, &record) && record.kind == JAIL_STARTED) {
        return ERROR_NONE;
    }
    if (record.kind == JAIL_NOT_STARTED) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot start %s in the sandbox: %s",
                       spec->arguments[0], strerror(record.value));
        return ERROR_ENVIRONMENT;
    }
    sandbox_drain(run->errors_fd, &run->errors, 4096);
    struct text message;
    text_init(&message);
    text_append_printable(&message, run->errors.bytes, run->errors.length, true);
    while (message.length > 0 && message.bytes[message.length - 1] == '\n') {
        message.bytes[--message.length] = '\0';
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the sandbox did not start: %s",
                   message.length > 0 ? message.bytes : "its helper was too slow or was killed");
    text_release(&message);
    return ERROR_ENVIRONMENT;
}

enum error sandbox_run_make(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                            struct sandbox_run **out_run, struct diagnostic *diagnostic)
{
    enum error error = check_mounts(sandbox, spec, diagnostic);
    *out_run = NULL;
    if (error != ERROR_NONE) {
        return error;
    }
    struct sandbox_run *run = run_new(sandbox, spec);
    *out_run = run;
    if (sandbox->uses_slots) {
        error = sandbox_slot_take(&run->slot_fd, &run->uid, diagnostic);
        if (error == ERROR_NONE) {
            error = take_folders(run, spec, diagnostic);
        }
    }
    if (error == ERROR_NONE) {
        error = spawn_helper(run, sandbox, spec, run->uid, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = wait_for_start(run, spec, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    program_clock_start(&run->clock, clock_now_ns());
    if (sandbox->sizes_tmpfs && spec->temporary_folder == NULL) {
        sandbox_files_reach(&run->files, run->program);
    } else {
        sandbox_files_follow(&run->files, run->helper.pid, run->uid);
    }
    return ERROR_NONE;
}
