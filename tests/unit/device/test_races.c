/* test_races.c: races in shared memory, reads of what nobody wrote, and barriers that matter. */
#include "emulated_fixture.h"

#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

/* %t: thread; %b: address of the tile; %a: of the thread's word in it. */
#define KERNEL(body)                                                                               \
    PTX_HEAD                                                                                       \
    ".file 1 \"kernel.cu\"\n"                                                                      \
    ".visible .entry k(.param .u64 out)\n{\n"                                                      \
    ".reg .b64 %o, %at, %rd<8>;\n.reg .b32 %t, %v, %w, %n, %a, %b, %c, %r<16>;\n"                  \
    ".reg .b16 %h<4>;\n.reg .pred %p, %q;\n"                                                       \
    ".shared .align 4 .b8 tile[4096];\n"                                                           \
    "ld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\nmov.u32 %v, 0;\nmov.u32 %w, %ntid.x;\n"         \
    "mov.u32 %b, tile;\nmad.lo.u32 %a, %t, 4, %b;\n" body                                          \
    "\nDONE:\nmov.u32 %n, %ctaid.x;\nmov.u32 %r15, %ntid.x;\n"                                     \
    "mad.lo.u32 %n, %n, %r15, %t;\nmul.wide.u32 %at, %n, 4;\nadd.s64 %at, %o, %at;\n"              \
    "st.global.u32 [%at], %v;\nret;\n}\n"

/* Reads the word of the thread `distance` further, round the block: %v. */
#define READ_NEXT(distance)                                                                        \
    "add.u32 %r1, %t, " #distance ";\nrem.u32 %r1, %r1, %w;\nmad.lo.u32 %r1, %r1, 4, %b;\n"        \
    ".loc 1 20 5\nld.shared.u32 %v, [%r1];\n"
#define WRITE_OWN ".loc 1 10 5\nst.shared.u32 [%a], %t;\n"

struct run {
    struct device *device;
    struct device_launch_result result;
};

static struct run run_with(const char *ptx, uint32_t blocks, uint32_t threads,
                           struct device_config config)
{
    struct run run = {0};
    struct diagnostic diagnostic = {0};
    config.model.multiprocessors = 4;
    config.model.max_blocks_per_multiprocessor = 16;
    config.memory_limit_bytes = UINT64_C(1) << 28;
    config.launch_deadline_ns = 1000 * SECOND;
    config.threads = config.threads == 0 ? 1 : config.threads;
    assert_int_equal(device_open(&device_emulated, &config, &run.device, &diagnostic), ERROR_NONE);
    uint64_t out = fixture_allocate(run.device, (uint64_t)blocks * threads * 4);
    run.result = fixture_launch(run.device, fixture_load(run.device, ptx), blocks, threads, &out);
    return run;
}

static struct run run_kernel(const char *ptx, uint32_t blocks, uint32_t threads)
{
    return run_with(ptx, blocks, threads, (struct device_config){0});
}

/* No findings at all. */
static void expect_clean(const char *ptx, uint32_t blocks, uint32_t threads)
{
    struct run run = run_kernel(ptx, blocks, threads);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    for (size_t i = 0; i < run.result.finding_count; i++) {
        print_message("finding of kind %u, lines %u and %u\n", run.result.findings[i].kind,
                      run.result.findings[i].places[0].line, run.result.findings[i].places[1].line);
    }
    assert_int_equal(run.result.finding_count, 0);
    device_close(run.device);
}

/* What one finding must be like. */
struct expected {
    enum finding_record_kind kind;
    uint64_t count, address;
    uint32_t lines[2], threads[2];
    uint32_t accesses[2];
};

/* That finding and no other. */
static void expect_one(const char *ptx, uint32_t blocks, uint32_t threads,
                       const struct expected *expected)
{
    struct run run = run_kernel(ptx, blocks, threads);
    for (size_t i = 0; i < run.result.finding_count; i++) {
        const struct finding_record *record = &run.result.findings[i];
        if (run.result.finding_count != 1 || record->kind != (uint32_t)expected->kind) {
            print_message("finding of kind %u, count %u, lines %u and %u\n", record->kind,
                          (unsigned)record->count, record->places[0].line, record->places[1].line);
        }
    }
    assert_int_equal(run.result.finding_count, 1);
    const struct finding_record *record = &run.result.findings[0];
    assert_int_equal(record->kind, expected->kind);
    assert_int_equal(record->count, expected->count);
    assert_int_equal(record->address, expected->address);
    assert_int_equal(record->distance_bytes, expected->address); /* the only array starts at 0 */
    assert_string_equal(record->text, "tile");
    assert_int_equal(record->object_bytes, 4096);
    size_t places = expected->kind == FINDING_RECORD_SHARED_UNINITIALISED ? 1 : 2;
    assert_int_equal(record->place_count, places);
    for (size_t i = 0; i < places; i++) {
        assert_int_equal(record->places[i].line, expected->lines[i]);
        assert_int_equal(record->places[i].thread[0], expected->threads[i]);
        assert_int_equal(record->places[i].access, expected->accesses[i]);
        assert_int_equal(record->places[i].block[0], 0);
    }
    device_close(run.device);
}

enum { READ = FINDING_RECORD_READ, WRITE = FINDING_RECORD_WRITE, ATOMIC = FINDING_RECORD_ATOMIC };

static void test_missing_barrier(void **state)
{
    (void)state;
    expect_clean(KERNEL(WRITE_OWN "bar.sync 0;\n" READ_NEXT(1)), 3, 128);
    /* 1 further: of 128 words, 4 are read by the next warp, the others within the warp: one pair of
     * sites, which races between warps */
    const struct expected next = {
        FINDING_RECORD_SHARED_RACE, 3 * 4, 0, {10, 20}, {0, 127}, {WRITE, READ}};
    expect_one(KERNEL(WRITE_OWN READ_NEXT(1)), 3, 128, &next);
    const struct expected far = {
        FINDING_RECORD_SHARED_RACE, 3 * 128, 0, {10, 20}, {0, 96}, {WRITE, READ}};
    expect_one(KERNEL(WRITE_OWN READ_NEXT(32)), 3, 128, &far);
    /* read, and then write without a barrier; the words hold something */
    const struct expected later = {
        FINDING_RECORD_SHARED_RACE, 128, 0, {20, 10}, {96, 0}, {READ, WRITE}};
    expect_one(KERNEL("st.shared.u32 [%a], 5;\nbar.sync 0;\n" READ_NEXT(32) WRITE_OWN), 1, 128,
               &later);
}

static void test_within_a_warp(void **state)
{
    (void)state;
    const struct expected race = {
        FINDING_RECORD_WARP_RACE, 32, 0, {10, 20}, {0, 31}, {WRITE, READ}};
    expect_one(KERNEL(WRITE_OWN READ_NEXT(1)), 1, 32, &race);
    expect_clean(KERNEL(WRITE_OWN "bar.warp.sync -1;\n" READ_NEXT(1)), 1, 32);
    expect_clean(KERNEL(WRITE_OWN "ld.shared.u32 %v, [%a];\n"), 1, 64);
    /* a shuffle is no barrier */
    expect_one(KERNEL(WRITE_OWN "shfl.sync.idx.b32 %r2, %t, 0, 31, -1;\n" READ_NEXT(1)), 1, 32,
               &race);
    /* another warp is not reached by a bar.warp.sync */
    const struct expected other = {
        FINDING_RECORD_SHARED_RACE, 64, 0, {10, 20}, {0, 32}, {WRITE, READ}};
    expect_one(KERNEL(WRITE_OWN "bar.warp.sync -1;\n" READ_NEXT(32)), 1, 64, &other);
}

/* Masks that cover only some lanes, and chains of them. */
static void test_warp_sync_masks(void **state)
{
    (void)state;
#define HALVES                                                                                     \
    "setp.ge.u32 %p, %t, 16;\nselp.b32 %r5, 0xffff0000, 0xffff, %p;\nbar.warp.sync %r5;\n"
    /* neighbours within a half: only lanes 15 and 31 read what the other half wrote */
    const struct expected block_widths = {
        FINDING_RECORD_WARP_RACE, 2, 0, {10, 20}, {0, 31}, {WRITE, READ}};
    expect_one(KERNEL(WRITE_OWN HALVES READ_NEXT(1)), 1, 32, &block_widths);
    /* lane 0 writes; the first half syncs; then lanes 15 and 16; then the second half: a chain that
     * leads from lane 0 to lane 31, but not to a lane that has gone before */
    static const char chain[] =
        KERNEL("setp.eq.u32 %p, %t, 0;\n.loc 1 10 5\n@%p st.shared.u32 [%b], 7;\n"
               "setp.lt.u32 %p, %t, 16;\n@%p bar.warp.sync 0xffff;\n"
               "and.b32 %r6, %t, 0x1e;\nsub.u32 %r6, %t, 15;\nsetp.lt.u32 %q, %r6, 2;\n"
               "@%q bar.warp.sync 0x18000;\n@!%p bar.warp.sync 0xffff0000;\n"
               ".loc 1 20 5\nsetp.eq.u32 %q, %t, 31;\n@%q ld.shared.u32 %v, [%b];\n");
    expect_clean(chain, 1, 32);
    static const char broken[] = KERNEL(
        "setp.eq.u32 %p, %t, 0;\n.loc 1 10 5\n@%p st.shared.u32 [%b], 7;\n"
        "sub.u32 %r6, %t, 15;\nsetp.lt.u32 %q, %r6, 2;\n@%q bar.warp.sync 0x18000;\n"
        "setp.lt.u32 %p, %t, 16;\n@%p bar.warp.sync 0xffff;\n@!%p bar.warp.sync 0xffff0000;\n"
        ".loc 1 20 5\nsetp.eq.u32 %q, %t, 31;\n@%q ld.shared.u32 %v, [%b];\n");
    const struct expected race = {FINDING_RECORD_WARP_RACE, 1, 0, {10, 20}, {0, 31}, {WRITE, READ}};
    expect_one(broken, 1, 32, &race);
#undef HALVES
}

/* Neighbouring bytes of a word are no race; the same byte is, whatever the widths. */
static void test_bytes(void **state)
{
    (void)state;
#define BYTE "cvt.u16.u32 %h1, %t;\nadd.u32 %c, %b, %t;\n.loc 1 10 5\nst.shared.u8 [%c], %h1;\n"
    expect_clean(KERNEL(BYTE ".loc 1 20 5\nld.shared.u8 %h2, [%c];\ncvt.u32.u16 %v, %h2;\n"), 1,
                 128);
    const struct expected byte = {
        FINDING_RECORD_SHARED_RACE, 32, 0, {10, 20}, {0, 127}, {WRITE, READ}};
    struct run run =
        run_kernel(KERNEL(BYTE "xor.b32 %c, %t, 127;\nadd.u32 %c, %b, %c;\n.loc 1 20 5\n"
                               "ld.shared.u8 %h2, [%c];\ncvt.u32.u16 %v, %h2;\n"),
                   1, 128);
    const struct finding_record *record = fixture_finding(&run.result, FINDING_RECORD_SHARED_RACE);
    assert_int_equal(record->count, byte.count);
    assert_int_equal(record->address, 0);
    assert_int_equal(record->access_bytes, 1);
    device_close(run.device);
    /* a byte store in the middle of a word that another warp loads with its vector */
    const struct expected wide = {
        FINDING_RECORD_SHARED_RACE, 1, 22, {10, 20}, {0, 32}, {WRITE, READ}};
    expect_one(KERNEL("mov.u16 %h1, 3;\nst.shared.u32 [%a], 1;\nbar.sync 0;\n"
                      "setp.eq.u32 %p, %t, 0;\n.loc 1 10 5\n@%p st.shared.u8 [%b+22], %h1;\n"
                      "setp.eq.u32 %q, %t, 32;\n.loc 1 20 5\n"
                      "@%q ld.shared.v4.u32 {%r1, %r2, %r3, %v}, [%b+16];\n"),
               1, 64, &wide);
#undef BYTE
}

static void test_atomics(void **state)
{
    (void)state;
#define ZERO "st.shared.u32 [%a], 0;\nbar.sync 0;\n"
    expect_clean(KERNEL(ZERO "atom.shared.add.u32 %r1, [%b], 1;\nred.shared.max.u32 [%b], %t;\n"
                             "bar.sync 0;\nld.shared.u32 %v, [%b];\n"),
                 2, 128);
    const struct expected plain = {
        FINDING_RECORD_SHARED_RACE, 2, 0, {10, 20}, {0, 32}, {ATOMIC, READ}};
    expect_one(KERNEL(ZERO ".loc 1 10 5\nred.shared.add.u32 [%b], 1;\n"
                           ".loc 1 20 5\nld.shared.u32 %v, [%b];\n"),
               2, 128, &plain);
    /* the histogram without its zeros */
    const struct expected unset = {FINDING_RECORD_SHARED_UNINITIALISED, 8, 0, {10}, {0}, {ATOMIC}};
    expect_one(KERNEL("and.b32 %r1, %t, 7;\nmad.lo.u32 %r1, %r1, 4, %b;\n"
                      ".loc 1 10 5\nred.shared.add.u32 [%r1], 1;\n"),
               1, 128, &unset);
    expect_clean(KERNEL("atom.shared.exch.b32 %v, [%a], %t;\n"), 1, 64);
#undef ZERO
}

/* Warp 0 writes its words and tells warp 1, which waits for that and reads them. */
#define HAND_OVER(tell, wait)                                                                      \
    KERNEL("st.shared.u32 [%b+4092], 0;\nbar.sync 0;\nsetp.ge.u32 %p, %t, 32;\n@%p bra WAIT;\n"    \
           "setp.ne.u32 %q, %t, 0;\n" WRITE_OWN "bar.warp.sync -1;\n@%q bra DONE;\n" tell          \
           "bra DONE;\nWAIT:\n" wait "setp.ne.u32 %p, %r2, 1;\n@%p bra WAIT;\n" READ_NEXT(32))
#define FENCED_WAIT(load) "WAIT_AGAIN:\n" load "setp.ne.u32 %p, %r2, 1;\n@%p bra WAIT_AGAIN;\n"

static void test_releases(void **state)
{
    (void)state;
    const struct expected data = {
        FINDING_RECORD_SHARED_RACE, 32, 0, {10, 20}, {0, 32}, {WRITE, READ}};
    expect_clean(HAND_OVER("st.release.cta.shared.u32 [%b+4092], 1;\n",
                           "ld.acquire.cta.shared.u32 %r2, [%b+4092];\n"),
                 2, 64);
    expect_clean(HAND_OVER("atom.shared.acq_rel.cta.exch.b32 %r3, [%b+4092], 1;\n",
                           "atom.shared.acquire.cta.add.u32 %r2, [%b+4092], 0;\n"),
                 2, 64);
    expect_clean(
        HAND_OVER("membar.cta;\nred.shared.add.u32 [%b+4092], 1;\n",
                  FENCED_WAIT("atom.shared.add.u32 %r2, [%b+4092], 0;\n") "fence.acq_rel.cta;\n"),
        2, 64);
    expect_clean(
        HAND_OVER("membar.gl;\nst.relaxed.cta.shared.u32 [%b+4092], 1;\n",
                  FENCED_WAIT("ld.relaxed.cta.shared.u32 %r2, [%b+4092];\n") "membar.cta;\n"),
        2, 64);
    /* one half of it is not enough */
    expect_one(
        HAND_OVER("red.shared.add.u32 [%b+4092], 1;\n", "atom.shared.add.u32 %r2, [%b+4092], 0;\n"),
        1, 64, &data);
    expect_one(HAND_OVER("membar.cta;\nred.shared.add.u32 [%b+4092], 1;\n",
                         "atom.shared.add.u32 %r2, [%b+4092], 0;\n"),
               1, 64, &data);
    expect_one(HAND_OVER("red.shared.add.u32 [%b+4092], 1;\n",
                         "ld.acquire.cta.shared.u32 %r2, [%b+4092];\n"),
               1, 64, &data);
    /* nor is what is written behind the release ordered */
    expect_one(KERNEL("st.shared.u32 [%b+4092], 0;\nbar.sync 0;\nsetp.ge.u32 %p, %t, 32;\n"
                      "@%p bra WAIT;\nst.release.cta.shared.u32 [%b+4092], 1;\n" WRITE_OWN
                      "bra DONE;\nWAIT:\nld.acquire.cta.shared.u32 %r2, [%b+4092];\n"
                      "setp.ne.u32 %p, %r2, 1;\n@%p bra WAIT;\n" READ_NEXT(32)),
               1, 64, &data);
    /* a lock that all warps take many times: more events than are kept at once */
    expect_clean(KERNEL("st.shared.u32 [%b], 0;\nst.shared.u32 [%b+4], 0;\nbar.sync 0;\n"
                        "and.b32 %r1, %t, 31;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra DONE;\n"
                        "mov.u32 %r4, 0;\nLOCK:\natom.shared.acquire.cta.cas.b32 %r2, [%b], 0, 1;\n"
                        "setp.ne.u32 %q, %r2, 0;\n@%q bra LOCK;\nld.shared.u32 %r3, [%b+4];\n"
                        "add.u32 %r3, %r3, 1;\nst.shared.u32 [%b+4], %r3;\n"
                        "st.release.cta.shared.u32 [%b], 0;\nadd.u32 %r4, %r4, 1;\n"
                        "setp.lt.u32 %q, %r4, 300;\n@%q bra LOCK;\n"),
                 1, 128);
}

/* Compare-and-swap, begun by a plain read. */
#define SWAP                                                                                       \
    ".loc 1 20 5\nld.shared.u32 %r2, [%b];\nAGAIN:\nmov.u32 %r3, %r2;\nadd.u32 %r4, %r3, 1;\n"     \
    ".loc 1 10 5\natom.shared.cas.b32 %r2, [%b], %r3, %r4;\nsetp.ne.u32 %p, %r2, %r3;\n"           \
    "@%p bra AGAIN;\n"

static void test_swaps(void **state)
{
    (void)state;
#define ZERO "st.shared.u32 [%a], 0;\nbar.sync 0;\n"
    expect_clean(KERNEL(ZERO SWAP), 2, 128);
    /* some threads see that they have nothing to do */
    expect_clean(KERNEL(ZERO "mov.u32 %r5, 5;\n.loc 1 20 5\nld.shared.u32 %r2, [%b];\n"
                             "setp.ge.u32 %q, %t, 40;\n@%q bra DONE;\n"
                             "atom.shared.cas.b32 %r2, [%b], %r2, %r5;\n"),
                 2, 128);
    /* a read of the result is not part of it, nor is a plain write */
    const struct expected late = {
        FINDING_RECORD_SHARED_RACE, 1, 0, {10, 30}, {0, 32}, {ATOMIC, READ}};
    expect_one(KERNEL(ZERO SWAP ".loc 1 30 5\nld.shared.u32 %v, [%b];\n"), 1, 128, &late);
    const struct expected add = {
        FINDING_RECORD_SHARED_RACE, 1, 0, {20, 30}, {0, 32}, {READ, ATOMIC}};
    expect_one(KERNEL(ZERO ".loc 1 20 5\nld.shared.u32 %r2, [%b];\n"
                           ".loc 1 30 5\nred.shared.add.u32 [%b], 1;\n"),
               1, 128, &add);
#undef ZERO
}

static void test_same_value(void **state)
{
    (void)state;
    expect_clean(KERNEL(".loc 1 10 5\nst.shared.u32 [%b], 7;\n"), 2, 128);
    expect_clean(
        KERNEL(".loc 1 10 5\nst.shared.u32 [%b], 7;\n.loc 1 20 5\nst.shared.u8 [%b+1], 0;\n"), 1,
        64);
    const struct expected differs = {
        FINDING_RECORD_SHARED_RACE, 2, 0, {10, 10}, {0, 32}, {WRITE, WRITE}};
    expect_one(KERNEL(".loc 1 10 5\nst.shared.u32 [%b], %t;\n"), 2, 128, &differs);
    const struct expected warp = {FINDING_RECORD_WARP_RACE, 1, 0, {10, 10}, {0, 1}, {WRITE, WRITE}};
    expect_one(KERNEL(".loc 1 10 5\nst.shared.u32 [%b], %t;\n"), 1, 32, &warp);
    /* the same lane stores twice; the second value is that of the others */
    const struct expected twice = {
        FINDING_RECORD_WARP_RACE, 1, 0, {10, 20}, {0, 1}, {WRITE, WRITE}};
    expect_one(KERNEL("setp.eq.u32 %p, %t, 0;\n.loc 1 10 5\n@%p st.shared.u32 [%b], 1;\n"
                      ".loc 1 20 5\nst.shared.u32 [%b], 2;\n"),
               1, 32, &twice);
    /* blocks differ: in the first one the values are equal */
    struct run run = run_kernel(KERNEL("mov.u32 %r1, %ctaid.x;\nmul.lo.u32 %r1, %r1, %t;\n"
                                       ".loc 1 10 5\nst.shared.u32 [%b], %r1;\n"),
                                3, 64);
    const struct finding_record *record = fixture_finding(&run.result, FINDING_RECORD_SHARED_RACE);
    assert_int_equal(record->count, 2);
    assert_int_equal(record->places[0].block[0], 1);
    device_close(run.device);
}

static void test_partial_barriers(void **state)
{
    (void)state;
    /* the first warp produces and arrives, the second one waits */
#define PRODUCE                                                                                    \
    "setp.ge.u32 %p, %t, 32;\n@%p bra CONSUME;\n" WRITE_OWN "bar.arrive 3, 64;\nbra DONE;\n"       \
    "CONSUME:\n"
    expect_clean(KERNEL(PRODUCE "bar.sync 3, 64;\nsub.u32 %r1, %t, 32;\nmad.lo.u32 %r1, %r1, 4, "
                                "%b;\nld.shared.u32 %v, [%r1];\n"),
                 2, 64);
    /* a third warp reads too, and has waited for nothing */
    const struct expected third = {
        FINDING_RECORD_SHARED_RACE, 32, 0, {10, 20}, {0, 64}, {WRITE, READ}};
    expect_one(KERNEL(PRODUCE "setp.ge.u32 %q, %t, 64;\n@%q bra LOAD;\nbar.sync 3, 64;\nLOAD:\n"
                              "and.b32 %r1, %t, 31;\nmad.lo.u32 %r1, %r1, 4, %b;\n"
                              ".loc 1 20 5\nld.shared.u32 %v, [%r1];\n"),
               1, 96, &third);
    /* who arrives is not behind the others: it may not read what they wrote */
    const struct expected arrives = {
        FINDING_RECORD_SHARED_RACE, 32, 0, {20, 10}, {0, 32}, {READ, WRITE}};
    expect_one(KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra CONSUME;\nbar.arrive 3, 64;\n"
                      ".loc 1 20 5\nld.shared.u32 %v, [%a];\nbra DONE;\n"
                      "CONSUME:\nsub.u32 %r1, %t, 32;\nmad.lo.u32 %r1, %r1, 4, %b;\n"
                      ".loc 1 10 5\nst.shared.u32 [%r1], %t;\nbar.sync 3, 64;\n"),
               1, 64, &arrives);
    /* nor is what it does after it has arrived before what they do */
    const struct expected hasty = {
        FINDING_RECORD_SHARED_RACE, 32, 0, {10, 20}, {0, 32}, {WRITE, READ}};
    expect_one(KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra CONSUME;\nbar.arrive 3, 64;\n" WRITE_OWN
                      "bra DONE;\nCONSUME:\nbar.sync 3, 64;\n" READ_NEXT(32)),
               1, 64, &hasty);
    /* through two barriers: warp 0 to 1, warp 1 to 2 */
    expect_clean(KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra ONE;\n" WRITE_OWN "bar.sync 1, 64;\n"
                        "bra DONE;\nONE:\nsetp.ge.u32 %p, %t, 64;\n@%p bra TWO;\n"
                        "bar.sync 1, 64;\nbar.sync 2, 64;\nbra DONE;\n"
                        "TWO:\nbar.sync 2, 64;\nsub.u32 %r1, %t, 64;\nmad.lo.u32 %r1, %r1, 4, %b;\n"
                        "ld.shared.u32 %v, [%r1];\n"),
                 2, 96);
    /* a barrier with a count that is the whole block */
    expect_clean(KERNEL(WRITE_OWN "bar.sync 5, 128;\n" READ_NEXT(32)), 1, 128);
    expect_clean(
        KERNEL(WRITE_OWN "setp.lt.u32 %p, %t, 5;\nbar.red.popc.u32 %r2, 0, %p;\n" READ_NEXT(32)), 1,
        128);
#undef PRODUCE
}

static void test_uninitialised(void **state)
{
    (void)state;
    const struct expected all = {
        FINDING_RECORD_SHARED_UNINITIALISED, 2 * 64, 0, {20}, {63}, {READ}};
    expect_one(KERNEL(READ_NEXT(1)), 2, 64, &all);
    /* the upper half of each word */
    const struct expected half = {FINDING_RECORD_SHARED_UNINITIALISED, 64, 2, {20}, {0}, {READ}};
    expect_one(KERNEL("mov.u16 %h1, 1;\nst.shared.u16 [%a], %h1;\nbar.sync 0;\n"
                      ".loc 1 20 5\nld.shared.u32 %v, [%a];\n"),
               1, 64, &half);
    /* read before the own write, in the same interval */
    const struct expected early = {FINDING_RECORD_SHARED_UNINITIALISED, 64, 0, {20}, {0}, {READ}};
    expect_one(KERNEL(".loc 1 20 5\nld.shared.u32 %v, [%a];\n" WRITE_OWN), 1, 64, &early);
    expect_clean(KERNEL(WRITE_OWN ".loc 1 20 5\nld.shared.u32 %v, [%a];\n"), 1, 64);
    /* behind a sync of the warp: what a lane wrote before it is set, what it writes later is not */
    expect_clean(KERNEL(WRITE_OWN "bar.warp.sync -1;\n" READ_NEXT(1)), 1, 32);
    const struct expected late = {FINDING_RECORD_SHARED_UNINITIALISED, 32, 0, {20}, {31}, {READ}};
    expect_one(KERNEL(READ_NEXT(1) "bar.warp.sync -1;\n" WRITE_OWN), 1, 32, &late);
    /* a block that has written says nothing about the next one */
    struct run run = run_kernel(
        KERNEL("mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p, %r1, 0;\n@%p st.shared.u32 [%a], 1;\n"
               "bar.sync 0;\n.loc 1 20 5\nld.shared.u32 %v, [%a];\n"),
        2, 64);
    assert_int_equal(run.result.finding_count, 1);
    assert_int_equal(run.result.findings[0].places[0].block[0], 1);
    device_close(run.device);
}

/* What nobody wrote is a finding where something depends on it. */
static void test_uninitialised_but_unused(void **state)
{
    /* %r2 is what thread t reads where nobody wrote; %r3 is 7 */
#define PAST ".loc 1 20 5\nld.shared.u32 %r2, [%a];\nmov.u32 %r3, 7;\n"
    static const char *const unused[] = {
        KERNEL(PAST),
        KERNEL(PAST "add.u32 %r4, %r2, 1;\nmov.u32 %v, %r3;\n"),
        KERNEL(PAST "mov.u32 %v, %r2;\nmov.u32 %v, %r3;\n"),
        /* selected away, as 32 and as 64 bits, half of them written */
        KERNEL(PAST "setp.lt.u32 %p, %t, 64;\nselp.b32 %v, %r3, %r2, %p;\n"),
        KERNEL(PAST "setp.ge.u32 %p, %t, 64;\nselp.b32 %v, %r2, %r3, %p;\n"),
        KERNEL("mad.lo.u32 %a, %t, 8, %b;\n.loc 1 20 5\nld.shared.u64 %rd1, [%a];\n"
               "mov.u64 %rd2, 7;\nsetp.lt.u32 %p, %t, 64;\nselp.b64 %rd3, %rd2, %rd1, %p;\n"
               "cvt.u32.u64 %v, %rd3;\n"),
        KERNEL("mad.lo.u32 %a, %t, 8, %b;\nst.shared.u32 [%a+4], 1;\nbar.sync 0;\n"
               ".loc 1 20 5\nld.shared.u64 %rd1, [%a];\n"
               "mov.u64 %rd2, 7;\nsetp.lt.u32 %p, %t, 64;\nselp.b64 %rd3, %rd2, %rd1, %p;\n"
               "cvt.u32.u64 %v, %rd3;\n"),
        /* compared, where the other half of the condition decides */
        KERNEL(PAST "setp.lt.u32 %p, %r2, 5;\nsetp.ge.u32 %q, %t, 64;\nand.pred %p, %p, %q;\n"
                    "@%p mov.u32 %v, 3;\n"),
        KERNEL(PAST "setp.lt.u32 %p, %r2, 5;\nsetp.lt.u32 %q, %t, 64;\nor.pred %p, %p, %q;\n"
                    "@!%p bra DONE;\nmov.u32 %v, 3;\n"),
        /* copied in shared memory, and read back by the upper half, which drops it */
        KERNEL(PAST "st.shared.u32 [%a+2048], %r2;\nbar.sync 0;\nld.shared.u32 %r4, [%a+2048];\n"
                    "setp.lt.u32 %p, %t, 64;\nselp.b32 %v, %r3, %r4, %p;\n"),
        /* carried through a loop, and dropped */
        KERNEL(PAST "mov.u32 %r5, 0;\nAGAIN:\nadd.u32 %r2, %r2, 1;\nadd.u32 %r5, %r5, 1;\n"
                    "setp.lt.u32 %p, %r5, 400;\n@%p bra AGAIN;\nmov.u32 %v, %r5;\n"),
    };
    static const char *const used[] = {
        /* 64 bits of which the upper half was not written */
        KERNEL("mad.lo.u32 %a, %t, 8, %b;\nst.shared.u32 [%a], 1;\nbar.sync 0;\n"
               ".loc 1 20 5\nld.shared.u64 %rd1, [%a];\nshr.u64 %rd1, %rd1, 32;\n"
               "cvt.u32.u64 %v, %rd1;\n"),
        KERNEL(PAST "add.u32 %v, %r2, 1;\n"),
        KERNEL(PAST "setp.ge.u32 %p, %t, 63;\nselp.b32 %v, %r2, %r3, %p;\n"),
        KERNEL(PAST "setp.lt.u32 %p, %r2, 5;\n@%p mov.u32 %v, 3;\n"),
        KERNEL(PAST "setp.lt.u32 %p, %r2, 5;\n@%p bra DONE;\nmov.u32 %v, 3;\n"),
        KERNEL(PAST "setp.lt.u32 %p, %r2, 5;\nsetp.lt.u32 %q, %t, 64;\nand.pred %p, %p, %q;\n"
                    "@%p bra DONE;\n"),
        KERNEL(PAST "and.b32 %r2, %r2, 4;\nadd.u32 %r2, %r2, %b;\nld.shared.u32 %r4, [%r2];\n"),
        KERNEL(PAST "st.shared.u32 [%a+2048], %r2;\nbar.sync 0;\nld.shared.u32 %v, [%a+2048];\n"),
        KERNEL(PAST "st.shared.u32 [%a+2048], %r2;\nld.shared.u8 %r4, [%a+2048];\n"),
        KERNEL(PAST "add.u32 %r2, %r2, 1;\nst.shared.u32 [%a+2048], %r2;\n"),
        KERNEL(PAST "shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1;\n"),
        KERNEL(PAST "atom.shared.add.u32 %r4, [%a+2048], %r2;\n"),
        KERNEL(PAST "bar.sync 0;\nmov.u32 %r5, 0;\nAGAIN:\nadd.u32 %r2, %r2, 1;\n"
                    "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p, %r5, 400;\n@%p bra AGAIN;\n"
                    "mov.u32 %v, %r2;\n"),
    };
#undef PAST
    (void)state;
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) {
        expect_clean(unused[i], 3, 64);
    }
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        struct run run = run_kernel(used[i], 3, 64);
        const struct finding_record *record =
            fixture_finding(&run.result, FINDING_RECORD_SHARED_UNINITIALISED);
        assert_int_equal(record->place_count, 1);
        device_close(run.device);
    }
}

/* More accesses between two barriers than the log holds, and more syncs of warps than are kept. */
static void test_long_intervals(void **state)
{
    (void)state;
#define LOOP(times, body)                                                                          \
    "mov.u32 %r9, 0;\nLOOP:\n" body "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p, %r9, " #times ";\n"     \
    "@%p bra LOOP;\n"
    expect_clean(KERNEL(WRITE_OWN "bar.sync 0;\n" LOOP(40000, READ_NEXT(32))), 1, 64);
    const struct expected late = {
        FINDING_RECORD_SHARED_RACE, 64, 0, {20, 10}, {32, 0}, {READ, WRITE}};
    const struct expected early = {
        FINDING_RECORD_SHARED_RACE, 64, 0, {10, 20}, {0, 32}, {WRITE, READ}};
    expect_one(KERNEL("st.shared.u32 [%a], 1;\nbar.sync 0;\n" LOOP(40000, READ_NEXT(32)) WRITE_OWN),
               1, 64, &late);
    expect_one(KERNEL("st.shared.u32 [%a], 1;\nbar.sync 0;\n" WRITE_OWN LOOP(40000, READ_NEXT(32))),
               1, 64, &early);
    /* each warp for itself, always behind a sync */
    static const char synced[] =
        KERNEL("and.b32 %r1, %t, 32;\nadd.u32 %r2, %t, 1;\nand.b32 %r2, %r2, 31;\n"
               "or.b32 %r1, %r1, %r2;\nmad.lo.u32 %r1, %r1, 4, %b;\n" LOOP(
                   6000, WRITE_OWN "bar.warp.sync -1;\n.loc 1 20 5\nld.shared.u32 %v, [%r1];\n"
                                   "bar.warp.sync -1;\n"));
    expect_clean(synced, 1, 64);
    static const char half_synced[] =
        KERNEL("and.b32 %r1, %t, 32;\nadd.u32 %r2, %t, 1;\nand.b32 %r2, %r2, 31;\n"
               "or.b32 %r1, %r1, %r2;\nmad.lo.u32 %r1, %r1, 4, %b;\n" LOOP(
                   6000, WRITE_OWN "bar.warp.sync -1;\n.loc 1 20 5\nld.shared.u32 %v, [%r1];\n"));
    const struct expected round = {
        FINDING_RECORD_WARP_RACE, 64, 0, {10, 20}, {0, 31}, {WRITE, READ}};
    expect_one(half_synced, 1, 64, &round);
#undef LOOP
}

/* A barrier in a loop; the second one of a tiled product missing. */
#define ROUNDS(after_load, after_use)                                                              \
    KERNEL("mov.u32 %r9, 0;\nLOOP:\nadd.u32 %r8, %r9, %t;\n"                                       \
           ".loc 1 10 5\nst.shared.u32 [%a], %r8;\n" after_load READ_NEXT(32) after_use            \
           "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p, %r9, 10;\n@%p bra LOOP;\n")

static void test_rounds(void **state)
{
    (void)state;
    expect_clean(ROUNDS("bar.sync 0;\n", "bar.sync 0;\n"), 2, 128);
    /* 10 rounds: without the first barrier, each interval; without the second, all but the first
     * write and the last read */
    const struct expected first = {
        FINDING_RECORD_SHARED_RACE, 10 * 128, 0, {10, 20}, {0, 96}, {WRITE, READ}};
    expect_one(ROUNDS("", "bar.sync 0;\n"), 1, 128, &first);
    const struct expected second = {
        FINDING_RECORD_SHARED_RACE, 9 * 128, 0, {10, 20}, {0, 96}, {WRITE, READ}};
    expect_one(ROUNDS("bar.sync 0;\n", ""), 1, 128, &second);
}

/* The counts of a barrier at its line. */
static void expect_needed(const struct run *run, uint32_t line, uint64_t passed, uint64_t needed)
{
    for (size_t i = 0; i < run->result.count_count; i++) {
        const struct count_record *record = &run->result.counts[i];
        if (record->kind == COUNT_RECORD_BARRIER && record->line == line) {
            assert_int_equal(record->passed, passed);
            assert_int_equal(record->needed, needed);
            return;
        }
    }
    fail_msg("no barrier at line %u", line);
}

static void test_needed_barriers(void **state)
{
    (void)state;
    struct run run =
        run_kernel(ROUNDS(".loc 1 11 5\nbar.sync 0;\n", ".loc 1 21 5\nbar.sync 0;\n"), 2, 128);
    expect_needed(&run, 11, 20, 20);
    expect_needed(&run, 21, 20, 18);
    device_close(run.device);
    /* nothing is shared across the second one; of two in a row the last one is needed */
    run = run_kernel(
        KERNEL(WRITE_OWN ".loc 1 11 5\nbar.sync 0;\n.loc 1 12 5\nbar.sync 0;\n" READ_NEXT(
            32) ".loc 1 21 5\nbar.sync 0;\n" READ_NEXT(32)),
        3, 128);
    expect_needed(&run, 11, 3, 0);
    expect_needed(&run, 12, 3, 3);
    expect_needed(&run, 21, 3, 0);
    device_close(run.device);
    /* what gives a result is of use without any access */
    run = run_kernel(KERNEL(WRITE_OWN "setp.lt.u32 %p, %t, 9;\n.loc 1 11 5\n"
                                      "bar.red.popc.u32 %r9, 0, %p;\n"),
                     1, 128);
    expect_needed(&run, 11, 0, 0);
    device_close(run.device);
}

static void test_barrier_findings(void **state)
{
    (void)state;
    static const char arms[] =
        KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra HIGH;\n.loc 1 5 1\nbar.sync 0;\nbra DONE;\n"
               "HIGH:\n.loc 1 7 1\nbar.sync 0;\n");
    struct run run = run_kernel(arms, 2, 96);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 1);
    const struct finding_record *record =
        fixture_finding(&run.result, FINDING_RECORD_BARRIER_MISMATCH);
    assert_int_equal(record->count, 2 * 64);
    assert_int_equal(record->places[0].line, 5);
    assert_int_equal(record->places[1].line, 7);
    assert_int_equal(record->places[1].thread[0], 32);
    device_close(run.device);
    /* five groups wait at five barriers; a record holds four places */
    run = run_kernel(KERNEL("shr.u32 %r1, %t, 5;\n.loc 1 3 1\nsetp.eq.u32 %p, %r1, 1;\n"
                            "@%p bra ONE;\nsetp.eq.u32 %p, %r1, 2;\n@%p bra TWO;\n"
                            "setp.eq.u32 %p, %r1, 3;\n@%p bra THREE;\nsetp.eq.u32 %p, %r1, 4;\n"
                            "@%p bra FOUR;\n.loc 1 4 1\nbar.sync 0;\nbra DONE;\n"
                            "FOUR:\n.loc 1 8 1\nbar.sync 4;\nbra DONE;\n"
                            "THREE:\n.loc 1 7 1\nbar.sync 3;\nbra DONE;\n"
                            "TWO:\n.loc 1 6 1\nbar.sync 2;\nbra DONE;\n"
                            "ONE:\n.loc 1 5 1\nbar.sync 1;\n"),
                     1, 160);
    assert_int_equal(run.result.status, LAUNCH_FAULT);
    record = fixture_finding(&run.result, FINDING_RECORD_BARRIER_DEADLOCK);
    assert_int_equal(record->count, 160);
    assert_int_equal(record->place_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(record->places[i].line, 4 + i);
        assert_int_equal(record->places[i].thread[0], 32 * i);
    }
    device_close(run.device);
    /* halves of a warp that wait for themselves do not let each other go */
    expect_clean(KERNEL("setp.ge.u32 %p, %t, 16;\n@%p bra HIGH;\nbar.warp.sync 0xffff;\nbra DONE;\n"
                        "HIGH:\nbar.warp.sync 0xffff0000;\n"),
                 1, 32);
}

static const char two_tiles[] = PTX_HEAD
    ".file 1 \"tiles.cu\"\n.visible .entry k(.param .u64 out)\n{\n"
    ".reg .b32 %t, %a, %c, %v, %i, %s;\n.reg .b64 %o, %g, %w;\n.reg .pred %p;\n"
    ".shared .align 4 .b8 first[128];\n.shared .align 4 .b8 second[128];\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %a, first;\nmad.lo.u32 %a, %t, 4, %a;\n"
    "st.shared.u32 [%a], %t;\nmov.u32 %c, second;\nshl.b32 %i, %t, 2;\nadd.s32 %c, %c, %i;\n"
    "st.shared.u32 [%c], %t;\nbar.sync 0;\n"
    ".loc 1 7 3\nld.shared.u32 %v, [%a+4];\n" /* lane 31 reads second[0] */
    "setp.eq.u32 %p, %t, 3;\nselp.b32 %s, %a, %c, %p;\n.loc 1 8 3\nld.shared.u32 %v, [%s];\n"
    "cvt.u64.u32 %w, %c;\ncvta.shared.u64 %g, %w;\n.loc 1 9 3\nld.u32 %v, [%g+-4];\n"
    "ret;\n}\n";

static void test_static_tiles(void **state)
{
    (void)state;
    struct run run = run_kernel(two_tiles, 2, 32);
    assert_int_equal(run.result.finding_count, 2);
    const struct finding_record *behind = &run.result.findings[1];
    const struct finding_record *before = &run.result.findings[0];
    assert_int_equal(behind->kind, FINDING_RECORD_SHARED_OUT_OF_BOUNDS);
    assert_int_equal(behind->count, 2);
    assert_int_equal(behind->places[0].line, 7);
    assert_int_equal(behind->places[0].thread[0], 31);
    assert_int_equal(behind->distance_bytes, 0);
    assert_int_equal(behind->object_bytes, 128);
    assert_string_equal(behind->text, "first");
    assert_int_equal(before->places[0].line, 9);
    assert_int_equal(before->places[0].thread[0], 0);
    assert_int_equal(before->distance_bytes, -4);
    assert_string_equal(before->text, "second");
    device_close(run.device);
}

/* Findings do not depend on the order of warps and blocks, nor on the number of host threads. */
static void test_shuffled(void **state)
{
    (void)state;
    static const char *const kernels[] = {
        KERNEL(WRITE_OWN READ_NEXT(1)),
        KERNEL(WRITE_OWN
               "bar.warp.sync -1;\n" READ_NEXT(33) "bar.sync 0;\n" WRITE_OWN READ_NEXT(2)),
        KERNEL(READ_NEXT(1) ".loc 1 12 1\nst.shared.u32 [%b+64], %t;\nbar.sync 0;\n" WRITE_OWN),
        KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra CONSUME;\n" WRITE_OWN "bar.arrive 3, 64;\n"
               "bra DONE;\nCONSUME:\nsetp.ge.u32 %q, %t, 64;\n@%q bra LOAD;\nbar.sync 3, 64;\n"
               "LOAD:\n" READ_NEXT(40)),
        ROUNDS("", "bar.sync 0;\n"),
        ROUNDS("bar.sync 0;\n", ""),
        two_tiles,
    };
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        struct run plain = run_kernel(kernels[i], 37, 96);
        assert_int_not_equal(plain.result.finding_count, 0);
        for (uint64_t seed = 0; seed < 12; seed++) {
            const struct device_config config = {.shuffle_seed = seed,
                                                 .threads = seed % 3 == 0 ? 3 : 1};
            struct run run = run_with(kernels[i], 37, 96, config);
            assert_int_equal(run.result.finding_count, plain.result.finding_count);
            assert_memory_equal(run.result.findings, plain.result.findings,
                                plain.result.finding_count * sizeof *plain.result.findings);
            device_close(run.device);
        }
        device_close(plain.device);
    }
}

static void test_unwatched(void **state)
{
    (void)state;
    struct run run = run_with(KERNEL(WRITE_OWN READ_NEXT(32)), 2, 128,
                              (struct device_config){.is_unwatched = true});
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 0);
    assert_int_equal(run.result.count_count, 0);
    device_close(run.device);
}

/* Addresses that change from request to request, more of them than shapes are kept for. */
static void test_scattered(void **state)
{
    (void)state;
#define SCATTER(times, access)                                                                     \
    "mov.u32 %r9, 0;\nLOOP:\nmad.lo.u32 %r7, %r9, 2654435761, %t;\nmul.lo.u32 %r7, %r7, 40503;\n"  \
    "mul.lo.u32 %r7, %r7, %r7;\nshr.u32 %r7, %r7, 12;\nand.b32 %r7, %r7, 1023;\n"                  \
    "mad.lo.u32 %r7, %r7, 4, %b;\n" access "add.u32 %r9, %r9, 1;\n"                                \
    "setp.lt.u32 %p, %r9, " #times ";\n@%p bra LOOP;\n"
#define FILL                                                                                       \
    "mov.u32 %r9, 0;\nFILL:\nmad.lo.u32 %r7, %r9, 256, %a;\nst.shared.u32 [%r7], 0;\n"             \
    "add.u32 %r9, %r9, 1;\nsetp.lt.u32 %p, %r9, 16;\n@%p bra FILL;\nbar.sync 0;\n"
    expect_clean(KERNEL(FILL SCATTER(10000, "red.shared.add.u32 [%r7], 1;\n")), 1, 64);
    struct run run = run_kernel(
        KERNEL(FILL SCATTER(10000, ".loc 1 10 5\nld.shared.u32 %v, [%r7];\n") WRITE_OWN), 1, 64);
    const struct finding_record *record = fixture_finding(&run.result, FINDING_RECORD_SHARED_RACE);
    assert_int_equal(record->count, 64);
    assert_int_equal(record->address, 0);
    device_close(run.device);
#undef SCATTER
#undef FILL
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_barrier),
        cmocka_unit_test(test_within_a_warp),
        cmocka_unit_test(test_warp_sync_masks),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_same_value),
        cmocka_unit_test(test_partial_barriers),
        cmocka_unit_test(test_uninitialised),
        cmocka_unit_test(test_uninitialised_but_unused),
        cmocka_unit_test(test_long_intervals),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_needed_barriers),
        cmocka_unit_test(test_barrier_findings),
        cmocka_unit_test(test_static_tiles),
        cmocka_unit_test(test_shuffled),
        cmocka_unit_test(test_unwatched),
        cmocka_unit_test(test_scattered),
        cmocka_unit_test(test_releases),
        cmocka_unit_test(test_swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
