/* test_cuda_backend.c: the cuda backend without a GPU: on a driver library that imitates one
 * (fake_libcuda.c), and on machines without any. tests/gpu/backend_on_gpu.c is the test on a GPU.
 */
#include "base/clock.h"
#include "device/cuda/cuda_device.h"
#include "device/device.h"
#include "wire/texture_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FAKE_LIBRARY GPUGRADE_BINARY_DIR "/tests/unit/libcuda_fake.so"
#define ENTRY(name, parameters) ".visible .entry " name "(" parameters ")\n{\nret;\n}\n"

static const char ptx_text[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".global .align 4 .b8 counters[64];\n.global .align 4 .u32 unused;\n" ENTRY(
        "store_at", ".param .u64 a") ENTRY("print_text", "") ENTRY("assertion", "")
        ENTRY("fault_700", "") ENTRY("fault_716", "") ENTRY("fault_718", "") ENTRY("fault_719", "")
            ENTRY("endless", "") ENTRY("refused", "") ENTRY("holes", ".param .u8 a, .param .f64 b");

enum {
    KERNEL_STORE,
    KERNEL_PRINT,
    KERNEL_ASSERTION,
    KERNEL_FAULTS,
    KERNEL_ENDLESS = 7,
    KERNEL_REFUSED,
    KERNEL_HOLES,
};

#define LONG_NS (60 * CLOCK_NS_PER_S)

static const struct device_backend *const backend = &device_cuda;

struct opened {
    void *state;
    uint32_t module;
};

static void *open_fake(const char *gpu, uint64_t deadline_ns, bool (*is_unwanted)(const void *))
{
    struct device_config config = {.memory_limit_bytes = 32 << 20,
                                   .launch_deadline_ns = deadline_ns,
                                   .is_unwanted = is_unwanted,
                                   .gpu = gpu};
    struct diagnostic diagnostic = {.message = ""};
    void *state = NULL;
    if (cuda_open(FAKE_LIBRARY, &config, &state, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return state;
}

static int setup_with(void **out_opened, uint64_t deadline_ns)
{
    static struct opened opened;
    struct diagnostic diagnostic = {.message = ""};
    opened.state = open_fake(NULL, deadline_ns, NULL);
    if (backend->load_module(opened.state, ptx_text, strlen(ptx_text), &opened.module,
                             &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    *out_opened = &opened;
    return 0;
}

static int setup(void **out_opened)
{
    return setup_with(out_opened, LONG_NS);
}

static int setup_with_little_time(void **out_opened)
{
    return setup_with(out_opened, 50 * CLOCK_NS_PER_MS);
}

static int teardown(void **opened)
{
    backend->close(((struct opened *)*opened)->state);
    return 0;
}

static uint64_t allocate(void *state, uint64_t bytes)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t address = 0;
    if (backend->allocate(state, bytes, &address, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return address;
}

static struct device_launch_result launch(struct opened *opened, uint32_t function,
                                          const void *parameters)
{
    struct device_launch request = {.module = opened->module,
                                    .function = function,
                                    .grid = {1, 1, 1},
                                    .block = {7, 1, 1},
                                    .parameters = parameters};
    struct device_launch_result result;
    backend->launch(opened->state, &request, &result);
    return result;
}

static enum error open_message(const char *library, const char *gpu, struct diagnostic *diagnostic)
{
    struct device_config config = {.memory_limit_bytes = 1 << 20, .gpu = gpu};
    void *state = NULL;
    enum error error = cuda_open(library, &config, &state, diagnostic);
    assert_null(state);
    return error;
}

static void opening_says_what_is_missing(void **unused)
{
    struct diagnostic diagnostic = {.message = ""};
    (void)unused;
    assert_int_equal(open_message("libcuda-that-is-not.so.1", NULL, &diagnostic),
                     ERROR_ENVIRONMENT);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "there is no NVIDIA driver on this machine"));
    assert_non_null(strstr(diagnostic.message, "--device emulated"));
    assert_int_equal(open_message("libm.so.6", NULL, &diagnostic), ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "too old: it has no cuInit"));
    setenv("FAKE_LIBCUDA_GPUS", "0", 1);
    assert_int_equal(open_message(FAKE_LIBRARY, NULL, &diagnostic), ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "finds no GPU that works (CUDA_ERROR_NO_DEVICE)"));
    unsetenv("FAKE_LIBCUDA_GPUS");
    assert_int_equal(open_message(FAKE_LIBRARY, "2", &diagnostic), ERROR_NOT_FOUND);
    assert_non_null(strstr(diagnostic.message, "no GPU '2' among the 2 of this machine"));
    assert_int_equal(open_message(FAKE_LIBRARY, "GPU-a0a1", &diagnostic), ERROR_NOT_FOUND);
}

static void a_gpu_is_found_and_described(void **unused)
{
    static const char *const names[] = {"1", "GPU-a1a1",
                                        "GPU-a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1"};
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        void *state = open_fake(names[i], LONG_NS, NULL);
        assert_string_equal(cuda_model(state)->device_name, "Fake GPU 1");
        assert_string_equal(cuda_uuid(state), names[2]);
        backend->close(state);
    }
    void *state = open_fake("", LONG_NS, NULL);
    const struct gpu_model *model = cuda_model(state);
    assert_string_equal(model->name, "Fake GPU 0");
    assert_int_equal(model->multiprocessors, 1016);
    assert_int_equal(model->compute_major, 9);
    assert_int_equal(model->shared_per_block_optin_bytes, 232448);
    assert_int_equal(model->max_block[2], 1004);
    assert_int_equal(model->global_memory_bytes, 64 << 20);
    backend->close(state);
}

static void blocks_are_apart_and_found(void **opened)
{
    void *state = ((struct opened *)*opened)->state;
    struct device_allocation found;
    uint64_t a = allocate(state, 1000);
    uint64_t b = allocate(state, 2 << 20);
    uint16_t poison[500];
    uint8_t byte;
    assert_int_equal(a % 512 + b % 512, 0);
    assert_true(a > DEVICE_WINDOW_START && b > a + (1 << 20));
    assert_true(backend->find(state, a + 999, &found));
    assert_true(found.address == a && found.bytes == 1000 && !found.is_module_variable);
    assert_false(backend->find(state, a + 1000, &found));
    assert_false(backend->find(state, a - 1, &found));
    assert_true(backend->read(state, a, poison, 1000));
    assert_int_equal(poison[0] + poison[499], 2 * 0x7ff8);
    assert_false(backend->read(state, a + 999, poison, 2));
    assert_false(backend->release(state, a + 512));
    assert_true(backend->release(state, a));
    assert_false(backend->release(state, a));
    assert_false(backend->read(state, a, &byte, 1));
    assert_true(backend->read(state, b + (2 << 20) - 1, &byte, 1));
    assert_true(allocate(state, 1000) > b); /* addresses are not used again */
}

/* The first byte of the memory of an object that a kernel has written to. */
static int stored_through(struct opened *opened, const struct texture_record *record)
{
    const uint64_t object = allocate(opened->state, sizeof *record);
    const uint8_t before = 5;
    uint8_t after = 0;
    assert_true(backend->write(opened->state, record->address, &before, 1));
    assert_true(backend->write(opened->state, object, record, sizeof *record));
    assert_int_equal(launch(opened, KERNEL_STORE, &object).status, LAUNCH_DONE);
    assert_true(backend->read(opened->state, record->address, &after, 1));
    return after;
}

static void objects_of_the_gpu_stand_for_those_of_the_program(void **opened)
{
    void *state = ((struct opened *)*opened)->state;
    struct texture_record record = {.magic = TEXTURE_MAGIC,
                                    .dimensions = 2,
                                    .address = allocate(state, 4096),
                                    .pitch = 64,
                                    .width = 16,
                                    .height = 4,
                                    .depth = 1,
                                    .levels = 1,
                                    .channels = 1,
                                    .channel_bytes = 4,
                                    .kind = TEXTURE_FLOAT};
    assert_int_equal(stored_through(*opened, &record), 5); /* to its array, not to memory */
    record.is_surface = 1;
    assert_int_equal(stored_through(*opened, &record), 1); /* copied back */
    record.is_surface = 0;
    record.is_linear_memory = 1;
    assert_int_equal(stored_through(*opened, &record), 1); /* where it is */
    record.height = 65; /* more than there is: the address is left as it is */
    record.is_linear_memory = 0;
    assert_int_equal(stored_through(*opened, &record), 5);
}

static void memory_has_limits(void **opened)
{
    void *state = ((struct opened *)*opened)->state;
    struct diagnostic diagnostic = {.message = ""};
    uint64_t address = 0;
    uint64_t block = allocate(state, (32 << 20) - 64); /* and 64 bytes of variables */
    assert_int_equal(backend->allocate(state, 1, &address, &diagnostic), ERROR_LIMIT);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_non_null(
        strstr(diagnostic.message, "1 bytes of device memory were requested, but only 0 of"));
    assert_int_equal(backend->allocate(state, UINT64_MAX, &address, &diagnostic), ERROR_LIMIT);
    assert_true(backend->release(state, block));
    for (int i = 0; i < 32; i++) { /* 2 MiB each, whatever was asked for */
        allocate(state, 100);
    }
    assert_int_equal(backend->allocate(state, 100, &address, &diagnostic), ERROR_LIMIT);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "(CUDA_ERROR_OUT_OF_MEMORY)"));
}

static void patterns_start_at_the_address(void **opened)
{
    static const struct {
        uint64_t offset, length;
        uint32_t pattern;
        size_t bytes;
    } rows[] = {{0, 1000, 0x11, 1},    {1, 999, 0x2233, 2},   {2, 7, 0x44556677, 4},
                {4, 8, 0x8899aabb, 4}, {3, 5, 0xccddeeff, 4}, {2, 6, 0x1234, 2}};
    void *state = ((struct opened *)*opened)->state;
    uint64_t address = allocate(state, 1000);
    uint8_t expected[1000];
    uint8_t seen[1000];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint64_t k = 0; k < rows[i].length; k++) {
            expected[rows[i].offset + k] = (uint8_t)(rows[i].pattern >> k % rows[i].bytes * 8);
        }
        assert_true(backend->fill(state, address + rows[i].offset, rows[i].length, rows[i].pattern,
                                  rows[i].bytes));
        assert_true(backend->read(state, address, seen, sizeof seen));
        assert_memory_equal(seen, expected, sizeof seen);
    }
    assert_false(backend->fill(state, address, 8, 1, 3));
    assert_false(backend->fill(state, address + 1, 1000, 1, 1));
    assert_true(backend->fill(state, address, 0, 1, 4));
}

static void copies_may_overlap(void **opened)
{
    enum { BYTES = (2 << 20) + 1000 };
    static const uint64_t places[][2] = {{0, 700000}, {700000, 0}, {1, 0}, {0, 1}, {5, 5}};
    void *state = ((struct opened *)*opened)->state;
    uint64_t address = allocate(state, 2 * BYTES);
    uint8_t *expected = malloc(2 * BYTES);
    uint8_t *seen = malloc(2 * BYTES);
    for (size_t i = 0; i < 2 * BYTES; i++) {
        expected[i] = (uint8_t)(i * 2654435761u >> 13);
    }
    assert_true(backend->write(state, address, expected, 2 * BYTES));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        memmove(expected + places[i][0], expected + places[i][1], BYTES);
        assert_true(backend->copy(state, address + places[i][0], address + places[i][1], BYTES));
        assert_true(backend->read(state, address, seen, 2 * BYTES));
        assert_memory_equal(seen, expected, 2 * BYTES);
    }
    assert_true(backend->copy(state, address + BYTES, address, BYTES));
    assert_false(backend->copy(state, address + BYTES + 1, address, BYTES));
    free(expected);
    free(seen);
}

static void variables_are_found_and_initialised(void **opened)
{
    struct opened *device = *opened;
    struct device_allocation variable;
    uint8_t bytes[64];
    assert_false(backend->variable(device->state, device->module, "unused", &variable));
    assert_true(backend->variable(device->state, device->module, "counters", &variable));
    assert_true(variable.bytes == 64 && variable.is_module_variable && !variable.is_constant);
    assert_false(backend->release(device->state, variable.address));
    assert_true(backend->fill(device->state, variable.address, 64, 0, 1));
    backend->initialise(device->state);
    assert_true(backend->read(device->state, variable.address, bytes, 64));
    assert_int_equal(bytes[0] + bytes[63], 1 + 64);
}

static void functions_are_described(void **opened)
{
    struct opened *device = *opened;
    struct device_function_info info;
    uint32_t blocks = 0;
    assert_int_equal(backend->function_count(device->state, device->module), KERNEL_HOLES + 1);
    assert_true(backend->function_info(device->state, device->module, KERNEL_HOLES, &info));
    assert_string_equal(info.name, "holes");
    assert_int_equal(info.parameter_count, 2);
    assert_int_equal(info.parameters[1].offset, 8);
    assert_int_equal(info.parameter_bytes, 16);
    assert_false(backend->function_info(device->state, device->module, KERNEL_HOLES + 1, &info));
    assert_false(backend->function_info(device->state, device->module + 1, 0, &info));
    assert_true(backend->active_blocks(device->state, device->module, 0, 256, 0, &blocks));
    assert_int_equal(blocks, 8);
}

static void machine_code_may_be_given(void **opened)
{
    struct opened *device = *opened;
    struct diagnostic diagnostic = {.message = ""};
    uint32_t module = 99;
    assert_int_equal(backend->load_image(device->state, ptx_text, strlen(ptx_text), "bad", 4,
                                         &module, &diagnostic),
                     ERROR_UNSUPPORTED);
    assert_non_null(strstr(diagnostic.message, "line 1: not for this GPU"));
    assert_int_equal(module, 99);
    assert_int_equal(backend->load_module(device->state, "no PTX", 6, &module, &diagnostic),
                     ERROR_SYNTAX);
}

static void conditions_of_graphs_are_stores(void **opened)
{
    static const char text[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                               ".extern .func cudaGraphSetConditional\n"
                               "(\n.param .b64 cudaGraphSetConditional_param_0,\n"
                               ".param .b32 cudaGraphSetConditional_param_1\n)\n;\n";
    struct opened *device = *opened;
    struct diagnostic diagnostic = {.message = ""};
    uint32_t module = 0;

    assert_int_equal(backend->load_module(device->state, text, strlen(text), &module, &diagnostic),
                     ERROR_NONE);
    assert_int_equal(
        backend->load_image(device->state, text, strlen(text), "bad", 4, &module, &diagnostic),
        ERROR_NONE);
}

static void a_snapshot_brings_everything_back(void **opened)
{
    struct opened *device = *opened;
    struct device_allocation variable;
    struct diagnostic diagnostic = {.message = ""};
    uint64_t a = allocate(device->state, 1001);
    uint64_t b = allocate(device->state, 3 << 20);
    uint8_t bytes[3];
    assert_true(backend->variable(device->state, device->module, "counters", &variable));
    assert_true(backend->fill(device->state, a, 1001, 5, 1));
    assert_true(backend->fill(device->state, b, 3 << 20, 6, 1));
    assert_int_equal(backend->snapshot(device->state, &diagnostic), ERROR_NONE);
    for (int i = 0; i < 2; i++) {
        assert_true(backend->fill(device->state, a, 1001, 0, 1));
        assert_true(backend->fill(device->state, b, 3 << 20, 0, 1));
        assert_true(backend->fill(device->state, variable.address, 64, 0, 1));
        backend->restore(device->state);
        assert_true(backend->read(device->state, a + 1000, &bytes[0], 1));
        assert_true(backend->read(device->state, b + (3 << 20) - 1, &bytes[1], 1));
        assert_true(backend->read(device->state, variable.address + 9, &bytes[2], 1));
        assert_memory_equal(bytes, "\5\6\12", 3);
    }
    backend->discard(device->state);
    allocate(device->state, 28 << 20); /* 36 MiB are mapped, 28 are left */
    assert_int_equal(backend->snapshot(device->state, &diagnostic), ERROR_LIMIT);
    assert_non_null(strstr(diagnostic.message, "no room for a snapshot"));
}

static void stores_into_guards_are_findings(void **opened)
{
    static const struct {
        int64_t offset, distance;
        bool is_found;
    } rows[] = {{0, 0, false},    {999, 0, false},    {1000, 0, true},
                {1023, 23, true}, {-512, -512, true}, {-1, -1, true}};
    struct opened *device = *opened;
    uint64_t address = allocate(device->state, 1000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t at = address + (uint64_t)rows[i].offset;
        struct device_launch_result result = launch(device, KERNEL_STORE, &at);
        assert_int_equal(result.status, LAUNCH_DONE);
        assert_int_equal(result.finding_count, rows[i].is_found);
        if (rows[i].is_found) {
            assert_int_equal(result.findings[0].kind, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
            assert_true(result.findings[0].address == at);
            assert_true(result.findings[0].distance_bytes == rows[i].distance);
            assert_int_equal(result.findings[0].object_bytes, 1000);
            assert_int_equal(result.findings[0].place_count, 1);
        }
    }
    assert_int_equal(launch(device, KERNEL_PRINT, NULL).finding_count, 0); /* repaired */
}

static void printed_text_is_captured(void **opened)
{
    static const char text[] = "first line\nsecond 7\n";
    struct opened *device = *opened;
    struct device_launch request = {
        .module = device->module, .function = KERNEL_PRINT, .grid = {1, 1, 1}, .block = {7, 1, 1}};
    struct device_launch_result result;
    for (uint64_t limit = 0; limit <= 12; limit += 12) {
        request.limits.print_bytes = limit;
        backend->launch(device->state, &request, &result);
        const char *expected = limit == 0 ? text : text + 11;
        assert_int_equal(result.printed_bytes, strlen(expected));
        assert_memory_equal(result.printed, expected, strlen(expected));
        assert_int_equal(result.complaint_bytes, 0);
    }
}

/* Every call on a device that is dead is refused. */
static void check_dead(struct opened *device, uint64_t address, enum launch_status status)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t other = 0;
    uint8_t byte = 0;
    assert_int_equal(launch(device, KERNEL_PRINT, NULL).status, status);
    assert_int_equal(launch(device, KERNEL_PRINT, NULL).finding_count, 0);
    assert_false(backend->read(device->state, address, &byte, 1));
    assert_false(backend->write(device->state, address, &byte, 1));
    assert_false(backend->fill(device->state, address, 1, 0, 1));
    assert_false(backend->copy(device->state, address, address, 1));
    assert_false(backend->release(device->state, address));
    assert_int_equal(backend->allocate(device->state, 1, &other, &diagnostic), ERROR_LIMIT);
    assert_int_equal(backend->snapshot(device->state, &diagnostic), ERROR_LIMIT);
    backend->restore(device->state);
    backend->discard(device->state);
    backend->initialise(device->state);
}

static void faults_kill_the_device(void **unused)
{
    static const enum finding_record_kind kinds[] = {FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS,
                                                     FINDING_RECORD_MISALIGNED,
                                                     FINDING_RECORD_BAD_CALL, FINDING_RECORD_TRAP};
    (void)unused;
    for (uint32_t i = 0; i < 4; i++) {
        void *opened;
        setup(&opened);
        uint64_t address = allocate(((struct opened *)opened)->state, 100);
        struct device_launch_result result = launch(opened, KERNEL_FAULTS + i, NULL);
        assert_int_equal(result.status, LAUNCH_FAULT);
        assert_int_equal(result.finding_count, 1);
        assert_int_equal(result.findings[0].kind, kinds[i]);
        assert_int_equal(result.findings[0].function, KERNEL_FAULTS + i);
        check_dead(opened, address, LAUNCH_FAULT);
        teardown(&opened);
    }
}

static void an_assertion_is_read(void **opened)
{
    struct device_launch_result result = launch(*opened, KERNEL_ASSERTION, NULL);
    assert_int_equal(result.status, LAUNCH_FAULT);
    assert_int_equal(result.findings[0].kind, FINDING_RECORD_ASSERT);
    assert_string_equal(result.findings[0].text, "x > 0");
    assert_int_equal(result.findings[0].places[0].block[0], 4);
    assert_int_equal(result.findings[0].places[0].block[2], 1);
    assert_int_equal(result.findings[0].places[0].thread[1], 3);
    assert_true(result.complaint_bytes > 0);
}

static void an_endless_kernel_meets_its_deadline(void **opened)
{
    struct opened *device = *opened;
    uint64_t address = allocate(device->state, 100);
    uint64_t started_ns = clock_now_ns();
    struct device_launch_result result = launch(device, KERNEL_ENDLESS, NULL);
    assert_true(clock_now_ns() - started_ns >= 50 * CLOCK_NS_PER_MS);
    assert_int_equal(result.status, LAUNCH_DEADLINE);
    assert_int_equal(result.finding_count, 0);
    check_dead(device, address, LAUNCH_DEADLINE);
}

static bool never_wanted(const void *context)
{
    (void)context;
    return true;
}

static void an_unwanted_kernel_is_left(void **unused)
{
    struct diagnostic diagnostic = {.message = ""};
    struct opened opened = {.state = open_fake(NULL, LONG_NS, never_wanted)};
    (void)unused;
    assert_int_equal(
        backend->load_module(opened.state, ptx_text, strlen(ptx_text), &opened.module, &diagnostic),
        ERROR_NONE);
    uint64_t started_ns = clock_now_ns();
    assert_int_equal(launch(&opened, KERNEL_ENDLESS, NULL).status, LAUNCH_DEADLINE);
    assert_true(clock_now_ns() - started_ns < LONG_NS);
    backend->close(opened.state);
}

static void a_refused_launch_kills_nothing(void **opened)
{
    struct opened *device = *opened;
    struct device_launch_result result = launch(device, KERNEL_REFUSED, NULL);
    assert_int_equal(result.status, LAUNCH_UNSUPPORTED);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].kind, FINDING_RECORD_LAUNCH_REFUSED);
    assert_string_equal(result.findings[0].text, "an unknown error");
    assert_int_equal(launch(device, KERNEL_PRINT, NULL).status, LAUNCH_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_says_what_is_missing),
        cmocka_unit_test(a_gpu_is_found_and_described),
        cmocka_unit_test_setup_teardown(blocks_are_apart_and_found, setup, teardown),
        cmocka_unit_test_setup_teardown(objects_of_the_gpu_stand_for_those_of_the_program, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(memory_has_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(patterns_start_at_the_address, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_may_overlap, setup, teardown),
        cmocka_unit_test_setup_teardown(variables_are_found_and_initialised, setup, teardown),
        cmocka_unit_test_setup_teardown(functions_are_described, setup, teardown),
        cmocka_unit_test_setup_teardown(machine_code_may_be_given, setup, teardown),
        cmocka_unit_test_setup_teardown(conditions_of_graphs_are_stores, setup, teardown),
        cmocka_unit_test_setup_teardown(a_snapshot_brings_everything_back, setup, teardown),
        cmocka_unit_test_setup_teardown(stores_into_guards_are_findings, setup, teardown),
        cmocka_unit_test_setup_teardown(printed_text_is_captured, setup, teardown),
        cmocka_unit_test(faults_kill_the_device),
        cmocka_unit_test_setup_teardown(an_assertion_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(an_endless_kernel_meets_its_deadline,
                                        setup_with_little_time, teardown),
        cmocka_unit_test(an_unwanted_kernel_is_left),
        cmocka_unit_test_setup_teardown(a_refused_launch_kills_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
