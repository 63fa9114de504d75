/* test_server_gpu.c: what the server does with a real GPU, and with modules of the grader's own,
 * over a fake backend: requests go in directly, without channels. */
#include "device/server.h"

#include "occupancy/gpu_model_record.h"
#include "wire/client.h"
#include "wire/control.h"
#include "wire/cuda_error.h"

#include "fake_backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { SECTION = 0x5000, SECTION_BYTES = 0x1000, CALL = RUNTIME_CALL_cudaMalloc };

/* Two modules with the same names; `ptx` is what the server reads, the fake knows them anyway. */
static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n"
                          ".visible .global .align 4 .u32 edge;\n"
                          ".visible .entry fill(.param .u64 a, .param .u32 b)\n{\nret;\n}\n";

static struct message control(struct server *server, struct message request)
{
    struct message reply;

    server_control(server, &request, &reply);
    return reply;
}

static struct message serve(struct server *server, struct message request,
                            enum server_step expected)
{
    struct message reply = {.status = 0};

    assert_int_equal(server_client(server, &request, &reply), expected);
    return reply;
}

static struct message configure_gpu(const char *name)
{
    return (struct message){
        .type = CONTROL_CONFIGURE,
        .words = {1 << 19, 1000000000, 1, SECTION, SECTION_BYTES, CONTROL_DEVICE_GPU},
        .payload = name,
        .payload_bytes = strlen(name),
    };
}

static struct message load(uint64_t offset, size_t image_bytes)
{
    static char bytes[sizeof ptx + 16];

    memcpy(bytes, ptx, sizeof ptx);
    return (struct message){
        .type = CONTROL_MODULE,
        .words = {offset, sizeof ptx - 1},
        .payload = bytes,
        .payload_bytes = sizeof ptx - 1 + image_bytes,
    };
}

static struct message launch_of(uint64_t kernel)
{
    static uint8_t parameters[FAKE_PARAMETER_BYTES];

    return (struct message){
        .type = CLIENT_LAUNCH,
        .words = {CALL, kernel, UINT64_C(1) << 32 | 1, UINT64_C(32) << 32 | 1,
                  UINT64_C(1) << 32 | 1},
        .payload = parameters,
        .payload_bytes = sizeof parameters,
    };
}

/* A server with a real GPU, the program's module and one of the grader's own. */
static int open_gpu(void **state)
{
    struct server *server = server_new(&fake_devices);

    fake_fitting = 0;
    memset(&fake_timing, 0, sizeof fake_timing);
    assert_int_equal(control(server, configure_gpu("GPU-7")).status, 0);
    assert_int_equal(control(server, load(0x40, 5)).status, 0);
    assert_int_equal(fake.image_bytes, 5);
    struct message reply = control(server, load(CONTROL_OWN_MODULE, 7));
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.words[0], 1);
    assert_int_equal(fake.image_bytes, 7);
    *state = server;
    return 0;
}

static int close_gpu(void **state)
{
    server_free(*state);
    return 0;
}

static void configure_chooses_the_device(void **state)
{
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct device_properties properties;
    struct server *server = server_new(&fake_devices);
    char name[2 * CONTROL_UUID_BYTES];
    (void)state;

    memset(name, 'G', sizeof name);
    name[CONTROL_UUID_BYTES] = '\0';
    assert_int_not_equal(control(server, configure_gpu(name)).status, 0);
    struct message emulated = fake_configure("H200", SECTION, SECTION_BYTES, record);
    emulated.payload_bytes--;
    assert_int_not_equal(control(server, emulated).status, 0);
    assert_int_equal(control(server, configure_gpu("GPU-7")).status, 0);
    assert_string_equal(fake.gpu, "GPU-7");
    assert_int_equal(control(server, configure_gpu("GPU-7")).status, ERROR_INTERNAL);
    /* The properties are the GPU's own. */
    struct message hello = {.type = CLIENT_HELLO, .words = {CALL, CLIENT_PROTOCOL}};
    struct message reply = serve(server, hello, SERVER_STEP_REPLY);
    assert_true(device_properties_unpack(reply.payload, reply.payload_bytes, &properties));
    assert_int_equal(properties.multiprocessors, 7);
    server_free(server);

    server = server_new(&fake_devices);
    emulated.payload_bytes++;
    assert_int_equal(control(server, emulated).status, 0);
    assert_string_equal(fake.gpu, "");
    reply = serve(server, hello, SERVER_STEP_REPLY);
    assert_true(device_properties_unpack(reply.payload, reply.payload_bytes, &properties));
    assert_int_equal(properties.multiprocessors, 132);
    assert_int_equal(control(server, load(0x40, 5)).status, 0);
    assert_int_equal(fake.image_bytes, 0); /* it takes the text alone */
    server_free(server);

    static const struct server_devices without = {.emulated = &fake_backend};
    server = server_new(&without);
    assert_int_equal(control(server, configure_gpu("0")).status, ERROR_UNSUPPORTED);
    assert_int_equal(control(server, (struct message){.type = CONTROL_GPUS}).status,
                     ERROR_ENVIRONMENT);
    server_free(server);
}

static void gpus_are_told_without_a_configuration(void **state)
{
    struct server *server = server_new(&fake_devices);
    struct control_gpu gpu;
    struct gpu_model model;
    size_t cursor = 0, count = 0;
    (void)state;

    fake_gpu_count = 0;
    struct message reply = control(server, (struct message){.type = CONTROL_GPUS});
    assert_int_equal(reply.status, ERROR_ENVIRONMENT);
    assert_memory_equal(reply.payload, "there is no GPU here", 20);
    fake_gpu_count = 3;
    reply = control(server, (struct message){.type = CONTROL_GPUS});
    assert_int_equal(reply.status, 0);
    assert_int_equal(reply.words[0], 3);
    while (control_gpu_unpack(reply.payload, reply.payload_bytes, &cursor, &gpu)) {
        assert_string_equal(gpu.uuid, "GPU-1");
        assert_true(gpu_model_unpack(gpu.model, sizeof gpu.model, &model));
        count++;
    }
    assert_int_equal(count, 3);
    assert_int_equal(cursor, reply.payload_bytes);
    fake_gpu_count = 1000; /* more than a reply holds */
    assert_int_equal(control(server, (struct message){.type = CONTROL_GPUS}).status,
                     ERROR_ENVIRONMENT);
    server_free(server);
}

/* Whatever names the grader's own module, its kernel or its variable is no honest program. */
static void an_own_module_is_not_the_programs(void **state)
{
    const uint64_t own = 1, kernel = own << 32;
    const struct message rows[] = {
        {.type = CLIENT_KERNEL, .words = {CALL, own}, .payload = "fill", .payload_bytes = 4},
        {.type = CLIENT_VARIABLE, .words = {CALL, own}, .payload = "edge", .payload_bytes = 4},
        {.type = CLIENT_ATTRIBUTES, .words = {CALL, kernel}},
        {.type = CLIENT_OCCUPANCY, .words = {CALL, kernel, 32, 0}},
        {.type = CLIENT_OCCUPANCY_SHARED, .words = {CALL, kernel, 32, 1}},
        {.type = CLIENT_SET_SHARED, .words = {CALL, kernel, 0}},
    };
    struct server *server = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        serve(server, rows[i], SERVER_STEP_BROKEN);
    }
    serve(server, launch_of(kernel), SERVER_STEP_BROKEN);
    assert_int_equal(fake.launches, 0);
    serve(server, launch_of(0), SERVER_STEP_REPLY);
    assert_int_equal(fake.launches, 1);
    /* No address leads to it: UINT64_MAX is the offset that marks it. */
    struct message forged = {.type = CLIENT_MODULE, .words = {CALL, SECTION - 1}};
    serve(server, forged, SERVER_STEP_BROKEN);
    forged.words[1] = SECTION + 0x80;
    assert_int_equal(serve(server, forged, SERVER_STEP_REPLY).words[0], UINT64_MAX);
}

static void an_own_variable_is_no_memory_of_the_program(void **state)
{
    struct server *server = *state;
    struct message symbol = {
        .type = CONTROL_SYMBOL, .words = {1}, .payload = "edge", .payload_bytes = 4};
    uint64_t own = control(server, symbol).words[0];

    symbol.words[0] = 0;
    uint64_t theirs = control(server, symbol).words[0];
    assert_int_not_equal(own, theirs);
    const struct message rows[] = {
        {.type = CLIENT_UPLOAD,
         .words = {CALL, own, 4, 4, 1},
         .payload = "abcd",
         .payload_bytes = 4},
        {.type = CLIENT_DOWNLOAD, .words = {CALL, own, 4, 4, 1}},
        {.type = CLIENT_DOWNLOAD, .words = {CALL, own + 1, 1, 1, 1}},
        {.type = CLIENT_COPY, .words = {CALL, theirs, 4, own, 4, 4, 1}},
        {.type = CLIENT_COPY, .words = {CALL, own, 4, theirs, 4, 4, 1}},
        {.type = CLIENT_FILL, .words = {CALL, own, 4, 4, 1, 7}},
        {.type = CLIENT_RANGE, .words = {CALL, own, 4}},
        {.type = CLIENT_FREE, .words = {CALL, own}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(serve(server, rows[i], SERVER_STEP_REPLY).status,
                         CUDA_STATUS_INVALID_VALUE);
    }
    struct message find = {.type = CLIENT_FIND, .words = {CALL, own}};
    assert_int_equal(serve(server, find, SERVER_STEP_REPLY).words[1], 0);
    find.words[1] = theirs;
    assert_int_equal(serve(server, find, SERVER_STEP_REPLY).words[1], 4);
    /* The grader writes it. */
    struct message write = {
        .type = CONTROL_WRITE, .words = {own}, .payload = "wxyz", .payload_bytes = 4};
    assert_int_equal(control(server, write).status, 0);
    struct message read = {.type = CONTROL_READ, .words = {own, 4}};
    assert_memory_equal(control(server, read).payload, "wxyz", 4);
}

/* Text that cannot be read hides nothing, so it is not taken. */
static void an_own_module_must_be_readable(void **state)
{
    struct server *server = *state;
    struct message request = {.type = CONTROL_MODULE,
                              .words = {CONTROL_OWN_MODULE, 3},
                              .payload = "ptx",
                              .payload_bytes = 3};

    assert_int_not_equal(control(server, request).status, 0);
}

static struct message timing_message(struct text *bytes)
{
    struct timing_request request = {
        .block_count = 1,
        .launches_per_span = 11,
        .operands = {{.type = TIMING_F32, .is_output = true, .elements = 16}},
        .operand_count = 1,
        .contender_count = 1,
        .contenders = {{.step_count = 1}},
    };

    text_clear(bytes);
    timing_request_pack(&request, bytes);
    return (struct message){
        .type = CONTROL_TIME, .payload = bytes->bytes, .payload_bytes = bytes->length};
}

static void a_timing_needs_a_held_launch(void **state)
{
    struct server *server = *state;
    struct timing_sample samples[2] = {{.nanoseconds = 5, .first_wrong = UINT64_MAX},
                                       {.position = 1, .nanoseconds = 6, .wrong = 1}};
    struct finding_record finding = {
        .kind = FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, .place_count = 1, .count = 1};
    struct timing_sample sample;
    struct text bytes;

    text_init(&bytes);
    fake_timing = (struct device_timing_result){
        .samples = samples, .sample_count = 2, .findings = &finding, .finding_count = 1};
    assert_int_equal(control(server, timing_message(&bytes)).status, ERROR_INTERNAL);
    assert_int_equal(fake.measured, 0);
    struct message observe = {
        .type = CONTROL_OBSERVE, .words = {0, 1}, .payload = "fill", .payload_bytes = 4};
    assert_int_equal(control(server, observe).status, 0);
    struct message stack = {.type = CLIENT_LIMIT, .words = {CALL, CLIENT_LIMIT_STACK, 4096}};
    assert_int_equal(serve(server, stack, SERVER_STEP_REPLY).status, 0);
    serve(server, launch_of(0), SERVER_STEP_LAUNCH);
    struct message cut = timing_message(&bytes);
    cut.payload_bytes--;
    assert_int_equal(control(server, cut).status, ERROR_SYNTAX);
    assert_int_equal(fake.measured, 0);

    struct message reply = control(server, timing_message(&bytes));
    assert_int_equal(reply.status, 0);
    assert_int_equal(fake.measured, 11);
    assert_true(fake.limits.stack_bytes == 4096 && fake.limits.heap_bytes == 0);
    assert_int_equal(reply.words[0], LAUNCH_DONE);
    assert_int_equal(reply.words[2], 2);
    assert_int_equal(reply.words[3], 1);
    assert_int_equal(reply.payload_bytes, 2 * TIMING_SAMPLE_BYTES + FINDING_RECORD_BYTES);
    assert_true(
        timing_sample_unpack((const uint8_t *)reply.payload + TIMING_SAMPLE_BYTES, &sample));
    assert_true(sample.position == 1 && sample.wrong == 1);
    fake_timing.sample_count = TIMING_SAMPLES_MAX + 1;
    assert_int_equal(control(server, timing_message(&bytes)).status, ERROR_INTERNAL);
    fake_timing = (struct device_timing_result){.status = LAUNCH_DEADLINE, .contender = 2};
    reply = control(server, timing_message(&bytes));
    assert_int_equal(reply.words[0], LAUNCH_DEADLINE);
    assert_int_equal(reply.words[1], 2);
    text_release(&bytes);
}

/* The emulated device measures nothing. */
static void the_emulated_device_measures_no_times(void **state)
{
    uint8_t record[GPU_MODEL_RECORD_BYTES];
    struct server *server = server_new(&fake_devices);
    struct text bytes;
    (void)state;

    text_init(&bytes);
    control(server, fake_configure("H200", SECTION, SECTION_BYTES, record));
    control(server, load(0x40, 0));
    control(server,
            (struct message){
                .type = CONTROL_OBSERVE, .words = {0, 1}, .payload = "fill", .payload_bytes = 4});
    serve(server, launch_of(0), SERVER_STEP_LAUNCH);
    assert_int_equal(control(server, timing_message(&bytes)).status, ERROR_UNSUPPORTED);
    text_release(&bytes);
    server_free(server);
}

static void occupancy_is_what_the_gpu_says(void **state)
{
    struct server *server = *state;
    struct message question = {.type = CLIENT_OCCUPANCY, .words = {CALL, 0, 256, 0}};
    struct message shared = {.type = CLIENT_OCCUPANCY_SHARED, .words = {CALL, 0, 256, 3}};

    fake_fitting = 3;
    assert_int_equal(serve(server, question, SERVER_STEP_REPLY).words[0], 3);
    assert_int_equal(serve(server, shared, SERVER_STEP_REPLY).words[0], 1000);
    shared.words[3] = 4;
    assert_int_equal(serve(server, shared, SERVER_STEP_REPLY).status, CUDA_STATUS_INVALID_VALUE);
    question.words[2] = 1025;
    assert_int_equal(serve(server, question, SERVER_STEP_REPLY).status, CUDA_STATUS_INVALID_VALUE);
}

static void report_registers(struct server *server, uint32_t own, uint32_t first)
{
    const struct control_resources record = {
        .name = "fill", .registers = own, .first_registers = first};
    struct text bytes;

    text_init(&bytes);
    control_resources_pack(&record, &bytes);
    assert_int_equal(control(server, (struct message){.type = CONTROL_RESOURCES,
                                                      .payload = bytes.bytes,
                                                      .payload_bytes = bytes.length})
                         .status,
                     0);
    text_release(&bytes);
}

/* The GPU itself, which says 3 here, knows the registers of the build at hand alone. Those of the
 * first build count where the kernel's own let blocks be as large. */
static void answers_are_those_of_the_first_build(void **state)
{
    static const struct {
        uint32_t own, first, told, blocks, threads;
    } rows[] = {
        {40, 0, 40, 3, 512},  {40, 40, 40, 3, 512},    {40, 32, 32, 8, 512},
        {32, 40, 40, 6, 512}, {64, 32, 32, 8, 512},    {72, 32, 72, 3, 512},
        {32, 80, 80, 3, 512}, {168, 136, 168, 3, 384}, {136, 168, 168, 1, 384},
    };
    struct server *server = *state;
    struct message occupancy = {.type = CLIENT_OCCUPANCY, .words = {CALL, 0, 256, 0}};
    struct message attributes = {.type = CLIENT_ATTRIBUTES, .words = {CALL, 0}};

    fake_fitting = 3;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report_registers(server, rows[i].own, rows[i].first);
        assert_int_equal(serve(server, occupancy, SERVER_STEP_REPLY).words[0], rows[i].blocks);
        struct message reply = serve(server, attributes, SERVER_STEP_REPLY);
        assert_int_equal(reply.words[3], rows[i].threads);
        assert_int_equal(reply.words[4], rows[i].told);
    }
}

/* A launch that kills the context of a real GPU ends it for good; on the emulated device a reset
 * makes all well (test_server.c). */
static void a_dead_gpu_stays_dead(void **state)
{
    struct server *server = *state;
    struct message synchronise = {.type = CLIENT_SYNCHRONISE, .words = {CALL}};
    struct message reset = {.type = CLIENT_RESET, .words = {CALL}};
    struct message allocate = {.type = CLIENT_ALLOCATE, .words = {CALL, 8}};

    fake_result.status = LAUNCH_UNSUPPORTED;
    serve(server, launch_of(0), SERVER_STEP_REPLY);
    assert_int_equal(serve(server, synchronise, SERVER_STEP_REPLY).status,
                     CUDA_STATUS_NOT_SUPPORTED);
    assert_int_equal(serve(server, reset, SERVER_STEP_REPLY).status, 0);
    assert_int_equal(serve(server, synchronise, SERVER_STEP_REPLY).status, 0);
    fake_result.status = LAUNCH_FAULT;
    serve(server, launch_of(0), SERVER_STEP_REPLY);
    assert_int_equal(serve(server, reset, SERVER_STEP_REPLY).status, 0);
    assert_int_equal(serve(server, synchronise, SERVER_STEP_REPLY).status,
                     CUDA_STATUS_LAUNCH_FAILURE);
    assert_int_equal(serve(server, allocate, SERVER_STEP_REPLY).status, CUDA_STATUS_LAUNCH_FAILURE);
    serve(server, launch_of(0), SERVER_STEP_REPLY);
    assert_int_equal(fake.launches, 2);
}

int main(void)
{
#define GPU_TEST(name) cmocka_unit_test_setup_teardown(name, open_gpu, close_gpu)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configure_chooses_the_device),
        cmocka_unit_test(gpus_are_told_without_a_configuration),
        GPU_TEST(an_own_module_is_not_the_programs),
        GPU_TEST(an_own_variable_is_no_memory_of_the_program),
        GPU_TEST(an_own_module_must_be_readable),
        GPU_TEST(a_timing_needs_a_held_launch),
        cmocka_unit_test(the_emulated_device_measures_no_times),
        GPU_TEST(occupancy_is_what_the_gpu_says),
        GPU_TEST(answers_are_those_of_the_first_build),
        GPU_TEST(a_dead_gpu_stays_dead),
    };
#undef GPU_TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
