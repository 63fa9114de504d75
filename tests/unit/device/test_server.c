/* test_server.c: the device process without a device: what it answers to the grader and to
 * programs, honest and hostile, over a fake backend. */
#include "device/server.h"

#include "base/clock.h"
#include "base/process.h"
#include "wire/call_record.h"
#include "wire/client.h"
#include "wire/control.h"
#include "wire/cuda_error.h"
#include "wire/little_endian.h"
#include "wire/texture_record.h"

#include "fake_backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SECTION = 0x5000, SECTION_BYTES = 0x1000 };

/* A server and the three processes' ends of its channels. */
struct rig {
    int control_fds[2], client_fds[2]; /* [0] the server's */
    struct channel control, client;
    pthread_t thread;
    enum error end;
    bool had_gpu;
};

static void *serve(void *context)
{
    struct rig *rig = context;

    rig->end =
        server_run(&fake_devices, rig->control_fds[0], rig->client_fds[0], &rig->had_gpu, NULL);
    return NULL;
}

static uint64_t later(void)
{
    return clock_now_ns() + 60 * CLOCK_NS_PER_S;
}

/* Sends a control request; returns its status. */
static enum error control(struct rig *rig, struct message request, struct message *out_reply)
{
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(channel_call(&rig->control, &request, later(), out_reply, &diagnostic),
                     ERROR_NONE);
    return (enum error)out_reply->status;
}

static void send_resume(struct rig *rig)
{
    struct message request = {.type = CONTROL_RESUME};

    assert_int_equal(channel_send(&rig->control, &request, later(), NULL), ERROR_NONE);
}

static enum control_event receive_event(struct rig *rig, struct message *out_reply)
{
    assert_int_equal(channel_receive(&rig->control, true, later(), out_reply, NULL), ERROR_NONE);
    assert_int_equal(out_reply->status, 0);
    return (enum control_event)out_reply->words[0];
}

static void send_client(struct rig *rig, struct message request)
{
    assert_int_equal(channel_send(&rig->client, &request, later(), NULL), ERROR_NONE);
}

static uint32_t receive_client(struct rig *rig, struct message *out_reply)
{
    assert_int_equal(channel_receive(&rig->client, true, later(), out_reply, NULL), ERROR_NONE);
    return out_reply->status;
}

/* Sends a client request while the program runs; returns its status. */
static uint32_t client(struct rig *rig, struct message request, struct message *out_reply)
{
    send_client(rig, request);
    return receive_client(rig, out_reply);
}

static uint32_t ask(struct rig *rig, enum client_message type, uint64_t a, uint64_t b)
{
    struct message reply;

    return client(rig, (struct message){.type = type, .words = {RUNTIME_CALL_cudaMalloc, a, b}},
                  &reply);
}

static uint64_t rig_flags; /* of CONFIGURE, besides */

static int open_rig(void **state)
{
    static struct rig rig;
    uint8_t model[GPU_MODEL_RECORD_BYTES];
    struct message configure = fake_configure("H200", SECTION, SECTION_BYTES, model), reply;

    memset(&rig, 0, sizeof(rig));
    assert_int_equal(socket_pair(rig.control_fds, NULL), ERROR_NONE);
    assert_int_equal(socket_pair(rig.client_fds, NULL), ERROR_NONE);
    channel_init(&rig.control, rig.control_fds[1], control_format);
    channel_init(&rig.client, rig.client_fds[1], client_format);
    assert_int_equal(pthread_create(&rig.thread, NULL, serve, &rig), 0);
    configure.words[5] |= rig_flags;
    assert_int_equal(control(&rig, configure, &reply), ERROR_NONE);
    assert_int_equal(control(&rig,
                             (struct message){.type = CONTROL_MODULE,
                                              .words = {0x40, 3},
                                              .payload = "ptx",
                                              .payload_bytes = 3},
                             &reply),
                     ERROR_NONE);
    *state = &rig;
    return 0;
}

static int close_rig(void **state)
{
    struct rig *rig = *state;

    descriptor_close(&rig->control_fds[1]);
    pthread_join(rig->thread, NULL);
    assert_int_equal(rig->end, ERROR_NONE);
    assert_false(rig->had_gpu);
    descriptor_close(&rig->control_fds[0]);
    descriptor_close(&rig->client_fds[0]);
    descriptor_close(&rig->client_fds[1]);
    channel_release(&rig->control);
    channel_release(&rig->client);
    return 0;
}

static void observe(struct rig *rig)
{
    struct message reply;

    assert_int_equal(control(rig,
                             (struct message){.type = CONTROL_OBSERVE,
                                              .words = {0, 1},
                                              .payload = "fill",
                                              .payload_bytes = 4},
                             &reply),
                     ERROR_NONE);
}

/* A launch of the kernel on an address. */
static struct message launch_message(uint64_t address, uint32_t grid, uint32_t block,
                                     uint64_t shared)
{
    static uint8_t parameters[FAKE_PARAMETER_BYTES];

    memcpy(parameters, &address, sizeof(address));
    return (struct message){
        .type = CLIENT_LAUNCH,
        .words = {RUNTIME_CALL_cudaLaunchKernel, 0, (uint64_t)1 << 32 | grid,
                  (uint64_t)block << 32 | 1, (uint64_t)1 << 32 | 1, shared},
        .payload = parameters,
        .payload_bytes = sizeof(parameters),
    };
}

/* Allocates; resumes are the caller's. */
static uint64_t allocate(struct rig *rig, uint64_t bytes)
{
    struct message reply;

    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_ALLOCATE, .words = {RUNTIME_CALL_cudaMalloc, bytes}},
               &reply),
        0);
    return reply.words[0];
}

/* Ends the program; afterwards the log holds what happened. */
static void end_program(struct rig *rig)
{
    struct message event;

    descriptor_close(&rig->client_fds[1]);
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_GONE);
}

/* The n-th call error of the log. */
static struct control_call_error logged_error(struct rig *rig, size_t index, uint64_t *out_count)
{
    struct control_call_error error = {.count = 0};
    struct message reply;

    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), ERROR_NONE);
    size_t cursor = (size_t)reply.words[1] * FINDING_RECORD_BYTES;
    for (size_t i = 0; i <= index; i++) {
        if (!control_call_error_unpack(reply.payload, reply.payload_bytes, &cursor, &error)) {
            error.count = 0;
        }
    }
    *out_count = reply.words[2];
    return error;
}

static void nothing_is_served_before_resume(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_client(rig,
                (struct message){.type = CLIENT_ALLOCATE, .words = {RUNTIME_CALL_cudaMalloc, 100}});
    assert_int_equal(
        channel_receive(&rig->client, true, clock_now_ns() + 50 * CLOCK_NS_PER_MS, &reply, NULL),
        ERROR_TIMEOUT);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    end_program(rig);
}

static void copies_go_there_and_back(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_UPLOAD,
                                .words = {RUNTIME_CALL_cudaMemcpy2D, address, 16, 4, 4},
                                .payload = "0123456789abcdef",
                                .payload_bytes = 16},
               &reply),
        0);
    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_DOWNLOAD,
                                .words = {RUNTIME_CALL_cudaMemcpy, address + 16, 8, 8, 1}},
               &reply),
        0);
    assert_memory_equal(reply.payload, "4567", 4);
    end_program(rig);
}

/* Two pages and a half: the second and the third change on the device. */
static void changes_are_told_by_page(void **state)
{
    enum { BYTES = 2 * HASH_PAGE_BYTES + 100 };
    struct rig *rig = *state;
    static uint8_t bytes[BYTES];
    uint8_t hashes[3 * 8];
    struct message reply;

    send_resume(rig);
    uint64_t address = allocate(rig, BYTES);
    struct message upload = {.type = CLIENT_UPLOAD,
                             .words = {RUNTIME_CALL_cudaMemcpy, address, BYTES, BYTES, 1},
                             .payload = bytes,
                             .payload_bytes = BYTES};
    struct message changes = {.type = CLIENT_CHANGES,
                              .words = {RUNTIME_CALL_cudaLaunchKernel, address, BYTES},
                              .payload = hashes,
                              .payload_bytes = sizeof(hashes)};
    memset(bytes, 7, sizeof(bytes));
    for (size_t i = 0; i < 3; i++) {
        little_put_u64(hashes + 8 * i, page_hash(bytes, i < 2 ? HASH_PAGE_BYTES : 100));
    }
    assert_int_equal(client(rig, upload, &reply), 0);
    assert_int_equal(client(rig, changes, &reply), 0);
    assert_int_equal(reply.words[0], 0);
    assert_int_equal(reply.payload_bytes, 0);
    bytes[HASH_PAGE_BYTES] = 8;
    bytes[BYTES - 1] = 9;
    assert_int_equal(client(rig, upload, &reply), 0);
    assert_int_equal(client(rig, changes, &reply), 0);
    assert_int_equal(reply.words[0], 2);
    assert_int_equal(reply.payload_bytes, 2 * 8 + HASH_PAGE_BYTES + 100);
    const uint8_t *payload = reply.payload;
    assert_int_equal(little_get_u64(payload), 1);
    assert_int_equal(little_get_u64(payload + 8), 2);
    assert_memory_equal(payload + 16, bytes + HASH_PAGE_BYTES, HASH_PAGE_BYTES + 100);
    changes.words[1] += HASH_PAGE_BYTES;
    assert_int_equal(client(rig, changes, &reply), CUDA_STATUS_INVALID_VALUE);
    end_program(rig);
}

static void a_reset_gives_variables_their_first_values(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    assert_int_equal(client(rig,
                            (struct message){.type = CLIENT_VARIABLE,
                                             .words = {RUNTIME_CALL_cudaMemcpyToSymbol, 0},
                                             .payload = "edge",
                                             .payload_bytes = 4},
                            &reply),
                     0);
    struct message fill = {.type = CLIENT_FILL,
                           .words = {RUNTIME_CALL_cudaMemset, reply.words[0], 4, 4, 1, 5}};
    struct message download = {
        .type = CLIENT_DOWNLOAD,
        .words = {RUNTIME_CALL_cudaMemcpyFromSymbol, reply.words[0], 4, 4, 1}};
    assert_int_equal(client(rig, fill, &reply), 0);
    assert_int_equal(client(rig, download, &reply), 0);
    assert_memory_equal(reply.payload, "\5\5\5\5", 4);
    assert_int_equal(ask(rig, CLIENT_RESET, 0, 0), 0);
    assert_int_equal(client(rig, download, &reply), 0);
    assert_memory_equal(reply.payload, "\0\0\0\0", 4);
    end_program(rig);
}

static void the_address_of_a_crash_is_told(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    send_client(rig, (struct message){.type = CLIENT_CRASH, .words = {0, 0x100000000123}});
    end_program(rig);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), ERROR_NONE);
    assert_int_equal(reply.words[3], 0x100000000123);
}

static void areas_are_checked(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    const uint64_t areas[][4] = {
        {address, 0, 65, 1},
        {address + 1, 0, 64, 1},
        {address - 1, 0, 4, 1},
        {address, 3, 4, 2},
        {address, 61, 4, 2},
        {address, UINT64_MAX, 4, 3},
        {address, 4, UINT64_MAX, 1},
        {address, 0, 0, 1},
        {address, 4, 4, 0},
        {address, 1ull << 63, 1, 3},
        {0, 4, 4, 1},
        {UINT64_MAX, 4, 4, 1},
        {address, 4, 4, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
        struct message request = {.type = CLIENT_DOWNLOAD, .words = {RUNTIME_CALL_cudaMemcpy}};

        memcpy(request.words + 1, areas[i], sizeof(areas[i]));
        assert_int_equal(client(rig, request, &reply), CUDA_STATUS_INVALID_VALUE);
    }
    end_program(rig);
}

static void operands_of_libraries_are_checked(void **state)
{
    struct rig *rig = *state;
    const uint64_t name = client_operand_pack("A"), call = RUNTIME_CALL_cublasSgemm;
    struct message reply;
    uint64_t count;

    send_resume(rig);
    const uint64_t address = allocate(rig, 64);
    const struct message good = {.type = CLIENT_TOUCH,
                                 .words = {call, address, 32, 16, 2, 4, 1, name}};
    const struct message bad = {.type = CLIENT_TOUCH,
                                .words = {call, address, 32, 16, 3, 4, 1, name}};
    assert_int_equal(client(rig, good, &reply), 0);
    assert_int_equal(client(rig, bad, &reply), CUDA_STATUS_INVALID_VALUE);
    end_program(rig);
    const struct control_call_error error = logged_error(rig, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(error.memory, CONTROL_CALL_OUTSIDE);
    assert_string_equal(error.call, "cublasSgemm");
    assert_string_equal(error.message,
                        "goes past the end of `A`: 3 times 4 elements, 8 apart, take 80 "
                        "bytes, and 64 are there");
}

static void codes_are_those_of_cuda(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 1ull << 40, 0), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 1ull << 60, 0), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_FREE, address + 4, 0), CUDA_STATUS_INVALID_VALUE);
    assert_int_equal(ask(rig, CLIENT_FREE, address, 0), 0);
    assert_int_equal(ask(rig, CLIENT_FREE, address, 0), CUDA_STATUS_INVALID_VALUE);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 63, address), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 64, 1), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 64, UINT64_MAX), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 64, address), 0);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 64, address), CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(ask(rig, CLIENT_FREE, address, 0), 0);
    address = allocate(rig, 64);
    const struct {
        uint32_t grid, block;
        uint64_t shared;
        uint32_t status;
    } rows[] = {
        {1, 2000, 0, CUDA_STATUS_INVALID_VALUE},
        {0, 32, 0, CUDA_STATUS_INVALID_VALUE},
        {1, 0, 0, CUDA_STATUS_INVALID_VALUE},
        {1, 32, 300000, CUDA_STATUS_INVALID_VALUE},
        {1, 32, 49152 - 1023, CUDA_STATUS_INVALID_VALUE},
        {1, 32, 49152 - 1024, CUDA_STATUS_SUCCESS},
        {1, 513, 0, CUDA_STATUS_LAUNCH_OUT_OF_RESOURCES},
        {0x7fffffff, 512, 0, CUDA_STATUS_SUCCESS},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(
            client(rig, launch_message(address, rows[i].grid, rows[i].block, rows[i].shared),
                   &reply),
            rows[i].status);
    }
    struct message deep = launch_message(address, 1, 1, 0);
    deep.words[4] = (uint64_t)65 << 32 | 1;
    assert_int_equal(client(rig, deep, &reply), CUDA_STATUS_INVALID_VALUE);
    assert_int_equal(fake.launches, 2);
    end_program(rig);
}

static void a_raised_limit_lets_more_shared_memory(void **state)
{
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    assert_int_equal(ask(rig, CLIENT_SET_SHARED, 0, 232448 - 1023), CUDA_STATUS_INVALID_VALUE);
    assert_int_equal(ask(rig, CLIENT_SET_SHARED, 0, 100000), 0);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 100000), &reply), 0);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 100001), &reply),
                     CUDA_STATUS_INVALID_VALUE);
    end_program(rig);
}

static void an_observed_launch_is_held_and_probed(void **state)
{
    struct rig *rig = *state;
    struct message reply, event;
    uint32_t word = 0;

    observe(rig);
    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_FILL,
                                .words = {RUNTIME_CALL_cudaMemset, address, 64, 64, 1, 0}},
               &reply),
        0);
    send_client(rig, launch_message(address, 3, 64, 128));
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LAUNCH);
    assert_int_equal(event.words[3] & UINT32_MAX, 3);
    assert_int_equal(event.words[4] & UINT32_MAX, 64);
    assert_int_equal(event.words[5], 128);
    assert_int_equal(event.words[6], 1);
    assert_int_equal(event.payload_bytes, FAKE_PARAMETER_BYTES);
    assert_memory_equal(event.payload, &address, sizeof(address));

    struct message trace = {.type = CONTROL_TRACE, .words = {address, 4}};
    assert_int_equal(control(rig, trace, &reply), ERROR_INTERNAL); /* there is no snapshot */
    assert_int_equal(control(rig, (struct message){.type = CONTROL_SNAPSHOT}, &reply), 0);
    assert_int_equal(control(rig, trace, &reply), ERROR_UNSUPPORTED);
    trace.words[1] = 0;
    assert_int_equal(control(rig, trace, &reply), ERROR_INTERNAL);
    struct message resume = {.type = CONTROL_RESUME};
    assert_int_equal(control(rig, resume, &reply), ERROR_INTERNAL);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_PROBE}, &reply), 0);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_PROBE}, &reply), 0);
    assert_int_equal(
        control(rig, (struct message){.type = CONTROL_READ, .words = {address, 4}}, &reply), 0);
    memcpy(&word, reply.payload, sizeof(word));
    assert_int_equal(word, 2);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_RESTORE}, &reply), 0);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_DISCARD}, &reply), 0);

    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    end_program(rig);
    assert_int_equal(
        control(rig, (struct message){.type = CONTROL_READ, .words = {address, 4}}, &reply), 0);
    memcpy(&word, reply.payload, sizeof(word));
    assert_int_equal(word, 1);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), 0);
    assert_int_equal(reply.words[0], 1);
}

/* Lets `passes` launches of the observed kernel pass; returns how often it was launched. */
static uint64_t let_pass(struct rig *rig, uint64_t passes, uint64_t *out_last)
{
    struct message reply;

    assert_int_equal(control(rig,
                             (struct message){.type = CONTROL_OBSERVE,
                                              .words = {0, 1, passes},
                                              .payload = "fill",
                                              .payload_bytes = 4},
                             &reply),
                     ERROR_NONE);
    *out_last = reply.words[1];
    return reply.words[0];
}

/* Launches like the one that was held pass and are counted; another one is held. */
static void launches_that_are_alike_pass(void **state)
{
    struct rig *rig = *state;
    struct message reply, event;
    uint64_t last = 7;

    assert_int_equal(let_pass(rig, 5, &last), 0);
    assert_int_equal(last, 0);
    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    send_client(rig, launch_message(address, 1, 32, 0)); /* nothing was held that it is like */
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LAUNCH);
    assert_int_equal(let_pass(rig, 2, &last), 1);
    assert_int_equal(last, 1);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 0), &reply), 0);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 0), &reply), 0);
    send_client(rig, launch_message(address, 1, 32, 0));
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LAUNCH);
    assert_int_equal(let_pass(rig, UINT64_MAX, &last), 4);
    assert_int_equal(last, 4);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    send_client(rig, launch_message(address, 1, 16, 0)); /* not alike */
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LAUNCH);
    assert_int_equal(event.words[4] & UINT32_MAX, 16);
    assert_int_equal(let_pass(rig, UINT64_MAX, &last), 5);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    assert_int_equal(client(rig, launch_message(address, 1, 16, 0), &reply), 0);
    end_program(rig);
    assert_int_equal(let_pass(rig, 0, &last), 6);
}

static void a_bad_observed_launch_does_not_stop(void **state)
{
    struct rig *rig = *state;
    struct message reply;
    uint64_t count;

    observe(rig);
    send_resume(rig);
    assert_int_equal(client(rig, launch_message(0, 1, 2000, 0), &reply), CUDA_STATUS_INVALID_VALUE);
    end_program(rig);
    struct control_call_error error = logged_error(rig, 0, &count);
    assert_int_equal(count, 1);
    assert_string_equal(error.call, "launch");
    assert_string_equal(error.kernel, "fill");
    assert_non_null(strstr(error.message, "a block of 2000 threads"));
    assert_int_equal(error.fetched, 0);
}

static void errors_are_merged_and_fetched(void **state)
{
    struct rig *rig = *state;
    uint64_t count;

    send_resume(rig);
    for (int round = 0; round < 3; round++) {
        ask(rig, CLIENT_FREE, 5, 0);
        ask(rig, CLIENT_FREE, 5, 0);
        ask(rig, CLIENT_FETCHED, 0, 0);
    }
    ask(rig, CLIENT_FREE, 5, 0);
    end_program(rig);
    struct control_call_error error = logged_error(rig, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(error.count, 6);
    assert_int_equal(error.fetched, 1);
    error = logged_error(rig, 1, &count);
    assert_int_equal(error.count, 1);
    assert_int_equal(error.fetched, 0);
}

/* Calls are bounded, and cost no launch that failed. */
static void the_log_is_bounded(void **state)
{
    struct rig *rig = *state;
    struct message reply;
    uint64_t count;

    send_resume(rig);
    for (uint64_t i = 0; i < 300; i++) {
        ask(rig, CLIENT_FREE, DEVICE_WINDOW_START + 8 + i, 0);
    }
    assert_int_not_equal(client(rig, launch_message(0, 1, 4096, 0), &reply), 0);
    end_program(rig);
    struct control_call_error error = logged_error(rig, 128, &count);
    assert_int_equal(count, 130);
    assert_string_not_equal(error.kernel, "");
    error = logged_error(rig, 129, &count);
    assert_int_equal(error.count, 172);
}

static void a_fault_is_reported_and_sticks(void **state)
{
    struct finding_record finding = {
        .kind = FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, .place_count = 1, .count = 5};
    struct rig *rig = *state;
    struct message reply;
    uint64_t count;

    send_resume(rig);
    uint64_t address = allocate(rig, 64);
    fake_result.findings = &finding;
    fake_result.finding_count = 1;
    assert_int_equal(client(rig, launch_message(address, 1, 32, 0), &reply), 0);
    fake_result.finding_count = 0;
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 4, 0), 0);
    assert_int_equal(ask(rig, CLIENT_SYNCHRONISE, 0, 0), CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(ask(rig, CLIENT_ALLOCATE, 4, 0), CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 0), &reply),
                     CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(ask(rig, CLIENT_RESET, 0, 0), 0);
    address = allocate(rig, 64);
    assert_int_equal(client(rig, launch_message(address, 1, 32, 0), &reply), 0);
    end_program(rig);
    struct control_call_error error = logged_error(rig, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(error.cuda_error, CUDA_STATUS_ILLEGAL_ADDRESS);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), 0);
    assert_int_equal(reply.words[0], 2);
    assert_int_equal(reply.words[1], 1);
}

static void ends_of_launches_have_their_codes(void **state)
{
    const struct {
        enum launch_status status;
        uint32_t kind, code;
    } rows[] = {
        {LAUNCH_DONE, FINDING_RECORD_MISALIGNED, CUDA_STATUS_MISALIGNED_ADDRESS},
        {LAUNCH_DONE, FINDING_RECORD_BARRIER_DIVERGENT, CUDA_STATUS_SUCCESS},
        {LAUNCH_FAULT, FINDING_RECORD_TRAP, CUDA_STATUS_LAUNCH_FAILURE},
        {LAUNCH_FAULT, FINDING_RECORD_BARRIER_DEADLOCK, CUDA_STATUS_LAUNCH_TIMEOUT},
        {LAUNCH_UNSUPPORTED, FINDING_RECORD_UNKNOWN_INSTRUCTION, CUDA_STATUS_NOT_SUPPORTED},
        {LAUNCH_DEADLINE, FINDING_RECORD_MISALIGNED, CUDA_STATUS_LAUNCH_TIMEOUT},
    };
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct finding_record finding = {.kind = rows[i].kind, .place_count = 1, .count = 1};

        fake_result.status = rows[i].status;
        fake_result.findings = &finding;
        fake_result.finding_count = 1;
        assert_int_equal(client(rig, launch_message(0, 1, 32, 0), &reply), 0);
        assert_int_equal(ask(rig, CLIENT_SYNCHRONISE, 0, 0), rows[i].code);
        assert_int_equal(ask(rig, CLIENT_RESET, 0, 0), 0);
    }
    /* behind one that did too much work none runs any more */
    fake_result.status = LAUNCH_DONE;
    fake_result.finding_count = 0;
    assert_int_equal(client(rig, launch_message(0, 1, 32, 0), &reply), CUDA_STATUS_LAUNCH_TIMEOUT);
    end_program(rig);
}

/* A launch gets its limit, or what is left of that of all launches. */
static void work_is_allowed_and_added_up(void **state)
{
    struct rig *rig = *state;
    const struct message allow = {.type = CONTROL_WORK, .words = {1000}};
    struct message reply;

    assert_int_equal(control(rig, allow, &reply), 0);
    send_resume(rig);
    fake_result.counters.work = 400;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(client(rig, launch_message(0, 1, 32, 0), &reply), 0);
        assert_int_equal(fake_work_limit, i < 3 ? 1000 : FAKE_TOTAL_WORK - 3 * 400);
    }
    fake_result.counters.work = FAKE_TOTAL_WORK;
    assert_int_equal(client(rig, launch_message(0, 1, 32, 0), &reply), 0);
    assert_int_equal(client(rig, launch_message(0, 1, 32, 0), &reply), 0);
    assert_int_equal(fake_work_limit, 1);
    end_program(rig);
}

static void occupancy_waits_for_registers(void **state)
{
    struct control_resources record = {"fill", 64, 1024, 0, 352, 0, 0};
    struct rig *rig = *state;
    struct message reply, event;
    struct text bytes;

    send_resume(rig);
    send_client(rig, (struct message){.type = CLIENT_OCCUPANCY,
                                      .words = {RUNTIME_CALL_cudaFuncGetAttributes, 0, 256, 0}});
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_RESOURCES);
    assert_int_equal(event.words[1], 0);
    text_init(&bytes);
    control_resources_pack(&record, &bytes);
    assert_int_equal(control(rig,
                             (struct message){.type = CONTROL_RESOURCES,
                                              .payload = bytes.bytes,
                                              .payload_bytes = bytes.length},
                             &reply),
                     ERROR_NONE);
    text_release(&bytes);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    assert_int_equal(reply.words[0], 4); /* 65536 registers, 256 threads of 64 */
    assert_int_equal(client(rig,
                            (struct message){.type = CLIENT_ATTRIBUTES,
                                             .words = {RUNTIME_CALL_cudaFuncGetAttributes, 0}},
                            &reply),
                     0);
    assert_int_equal(reply.words[3], 512);
    assert_int_equal(reply.words[4], 64);
    assert_int_equal(reply.words[7], 49152 - 1024);
    end_program(rig);
}

static void registers_that_are_not_told_are_an_error(void **state)
{
    struct rig *rig = *state;
    struct message reply, event;

    send_resume(rig);
    send_client(rig, (struct message){.type = CLIENT_ATTRIBUTES,
                                      .words = {RUNTIME_CALL_cudaFuncGetAttributes, 0}});
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_RESOURCES);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), CUDA_STATUS_UNKNOWN);
    end_program(rig);
}

static void markers_are_events(void **state)
{
    struct rig *rig = *state;
    struct message reply, event;

    send_resume(rig);
    for (uint64_t begin = 2; begin-- > 0;) {
        send_client(rig, (struct message){.type = CLIENT_MARKER,
                                          .words = {RUNTIME_CALL_cudaProfilerStart, begin}});
        assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_MARKER);
        assert_int_equal(event.words[1], begin);
        send_resume(rig);
        assert_int_equal(receive_client(rig, &reply), 0);
        assert_int_equal(reply.words[0], 0); /* no judged call has begun */
    }
    end_program(rig);
}

/* Holds the program at a mark. */
static void hold_at_mark(struct rig *rig, enum client_mark mark)
{
    struct message event;

    send_client(rig, (struct message){.type = CLIENT_MARKER,
                                      .words = {RUNTIME_CALL_cudaProfilerStart, mark}});
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_MARKER);
}

/* Lets it go on. */
static void let_go(struct rig *rig)
{
    struct message reply;

    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
}

/* Begins a call of one operand: 8 bytes may go to the host, 8 from it, 2 launches be made. */
static enum error begin_call(struct rig *rig, uint64_t operand)
{
    static uint8_t operands[8];
    struct message reply;

    little_put_u64(operands, operand);
    return control(rig,
                   (struct message){.type = CONTROL_CALL,
                                    .words = {0, 0, 8, 8, 2},
                                    .payload = operands,
                                    .payload_bytes = sizeof(operands)},
                   &reply);
}

/* Ends the call; returns its record, and of its kernels the first. */
static struct call_record end_call(struct rig *rig, struct call_kernel_record *out_kernel)
{
    struct call_record record;
    struct message reply;

    assert_int_equal(control(rig, (struct message){.type = CONTROL_CALL_END}, &reply), ERROR_NONE);
    assert_true(reply.payload_bytes >= CALL_RECORD_BYTES);
    const uint8_t *bytes = reply.payload;
    call_record_unpack(bytes, &record);
    memset(out_kernel, 0, sizeof(*out_kernel));
    if (record.kernels > 0) {
        call_kernel_record_unpack(
            bytes + CALL_RECORD_BYTES + record.findings * FINDING_RECORD_BYTES, out_kernel);
    }
    return record;
}

static void copy_bytes(struct rig *rig, enum client_message type, uint64_t address, uint64_t bytes)
{
    static const uint8_t zeros[64];
    struct message reply;
    struct message request = {.type = type,
                              .words = {RUNTIME_CALL_cudaMemcpy, address, bytes, bytes, 1}};

    if (type == CLIENT_UPLOAD) {
        request.payload = zeros;
        request.payload_bytes = bytes;
    }
    assert_int_equal(client(rig, request, &reply), 0);
}

/* The first launch of a kernel in a call, which is held. */
static uint32_t first_launch(struct rig *rig, struct message request)
{
    struct message event, reply;

    send_client(rig, request);
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LAUNCH);
    send_resume(rig);
    return receive_client(rig, &reply);
}

/* Uploads what may be a texture object. */
static void upload_texture(struct rig *rig, uint64_t address, const struct texture_record *texture)
{
    struct message reply;

    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_UPLOAD,
                                .words = {RUNTIME_CALL_cudaCreateTextureObject, address,
                                          sizeof(*texture), sizeof(*texture), 1},
                                .payload = texture,
                                .payload_bytes = sizeof(*texture)},
               &reply),
        0);
}

static void as_many_texture_objects_as_launches_carry_no_data(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct texture_record texture = {.magic = TEXTURE_MAGIC,
                                     .dimensions = 1,
                                     .width = 1,
                                     .height = 1,
                                     .depth = 1,
                                     .levels = 1,
                                     .channels = 1,
                                     .channel_bytes = 4};

    send_resume(rig);
    uint64_t operand = allocate(rig, 64), object = allocate(rig, sizeof(texture));
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    let_go(rig);
    upload_texture(rig, object, &texture);
    upload_texture(rig, object, &texture);
    upload_texture(rig, object, &texture); /* 2 launches are allowed */
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    assert_int_equal(end_call(rig, &kernel).host_writes, sizeof(texture));
    let_go(rig);
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    let_go(rig);
    texture.magic = 0; /* it is data */
    upload_texture(rig, object, &texture);
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    assert_int_equal(end_call(rig, &kernel).host_writes, sizeof(texture));
    let_go(rig);
}

/* The program's own allocations have so many records; operands always have theirs. */
static void other_allocations_leave_room_for_what_is_judged(void **state)
{
    enum { OTHERS_MAX = 1 << 14, TOLD = OTHERS_MAX + 2 };
    static struct count_record counts[TOLD];
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct message reply;

    send_resume(rig);
    uint64_t operand = allocate(rig, 64);
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    for (size_t i = 0; i < TOLD; i++) {
        counts[i] = (struct count_record){
            .kind = COUNT_RECORD_ALLOCATION, .line = 1, .address = operand + 64 * (TOLD - 1 - i)};
    }
    fake_result.is_counted = true;
    fake_result.counts = counts;
    fake_result.count_count = TOLD;
    assert_int_equal(first_launch(rig, launch_message(operand, 1, 32, 0)), 0);
    assert_int_equal(client(rig, launch_message(operand, 1, 32, 0), &reply), 0);
    fake_result.is_counted = false;
    fake_result.count_count = 0;
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    assert_int_equal(end_call(rig, &kernel).launches, 2);
    assert_int_equal(kernel.is_counted, 1);
    assert_int_equal(kernel.counts, OTHERS_MAX + 1); /* and the operand, which came last */
    let_go(rig);
}

static void a_call_counts_what_is_asked(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct message reply;

    send_resume(rig);
    uint64_t operand = allocate(rig, 64), other = allocate(rig, 64);
    copy_bytes(rig, CLIENT_UPLOAD, operand, 64); /* before it begins */
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    assert_int_equal(reply.words[0], 1); /* the program is told that it has begun */
    copy_bytes(rig, CLIENT_UPLOAD, operand, 12);
    copy_bytes(rig, CLIENT_DOWNLOAD, other, 4);
    copy_bytes(rig, CLIENT_DOWNLOAD, operand, 4);
    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_COPY,
                                .words = {RUNTIME_CALL_cudaMemcpy, other, 32, operand, 32, 32, 1}},
               &reply),
        0);
    assert_int_equal(
        client(rig,
               (struct message){.type = CLIENT_FILL,
                                .words = {RUNTIME_CALL_cudaMemset, operand, 64, 64, 1, 0}},
               &reply),
        0);
    assert_int_equal(first_launch(rig, launch_message(operand, 1, 32, 0)), 0);
    for (size_t i = 1; i < 4; i++) { /* what is beyond the bound is not run */
        assert_int_equal(client(rig, launch_message(operand, 1, 32, 0), &reply), 0);
    }
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    struct call_record record = end_call(rig, &kernel);
    assert_int_equal(record.host_writes, 12 + 4); /* a set has one value */
    assert_int_equal(record.host_reads, 4 + 4);
    assert_int_equal(record.copies, 1);
    assert_int_equal(record.sets, 1);
    assert_int_equal(record.copied_to[0], 12 + 64);
    assert_int_equal(record.copied_from[0], 4 + 32);
    assert_int_equal(record.copy_launches[0], 0);
    assert_int_equal(record.copy_offsets[0], 0);
    assert_int_equal(record.copy_sets, 1); /* the last one was the set */
    assert_int_equal(record.launches, 3);
    assert_int_equal(fake.launches, 3);
    assert_int_equal(record.kernels, 1);
    assert_int_equal(kernel.launches, 3);
    for (size_t i = 0; i < CALL_REQUEST_WAIT; i++) {
        assert_int_equal(record.most_sites[i], 0); /* the program has told none */
    }
    let_go(rig);
    copy_bytes(rig, CLIENT_DOWNLOAD, operand, 64); /* after its end */
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    record = end_call(rig, &kernel);
    assert_int_equal(record.host_reads, 0);
    assert_int_equal(record.kernels, 0);
    let_go(rig);
    end_program(rig);
}

/* A loop of a graph asks once for each turn: 1 bit each, until they make the next byte. */
static void decisions_count_by_bits(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct message reply, decide = {.type = CLIENT_DECIDE, .words = {RUNTIME_CALL_cudaGraphLaunch}};
    static const struct {
        uint64_t highest;
        size_t times;
        uint64_t value, bytes;
    } rows[] = {
        {1, 8, 1, 1}, {1, 9, 1, 2}, {3, 1, 3, 1}, {3, 5, 3, 2}, {UINT32_MAX, 1, 0x01010101, 4},
    };

    send_resume(rig);
    const uint64_t operand = allocate(rig, 64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hold_at_mark(rig, CLIENT_MARK_OPERAND);
        assert_int_equal(begin_call(rig, operand), ERROR_NONE);
        send_resume(rig);
        assert_int_equal(receive_client(rig, &reply), 0);
        assert_int_equal(
            client(rig,
                   (struct message){.type = CLIENT_FILL,
                                    .words = {RUNTIME_CALL_cudaMemset, operand, 64, 64, 1, 1}},
                   &reply),
            0);
        decide.words[1] = operand + 4;
        decide.words[2] = rows[i].highest;
        for (size_t k = 0; k < rows[i].times; k++) {
            assert_int_equal(client(rig, decide, &reply), 0);
            assert_int_equal(reply.words[0], rows[i].value);
        }
        hold_at_mark(rig, CLIENT_MARK_CALL_END);
        const struct call_record record = end_call(rig, &kernel);
        assert_int_equal(record.host_reads, rows[i].bytes);
        let_go(rig);
    }
    decide.words[1] = operand + 62; /* past its end */
    assert_int_equal(client(rig, decide, &reply), CUDA_STATUS_INVALID_VALUE);
    end_program(rig);
}

/* Asks for something at a place of the program. */
static void ask_at(struct rig *rig, uint32_t site, struct message request)
{
    const struct client_origin origin = {.call = (uint32_t)request.words[0], .site = site};
    struct message reply;

    request.words[0] = client_origin_pack(&origin);
    assert_int_equal(client(rig, request, &reply), 0);
}

static void a_call_knows_where_most_is_asked(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;

    send_resume(rig);
    uint64_t operand = allocate(rig, 64), other = allocate(rig, 64);
    for (uint32_t site = 1; site <= 4; site++) {
        struct message request = {.type = CLIENT_SITE, .words = {0, site, 0x1000 + site}};
        ask_at(rig, 0, request);
    }
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    send_resume(rig);
    struct message mark;
    assert_int_equal(receive_client(rig, &mark), 0);
    const struct message there = {
        .type = CLIENT_COPY, .words = {RUNTIME_CALL_cudaMemcpy, other, 32, operand, 32, 32, 1}};
    const struct message back = {
        .type = CLIENT_COPY,
        .words = {RUNTIME_CALL_cudaMemcpy, operand, 32, other + 20, 32, 32, 1}};
    ask_at(rig, 1, back);
    ask_at(rig, 2, there);
    ask_at(rig, 2, there);
    ask_at(rig, 3, back);
    ask_at(rig, 4,
           (struct message){.type = CLIENT_FILL,
                            .words = {RUNTIME_CALL_cudaMemset, other, 64, 64, 1, 0}});
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    const struct call_record record = end_call(rig, &kernel);
    assert_int_equal(record.most_sites[CALL_REQUEST_COPY], 2);
    assert_int_equal(record.most_sites[CALL_REQUEST_SET], 4);
    assert_int_equal(record.most_sites[CALL_REQUEST_LAUNCH], 0);
    assert_int_equal(record.copy_sites[0], 3); /* the last one to the operand */
    assert_int_equal(record.copy_offsets[0], 20);
    assert_int_equal(record.copy_sets, 0);
    let_go(rig);
    end_program(rig);
}

/* What a call could tell the program waits for its end. */
static void a_call_tells_nothing(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct message before, within, reply;

    send_resume(rig);
    uint64_t operand = allocate(rig, 64);
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    let_go(rig);
    struct message memory = {.type = CLIENT_MEMORY, .words = {RUNTIME_CALL_cudaMemGetInfo}};
    struct message time = {.type = CLIENT_TIME, .words = {RUNTIME_CALL_cudaEventRecord}};
    assert_int_equal(client(rig, memory, &before), 0);
    const uint64_t free_bytes = before.words[0];
    assert_int_equal(client(rig, time, &before), 0);
    const uint64_t now = before.words[0];
    allocate(rig, 4096);
    fake_result.status = LAUNCH_FAULT;
    fake_result.counters.lane_instructions = 1 << 20;
    assert_int_equal(first_launch(rig, launch_message(operand, 1, 32, 0)), 0);
    assert_int_equal(ask(rig, CLIENT_SYNCHRONISE, 0, 0), 0);
    assert_int_equal(client(rig, launch_message(operand, 1, 32, 0), &reply), 0);
    assert_int_equal(fake.launches, 1); /* after a fault nothing is run */
    assert_int_equal(client(rig, memory, &within), 0);
    assert_int_equal(within.words[0], free_bytes);
    assert_int_equal(client(rig, time, &within), 0);
    assert_int_equal(within.words[0], now);
    hold_at_mark(rig, CLIENT_MARK_CALL_END);
    struct call_record record = end_call(rig, &kernel);
    assert_int_equal(record.status, LAUNCH_FAULT);
    let_go(rig);
    assert_int_not_equal(ask(rig, CLIENT_SYNCHRONISE, 0, 0), 0); /* now it is told */
    assert_int_equal(client(rig, memory, &within), CUDA_STATUS_LAUNCH_FAILURE);
    end_program(rig);
}

/* The grader checks the marks, so a call that is out of order is its own mistake. */
static void calls_are_not_nested(void **state)
{
    struct rig *rig = *state;
    struct call_kernel_record kernel;
    struct message reply;

    send_resume(rig);
    uint64_t operand = allocate(rig, 64);
    hold_at_mark(rig, CLIENT_MARK_OPERAND);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_CALL_END}, &reply),
                     ERROR_INTERNAL);
    assert_int_equal(begin_call(rig, operand), ERROR_NONE);
    assert_int_equal(begin_call(rig, operand), ERROR_INTERNAL);
    end_call(rig, &kernel);
    let_go(rig);
    end_program(rig);
}

/* FIND says of what the host may share it that it may. */
static void shared_memory_of_the_host_is_told(void **state)
{
    static const struct {
        uint32_t call;
        uint64_t may_be_shared;
    } rows[] = {{RUNTIME_CALL_cudaMalloc, 0},
                {RUNTIME_CALL_cudaMallocAsync, 0},
                {RUNTIME_CALL_cudaMallocManaged, 1},
                {RUNTIME_CALL_cudaHostAlloc, 1},
                {RUNTIME_CALL_cudaLaunchKernel, 1}};
    struct rig *rig = *state;
    struct message reply;

    send_resume(rig);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(
            client(rig, (struct message){.type = CLIENT_ALLOCATE, .words = {rows[i].call, 64}},
                   &reply),
            0);
        const uint64_t address = reply.words[0];
        hold_at_mark(rig, CLIENT_MARK_OPERAND);
        assert_int_equal(
            control(rig, (struct message){.type = CONTROL_FIND, .words = {address}}, &reply),
            ERROR_NONE);
        assert_int_equal(reply.words[3], rows[i].may_be_shared);
        let_go(rig);
    }
    end_program(rig);
}

static void modules_are_found_by_offset(void **state)
{
    struct rig *rig = *state;
    struct message reply, event;

    send_resume(rig);
    assert_int_equal(ask(rig, CLIENT_MODULE, SECTION + 0x40, 0), 0);
    assert_int_equal(client(rig,
                            (struct message){.type = CLIENT_KERNEL,
                                             .words = {RUNTIME_CALL_cudaLaunchKernel, 0},
                                             .payload = "fill",
                                             .payload_bytes = 4},
                            &reply),
                     0);
    assert_int_equal(reply.words[1], FAKE_PARAMETER_BYTES);
    assert_int_equal(reply.payload_bytes, 32);
    assert_int_equal(client(rig,
                            (struct message){.type = CLIENT_KERNEL,
                                             .words = {RUNTIME_CALL_cudaLaunchKernel, 0},
                                             .payload = "fil",
                                             .payload_bytes = 3},
                            &reply),
                     CUDA_STATUS_INVALID_DEVICE_FUNCTION);
    send_client(
        rig, (struct message){.type = CLIENT_MODULE,
                              .words = {RUNTIME_CALL_cudaLaunchKernel, SECTION + SECTION_BYTES}});
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_BROKEN);
    assert_memory_equal(event.payload, "foreign module", 14);
}

static void hostile_requests_break_the_channel(void **state)
{
    struct message rows[] = {
        {.type = CLIENT_ALLOCATE, .words = {0, 4}},
        {.type = CLIENT_ALLOCATE, .words = {RUNTIME_CALL_COUNT, 4}},
        {.type = CLIENT_LAUNCH, .words = {1, UINT64_MAX}},
        {.type = CLIENT_LAUNCH, .words = {1, 0, 1, 1, 1}},
        {.type = CLIENT_UPLOAD, .words = {1, 0, 0, 4, 1}, .payload = "a", .payload_bytes = 1},
        {.type = CLIENT_OCCUPANCY, .words = {1, 1, 32, 0}},
        {.type = CLIENT_ATTRIBUTES, .words = {1, (uint64_t)1 << 32}},
        {.type = CLIENT_SET_SHARED, .words = {1, 7, 0}},
        {.type = CLIENT_KERNEL, .words = {1, 9}, .payload = "fill", .payload_bytes = 4},
        {.type = CLIENT_VARIABLE, .words = {1, 9}, .payload = "edge", .payload_bytes = 4},
        {.type = CLIENT_MARKER, .words = {1, CLIENT_MARKS}},
        {.type = CLIENT_REFUSED, .words = {1, 1, REFUSAL_COUNT}},
        {.type = CLIENT_TOUCH, .words = {1, 0, 4, 4, 1, 0, 0, 'A'}},
        {.type = CLIENT_TOUCH, .words = {1, 0, 4, 6, 1, 4, 0, 'A'}},
        {.type = CLIENT_TOUCH, .words = {1, 0, 4, 4, 0, 4, 0, 'A'}},
        {.type = CLIENT_TOUCH, .words = {1, 0, UINT64_MAX, 4, 3, 4, 0, 'A'}},
        {.type = CLIENT_TOUCH, .words = {1, 0, 4, 4, 1, 4, 0, '\033'}},
        {.type = CLIENT_TOUCH, .words = {1, 0, 4, 4, 1, 4, 0, 0}},
        {.type = CLIENT_UNKNOWN, .payload = "a\033[31m", .payload_bytes = 6},
        {.type = CLIENT_CRASH, .words = {1, 8}},
        {.type = CLIENT_CHANGES, .words = {1, 0, 8}, .payload = "1234567", .payload_bytes = 7},
        {.type = CLIENT_CHANGES, .words = {1, 0, UINT64_MAX}},
        {.type = CLIENT_LOAD, .words = {1, 4}, .payload = "ptx", .payload_bytes = 3},
        {.type = CLIENT_COUNT},
    };
    struct message reply;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rig *rig;
        struct message event;

        open_rig((void **)&rig);
        send_resume(rig);
        if (rows[i].type == CLIENT_UPLOAD) {
            rows[i].words[1] = allocate(rig, 64);
        }
        send_client(rig, rows[i]);
        assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_BROKEN);
        assert_true(event.payload_bytes > 0);
        assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), 0);
        send_resume(rig);
        assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_GONE);
        close_rig((void **)&rig);
    }
}

static struct message load_message(uint64_t whole, const char *piece)
{
    return (struct message){.type = CLIENT_LOAD,
                            .words = {RUNTIME_CALL_cuModuleLoadData, whole},
                            .payload = piece,
                            .payload_bytes = strlen(piece)};
}

/* The log names the place of the last request if many came from there. */
static void the_busy_place_is_told(void **state)
{
    struct rig *rig = *state;
    const struct message wait = {.type = CLIENT_SYNCHRONISE,
                                 .words = {RUNTIME_CALL_cudaDeviceSynchronize}};
    struct message reply;

    send_resume(rig);
    for (uint32_t site = 1; site <= 2; site++) {
        ask_at(rig, 0, (struct message){.type = CLIENT_SITE, .words = {0, site, 0x1000 + site}});
    }
    for (size_t i = 0; i < SERVER_BUSY_REQUESTS; i++) {
        ask_at(rig, 2, wait);
    }
    end_program(rig);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), ERROR_NONE);
    assert_int_equal(reply.words[8] >> 32, 2);
}

static void a_place_of_few_requests_is_not_told(void **state)
{
    struct rig *rig = *state;
    const struct message wait = {.type = CLIENT_SYNCHRONISE,
                                 .words = {RUNTIME_CALL_cudaDeviceSynchronize}};
    struct message reply;

    send_resume(rig);
    ask_at(rig, 0, (struct message){.type = CLIENT_SITE, .words = {0, 1, 0x1001}});
    for (size_t i = 0; i + 1 < SERVER_BUSY_REQUESTS; i++) {
        ask_at(rig, 1, wait);
    }
    end_program(rig);
    assert_int_equal(control(rig, (struct message){.type = CONTROL_LOG}, &reply), ERROR_NONE);
    assert_int_equal(reply.words[8], 0);
}

/* Where a program may bring modules, they come in pieces; the grader loads them, or does not. */
static void modules_are_brought(void **state)
{
    struct message reply, event;
    struct rig *rig;

    (void)state;
    rig_flags = CONTROL_DEVICE_LOADS;
    open_rig((void **)&rig);
    send_resume(rig);
    assert_int_equal(client(rig, load_message(UINT64_MAX, "p"), &reply),
                     CUDA_STATUS_MEMORY_ALLOCATION);
    assert_int_equal(client(rig, load_message(3, "p"), &reply), 0);
    assert_int_equal(reply.words[0], 2);
    send_client(rig, load_message(3, "tx"));
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LOAD);
    assert_int_equal(event.payload_bytes, 3);
    assert_memory_equal(event.payload, "ptx", 3);
    assert_int_equal(control(rig,
                             (struct message){.type = CONTROL_MODULE,
                                              .words = {CONTROL_LOADED_MODULE, 3},
                                              .payload = "ptx",
                                              .payload_bytes = 3},
                             &reply),
                     ERROR_NONE);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), 0);
    assert_int_equal(reply.words[1], 1);
    assert_int_equal(ask(rig, CLIENT_VARIABLE, 1, 0), CUDA_STATUS_SYMBOL_NOT_FOUND);

    send_client(rig, load_message(2, "no"));
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_LOAD);
    send_resume(rig);
    assert_int_equal(receive_client(rig, &reply), CUDA_STATUS_NO_KERNEL_IMAGE_FOR_DEVICE);
    assert_int_equal(client(rig, load_message(2, "n"), &reply), 0);
    assert_int_equal(client(rig, load_message(UINT64_MAX, "o"), &reply),
                     CUDA_STATUS_MEMORY_ALLOCATION); /* more than it said before */
    send_client(rig, load_message(1, "no"));
    assert_int_equal(receive_event(rig, &event), CONTROL_EVENT_BROKEN);
    close_rig((void **)&rig);
    rig_flags = 0;
}

static void control_mistakes_get_a_message(void **state)
{
    struct message rows[] = {
        {.type = CONTROL_CONFIGURE, .payload = "H200", .payload_bytes = 4},
        {.type = CONTROL_MODULE},
        {.type = CONTROL_MODULE, .words = {0x80, 4}, .payload = "ptx", .payload_bytes = 3},
        {.type = CONTROL_MODULE, .words = {0x80, UINT64_MAX}},
        {.type = CONTROL_OBSERVE, .words = {3, 1}, .payload = "fill", .payload_bytes = 4},
        {.type = CONTROL_OBSERVE, .words = {0, 1}, .payload = "x", .payload_bytes = 1},
        {.type = CONTROL_STAND_IN, .words = {3, 0, 0}},
        {.type = CONTROL_STAND_IN, .words = {0, UINT64_MAX, 0}},
        {.type = CONTROL_STAND_IN, .words = {0, 0, UINT64_MAX}},
        {.type = CONTROL_RESOURCES, .payload = "zz", .payload_bytes = 2},
        {.type = CONTROL_READ, .words = {4, 4}},
        {.type = CONTROL_READ, .words = {DEVICE_WINDOW_START, 1 << 29}},
        {.type = CONTROL_WRITE, .words = {4}, .payload = "zz", .payload_bytes = 2},
        {.type = CONTROL_FILL, .words = {4, 4, 0}},
        {.type = CONTROL_FIND, .words = {4}},
        {.type = CONTROL_SYMBOL, .payload = "x", .payload_bytes = 1},
        {.type = CONTROL_RESTORE},
        {.type = CONTROL_DISCARD},
        {.type = CONTROL_PROBE},
        {.type = CONTROL_TIME},
        {.type = CONTROL_TRACE, .words = {DEVICE_WINDOW_START, 4}},
        {.type = CONTROL_GPUS},
    };
    struct rig *rig = *state;
    struct message reply;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_not_equal(control(rig, rows[i], &reply), ERROR_NONE);
        assert_true(reply.payload_bytes > 0);
    }
    assert_int_equal(
        control(rig,
                (struct message){.type = CONTROL_SYMBOL, .payload = "edge", .payload_bytes = 4},
                &reply),
        ERROR_NONE);
    assert_int_equal(reply.words[1], 4);
}

static void a_silent_program_does_not_hold_the_device(void **state)
{
    struct rig *rig = *state;

    send_resume(rig);
    assert_int_equal(write(rig->client_fds[1], "\1\0", 2), 2);
}

int main(void)
{
#define RIG_TEST(name) cmocka_unit_test_setup_teardown(name, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG_TEST(nothing_is_served_before_resume),
        RIG_TEST(copies_go_there_and_back),
        RIG_TEST(changes_are_told_by_page),
        RIG_TEST(a_reset_gives_variables_their_first_values),
        RIG_TEST(the_address_of_a_crash_is_told),
        RIG_TEST(the_busy_place_is_told),
        RIG_TEST(a_place_of_few_requests_is_not_told),
        RIG_TEST(areas_are_checked),
        RIG_TEST(operands_of_libraries_are_checked),
        RIG_TEST(codes_are_those_of_cuda),
        RIG_TEST(a_raised_limit_lets_more_shared_memory),
        RIG_TEST(an_observed_launch_is_held_and_probed),
        RIG_TEST(launches_that_are_alike_pass),
        RIG_TEST(a_bad_observed_launch_does_not_stop),
        RIG_TEST(errors_are_merged_and_fetched),
        RIG_TEST(the_log_is_bounded),
        RIG_TEST(a_fault_is_reported_and_sticks),
        RIG_TEST(ends_of_launches_have_their_codes),
        RIG_TEST(work_is_allowed_and_added_up),
        RIG_TEST(occupancy_waits_for_registers),
        RIG_TEST(registers_that_are_not_told_are_an_error),
        RIG_TEST(markers_are_events),
        RIG_TEST(other_allocations_leave_room_for_what_is_judged),
        RIG_TEST(a_call_counts_what_is_asked),
        RIG_TEST(decisions_count_by_bits),
        RIG_TEST(as_many_texture_objects_as_launches_carry_no_data),
        RIG_TEST(a_call_knows_where_most_is_asked),
        RIG_TEST(a_call_tells_nothing),
        RIG_TEST(calls_are_not_nested),
        RIG_TEST(shared_memory_of_the_host_is_told),
        RIG_TEST(modules_are_found_by_offset),
        cmocka_unit_test(hostile_requests_break_the_channel),
        cmocka_unit_test(modules_are_brought),
        RIG_TEST(control_mistakes_get_a_message),
        RIG_TEST(a_silent_program_does_not_hold_the_device),
    };
#undef RIG_TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
