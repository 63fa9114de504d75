/* test_access_trace.c: the accesses of one block, each with its thread, place and value; against
 * traces worked out by hand. */
#include "../nvcc_run.h"
#include "emulated_fixture.h"
#include "wire/trace_record.h"

#define SECOND UINT64_C(1000000000)
/* No launch that ends may reach it, however slow a sanitizer and a busy machine make it. */
#define DEADLINE_NS (1000 * SECOND)

enum { RECORDS_MAX = 4096 };

/* A trace that was read. */
struct read_trace {
    struct device_trace trace;
    struct trace_record records[RECORDS_MAX];
    struct finding_record_place places[64];
};

static struct read_trace *trace_read(struct device *device, const struct device_launch *launch,
                                     uint64_t address, uint64_t bytes)
{
    static struct read_trace read;
    struct diagnostic diagnostic = {.message = ""};

    memset(&read, 0, sizeof read);
    if (device_trace_block(device, launch, address, bytes, &read.trace, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    const uint8_t *packed = read.trace.records;
    assert_true(read.trace.record_count <= RECORDS_MAX);
    assert_true(read.trace.place_count <= sizeof read.places / sizeof read.places[0]);
    for (size_t i = 0; i < read.trace.record_count; i++, packed += TRACE_RECORD_BYTES) {
        assert_true(trace_record_unpack(packed, &read.records[i]));
        assert_true(read.records[i].place < read.trace.place_count);
    }
    for (size_t i = 0; i < read.trace.place_count; i++, packed += TRACE_PLACE_BYTES) {
        trace_place_unpack(packed, &read.places[i]);
    }
    return &read;
}

/* Takes the snapshot that a trace needs, then traces the first kernel of a module. */
static struct read_trace *trace_kernel(struct device *device, uint32_t module,
                                       const uint32_t shape[2], const void *parameters,
                                       uint64_t address)
{
    const struct device_launch launch = {
        .module = module,
        .grid = {shape[0], 1, 1},
        .block = {shape[1], 1, 1},
        .parameters = parameters,
    };
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(device_snapshot(device, &diagnostic), ERROR_NONE);
    struct read_trace *read = trace_read(device, &launch, address, 4);
    device_discard(device);
    return read;
}

/* An expected access. */
struct expected {
    uint32_t thread, space, access, bytes, line;
    uint64_t where, bits;
};

static void check_record(const struct read_trace *read, size_t index,
                         const struct expected *expected)
{
    const struct trace_record *record = &read->records[index];
    uint32_t line = read->places[record->place].line;

    assert_true(index < read->trace.record_count);
    if (record->thread != expected->thread || record->space != expected->space ||
        record->access != expected->access || record->bytes != expected->bytes ||
        line != expected->line || record->where != expected->where ||
        record->bits != expected->bits) {
        fail_msg("access %zu: thread %u, space %u, access %u, %u bytes, line %u, at %llx: %llx, "
                 "expected thread %u, space %u, access %u, %u bytes, line %u, at %llx: %llx",
                 index, record->thread, record->space, record->access, record->bytes, line,
                 (unsigned long long)record->where, (unsigned long long)record->bits,
                 expected->thread, expected->space, expected->access, expected->bytes,
                 expected->line, (unsigned long long)expected->where,
                 (unsigned long long)expected->bits);
    }
}

#define GLOBAL TRACE_RECORD_GLOBAL
#define SHARED TRACE_RECORD_SHARED
#define READ FINDING_RECORD_READ
#define WRITE FINDING_RECORD_WRITE
#define ATOMIC FINDING_RECORD_ATOMIC

/* c[i] = tile[i ^ 1] for tile[i] = a[i], blocks of two threads: through a generic address, and the
 * store of c as a vector with what follows. */
static const char tile_ptx[] = PTX_HEAD
    ".file 1 \"tile.cu\"\n.visible .entry tile(.param .u64 a, .param .u64 c)\n{\n"
    ".shared .align 8 .b8 other[16];\n.shared .align 8 .b8 tile[8];\n"
    ".reg .b64 %a, %c, %x, %g;\n.reg .b32 %t, %b, %i, %v, %s, %o;\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %c, [c];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n"
    "shl.b32 %i, %b, 1;\nadd.u32 %i, %i, %t;\nmul.wide.u32 %x, %i, 4;\nadd.u64 %a, %a, %x;\n"
    "mul.wide.u32 %x, %i, 8;\nadd.u64 %c, %c, %x;\n"
    ".loc 1 10 5\nld.global.u32 %v, [%a];\nmov.u32 %s, tile;\nshl.b32 %o, %t, 2;\n"
    "add.u32 %s, %s, %o;\ncvt.u64.u32 %g, %s;\ncvta.shared.u64 %g, %g;\n"
    ".loc 1 11 5\nst.u32 [%g], %v;\nbar.sync 0;\nxor.b32 %s, %s, 4;\n"
    ".loc 1 12 5\nld.shared.u32 %v, [%s];\n.loc 1 13 5\nst.global.v2.u32 [%c], {%v, "
    "%i};\nret;\n}\n";

static void test_a_tile_of_two(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, DEADLINE_NS);
    uint32_t module = fixture_load(device, tile_ptx);
    uint64_t parameters[2] = {fixture_allocate(device, 16 * 4), fixture_allocate(device, 16 * 8)};
    const uint32_t shape[2] = {8, 2};
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t value = 100 + i;
        device_write(device, parameters[0] + 4 * i, &value, 4);
    }
    /* the second word of element 7 is written by block 3 */
    const struct read_trace *read =
        trace_kernel(device, module, shape, parameters, parameters[1] + 7 * 8 + 4);
    const struct expected rows[] = {
        {0, GLOBAL, READ, 4, 10, parameters[0] + 24, 106},
        {1, GLOBAL, READ, 4, 10, parameters[0] + 28, 107},
        {0, SHARED, WRITE, 4, 11, 16, 106},
        {1, SHARED, WRITE, 4, 11, 20, 107},
        {0, SHARED, READ, 4, 12, 20, 107},
        {1, SHARED, READ, 4, 12, 16, 106},
        {0, GLOBAL, WRITE, 4, 13, parameters[1] + 48, 107},
        {0, GLOBAL, WRITE, 4, 13, parameters[1] + 52, 6},
        {1, GLOBAL, WRITE, 4, 13, parameters[1] + 56, 106},
        {1, GLOBAL, WRITE, 4, 13, parameters[1] + 60, 7},
    };
    assert_int_equal(read->trace.status, LAUNCH_DONE);
    assert_int_equal(read->trace.block, 3);
    assert_true(read->trace.wrote && read->trace.has_all);
    assert_int_equal(read->trace.record_count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_record(read, i, &rows[i]);
    }
    device_close(device);
}

static void test_no_block_writes(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, tile_ptx);
    uint64_t parameters[2] = {fixture_allocate(device, 16 * 4), fixture_allocate(device, 17 * 8)};
    const uint32_t shape[2] = {8, 2};
    const struct read_trace *read =
        trace_kernel(device, module, shape, parameters, parameters[1] + 16 * 8);
    assert_int_equal(read->trace.status, LAUNCH_DONE);
    assert_false(read->trace.wrote);
    assert_int_equal(read->trace.block, 0);
    assert_int_equal(read->trace.record_count, 10);
    check_record(read, 2, &(struct expected){0, SHARED, WRITE, 4, 11, 16, UINT64_C(0x7ff87ff8)});
    device_close(device);
}

/* A launch of the same kernel behind a trace is as it was before one. */
static void test_other_launches_are_as_before(void **state)
{
    (void)state;
    struct device_launch_result results[2];
    for (int i = 0; i < 2; i++) {
        struct device *device = fixture_open(1, DEADLINE_NS);
        uint32_t module = fixture_load(device, tile_ptx);
        uint64_t parameters[2] = {fixture_allocate(device, 64), fixture_allocate(device, 128)};
        const uint32_t shape[2] = {8, 2};
        if (i == 1) {
            trace_kernel(device, module, shape, parameters, parameters[1]);
        }
        results[i] = fixture_launch(device, module, 8, 2, parameters);
        assert_int_equal(results[i].status, LAUNCH_DONE);
        assert_true(results[i].is_counted);
        device_close(device);
    }
    assert_int_equal(results[0].finding_count, results[1].finding_count);
    assert_int_equal(results[0].count_count, results[1].count_count);
    assert_int_equal(results[0].counters.lane_instructions, results[1].counters.lane_instructions);
}

/* sum += i for each thread, then what it was before is stored by the last one; halves and bytes;
 * and accesses that are not valid, which are left out. */
static const char other_ptx[] =
    PTX_HEAD ".file 1 \"other.cu\"\n.file 2 \"header.h\"\n.const .align 4 .u32 edge = 9;\n"
             ".visible .entry other(.param .u64 a)\n{\n.shared .align 4 .u32 sum;\n"
             ".local .align 4 .b8 own[16];\n"
             ".reg .b64 %a, %n;\n.reg .b32 %t, %v, %s;\n.reg .b16 %h;\n.reg .pred %q;\n"
             "ld.param.u64 %a, [a];\nmov.u32 %t, %tid.x;\nmov.u32 %s, sum;\nmov.u32 %v, 50;\n"
             ".loc 1 20 5\nst.shared.u32 [%s], %v;\nbar.sync 0;\nadd.u32 %v, %t, 1;\n"
             ".loc 2 7 5, function_name $L__info, inlined_at 1 21 9\nred.shared.add.u32 [%s], %v;\n"
             ".loc 1 22 5\nld.const.u32 %v, [edge];\nst.local.u32 [own], %v;\n"
             ".loc 1 23 5\nmov.u16 %h, 0x1234;\nst.global.u8 [%a+2], %h;\n"
             ".loc 1 24 5\nld.global.s8 %v, [%a+2];\nmov.u64 %n, 4;\n"
             ".loc 1 25 5\nld.global.u32 %v, [%n];\n"
             ".loc 1 26 5\natom.global.exch.b32 %v, [%a+4], %t;\nret;\n}\n"
             ".section .debug_str\n{\n$L__info:\n.b8 102\n.b8 0\n}\n";

static void test_atomics_bytes_and_constants(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, DEADLINE_NS);
    uint32_t module = fixture_load(device, other_ptx);
    uint64_t array = fixture_allocate(device, 16);
    struct device_allocation block_width;
    const uint32_t shape[2] = {3, 2};
    assert_true(device_variable(device, module, "edge", &block_width));
    assert_true(device_fill(device, array, 16, UINT32_C(0x80808080), 4));
    const struct read_trace *read = trace_kernel(device, module, shape, &array, array + 4);
    const struct expected rows[] = {
        {0, SHARED, WRITE, 4, 20, 0, 50},
        {1, SHARED, WRITE, 4, 20, 0, 50},
        {0, SHARED, ATOMIC, 4, 7, 0, 51},
        {1, SHARED, ATOMIC, 4, 7, 0, 53},
        {0, GLOBAL, READ, 4, 22, block_width.address, 9},
        {1, GLOBAL, READ, 4, 22, block_width.address, 9},
        {0, GLOBAL, WRITE, 1, 23, array + 2, 0x34},
        {1, GLOBAL, WRITE, 1, 23, array + 2, 0x34},
        {0, GLOBAL, READ, 1, 24, array + 2, 0x34},
        {1, GLOBAL, READ, 1, 24, array + 2, 0x34},
        {0, GLOBAL, ATOMIC, 4, 26, array + 4, 0},
        {1, GLOBAL, ATOMIC, 4, 26, array + 4, 1},
    };
    assert_int_equal(read->trace.status, LAUNCH_DONE);
    assert_true(read->trace.wrote);
    assert_int_equal(read->trace.block, 0);
    assert_int_equal(read->trace.record_count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_record(read, i, &rows[i]);
    }
    const struct finding_record_place *place = &read->places[read->records[2].place];
    assert_int_equal(place->file, 2);
    assert_int_equal(place->inlined_file, 1);
    assert_int_equal(place->inlined_line, 21);
    device_close(device);
}

/* Blocks that count up a word one after the other: a trace begins where the first launch began. */
static void test_blocks_run_in_order_from_the_snapshot(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a, %x;\n"
        ".reg .b32 %v, %b;\nld.param.u64 %a, [a];\nmov.u32 %b, %ctaid.x;\n"
        ".loc 1 10 5\nld.global.u32 %v, [%a];\nadd.u32 %v, %v, 1;\n"
        ".loc 1 11 5\nst.global.u32 [%a], %v;\nmul.wide.u32 %x, %b, 4;\nadd.u64 %x, %x, %a;\n"
        ".loc 1 12 5\nst.global.u32 [%x+4], %v;\nret;\n}\n";
    struct device *device = fixture_open(4, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, 4 * 64);
    const uint32_t shape[2] = {40, 1};
    assert_true(device_fill(device, array, 4 * 64, 0, 4));
    for (int i = 0; i < 2; i++) {
        const struct read_trace *read = trace_kernel(device, module, shape, &array, array + 4 * 31);
        assert_int_equal(read->trace.block, 30);
        assert_int_equal(read->trace.record_count, 3);
        check_record(read, 0, &(struct expected){0, GLOBAL, READ, 4, 10, array, i == 0 ? 30 : 61});
        check_record(read, 2,
                     &(struct expected){0, GLOBAL, WRITE, 4, 12, array + 4 * 31, i == 0 ? 31 : 62});
    }
    device_close(device);
}

/* More accesses than are logged: the beginning is, and the rest runs without. */
static void test_too_many_accesses(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n.reg .b32 %i, %v;\n.reg .pred %q;\n"
        "ld.param.u64 %a, [a];\nmov.u32 %i, 0;\n"
        "AGAIN:\nld.global.u32 %v, [%a];\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 4200;\n"
        "@%q bra AGAIN;\nst.global.u32 [%a], %i;\nret;\n}\n";
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, 4);
    struct device_launch launch = {
        .module = module, .grid = {1, 1, 1}, .block = {1024, 1, 1}, .parameters = &array};
    struct device_trace trace;
    assert_int_equal(device_snapshot(device, NULL), ERROR_NONE);
    assert_int_equal(device_trace_block(device, &launch, array, 4, &trace, NULL), ERROR_NONE);
    assert_int_equal(trace.status, LAUNCH_DONE);
    assert_true(trace.wrote);
    assert_false(trace.has_all);
    assert_int_equal(trace.record_count, TRACE_RECORDS_MAX);
    assert_int_equal(trace.place_count, 1);
    device_close(device);
}

/* A kernel that never ends takes one deadline; one that stops gives no trace; and a snapshot has to
 * be there. */
static void test_what_gives_no_trace(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum launch_status status;
    } rows[] = {
        {"AGAIN:\nbra AGAIN;\n", LAUNCH_DEADLINE},
        {"st.global.u32 [%a], 1;\nAGAIN:\nbra AGAIN;\n", LAUNCH_DEADLINE},
        {"trap;\n", LAUNCH_FAULT},
        {"txq.channel_order.b32 %v, [%a];\n", LAUNCH_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char ptx[1024];
        struct device_trace trace;
        struct device *device = fixture_open(1, SECOND / 10);
        snprintf(ptx, sizeof ptx,
                 "%s.visible .entry k(.param .u64 a)\n{\n.reg .b64 %%a;\n.reg .b32 %%v;\n"
                 "ld.param.u64 %%a, [a];\n%sret;\n}\n",
                 PTX_HEAD, rows[i].body);
        uint32_t module = fixture_load(device, ptx);
        uint64_t array = fixture_allocate(device, 4);
        struct device_launch launch = {
            .module = module, .grid = {2, 1, 1}, .block = {32, 1, 1}, .parameters = &array};
        struct diagnostic diagnostic = {.message = ""};
        assert_int_equal(device_trace_block(device, &launch, array, 4, &trace, &diagnostic),
                         ERROR_INTERNAL);
        assert_non_null(strstr(diagnostic.message, "snapshot"));
        assert_int_equal(device_snapshot(device, NULL), ERROR_NONE);
        uint64_t start_ns = clock_now_ns();
        assert_int_equal(device_trace_block(device, &launch, array, 4, &trace, NULL), ERROR_NONE);
        assert_int_equal(trace.status, rows[i].status);
        assert_true(clock_now_ns() - start_ns < 60 * SECOND);
        device_close(device);
    }
}

/* Ordered kernels: the block that is traced waits for a later one. */
static void test_blocks_that_wait_for_later_ones(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n"
                 ".reg .b32 %v, %b;\n.reg .pred %q;\nld.param.u64 %a, [a];\nmov.u32 %b, %ctaid.x;\n"
                 "setp.ne.u32 %q, %b, 0;\n@%q bra LATER;\n"
                 "AGAIN:\n.loc 1 10 5\nld.volatile.global.u32 %v, [%a];\nsetp.eq.u32 %q, %v, 0;\n"
                 "@%q bra AGAIN;\n.loc 1 11 5\nst.global.u32 [%a+4], %v;\nret;\n"
                 "LATER:\n.loc 1 12 5\nst.volatile.global.u32 [%a], %b;\nret;\n}\n";
    struct device *device = fixture_open(2, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, 8);
    const uint32_t shape[2] = {2, 1};
    assert_true(device_fill(device, array, 8, 0, 4));
    const struct device_launch launch = {.module = module,
                                         .grid = {shape[0], 1, 1},
                                         .block = {shape[1], 1, 1},
                                         .parameters = &array};
    struct device_trace trace;
    assert_int_equal(device_snapshot(device, NULL), ERROR_NONE);
    assert_int_equal(device_trace_block(device, &launch, array + 4, 4, &trace, NULL), ERROR_NONE);
    assert_int_equal(trace.status, LAUNCH_DONE);
    assert_true(trace.wrote);
    assert_int_equal(trace.block, 0);
    assert_true(trace.record_count >= 3);
    struct trace_record last;
    const uint8_t *packed = trace.records;
    assert_true(trace_record_unpack(packed + (trace.record_count - 1) * TRACE_RECORD_BYTES, &last));
    assert_int_equal(last.access, WRITE);
    assert_int_equal(last.where, array + 4);
    assert_int_equal(last.bits, 1);
    device_close(device);
}

/* The run that finds the block ends there: what later blocks do does not count. A byte in the
 * middle of what is watched is enough. */
static void test_later_blocks_do_not_count(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n.reg .b32 %b;\n.reg .b16 %h;\n"
        ".reg .pred %q;\nld.param.u64 %a, [a];\nmov.u32 %b, %ctaid.x;\nmov.u16 %h, 5;\n"
        "setp.gt.u32 %q, %b, 1;\n@%q bra AGAIN;\nsetp.eq.u32 %q, %b, 0;\n@%q bra DONE;\n"
        "st.global.u8 [%a+2], %h;\nDONE:\nret;\nAGAIN:\nbra AGAIN;\n}\n";
    struct device *device = fixture_open(2, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, 8);
    const uint32_t shape[2] = {20, 32};
    const struct read_trace *read = trace_kernel(device, module, shape, &array, array);
    assert_int_equal(read->trace.status, LAUNCH_DONE);
    assert_true(read->trace.wrote);
    assert_int_equal(read->trace.block, 1);
    assert_int_equal(read->trace.record_count, 32);
    device_close(device);
}

/* Two warps that count by atomics take turns as they do without a trace. */
static void test_warps_take_the_same_turns(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a, %x;\n.reg .b32 %t, %i, %v;\n"
        ".reg .pred %q;\nld.param.u64 %a, [a];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %x, %t, 4;\n"
        "add.u64 %x, %x, %a;\nmov.u32 %i, 0;\n"
        "AGAIN:\natom.global.add.u32 %v, [%a], 1;\nst.global.u32 [%x+4], %v;\n"
        "add.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 30;\n@%q bra AGAIN;\nret;\n}\n";
    enum { THREADS = 64 };
    uint32_t words[2][THREADS + 1];
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, sizeof words[0]);
    const uint32_t shape[2] = {1, THREADS};
    for (int i = 0; i < 2; i++) {
        assert_true(device_fill(device, array, sizeof words[0], 0, 4));
        if (i == 0) {
            fixture_launch(device, module, 1, THREADS, &array);
        } else {
            assert_int_equal(trace_kernel(device, module, shape, &array, array)->trace.status,
                             LAUNCH_DONE);
        }
        assert_true(device_read(device, array, words[i], sizeof words[i]));
    }
    assert_int_equal(words[0][0], 30 * THREADS);
    assert_memory_equal(words[0], words[1], sizeof words[0]);
    device_close(device);
}

/* What nvcc makes of a kernel: two dimensions, a device function, a float4, dynamic shared memory.
 */
static const char nvcc_source[] = "extern __shared__ float tile[];\n"
                                  "__device__ float twice(const float *from)\n"
                                  "{\n"
                                  "    return *from * 2.0f;\n" /* line 4 */
                                  "}\n"
                                  "extern \"C\" __global__ void k(const float4 *in, float *out)\n"
                                  "{\n"
                                  "    int i = threadIdx.y * blockDim.x + threadIdx.x;\n"
                                  "    float4 v = in[i];\n"    /* line 9 */
                                  "    tile[i] = v.x + v.w;\n" /* line 10 */
                                  "    __syncthreads();\n"
                                  "    out[i] = twice(&tile[i ^ 1]);\n" /* line 12 */
                                  "}\n";

static void test_what_nvcc_makes(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    const char *nvcc = nvcc_find(arena);
    char *folder = NULL;
    if (nvcc == NULL) {
        arena_free(arena);
        print_message("skipped: there is no nvcc\n");
        skip();
    }
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    const char *source = arena_printf(arena, "%s/k.cu", folder);
    const char *output = arena_printf(arena, "%s/k.ptx", folder);
    assert_int_equal(file_write_atomic(source, nvcc_source, sizeof nvcc_source - 1, NULL),
                     ERROR_NONE);
    const char *const arguments[] = {nvcc, "-ptx", "-lineinfo", "-arch=compute_75",
                                     "-o", output, source,      NULL};
    size_t length = 0;
    nvcc_run(arguments);
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, nvcc_output(arena, output, 1 << 20, &length));
    uint64_t parameters[2] = {fixture_allocate(device, 64), fixture_allocate(device, 16)};
    const struct device_launch launch = {.module = module,
                                         .grid = {1, 1, 1},
                                         .block = {2, 2, 1},
                                         .dynamic_shared_bytes = 16,
                                         .parameters = parameters};
    for (uint32_t i = 0; i < 16; i++) {
        float value = (float)i;
        device_write(device, parameters[0] + 4 * i, &value, 4);
    }
    assert_int_equal(device_snapshot(device, NULL), ERROR_NONE);
    const struct read_trace *read = trace_read(device, &launch, parameters[1] + 12, 4);
    assert_true(read->trace.wrote);
    size_t at = 0;
    size_t loads = 0;
    for (; at < read->trace.record_count && read->records[at].space == GLOBAL; at++) {
        const struct trace_record *record = &read->records[at];
        float value = 0.0f;
        memcpy(&value, &record->bits, 4);
        assert_int_equal(record->access, READ);
        assert_int_equal(read->places[record->place].line, 9);
        assert_true(value == (float)((record->where - parameters[0]) / 4));
        assert_int_equal((record->where - parameters[0]) / 16, record->thread);
        loads++;
    }
    assert_int_equal(loads, 16);
    for (uint32_t thread = 0; thread < 4; thread++, at++) {
        float sum = 8.0f * (float)thread + 3.0f;
        uint32_t bits = 0;
        memcpy(&bits, &sum, 4);
        check_record(read, at, &(struct expected){thread, SHARED, WRITE, 4, 10, 4 * thread, bits});
        check_record(read, at + 4 + (thread ^ 1u) - thread,
                     &(struct expected){thread ^ 1u, SHARED, READ, 4, 4, 4 * thread, bits});
        sum *= 2.0f;
        memcpy(&bits, &sum, 4);
        check_record(read, at + 8 + (thread ^ 1u) - thread,
                     &(struct expected){thread ^ 1u, GLOBAL, WRITE, 4, 12,
                                        parameters[1] + 4 * (thread ^ 1u), bits});
    }
    assert_int_equal(read->trace.record_count, at + 8);
    assert_int_equal(read->places[read->records[at].place].inlined_line, 12);
    device_close(device);
    folder_remove(folder);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tile_of_two),
        cmocka_unit_test(test_no_block_writes),
        cmocka_unit_test(test_other_launches_are_as_before),
        cmocka_unit_test(test_atomics_bytes_and_constants),
        cmocka_unit_test(test_blocks_run_in_order_from_the_snapshot),
        cmocka_unit_test(test_too_many_accesses),
        cmocka_unit_test(test_what_gives_no_trace),
        cmocka_unit_test(test_blocks_that_wait_for_later_ones),
        cmocka_unit_test(test_later_blocks_do_not_count),
        cmocka_unit_test(test_warps_take_the_same_turns),
        cmocka_unit_test(test_what_nvcc_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
