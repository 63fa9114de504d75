/* test_gpu_model_record.c: every GPU model of the table is the same at the other end; a record
 * whose numbers would break those who divide by them is refused. */
#include "occupancy/gpu_model_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct gpu_model h200(void)
{
    struct gpu_model model;

    memset(&model, 0, sizeof model);
    assert_int_equal(gpu_model_find("H200", &model, NULL), ERROR_NONE);
    return model;
}

static void every_model_survives(void **state)
{
    uint8_t bytes[GPU_MODEL_RECORD_BYTES], again[GPU_MODEL_RECORD_BYTES];
    (void)state;

    for (size_t i = 0; i < gpu_model_count(); i++) {
        struct gpu_model model, back;

        assert_int_equal(gpu_model_find(gpu_model_name(i), &model, NULL), ERROR_NONE);
        gpu_model_pack(&model, bytes);
        assert_true(gpu_model_unpack(bytes, sizeof bytes, &back));
        assert_string_equal(back.name, model.name);
        assert_string_equal(back.device_name, model.device_name);
        gpu_model_pack(&back, again);
        assert_memory_equal(again, bytes, sizeof bytes);
    }
}

/* A number that is packed nowhere would be 0 at the other end. */
static void all_fields_survive(void **state)
{
    struct gpu_model model = h200();
    uint8_t bytes[GPU_MODEL_RECORD_BYTES];
    struct gpu_model back;
    (void)state;

    model.clock_khz = 1980001;
    model.memory_clock_khz = 3;
    model.memory_bus_bits = 6144;
    model.max_grid[2] = 65533;
    model.max_block[2] = 63;
    model.global_memory_bytes = UINT64_C(0x123456789a);
    model.l2_bytes = UINT64_C(1) << 33;
    model.constant_bytes = 65535;
    model.shared_reserved_per_block_bytes = 1023;
    gpu_model_pack(&model, bytes);
    memset(&back, 0, sizeof back);
    assert_true(gpu_model_unpack(bytes, sizeof bytes, &back));
    assert_memory_equal(&back.compute_major, &model.compute_major,
                        sizeof model - offsetof(struct gpu_model, compute_major));
}

static void other_lengths_and_names_are_refused(void **state)
{
    struct gpu_model model = h200();
    uint8_t bytes[GPU_MODEL_RECORD_BYTES];
    struct gpu_model back;
    (void)state;

    gpu_model_pack(&model, bytes);
    assert_false(gpu_model_unpack(bytes, 0, &back));
    assert_false(gpu_model_unpack(bytes, sizeof bytes - 1, &back));
    memset(bytes, 'a', sizeof model.name);
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
    gpu_model_pack(&model, bytes);
    memset(bytes + sizeof model.name, 'a', sizeof model.device_name);
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
    model.name[0] = '\0';
    gpu_model_pack(&model, bytes);
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
}

static void absurd_numbers_are_refused(void **state)
{
    struct gpu_model model;
    uint8_t bytes[GPU_MODEL_RECORD_BYTES];
    struct gpu_model back;
    const struct {
        size_t offset; /* of a u32 */
        uint32_t value;
    } rows[] = {
        {offsetof(struct gpu_model, warp_size), 0},
        {offsetof(struct gpu_model, warp_size), 64},
        {offsetof(struct gpu_model, multiprocessors), 0},
        {offsetof(struct gpu_model, multiprocessors), 4097},
        {offsetof(struct gpu_model, compute_major), 0},
        {offsetof(struct gpu_model, max_threads_per_block), 31},
        {offsetof(struct gpu_model, max_threads_per_block), 1025},
        {offsetof(struct gpu_model, max_threads_per_multiprocessor), 0},
        {offsetof(struct gpu_model, max_blocks_per_multiprocessor), 0},
        {offsetof(struct gpu_model, registers_per_multiprocessor), 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        model = h200();
        memcpy((uint8_t *)&model + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        gpu_model_pack(&model, bytes);
        assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
    }
    model = h200();
    model.shared_per_block_bytes = 0;
    gpu_model_pack(&model, bytes);
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
    model = h200();
    model.shared_per_multiprocessor_bytes = UINT64_MAX;
    gpu_model_pack(&model, bytes);
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
    /* A u32 whose upper half is not 0. */
    model = h200();
    gpu_model_pack(&model, bytes);
    bytes[sizeof model.name + sizeof model.device_name + 4] = 1;
    assert_false(gpu_model_unpack(bytes, sizeof bytes, &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_survives),
        cmocka_unit_test(all_fields_survive),
        cmocka_unit_test(other_lengths_and_names_are_refused),
        cmocka_unit_test(absurd_numbers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
