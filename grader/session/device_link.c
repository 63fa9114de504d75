/* device_link.c: starting, configuring, asking and ending a device process; see device_link.h. */
#include "session/device_link.h"

#include "base/clock.h"
#include "sandbox/jail.h"
#include "sandbox/sandbox_slot.h"
#include "session/finding_map.h"
#include "session/first_registers.h"
#include "toolchain/toolchain.h"
#include "wire/cuda_error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* From a closed channel, or the order to end, to the end of the process. */
#define EXIT_NS (UINT64_C(5) * CLOCK_NS_PER_S)

/* What a device may tell of a program, its findings and counts and messages. What the grader reads
 * of its memory comes on top. */
#define REPORTED_BYTES_MAX (UINT64_C(1) << 30)

/* Takes a user for the process; none if there is none to be had, or if another user could not run
 * the file. */
static enum error take_user(struct device_link *link, const struct device_start *start,
                            int device_fd, uint32_t *out_uid, struct diagnostic *diagnostic)
{
    struct stat status;

    *out_uid = 0;
    if (link->is_gpu || start->sandbox == NULL || !start->sandbox->uses_slots || geteuid() != 0 ||
        fstat(device_fd, &status) != 0 || (status.st_mode & S_IXOTH) == 0) {
        return ERROR_NONE;
    }
    enum error error = sandbox_slot_take(&link->slot_fd, out_uid, diagnostic);
    link->has_own_user = error == ERROR_NONE;
    return error;
}

/* What the emulated device says as it fails is shown in words of ours: it may be somebody else's by
 * then. A real GPU's driver talks to the user. Returns the descriptor of the process. */
static int make_errors(struct device_link *link)
{
    int fds[2];

    if (link->is_gpu || pipe_pair(fds, NULL) != ERROR_NONE) {
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    fcntl(fds[0], F_SETFL, O_NONBLOCK);
    link->has_errors = true;
    link->errors_fd = fds[0];
    return fds[1];
}

/* Starts the process with its descriptors; as another user through the helper, by descriptor, since
 * the file may lie in a folder that this user cannot enter. */
static enum error spawn_device(struct device_link *link, const struct device_start *start,
                               int control_fd, int client_fd, struct diagnostic *diagnostic)
{
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    int device_fd = open(start->path, O_RDONLY | O_CLOEXEC);
    int errors_fd = make_errors(link);
    uint32_t uid = 0;
    char user[16], self[32];
    const char *const directly[] = {"gpugrade-device", NULL};
    const char *const by_helper[] = {"gpugrade-jail", "enter", user, self, NULL};
    struct process_spec spec = {
        .path = start->path,
        .arguments = directly,
        .environment = link->is_gpu ? (const char *const *)environ : NULL,
        .descriptors = {null_fd, null_fd, errors_fd, control_fd, client_fd, device_fd},
        .descriptor_count = 5,
        .own_group = start->own_group,
    };
    enum error error = ERROR_NONE;

    if (null_fd < 0 || device_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be opened: %s",
                       null_fd < 0 ? "/dev/null" : start->path, strerror(errno));
        error = ERROR_ENVIRONMENT;
    }
    if (error == ERROR_NONE) {
        error = take_user(link, start, device_fd, &uid, diagnostic);
    }
    if (error == ERROR_NONE && link->has_own_user) {
        snprintf(user, sizeof user, "%u", uid);
        snprintf(self, sizeof self, "/proc/self/fd/%d", (int)JAIL_SELF_FD);
        spec.path = start->sandbox->jail_path;
        spec.arguments = by_helper;
        spec.descriptor_count = JAIL_SELF_FD + 1;
    }
    if (error == ERROR_NONE) {
        error = process_start(&spec, &link->device, diagnostic);
    }
    descriptor_close(&null_fd);
    descriptor_close(&device_fd);
    descriptor_close(&errors_fd);
    return error;
}

/* The device's end of the client channel: the kernel is to tell whose messages come, from the first
 * on. */
static enum error make_client_channel(int out_fds[2], struct diagnostic *diagnostic)
{
    const int on = 1;
    enum error error = socket_pair(out_fds, diagnostic);

    if (error == ERROR_NONE &&
        setsockopt(out_fds[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "a socket does not report its senders: %s",
                       strerror(errno));
        error = ERROR_ENVIRONMENT;
    }
    return error;
}

enum error device_link_start(struct device_link *link, const struct device_start *start,
                             int *out_client_fd, struct diagnostic *diagnostic)
{
    int control[2] = {-1, -1};
    int client[2] = {-1, -1};

    memset(link, 0, sizeof *link);
    link->reply_limit_ns = UINT64_MAX;
    link->is_gpu = start->is_gpu;
    channel_init(&link->control, -1, control_format);
    enum error error = socket_pair(control, diagnostic);
    if (error == ERROR_NONE) {
        error = make_client_channel(client, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = spawn_device(link, start, control[1], client[1], diagnostic);
    }
    link->control.fd = control[0];
    descriptor_close(&control[1]);
    descriptor_close(&client[1]);
    if (error != ERROR_NONE) {
        descriptor_close(&client[0]);
        return error;
    }
    *out_client_fd = client[0];
    return ERROR_NONE;
}

static uint64_t reply_deadline_ns(const struct device_link *link)
{
    uint64_t deadline_ns;

    if (__builtin_add_overflow(clock_now_ns(), link->reply_limit_ns, &deadline_ns)) {
        return UINT64_MAX;
    }
    return deadline_ns;
}

/* Appends the first line of what the process said as it failed, if it said anything. */
static void append_errors(const struct device_link *link, struct text *out)
{
    char said[200];
    ssize_t length = link->has_errors ? read(link->errors_fd, said, sizeof said) : 0;

    if (length > 0) {
        const char *end = memchr(said, '\n', (size_t)length);

        text_append(out, ": ");
        text_append_printable(out, said, end == NULL ? (size_t)length : (size_t)(end - said),
                              false);
    }
}

/* Says in words how a process ended that nobody told to. */
static void report_end(const struct device_link *link, int status, struct diagnostic *diagnostic)
{
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    struct text said;

    text_init(&said);
    append_errors(link, &said);

    if (signal == SIGKILL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the device process was killed (the kernel does that when memory runs out)");
    } else if (signal != 0) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device process ended unexpectedly (signal %d)%s", signal, said.bytes);
    } else {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "the device process ended unexpectedly (status %d)%s",
                       WIFEXITED(status) ? WEXITSTATUS(status) : status, said.bytes);
    }
    text_release(&said);
}

/* True if the wait status says that the process ended by a mistake of its own: by an exit that
 * nobody asked for, or a signal that it brings about itself. Others (SIGKILL when memory runs out,
 * SIGTERM) come from outside. */
static bool is_crash(int status)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

    for (size_t i = 0; i < sizeof own / sizeof own[0] && WIFSIGNALED(status); i++) {
        if (WTERMSIG(status) == own[i]) {
            return true;
        }
    }
    return WIFEXITED(status);
}

/* Notes how the emulated device was lost through what it was asked to do. */
static void note_end(struct device_link *link, int status, struct diagnostic *diagnostic)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == DEVICE_EXIT_MEMORY) {
        link->loss = DEVICE_FULL;
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the emulated device reached its memory limit on this program");
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == DEVICE_EXIT_TIME) {
        link->loss = DEVICE_SPENT;
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the emulated device reached its processor time limit on this program");
    } else if (link->is_configured && is_crash(status)) {
        link->loss = DEVICE_CRASHED;
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the emulated device crashed on the program (%s %d)",
                       WIFSIGNALED(status) ? "signal" : "status",
                       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

/* Asks why nothing came from the device, and whether what the program did is why. Without a message
 * of its own an ERROR_PEER gets one here. */
static void note_loss(struct device_link *link, enum error error, bool is_launch,
                      struct diagnostic *diagnostic)
{
    int status = 0;
    bool has_ended = false;

    if (link->loss != DEVICE_SERVES || (error != ERROR_PEER && error != ERROR_TIMEOUT)) {
        return;
    }
    if (error == ERROR_PEER) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device process ended unexpectedly");
        has_ended = process_wait(&link->device, clock_now_ns() + EXIT_NS, &status);
    }
    if (has_ended) {
        report_end(link, status, diagnostic);
    }
    bool is_exit = has_ended && WIFEXITED(status);
    if (!link->is_gpu && has_ended) {
        note_end(link, status, diagnostic);
    }
    if (!link->is_gpu || !link->has_launched) {
        return;
    }
    if (!has_ended || (is_exit && WEXITSTATUS(status) == DEVICE_EXIT_HUNG)) {
        link->loss = DEVICE_HUNG;
    } else if (is_launch) {
        link->loss = DEVICE_DIED;
    }
}

/* What a call fails with. */
static enum error error_of_loss(const struct device_link *link, enum error error)
{
    bool is_limit = link->loss == DEVICE_FULL || link->loss == DEVICE_SPENT;

    return error == ERROR_PEER && is_limit ? ERROR_LIMIT : error;
}

/* Counts what the device tells of its own accord. How much that is, its program decides. */
static enum error count_reported(struct device_link *link, const struct message *reply,
                                 struct diagnostic *diagnostic)
{
    link->reported_bytes += reply->type == CONTROL_READ ? 0 : reply->payload_bytes;
    if (link->reported_bytes > REPORTED_BYTES_MAX) {
        link->loss = DEVICE_FULL;
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the device reports more than %llu bytes about its launches",
                       (unsigned long long)REPORTED_BYTES_MAX);
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

enum error device_link_receive(struct device_link *link, struct message *out_reply,
                               struct diagnostic *diagnostic)
{
    struct message reply;

    link->control.payload_max = UINT64_MAX;
    enum error error =
        channel_receive(&link->control, true, reply_deadline_ns(link), &reply, diagnostic);
    note_loss(link, error, true, diagnostic);
    error = error_of_loss(link, error);
    if (error == ERROR_NONE && reply.type != CONTROL_RESUME) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device sent a reply that was not asked for");
        error = ERROR_SYNTAX;
    }
    if (error == ERROR_NONE) {
        error = count_reported(link, &reply, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_reply = reply;
    }
    return error;
}

enum error device_link_send_resume(struct device_link *link, struct diagnostic *diagnostic)
{
    const struct message resume = {.type = CONTROL_RESUME};

    link->has_launched = true;
    enum error error = channel_send(&link->control, &resume, reply_deadline_ns(link), diagnostic);
    note_loss(link, error, true, diagnostic);
    return error_of_loss(link, error);
}

/* Turns a reply's status into an error. A real GPU that cannot be opened, or has no room, is the
 * machine's fault; one that is not there that of who named it. */
static enum error refuse(const struct message *reply, struct diagnostic *diagnostic)
{
    static const struct {
        enum control_message type;
        enum error error;
        enum blame blame;
    } rows[] = {
        {CONTROL_CONFIGURE, ERROR_ENVIRONMENT, BLAME_ENVIRONMENT},
        {CONTROL_CONFIGURE, ERROR_NOT_FOUND, BLAME_USAGE},
        {CONTROL_SNAPSHOT, ERROR_LIMIT, BLAME_ENVIRONMENT},
    };
    int length = (int)(reply->payload_bytes < 900 ? reply->payload_bytes : 900);
    enum error error = reply->status < ERROR_COUNT ? (enum error)reply->status : ERROR_INTERNAL;
    enum blame blame = BLAME_GRADER;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].type == reply->type && rows[i].error == error) {
            blame = rows[i].blame;
        }
    }
    diagnostic_set(diagnostic, blame, "%s%.*s", blame == BLAME_GRADER ? "device: " : "", length,
                   (const char *)reply->payload);
    return error;
}

/* A READ is answered with what was asked for, or with a message. */
static uint64_t reply_bytes_max(const struct message *request)
{
    enum { MESSAGE_BYTES = 1024 };

    if (request->type != CONTROL_READ) {
        return UINT64_MAX;
    }
    return request->words[1] > MESSAGE_BYTES ? request->words[1] : MESSAGE_BYTES;
}

/* Sends a request, lets the program be watched until the reply comes, and receives that. */
static enum error call_watched(struct device_link *link, const struct message *request,
                               struct message *out_reply, struct diagnostic *diagnostic)
{
    uint64_t deadline_ns = reply_deadline_ns(link);

    if (link->watch == NULL) {
        return channel_call(&link->control, request, deadline_ns, out_reply, diagnostic);
    }
    enum error error = channel_send(&link->control, request, deadline_ns, diagnostic);
    if (error == ERROR_NONE) {
        link->watch(link->watched, link->control.fd, deadline_ns);
        error = channel_receive(&link->control, true, deadline_ns, out_reply, diagnostic);
    }
    if (error == ERROR_PEER) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the other end closed the channel");
    }
    if (error == ERROR_NONE && out_reply->type != request->type) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device replied to a different request");
        error = ERROR_SYNTAX;
    }
    return error;
}

enum error device_link_call(struct device_link *link, const struct message *request,
                            struct message *out_reply, struct diagnostic *diagnostic)
{
    bool is_launch = request->type == CONTROL_PROBE || request->type == CONTROL_TIME ||
                     request->type == CONTROL_TRACE;
    struct message reply;

    if (request->payload_bytes > control_format(request->type)->request_payload_max) {
        /* What is long of what a program holds is its code and its names. */
        diagnostic_set(diagnostic, BLAME_STUDENT, "%zu bytes of %s; at most %llu are allowed",
                       request->payload_bytes, control_format(request->type)->name,
                       (unsigned long long)control_format(request->type)->request_payload_max);
        return ERROR_LIMIT;
    }
    link->has_launched = link->has_launched || is_launch;
    link->control.payload_max = reply_bytes_max(request);
    enum error error = call_watched(link, request, &reply, diagnostic);
    note_loss(link, error, is_launch, diagnostic);
    error = error_of_loss(link, error);
    if (error == ERROR_NONE) {
        error = count_reported(link, &reply, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.status != 0) {
        return refuse(&reply, diagnostic);
    }
    if (out_reply != NULL) {
        *out_reply = reply;
    }
    return ERROR_NONE;
}

enum error device_link_configure(struct device_link *link, const struct device_setup *setup,
                                 struct diagnostic *diagnostic)
{
    struct message configure = {
        .type = CONTROL_CONFIGURE,
        .words = {setup->memory_bytes, setup->launch_ns, setup->threads,
                  setup->code->section_address, setup->code->section_bytes,
                  (setup->checks_global_races ? CONTROL_DEVICE_GLOBAL_RACES : 0) |
                      (setup->checks_streams ? CONTROL_DEVICE_STREAMS : 0) |
                      (setup->takes_modules ? CONTROL_DEVICE_LOADS : 0) |
                      (setup->checks_unwritten ? CONTROL_DEVICE_UNWRITTEN : 0) |
                      (setup->device.is_gpu ? CONTROL_DEVICE_GPU : 0) |
                      (link->has_own_user ? CONTROL_DEVICE_OWN_USER : 0),
                  setup->shuffle_seed, setup->cpu_ns, setup->launch_work, setup->total_work},
        .payload = setup->device.is_gpu ? setup->device.gpu : setup->device.model,
        .payload_bytes =
            setup->device.is_gpu ? strlen(setup->device.gpu) : setup->device.model_bytes,
    };

    struct message reply = {0};
    enum error error = device_link_call(link, &configure, &reply, diagnostic);

    if (error == ERROR_NONE) {
        link->confinement = reply.words[0];
        link->is_configured = true;
    }
    return error;
}

enum error device_link_peer(struct device_link *link, pid_t program, struct diagnostic *diagnostic)
{
    const struct message peer = {.type = CONTROL_PEER, .words = {(uint64_t)program}};

    return device_link_call(link, &peer, NULL, diagnostic);
}

/* Sends a module: the text, then the machine code. */
static enum error send_module(struct device_link *link, uint64_t offset,
                              const struct fat_module *module, const void *image,
                              size_t image_bytes, uint64_t *out_module,
                              struct diagnostic *diagnostic)
{
    struct message request = {.type = CONTROL_MODULE, .words = {offset, module->length}};
    struct message reply = {0};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, module->text, module->length);
    text_append_bytes(&payload, image, image_bytes);
    request.payload = payload.bytes;
    request.payload_bytes = payload.length;
    enum error error = device_link_call(link, &request, &reply, diagnostic);
    text_release(&payload);
    if (error == ERROR_NONE) {
        *out_module = reply.words[0];
    }
    return error;
}

enum error device_link_load(struct device_link *link, const struct fat_program *code, size_t module,
                            const void *image, size_t image_bytes, struct diagnostic *diagnostic)
{
    uint64_t loaded = 0;
    enum error error = send_module(link, code->modules[module].offset, &code->modules[module],
                                   image, image_bytes, &loaded, diagnostic);

    if (error == ERROR_TIMEOUT) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the device takes more than %llu s to load the program",
                       (unsigned long long)(link->reply_limit_ns / CLOCK_NS_PER_S));
    }
    if (error == ERROR_TIMEOUT) {
        error = ERROR_LIMIT;
    }
    if (error == ERROR_LIMIT || error == ERROR_SYNTAX || error == ERROR_UNSUPPORTED) {
        diagnostic->blame = BLAME_STUDENT; /* the device refuses the code that it was given */
    }
    if (error == ERROR_NONE && loaded != module) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device numbers modules differently");
        error = ERROR_INTERNAL;
    }
    return error;
}

enum error device_link_load_brought(struct device_link *link, const struct fat_module *text,
                                    struct diagnostic *diagnostic)
{
    uint64_t loaded = 0;

    return send_module(link, CONTROL_LOADED_MODULE, text, NULL, 0, &loaded, diagnostic);
}

enum error device_link_load_own(struct device_link *link, const struct fat_module *text,
                                const void *image, size_t image_bytes, uint64_t *out_module,
                                struct diagnostic *diagnostic)
{
    return send_module(link, CONTROL_OWN_MODULE, text, image, image_bytes, out_module, diagnostic);
}

enum error device_link_resources(struct device_link *link, uint64_t module,
                                 const struct kernel_resources *kernels, size_t count,
                                 const struct program_build *first, struct diagnostic *diagnostic)
{
    /* All fit: ptxas names each kernel twice in a text of that size (compiler_limits()). A longer
     * name cannot be registered, so nobody launches that kernel. */
    const size_t most =
        control_format(CONTROL_RESOURCES)->request_payload_max - sizeof(struct control_resources);
    struct text records;

    text_init(&records);
    for (size_t i = 0; i < count && records.length <= most; i++) {
        struct control_resources resources = {
            .registers = kernels[i].registers,
            .static_shared_bytes = kernels[i].static_shared_bytes,
            .local_bytes = kernels[i].local_bytes,
            .constant_bytes = kernels[i].constant_bytes,
            .max_threads = kernels[i].max_threads,
            .first_registers = first != NULL ? first_registers(first, kernels, count, i) : 0,
        };
        if (strlen(kernels[i].name) < sizeof resources.name) {
            snprintf(resources.name, sizeof resources.name, "%s", kernels[i].name);
            control_resources_pack(&resources, &records);
        }
    }
    struct message answer = {
        .type = CONTROL_RESOURCES,
        .words = {module},
        .payload = records.bytes,
        .payload_bytes = records.length,
    };
    enum error error = device_link_call(link, &answer, NULL, diagnostic);
    text_release(&records);
    return error;
}

/* A GPU is left by its own process, which gives back what it holds; one that does not end is
 * killed. */
void device_link_close(struct device_link *link)
{
    int status;

    descriptor_close(&link->control.fd);
    channel_release(&link->control);
    if (link->is_gpu && link->loss == DEVICE_SERVES && link->device.pid > 0) {
        process_wait(&link->device, clock_now_ns() + EXIT_NS, &status);
    }
    process_kill(&link->device, false);
    if (link->has_errors) {
        descriptor_close(&link->errors_fd);
        link->has_errors = false;
    }
    if (link->has_own_user) {
        descriptor_close(&link->slot_fd); /* it can start no other process that could still run */
        link->has_own_user = false;
    }
}
