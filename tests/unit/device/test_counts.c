/* test_counts.c: what launches are counted to: requests, sectors, wavefronts, per line and per
 * allocation; against numbers worked out by hand, and closed formulas for the coursework's kernels.
 */
#include "../nvcc_run.h"
#include "device/emulated/machine.h"
#include "emulated_fixture.h"

#define SECOND UINT64_C(1000000000)

enum { LINE = 10, PTX_BYTES = 8192, ARRAY_BYTES = 1 << 17, SHARED_BYTES = 1 << 15 };

/* Lane i of one warp accesses the place offset + i * stride (global: of an array, shared: of a
 * tile), if bit i of `mask` is set. */
struct access_case {
    const char *instruction; /* %p: the address (global), %s (shared); %v %w: data */
    uint32_t stride, offset, mask;
    uint32_t space, access;
    uint64_t bytes;
    uint64_t units, least_units; /* sectors or wavefronts */
    uint32_t degree;
};

/* The kernel around an instruction; it computes %p and %s, and guards by the mask. */
static const char kernel_before[] =
    PTX_HEAD ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 a, .param .u32 stride, "
             ".param .u32 offset, .param .u32 mask)\n{\n"
             ".reg .b64 %p, %x;\n.reg .b32 %s, %t, %l, %v<5>, %m, %stride, %offset;\n"
             ".reg .b16 %h<3>;\n.reg .b64 %w<3>;\n.reg .pred %q;\n"
             ".shared .align 128 .b8 tile[32768];\n"
             "ld.param.u64 %p, [a];\nld.param.u32 %stride, [stride];\n"
             "ld.param.u32 %offset, [offset];\nld.param.u32 %m, [mask];\n"
             "mov.u32 %l, %laneid;\nshr.u32 %m, %m, %l;\nand.b32 %m, %m, 1;\n"
             "mad.lo.u32 %t, %l, %stride, %offset;\nmov.u32 %s, tile;\n"
             "add.u32 %s, %s, %t;\ncvt.u64.u32 %x, %t;\nadd.u64 %p, %p, %x;\n"
             "setp.eq.u32 %q, %m, 0;\n@%q bra DONE;\n.loc 1 10 5\n";
static const char kernel_after[] = "\n.loc 1 11 1\nDONE:\nret;\n}\n";

/* The parameters of the kernel. */
struct access_parameters {
    uint64_t array;
    uint32_t stride, offset, mask;
};

/* The record of a kind at a line; fails if there is not just one. */
static const struct count_record *find_record(const struct device_launch_result *result,
                                              enum count_record_kind kind, uint32_t line,
                                              uint32_t space, uint32_t access)
{
    const struct count_record *found = NULL;
    for (size_t i = 0; i < result->count_count; i++) {
        const struct count_record *record = &result->counts[i];
        if (record->kind == (uint32_t)kind && record->line == line && record->space == space &&
            record->access == access) {
            assert_null(found);
            found = record;
        }
    }
    if (found == NULL) {
        fail_msg("no record of kind %d at line %u among %zu", (int)kind, line, result->count_count);
    }
    return found;
}

static const struct count_record *find_allocation(const struct device_launch_result *result,
                                                  uint64_t address, uint32_t access)
{
    for (size_t i = 0; i < result->count_count; i++) {
        const struct count_record *record = &result->counts[i];
        if (record->kind == COUNT_RECORD_ALLOCATION && record->address == address &&
            record->access == access) {
            return record;
        }
    }
    return NULL;
}

static void check_case(const struct access_case *row)
{
    char ptx[PTX_BYTES];
    struct device *device = fixture_open(1, 1000 * SECOND);
    struct access_parameters parameters = {fixture_allocate(device, ARRAY_BYTES), row->stride,
                                           row->offset, row->mask};
    snprintf(ptx, sizeof ptx, "%s%s%s", kernel_before, row->instruction, kernel_after);
    uint32_t module = fixture_load(device, ptx);
    struct device_launch_result result = fixture_launch(device, module, 3, 32, &parameters);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_true(result.is_counted);
    const struct count_record *record =
        find_record(&result, COUNT_RECORD_ACCESS, LINE, row->space, row->access);
    uint64_t lanes = (uint64_t)__builtin_popcount(row->mask);
    bool is_shared = row->space == COUNT_SPACE_SHARED;
    uint64_t units = is_shared ? record->wavefronts : record->sectors;
    uint64_t least_units = is_shared ? record->least_wavefronts : record->least_sectors;
    if (record->requests != 3 || record->lanes != 3 * lanes ||
        record->bytes != 3 * lanes * row->bytes || units != 3 * row->units ||
        least_units != 3 * row->least_units || record->max_degree != row->degree) {
        fail_msg("%s, stride %u, offset %u, mask %x: 3 blocks made %d requests, %d bytes, %d units "
                 "(least %d), degree %u",
                 row->instruction, row->stride, row->offset, row->mask, (int)record->requests,
                 (int)record->bytes, (int)units, (int)least_units, record->max_degree);
    }
    const struct count_record *allocation = find_allocation(&result, parameters.array, row->access);
    assert_true((allocation != NULL) == (row->space == COUNT_SPACE_GLOBAL));
    if (allocation != NULL) {
        assert_int_equal(allocation->bytes, record->bytes);
        assert_int_equal(allocation->sectors, record->sectors);
        assert_int_equal(allocation->requests, 3);
    }
    device_close(device);
}

#define GLOBAL_READ COUNT_SPACE_GLOBAL, FINDING_RECORD_READ
#define GLOBAL_WRITE COUNT_SPACE_GLOBAL, FINDING_RECORD_WRITE
#define GLOBAL_ATOMIC COUNT_SPACE_GLOBAL, FINDING_RECORD_ATOMIC
#define SHARED_READ COUNT_SPACE_SHARED, FINDING_RECORD_READ
#define SHARED_WRITE COUNT_SPACE_SHARED, FINDING_RECORD_WRITE
#define SHARED_ATOMIC COUNT_SPACE_SHARED, FINDING_RECORD_ATOMIC

/* sectors: distinct pieces of 32 bytes; the least: distinct bytes / 32, rounded up */
static void test_sectors(void **state)
{
    (void)state;
    static const struct access_case rows[] = {
        /* contiguous words, at each place in a sector */
        {"ld.global.u32 %v0, [%p];", 4, 0, ALL_LANES, GLOBAL_READ, 4, 4, 4, 0},
        {"ld.global.u32 %v0, [%p];", 4, 4, ALL_LANES, GLOBAL_READ, 4, 5, 4, 0},
        {"ld.global.u32 %v0, [%p];", 4, 28, ALL_LANES, GLOBAL_READ, 4, 5, 4, 0},
        {"ld.global.u32 %v0, [%p];", 4, 32, ALL_LANES, GLOBAL_READ, 4, 4, 4, 0},
        {"ld.global.u32 %v0, [%p+4];", 4, 0, ALL_LANES, GLOBAL_READ, 4, 5, 4, 0},
        /* strided: 2, 4, 8 and 32 words apart */
        {"ld.global.u32 %v0, [%p];", 8, 0, ALL_LANES, GLOBAL_READ, 4, 8, 4, 0},
        {"ld.global.u32 %v0, [%p];", 16, 0, ALL_LANES, GLOBAL_READ, 4, 16, 4, 0},
        {"ld.global.u32 %v0, [%p];", 32, 0, ALL_LANES, GLOBAL_READ, 4, 32, 4, 0},
        {"ld.global.u32 %v0, [%p];", 128, 28, ALL_LANES, GLOBAL_READ, 4, 32, 4, 0},
        {"ld.global.u32 %v0, [%p];", 12, 0, ALL_LANES, GLOBAL_READ, 4, 12, 4, 0},
        /* one place for all */
        {"ld.global.u32 %v0, [%p];", 0, 12, ALL_LANES, GLOBAL_READ, 4, 1, 1, 0},
        /* parts of a warp */
        {"ld.global.u32 %v0, [%p];", 4, 0, 0x0000ffff, GLOBAL_READ, 4, 2, 2, 0},
        {"ld.global.u32 %v0, [%p];", 4, 0, 0xffff0000, GLOBAL_READ, 4, 2, 2, 0},
        {"ld.global.u32 %v0, [%p];", 4, 0, 0x55555555, GLOBAL_READ, 4, 4, 2, 0},
        {"ld.global.u32 %v0, [%p];", 4, 0, 0x80000001, GLOBAL_READ, 4, 2, 1, 0},
        {"ld.global.u32 %v0, [%p];", 4, 4, 0x00000001, GLOBAL_READ, 4, 1, 1, 0},
        /* bytes, halves, doubles, vectors */
        {"ld.global.u8 %h0, [%p];", 1, 0, ALL_LANES, GLOBAL_READ, 1, 1, 1, 0},
        {"ld.global.u8 %h0, [%p];", 1, 1, ALL_LANES, GLOBAL_READ, 1, 2, 1, 0},
        {"ld.global.u8 %h0, [%p];", 32, 31, ALL_LANES, GLOBAL_READ, 1, 32, 1, 0},
        {"ld.global.u16 %h0, [%p];", 2, 2, ALL_LANES, GLOBAL_READ, 2, 3, 2, 0},
        {"ld.global.u64 %w0, [%p];", 8, 0, ALL_LANES, GLOBAL_READ, 8, 8, 8, 0},
        {"ld.global.u64 %w0, [%p];", 8, 8, ALL_LANES, GLOBAL_READ, 8, 9, 8, 0},
        {"ld.global.v2.u32 {%v0, %v1}, [%p];", 8, 0, ALL_LANES, GLOBAL_READ, 8, 8, 8, 0},
        {"ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%p];", 16, 0, ALL_LANES, GLOBAL_READ, 16, 16, 16,
         0},
        {"ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%p];", 16, 16, ALL_LANES, GLOBAL_READ, 16, 17, 16,
         0},
        {"ld.global.v4.u32 {%v0, %v1, %v2, %v3}, [%p];", 0, 16, ALL_LANES, GLOBAL_READ, 16, 1, 1,
         0},
        {"st.global.u32 [%p], %v0;", 4, 4, ALL_LANES, GLOBAL_WRITE, 4, 5, 4, 0},
        {"st.global.v2.u64 [%p], {%w0, %w1};", 16, 0, 0xff, GLOBAL_WRITE, 16, 4, 4, 0},
        /* to and fro: lanes take turns between two places */
        {"and.b32 %t, %l, 1;\nmul.wide.u32 %x, %t, 4096;\nadd.u64 %p, %p, %x;\n"
         "ld.global.u32 %v0, [%p];",
         0, 0, ALL_LANES, GLOBAL_READ, 4, 2, 1, 0},
        /* atomics, and generic addresses */
        {"red.global.add.u32 [%p], 1;", 4, 0, ALL_LANES, GLOBAL_ATOMIC, 4, 4, 4, 0},
        {"red.global.add.u32 [%p], 1;", 0, 4, ALL_LANES, GLOBAL_ATOMIC, 4, 1, 1, 0},
        {"atom.global.add.u64 %w0, [%p], 1;", 64, 0, 0xf, GLOBAL_ATOMIC, 8, 4, 1, 0},
        {"ld.u32 %v0, [%p];", 4, 4, ALL_LANES, GLOBAL_READ, 4, 5, 4, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_case(&rows[i]);
    }
}

/* wavefronts: the most different words that one bank is asked for, for each group of lanes */
static void test_bank_conflicts(void **state)
{
    (void)state;
    static const struct access_case rows[] = {
        /* words: 1, 2, 4, 8, 16 and 32 to a bank; padding; the same word for all */
        {"ld.shared.u32 %v0, [%s];", 4, 0, ALL_LANES, SHARED_READ, 4, 1, 1, 1},
        {"ld.shared.u32 %v0, [%s];", 8, 0, ALL_LANES, SHARED_READ, 4, 2, 1, 2},
        {"ld.shared.u32 %v0, [%s];", 16, 0, ALL_LANES, SHARED_READ, 4, 4, 1, 4},
        {"ld.shared.u32 %v0, [%s];", 32, 4, ALL_LANES, SHARED_READ, 4, 8, 1, 8},
        {"ld.shared.u32 %v0, [%s];", 64, 0, ALL_LANES, SHARED_READ, 4, 16, 1, 16},
        {"ld.shared.u32 %v0, [%s];", 128, 8, ALL_LANES, SHARED_READ, 4, 32, 1, 32},
        {"ld.shared.u32 %v0, [%s];", 132, 0, ALL_LANES, SHARED_READ, 4, 1, 1, 1},
        {"ld.shared.u32 %v0, [%s];", 12, 0, ALL_LANES, SHARED_READ, 4, 1, 1, 1},
        {"ld.shared.u32 %v0, [%s];", 0, 64, ALL_LANES, SHARED_READ, 4, 1, 1, 1},
        {"st.shared.u32 [%s], %v0;", 128, 0, ALL_LANES, SHARED_WRITE, 4, 32, 1, 32},
        {"st.shared.u32 [%s], %v0;", 128, 0, 0x10101010, SHARED_WRITE, 4, 4, 1, 4},
        {"st.shared.u32 [%s], %v0;", 128, 0, 1, SHARED_WRITE, 4, 1, 1, 1},
        /* less than a word: lanes that share one do not conflict */
        {"ld.shared.u8 %h0, [%s];", 1, 0, ALL_LANES, SHARED_READ, 1, 1, 1, 1},
        {"ld.shared.u8 %h0, [%s];", 1, 3, ALL_LANES, SHARED_READ, 1, 1, 1, 1},
        {"st.shared.u16 [%s], %h0;", 2, 2, ALL_LANES, SHARED_WRITE, 2, 1, 1, 1},
        {"st.shared.u16 [%s], %h0;", 64, 2, ALL_LANES, SHARED_WRITE, 2, 16, 1, 16},
        /* 8 bytes: halves of a warp */
        {"ld.shared.u64 %w0, [%s];", 8, 0, ALL_LANES, SHARED_READ, 8, 2, 2, 1},
        {"ld.shared.u64 %w0, [%s];", 8, 0, 0x0000ffff, SHARED_READ, 8, 1, 1, 1},
        {"ld.shared.u64 %w0, [%s];", 16, 0, ALL_LANES, SHARED_READ, 8, 4, 2, 2},
        {"ld.shared.u64 %w0, [%s];", 128, 0, ALL_LANES, SHARED_READ, 8, 32, 2, 16},
        {"st.shared.u64 [%s], %w0;", 8, 8, ALL_LANES, SHARED_WRITE, 8, 2, 2, 1},
        /* 16 bytes: quarters */
        {"ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%s];", 16, 0, ALL_LANES, SHARED_READ, 16, 4, 4,
         1},
        {"ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%s];", 32, 0, ALL_LANES, SHARED_READ, 16, 8, 4,
         2},
        {"ld.shared.v2.u64 {%w0, %w1}, [%s];", 144, 0, ALL_LANES, SHARED_READ, 16, 4, 4, 1},
        {"st.shared.v4.u32 [%s], {%v0, %v1, %v2, %v3};", 128, 0, ALL_LANES, SHARED_WRITE, 16, 32, 4,
         8},
        /* pairs of lanes with one address: loads are served together, stores are not */
        {"ld.shared.u64 %w0, [%s];", 0, 0, ALL_LANES, SHARED_READ, 8, 1, 1, 1},
        {"st.shared.u64 [%s], %w0;", 0, 0, ALL_LANES, SHARED_WRITE, 8, 2, 2, 1},
        {"ld.shared.u64 %w0, [%s];", 8, 0, 0x55555555, SHARED_READ, 8, 2, 1, 2},
        {"ld.shared.v4.u32 {%v0, %v1, %v2, %v3}, [%s];", 0, 0, ALL_LANES, SHARED_READ, 16, 2, 2, 1},
        /* atomics on one word wait for each other */
        {"atom.shared.add.u32 %v0, [%s], 1;", 4, 0, ALL_LANES, SHARED_ATOMIC, 4, 1, 1, 1},
        {"atom.shared.add.u32 %v0, [%s], 1;", 0, 4, ALL_LANES, SHARED_ATOMIC, 4, 32, 1, 32},
        {"red.shared.add.u32 [%s], 1;", 8, 0, ALL_LANES, SHARED_ATOMIC, 4, 2, 1, 2},
        {"red.shared.add.u64 [%s], 1;", 8, 0, ALL_LANES, SHARED_ATOMIC, 8, 2, 2, 1},
        /* generic addresses of a tile */
        {"cvt.u64.u32 %w0, %s;\ncvta.shared.u64 %w0, %w0;\nld.u32 %v0, [%w0];", 8, 0, ALL_LANES,
         SHARED_READ, 4, 2, 1, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_case(&rows[i]);
    }
}

/* The distances between the lanes grow with each step, their beginning stays: 4, 8, 12 and 16
 * sectors; in shared memory 1, 2, 1 and 4 wavefronts. */
static void test_distances_that_change(void **state)
{
    (void)state;
    static const char steps[] =
        "mov.u32 %v1, 0;\nAGAIN:\nadd.u32 %v1, %v1, 1;\nmul.lo.u32 %t, %l, %v1;\n"
        "mul.wide.u32 %x, %t, 4;\nadd.u64 %w0, %p, %x;\nshl.b32 %t, %t, 2;\n"
        "add.u32 %t, %t, %s;\nld.global.u32 %v0, [%w0];\nst.shared.u32 [%t], %v0;\n"
        "setp.lt.u32 %q, %v1, 4;\n@%q bra AGAIN;";
    char ptx[PTX_BYTES];
    struct device *device = fixture_open(1, 1000 * SECOND);
    struct access_parameters parameters = {fixture_allocate(device, ARRAY_BYTES), 0, 0, ALL_LANES};
    snprintf(ptx, sizeof ptx, "%s%s%s", kernel_before, steps, kernel_after);
    struct device_launch_result result =
        fixture_launch(device, fixture_load(device, ptx), 2, 32, &parameters);
    const struct count_record *load = find_record(&result, COUNT_RECORD_ACCESS, LINE, GLOBAL_READ);
    assert_int_equal(load->requests, 2 * 4);
    assert_int_equal(load->sectors, 2 * (4 + 8 + 12 + 16));
    assert_int_equal(load->least_sectors, 2 * 4 * 4);
    const struct count_record *store =
        find_record(&result, COUNT_RECORD_ACCESS, LINE, SHARED_WRITE);
    assert_int_equal(store->wavefronts, 2 * (1 + 2 + 1 + 4));
    assert_int_equal(store->least_wavefronts, 2 * 4);
    assert_int_equal(store->max_degree, 4);
    assert_int_equal(store->sectors, 2 * 4 * 4); /* however far apart, 32 words fill 4 pieces */
    device_close(device);
}

static uint64_t total(const struct device_launch_result *result, uint32_t space, uint32_t access,
                      uint64_t *out_bytes)
{
    uint64_t requests = 0;
    *out_bytes = 0;
    for (size_t i = 0; i < result->count_count; i++) {
        const struct count_record *record = &result->counts[i];
        if (record->kind == COUNT_RECORD_ACCESS && record->space == space &&
            record->access == access) {
            requests += record->requests;
            *out_bytes += record->bytes;
        }
    }
    return requests;
}

/* Lanes below `split` read array a, the others array b, at the same offset; line 10. The loop runs
 * `count` times and moves on by 4 bytes, so the place in a sector changes; line 12 is its branch.
 */
static const char split_ptx[] = PTX_HEAD
    ".file 1 \"split.cu\"\n"
    ".visible .entry split(.param .u64 a, .param .u64 b, .param .u32 split, .param .u32 count)\n"
    "{\n.reg .b64 %a, %b, %p, %x;\n.reg .b32 %t, %s, %v, %n;\n.reg .pred %q;\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u32 %s, [split];\n"
    "ld.param.u32 %n, [count];\nmov.u32 %t, %tid.x;\nsetp.lt.u32 %q, %t, %s;\n"
    "selp.b64 %p, %a, %b, %q;\nmul.wide.u32 %x, %t, 4;\nadd.u64 %p, %p, %x;\n"
    "LOOP:\n.loc 1 10 5\nld.global.u32 %v, [%p];\n.loc 1 11 5\nadd.u64 %p, %p, 4;\n"
    "sub.u32 %n, %n, 1;\nsetp.ne.u32 %q, %n, 0;\n.loc 1 12 5\n@%q bra LOOP;\nret;\n}\n";

static void test_two_allocations(void **state)
{
    (void)state;
    for (uint32_t split = 0; split <= 32; split += 8) {
        struct device *device = fixture_open(1, 1000 * SECOND);
        uint32_t module = fixture_load(device, split_ptx);
        struct {
            uint64_t a, b;
            uint32_t split, count;
        } parameters = {fixture_allocate(device, 4096), fixture_allocate(device, 4096), split, 9};
        struct device_launch_result result = fixture_launch(device, module, 1, 32, &parameters);
        const struct count_record *line =
            find_record(&result, COUNT_RECORD_ACCESS, LINE, GLOBAL_READ);
        assert_int_equal(line->requests, 9);
        assert_int_equal(line->lanes, 9 * 32);
        assert_int_equal(line->bytes, 9 * 128);
        /* 8 lanes begin a sector each 8 steps (steps 0 and 8); on the others they need one more */
        uint64_t parts[2] = {split, 32 - split};
        uint64_t addresses[2] = {parameters.a, parameters.b};
        uint64_t sectors = 0;
        for (unsigned i = 0; i < 2; i++) {
            const struct count_record *part =
                find_allocation(&result, addresses[i], FINDING_RECORD_READ);
            assert_true((part != NULL) == (parts[i] != 0));
            if (part != NULL) {
                assert_int_equal(part->requests, 9);
                assert_int_equal(part->lanes, 9 * parts[i]);
                assert_int_equal(part->bytes, 9 * 4 * parts[i]);
                assert_int_equal(part->sectors, 9 * parts[i] / 8 + 7);
                assert_int_equal(part->least_sectors, 9 * parts[i] / 8);
                sectors += part->sectors;
            }
        }
        assert_int_equal(line->sectors, sectors);
        const struct count_record *branch = find_record(&result, COUNT_RECORD_BRANCH, 12, 0, 0);
        assert_int_equal(branch->requests, 9);
        assert_int_equal(branch->lanes, 9 * 32);
        assert_int_equal(branch->divergent, 0);
        device_close(device);
    }
}

/* All lanes read one word, of a and of b in turn: the requests cost the same, and go to different
 * allocations. */
static void test_allocations_in_turn(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".file 1 \"turn.cu\"\n"
        ".visible .entry turn(.param .u64 a, .param .u64 b)\n"
        "{\n.reg .b64 %p, %o, %x;\n.reg .b32 %v, %n;\n.reg .pred %q;\n"
        "ld.param.u64 %p, [a];\nld.param.u64 %o, [b];\nmov.u32 %n, 0;\n"
        "LOOP:\n.loc 1 10 5\nld.global.u32 %v, [%p];\nadd.u64 %x, %p, 4;\nmov.u64 %p, %o;\n"
        "mov.u64 %o, %x;\nadd.u32 %n, %n, 1;\nsetp.lt.u32 %q, %n, 7;\n@%q bra LOOP;\nret;\n}\n";
    struct device *device = fixture_open(1, 1000 * SECOND);
    const uint64_t addresses[2] = {fixture_allocate(device, 4096), fixture_allocate(device, 4096)};
    struct device_launch_result result =
        fixture_launch(device, fixture_load(device, ptx), 1, 32, addresses);
    for (unsigned i = 0; i < 2; i++) {
        const struct count_record *part =
            find_allocation(&result, addresses[i], FINDING_RECORD_READ);
        assert_non_null(part);
        assert_int_equal(part->requests, 4 - i);
        assert_int_equal(part->sectors, 4 - i);
    }
    device_close(device);
}

/* Threads whose number is odd add to a word of local memory, all read a constant; then a barrier,
 * which the second half of the block reaches after a loop of its own. */
static const char mixed_ptx[] = PTX_HEAD
    ".file 1 \"mixed.cu\"\n.file 2 \"header.h\"\n.const .align 4 .b8 table[256];\n"
    ".visible .entry mixed()\n{\n.local .align 4 .b8 own[64];\n.reg .b32 %t, %o, %v, %c;\n"
    ".reg .b64 %x, %y;\n.reg .pred %q;\n"
    "mov.u32 %t, %tid.x;\nand.b32 %o, %t, 1;\nsetp.eq.u32 %q, %o, 0;\n"
    ".loc 1 20 5\n@%q bra EVEN;\n.loc 1 21 5\nst.local.u32 [own], %t;\nld.local.u32 %v, [own];\n"
    "EVEN:\nand.b32 %o, %t, 63;\nmul.wide.u32 %x, %o, 4;\nmov.u64 %y, table;\nadd.u64 %x, %x, %y;\n"
    ".loc 2 7 5, function_name $L__info, inlined_at 1 30 9\nld.const.u32 %c, [%x];\n"
    ".loc 1 22 5\nbar.sync 0;\n.loc 1 22 5\nbar.sync 0;\nret;\n}\n"
    ".section .debug_str\n{\n$L__info:\n.b8 102\n.b8 0\n}\n";

static void test_other_spaces_branches_and_barriers(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, 1000 * SECOND);
    uint32_t module = fixture_load(device, mixed_ptx);
    struct device_launch_result result = fixture_launch(device, module, 5, 80, NULL);
    assert_int_equal(result.status, LAUNCH_DONE);
    const struct count_record *branch = find_record(&result, COUNT_RECORD_BRANCH, 20, 0, 0);
    assert_int_equal(branch->requests, 15);
    assert_int_equal(branch->lanes, 400);
    assert_int_equal(branch->divergent, 15);
    const struct count_record *store =
        find_record(&result, COUNT_RECORD_ACCESS, 21, COUNT_SPACE_LOCAL, FINDING_RECORD_WRITE);
    assert_int_equal(store->requests, 15);
    assert_int_equal(store->lanes, 200);
    assert_int_equal(store->bytes, 800);
    const struct count_record *load =
        find_record(&result, COUNT_RECORD_ACCESS, 7, COUNT_SPACE_CONSTANT, FINDING_RECORD_READ);
    assert_int_equal(load->requests, 15);
    assert_int_equal(load->bytes, 1600);
    assert_int_equal(load->sectors, 0);
    assert_int_equal(load->inlined_line, 30);
    assert_int_equal(load->inlined_file, 1);
    const struct count_record *barrier = find_record(&result, COUNT_RECORD_BARRIER, 22, 0, 0);
    assert_int_equal(barrier->requests, 30);
    assert_int_equal(barrier->lanes, 800);
    assert_int_equal(barrier->passed, 10);
    assert_int_equal(result.counters.barriers, 30);
    device_close(device);
}

/* a[i] += 1 in global memory: the blocks run again in order, and count once. */
static const char twice_ptx[] = PTX_HEAD
    ".file 1 \"twice.cu\"\n.visible .entry twice(.param .u64 a)\n{\n.reg .b64 %a, %x;\n"
    ".reg .b32 %t, %b, %n, %v;\nld.param.u64 %a, [a];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n"
    "mov.u32 %n, %ntid.x;\nmad.lo.u32 %t, %b, %n, %t;\nmul.wide.u32 %x, %t, 4;\n"
    "add.u64 %a, %a, %x;\n.loc 1 10 5\nld.global.u32 %v, [%a];\nadd.u32 %v, %v, 1;\n"
    "st.global.u32 [%a], %v;\nret;\n}\n";

/* Loads through one register, each on a line of its own: the last one is out of the tile for lane 31
 * of a block whose distance is so large. */
static const char bundle_ptx[] =
    PTX_HEAD ".file 1 \"k.cu\"\n.visible .entry k(.param .u32 from)\n{\n"
             ".reg .b32 %t, %s, %f, %v<4>;\n.shared .align 128 .b8 tile[1024];\n"
             "mov.u32 %t, %tid.x;\nld.param.u32 %f, [from];\nmov.u32 %s, tile;\n"
             "mad.lo.u32 %s, %t, 8, %s;\nadd.u32 %s, %s, %f;\n"
             ".loc 1 10 5\nld.shared.u32 %v0, [%s];\n.loc 1 11 5\nld.shared.u32 %v1, [%s+256];\n"
             ".loc 1 12 5\nld.shared.u32 %v2, [%s+512];\nret;\n}\n";

static void test_loads_that_are_checked_together(void **state)
{
    (void)state;
    for (uint32_t from = 256; from <= 264; from += 8) {
        struct device *device = fixture_open(1, 1000 * SECOND);
        uint32_t module = fixture_load(device, bundle_ptx);
        struct device_launch_result result = fixture_launch(device, module, 3, 32, &from);
        for (uint32_t line = 10; line <= 12; line++) {
            const uint32_t lanes = line == 12 && from > 256 ? 31 : 32;
            const struct count_record *record =
                find_record(&result, COUNT_RECORD_ACCESS, line, SHARED_READ);
            assert_int_equal(record->requests, 3);
            assert_int_equal(record->lanes, 3 * lanes);
            assert_int_equal(record->bytes, 3 * lanes * 4);
            assert_int_equal(record->wavefronts, 6); /* every second bank, two rows */
            assert_int_equal(record->max_degree, 2);
        }
        bool is_out = false;
        for (size_t i = 0; i < result.finding_count; i++) {
            const struct finding_record *finding = &result.findings[i];
            is_out = is_out || (finding->kind == FINDING_RECORD_SHARED_OUT_OF_BOUNDS &&
                                finding->count == 3 && finding->places[0].line == 12);
        }
        assert_int_equal(is_out, from > 256);
        device_close(device);
    }
}

static void test_a_second_run_counts_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct device *device = fixture_open(threads, 1000 * SECOND);
        uint32_t module = fixture_load(device, twice_ptx);
        uint64_t array = fixture_allocate(device, 64 * 40 * 4);
        struct device_launch_result result = fixture_launch(device, module, 40, 64, &array);
        for (uint32_t access = FINDING_RECORD_READ; access <= FINDING_RECORD_WRITE; access++) {
            const struct count_record *line =
                find_record(&result, COUNT_RECORD_ACCESS, LINE, COUNT_SPACE_GLOBAL, access);
            assert_int_equal(line->requests, 80);
            assert_int_equal(line->bytes, 40 * 64 * 4);
            assert_int_equal(line->sectors, 40 * 64 * 4 / 32);
            assert_int_equal(find_allocation(&result, array, access)->bytes, 40 * 64 * 4);
        }
        device_close(device);
    }
}

static void test_unwatched_counts_nothing(void **state)
{
    (void)state;
    struct device_config config = {.memory_limit_bytes = UINT64_C(1) << 28,
                                   .launch_deadline_ns = 1000 * SECOND,
                                   .threads = 1,
                                   .is_unwatched = true};
    struct device *device = NULL;
    assert_int_equal(device_open(&device_emulated, &config, &device, NULL), ERROR_NONE);
    uint32_t module = fixture_load(device, twice_ptx);
    uint64_t array = fixture_allocate(device, 4096);
    struct device_launch_result result = fixture_launch(device, module, 4, 64, &array);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_false(result.is_counted);
    assert_int_equal(result.count_count, 0);
    assert_true(result.counters.lane_instructions > 0);
    device_close(device);
}

/* The PTX that nvcc makes of a file of the coursework. */
static const char *compile(struct arena *arena, const char *nvcc, const char *source)
{
    const char *output = GPUGRADE_BINARY_DIR "/test_counts.ptx";
    const char *const arguments[] = {
        nvcc,
        "-ptx",
        "-lineinfo",
        "-arch=compute_75",
        "-I",
        GPUGRADE_SOURCE_DIR "/student_template/matmul",
        "-o",
        output,
        arena_printf(arena, "%s/reference/matmul/%s", GPUGRADE_SOURCE_DIR, source),
        NULL};
    size_t length;

    nvcc_run(arguments);
    const char *text = nvcc_output(arena, output, 1 << 20, &length);
    unlink(output);
    return text;
}

enum { A_HEIGHT = 48, A_WIDTH = 80, B_WIDTH = 112, EDGE = 16 };

/* Launches a kernel of the coursework over C in blocks of EDGE x EDGE; gives the bytes loaded from
 * A, from B and from C. */
static struct device_launch_result multiply(struct device *device, const char *ptx,
                                            uint64_t out_loaded[3])
{
    struct {
        uint64_t operands[3];
        int32_t rest[3];
    } parameters = {{0}, {A_WIDTH, B_WIDTH, 0}};
    const uint64_t sizes[3] = {A_HEIGHT * A_WIDTH, A_WIDTH * B_WIDTH, A_HEIGHT * B_WIDTH};
    for (unsigned i = 0; i < 3; i++) {
        parameters.operands[i] = fixture_allocate(device, sizes[i] * 4);
    }
    if (strstr(ptx, "matrixMulNaive") != NULL) {
        const int32_t shape[3] = {A_HEIGHT, A_WIDTH, B_WIDTH};
        memcpy(parameters.rest, shape, sizeof shape);
    }
    struct device_launch launch = {
        .module = fixture_load(device, ptx),
        .grid = {B_WIDTH / EDGE, A_HEIGHT / EDGE, 1},
        .block = {EDGE, EDGE, 1},
        .parameters = &parameters,
    };
    struct device_launch_result result;
    device_launch(device, &launch, &result);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct count_record *loaded =
            find_allocation(&result, parameters.operands[i], FINDING_RECORD_READ);
        out_loaded[i] = loaded == NULL ? 0 : loaded->bytes;
    }
    assert_int_equal(find_allocation(&result, parameters.operands[2], FINDING_RECORD_WRITE)->bytes,
                     sizes[2] * 4);
    return result;
}

/* The real kernels, and with any number of threads the same records. */
static void test_coursework_formulas(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const char *nvcc = nvcc_find(arena);
    if (nvcc == NULL) {
        arena_free(arena);
        skip();
    }
    const char *naive = compile(arena, nvcc, "naive.cu");
    const char *tiled = compile(arena, nvcc, "solution/exercise1_tiled.cu");
    const uint64_t products = (uint64_t)A_HEIGHT * A_WIDTH * B_WIDTH;
    const uint64_t warps = (uint64_t)A_HEIGHT * B_WIDTH / LANES;
    struct count_record first[128];
    size_t first_count = 0;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        uint64_t loaded[3];
        uint64_t bytes = 0;
        struct device *device = fixture_open(threads, 1000 * SECOND);
        multiply(device, naive, loaded);
        assert_int_equal(loaded[0], 4 * products);
        assert_int_equal(loaded[1], 4 * products);
        assert_int_equal(loaded[2], 0);
        struct device_launch_result result = multiply(device, tiled, loaded);
        assert_int_equal(loaded[0] + loaded[1], 8 * products / EDGE);
        assert_int_equal(loaded[2], 0);
        assert_int_equal(total(&result, SHARED_READ, &bytes) > 0, 1);
        assert_int_equal(total(&result, SHARED_WRITE, &bytes), 2 * warps * (A_WIDTH / EDGE));
        assert_int_equal(bytes, 8 * products / EDGE);
        assert_int_equal(result.counters.barriers, 2 * warps * (A_WIDTH / EDGE));
        assert_true(result.count_count <= sizeof first / sizeof first[0]);
        if (threads == 1) {
            memcpy(first, result.counts, result.count_count * sizeof first[0]);
            first_count = result.count_count;
        }
        assert_int_equal(result.count_count, first_count);
        assert_memory_equal(result.counts, first, first_count * sizeof first[0]);
        device_close(device);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sectors),
        cmocka_unit_test(test_bank_conflicts),
        cmocka_unit_test(test_distances_that_change),
        cmocka_unit_test(test_two_allocations),
        cmocka_unit_test(test_allocations_in_turn),
        cmocka_unit_test(test_other_spaces_branches_and_barriers),
        cmocka_unit_test(test_loads_that_are_checked_together),
        cmocka_unit_test(test_a_second_run_counts_once),
        cmocka_unit_test(test_unwatched_counts_nothing),
        cmocka_unit_test(test_coursework_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
