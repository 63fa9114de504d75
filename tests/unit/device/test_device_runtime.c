/* Tests of the device runtime: printf, assert, malloc and free in kernels, grid barriers. */
#include "device/emulated/exec/print_buffer.h"
#include "device/emulated/memory/device_heap.h"
#include "emulated_fixture.h"

#define SECOND UINT64_C(1000000000)

#define VPRINTF                                                                                    \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                       \
    ".global .align 1 .b8 text[13] = {98, 108, 111, 99, 107, 32, 37, 100, 32, 37, 115, 10, 0};\n"  \
    ".global .align 1 .b8 word[4] = {111, 110, 101, 0};\n" /* "block %d %s\n", "one" */

/* Prints "block <b> one"; the result of vprintf goes to %r5. */
#define PRINT(format)                                                                              \
    "mov.u64 %rd1, depot;\ncvta.local.u64 %rd2, %rd1;\nmov.u32 %r1, %ctaid.x;\n"                   \
    "st.local.u32 [%rd1], %r1;\nmov.u64 %rd3, word;\nst.local.u64 [%rd1+8], %rd3;\n"               \
    "mov.u64 %rd4, " format ";\n{\n.param .b64 p0;\nst.param.b64 [p0], %rd4;\n.param .b64 p1;\n"   \
    "st.param.b64 [p1], %rd2;\n.param .b32 r0;\ncall.uni (r0), vprintf, (p0, p1);\n"               \
    "ld.param.b32 %r5, [r0];\n}\n"
#define KERNEL                                                                                     \
    ".visible .entry k(.param .u64 out)\n{\n.local .align 16 .b8 depot[32];\n"                     \
    ".reg .u32 %t, %r<20>; .reg .u64 %rd<20>; .reg .pred %p<9>;\nmov.u32 %t, %tid.x;\n"
#define STORE_5                                                                                    \
    "ld.param.u64 %rd9, [out];\nmul.wide.u32 %rd8, %t, 4;\nadd.s64 %rd9, %rd9, %rd8;\n"            \
    "st.global.u32 [%rd9], %r5;\n"

static void test_printed_text_is_in_the_order_of_blocks(void **state)
{
    (void)state;
    char expected[4096] = "";
    size_t length = 0;
    for (int block = 0; block < 40; block++) {
        for (int lane = 0; lane < 2; lane++) {
            length += (size_t)snprintf(expected + length, sizeof expected - length,
                                       "block %d one\n", block);
        }
    }
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct device *device = fixture_open(threads, 1000 * SECOND);
        uint32_t module =
            fixture_load(device, PTX_HEAD VPRINTF KERNEL PRINT("text") STORE_5 "ret;\n}\n");
        uint64_t out = fixture_allocate(device, 1024);
        uint32_t results[2];
        struct device_launch_result result = fixture_launch(device, module, 40, 2, &out);
        assert_int_equal(result.status, LAUNCH_DONE);
        assert_int_equal(result.printed_bytes, length);
        assert_memory_equal(result.printed, expected, length);
        assert_int_equal(result.complaint_bytes, 0);
        assert_true(device_read(device, out, results, sizeof results));
        assert_int_equal(results[1], 2);
        result = fixture_launch(device, module, 1, 1, &out);
        assert_int_equal(result.printed_bytes, strlen("block 0 one\n"));
        device_close(device);
    }
}

static void test_a_null_format_and_a_bad_one(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint32_t module =
        fixture_load(device, PTX_HEAD VPRINTF KERNEL "setp.eq.u32 %p1, %t, 1;\n" PRINT("0") STORE_5
                     "@%p1 ret;\n" PRINT("8") "add.u32 %r5, %r5, 100;\n" STORE_5 "ret;\n}\n");
    uint64_t out = fixture_allocate(device, 1024);
    int32_t results[2];
    struct device_launch_result result = fixture_launch(device, module, 1, 2, &out);
    assert_true(device_read(device, out, results, sizeof results));
    assert_int_equal(results[1], -1);
    assert_int_equal(results[0], 98);
    assert_int_equal(result.printed_bytes, 0);
    fixture_finding(&result, FINDING_RECORD_NULL_POINTER);
    device_close(device);
}

static void test_the_latest_text_is_kept(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, 1000 * SECOND);
    uint32_t module = fixture_load(device, PTX_HEAD VPRINTF KERNEL PRINT("text") "ret;\n}\n");
    uint64_t out = 0;
    struct device_launch launch = {
        .module = module,
        .grid = {500, 1, 1},
        .block = {1, 1, 1},
        .parameters = &out,
        .limits.print_bytes = 40,
    };
    struct device_launch_result result;
    device_launch(device, &launch, &result);
    /* 14 bytes a line: two whole ones fit */
    assert_string_equal(result.printed, "block 498 one\nblock 499 one\n");
    device_close(device);
}

/* However much is forgotten on the way, the text that is left begins with a line. */
static void test_forgotten_text_is_cut_at_a_line(void **state)
{
    (void)state;
    for (uint64_t limit = 1; limit < 40; limit++) {
        struct print_buffer buffer = {0};
        struct text out;
        for (unsigned i = 0; i < 50; i++) {
            text_printf(print_buffer_begin(&buffer, i), "line %02u\n", i);
            print_buffer_end(&buffer, limit);
        }
        text_init(&out);
        print_buffer_join(&buffer, limit, &out);
        if (limit >= 8) {
            assert_memory_equal(out.bytes, "line ", 5);
            assert_int_equal(out.length, limit / 8 * 8);
        }
        text_release(&out);
        print_buffer_release(&buffer);
    }
}

static void test_pieces_of_text(void **state)
{
    (void)state;
    struct print_buffer first = {0};
    struct print_buffer second = {0};
    struct text out;
    text_append(print_buffer_begin(&first, 3), "three ");
    print_buffer_end(&first, 100);
    print_buffer_begin(&first, 5);
    print_buffer_end(&first, 100);
    text_append(print_buffer_begin(&second, 1), "one ");
    print_buffer_end(&second, 100);
    text_append(print_buffer_begin(&second, 4), "four ");
    print_buffer_end(&second, 100);
    text_append(print_buffer_begin(&second, 4), "again ");
    print_buffer_end(&second, 100);
    print_buffer_merge(&first, &second);
    text_init(&out);
    print_buffer_join(&first, 100, &out);
    assert_string_equal(out.bytes, "one three four again ");
    text_release(&out);
    print_buffer_release(&first);
    print_buffer_release(&second);
}

#define ASSERTION                                                                                  \
    ".file 1 \"a.cu\"\n.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, "   \
    ".param .b64 n, .param .b64 s);\n"                                                             \
    ".global .align 1 .b8 message[6] = {120, 32, 60, 32, 51, 0};\n"              /* x < 3 */       \
    ".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n"                     /* a.cu */        \
    ".global .align 1 .b8 name[9] = {118, 111, 105, 100, 32, 107, 40, 41, 0};\n" /* void k() */

static void test_assertions(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, 1000 * SECOND);
    uint32_t module = fixture_load(
        device, PTX_HEAD ASSERTION KERNEL
        "mov.u32 %r1, %ctaid.x;\nadd.u32 %r1, %r1, %t;\nsetp.lt.u32 %p1, %r1, 3;\n@%p1 bra FINE;\n"
        ".loc 1 21 5\ncall.uni __assertfail, (%rd1, %rd2, 21, %rd3, 1);\nFINE:\nret;\n}\n");
    uint64_t out = 0;
    struct device_launch_result result = fixture_launch(device, module, 2, 3, &out);
    /* null pointers as texts must not matter */
    assert_int_equal(result.status, LAUNCH_FAULT);
    assert_string_equal(result.complaints,
                        ":21: : block: [1,0,0], thread: [2,0,0] Assertion `` failed.\n");
    module = fixture_load(
        device, PTX_HEAD ASSERTION KERNEL
        "mov.u32 %r1, %ctaid.x;\nadd.u32 %r1, %r1, %t;\nsetp.lt.u32 %p1, %r1, 3;\n"
        "@%p1 bra FINE;\nmov.u64 %rd1, message;\nmov.u64 %rd2, file;\nmov.u64 %rd3, name;\n"
        ".loc 1 21 5\ncall.uni __assertfail, (%rd1, %rd2, 21, %rd3, 1);\nFINE:\nret;\n}\n");
    result = fixture_launch(device, module, 2, 4, &out);
    assert_int_equal(result.status, LAUNCH_FAULT);
    assert_string_equal(
        result.complaints,
        "a.cu:21: void k(): block: [0,0,0], thread: [3,0,0] Assertion `x < 3` failed.\n"
        "a.cu:21: void k(): block: [1,0,0], thread: [2,0,0] Assertion `x < 3` failed.\n"
        "a.cu:21: void k(): block: [1,0,0], thread: [3,0,0] Assertion `x < 3` failed.\n");
    const struct finding_record *finding = fixture_finding(&result, FINDING_RECORD_ASSERT);
    assert_string_equal(finding->text, "x < 3");
    assert_int_equal(finding->count, 3);
    assert_int_equal(finding->places[0].line, 21);
    assert_int_equal(finding->places[0].thread[0], 3);
    device_close(device);
}

#define HEAP                                                                                       \
    ".file 1 \"a.cu\"\n.extern .func (.param .b64 r) malloc(.param .b64 n);\n"                     \
    ".extern .func free(.param .b64 p);\n.global .align 8 .u64 kept[64];\n"

/* kept[tid] = malloc(12) holding tid, tid + 1, tid + 2 */
#define ALLOCATING                                                                                 \
    PTX_HEAD HEAP KERNEL                                                                           \
        "call.uni (%rd1), malloc, (12);\nst.u32 [%rd1], %t;\nadd.u32 %r1, %t, 1;\n"                \
        "st.u32 [%rd1+4], %r1;\nadd.u32 %r1, %t, 2;\nst.u32 [%rd1+8], %r1;\n"                      \
        "mul.wide.u32 %rd2, %t, 8;\nmov.u64 %rd3, kept;\nadd.s64 %rd3, %rd3, %rd2;\n"              \
        "st.global.u64 [%rd3], %rd1;\nret;\n}\n"

/* A kernel that gets the address of kept; %rd1 is kept[tid]. */
#define USING                                                                                      \
    PTX_HEAD HEAP KERNEL                                                                           \
        "ld.param.u64 %rd3, [out];\nmul.wide.u32 %rd2, %t, 8;\nadd.s64 %rd3, %rd3, %rd2;\n"        \
        "ld.global.u64 %rd1, [%rd3];\n"

struct heap_rig {
    struct device *device;
    uint32_t module;
    uint64_t kept; /* the address of the variable */
};

static void heap_start(struct heap_rig *rig, uint32_t threads)
{
    struct device_allocation variable;
    struct device_launch_result result;
    uint64_t unused = 0;
    rig->device = fixture_open(2, 1000 * SECOND);
    rig->module = fixture_load(rig->device, ALLOCATING);
    result = fixture_launch(rig->device, rig->module, 1, threads, &unused);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    assert_true(device_variable(rig->device, rig->module, "kept", &variable));
    rig->kept = variable.address;
}

static struct device_launch_result use(struct heap_rig *rig, const char *ptx, uint32_t threads)
{
    uint32_t module = fixture_load(rig->device, ptx);
    return fixture_launch(rig->device, module, 1, threads, &rig->kept);
}

static void test_allocations_survive_launches(void **state)
{
    (void)state;
    struct heap_rig rig;
    struct device_allocation allocation;
    uint64_t pointers[40];
    heap_start(&rig, 40);
    assert_true(device_read(rig.device, rig.kept, pointers, sizeof pointers));
    for (int i = 0; i < 40; i++) {
        assert_int_equal(pointers[i] % 16, 0);
        assert_true(i == 0 || pointers[i] >= pointers[i - 1] + 12);
    }
    /* calls of the host know nothing of this memory, as in CUDA */
    assert_false(device_find(rig.device, pointers[0], &allocation));
    assert_false(device_release(rig.device, pointers[0]));
    struct device_launch_result result =
        use(&rig,
            USING "ld.u32 %r1, [%rd1+8];\nst.global.u64 [%rd3], %rd1;\nst.u32 [%rd1], %r1;\n"
                  "call.uni free, (%rd1);\nret;\n}\n",
            40);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_close(rig.device);
}

static void test_heap_out_of_bounds(void **state)
{
    (void)state;
    struct heap_rig rig;
    heap_start(&rig, 4);
    struct device_launch_result result =
        use(&rig, USING ".loc 1 5 1\nst.u32 [%rd1+12], %t;\nret;\n}\n", 4);
    const struct finding_record *finding =
        fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(finding->count, 4);
    assert_int_equal(finding->object_bytes, 12);
    assert_int_equal(finding->distance_bytes, 0);
    assert_int_equal(finding->places[0].line, 5);
    result = use(&rig, USING ".loc 1 6 1\nld.u64 %rd5, [%rd1+8];\nret;\n}\n", 4);
    finding = fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(finding->places[0].line, 6);
    device_close(rig.device);
}

static void test_heap_use_after_free_and_double_free(void **state)
{
    (void)state;
    struct heap_rig rig;
    heap_start(&rig, 4);
    struct device_launch_result result =
        use(&rig,
            USING "call.uni free, (%rd1);\n.loc 1 7 1\nld.u32 %r1, [%rd1+4];\n.loc 1 8 1\n"
                  "call.uni free, (%rd1);\nret;\n}\n",
            3);
    const struct finding_record *finding = fixture_finding(&result, FINDING_RECORD_USE_AFTER_FREE);
    assert_int_equal(finding->count, 3);
    assert_int_equal(finding->object_bytes, 12);
    assert_int_equal(finding->places[0].line, 7);
    finding = fixture_finding(&result, FINDING_RECORD_BAD_FREE);
    assert_int_equal(finding->count, 3);
    assert_int_equal(finding->places[0].line, 8);
    /* null is nothing; the middle of an allocation and other memory cannot be freed */
    result = use(&rig, USING "call.uni free, (0);\nret;\n}\n", 1);
    assert_int_equal(result.finding_count, 0);
    result = use(&rig, USING "add.s64 %rd1, %rd3, 0;\ncall.uni free, (%rd1);\nret;\n}\n", 1);
    fixture_finding(&result, FINDING_RECORD_BAD_FREE);
    device_close(rig.device);
}

/* A probe's allocations and frees are undone. */
static void test_heap_and_snapshots(void **state)
{
    (void)state;
    static const char freeing[] = USING "call.uni free, (%rd1);\nret;\n}\n";
    struct heap_rig rig;
    struct diagnostic diagnostic = {0};
    uint64_t before[4];
    uint64_t after[4];
    uint64_t unused = 0;
    heap_start(&rig, 4);
    assert_int_equal(device_snapshot(rig.device, &diagnostic), ERROR_NONE);
    for (int round = 0; round < 3; round++) {
        struct device_launch_result result = use(&rig, freeing, 4);
        assert_int_equal(result.finding_count, 0);
        fixture_launch(rig.device, rig.module, 1, 4, &unused);
        assert_true(device_read(rig.device, rig.kept, round == 0 ? before : after, sizeof before));
        device_restore(rig.device);
    }
    assert_memory_equal(before, after, sizeof before);
    device_discard(rig.device);
    device_close(rig.device);
    /* a heap that is opened while a snapshot is held is empty after it */
    rig.device = fixture_open(1, 1000 * SECOND);
    rig.module = fixture_load(rig.device, ALLOCATING);
    assert_int_equal(device_snapshot(rig.device, &diagnostic), ERROR_NONE);
    fixture_launch(rig.device, rig.module, 1, 4, &unused);
    device_restore(rig.device);
    device_discard(rig.device);
    fixture_launch(rig.device, rig.module, 1, 4, &unused);
    device_close(rig.device);
}

static void test_reset_empties_the_heap(void **state)
{
    (void)state;
    struct heap_rig rig;
    uint64_t before[2];
    uint64_t after[2];
    uint64_t unused = 0;
    heap_start(&rig, 2);
    assert_true(device_read(rig.device, rig.kept, before, sizeof before));
    device_initialise(rig.device);
    fixture_launch(rig.device, rig.module, 1, 2, &unused);
    assert_true(device_read(rig.device, rig.kept, after, sizeof after));
    assert_memory_equal(before, after, sizeof before);
    device_close(rig.device);
}

struct heap_only {
    struct window_memory memory;
    struct device_heap *heap;
};

static void heap_only_start(struct heap_only *only, uint64_t limit)
{
    struct diagnostic diagnostic = {0};
    assert_int_equal(window_memory_init(&only->memory, 1 << 28, &diagnostic), ERROR_NONE);
    only->heap = device_heap_new(&only->memory);
    assert_int_equal(device_heap_allocate(only->heap, 16), 0);
    assert_true(device_heap_open(only->heap, limit));
}

static void heap_only_end(struct heap_only *only)
{
    device_heap_free_all(only->heap);
    window_memory_release(&only->memory);
}

static void test_heap_exhaustion(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 16, BYTES = 100, COUNT = LIMIT / 112 };
    struct heap_only only;
    uint64_t addresses[COUNT];
    heap_only_start(&only, LIMIT);
    assert_int_equal(device_heap_allocate(only.heap, 0), 0);
    assert_int_equal(device_heap_allocate(only.heap, LIMIT + 1), 0);
    assert_int_equal(device_heap_allocate(only.heap, UINT64_MAX), 0);
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < COUNT; i++) {
            addresses[i] = device_heap_allocate(only.heap, BYTES);
            assert_int_not_equal(addresses[i], 0);
        }
        assert_int_equal(device_heap_allocate(only.heap, BYTES), 0);
        for (int i = 0; i < COUNT; i++) {
            struct window_range range;
            assert_int_equal(device_heap_find(only.heap, addresses[i] + BYTES - 1, &range),
                             HEAP_LIVING);
            assert_int_equal(range.end - range.start, BYTES);
            assert_true(device_heap_free(only.heap, addresses[i]));
            assert_false(device_heap_free(only.heap, addresses[i]));
        }
    }
    assert_int_not_equal(device_heap_allocate(only.heap, LIMIT), 0);
    heap_only_end(&only);
}

/* Random allocations and frees: no two living ones overlap, every byte is known. */
static void test_heap_against_a_model(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 14, SLOTS = 64 };
    struct heap_only only;
    uint64_t addresses[SLOTS] = {0};
    uint64_t sizes[SLOTS] = {0};
    uint32_t random = 12345;
    heap_only_start(&only, LIMIT);
    for (int step = 0; step < 20000; step++) {
        random = random * 1664525 + 1013904223;
        unsigned slot = random >> 8 & (SLOTS - 1);
        if (addresses[slot] != 0) {
            assert_true(device_heap_free(only.heap, addresses[slot]));
            struct window_range range;
            assert_int_equal(device_heap_find(only.heap, addresses[slot], &range), HEAP_FREED);
            addresses[slot] = 0;
            continue;
        }
        sizes[slot] = 1 + (random >> 16) % 600;
        addresses[slot] = device_heap_allocate(only.heap, sizes[slot]);
        for (unsigned i = 0; i < SLOTS && addresses[slot] != 0; i++) {
            bool is_apart = i == slot || addresses[i] == 0 ||
                            addresses[slot] + sizes[slot] <= addresses[i] ||
                            addresses[i] + sizes[i] <= addresses[slot];
            assert_true(is_apart);
        }
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        for (uint64_t k = 0; k < sizes[i] && addresses[i] != 0; k++) {
            struct window_range range;
            assert_int_equal(device_heap_find(only.heap, addresses[i] + k, &range), HEAP_LIVING);
            assert_int_equal(range.start, addresses[i]);
            assert_int_equal(range.end, addresses[i] + sizes[i]);
        }
    }
    heap_only_end(&only);
}

/* The barrier of the grid as nvcc's header writes it: the workspace is at %envreg1:%envreg2. */
static void test_grid_barrier(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out)\n{\n.reg .u32 %t, %b, %r<20>; .reg .u64 %rd<20>; "
        ".reg .pred %p<9>;\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n"
        "mov.u32 %r1, %envreg2;\ncvt.u64.u32 %rd1, %r1;\nmov.u32 %r2, %envreg1;\n"
        "cvt.u64.u32 %rd2, %r2;\nbfi.b64 %rd1, %rd2, %rd1, 32, 32;\n"
        "setp.eq.s64 %p1, %rd1, 0;\n@%p1 trap;\nld.param.u64 %rd3, [out];\n"
        "mul.wide.u32 %rd4, %b, 4;\nadd.s64 %rd5, %rd3, %rd4;\nadd.u32 %r3, %b, 100;\n"
        "st.global.u32 [%rd5], %r3;\nbarrier.sync 0;\nsetp.ne.u32 %p2, %t, 0;\n@%p2 bra IN;\n"
        "setp.eq.u32 %p3, %b, 0;\nmov.u32 %r4, %nctaid.x;\nsub.s32 %r5, -2147483647, %r4;\n"
        "selp.b32 %r6, %r5, 1, %p3;\natom.add.release.gpu.u32 %r7, [%rd1+4], %r6;\n"
        "SPIN:\nld.acquire.gpu.u32 %r8, [%rd1+4];\nxor.b32 %r9, %r8, %r7;\n"
        "setp.gt.s32 %p4, %r9, -1;\n@%p4 bra SPIN;\nIN:\nbarrier.sync 0;\n"
        "sub.u32 %r10, %r4, %b;\nmov.u32 %r4, %nctaid.x;\nsub.u32 %r10, %r4, 1;\n"
        "sub.u32 %r10, %r10, %b;\nmul.wide.u32 %rd6, %r10, 4;\nadd.s64 %rd7, %rd3, %rd6;\n"
        "ld.global.u32 %r11, [%rd7];\nst.global.u32 [%rd5+256], %r11;\nret;\n}\n";
    struct device *device = fixture_open(2, 1000 * SECOND);
    uint64_t out = fixture_allocate(device, 512);
    uint32_t results[128];
    struct device_launch launch = {
        .module = fixture_load(device, ptx),
        .grid = {50, 1, 1},
        .block = {40, 1, 1},
        .parameters = &out,
        .is_cooperative = true,
    };
    struct device_launch_result result;
    for (int round = 0; round < 2; round++) {
        device_launch(device, &launch, &result);
        assert_int_equal(result.status, LAUNCH_DONE);
        assert_int_equal(result.finding_count, 0);
        assert_true(device_read(device, out, results, sizeof results));
        for (uint32_t i = 0; i < 50; i++) {
            assert_int_equal(results[64 + i], 149 - i);
        }
    }
    launch.is_cooperative = false;
    device_launch(device, &launch, &result);
    assert_int_equal(result.status, LAUNCH_FAULT);
    fixture_finding(&result, FINDING_RECORD_TRAP);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_text_is_in_the_order_of_blocks),
        cmocka_unit_test(test_a_null_format_and_a_bad_one),
        cmocka_unit_test(test_the_latest_text_is_kept),
        cmocka_unit_test(test_forgotten_text_is_cut_at_a_line),
        cmocka_unit_test(test_pieces_of_text),
        cmocka_unit_test(test_assertions),
        cmocka_unit_test(test_allocations_survive_launches),
        cmocka_unit_test(test_heap_out_of_bounds),
        cmocka_unit_test(test_heap_use_after_free_and_double_free),
        cmocka_unit_test(test_heap_and_snapshots),
        cmocka_unit_test(test_reset_empties_the_heap),
        cmocka_unit_test(test_heap_exhaustion),
        cmocka_unit_test(test_heap_against_a_model),
        cmocka_unit_test(test_grid_barrier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
