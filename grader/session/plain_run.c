/* plain_run.c: device and program side by side until the program ends; see plain_run.h.
 *
 * The device works while a RESUME is unanswered. When the program has ended, the device notices by
 * itself, unless a child of the program keeps the channel or a launch is still under way: then a
 * request ends the RESUME, and a device that does not answer it is ended.
 */
#include "session/plain_run.h"

#include "base/clock.h"
#include "session/device_link.h"
#include "session/step_map.h"
#include "toolchain/estimated_resources.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long the device may take to load a module: the driver of a real GPU may assemble it. */
#define SETUP_NS (UINT64_C(600) * CLOCK_NS_PER_S)

/* From the program's end: until the device notices by itself, and until it is given up. */
#define NOTICE_NS (UINT64_C(200) * CLOCK_NS_PER_MS)
#define PATIENCE_NS (UINT64_C(5) * CLOCK_NS_PER_S)

struct plain_session {
    const struct plain_config *config;
    struct arena *arena;
    struct device_link link;
    struct code_index code;
    struct process program; /* pid 0: it has ended */
    bool is_resumed;        /* a RESUME is unanswered */
    struct plain_run *run;
};

/* What ptxas makes of one module. Where there is none the kernels' needs are estimated, and a GPU's
 * driver, which assembles the text, knows them itself. */
static enum error assemble(struct plain_session *session, const struct fat_module *text,
                           struct assembled_module *out_module, struct diagnostic *diagnostic)
{
    const struct plain_config *config = session->config;

    if (config->toolchain == NULL || config->toolchain->compiler.kind == COMPILER_CLANG) {
        return config->device.is_gpu
                   ? ERROR_NONE
                   : estimated_resources(session->arena, text->text, text->length,
                                         config->compute_major, config->compute_minor, out_module,
                                         diagnostic);
    }
    return toolchain_assemble(config->toolchain, session->arena, text->text, text->length,
                              config->compute_major, config->compute_minor, config->work_folder,
                              out_module, diagnostic);
}

/* Loads one module and tells its registers. A real GPU takes what ptxas made of the text, if there
 * is a ptxas; else its driver assembles the text, and knows the registers itself. The emulated
 * device says what it does not know before ptxas is asked. */
static enum error load_module(struct plain_session *session, size_t module,
                              struct diagnostic *diagnostic)
{
    const struct fat_program *code = session->config->code;
    struct assembled_module assembled = {.kernels = NULL};
    bool is_gpu = session->config->device.is_gpu;
    enum error error = ERROR_NONE;

    if (is_gpu) {
        error = assemble(session, &code->modules[module], &assembled, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = device_link_load(&session->link, code, module, assembled.image,
                                 assembled.image_bytes, diagnostic);
    }
    if (error == ERROR_NONE && !is_gpu) {
        error = assemble(session, &code->modules[module], &assembled, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = device_link_resources(&session->link, module, assembled.kernels,
                                      assembled.kernel_count, NULL, diagnostic);
    }
    return error;
}

/* Adds a module that the device has loaded to what is known of the program's code. */
static void note_code(struct plain_session *session, const struct code_module *module)
{
    const struct code_index *known = &session->code;
    struct code_module *modules =
        arena_array(session->arena, known->module_count + 1, sizeof *modules);

    if (known->module_count > 0) {
        memcpy(modules, known->modules, known->module_count * sizeof *modules);
    }
    modules[known->module_count] = *module;
    session->code = (struct code_index){modules, known->module_count + 1};
}

/* Loads a module that the program brings. What fails here is the program's to know: the device
 * tells it that there is no module, and why. On a real GPU the driver assembles the text. */
static void load_brought(struct plain_session *session, const char *bytes, size_t length)
{
    const struct plain_config *config = session->config;
    const char *toolkit = config->toolchain == NULL ? NULL : config->toolchain->compiler.folder;
    const size_t number = session->code.module_count;
    struct code_module module = {.kernel_count = 0};
    struct assembled_module assembled = {.kernels = NULL};
    struct diagnostic unused = {.message = ""};
    struct fat_program program;
    struct code_index code;

    if (fat_module_read(session->arena, bytes, length, &program, &unused) != ERROR_NONE ||
        program.module_count == 0 ||
        device_link_load_brought(&session->link, &program.modules[0], &unused) != ERROR_NONE) {
        return;
    }
    if (code_index_read_all(session->arena, &program, config->folder, toolkit, &code, &unused) ==
        ERROR_NONE) {
        module = code.modules[0];
    }
    note_code(session, &module);
    if (!config->device.is_gpu &&
        assemble(session, &program.modules[0], &assembled, &unused) == ERROR_NONE) {
        device_link_resources(&session->link, number, assembled.kernels, assembled.kernel_count,
                              NULL, &unused);
    }
}

static enum error prepare_device(struct plain_session *session, int *out_client_fd,
                                 struct diagnostic *diagnostic)
{
    const struct plain_config *config = session->config;
    const struct device_setup setup = {
        .device = config->device,
        .memory_bytes = config->device_memory_bytes,
        .launch_ns = config->launch_ns,
        .launch_work = config->launch_work,
        .shuffle_seed = config->shuffle_seed,
        .checks_global_races = config->checks_global_memory,
        .checks_unwritten = config->checks_global_memory,
        .checks_streams = config->checks_global_memory,
        .takes_modules = true,
        .code = config->code,
    };
    /* The program has all that its user may do, so the device needs no user of its own either. */
    const struct device_start start = {
        .path = config->device_path, .is_gpu = config->device.is_gpu, .own_group = true};
    const char *toolkit = config->toolchain == NULL ? NULL : config->toolchain->compiler.folder;
    enum error error = code_index_read_all(session->arena, config->code, config->folder, toolkit,
                                           &session->code, diagnostic);

    if (error == ERROR_NONE) {
        error = device_link_start(&session->link, &start, out_client_fd, diagnostic);
        session->link.host.sandbox = config->sandbox;
        session->link.host.executable = config->command.path;
        session->link.host.wants_leaks = true;
        session->link.host.naming = (struct source_naming){config->folder, true, toolkit};
        session->link.reply_limit_ns = SETUP_NS;
    }
    if (error == ERROR_NONE) {
        error = device_link_configure(&session->link, &setup, diagnostic);
    }
    for (size_t i = 0; i < config->code->module_count && error == ERROR_NONE; i++) {
        error = load_module(session, i, diagnostic);
    }
    if (error == ERROR_NONE && config->steps != NULL) {
        error = steps_watch(&session->link, &session->code, config->steps->kernel, config->steps,
                            diagnostic);
    }
    return error;
}

/* Reads the signals that came; returns the last one, 0 if there was none. */
static int read_signals(const struct plain_session *session, bool *out_from_terminal)
{
    struct signalfd_siginfo info;
    int signal = 0;

    while (read(session->config->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        signal = (int)info.ssi_signo;
        *out_from_terminal = info.ssi_code == SI_KERNEL;
        if (session->program.pid > 0 && !*out_from_terminal) {
            kill(session->program.pid, signal);
        }
    }
    return signal;
}

static void note_end(struct plain_session *session, int status)
{
    struct program_end *end = &session->run->activity.end;

    end->ending = WIFSIGNALED(status) ? ENDING_SIGNALLED : ENDING_EXITED;
    end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static enum error resume(struct plain_session *session, struct diagnostic *diagnostic)
{
    enum error error = device_link_send_resume(&session->link, diagnostic);

    session->is_resumed = error == ERROR_NONE;
    return session->link.loss == DEVICE_SERVES ? error : ERROR_NONE;
}

/* A program that sends what no runtime sends is told apart and ended: nobody answers it. */
static void note_broken(struct plain_session *session, const struct message *reply)
{
    struct program_activity *activity = &session->run->activity;
    size_t length = reply->payload_bytes < 500 ? reply->payload_bytes : 500;

    activity->protocol_broken = true;
    activity->foreign_module = reply->words[1] == 1;
    activity->protocol_message =
        length == 0 ? "" : arena_strndup(session->arena, reply->payload, length);
    if (session->program.pid > 0) {
        kill(session->program.pid, SIGKILL);
    }
}

/* Receives the event that answers the RESUME, and lets the device go on if there is more. */
static enum error take_event(struct plain_session *session, struct diagnostic *diagnostic)
{
    struct message reply;
    enum error error = device_link_receive(&session->link, &reply, diagnostic);

    session->is_resumed = false;
    if (session->link.loss != DEVICE_SERVES) {
        return ERROR_NONE; /* the program finds its channel closed */
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.status != 0) {
        diagnostic_set(diagnostic, BLAME_GRADER, "device: cannot go on: %s",
                       error_text((enum error)reply.status));
        return ERROR_INTERNAL;
    }
    switch ((enum control_event)reply.words[0]) {
    case CONTROL_EVENT_GONE:
        return ERROR_NONE;
    case CONTROL_EVENT_BROKEN:
        note_broken(session, &reply);
        return ERROR_NONE;
    case CONTROL_EVENT_LOAD:
        load_brought(session, reply.payload, reply.payload_bytes);
        break;
    case CONTROL_EVENT_RESOURCES:
    case CONTROL_EVENT_MARKER:
    case CONTROL_EVENT_LAUNCH:
        break;
    }
    return resume(session, diagnostic);
}

/* Serves until the program has ended. */
static enum error serve(struct plain_session *session, struct diagnostic *diagnostic)
{
    enum error error = resume(session, diagnostic);

    while (error == ERROR_NONE && session->program.pid > 0) {
        struct pollfd polled[] = {
            {.fd = session->program.pid_fd, .events = POLLIN},
            {.fd = session->is_resumed ? session->link.control.fd : -1, .events = POLLIN},
            {.fd = session->config->signal_fd, .events = POLLIN},
        };
        bool from_terminal = false;
        int status;

        if (poll(polled, sizeof polled / sizeof polled[0], -1) < 0) {
            continue;
        }
        if (polled[2].revents != 0) {
            read_signals(session, &from_terminal);
        }
        if (polled[1].revents != 0) {
            error = take_event(session, diagnostic);
        }
        if (polled[0].revents != 0 && process_wait(&session->program, UINT64_MAX, &status)) {
            note_end(session, status);
        }
    }
    return error;
}

/* Waits until the device is done with the program that has ended; false if it never is. */
static bool settle_device(struct plain_session *session)
{
    struct device_link *link = &session->link;
    const struct message nothing = {.type = CONTROL_FIND};
    struct diagnostic unused = {.message = ""};
    struct message reply;
    uint64_t now_ns = clock_now_ns();

    if (!session->is_resumed) {
        return true;
    }
    enum error error = channel_receive(&link->control, true, now_ns + NOTICE_NS, &reply, &unused);
    if (error == ERROR_PEER && link->is_gpu) {
        device_link_receive(link, &reply, &unused); /* finds out why it has gone */
        return link->loss != DEVICE_SERVES;
    }
    if (error != ERROR_TIMEOUT) {
        return error == ERROR_NONE;
    }
    /* Any request ends the wait for the program, and a launch; its own reply comes second. */
    return channel_send(&link->control, &nothing, now_ns + PATIENCE_NS, &unused) == ERROR_NONE &&
           channel_receive(&link->control, true, now_ns + PATIENCE_NS, &reply, &unused) ==
               ERROR_NONE &&
           channel_receive(&link->control, true, now_ns + PATIENCE_NS, &reply, &unused) ==
               ERROR_NONE;
}

/* Starts the program, gives its end of the channel away and serves it. */
static enum error run_program(struct plain_session *session, int *client_fd,
                              struct diagnostic *diagnostic)
{
    bool from_terminal = false;
    int early = read_signals(session, &from_terminal);

    if (early != 0) {
        session->run->signal_before = early;
        return ERROR_NONE;
    }
    enum error error =
        plain_program_start(&session->config->command, *client_fd, &session->program, diagnostic);
    descriptor_close(client_fd); /* the device must see the end of the program */
    if (error != ERROR_NONE) {
        return error;
    }
    session->run->activity.ran = true;
    return serve(session, diagnostic);
}

enum error session_run_plain(const struct plain_config *config, struct arena *arena,
                             struct plain_run *out_run, struct diagnostic *diagnostic)
{
    struct plain_session session = {
        .config = config, .arena = arena, .link = {.control = {.fd = -1}}, .run = out_run};
    int client_fd = -1;

    memset(out_run, 0, sizeof *out_run);
    out_run->activity.protocol_message = "";
    enum error error = prepare_device(&session, &client_fd, diagnostic);
    if (error == ERROR_NONE) {
        error = run_program(&session, &client_fd, diagnostic);
    }
    descriptor_close(&client_fd);
    if (error == ERROR_NONE && out_run->activity.ran) {
        out_run->launch_is_lost = !settle_device(&session);
    }
    if (error == ERROR_NONE && out_run->activity.ran && !out_run->launch_is_lost) {
        session.link.reply_limit_ns = PATIENCE_NS;
        error = device_link_log(&session.link, arena, &session.code, "", &out_run->activity,
                                diagnostic);
        if (error == ERROR_NONE && config->steps != NULL && session.link.loss == DEVICE_SERVES) {
            error =
                steps_take(&session.link, arena, &session.code, NULL, &out_run->steps, diagnostic);
        }
    }
    process_kill(&session.program, false);
    device_link_close(&session.link);
    return error;
}
