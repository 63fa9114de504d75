/* test_emulated_forms.c: what the emulated device does not execute is refused by its name, with
 * its line; and the forms of loads, stores and atomics on halves that it does execute. */
#include "emulated_fixture.h"

/* As written in PTX; each stands in a kernel of its own. */
static const char *const refused[] = {
    "ld.global.b128 %q1, [%rd1]",
    "ld.global.L2::cache_hint.f32 %f1, [%rd1], %rd2",
    "ld.global.v8.f32 {%f1,%f2,%f3,%f4,%f1,%f2,%f3,%f4}, [%rd1]",
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3]",
    "atom.global.v2.f32.add %f1, [%rd1], %f2",
    "red.async.relaxed.cluster.global.add.u32 [%r1], %r2, [%r3]",
    "discard.global.L2 [%rd1], 128",
    "applypriority.global.L2::evict_normal [%rd1], 128",
    "createpolicy.fractional.L2::evict_last.b64 %rd2, 1.0",
    "cp.async.ca.shared.global [%r1], [%rd1], 12",
    "cp.async.ca.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd2",
    "cp.async.bulk.commit_group",
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 32",
    "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1,%r2,%r3,%r4}, [%rd1], %r2",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2}, {%r1,%r2}, {%r3}, {%f1,%f2}",
    "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}",
    "tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f1}]",
    "tex.base.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}]",
    "sust.p.2d.v4.b16.trap [%rd1, {%r1,%r2}], {%h3,%h3,%h3,%h3}",
    "suld.p.2d.b32.trap {%r3}, [%rd1, {%r1,%r2}]",
    "sured.b.add.1d.b32.trap [%rd1, {%r1}], %r3",
    "sured.b.xor.1d.b32.trap [%rd1, {%r1}], %r3",
    "sured.p.min.1d.b64.trap [%rd1, {%r1}], %rd3",
    "sured.b.add.a1d.u32.trap [%rd1, {%r1,%r2}], %r3",
    "txq.channel_order.b32 %r1, [%rd1]",
    "txq.addr_mode_0.b32 %r1, [%rd1]",
    "txq.level.array_size.b32 %r1, [%rd1], 0",
    "suq.num_mipmap_levels.b32 %r1, [%rd1]",
    "suq.memory_layout.b32 %r1, [%rd1]",
    "vadd.s32.u32.s32.sat %r1, %r2.b0, %r3.h1",
    "vadd4.u32.u32.u32 %r1, %r2, %r3, %r4",
    "vmad.s32.s32.u32.sat.shr7 %r1, %r2.h0, %r3.h0, %r4",
    "vset.s32.u32.lt %r1, %r2, %r3",
    "vshr.u32.u32.u32.sat.clamp %r1, %r2, %r3",
    "vshl.u32.u32.u32.wrap.add %r1, %r2, %r3, %r4",
    "vabsdiff4.u32.s32.u32 %r1, %r2, %r3, %r4",
    "mov.u32 %r1, %pm0",
    "fence.proxy.alias",
    "brkpt",
    "vote.any.pred %p1, %p2",
    "elect.sync %r1|%p1, %r2",
    "barrier.cluster.arrive",
    "cvt.rm.tf32.f32 %r1, %f1",
    "cvt.rn.e4m3x2.f32 %h1, %f1, %f2",
    "cvt.rn.satfinite.f16x2.e4m3x2 %r1, %h1",
    "cvt.rn.satfinite.e2m1x2.f32 %h1, %f1, %f2",
    "cvt.pack.u8.s32.b32 %r1, %r2, %r3, %r4",
    "cvt.pack.sat.u8.s32 %r1, %r2, %r3",
    "cvt.pack.sat.u32.s32 %r1, %r2, %r3",
    "min.f32 %f1, %f2, %f3, %f4",
    "add.s16x2 %r1, %r2, %r3",
    "add.rz.f16 %h1, %h2, %h3",
    "fma.rn.sat.relu.f16 %h1, %h2, %h3, %h4",
    "fma.rn.ftz.bf16 %h1, %h2, %h3, %h4",
    "mul.sat.bf16x2 %r1, %r2, %r3",
    "ex2.approx.bf16 %h1, %h2",
    "addc.u16 %h1, %h2, %h3",
    "add.sat.cc.s32 %r1, %r2, %r3",
    "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x1b, %p2",
    "set.lt.f16x2.f16 %r1, %h1, %h2",
    "set.eq.f64.f64 %rd1, %rd2, %rd2",
};

static void test_refused_by_name(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, UINT64_C(10000000000));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char ptx[2048];
        snprintf(ptx, sizeof ptx,
                 PTX_HEAD ".visible .entry k(.param .u64 a)\n{\n"
                          ".reg .pred %%p<5>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<9>;\n"
                          ".reg .f32 %%f<9>;\n.reg .b64 %%rd<9>;\n.reg .b128 %%q<3>;\n"
                          ".loc 1 42 7\n%s;\nret;\n}\n.file 1 \"a.cu\"\n",
                 refused[i]);
        uint32_t module = fixture_load(device, ptx);
        uint64_t parameter = 0;
        struct device_launch_result result = fixture_launch(device, module, 1, 32, &parameter);
        if (result.finding_count != 1 ||
            result.findings[0].kind != FINDING_RECORD_UNKNOWN_INSTRUCTION) {
            fail_msg("%s: %zu findings", refused[i], result.finding_count);
        }
        const struct finding_record *finding = &result.findings[0];
        /* the words of an instruction that parses, all of one that does not */
        size_t length = strcspn(finding->text, " ");
        assert_memory_equal(finding->text, refused[i], length);
        assert_true(refused[i][length] == ' ' || refused[i][length] == '\0');
        assert_int_equal(finding->places[0].line, 42);
    }
    device_close(device);
}

/* Each of 32 threads adds a half; f16 sums of small whole numbers are exact. */
static void test_atomics_on_halves(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n"
                 ".reg .b64 %rd<9>;\n"
                 "ld.param.u64 %rd1, [a];\n"
                 "mov.b16 %h1, 0x3c00;\n"
                 "mov.b16 %h2, 0x4000;\n"
                 "mov.b16 %h3, 0x3f80;\n"
                 "mov.b32 %r1, {%h1, %h2};\n"
                 "mov.b32 %r2, {%h3, %h3};\n"
                 "atom.global.add.noftz.f16 %h4, [%rd1], %h1;\n"
                 "atom.global.add.noftz.f16x2 %r3, [%rd1+4], %r1;\n"
                 "red.global.add.noftz.f16x2 [%rd1+8], %r1;\n"
                 "atom.global.add.noftz.bf16 %h5, [%rd1+12], %h3;\n"
                 "red.relaxed.gpu.global.add.noftz.bf16x2 [%rd1+16], %r2;\n"
                 "ret;\n}\n";
    struct device *device = fixture_open(1, UINT64_C(10000000000));
    uint32_t module = fixture_load(device, ptx);
    uint64_t address = fixture_allocate(device, 20);
    uint32_t words[5] = {0xabcd0000, 0, 0x3c003c00, 0xabcd0000, 0};
    device_write(device, address, words, sizeof words);
    struct device_launch_result result = fixture_launch(device, module, 1, 32, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, address, words, sizeof words);
    assert_int_equal(words[0], 0xabcd5000); /* 32 */
    assert_int_equal(words[1], 0x54005000); /* 64 and 32 */
    assert_int_equal(words[2], 0x54105020); /* 65 and 33 */
    assert_int_equal(words[3], 0xabcd4200); /* 32 */
    assert_int_equal(words[4], 0x42004200);
    device_close(device);
}

/* A vector of four halves is read, doubled and written. */
static void test_vectors_of_halves(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .b16 %h<9>;\n.reg .b64 %rd<9>;\n"
                 ".reg .b32 %r<3>;\n"
                 "ld.param.u64 %rd1, [a];\n"
                 "mov.u32 %r1, %tid.x;\n"
                 "mul.wide.u32 %rd2, %r1, 8;\n"
                 "add.s64 %rd1, %rd1, %rd2;\n"
                 "ld.global.L1::no_allocate.L2::128B.v4.b16 {%h1, %h2, %h3, %h4}, [%rd1];\n"
                 "add.f16 %h1, %h1, %h1;\nadd.f16 %h2, %h2, %h2;\n"
                 "add.f16 %h3, %h3, %h3;\nadd.f16 %h4, %h4, %h4;\n"
                 "st.global.v4.b16 [%rd1], {%h1, %h2, %h3, %h4};\n"
                 "ret;\n}\n";
    struct device *device = fixture_open(1, UINT64_C(10000000000));
    uint32_t module = fixture_load(device, ptx);
    uint16_t halves[128];
    uint64_t address = fixture_allocate(device, sizeof halves);
    for (unsigned i = 0; i < 128; i++) {
        halves[i] = (uint16_t)(0x2000 + i * 37);
    }
    device_write(device, address, halves, sizeof halves);
    struct device_launch_result result = fixture_launch(device, module, 1, 32, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, address, halves, sizeof halves);
    for (unsigned i = 0; i < 128; i++) {
        assert_int_equal(halves[i], 0x2400 + i * 37); /* one more in the exponent */
    }
    device_close(device);
}

/* Vectors of registers, by their names and by their elements, also where one is moved on itself. */
static void test_vectors_of_registers(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 a)\n{\n.reg .v4 .b32 v, w;\n.reg .v2 .b64 u;\n"
                 ".reg .b64 %rd<3>;\n"
                 "ld.param.u64 %rd1, [a];\n"
                 "ld.global.v4.b32 v, [%rd1];\n"
                 "mov.v4.b32 v, {v.y, v.z, v.w, v.x};\n"
                 "mov.v4.b32 w, v;\n"
                 "add.u32 w.x, w.r, w.a;\n"
                 "st.global.v4.b32 [%rd1+16], w;\n"
                 "mov.b64 u.x, {v.x, v.y};\n"
                 "mov.b64 u.y, {v.z, v.w};\n"
                 "st.global.v2.b64 [%rd1+32], u;\n"
                 "ret;\n}\n";
    static const uint32_t expected[12] = {1, 2, 3, 4, 3, 3, 4, 1, 2, 3, 4, 1};
    struct device *device = fixture_open(1, UINT64_C(10000000000));
    uint32_t module = fixture_load(device, ptx);
    uint64_t address = fixture_allocate(device, sizeof expected);
    uint32_t words[12] = {1, 2, 3, 4};
    device_write(device, address, words, sizeof words);
    struct device_launch_result result = fixture_launch(device, module, 1, 1, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, address, words, sizeof words);
    assert_memory_equal(words, expected, sizeof expected);
    device_close(device);
}

/* Addresses as values: in a constant, in an array of them, and stored. */
static void test_addresses_as_values(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".global .u32 g[4] = {10, 11, 12, 13};\n"
                 ".const .u64 one = g+4;\n.const .u64 two[2] = {g, generic(g)+8};\n"
                 ".global .u64 three = generic(g)+12;\n"
                 ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<5>;\n.reg .b64 %rd<9>;\n"
                 ".shared .u32 s[2];\n"
                 "ld.param.u64 %rd1, [a];\n"
                 "st.global.u64 [%rd1+16], g+8;\n"
                 "st.global.u32 [%rd1+24], s+4;\n"
                 "mov.u32 %r2, s;\nld.global.u32 %r3, [%rd1+24];\nsub.u32 %r2, %r3, %r2;\n"
                 "st.global.u32 [%rd1+20], %r2;\n"
                 "ld.const.u64 %rd2, [one];\nld.global.u32 %r1, [%rd2];\n"
                 "st.global.u32 [%rd1], %r1;\n"
                 "ld.const.u64 %rd2, [two+8];\nld.u32 %r1, [%rd2];\n"
                 "st.global.u32 [%rd1+4], %r1;\n"
                 "ld.global.u64 %rd2, [three];\nld.u32 %r1, [%rd2];\n"
                 "st.global.u32 [%rd1+8], %r1;\n"
                 "st.global.u64 [%rd1+24], g+8;\nld.global.u64 %rd2, [%rd1+24];\n"
                 "ld.global.u32 %r1, [%rd2];\nst.global.u32 [%rd1+12], %r1;\n"
                 "ret;\n}\n";
    struct device *device = fixture_open(1, UINT64_C(10000000000));
    uint32_t module = fixture_load(device, ptx);
    uint32_t words[8] = {0};
    uint64_t address = fixture_allocate(device, sizeof words);
    device_write(device, address, words, sizeof words);
    struct device_launch_result result = fixture_launch(device, module, 1, 1, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 0);
    device_read(device, address, words, sizeof words);
    assert_int_equal(words[0], 11);
    assert_int_equal(words[1], 12);
    assert_int_equal(words[2], 13);
    assert_int_equal(words[3], 12);
    assert_int_equal(words[5], 4);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_by_name),     cmocka_unit_test(test_atomics_on_halves),
        cmocka_unit_test(test_vectors_of_halves),   cmocka_unit_test(test_vectors_of_registers),
        cmocka_unit_test(test_addresses_as_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
