/* test_hostile_device.c: a device process that somebody else has got hold of, and a program whose
 * child uses its channel. The first is this program again, under the name of a device process: what
 * it is told as its memory limit says how it misbehaves. */
#include "session/connection.h"

#include "base/clock.h"
#include "occupancy/gpu_model_record.h"
#include "wire/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define FALSE_DEVICE GPUGRADE_BINARY_DIR "/tests/unit/session_test_hostile_device"
#define TRUE_DEVICE GPUGRADE_BINARY_DIR "/bin/gpugrade-device"
#define PATIENCE_NS (CLOCK_NS_PER_S / 5)
#define PATIENT_NS (60 * CLOCK_NS_PER_S)

enum { CONTROL_FD = 3, MEMORY_BYTES = 32 << 20 };

/* How the false device answers everything after CONFIGURE. */
enum misdeed {
    OBEDIENT,       /* with success and nothing else */
    SILENT,         /* never */
    HALF_A_HEADER,  /* then never */
    HALF_A_PAYLOAD, /* likewise */
    OTHER_REPLY,    /* to what was not asked */
    UNKNOWN_REPLY,  /* of no known type */
    LONG_READ,      /* with more than was asked for */
    LONG_WORDS,     /* with words that the reply does not have */
    FILTERED,       /* by the end that a filter makes */
    KILLED,         /* by the end that the kernel makes */
    TERMINATED,     /* by an end that somebody else makes */
    CRASHED,        /* by a crash */
    ABORTED,        /* by a failed assertion */
    DIVIDED,        /* by a division by 0 */
    LEFT,           /* by an end of its own */
    WITHOUT_MEMORY, /* by the end for want of memory */
    TELLING,        /* with a marker */
};

/* The false device. */

static void say(struct message reply)
{
    struct channel channel;

    channel_init(&channel, CONTROL_FD, control_format);
    channel_send(&channel, &reply, UINT64_MAX, NULL);
}

static void say_in_part(struct message reply, size_t bytes)
{
    uint8_t header[MESSAGE_HEADER_BYTES];

    message_header_pack(&reply, header);
    if (send(CONTROL_FD, header, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) {
        _exit(1);
    }
}

/* Ends as a process does that a signal ends, without a core file. */
static void end_by(int number)
{
    const struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    signal(number, SIG_DFL);
    raise(number);
}

static void misbehave(enum misdeed misdeed, const struct message *request)
{
    static const uint8_t bytes[4096];
    struct message reply = {.type = request->type, .payload = bytes};

    switch (misdeed) {
    case OBEDIENT:
        reply.payload_bytes = request->type == CONTROL_READ ? (size_t)request->words[1] : 0;
        say(reply);
        break;
    case SILENT:
        break;
    case HALF_A_HEADER:
        say_in_part(reply, MESSAGE_HEADER_BYTES / 2);
        break;
    case HALF_A_PAYLOAD:
        reply.payload_bytes = 4;
        say_in_part(reply, MESSAGE_HEADER_BYTES);
        break;
    case OTHER_REPLY:
        reply.type = request->type == CONTROL_FIND ? CONTROL_READ : CONTROL_FIND;
        say(reply);
        break;
    case UNKNOWN_REPLY:
        reply.type = UINT32_MAX;
        say(reply);
        break;
    case LONG_READ:
        reply.payload_bytes = sizeof bytes;
        say(reply);
        break;
    case LONG_WORDS:
        reply.words[MESSAGE_WORDS - 1] = 1;
        say(reply);
        break;
    case FILTERED:
        end_by(SIGSYS);
        break;
    case KILLED:
        end_by(SIGKILL);
        break;
    case TERMINATED:
        fputs("all is\x1b[1m well\nreally\n", stderr);
        end_by(SIGTERM);
        break;
    case CRASHED:
        fputs("nothing of this is told\n", stderr);
        end_by(SIGSEGV);
        break;
    case ABORTED:
        end_by(SIGABRT);
        break;
    case DIVIDED:
        end_by(SIGFPE);
        break;
    case LEFT:
        _exit(3);
    case WITHOUT_MEMORY:
        _exit(DEVICE_EXIT_MEMORY);
    case TELLING:
        reply.words[0] = CONTROL_EVENT_MARKER;
        say(reply);
        break;
    }
}

static int act_as_device(void)
{
    enum misdeed misdeed = OBEDIENT;
    struct message request;
    struct channel control;

    channel_init(&control, CONTROL_FD, control_format);
    while (channel_receive(&control, false, UINT64_MAX, &request, NULL) == ERROR_NONE) {
        if (request.type == CONTROL_CONFIGURE) {
            misdeed = (enum misdeed)request.words[0];
            say((struct message){.type = CONTROL_CONFIGURE, .words = {CONTROL_CONFINED_CALLS}});
        } else {
            misbehave(misdeed, &request);
        }
    }
    return 0;
}

/* The tests. */

static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k()\n{\nret;\n}\n";
static const struct fat_module module = {.offset = 0, .text = ptx, .length = sizeof ptx - 1};
static const struct fat_program program = {
    .section_address = 0x5000, .section_bytes = 0x100, .modules = &module, .module_count = 1};

static enum error configure(struct device_link *link, uint64_t memory_bytes)
{
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct diagnostic diagnostic = {.message = ""};
    struct gpu_model model;

    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    gpu_model_pack(&model, record);
    const struct device_setup setup = {
        .device = {.model = record, .model_bytes = sizeof record},
        .memory_bytes = memory_bytes,
        .launch_ns = CLOCK_NS_PER_S,
        .threads = 2,
        .code = &program,
    };
    return device_link_configure(link, &setup, &diagnostic);
}

static void open_false_device(struct device_link *link, enum misdeed misdeed, int *client_fd)
{
    const struct device_start start = {.path = FALSE_DEVICE};

    assert_int_equal(device_link_start(link, &start, client_fd, NULL), ERROR_NONE);
    link->reply_limit_ns = PATIENT_NS;
    assert_int_equal(configure(link, misdeed), ERROR_NONE);
    assert_int_equal(link->confinement, CONTROL_CONFINED_CALLS);
}

static void misdeeds_are_errors_in_time(void **state)
{
    static const struct {
        enum misdeed misdeed;
        enum error error;
        enum blame blame;
        const char *words;
    } rows[] = {
        {OBEDIENT, ERROR_NONE, BLAME_NONE, ""},
        {SILENT, ERROR_TIMEOUT, BLAME_GRADER, "in time"},
        {HALF_A_HEADER, ERROR_TIMEOUT, BLAME_GRADER, "in time"},
        {HALF_A_PAYLOAD, ERROR_TIMEOUT, BLAME_GRADER, "in time"},
        {OTHER_REPLY, ERROR_SYNTAX, BLAME_GRADER, "a reply to FIND"},
        {UNKNOWN_REPLY, ERROR_SYNTAX, BLAME_GRADER, "unknown type"},
        {LONG_READ, ERROR_SYNTAX, BLAME_GRADER, "were requested"},
        {LONG_WORDS, ERROR_SYNTAX, BLAME_GRADER, "word 9"},
        {FILTERED, ERROR_PEER, BLAME_STUDENT, "crashed on the program (signal 31)"},
        {KILLED, ERROR_PEER, BLAME_ENVIRONMENT, "was killed"},
        {TERMINATED, ERROR_PEER, BLAME_GRADER, "(signal 15): all is\\x1B[1m well"},
        {CRASHED, ERROR_PEER, BLAME_STUDENT, "crashed on the program (signal 11)"},
        {ABORTED, ERROR_PEER, BLAME_STUDENT, "crashed on the program (signal 6)"},
        {DIVIDED, ERROR_PEER, BLAME_STUDENT, "crashed on the program (signal 8)"},
        {LEFT, ERROR_PEER, BLAME_STUDENT, "crashed on the program (status 3)"},
        {WITHOUT_MEMORY, ERROR_LIMIT, BLAME_STUDENT, "memory limit"},
    };
    const struct message read = {.type = CONTROL_READ, .words = {0x1000, 16}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct diagnostic diagnostic = {.message = ""};
        struct device_link link;
        struct message reply;
        int client_fd = -1;

        open_false_device(&link, rows[i].misdeed, &client_fd);
        link.reply_limit_ns = rows[i].error == ERROR_TIMEOUT ? PATIENCE_NS : PATIENT_NS;
        enum error error = device_link_call(&link, &read, &reply, &diagnostic);
        if (error != rows[i].error || diagnostic.blame != rows[i].blame ||
            strstr(diagnostic.message, rows[i].words) == NULL) {
            fail_msg("misdeed %d: error %d, fault of %d: %s", (int)rows[i].misdeed, (int)error,
                     (int)diagnostic.blame, diagnostic.message);
        }
        bool is_crash = rows[i].error == ERROR_PEER && rows[i].blame == BLAME_STUDENT;
        assert_int_equal(link.loss, rows[i].misdeed == WITHOUT_MEMORY ? DEVICE_FULL
                                    : is_crash                        ? DEVICE_CRASHED
                                                                      : DEVICE_SERVES);
        device_link_close(&link);
        descriptor_close(&client_fd);
    }
}

/* Events are replies like others. */
static void false_events_are_errors(void **state)
{
    static const enum misdeed misdeeds[] = {OTHER_REPLY, UNKNOWN_REPLY, LONG_WORDS, HALF_A_PAYLOAD};

    (void)state;
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++) {
        struct diagnostic diagnostic = {.message = ""};
        struct device_link link;
        struct message event;
        int client_fd = -1;

        open_false_device(&link, misdeeds[i], &client_fd);
        assert_int_equal(device_link_send_resume(&link, &diagnostic), ERROR_NONE);
        link.reply_limit_ns = misdeeds[i] == HALF_A_PAYLOAD ? PATIENCE_NS : PATIENT_NS;
        enum error error = device_link_receive(&link, &event, &diagnostic);
        assert_int_equal(error, misdeeds[i] == HALF_A_PAYLOAD ? ERROR_TIMEOUT : ERROR_SYNTAX);
        assert_int_equal(diagnostic.blame, BLAME_GRADER);
        device_link_close(&link);
        descriptor_close(&client_fd);
    }
}

/* A refusal for want of memory is the program's, whether it loads or launches. */
static void want_of_memory_is_the_programs(void **state)
{
    struct program_activity activity = {.end = {.ending = ENDING_EXITED}};
    struct diagnostic diagnostic = {.message = ""};
    struct arena *arena = arena_new();
    struct code_index code = {.module_count = 0};
    struct device_link link;
    int client_fd = -1;

    (void)state;
    open_false_device(&link, WITHOUT_MEMORY, &client_fd);
    assert_int_equal(device_link_load(&link, &program, 0, NULL, 0, &diagnostic), ERROR_LIMIT);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_int_equal(device_link_log(&link, arena, &code, "l", &activity, &diagnostic), ERROR_NONE);
    assert_int_equal(activity.call_error_count, 1);
    assert_true(activity.call_errors[0].is_launch);
    assert_string_equal(activity.call_errors[0].name, "cudaErrorMemoryAllocation");
    device_link_close(&link);
    descriptor_close(&client_fd);
    arena_free(arena);
}

/* So is a crash; one before the device serves the program is not. */
static void a_crash_is_the_programs(void **state)
{
    struct program_activity activity = {.end = {.ending = ENDING_EXITED}};
    struct diagnostic diagnostic = {.message = ""};
    struct arena *arena = arena_new();
    struct code_index code = {.module_count = 0};
    struct device_link link;
    int client_fd = -1;

    (void)state;
    open_false_device(&link, CRASHED, &client_fd);
    assert_int_equal(device_link_load(&link, &program, 0, NULL, 0, &diagnostic), ERROR_PEER);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_int_equal(device_link_log(&link, arena, &code, "l", &activity, &diagnostic), ERROR_NONE);
    assert_int_equal(activity.call_error_count, 0);
    assert_int_equal(activity.finding_count, 1);
    assert_int_equal(activity.findings[0].code, CODE_DEVICE_CRASHED);
    assert_int_equal(activity.findings[0].severity, SEVERITY_ERROR);
    device_link_close(&link);
    descriptor_close(&client_fd);

    open_false_device(&link, CRASHED, &client_fd);
    link.is_configured = false;
    assert_int_equal(device_link_load(&link, &program, 0, NULL, 0, &diagnostic), ERROR_PEER);
    assert_int_equal(diagnostic.blame, BLAME_GRADER);
    assert_int_equal(link.loss, DEVICE_SERVES);
    device_link_close(&link);
    descriptor_close(&client_fd);
    arena_free(arena);
}

/* What a device tells of its own accord has a limit in all. */
static void a_device_does_not_tell_without_end(void **state)
{
    const struct message read = {.type = CONTROL_READ, .words = {0x1000, 4096}};
    const struct message find = {.type = CONTROL_FIND, .words = {0x1000}};
    struct diagnostic diagnostic = {.message = ""};
    struct device_link link;
    struct message reply;
    int client_fd = -1;

    (void)state;
    open_false_device(&link, OBEDIENT, &client_fd);
    assert_int_equal(device_link_call(&link, &read, &reply, &diagnostic), ERROR_NONE);
    assert_int_equal(reply.payload_bytes, 4096);
    assert_int_equal(link.reported_bytes, 0);
    link.reported_bytes = UINT64_C(1) << 40;
    assert_int_equal(device_link_call(&link, &find, &reply, &diagnostic), ERROR_LIMIT);
    assert_non_null(strstr(diagnostic.message, "reports more than"));
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_int_equal(link.loss, DEVICE_FULL);
    printf("flood  TOLD_BYTES_MAX  a device that tells 2^40 bytes: the program fails\n");
    device_link_close(&link);
    descriptor_close(&client_fd);
}

/* Nor of a program that has ended: what that left behind is its own. */
static void a_channel_ends_with_its_program(void **state)
{
    static const char *const arguments[] = {"/bin/true", NULL};
    const struct sandbox_spec spec = {
        .arguments = arguments,
        .folder = "/",
        .limits = {.wall_ns = PATIENT_NS,
                   .cpu_ns = PATIENT_NS,
                   .memory_bytes = UINT64_C(1) << 30,
                   .output_bytes = 4096,
                   .file_bytes = 4096},
        .channel_fd = -1,
    };
    struct connection connection = {.arena = arena_new()};
    struct diagnostic diagnostic = {.message = ""};
    struct connection_event event = {.kind = CONTROL_EVENT_MARKER};
    struct sandbox sandbox;
    int client_fd = -1;
    size_t events = 0;

    (void)state;
    assert_int_equal(sandbox_init(SANDBOX_C, GPUGRADE_BINARY_DIR "/bin", &sandbox, &diagnostic),
                     ERROR_NONE);
    assert_int_equal(sandbox_start(&sandbox, &spec, &connection.run, &diagnostic), ERROR_NONE);
    connection.program_ended = sandbox_pump(connection.run, -1, UINT64_MAX) == SANDBOX_WAKE_ENDED;
    assert_true(connection.program_ended);
    open_false_device(&connection.link, TELLING, &client_fd);
    for (; event.kind == CONTROL_EVENT_MARKER; events++) {
        assert_int_equal(connection_resume(&connection, &event, &diagnostic), ERROR_NONE);
    }
    assert_int_equal(event.kind, CONTROL_EVENT_BROKEN);
    assert_int_equal(events, (1 << 16) + 1);
    assert_true(connection.is_broken);
    assert_non_null(strstr(connection.broken_message, "left more data"));
    printf("flood  connection      %zu events after the end: the program fails\n", events);
    connection_close(&connection);
    descriptor_close(&client_fd);
    arena_free(connection.arena);
}

/* A field of /proc/PID/status. */
static unsigned long status_number(pid_t pid, const char *name)
{
    char path[64], line[256];
    unsigned long number = UINT32_MAX;

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            number = strtoul(line + strlen(name), NULL, 10);
        }
    }
    fclose(file);
    return number;
}

static void open_true_device(struct device_link *link, const struct sandbox *sandbox,
                             struct channel *client)
{
    const struct device_start start = {.path = TRUE_DEVICE, .sandbox = sandbox};
    struct diagnostic diagnostic = {.message = ""};
    int client_fd = -1;

    if (device_link_start(link, &start, &client_fd, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    link->reply_limit_ns = PATIENT_NS;
    channel_init(client, client_fd, client_format);
    assert_int_equal(configure(link, MEMORY_BYTES), ERROR_NONE);
}

static void close_true_device(struct device_link *link, struct channel *client)
{
    descriptor_close(&client->fd);
    channel_release(client);
    device_link_close(link);
}

static void the_true_device_is_confined(void **state)
{
    struct diagnostic diagnostic = {.message = ""};
    struct device_link link;
    struct channel client;

    (void)state;
    open_true_device(&link, NULL, &client);
    assert_int_equal(status_number(link.device.pid, "NoNewPrivs:"), 1);
    assert_int_equal(device_link_load(&link, &program, 0, NULL, 0, &diagnostic), ERROR_NONE);
    bool is_filtered = status_number(link.device.pid, "Seccomp:") == 2;
    assert_int_equal((link.confinement & CONTROL_CONFINED_CALLS) != 0, is_filtered);
    close_true_device(&link, &client);
    if (!is_filtered) {
        skip(); /* a sanitizer's build, or a kernel without filters */
    }
}

/* As root it is somebody else, who is given back with the process. */
static void the_true_device_has_its_own_user(void **state)
{
    struct sandbox sandbox = {.uses_slots = true,
                              .jail_path = GPUGRADE_BINARY_DIR "/bin/gpugrade-jail"};
    struct device_link links[2];
    struct channel clients[2];
    unsigned long users[2];

    (void)state;
    if (geteuid() != 0) {
        skip();
    }
    for (int i = 0; i < 2; i++) {
        open_true_device(&links[i], &sandbox, &clients[i]);
        assert_true(links[i].has_own_user);
        users[i] = status_number(links[i].device.pid, "Uid:");
        assert_int_not_equal(users[i], 0);
    }
    assert_int_not_equal(users[0], users[1]);
    for (int i = 0; i < 2; i++) {
        close_true_device(&links[i], &clients[i]);
        assert_false(links[i].has_own_user);
    }
}

static enum control_event next_event(struct device_link *link, struct message *out_event)
{
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(device_link_receive(link, out_event, &diagnostic), ERROR_NONE);
    return (enum control_event)out_event->words[0];
}

static void a_child_breaks_the_channel(void **state)
{
    const struct message synchronise = {.type = CLIENT_SYNCHRONISE,
                                        .words = {RUNTIME_CALL_cudaDeviceSynchronize}};
    struct diagnostic diagnostic = {.message = ""};
    struct device_link link;
    struct channel client;
    struct message reply, event;
    int status = 1;

    (void)state;
    open_true_device(&link, NULL, &client);
    assert_int_equal(device_link_peer(&link, getpid(), &diagnostic), ERROR_NONE);
    assert_int_equal(device_link_send_resume(&link, &diagnostic), ERROR_NONE);
    assert_int_equal(channel_call(&client, &synchronise, UINT64_MAX, &reply, NULL), ERROR_NONE);
    pid_t child = fork();
    if (child == 0) {
        _exit(channel_send(&client, &synchronise, UINT64_MAX, NULL) == ERROR_NONE ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(next_event(&link, &event), CONTROL_EVENT_BROKEN);
    assert_int_equal(event.words[1], 2);
    close_true_device(&link, &client);
}

static void no_number_is_no_process(void **state)
{
    struct message peer = {.type = CONTROL_PEER};
    struct diagnostic diagnostic = {.message = ""};
    struct device_link link;
    struct channel client;

    (void)state;
    open_true_device(&link, NULL, &client);
    assert_int_equal(device_link_call(&link, &peer, NULL, &diagnostic), ERROR_RANGE);
    peer.words[0] = UINT64_MAX;
    assert_int_equal(device_link_call(&link, &peer, NULL, &diagnostic), ERROR_RANGE);
    close_true_device(&link, &client);
}

/* A program that never reads its replies holds up nobody but itself: the device waits until the
 * grader asks for something, or the program is ended. */
static void a_program_that_reads_nothing_is_left(void **state)
{
    const struct message memory = {.type = CLIENT_MEMORY, .words = {RUNTIME_CALL_cudaMemGetInfo}};
    const struct message log = {.type = CONTROL_LOG};
    struct diagnostic diagnostic = {.message = ""};
    struct device_link link;
    struct channel client;
    struct message event;

    (void)state;
    open_true_device(&link, NULL, &client);
    assert_int_equal(device_link_send_resume(&link, &diagnostic), ERROR_NONE);
    while (channel_send(&client, &memory, clock_now_ns() + PATIENCE_NS, &diagnostic) ==
           ERROR_NONE) {
    }
    shutdown(client.fd, SHUT_RDWR);
    assert_int_equal(next_event(&link, &event), CONTROL_EVENT_GONE);
    assert_int_equal(device_link_call(&link, &log, &event, &diagnostic), ERROR_NONE);
    close_true_device(&link, &client);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misdeeds_are_errors_in_time),
        cmocka_unit_test(false_events_are_errors),
        cmocka_unit_test(want_of_memory_is_the_programs),
        cmocka_unit_test(a_crash_is_the_programs),
        cmocka_unit_test(a_device_does_not_tell_without_end),
        cmocka_unit_test(a_channel_ends_with_its_program),
        cmocka_unit_test(the_true_device_is_confined),
        cmocka_unit_test(the_true_device_has_its_own_user),
        cmocka_unit_test(a_child_breaks_the_channel),
        cmocka_unit_test(no_number_is_no_process),
        cmocka_unit_test(a_program_that_reads_nothing_is_left),
    };

    if (count > 0 && strcmp(arguments[0], "gpugrade-device") == 0) {
        return act_as_device();
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
