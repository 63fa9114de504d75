/* test_trace_record.c: traced accesses and their places are the same at the other end. */
#include "wire/trace_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct trace_record some_record(void)
{
    return (struct trace_record){
        .thread = 1023,
        .space = TRACE_RECORD_SHARED,
        .access = FINDING_RECORD_ATOMIC,
        .bytes = 4,
        .place = 0x12345678,
        .where = UINT64_C(0x100000000204),
        .bits = 0xdeadbeef,
    };
}

static void records_survive(void **state)
{
    static const uint32_t sizes[] = {1, 2, 4, 8};
    (void)state;

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct trace_record record = some_record(), back;
        uint8_t bytes[TRACE_RECORD_BYTES + 1];

        record.bytes = sizes[i];
        record.bits = UINT64_MAX >> (64 - 8 * sizes[i]);
        memset(bytes, 0xa5, sizeof bytes);
        trace_record_pack(&record, bytes);
        assert_int_equal(bytes[TRACE_RECORD_BYTES], 0xa5);
        memset(&back, 0, sizeof back);
        assert_true(trace_record_unpack(bytes, &back));
        assert_int_equal(back.thread, 1023);
        assert_int_equal(back.space, TRACE_RECORD_SHARED);
        assert_int_equal(back.access, FINDING_RECORD_ATOMIC);
        assert_int_equal(back.bytes, sizes[i]);
        assert_int_equal(back.place, 0x12345678);
        assert_true(back.where == record.where && back.bits == record.bits);
    }
}

static void bad_records_are_refused(void **state)
{
    /* offset of a byte, and a value that no device sends there */
    static const struct {
        size_t offset;
        uint8_t value;
    } rows[] = {
        {2, FINDING_RECORD_READ << 4 | 2}, /* no such space */
        {2, FINDING_RECORD_NO_ACCESS << 4},
        {2, FINDING_RECORD_WAIT << 4},
        {2, 0xf0},
        {3, 0},
        {3, 3},
        {3, 16},
        {3, 2},  /* the bits have more bytes */
        {20, 1}, /* likewise */
    };
    struct trace_record record = some_record(), back = {0};
    uint8_t good[TRACE_RECORD_BYTES];
    (void)state;

    trace_record_pack(&record, good);
    assert_true(trace_record_unpack(good, &back));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[TRACE_RECORD_BYTES];

        memcpy(bytes, good, sizeof bytes);
        bytes[rows[i].offset] = rows[i].value;
        memset(&back, 0, sizeof back);
        assert_false(trace_record_unpack(bytes, &back));
        assert_int_equal(back.bytes, 0);
    }
}

static void places_survive(void **state)
{
    struct finding_record_place place = {
        .access = FINDING_RECORD_READ,
        .file = 1,
        .line = 31,
        .column = 9,
        .inlined_file = 2,
        .inlined_line = UINT32_MAX,
        .inlined_column = 5,
        .block = {7, 7, 7},
    };
    struct finding_record_place back;
    uint8_t bytes[TRACE_PLACE_BYTES + 1];
    (void)state;

    memset(bytes, 0xa5, sizeof bytes);
    trace_place_pack(&place, bytes);
    assert_int_equal(bytes[TRACE_PLACE_BYTES], 0xa5);
    trace_place_unpack(bytes, &back);
    place.access = 0;
    memset(place.block, 0, sizeof place.block);
    assert_memory_equal(&back, &place, sizeof back);
}

static void terms_survive(void **state)
{
    const struct term_record term = {
        .address = UINT64_C(0x100000000204),
        .bytes = 4,
        .count = UINT32_MAX,
        .modules = {1, 2},
        .places = {{.file = 1, .line = 31, .column = 9}, {.inlined_line = 7}},
    };
    struct term_record back;
    uint8_t bytes[TERM_RECORD_BYTES + 1];
    (void)state;

    memset(bytes, 0xa5, sizeof bytes);
    term_record_pack(&term, bytes);
    assert_int_equal(bytes[TERM_RECORD_BYTES], 0xa5);
    term_record_unpack(bytes, &back);
    assert_memory_equal(&back, &term, sizeof back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_survive),
        cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(places_survive),
        cmocka_unit_test(terms_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
