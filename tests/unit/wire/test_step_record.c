/* test_step_record.c: steps and regions survive being packed; what no device sends is refused. */
#include "wire/step_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_there_and_back(void **state)
{
    (void)state;
    struct step_record records[] = {
        {.kind = STEP_RECORD_READ, .warp = 31, .place = 7, .lanes = 0xffffffff, .bytes = 16},
        {.kind = STEP_RECORD_WRITE, .lanes = 0x80000021, .other = 1, .space = 1, .bytes = 4},
        {.kind = STEP_RECORD_ATOMIC, .lanes = 0x10, .bytes = 8},
        {.kind = STEP_RECORD_BARRIER, .lanes = 3, .releases = true},
        {.kind = STEP_RECORD_BRANCH, .lanes = 1, .other = 3},
        {.kind = STEP_RECORD_EXIT, .lanes = 2},
    };
    const size_t count = sizeof records / sizeof records[0];
    const size_t sizes[] = {32, 16 + 3 * 8, 32, 16, 16, 16};
    struct text packed;
    size_t cursor = 0;

    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        records[0].addresses[lane] = UINT64_C(0x700000000000) - 4096 * lane;
        records[1].addresses[lane] = (records[1].lanes >> lane & 1) != 0 ? lane * lane * 4 : 0;
    }
    records[2].addresses[4] = UINT64_MAX;
    text_init(&packed);
    for (size_t i = 0; i < count; i++) {
        size_t before = packed.length;
        step_record_pack(&records[i], &packed);
        assert_int_equal(packed.length - before, sizes[i]);
    }
    for (size_t i = 0; i < count; i++) {
        struct step_record read;
        assert_true(
            step_record_unpack((const uint8_t *)packed.bytes, packed.length, &cursor, &read));
        assert_memory_equal(&read, &records[i], sizeof read);
    }
    struct step_record rest;
    assert_int_equal(cursor, packed.length);
    assert_false(step_record_unpack((const uint8_t *)packed.bytes, packed.length, &cursor, &rest));
    text_release(&packed);
}

static void test_bytes_that_are_no_step(void **state)
{
    (void)state;
    const struct step_record good = {.kind = STEP_RECORD_READ, .lanes = 1, .bytes = 4};
    struct text packed;
    struct step_record read;
    size_t cursor = 0;

    text_init(&packed);
    step_record_pack(&good, &packed);
    uint8_t *bytes = (uint8_t *)packed.bytes;
    for (size_t length = 0; length < packed.length; length++) {
        assert_false(step_record_unpack(bytes, length, &cursor, &read));
    }
    bytes[0] = STEP_RECORD_KIND_END;
    assert_false(step_record_unpack(bytes, packed.length, &cursor, &read));
    bytes[0] = STEP_RECORD_READ;
    bytes[1] = 65;
    assert_false(step_record_unpack(bytes, packed.length, &cursor, &read));
    bytes[1] = 4;
    bytes[8] = 0;
    assert_false(step_record_unpack(bytes, packed.length, &cursor, &read));
    assert_int_equal(cursor, 0);
    text_release(&packed);
}

static void test_regions(void **state)
{
    (void)state;
    const struct step_region region = {1, 64, UINT64_C(1) << 40, "_ZN4tileE"};
    struct step_region read;
    struct text packed;

    text_init(&packed);
    step_region_pack(&region, &packed);
    assert_int_equal(packed.length, STEP_REGION_BYTES);
    uint8_t *bytes = (uint8_t *)packed.bytes;
    assert_true(step_region_unpack(bytes, &read));
    assert_int_equal(read.bytes, region.bytes);
    assert_string_equal(read.name, region.name);
    bytes[STEP_REGION_BYTES - 1] = 'x';
    assert_false(step_region_unpack(bytes, &read));
    text_release(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_bytes_that_are_no_step),
        cmocka_unit_test(test_regions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
