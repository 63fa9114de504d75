/* test_emulated_kernels.c: whole kernels: same results with 1 and N threads and on every variant,
 * calls, local memory, vectors, atomics. */
#include "device/emulated/machine.h"
#include "emulated_fixture.h"

#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

/* C = A x B in tiles of 8, each shape a multiple of 8: what a student writes, by hand. */
static const char tiled_ptx[] = PTX_HEAD
    ".file 1 \"tiled.cu\"\n"
    ".visible .entry tiled(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 aw, "
    ".param .u32 bw)\n{\n.reg .b64 %a, %b, %c, %x;\n.reg .b32 %r<20>, %tx, %ty, %k;\n"
    ".reg .f32 %f<4>;\n.reg .pred %p;\n"
    ".shared .align 4 .b8 As[256];\n.shared .align 4 .b8 Bs[256];\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u64 %c, [c];\n"
    "ld.param.u32 %r1, [aw];\nld.param.u32 %r2, [bw];\n"
    "mov.u32 %tx, %tid.x;\nmov.u32 %ty, %tid.y;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ctaid.y;\n"
    "shl.b32 %r5, %r3, 3;\nadd.s32 %r5, %r5, %tx;\n" /* column */
    "shl.b32 %r6, %r4, 3;\nadd.s32 %r6, %r6, %ty;\n" /* row */
    "mov.u32 %r7, As;\nmov.u32 %r8, Bs;\n"
    "shl.b32 %r9, %ty, 5;\nshl.b32 %r10, %tx, 2;\nadd.s32 %r11, %r7, %r9;\n"
    "add.s32 %r12, %r11, %r10;\nadd.s32 %r13, %r8, %r10;\nadd.s32 %r14, %r13, %r9;\n"
    "mov.f32 %f1, 0f00000000;\nmov.u32 %r15, 0;\n"
    "TILE:\nmad.lo.s32 %r16, %r6, %r1, %tx;\nadd.s32 %r16, %r16, %r15;\n"
    "mul.wide.s32 %x, %r16, 4;\nadd.s64 %x, %a, %x;\n.loc 1 20 9\nld.global.f32 %f2, [%x];\n"
    "st.shared.f32 [%r12], %f2;\nadd.s32 %r16, %ty, %r15;\nmad.lo.s32 %r16, %r16, %r2, %r5;\n"
    "mul.wide.s32 %x, %r16, 4;\nadd.s64 %x, %b, %x;\n.loc 1 21 9\nld.global.f32 %f2, [%x];\n"
    "st.shared.f32 [%r14], %f2;\nbar.sync 0;\nmov.u32 %k, 0;\nmov.u32 %r17, %r11;\n"
    "mov.u32 %r18, %r13;\n"
    "INNER:\nld.shared.f32 %f2, [%r17];\nld.shared.f32 %f3, [%r18];\n"
    "fma.rn.f32 %f1, %f2, %f3, %f1;\nadd.s32 %r17, %r17, 4;\nadd.s32 %r18, %r18, 32;\n"
    "add.s32 %k, %k, 1;\nsetp.lt.s32 %p, %k, 8;\n@%p bra INNER;\nbar.sync 0;\n"
    "add.s32 %r15, %r15, 8;\nsetp.lt.s32 %p, %r15, %r1;\n@%p bra TILE;\n"
    "mad.lo.s32 %r16, %r6, %r2, %r5;\nmul.wide.s32 %x, %r16, 4;\nadd.s64 %x, %c, %x;\n"
    ".loc 1 30 5\nst.global.f32 [%x], %f1;\nret;\n}\n";

enum { A_HEIGHT = 40, A_WIDTH = 24, B_WIDTH = 72 };

struct product {
    float c[A_HEIGHT * B_WIDTH];
    struct finding_record findings[8];
    size_t finding_count;
    struct device_counters counters;
};

static const char *variant_name;

static enum error open_variant(const struct device_config *config, void **out_state,
                               struct diagnostic *diagnostic)
{
    return emulated_open(config, variant_name, out_state, diagnostic);
}

/* Runs the tiled kernel over `extra` more rows of blocks than there is room for. */
static void multiply(uint32_t threads, uint32_t extra, struct product *out)
{
    static struct device_backend backend;
    backend = device_emulated;
    backend.open = open_variant;
    struct device_config config = {
        .memory_limit_bytes = 1 << 24, .launch_deadline_ns = 1000 * SECOND, .threads = threads};
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    assert_int_equal(device_open(&backend, &config, &device, &diagnostic), ERROR_NONE);
    uint32_t module = fixture_load(device, tiled_ptx);
    float a[A_HEIGHT * A_WIDTH];
    float b[A_WIDTH * B_WIDTH];
    for (size_t i = 0; i < A_HEIGHT * A_WIDTH; i++) {
        a[i] = (float)((int)(i * 37 % 101) - 50) / 7.0f;
    }
    for (size_t i = 0; i < A_WIDTH * B_WIDTH; i++) {
        b[i] = (float)((int)(i * 53 % 97) - 48) / 11.0f;
    }
    struct {
        uint64_t a, b, c;
        uint32_t a_width, b_width;
    } parameters = {fixture_allocate(device, sizeof a), fixture_allocate(device, sizeof b),
                    fixture_allocate(device, sizeof out->c), A_WIDTH, B_WIDTH};
    device_write(device, parameters.a, a, sizeof a);
    device_write(device, parameters.b, b, sizeof b);
    struct device_launch launch = {.module = module,
                                   .grid = {B_WIDTH / 8, A_HEIGHT / 8 + extra, 1},
                                   .block = {8, 8, 1},
                                   .parameters = &parameters};
    struct device_launch_result result;
    device_launch(device, &launch, &result);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_true(result.finding_count <= 8);
    memset(out, 0, sizeof *out);
    out->finding_count = result.finding_count;
    out->counters = result.counters;
    memcpy(out->findings, result.findings, result.finding_count * sizeof out->findings[0]);
    device_read(device, parameters.c, out->c, sizeof out->c);
    device_close(device);
    for (size_t row = 0; row < A_HEIGHT; row++) {
        for (size_t column = 0; column < B_WIDTH; column++) {
            float sum = 0;
            for (size_t k = 0; k < A_WIDTH; k++) {
                sum = __builtin_fmaf(a[row * A_WIDTH + k], b[k * B_WIDTH + column], sum);
            }
            assert_memory_equal(&sum, &out->c[row * B_WIDTH + column], sizeof sum);
        }
    }
}

static void test_tiled_product(void **state)
{
    (void)state;
    static struct product product;
    variant_name = NULL;
    multiply(1, 0, &product);
    assert_int_equal(product.finding_count, 0);
    uint64_t threads = A_HEIGHT * B_WIDTH;
    uint64_t tiles = A_WIDTH / 8;
    /* a branch that is not taken is not executed: one in each tile, and the last one of all */
    assert_int_equal(product.counters.lane_instructions,
                     threads * (23 + tiles * (16 + 8 * 8 - 1 + 4) - 1 + 5));
    assert_int_equal(product.counters.barriers, threads / 32 * tiles * 2);
}

/* Findings, counters and results depend on neither threads nor processor. */
static void test_same_everywhere(void **state)
{
    (void)state;
    static struct product expected;
    static struct product got;
    const struct warp_variant *variants;
    size_t count = warp_variants(&variants);
    variant_name = variants[0].name;
    multiply(1, 2, &expected);
    assert_int_equal(expected.finding_count, 2);
    assert_int_equal(expected.findings[0].places[0].line, 20);
    assert_int_equal(expected.findings[0].places[0].block[1], A_HEIGHT / 8);
    assert_int_equal(expected.findings[0].count, 2 * 8 * A_WIDTH * (B_WIDTH / 8));
    assert_int_equal(expected.findings[1].places[0].line, 30);
    assert_int_equal(expected.findings[1].count, 2 * 8 * B_WIDTH);
    assert_int_equal(expected.findings[1].distance_bytes, 0);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t threads = 1; threads <= 5; threads += 2) {
            variant_name = variants[i].name;
            multiply(threads, 2, &got);
            assert_int_equal(got.finding_count, expected.finding_count);
            for (size_t k = 0; k < got.finding_count; k++) {
                /* addresses lie at the same place in each device */
                assert_memory_equal(&got.findings[k], &expected.findings[k],
                                    sizeof got.findings[k]);
            }
            assert_memory_equal(&got.counters, &expected.counters, sizeof got.counters);
        }
    }
}

enum { CHAIN_TEXT = 16384, CHAIN_BLOCKS = 2, CHAIN_THREADS = 96, CHAIN_FINDINGS = 256 };

/* What happens in the middle of a long run of ops. */
struct chain_case {
    const char *before; /* %p holds in the lanes before 20 of each block, %a is the tile */
    const char *each;   /* after each load but the first ones */
    unsigned threads;
    bool is_faulty;
};

struct chain_outcome {
    uint32_t out[CHAIN_BLOCKS * CHAIN_THREADS];
    struct finding_record findings[CHAIN_FINDINGS];
    size_t finding_count;
    struct device_counters counters;
};

/* A kernel that adds up 200 words of shared memory, all of them loaded behind one register. */
static void write_chain(const struct chain_case *with, char text[CHAIN_TEXT])
{
    size_t length =
        (size_t)snprintf(text, CHAIN_TEXT,
                         PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %%o, %%at;\n"
                                  ".reg .b32 %%t, %%v, %%a, %%own, %%x, %%b;\n.reg .pred %%p;\n"
                                  ".shared .align 4 .b8 tile[800];\nld.param.u64 %%o, [out];\n"
                                  "mov.u32 %%t, %%tid.x;\nmov.u32 %%v, 1;\nmov.u32 %%a, tile;\n"
                                  "shl.b32 %%own, %%t, 2;\nadd.u32 %%own, %%own, %%a;\n"
                                  "setp.lt.u32 %%p, %%t, 20;\nst.shared.u32 [%%own], %%t;\n%s",
                         with->before);
    for (unsigned i = 0; i < 200 && length < CHAIN_TEXT; i++) {
        length += (size_t)snprintf(text + length, CHAIN_TEXT - length,
                                   "ld.shared.u32 %%x, [%%a+%u];\nadd.u32 %%v, %%v, %%x;\n%s",
                                   4 * i, i % 90 == 89 ? with->each : "");
    }
    length += (size_t)snprintf(text + length, CHAIN_TEXT - length,
                               "mov.u32 %%b, %%ctaid.x;\nmad.lo.u32 %%t, %%b, %u, %%t;\n"
                               "mul.wide.u32 %%at, %%t, 4;\nadd.s64 %%at, %%o, %%at;\n"
                               "st.global.u32 [%%at], %%v;\nret;\n}\n",
                               (unsigned)CHAIN_THREADS);
    assert_true(length < CHAIN_TEXT);
}

static void run_chain(const struct chain_case *with, struct chain_outcome *out)
{
    static char text[CHAIN_TEXT];
    static struct device_backend backend;
    struct device_config config = {.model = {.multiprocessors = 4},
                                   .memory_limit_bytes = UINT64_C(1) << 28,
                                   .launch_deadline_ns = 1000 * SECOND,
                                   .threads = 1};
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    memset(out, 0, sizeof *out);
    write_chain(with, text);
    backend = device_emulated;
    backend.open = open_variant;
    assert_int_equal(device_open(&backend, &config, &device, &diagnostic), ERROR_NONE);
    uint32_t module = fixture_load(device, text);
    uint64_t address = fixture_allocate(device, sizeof out->out);
    device_fill(device, address, sizeof out->out, 0, 4);
    struct device_launch_result result =
        fixture_launch(device, module, CHAIN_BLOCKS, with->threads, &address);
    out->finding_count = result.finding_count;
    assert_true(result.finding_count <= CHAIN_FINDINGS);
    memcpy(out->findings, result.findings, result.finding_count * sizeof *result.findings);
    out->counters = result.counters;
    device_read(device, address, out->out, sizeof out->out);
    device_close(device);
}

/* What is found and counted in a run of ops is the same as if each one were run alone: where
 * something was never written, lies beyond a tile, or races; under guards, where lanes take
 * different ways, and in a warp that is not full. */
static void test_chains(void **state)
{
    (void)state;
#define FILL "@!%p st.shared.u32 [%own+416], %t;\n"
    static const struct chain_case cases[] = {
        {"bar.sync 0;\n", "", 96, true}, /* words 96 to 199 were never written */
        {"bar.sync 0;\n" FILL "bar.sync 0;\n", "", 75, true},
        {FILL, "", 96, true},
        {"bar.sync 0;\n", "@%p add.u32 %v, %v, %v;\n@!%p xor.b32 %v, %v, %x;\n", 96, true},
        {"bar.sync 0;\n@%p bra OVER;\nadd.u32 %v, %v, 3;\nOVER:\nadd.u32 %v, %v, %t;\n",
         "@%p ld.shared.u32 %x, [%own+1000];\nadd.u32 %v, %v, %x;\n", 52, true},
        {"bar.sync 0;\n", "st.shared.u32 [%own+780], %v;\n", 20, true},
    };
    static struct chain_outcome expected, got;
    const struct warp_variant *variants;
    size_t count = warp_variants(&variants);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        variant_name = variants[0].name;
        run_chain(&cases[i], &expected);
        assert_int_equal(expected.finding_count != 0, cases[i].is_faulty);
        for (size_t v = 1; v < count; v++) {
            variant_name = variants[v].name;
            run_chain(&cases[i], &got);
            assert_memory_equal(&got, &expected, sizeof got);
        }
    }
}

/* Runs a kernel(out) on one block and reads 32-bit results back. */
static void run(const char *ptx, uint32_t threads, uint32_t *out, size_t count)
{
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint32_t module = fixture_load(device, ptx);
    uint64_t address = fixture_allocate(device, count * 4);
    device_fill(device, address, count * 4, 0, 4);
    struct device_launch_result result = fixture_launch(device, module, 1, threads, &address);
    if (result.finding_count > 0) {
        print_error("finding %u: %s\n", result.findings[0].kind, result.findings[0].text);
    }
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, address, out, count * 4);
    device_close(device);
}

#define STORE_RESULT                                                                               \
    "mul.wide.u32 %at, %t, 4;\nadd.s64 %at, %o, %at;\nst.global.u32 [%at], %v;\nret;\n}\n"
#define LOAD_OUT "ld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\n"

static void test_calls(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".func (.param .b32 result) twice(.param .b32 x)\n{\n.reg .b32 %r<4>;\n.reg .pred %p;\n"
        "ld.param.b32 %r1, [x];\nsetp.gt.u32 %p, %r1, 50;\n@%p bra BIG;\n"
        "add.u32 %r2, %r1, %r1;\nst.param.b32 [result], %r2;\nret;\n"
        "BIG:\nst.param.b32 [result], %r1;\nret;\n}\n"
        ".func (.param .b32 result) both(.param .b32 x)\n{\n.reg .b32 %r<4>;\n"
        "ld.param.b32 %r1, [x];\n{\n.param .b32 p;\n.param .b32 r;\nst.param.b32 [p], %r1;\n"
        "call.uni (r), twice, (p);\nld.param.b32 %r2, [r];\n}\n"
        "add.u32 %r2, %r2, 1;\nst.param.b32 [result], %r2;\nret;\n}\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %o, %at;\n.reg .b32 %t, %v;\n"
        ".reg .pred %q;\n" LOAD_OUT
        "mov.u32 %v, 7;\nsetp.ne.u32 %q, %t, 3;\n{\n.param .b32 p;\n.param .b32 r;\n"
        "st.param.b32 [p], %t;\n@%q call (r), both, (p);\n@%q ld.param.b32 %v, "
        "[r];\n}\n" STORE_RESULT;
    uint32_t out[100];
    run(ptx, 100, out, 100);
    for (uint32_t t = 0; t < 100; t++) {
        assert_int_equal(out[t], t == 3 ? 7 : t > 50 ? t + 1 : 2 * t + 1);
    }
}

/* A depot in local memory, reached through a generic pointer and by the lane's own index. */
static void test_local_memory(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out)\n{\n.local .align 16 .b8 depot[64];\n"
        ".reg .b64 %o, %at, %SP, %SPL, %x;\n.reg .b32 %t, %v, %r<4>;\n.reg .pred %p;\n" LOAD_OUT
        "mov.u64 %SPL, depot;\ncvta.local.u64 %SP, %SPL;\nmov.u32 %r1, 0;\n"
        "FILL:\nmul.wide.u32 %x, %r1, 4;\nadd.s64 %x, %SP, %x;\nmad.lo.u32 %r2, %r1, 100, %t;\n"
        "st.u32 [%x], %r2;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 16;\n@%p bra FILL;\n"
        "and.b32 %r1, %t, 15;\nmul.wide.u32 %x, %r1, 4;\nadd.s64 %x, %SPL, %x;\n"
        "ld.local.u32 %v, [%x];\n" STORE_RESULT;
    uint32_t out[70];
    run(ptx, 70, out, 70);
    for (uint32_t t = 0; t < 70; t++) {
        assert_int_equal(out[t], t % 16 * 100 + t);
    }
}

static void test_vectors_and_narrow_accesses(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out)\n{\n.shared .align 16 .b8 tile[2048];\n"
        ".reg .b64 %o, %at;\n.reg .b32 %t, %v, %r<8>;\n.reg .b16 %h<4>;\n" LOAD_OUT
        "mov.u32 %r0, tile;\nmad.lo.u32 %r0, %t, 16, %r0;\nadd.u32 %r1, %t, 1;\n"
        "add.u32 %r2, %t, 2;\nneg.s32 %r3, %t;\nst.shared.v4.u32 [%r0], {%t, %r1, %r2, %r3};\n"
        "ld.shared.v2.u32 {%r4, %r5}, [%r0+8];\nadd.u32 %v, %r4, %r5;\n"
        "ld.shared.s8 %r6, [%r0+12];\nadd.u32 %v, %v, %r6;\nld.shared.u16 %h1, [%r0+12];\n"
        "cvt.u32.u16 %r7, %h1;\nmad.lo.u32 %v, %r7, 1000, %v;\n" STORE_RESULT;
    uint32_t out[64];
    run(ptx, 64, out, 64);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t expected = 2 + (0u - t) + (((0u - t) & 0xffff) * 1000);
        assert_int_equal(out[t], expected);
    }
}

static void test_atomics(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out)\n{\n.shared .align 4 .u32 sum;\n"
        ".reg .b64 %o, %at;\n.reg .b32 %t, %v, %r<8>;\n.reg .f32 %f;\n.reg .pred %p;\n" LOAD_OUT
        "setp.eq.u32 %p, %t, 0;\nmov.u32 %r1, 0;\n@%p st.shared.u32 [sum], %r1;\nbar.sync 0;\n"
        "atom.shared.add.u32 %v, [sum], %t;\nbar.sync 0;\n"
        "red.global.max.s32 [%o+256], %t;\natom.global.inc.u32 %r2, [%o+260], 9;\n"
        "mov.f32 %f, 0f3F000000;\nred.global.add.f32 [%o+264], %f;\nneg.s32 %r3, %t;\n"
        "red.global.min.s32 [%o+268], %r3;\nred.global.or.b32 [%o+272], %t;\n"
        "ld.shared.u32 %v, [sum];\n" STORE_RESULT;
    uint32_t out[70];
    run(ptx, 64, out, 70);
    assert_int_equal(out[0], 63 * 64 / 2);
    assert_int_equal(out[63], 63 * 64 / 2);
    assert_int_equal(out[64], 63);
    assert_int_equal(out[65], 64 % 10);
    assert_int_equal(out[66], 0x42000000);
    assert_int_equal((int32_t)out[67], -63);
    assert_int_equal(out[68], 63);
}

static void test_branch_table_and_clock(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %o, %at;\n.reg .b32 %t, %v, %r<8>;\n"
        ".reg .pred %p;\n" LOAD_OUT
        "and.b32 %r1, %t, 3;\nTABLE: .branchtargets ZERO, ONE, TWO, ONE;\n"
        "mov.u32 %r2, %clock;\nmembar.gl;\nnanosleep.u32 10;\nmov.u32 %r3, %clock;\n"
        "setp.gt.u32 %p, %r3, %r2;\n@!%p trap;\nbrx.idx %r1, TABLE;\n"
        "ZERO:\nmov.u32 %v, 10;\nbra DONE;\nONE:\nmov.u32 %v, 11;\nbra DONE;\n"
        "TWO:\nmov.u32 %v, 12;\nDONE:\n" STORE_RESULT;
    uint32_t out[64];
    run(ptx, 64, out, 64);
    for (uint32_t t = 0; t < 64; t++) {
        assert_int_equal(out[t], t % 4 == 0 ? 10 : t % 4 == 2 ? 12 : 11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiled_product), cmocka_unit_test(test_same_everywhere),
        cmocka_unit_test(test_chains),        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_local_memory),  cmocka_unit_test(test_vectors_and_narrow_accesses),
        cmocka_unit_test(test_atomics),       cmocka_unit_test(test_branch_table_and_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
