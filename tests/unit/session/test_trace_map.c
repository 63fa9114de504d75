/* test_trace_map.c: what the device logged, by lines of the sources and elements of operands. */
#include "session/trace_map.h"
#include "wire/trace_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS_MAX = 16, PLACES = 5, THREADS = 64 };

static const char *const files[] = {"", "tiled.cu", "", "helper.h"};
static const struct code_module module = {.files = files, .file_count = 4};
static const struct rubric_launch launch = {
    .operands = {{.name = "A", .type = ELEMENT_F32},
                 {.name = "D", .type = ELEMENT_F64},
                 {.name = "C", .type = ELEMENT_F32, .role = OPERAND_OUTPUT}},
    .operand_count = 3,
};
static const uint64_t addresses[] = {0x1000, 0x2000, 0x1040};
static const size_t counts[] = {16, 4, 8};
static const struct trace_source source = {&module, &launch, addresses, counts, THREADS};

/* The third is the first again, the fourth a header where it was inlined, the last unknown. */
static const struct finding_record_place places[PLACES] = {
    {.file = 1, .line = 30, .column = 9},
    {.file = 1, .line = 21, .column = 5},
    {.file = 1, .line = 30, .column = 9},
    {.file = 2, .line = 777, .inlined_file = 3, .inlined_line = 8, .inlined_column = 3},
    {.file = 2, .line = 5},
};

static bool map(struct arena *arena, const struct trace_record *records, size_t count,
                struct launch_trace *out_trace)
{
    uint8_t bytes[RECORDS_MAX * TRACE_RECORD_BYTES + PLACES * TRACE_PLACE_BYTES];
    uint8_t *at = bytes;

    for (size_t i = 0; i < count; i++, at += TRACE_RECORD_BYTES) {
        trace_record_pack(&records[i], at);
    }
    for (size_t i = 0; i < PLACES; i++, at += TRACE_PLACE_BYTES) {
        trace_place_pack(&places[i], at);
    }
    *out_trace = (struct launch_trace){.is_complete = true};
    return trace_from_bytes(arena, &source, bytes, count, PLACES, out_trace);
}

static struct trace_record access_at(uint32_t place, uint32_t space, uint32_t bytes, uint64_t where,
                                     uint64_t bits)
{
    return (struct trace_record){
        .thread = 3,
        .space = space,
        .access = FINDING_RECORD_READ,
        .bytes = bytes,
        .place = place,
        .where = where,
        .bits = bits,
    };
}

static void lines_are_sorted_and_there_once(void **state)
{
    struct arena *arena = arena_new();
    struct trace_record records[PLACES];
    struct launch_trace trace;
    static const uint32_t lines[PLACES] = {3, 2, 3, 1, 0};
    (void)state;

    for (uint32_t i = 0; i < PLACES; i++) {
        records[i] = access_at(i, TRACE_RECORD_SHARED, 4, 4 * i, i);
    }
    assert_true(map(arena, records, PLACES, &trace));
    assert_int_equal(trace.line_count, 4);
    assert_string_equal(trace.lines[0].file, "");
    assert_int_equal(trace.lines[0].line, 0);
    assert_string_equal(trace.lines[1].file, "helper.h");
    assert_int_equal(trace.lines[1].line, 8);
    assert_int_equal(trace.lines[1].column, 3);
    assert_int_equal(trace.lines[2].line, 21);
    assert_int_equal(trace.lines[3].line, 30);
    assert_int_equal(trace.access_count, PLACES);
    assert_true(trace.is_complete);
    for (size_t i = 0; i < PLACES; i++) {
        assert_int_equal(trace.accesses[i].line, lines[i]);
        assert_int_equal(trace.accesses[i].thread, 3);
    }
    arena_free(arena);
}

static void addresses_become_elements(void **state)
{
    static const struct {
        uint32_t space, bytes;
        uint64_t where;
        uint8_t operand;
        uint64_t element;
    } rows[] = {
        {TRACE_RECORD_GLOBAL, 4, 0x1000, 0, 0},
        {TRACE_RECORD_GLOBAL, 4, 0x103c, 0, 15},
        {TRACE_RECORD_GLOBAL, 4, 0x1040, 2, 0},
        {TRACE_RECORD_GLOBAL, 4, 0x105c, 2, 7},
        {TRACE_RECORD_GLOBAL, 4, 0x1060, TRACE_NO_OPERAND, 0x1060},
        {TRACE_RECORD_GLOBAL, 4, 0xffc, TRACE_NO_OPERAND, 0xffc},
        {TRACE_RECORD_GLOBAL, 8, 0x2008, 1, 1},
        {TRACE_RECORD_GLOBAL, 4, 0x200c, 1, 1}, /* half of it */
        {TRACE_RECORD_GLOBAL, 1, 0x1007, 0, 1},
        {TRACE_RECORD_SHARED, 4, 0x1000, TRACE_NO_OPERAND, 0x1000},
        {TRACE_RECORD_SHARED, 8, 0x20, TRACE_NO_OPERAND, 0x20},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    struct arena *arena = arena_new();
    struct trace_record records[ROWS];
    struct launch_trace trace;
    (void)state;

    for (size_t i = 0; i < ROWS; i++) {
        records[i] = access_at(0, rows[i].space, rows[i].bytes, rows[i].where, 0x42);
        records[i].access = FINDING_RECORD_READ + (uint32_t)i % 3;
    }
    assert_true(map(arena, records, ROWS, &trace));
    assert_int_equal(trace.access_count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const struct trace_access *access = &trace.accesses[i];
        assert_int_equal(access->operand, rows[i].operand);
        assert_int_equal(access->where, rows[i].element);
        assert_int_equal(access->bytes, rows[i].bytes);
        assert_int_equal(access->space == TRACE_SHARED, rows[i].space == TRACE_RECORD_SHARED);
        assert_int_equal(access->kind, TRACE_READ + i % 3);
        assert_int_equal(access->bits, 0x42);
    }
    arena_free(arena);
}

/* A load of 8 bytes of an operand of floats is two, also where the second is no longer of it. */
static void wide_accesses_are_split(void **state)
{
    struct arena *arena = arena_new();
    const struct trace_record records[] = {
        access_at(0, TRACE_RECORD_GLOBAL, 8, 0x1008, UINT64_C(0x2222222211111111)),
        access_at(1, TRACE_RECORD_GLOBAL, 8, 0x1058, UINT64_C(0x4444444433333333)),
        access_at(1, TRACE_RECORD_GLOBAL, 8, 0x105c, UINT64_C(0x6666666655555555)),
    };
    static const struct trace_access expected[] = {
        {.operand = 0, .where = 2, .bits = 0x11111111},
        {.operand = 0, .where = 3, .bits = 0x22222222},
        {.operand = 2, .where = 6, .bits = 0x33333333},
        {.operand = 2, .where = 7, .bits = 0x44444444},
        {.operand = 2, .where = 7, .bits = 0x55555555},
        {.operand = TRACE_NO_OPERAND, .where = 0x1060, .bits = 0x66666666},
    };
    struct launch_trace trace;
    (void)state;

    assert_true(map(arena, records, 3, &trace));
    assert_int_equal(trace.access_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(trace.accesses[i].operand, expected[i].operand);
        assert_int_equal(trace.accesses[i].where, expected[i].where);
        assert_int_equal(trace.accesses[i].bits, expected[i].bits);
        assert_int_equal(trace.accesses[i].bytes, 4);
        assert_int_equal(trace.accesses[i].line, i < 2 ? 3 : 2);
    }
    arena_free(arena);
}

static void bad_records_are_refused(void **state)
{
    struct arena *arena = arena_new();
    const struct trace_record good = access_at(0, TRACE_RECORD_GLOBAL, 4, 0x1000, 1);
    struct trace_record bad[4] = {good, good, good, good};
    struct launch_trace trace;
    (void)state;

    bad[0].place = PLACES;
    bad[1].thread = THREADS;
    bad[2].bytes = 3;
    bad[3].access = FINDING_RECORD_WAIT;
    assert_true(map(arena, &good, 1, &trace));
    for (size_t i = 0; i < 4; i++) {
        assert_false(map(arena, &bad[i], 1, &trace));
    }
    assert_true(map(arena, NULL, 0, &trace));
    assert_int_equal(trace.access_count, 0);
    assert_false(trace_from_bytes(arena, &source, NULL, (size_t)TRACE_RECORDS_MAX + 1, 0, &trace));
    assert_false(trace_from_bytes(arena, &source, NULL, 0, (size_t)TRACE_PLACES_MAX + 1, &trace));
    arena_free(arena);
}

/* Splitting makes more than may be: the last are left out. */
static void too_many_parts_are_cut(void **state)
{
    const size_t count = TRACE_ACCESSES_MAX / 2 + 3;
    struct arena *arena = arena_new();
    uint8_t *bytes = malloc(count * TRACE_RECORD_BYTES + TRACE_PLACE_BYTES);
    const struct trace_record record = access_at(0, TRACE_RECORD_GLOBAL, 8, 0x1000, 1);
    struct launch_trace trace = {.is_complete = true};
    (void)state;

    assert_non_null(bytes);
    for (size_t i = 0; i < count; i++) {
        trace_record_pack(&record, bytes + i * TRACE_RECORD_BYTES);
    }
    trace_place_pack(&places[0], bytes + count * TRACE_RECORD_BYTES);
    assert_true(trace_from_bytes(arena, &source, bytes, count, 1, &trace));
    assert_int_equal(trace.access_count, TRACE_ACCESSES_MAX);
    assert_false(trace.is_complete);
    free(bytes);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sorted_and_there_once),
        cmocka_unit_test(addresses_become_elements),
        cmocka_unit_test(wide_accesses_are_split),
        cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(too_many_parts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
