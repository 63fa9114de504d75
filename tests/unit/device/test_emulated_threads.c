/* test_emulated_threads.c: barriers, divergence, deadlocks, endless loops, lanes that exchange. */
#include "device/emulated/machine.h"
#include "emulated_fixture.h"

#include <stdlib.h>

#define SECOND UINT64_C(1000000000)

/* A kernel with out[tid] = %v at its end. */
#define KERNEL(body)                                                                               \
    PTX_HEAD ".file 1 \"kernel.cu\"\n"                                                             \
             ".global .align 4 .u32 lock;\n.global .align 4 .u32 total;\n"                         \
             ".visible .entry k(.param .u64 out)\n{\n"                                             \
             ".reg .b64 %o, %at, %rd<8>;\n.reg .b32 %t, %v, %n, %r<16>;\n.reg .pred %p, %q;\n"     \
             ".shared .align 4 .b8 tile[4096];\n"                                                  \
             "ld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\nmov.u32 %v, 0;\n" body                 \
             "\nDONE:\nmov.u32 %n, %ctaid.x;\nmov.u32 %r15, %ntid.x;\n"                            \
             "mad.lo.u32 %n, %n, %r15, %t;\nmul.wide.u32 %at, %n, 4;\nadd.s64 %at, %o, %at;\n"     \
             "st.global.u32 [%at], %v;\nret;\n}\n"

enum { OUT_MAX = 4096 };

struct run {
    struct device_launch_result result;
    uint32_t out[OUT_MAX];
    struct device *device;
};

/* Runs a kernel on a device of its own; the caller closes run->device. */
static void run_kernel(struct run *run, const char *ptx, uint32_t blocks, uint32_t threads,
                       uint32_t host_threads)
{
    run->device = fixture_open(host_threads, 1000 * SECOND);
    uint32_t module = fixture_load(run->device, ptx);
    uint64_t out = fixture_allocate(run->device, sizeof run->out);
    run->result = fixture_launch(run->device, module, blocks, threads, &out);
    assert_true(device_read(run->device, out, run->out, sizeof run->out));
}

/* Each thread reads what its neighbour in the next warp wrote before the barrier. */
static void test_barrier(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("mov.u32 %r1, tile;\nmad.lo.u32 %r2, %t, 4, %r1;\nst.shared.u32 [%r2], %t;\n"
                      "bar.sync 0;\nadd.u32 %r3, %t, 40;\nrem.u32 %r3, %r3, 128;\n"
                      "mad.lo.u32 %r2, %r3, 4, %r1;\nld.shared.u32 %v, [%r2];\n"),
               3, 128, 2);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 0);
    assert_int_equal(run.result.counters.barriers, 12);
    for (uint32_t i = 0; i < 3 * 128; i++) {
        assert_int_equal(run.out[i], (i % 128 + 40) % 128);
    }
    device_close(run.device);
}

static void test_barrier_with_exited_threads(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("setp.ge.u32 %p, %t, 40;\n@%p bra DONE;\nbar.sync 0;\nmov.u32 %v, 5;\n"), 1,
               96, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.out[39], 5);
    assert_int_equal(run.out[40], 0);
    /* lanes 8 to 31 of the second warp store a zero while the others wait: they skip the barrier */
    const struct finding_record *record =
        fixture_finding(&run.result, FINDING_RECORD_BARRIER_DIVERGENT);
    assert_int_equal(record->places[0].thread[0], 32);
    assert_int_equal(record->count, 24);
    /* they and the third warp have exited by then */
    assert_int_equal(run.result.finding_count, 2);
    record = fixture_finding(&run.result, FINDING_RECORD_BARRIER_INCOMPLETE);
    assert_int_equal(record->count, 56);
    device_close(run.device);

    run_kernel(&run, KERNEL("setp.ge.u32 %p, %t, 40;\n@%p exit;\nbar.sync 0;\nmov.u32 %v, 5;\n"), 1,
               96, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 1);
    record = fixture_finding(&run.result, FINDING_RECORD_BARRIER_INCOMPLETE);
    assert_int_equal(record->count, 56);
    assert_int_equal(record->place_count, 2);
    assert_int_equal(record->places[0].access, FINDING_RECORD_WAIT);
    assert_int_equal(record->places[0].thread[0], 0);
    assert_int_equal(record->places[1].access, FINDING_RECORD_NO_ACCESS);
    assert_int_equal(record->places[1].thread[0], 40);
    assert_int_equal(run.out[39], 5);
    device_close(run.device);
}

/* Each half of a warp waits at a barrier of its own line; the barrier completes all the same. */
static void test_divergent_barrier(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("and.b32 %r1, %t, 1;\nsetp.eq.u32 %p, %r1, 0;\n@%p bra EVEN;\n"
                      ".loc 1 8 3\nbar.sync 0;\nmov.u32 %v, 1;\nbra DONE;\n"
                      "EVEN:\n.loc 1 12 3\nbar.sync 0;\nmov.u32 %v, 2;\n"),
               1, 64, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.out[0], 2);
    assert_int_equal(run.out[63], 1);
    const struct finding_record *record =
        fixture_finding(&run.result, FINDING_RECORD_BARRIER_DIVERGENT);
    assert_int_equal(run.result.finding_count, 1);
    assert_int_equal(record->place_count, 2);
    assert_int_equal(record->places[0].line, 8);
    assert_int_equal(record->places[0].thread[0], 1);
    assert_int_equal(record->places[1].line, 12);
    assert_int_equal(record->places[1].thread[0], 0);
    assert_int_equal(record->places[0].access, FINDING_RECORD_WAIT);
    device_close(run.device);
}

/* The first warp waits at barrier 1, the second one at barrier 2. */
static void test_deadlock(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra HIGH;\n.loc 1 5 1\nbar.sync 1;\nbra DONE;\n"
                      "HIGH:\n.loc 1 7 1\nbar.sync 2;\n"),
               2, 64, 2);
    assert_int_equal(run.result.status, LAUNCH_FAULT);
    assert_int_equal(run.result.finding_count, 1);
    const struct finding_record *record =
        fixture_finding(&run.result, FINDING_RECORD_BARRIER_DEADLOCK);
    assert_int_equal(record->place_count, 2);
    assert_int_equal(record->places[0].line, 5);
    assert_int_equal(record->places[0].thread[0], 0);
    assert_int_equal(record->places[1].line, 7);
    assert_int_equal(record->places[1].thread[0], 32);
    assert_int_equal(record->count, 2 * 64);
    device_close(run.device);
}

/* Producers arrive, consumers wait: bar.arrive and bar.sync with counts; bar.red. */
static void test_named_barriers(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("setp.ge.u32 %p, %t, 32;\n@%p bra CONSUME;\nmov.u32 %r1, tile;\n"
                      "mad.lo.u32 %r2, %t, 4, %r1;\nmul.lo.u32 %r3, %t, 3;\n"
                      "st.shared.u32 [%r2], %r3;\nbar.arrive 3, 64;\nbra DONE;\n"
                      "CONSUME:\nbar.sync 3, 64;\nmov.u32 %r1, tile;\nsub.u32 %r4, %t, 32;\n"
                      "mad.lo.u32 %r2, %r4, 4, %r1;\nld.shared.u32 %v, [%r2];\n"),
               1, 64, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 0);
    assert_int_equal(run.out[63], 31 * 3);
    device_close(run.device);

    run_kernel(&run,
               KERNEL("setp.lt.u32 %p, %t, 37;\nbar.red.popc.u32 %v, 0, %p;\n"
                      "bar.red.and.pred %q, 0, %p;\n@%q add.u32 %v, %v, 1000;\n"
                      "bar.red.or.pred %q, 0, %p;\n@%q add.u32 %v, %v, 2000;\n"),
               1, 64, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.out[0], 2037);
    assert_int_equal(run.out[63], 2037);
    device_close(run.device);
}

/* Every lane loops a different number of times, with a branch inside. */
static void test_divergent_loop(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("mov.u32 %r1, 0;\nLOOP:\nsetp.ge.u32 %p, %r1, %t;\n@%p bra DONE;\n"
                      "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %q, %r2, 0;\n@%q bra SKIP;\n"
                      "add.u32 %v, %v, %r1;\nSKIP:\nadd.u32 %r1, %r1, 1;\nbra LOOP;\n"),
               1, 70, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    uint64_t lane_instructions = 0;
    for (uint32_t t = 0; t < 70; t++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < t; i++) {
            sum += i % 2 == 1 ? i : 0;
        }
        assert_int_equal(run.out[t], sum);
        /* 4 before the loop, 2 at its end, 7 each time around and 1 more when odd, 7 after it; a
         * branch that is not taken does not count */
        lane_instructions += 4 + 1 + 1 + 7;
        for (uint32_t i = 0; i < t; i++) {
            lane_instructions += 1 + 2 + 2 + (i % 2 == 1 ? 1 : 1);
        }
    }
    assert_int_equal(run.result.counters.lane_instructions, lane_instructions);
    device_close(run.device);
}

/* A lock that lanes of one warp fight for: the winner must get its turn. */
static void test_spin_lock_in_a_warp(void **state)
{
    (void)state;
    struct run run;
    run_kernel(
        &run,
        KERNEL("AGAIN:\natom.global.cas.b32 %r1, [lock], 0, 1;\nsetp.ne.u32 %p, %r1, 0;\n"
               "@%p bra AGAIN;\nld.volatile.global.u32 %v, [total];\nadd.u32 %v, %v, 1;\n"
               "st.volatile.global.u32 [total], %v;\natom.global.exch.b32 %r1, [lock], 0;\n"),
        2, 48, 4);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    bool seen[97] = {false};
    for (uint32_t i = 0; i < 96; i++) {
        assert_in_range(run.out[i], 1, 96);
        assert_false(seen[run.out[i]]);
        seen[run.out[i]] = true;
    }
    device_close(run.device);
}

/* Block 0 waits for block 1: blocks in order must take turns. */
static void test_block_waits_for_a_later_one(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra SET;\n"
                      "WAIT:\nld.volatile.global.u32 %v, [total];\nsetp.eq.u32 %q, %v, 0;\n"
                      "@%q bra WAIT;\nbra DONE;\nSET:\nmov.u32 %r2, 9;\n"
                      "st.volatile.global.u32 [total], %r2;\n"),
               2, 32, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.out[0], 9);
    device_close(run.device);
}

static void test_endless_loop(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, SECOND / 10);
    uint32_t module = fixture_load(device, KERNEL("EVER:\nadd.u32 %v, %v, 1;\nbra EVER;\n"));
    uint64_t out = fixture_allocate(device, 4096);
    struct device_launch_result result = fixture_launch(device, module, 64, 64, &out);
    assert_int_equal(result.status, LAUNCH_DEADLINE);
    device_close(device);
}

/* A register holds poison until it is written, as wide as it is, in a later block too. */
static void test_unwritten_registers(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t expected;
    } rows[] = {
        {".reg .f32 %s;\nmov.b32 %v, %s;\n", 0x7ff87ff8},
        {".reg .b16 %s;\ncvt.u32.u16 %v, %s;\n", 0x7ff8},
        {".reg .b64 %s;\nshr.u64 %s, %s, 32;\ncvt.u32.u64 %v, %s;\n", 0x7ff87ff8},
        {".reg .f32 %s;\nadd.f32 %s, %s, 0f3f800000;\nmov.b32 %v, %s;\n", 0x7fffffff},
        {".reg .pred %s;\nselp.u32 %v, 1, 0, %s;\n", 0},
        {".reg .f32 %s;\nsetp.lt.u32 %p, %t, 64;\n@%p mov.f32 %s, 0f00000000;\n"
         "@!%p mov.f32 %s, 0f00000000;\nmov.b32 %v, %s;\n",
         0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run run;
        char ptx[2048];
        static const char frame[] = KERNEL("BODY");
        const char *body = strstr(frame, "BODY");
        snprintf(ptx, sizeof ptx, "%.*s%s%s", (int)(body - frame), frame, rows[i].body, body + 4);
        run_kernel(&run, ptx, 9, 40, 1);
        assert_int_equal(run.result.status, LAUNCH_DONE);
        assert_int_equal(run.result.finding_count, 0);
        for (uint32_t k = 0; k < 9 * 40; k++) {
            assert_int_equal(run.out[k], rows[i].expected);
        }
        device_close(run.device);
    }
}

static void test_exchanges(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("mov.u32 %r1, %t;\nmov.u32 %r3, 16;\nSTEP:\n"
                      "shfl.sync.down.b32 %r2|%p, %r1, %r3, 31, -1;\nadd.u32 %r1, %r1, %r2;\n"
                      "shr.u32 %r3, %r3, 1;\nsetp.ne.u32 %p, %r3, 0;\n@%p bra STEP;\n"
                      "shfl.sync.idx.b32 %v, %r1, 0, 31, -1;\n"),
               1, 64, 1);
    assert_int_equal(run.out[5], 31 * 32 / 2);
    assert_int_equal(run.out[33], (32 + 63) * 32 / 2);
    device_close(run.device);

    run_kernel(&run,
               KERNEL("setp.lt.u32 %p, %t, 9;\nvote.sync.ballot.b32 %v, %p, -1;\n"
                      "vote.sync.any.pred %q, %p, -1;\n@%q add.u32 %v, %v, 0x1000;\n"
                      "vote.sync.all.pred %q, %p, -1;\n@%q add.u32 %v, %v, 0x2000;\n"
                      "@!%p bra DONE;\nactivemask.b32 %r1;\nadd.u32 %v, %v, %r1;\n"),
               1, 32, 1);
    assert_int_equal(run.out[8], 0x1ff + 0x1000 + 0x1ff);
    assert_int_equal(run.out[9], 0x1ff + 0x1000);
    device_close(run.device);

    run_kernel(&run,
               KERNEL("shfl.sync.up.b32 %r1|%p, %t, 1, 0, -1;\nselp.b32 %v, %r1, 77, %p;\n"
                      "shfl.sync.bfly.b32 %r2, %t, 3, 0x1f, -1;\nmad.lo.u32 %v, %r2, 100, %v;\n"
                      "and.b32 %r3, %t, 7;\nmatch.any.sync.b32 %r4, %r3, -1;\n"
                      "popc.b32 %r4, %r4;\nmad.lo.u32 %v, %r4, 10000, %v;\n"),
               1, 32, 1);
    assert_int_equal(run.out[0], 40000 + 300 + 77);
    assert_int_equal(run.out[10], 40000 + 900 + 9);
    device_close(run.device);
}

/* Lanes that come to one shfl.sync on different ways meet there. */
static void test_exchange_after_divergence(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("setp.lt.u32 %p, %t, 16;\nmov.u32 %r1, 1;\nbra START;\n"
                      "MEET:\nshfl.sync.bfly.b32 %v, %r1, 16, 31, -1;\nbra DONE;\n"
                      "START:\n@%p bra MEET;\nmov.u32 %r1, 2;\nbra MEET;\n"),
               1, 32, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.out[0], 2);
    assert_int_equal(run.out[31], 1);
    device_close(run.device);
}

static void test_trap_and_unknown(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run, KERNEL("setp.eq.u32 %p, %t, 37;\n.loc 1 4 2\n@%p trap;\n"), 2, 64, 1);
    assert_int_equal(run.result.status, LAUNCH_FAULT);
    const struct finding_record *record = fixture_finding(&run.result, FINDING_RECORD_TRAP);
    assert_int_equal(record->count, 2);
    assert_int_equal(record->places[0].thread[0], 37);
    assert_int_equal(record->places[0].line, 4);
    device_close(run.device);

    run_kernel(&run, KERNEL("setp.gt.u32 %p, %t, 100;\n@!%p bra DONE;\nadd.cc.u32 %v, %v, 1;\n"), 1,
               64, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    device_close(run.device);

    run_kernel(&run, KERNEL("frobnicate.u32 %v, %t;\n"), 1, 64, 1);
    assert_int_equal(run.result.status, LAUNCH_UNSUPPORTED);
    record = fixture_finding(&run.result, FINDING_RECORD_UNKNOWN_INSTRUCTION);
    assert_non_null(strstr(record->text, "frobnicate"));
    device_close(run.device);
}

/* Each block reads what the block before wrote; all store to one word; none sees another one. */
static const char chain[] =
    KERNEL("mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %v, 1;\n"
           "setp.eq.u32 %p, %r1, 0;\n@%p bra DONE;\nsub.u32 %r3, %r1, 1;\n"
           "mad.lo.u32 %r3, %r3, %r2, %t;\nmul.wide.u32 %rd1, %r3, 4;\n"
           "add.s64 %rd1, %o, %rd1;\nld.global.u32 %v, [%rd1];\nadd.u32 %v, %v, 1;\n");
static const char overlap[] = KERNEL("mov.u32 %v, %ctaid.x;\nst.global.u32 [%o+16380], %v;\n");
static const char apart[] = KERNEL("mov.u32 %v, %ctaid.x;\n");
/* %v: a ticket, in the order in which the blocks come */
static const char tickets[] = KERNEL("atom.global.add.u32 %v, [total], 1;\n");

/* Whatever the number of host threads, the outcome is that of blocks one after the other. */
static void test_order_of_blocks(void **state)
{
    (void)state;
    const uint32_t host_threads[] = {1, 2, 8};
    for (size_t i = 0; i < 3; i++) {
        struct run run;
        run_kernel(&run, chain, 64, 32, host_threads[i]);
        assert_int_equal(run.result.status, LAUNCH_DONE);
        for (uint32_t n = 0; n < 64 * 32; n++) {
            assert_int_equal(run.out[n], n / 32 + 1);
        }
        device_close(run.device);
        run_kernel(&run, overlap, 64, 32, host_threads[i]);
        assert_int_equal(run.out[4095], 63);
        device_close(run.device);
    }
}

/* Launches a kernel over 64 blocks of 32, in the order of `seed`, on a device of its own. */
static bool run_reordered(struct run *run, const char *ptx, uint64_t seed, uint32_t host_threads)
{
    run->device = fixture_open(host_threads, 1000 * SECOND);
    uint64_t out = fixture_allocate(run->device, sizeof run->out);
    const struct device_launch launch = {
        .module = fixture_load(run->device, ptx),
        .grid = {64, 1, 1},
        .block = {32, 1, 1},
        .parameters = &out,
        .order_seed = seed,
        .asks_order = true,
    };
    device_launch(run->device, &launch, &run->result);
    assert_int_equal(run->result.status, LAUNCH_DONE);
    assert_true(device_read(run->device, out, run->out, sizeof run->out));
    device_close(run->device);
    return run->result.order_can_matter;
}

/* Which kernels can depend on the order of their blocks is known whatever the number of host
 * threads; those that do give something else in another order, which is the same each time. */
static void test_another_order_of_blocks(void **state)
{
    (void)state;
    const uint32_t host_threads[] = {1, 2, 8};
    static struct run in_order, other, again;
    for (size_t i = 0; i < 3; i++) {
        const uint32_t threads = host_threads[i];
        assert_false(run_reordered(&in_order, apart, 0, threads));
        assert_false(run_reordered(&other, apart, 7, threads));
        assert_memory_equal(in_order.out, other.out, sizeof other.out);

        const char *const kernels[] = {chain, overlap, tickets};
        for (size_t k = 0; k < 3; k++) {
            assert_true(run_reordered(&in_order, kernels[k], 0, threads));
            assert_true(run_reordered(&other, kernels[k], 7, threads));
            assert_memory_not_equal(in_order.out, other.out, sizeof other.out);
            assert_true(run_reordered(&again, kernels[k], 7, host_threads[2 - i]));
            assert_memory_equal(again.out, other.out, sizeof other.out);
        }
    }
}

/* Runs a kernel on one warp of `threads`; the only finding must be of `kind`, at line 5. */
static void check_mask(const char *ptx, uint32_t threads, enum finding_record_kind kind,
                       uint64_t members, uint64_t lanes, uint32_t thread, uint64_t count)
{
    struct run run;
    run_kernel(&run, ptx, 1, threads, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 1);
    const struct finding_record *record = fixture_finding(&run.result, kind);
    assert_int_equal(record->place_count, 1);
    assert_int_equal(record->places[0].line, 5);
    assert_int_equal(record->places[0].thread[0], thread);
    assert_int_equal(record->address, members);
    assert_int_equal(record->object_bytes, lanes);
    assert_int_equal(record->count, count);
    device_close(run.device);
}

/* The upper half of the warp goes another way and stores before it ends. */
#define HALF(body) KERNEL("setp.ge.u32 %p, %t, 16;\n@%p bra DONE;\n.loc 1 5 1\n" body)

static void test_mask_lanes_missing(void **state)
{
    (void)state;
    const enum finding_record_kind missing = FINDING_RECORD_MASK_LANES_MISSING;
    const uint64_t all = UINT32_MAX;
    check_mask(HALF("shfl.sync.down.b32 %v, %t, 8, 31, -1;\n"), 32, missing, all, 0xffff0000, 0,
               16);
    check_mask(HALF("vote.sync.ballot.b32 %v, %p, -1;\n"), 32, missing, all, 0xffff0000, 0, 16);
    check_mask(HALF("match.any.sync.b32 %v, %t, -1;\n"), 32, missing, all, 0xffff0000, 0, 16);
    check_mask(HALF("redux.sync.add.s32 %v, %t, 0x1ffff;\n"), 32, missing, 0x1ffff, 0x10000, 0, 1);
    check_mask(HALF("bar.warp.sync -1;\n"), 32, missing, all, 0xffff0000, 0, 16);
}

static void test_mask_without_self(void **state)
{
    (void)state;
    const enum finding_record_kind alone = FINDING_RECORD_MASK_WITHOUT_SELF;
    check_mask(KERNEL(".loc 1 5 1\nshfl.sync.bfly.b32 %v, %t, 1, 31, 0xfff0;\n"), 16, alone, 0xfff0,
               1, 0, 4);
    check_mask(KERNEL(".loc 1 5 1\nbar.warp.sync 0x7fffffff;\n"), 32, alone, 0x7fffffff, 0x80000000,
               31, 1);
}

static void test_shuffle_undefined(void **state)
{
    (void)state;
    const enum finding_record_kind undefined = FINDING_RECORD_SHUFFLE_UNDEFINED;
    check_mask(HALF("shfl.sync.idx.b32 %v, %t, 20, 31, 0xffff;\n"), 32, undefined, 0xffff, 1 << 20,
               0, 16);
    check_mask(KERNEL("setp.ge.u32 %p, %t, 20;\n@%p exit;\n.loc 1 5 1\n"
                      "shfl.sync.down.b32 %v, %t, 8, 31, -1;\n"),
               32, undefined, UINT32_MAX, 1 << 20, 12, 8);
}

/* What a shuffle gives for a lane that does not execute it: 0, as an H100 and an H200 do. */
static void test_shuffle_from_absent_lanes(void **state)
{
    static const struct {
        const char *ptx;
        uint32_t threads, lane, value;
    } rows[] = {
        /* another path, with this shuffle and without it */
        {HALF("shfl.sync.bfly.b32 %v, %t, 16, 31, 0xffff;\n"), 32, 3, 0},
        {HALF("shfl.sync.down.b32 %v, %t, 4, 31, 0xffff;\n"), 32, 13, 0},
        {HALF("shfl.sync.down.b32 %v, %t, 4, 31, 0xffff;\n"), 32, 11, 15},
        /* exited, not launched, excluded by a guard */
        {KERNEL("setp.ge.u32 %p, %t, 20;\n@%p exit;\nshfl.sync.down.b32 %v, %t, 8, 31, -1;\n"), 32,
         12, 0},
        {KERNEL("shfl.sync.down.b32 %v, %t, 8, 31, -1;\n"), 20, 12, 0},
        {KERNEL("setp.lt.u32 %p, %t, 16;\n@%p shfl.sync.bfly.b32 %v, %t, 16, 31, 0xffff;\n"), 32, 3,
         0},
        /* the same shuffle under another mask */
        {KERNEL("setp.ge.u32 %p, %t, 16;\nselp.b32 %r1, 0xffff0000, 0xffff, %p;\n"
                "shfl.sync.bfly.b32 %v, %t, 16, 31, %r1;\n"),
         32, 3, 19},
        /* the predicate says what is in range */
        {HALF("shfl.sync.bfly.b32 %v|%q, %t, 16, 31, 0xffff;\nselp.u32 %v, 1, 2, %q;\n"), 32, 3, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run run;
        run_kernel(&run, rows[i].ptx, 1, rows[i].threads, 1);
        assert_int_equal(run.result.status, LAUNCH_DONE);
        assert_int_equal(run.out[rows[i].lane], rows[i].value);
        device_close(run.device);
    }
}

/* Masks that are kept to, exits before an exchange, and lanes that the launch does not have. */
static void test_masks_that_hold(void **state)
{
    static const struct {
        const char *ptx;
        uint32_t threads;
    } rows[] = {
        {HALF("shfl.sync.down.b32 %v, %t, 8, 31, 0xffff;\n"), 32},
        {HALF("bar.warp.sync 0xffff;\n"), 32},
        {KERNEL("setp.ge.u32 %p, %t, 20;\n@%p exit;\nvote.sync.ballot.b32 %v, %p, -1;\n"), 32},
        {KERNEL("shfl.sync.down.b32 %v, %t, 8, 31, -1;\nbar.warp.sync -1;\n"), 20},
        {KERNEL("shfl.sync.up.b32 %v, %t, 1, 0, -1;\n"), 32},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run run;
        run_kernel(&run, rows[i].ptx, 1, rows[i].threads, 1);
        assert_int_equal(run.result.status, LAUNCH_DONE);
        assert_int_equal(run.result.finding_count, 0);
        device_close(run.device);
    }
}

/* Each half of a warp votes for itself, in one instruction. */
static void test_masks_of_halves(void **state)
{
    (void)state;
    struct run run;
    run_kernel(&run,
               KERNEL("setp.ge.u32 %p, %t, 16;\nselp.b32 %r1, 0xffff0000, 0xffff, %p;\n"
                      "setp.gt.u32 %q, %t, 13;\nvote.sync.ballot.b32 %r2, %q, %r1;\n"
                      "redux.sync.min.u32 %r3, %t, %r1;\nadd.u32 %v, %r2, %r3;\n"),
               1, 32, 1);
    assert_int_equal(run.result.status, LAUNCH_DONE);
    assert_int_equal(run.result.finding_count, 0);
    assert_int_equal(run.out[3], 0xc000);
    assert_int_equal(run.out[20], 0xffff0000 + 16);
    device_close(run.device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask_lanes_missing),
        cmocka_unit_test(test_mask_without_self),
        cmocka_unit_test(test_shuffle_undefined),
        cmocka_unit_test(test_shuffle_from_absent_lanes),
        cmocka_unit_test(test_masks_that_hold),
        cmocka_unit_test(test_masks_of_halves),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_barrier_with_exited_threads),
        cmocka_unit_test(test_divergent_barrier),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_order_of_blocks),
        cmocka_unit_test(test_another_order_of_blocks),
        cmocka_unit_test(test_named_barriers),
        cmocka_unit_test(test_divergent_loop),
        cmocka_unit_test(test_spin_lock_in_a_warp),
        cmocka_unit_test(test_block_waits_for_a_later_one),
        cmocka_unit_test(test_endless_loop),
        cmocka_unit_test(test_unwritten_registers),
        cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_exchange_after_divergence),
        cmocka_unit_test(test_trap_and_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
