/* test_count_map.c: what the device counted, by lines of the sources and by operands. */
#include "session/count_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RECORDS_MAX = 16 };

static const char *const files[] = {"", "tiled.cu", "", "helper.h"};
static const struct code_module module = {.files = files, .file_count = 4};
static const struct rubric_launch launch = {
    .operands = {{.name = "C", .role = OPERAND_OUTPUT},
                 {.name = "A", .role = OPERAND_INPUT},
                 {.name = "B", .role = OPERAND_INPUT}},
    .operand_count = 3,
};

static struct count_record access_at(uint32_t file, uint32_t line, uint32_t space, uint32_t access,
                                     uint64_t bytes)
{
    return (struct count_record){
        .kind = COUNT_RECORD_ACCESS,
        .space = space,
        .access = access,
        .file = file,
        .line = line,
        .column = 9,
        .max_degree = space == COUNT_SPACE_SHARED ? 2 : 0,
        .requests = 1,
        .lanes = bytes / 4,
        .bytes = bytes,
        .sectors = bytes / 16,
        .least_sectors = bytes / 32,
        .wavefronts = 2,
        .least_wavefronts = 1,
    };
}

static struct count_record allocation_at(uint64_t address, uint32_t access, uint64_t bytes)
{
    struct count_record record = access_at(0, 0, COUNT_SPACE_GLOBAL, access, bytes);

    record.kind = COUNT_RECORD_ALLOCATION;
    record.address = address;
    return record;
}

static bool map(struct arena *arena, const uint64_t *allocations,
                const struct count_record *records, size_t count, struct launch_counts *out_counts)
{
    const struct count_source source = {&module, &launch, allocations};
    uint8_t bytes[RECORDS_MAX * COUNT_RECORD_BYTES];

    for (size_t i = 0; i < count; i++) {
        count_record_pack(&records[i], bytes + i * COUNT_RECORD_BYTES);
    }
    return counts_from_bytes(arena, &source, bytes, count, out_counts);
}

static const uint64_t apart[] = {0x3000, 0x1000, 0x2000};

/* Lines are sorted; what climbs to one line of the sources is one entry; the rest is at "" 0. */
static void lines_are_sorted_and_summed(void **state)
{
    struct arena *arena = arena_new();
    struct count_record records[] = {
        access_at(2, 5, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 128),
        access_at(1, 30, COUNT_SPACE_SHARED, FINDING_RECORD_WRITE, 64),
        access_at(2, 77, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 32),
        access_at(1, 21, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 256),
        access_at(1, 21, COUNT_SPACE_SHARED, FINDING_RECORD_ATOMIC, 32),
        access_at(9, 9, COUNT_SPACE_LOCAL, FINDING_RECORD_READ, 32),
    };
    struct launch_counts counts;

    (void)state;
    records[0].inlined_file = 1;
    records[0].inlined_line = 21;
    records[0].inlined_column = 9;
    assert_true(map(arena, apart, records, 6, &counts));
    assert_int_equal(counts.line_count, 5);
    assert_string_equal(counts.lines[0].file, "");
    assert_int_equal(counts.lines[0].line, 0);
    assert_int_equal(counts.lines[0].space, COUNT_GLOBAL);
    assert_int_equal(counts.lines[1].space, COUNT_LOCAL);
    assert_string_equal(counts.lines[2].file, "tiled.cu");
    assert_int_equal(counts.lines[2].line, 21);
    assert_int_equal(counts.lines[2].sum.bytes, 384);
    assert_int_equal(counts.lines[2].sum.requests, 2);
    assert_int_equal(counts.lines[2].sum.sectors, 24);
    assert_int_equal(counts.lines[3].access, COUNT_ATOMIC);
    assert_int_equal(counts.lines[3].sum.max_degree, 2);
    assert_int_equal(counts.lines[4].line, 30);
    assert_int_equal(counts.totals[COUNT_GLOBAL][COUNT_READ].bytes, 416);
    assert_int_equal(counts.totals[COUNT_SHARED][COUNT_WRITE].wavefronts, 2);
    assert_int_equal(counts.totals[COUNT_LOCAL][COUNT_READ].lanes, 8);
    assert_int_equal(counts.totals[COUNT_SHARED][COUNT_READ].requests, 0);
    arena_free(arena);
}

static void operands_are_found_by_their_allocation(void **state)
{
    struct arena *arena = arena_new();
    const struct count_record records[] = {
        allocation_at(0x1000, FINDING_RECORD_READ, 128),
        allocation_at(0x2000, FINDING_RECORD_READ, 256),
        allocation_at(0x3000, FINDING_RECORD_WRITE, 64),
        allocation_at(0x4000, FINDING_RECORD_READ, 1024), /* nobody's */
    };
    const uint64_t together[] = {0x1000, 0x1000, 0x1000};
    struct launch_counts counts;

    (void)state;
    assert_true(map(arena, apart, records, 4, &counts));
    assert_int_equal(counts.operands[0][COUNT_READ].bytes, 0);
    assert_int_equal(counts.operands[0][COUNT_WRITE].bytes, 64);
    assert_int_equal(counts.operands[1][COUNT_READ].bytes, 128);
    assert_int_equal(counts.operands[2][COUNT_READ].bytes, 256);
    assert_int_equal(counts.totals[COUNT_GLOBAL][COUNT_READ].bytes, 0);
    assert_int_equal(counts.other_count, 1);
    assert_int_equal(counts.others[0].address, 0x4000);
    assert_int_equal(counts.others[0].bytes, 1024);
    assert_int_equal(counts.others[0].variable_bytes, 0); /* nobody has asked */
    assert_true(map(arena, together, records, 4, &counts));
    assert_int_equal(counts.operands[0][COUNT_READ].bytes, 0);
    assert_int_equal(counts.operands[1][COUNT_READ].bytes, 128);
    assert_int_equal(counts.operands[2][COUNT_READ].bytes, 0);
    arena_free(arena);
}

static void barriers_and_branches(void **state)
{
    struct arena *arena = arena_new();
    struct count_record records[] = {
        {.kind = COUNT_RECORD_BARRIER, .file = 1, .line = 40, .requests = 8, .passed = 1},
        {.kind = COUNT_RECORD_BARRIER, .file = 1, .line = 23, .requests = 8, .passed = 2},
        {.kind = COUNT_RECORD_BARRIER, .file = 1, .line = 40, .requests = 8, .passed = 1},
        {.kind = COUNT_RECORD_BRANCH, .file = 3, .line = 7, .requests = 5, .divergent = 2},
    };
    struct launch_counts counts;

    (void)state;
    records[1].needed = 2;
    assert_true(map(arena, apart, records, 4, &counts));
    assert_int_equal(counts.barrier_count, 2);
    assert_int_equal(counts.barriers[0].line, 23);
    assert_int_equal(counts.barriers[0].needed, 2);
    assert_int_equal(counts.barriers[1].arrivals, 16);
    assert_int_equal(counts.barriers[1].passed, 2);
    assert_int_equal(counts.barriers[1].needed, 0);
    assert_int_equal(counts.branch_count, 1);
    assert_string_equal(counts.branches[0].file, "helper.h");
    assert_int_equal(counts.branches[0].divergent, 2);
    arena_free(arena);
}

/* A device that cannot be trusted. */
static void bad_records_are_refused(void **state)
{
    struct arena *arena = arena_new();
    struct count_record records[] = {
        access_at(UINT32_MAX, UINT32_MAX, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 32),
        access_at(1, 1, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 32),
    };
    struct launch_counts counts;

    (void)state;
    records[0].bytes = UINT64_MAX;
    assert_true(map(arena, apart, records, 2, &counts));
    assert_int_equal(counts.totals[COUNT_GLOBAL][COUNT_READ].bytes, UINT64_MAX);
    records[1].space = COUNT_SPACE_END;
    assert_false(map(arena, apart, records, 2, &counts));
    assert_true(map(arena, apart, records, 0, &counts));
    assert_int_equal(counts.line_count, 0);
    arena_free(arena);
}

/* Launches of one call: what is about one thing is added, the rest stands side by side. */
static void counts_of_launches_are_added(void **state)
{
    struct arena *arena = arena_new();
    const struct count_record first[] = {
        access_at(1, 5, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 128),
        allocation_at(0xc000, FINDING_RECORD_WRITE, 64),
        allocation_at(0xf000, FINDING_RECORD_READ, 32),
    };
    const struct count_record second[] = {
        access_at(1, 5, COUNT_SPACE_GLOBAL, FINDING_RECORD_READ, 64),
        access_at(1, 7, COUNT_SPACE_SHARED, FINDING_RECORD_WRITE, 32),
        allocation_at(0xc000, FINDING_RECORD_WRITE, 32),
        allocation_at(0xe000, FINDING_RECORD_READ, 16),
        allocation_at(0xf000, FINDING_RECORD_WRITE, 8),
    };
    static const uint64_t own[] = {0xc000, 0xa000, 0xb000};
    struct launch_counts counts, more;

    (void)state;
    assert_true(map(arena, own, first, 3, &counts));
    assert_true(map(arena, own, second, 5, &more));
    counts.is_counted = more.is_counted = true;
    counts.lane_instructions = UINT64_MAX - 1;
    more.lane_instructions = 5;
    counts.work = 3;
    more.work = 4;
    counts_add(arena, &counts, &more);
    assert_int_equal(counts.line_count, 2);
    assert_int_equal(counts.lines[0].line, 5);
    assert_int_equal(counts.totals[COUNT_GLOBAL][COUNT_READ].bytes, 192);
    assert_int_equal(counts.totals[COUNT_SHARED][COUNT_WRITE].bytes, 32);
    assert_int_equal(counts.operands[0][COUNT_WRITE].bytes, 96);
    assert_int_equal(counts.other_count, 2);
    assert_int_equal(counts.others[0].address, 0xe000);
    assert_int_equal(counts.others[1].bytes, 32);
    assert_int_equal(counts.others[1].stored_bytes, 8);
    assert_true(counts.lane_instructions == UINT64_MAX);
    assert_int_equal(counts.work, 7);
    assert_true(counts.is_counted);
    more.is_counted = false;
    counts_add(arena, &counts, &more);
    assert_false(counts.is_counted);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_sorted_and_summed),
        cmocka_unit_test(operands_are_found_by_their_allocation),
        cmocka_unit_test(barriers_and_branches),
        cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(counts_of_launches_are_added),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
