/* test_records.c: what crosses the channels as payload is the same at the other end. */
#include "wire/call_record.h"
#include "wire/client.h"
#include "wire/control.h"
#include "wire/count_record.h"
#include "wire/cuda_error.h"
#include "wire/finding_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void dimensions_survive(void **state)
{
    const uint32_t grid[3] = {2147483647, 65535, 65534};
    uint32_t back[3];

    (void)state;
    control_dimensions_unpack(control_dimensions_pack(grid), back);
    assert_memory_equal(back, grid, sizeof(grid));
}

static void findings_survive(void **state)
{
    struct finding_record record, back;
    uint8_t bytes[FINDING_RECORD_BYTES];

    (void)state;
    memset(&record, 0, sizeof(record));
    record.kind = FINDING_RECORD_SHARED_OUT_OF_BOUNDS;
    record.module = 1;
    record.function = 2;
    record.place_count = 2;
    record.count = 7;
    record.address = UINT64_C(0x100000000200);
    record.access_bytes = 4;
    record.distance_bytes = -12;
    record.object_bytes = 1024;
    record.has_base = 1;
    snprintf(record.text, sizeof(record.text), "_ZZ5tiledPKfE2As");
    for (uint32_t i = 0; i < 2; i++) {
        record.places[i] = (struct finding_record_place){
            FINDING_RECORD_READ + i, 1, 31 + i, 21, 2, 9, 3, {1, 2, 3}, {4, 5, i}};
    }
    record.launch = (struct finding_record_launch){
        .grid = {2147483647, 65535, 1}, .block = {1024, 2, 3}, .known = 5, .arguments = {7, 0, 9}};
    record.launch.arguments[FINDING_RECORD_ARGUMENTS - 1] = UINT64_C(0x100000000200);
    finding_record_pack(&record, bytes);
    assert_true(finding_record_unpack(bytes, &back));
    assert_memory_equal(back.launch.grid, record.launch.grid, sizeof(record.launch.grid));
    assert_memory_equal(back.launch.block, record.launch.block, sizeof(record.launch.block));
    assert_int_equal(back.launch.known, record.launch.known);
    assert_memory_equal(back.launch.arguments, record.launch.arguments,
                        sizeof(record.launch.arguments));
    assert_int_equal(back.distance_bytes, -12);
    assert_memory_equal(&back.places, &record.places, sizeof(record.places));
    assert_string_equal(back.text, record.text);
    assert_int_equal(back.count, 7);
    assert_int_equal(back.object_bytes, 1024);
    assert_int_equal(back.has_base, 1);
}

static void bad_findings_are_refused(void **state)
{
    /* offset of a byte, and a value that no device sends there */
    const struct {
        size_t offset;
        uint8_t value;
    } rows[] = {{0, 0},  {0, FINDING_RECORD_KIND_END}, {12, FINDING_RECORD_PLACES + 1},
                {60, 2}, {64 + 96 + 84, 77},           {16, 0}};
    struct finding_record record, back;
    uint8_t good[FINDING_RECORD_BYTES];

    (void)state;
    memset(&record, 0, sizeof(record));
    record.kind = FINDING_RECORD_TRAP;
    record.place_count = 1;
    record.count = 1;
    finding_record_pack(&record, good);
    assert_true(finding_record_unpack(good, &back));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t bytes[FINDING_RECORD_BYTES];

        memcpy(bytes, good, sizeof(bytes));
        bytes[rows[i].offset] = rows[i].value;
        assert_false(finding_record_unpack(bytes, &back));
    }
    memset(good + 64, 'a', FINDING_RECORD_TEXT_BYTES);
    assert_false(finding_record_unpack(good, &back));
}

static struct count_record some_counts(void)
{
    return (struct count_record){
        .kind = COUNT_RECORD_ACCESS,
        .space = COUNT_SPACE_SHARED,
        .access = FINDING_RECORD_ATOMIC,
        .file = 1,
        .line = 31,
        .column = 9,
        .inlined_file = 2,
        .inlined_line = 77,
        .inlined_column = 5,
        .max_degree = 32,
        .address = UINT64_C(0x100000000200),
        .requests = UINT64_C(1) << 40,
        .lanes = UINT64_C(1) << 45,
        .bytes = UINT64_C(1) << 47,
        .sectors = 40,
        .least_sectors = 39,
        .wavefronts = UINT64_C(5) << 33,
        .least_wavefronts = UINT64_C(1) << 33,
        .divergent = 3,
        .passed = 2,
        .needed = 1,
    };
}

static void counts_survive(void **state)
{
    struct count_record record = some_counts(), back;
    uint8_t bytes[COUNT_RECORD_BYTES + 1];

    (void)state;
    memset(bytes, 0xa5, sizeof(bytes));
    count_record_pack(&record, bytes);
    assert_int_equal(bytes[COUNT_RECORD_BYTES], 0xa5);
    memset(&back, 0, sizeof(back));
    assert_true(count_record_unpack(bytes, &back));
    assert_memory_equal(&back, &record, sizeof(back));
}

static void bad_counts_are_refused(void **state)
{
    struct count_record rows[10], back;
    uint8_t bytes[COUNT_RECORD_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        rows[i] = some_counts();
    }
    rows[0].kind = 0;
    rows[1].kind = COUNT_RECORD_KIND_END;
    rows[2].space = COUNT_SPACE_NONE;
    rows[3].space = COUNT_SPACE_END;
    rows[4].access = FINDING_RECORD_NO_ACCESS;
    rows[5].access = FINDING_RECORD_WAIT;
    rows[6].least_sectors = rows[6].sectors + 1;
    rows[7].least_wavefronts = UINT64_MAX;
    rows[8].kind = COUNT_RECORD_BARRIER;
    rows[8].needed = rows[8].passed + 1;
    rows[9].kind = COUNT_RECORD_BRANCH;
    rows[9].divergent = rows[9].requests + 1;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        count_record_pack(&rows[i], bytes);
        assert_false(count_record_unpack(bytes, &back));
    }
}

/* Each field of a call's records is its own. */
static void calls_survive(void **state)
{
    uint8_t bytes[CALL_RECORD_BYTES], again[CALL_RECORD_BYTES];
    uint8_t of_kernel[CALL_KERNEL_RECORD_BYTES], kernel_again[CALL_KERNEL_RECORD_BYTES];
    struct call_record record;
    struct call_kernel_record kernel;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i / 8 + i % 8 + 1);
    }
    memcpy(of_kernel, bytes, sizeof(of_kernel));
    call_record_unpack(bytes, &record);
    call_record_pack(&record, again);
    assert_memory_equal(again, bytes, sizeof(bytes));
    call_kernel_record_unpack(of_kernel, &kernel);
    call_kernel_record_pack(&kernel, kernel_again);
    assert_memory_equal(kernel_again, of_kernel, sizeof(of_kernel));
    memset(&record, 0, sizeof(record));
    record.status = 3;
    record.kernels = 7;
    record.copied_to[CALL_OPERANDS_MAX - 1] = UINT64_MAX;
    call_record_pack(&record, bytes);
    memset(&record, 0xff, sizeof(record));
    call_record_unpack(bytes, &record);
    assert_int_equal(record.status, 3);
    assert_int_equal(record.kernels, 7);
    assert_true(record.copied_to[CALL_OPERANDS_MAX - 1] == UINT64_MAX);
    assert_int_equal(record.copied_from[0], 0);
}

static void resources_survive(void **state)
{
    struct control_resources records[2] = {{"_Z1aPf", 32, 2048, 0, 380, 0, 37},
                                           {"_Z1bPf", 255, 0, 16, 352, 256, 0}};
    struct control_resources back;
    struct text bytes;
    size_t cursor = 0;

    (void)state;
    text_init(&bytes);
    control_resources_pack(&records[0], &bytes);
    control_resources_pack(&records[1], &bytes);
    for (int i = 0; i < 2; i++) {
        assert_true(
            control_resources_unpack((const uint8_t *)bytes.bytes, bytes.length, &cursor, &back));
        assert_string_equal(back.name, records[i].name);
        assert_int_equal(back.registers, records[i].registers);
        assert_int_equal(back.max_threads, records[i].max_threads);
        assert_int_equal(back.first_registers, records[i].first_registers);
    }
    assert_int_equal(cursor, bytes.length);
    assert_false(
        control_resources_unpack((const uint8_t *)bytes.bytes, bytes.length, &cursor, &back));
    for (size_t length = 0; length < 34; length++) {
        cursor = 0;
        assert_false(
            control_resources_unpack((const uint8_t *)bytes.bytes, length, &cursor, &back));
        assert_int_equal(cursor, 0);
    }
    text_release(&bytes);
}

static void call_errors_survive(void **state)
{
    struct control_call_error error = {
        "launch", "_Z1aPf", 1, 0, 1, 7, 3, CONTROL_CALL_UNWRITTEN, "a block of 2000 threads"};
    struct control_call_error back;
    struct text bytes;
    size_t cursor = 0;

    (void)state;
    text_init(&bytes);
    control_call_error_pack(&error, &bytes);
    assert_true(
        control_call_error_unpack((const uint8_t *)bytes.bytes, bytes.length, &cursor, &back));
    assert_memory_equal(&back, &error, sizeof(back));
    cursor = 0;
    assert_false(
        control_call_error_unpack((const uint8_t *)bytes.bytes, bytes.length - 1, &cursor, &back));
    bytes.bytes[0] = 100;
    assert_false(
        control_call_error_unpack((const uint8_t *)bytes.bytes, bytes.length, &cursor, &back));
    text_release(&bytes);
}

static void a_string_that_does_not_fit_is_refused(void **state)
{
    uint8_t bytes[12 + 100 + 24] = {100};
    struct control_call_error back;
    size_t cursor = 0;

    (void)state;
    memset(bytes + 12, 'a', 100);
    assert_false(control_call_error_unpack(bytes, sizeof(bytes), &cursor, &back));
    bytes[0] = 63;
    memset(bytes + 12 + 63, 0, sizeof(bytes) - 12 - 63);
    assert_true(control_call_error_unpack(bytes, sizeof(bytes), &cursor, &back));
    assert_int_equal(strlen(back.call), 63);
    bytes[20] = 0;
    cursor = 0;
    assert_false(control_call_error_unpack(bytes, sizeof(bytes), &cursor, &back));
}

static void properties_survive(void **state)
{
    struct device_properties properties = {
        .name = "NVIDIA H200", .multiprocessors = 132, .max_block_z = 64};
    struct device_properties back;
    struct text bytes;

    (void)state;
    text_init(&bytes);
    device_properties_pack(&properties, &bytes);
    assert_true(device_properties_unpack((const uint8_t *)bytes.bytes, bytes.length, &back));
    assert_string_equal(back.name, "NVIDIA H200");
    assert_int_equal(back.multiprocessors, 132);
    assert_int_equal(back.max_block_z, 64);
    assert_false(device_properties_unpack((const uint8_t *)bytes.bytes, 100, &back));
    text_release(&bytes);
}

static void names_are_those_of_the_runtime(void **state)
{
    (void)state;
    assert_string_equal(cuda_status_name(700), "cudaErrorIllegalAddress");
    assert_string_equal(cuda_status_text(1), "invalid argument");
    assert_string_equal(cuda_status_name(424242), "unrecognized error code");
    assert_string_equal(runtime_call_name(RUNTIME_CALL_cudaMalloc), "cudaMalloc");
    assert_string_equal(runtime_call_name(RUNTIME_CALL_cudaLaunchKernel), "launch");
    assert_null(runtime_call_name(RUNTIME_CALL_NONE));
    assert_null(runtime_call_name(UINT64_MAX));
    assert_null(refusal_text(0));
    assert_non_null(strstr(refusal_text(REFUSAL_NOT_RECORDED), "cudaEventRecord"));
}

static void gpus_survive(void **state)
{
    struct control_gpu gpus[2] = {{.uuid = "GPU-6f0c", .driver_version = 13000},
                                  {.uuid = "G", .driver_version = UINT32_MAX}};
    struct control_gpu back;
    struct text bytes;
    size_t cursor = 0;

    (void)state;
    text_init(&bytes);
    for (size_t i = 0; i < 2; i++) {
        memset(gpus[i].model, (int)(i + 1), sizeof(gpus[i].model));
        control_gpu_pack(&gpus[i], &bytes);
    }
    const uint8_t *packed = (const uint8_t *)bytes.bytes;
    for (size_t i = 0; i < 2; i++) {
        assert_true(control_gpu_unpack(packed, bytes.length, &cursor, &back));
        assert_string_equal(back.uuid, gpus[i].uuid);
        assert_int_equal(back.driver_version, gpus[i].driver_version);
        assert_memory_equal(back.model, gpus[i].model, sizeof(back.model));
    }
    assert_int_equal(cursor, bytes.length);
    assert_false(control_gpu_unpack(packed, bytes.length, &cursor, &back));
    text_release(&bytes);
}

static void bad_gpus_are_refused(void **state)
{
    struct control_gpu gpu = {.uuid = "GPU-6f0c"}, back;
    struct text bytes;
    size_t cursor = 0;

    (void)state;
    text_init(&bytes);
    control_gpu_pack(&gpu, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        assert_false(control_gpu_unpack((const uint8_t *)bytes.bytes, length, &cursor, &back));
    }
    const struct {
        size_t offset;
        char value;
    } rows[] = {{0, 0}, {0, CONTROL_UUID_BYTES}, {3, 1}, {4, 0}, {6, 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        text_clear(&bytes);
        control_gpu_pack(&gpu, &bytes);
        bytes.bytes[rows[i].offset] = rows[i].value;
        assert_false(
            control_gpu_unpack((const uint8_t *)bytes.bytes, bytes.length, &cursor, &back));
    }
    assert_int_equal(cursor, 0);
    text_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimensions_survive),
        cmocka_unit_test(findings_survive),
        cmocka_unit_test(bad_findings_are_refused),
        cmocka_unit_test(counts_survive),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(calls_survive),
        cmocka_unit_test(resources_survive),
        cmocka_unit_test(call_errors_survive),
        cmocka_unit_test(a_string_that_does_not_fit_is_refused),
        cmocka_unit_test(properties_survive),
        cmocka_unit_test(names_are_those_of_the_runtime),
        cmocka_unit_test(gpus_survive),
        cmocka_unit_test(bad_gpus_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
