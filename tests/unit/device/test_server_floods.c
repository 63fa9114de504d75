/* Tests of the server against programs that ask for much: many allocations, many rows, endless
 * allocating and freeing, long names. Each is answered with an error of the runtime, in time, and
 * the device goes on. */
#include "device/server.h"

#include "base/clock.h"
#include "occupancy/gpu_model_record.h"
#include "wire/client.h"
#include "wire/cuda_error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

enum { ALLOCATIONS = 1 << 16, SECTION = 0x5000, SECTION_BYTES = 0x1000 };
#define MEMORY_BYTES (UINT64_C(256) << 20)
#define LAUNCH_NS (CLOCK_NS_PER_S / 50)

static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k(.param .align 4 .b8 p[32764])\n{\nret;\n}\n";

static void control(struct server *server, struct message request)
{
    struct message reply;

    server_control(server, &request, &reply);
    assert_int_equal(reply.status, 0);
}

static struct server *open_server(void)
{
    static const struct server_devices devices = {.emulated = &device_emulated};
    struct server *server = server_new(&devices);
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct gpu_model model;

    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    gpu_model_pack(&model, record);
    control(server, (struct message){.type = CONTROL_CONFIGURE,
                                     .words = {MEMORY_BYTES, LAUNCH_NS, 1, SECTION, SECTION_BYTES},
                                     .payload = record,
                                     .payload_bytes = sizeof record});
    control(server, (struct message){.type = CONTROL_MODULE,
                                     .words = {0, sizeof ptx - 1},
                                     .payload = ptx,
                                     .payload_bytes = sizeof ptx - 1});
    return server;
}

static uint32_t ask(struct server *server, struct message request, uint64_t *out_word)
{
    struct message reply;

    request.words[0] = RUNTIME_CALL_cudaMalloc;
    assert_int_equal(server_client(server, &request, &reply), SERVER_STEP_REPLY);
    *out_word = reply.words[0];
    return reply.status;
}

static uint32_t allocate(struct server *server, uint64_t bytes, uint64_t *out_address)
{
    return ask(server, (struct message){.type = CLIENT_ALLOCATE, .words = {0, bytes}}, out_address);
}

static uint32_t free_memory(struct server *server, uint64_t address)
{
    uint64_t unused;

    return ask(server, (struct message){.type = CLIENT_FREE, .words = {0, address}}, &unused);
}

static void allocations_have_a_number(void **state)
{
    struct server *server = open_server();
    uint64_t address = 0;

    (void)state;
    for (int i = 0; i < ALLOCATIONS; i++) {
        assert_int_equal(allocate(server, 1, &address), 0);
    }
    assert_int_equal(allocate(server, 1, &address), CUDA_STATUS_MEMORY_ALLOCATION);
    printf("flood  server_memory   %d allocations: the next one is refused\n", ALLOCATIONS);
    uint64_t start_ns = clock_now_ns();
    assert_int_equal(ask(server, (struct message){.type = CLIENT_RESET}, &address), 0);
    assert_true(clock_now_ns() - start_ns < 120 * CLOCK_NS_PER_S);
    assert_int_equal(allocate(server, 1, &address), 0);
    server_free(server);
}

/* A copy that would take longer than a launch may is ended. */
static void rows_have_a_deadline(void **state)
{
    struct server *server = open_server();
    uint64_t address = 0, unused;
    uint64_t rows = UINT64_C(16) << 20;

    (void)state;
    assert_int_equal(allocate(server, 2 * rows, &address), 0);
    uint64_t start_ns = clock_now_ns();
    assert_int_equal(
        ask(server, (struct message){.type = CLIENT_FILL, .words = {0, address, 2, 1, rows, 7}},
            &unused),
        CUDA_STATUS_LAUNCH_TIMEOUT);
    assert_int_equal(
        ask(server,
            (struct message){.type = CLIENT_COPY, .words = {0, address, 2, address, 2, 1, rows}},
            &unused),
        CUDA_STATUS_LAUNCH_TIMEOUT);
    assert_true(clock_now_ns() - start_ns < 60 * CLOCK_NS_PER_S);
    /* As one row it takes no time. */
    assert_int_equal(
        ask(server, (struct message){.type = CLIENT_FILL, .words = {0, address, 0, 4096, 1, 7}},
            &unused),
        0);
    server_free(server);
}

/* Freed memory is given back, also where it shares a page with what lives. */
static void freed_memory_does_not_count(void **state)
{
    (void)state;
#if IS_SANITIZED
    skip(); /* the sanitizer's own memory is more than this limit */
#endif
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {UINT64_C(320) << 20, UINT64_C(320) << 20};
        struct server *server = open_server();
        uint64_t small[3], large = 0;

        setrlimit(RLIMIT_DATA, &limit);
        for (int i = 0; i < 60; i++) {
            if (allocate(server, 700, &small[i % 3]) != 0 ||
                allocate(server, (UINT64_C(24) << 20) + 100, &large) != 0 ||
                free_memory(server, large) != 0 ||
                (i % 2 == 1 && free_memory(server, small[i % 3]) != 0)) {
                _exit(1);
            }
        }
        server_free(server);
        _exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void long_names_are_answered(void **state)
{
    struct server *server = open_server();
    static char name[CLIENT_NAME_BYTES];
    uint64_t unused;

    (void)state;
    memset(name, 'k', sizeof name);
    const struct message kernel = {
        .type = CLIENT_KERNEL, .payload = name, .payload_bytes = sizeof name};
    struct message variable = kernel;
    variable.type = CLIENT_VARIABLE;
    assert_int_equal(ask(server, kernel, &unused), CUDA_STATUS_INVALID_DEVICE_FUNCTION);
    assert_int_equal(ask(server, variable, &unused), CUDA_STATUS_INVALID_SYMBOL);
    server_free(server);
}

/* The event of an observed launch holds all the parameters that CUDA allows. */
static void an_event_holds_all_parameters(void **state)
{
    struct server *server = open_server();
    static const uint8_t parameters[CLIENT_PARAMETERS_BYTES];
    const struct message launch = {.type = CLIENT_LAUNCH,
                                   .words = {RUNTIME_CALL_cudaLaunchKernel, 0,
                                             UINT64_C(1) << 32 | 1, UINT64_C(1) << 32 | 1,
                                             UINT64_C(1) << 32 | 1},
                                   .payload = parameters,
                                   .payload_bytes = sizeof parameters};
    uint8_t header[MESSAGE_HEADER_BYTES];
    struct message reply, event, same;

    (void)state;
    control(server,
            (struct message){
                .type = CONTROL_OBSERVE, .words = {0, 1}, .payload = "k", .payload_bytes = 1});
    assert_int_equal(server_client(server, &launch, &reply), SERVER_STEP_LAUNCH);
    server_event(server, SERVER_STEP_LAUNCH, &event);
    assert_int_equal(event.payload_bytes, sizeof parameters);
    message_header_pack(&event, header);
    assert_int_equal(message_header_unpack(header, true, control_format, &same, NULL), ERROR_NONE);
    server_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_have_a_number),     cmocka_unit_test(rows_have_a_deadline),
        cmocka_unit_test(freed_memory_does_not_count),   cmocka_unit_test(long_names_are_answered),
        cmocka_unit_test(an_event_holds_all_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
