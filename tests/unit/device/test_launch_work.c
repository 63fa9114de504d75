/* test_launch_work.c: the limit of a launch is of work, whatever the machine does meanwhile. */
#include "base/clock.h"
#include "device/emulated/exec/launch_work.h"
#include "device/emulated/exec/waiting.h"
#include "emulated_fixture.h"

#define FOREVER (UINT64_C(1000) * CLOCK_NS_PER_S)

/* Goes round a loop `count` times; without a count until the counter is zero again, so never. */
static const char loop[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n;\n"
             ".reg .pred %p;\nld.param.u64 %o, [out];\nld.param.u64 %n, [count];\n"
             "mov.u64 %i, 0;\nAGAIN:\nadd.u64 %i, %i, 1;\nsetp.ne.u64 %p, %i, %n;\n"
             "@%p bra AGAIN;\nst.global.u64 [%o], %i;\nret;\n}\n";

/* The counter of the outer loop never moves: a sum does, from memory, and an inner loop ends. */
static const char stuck[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n"
             ".reg .b64 %o, %i, %j, %n;\n.reg .f32 %s, %v;\n.reg .pred %p;\n"
             "ld.param.u64 %o, [out];\nld.param.u64 %n, [count];\nmov.u64 %i, 0;\n"
             "mov.f32 %s, 0f00000000;\nAGAIN:\nmov.u64 %j, 0;\nINNER:\nld.global.f32 %v, [%o];\n"
             "fma.rn.f32 %s, %v, %s, %v;\nadd.u64 %j, %j, 1;\nsetp.lt.u64 %p, %j, 7;\n"
             "@%p bra INNER;\nst.global.f32 [%o], %s;\nsetp.lt.u64 %p, %i, %n;\n@%p bra AGAIN;\n"
             "ret;\n}\n";

/* Waits until memory holds another number than zero. */
static const char spin[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o;\n"
             ".reg .b32 %v;\n.reg .pred %p;\nld.param.u64 %o, [out];\nAGAIN:\n"
             "ld.global.u32 %v, [%o];\nsetp.eq.u32 %p, %v, 0;\n@%p bra AGAIN;\nret;\n}\n";

/* All warps meet at a barrier in a loop whose counter never moves. */
static const char meeting[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n;\n"
             ".reg .b32 %v;\n.reg .pred %p;\nld.param.u64 %o, [out];\nld.param.u64 %n, [count];\n"
             "mov.u64 %i, 0;\nAGAIN:\nld.global.u32 %v, [%o];\nadd.u32 %v, %v, 1;\n"
             "st.global.u32 [%o], %v;\nbar.sync 0;\nsetp.lt.u64 %p, %i, %n;\n@%p bra AGAIN;\n"
             "ret;\n}\n";

/* The same, of a word that block 0 sets after a while: its stores are of one word alone. */
static const char late_flag[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n;\n"
             ".reg .b32 %v, %b;\n.reg .pred %p;\nld.param.u64 %o, [out];\n"
             "ld.param.u64 %n, [count];\nmov.u32 %b, %ctaid.x;\nsetp.ne.u32 %p, %b, 0;\n"
             "@%p bra AGAIN;\nmov.u64 %i, 0;\nWORK:\nadd.u64 %i, %i, 1;\nsetp.lt.u64 %p, %i, %n;\n"
             "@%p bra WORK;\nst.volatile.global.u32 [%o], 1;\nret;\nAGAIN:\n"
             "ld.volatile.global.u32 %v, [%o];\nsetp.eq.u32 %p, %v, 0;\n@%p bra AGAIN;\nret;\n}\n";

/* Waits until the clock has gone on by `count`, then sets the word that the other blocks wait for. */
static const char late_by_clock[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n, %t;\n"
             ".reg .b32 %v, %b;\n.reg .pred %p;\nld.param.u64 %o, [out];\n"
             "ld.param.u64 %n, [count];\nmov.u32 %b, %ctaid.x;\nsetp.ne.u32 %p, %b, 0;\n"
             "@%p bra AGAIN;\nmov.u64 %t, %clock64;\nWORK:\nmov.u64 %i, %clock64;\n"
             "sub.u64 %i, %i, %t;\nsetp.lt.u64 %p, %i, %n;\n"
             "@%p bra WORK;\nst.volatile.global.u32 [%o], 1;\nret;\nAGAIN:\n"
             "ld.volatile.global.u32 %v, [%o];\nsetp.eq.u32 %p, %v, 0;\n@%p bra AGAIN;\nret;\n}\n";

/* Looks `count` times at a word that others may store at any time. */
static const char many_looks[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n;\n"
             ".reg .b32 %v, %s;\n.reg .pred %p;\nld.param.u64 %o, [out];\n"
             "ld.param.u64 %n, [count];\nmov.u64 %i, 0;\nmov.u32 %s, 1;\nAGAIN:\n"
             "ld.volatile.global.u32 %v, [%o];\nadd.u32 %s, %s, %v;\nadd.u64 %i, %i, 1;\n"
             "setp.lt.u64 %p, %i, %n;\n@%p bra AGAIN;\nst.volatile.global.u32 [%o], %s;\nret;\n}\n";

/* Waits at an mbarrier of two arrivals, of which one comes. */
static const char one_arrives[] =
    ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 "
    "count)\n{\n.reg .b64 %s;\n"
    ".reg .pred %p;\n.shared .align 8 .b64 ready;\nmbarrier.init.shared.b64 [ready], 2;\n"
    "mbarrier.arrive.shared.b64 %s, [ready];\nAGAIN:\n"
    "mbarrier.test_wait.shared.b64 %p, [ready], %s;\n@!%p bra AGAIN;\nret;\n}\n";

/* Waits for another number than zero as well, of what other blocks may store at any time. */
static const char flag[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o;\n"
             ".reg .b32 %v;\n.reg .pred %p;\nld.param.u64 %o, [out];\nAGAIN:\n"
             "ld.volatile.global.u32 %v, [%o];\nsetp.eq.u32 %p, %v, 0;\n@%p bra AGAIN;\nret;\n}\n";

/* Writes to every 4096th byte of the first `count` of its local memory, of which there is much. */
static const char wide[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n"
             ".local .align 4 .b8 own[400000];\n.reg .b64 %o, %i, %n, %a;\n.reg .pred %p;\n"
             "ld.param.u64 %n, [count];\nmov.u64 %i, 0;\nmov.u64 %o, own;\nAGAIN:\n"
             "setp.ge.u64 %p, %i, %n;\n@%p bra END;\nadd.u64 %a, %o, %i;\n"
             "st.local.u32 [%a], 1;\nadd.u64 %i, %i, 4096;\nbra AGAIN;\nEND:\nret;\n}\n";

/* Stores what local memory holds before anything is written there, then writes there. */
static const char left_over[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n"
             ".local .align 4 .b8 own[8192];\n.reg .b64 %o;\n.reg .b32 %v;\n"
             "ld.param.u64 %o, [out];\nld.local.u32 %v, [own+5000];\n"
             "st.global.u32 [%o], %v;\nst.local.u32 [own+5000], 7;\nret;\n}\n";

struct outcome {
    enum launch_status status;
    uint64_t work;
    size_t finding_count;
    struct finding_record finding; /* the first one */
    uint32_t stored;               /* in the first word */
};

struct
try {
    const char *ptx;
    uint64_t count, work_limit;
    uint32_t blocks, block_threads, host_threads;
};

static struct outcome run(const struct try *try)
{
    struct device *device = fixture_open(try->host_threads, FOREVER);
    uint32_t module = fixture_load(device, try->ptx);
    const uint64_t parameters[2] = {fixture_allocate(device, 8), try->count};
    const uint64_t zero = 0;
    const struct device_launch launch = {
        .module = module,
        .grid = {try->blocks, 1, 1},
        .block = {try->block_threads, 1, 1},
        .parameters = parameters,
        .work_limit = try->work_limit,
    };
    struct device_launch_result result;
    assert_true(device_write(device, parameters[0], &zero, sizeof zero));
    device_launch(device, &launch, &result);
    struct outcome outcome = {
        .status = result.status,
        .work = result.counters.work,
        .finding_count = result.finding_count,
    };
    if (result.finding_count > 0) {
        outcome.finding = result.findings[0];
    }
    assert_true(device_read(device, parameters[0], &outcome.stored, sizeof outcome.stored));
    device_close(device);
    return outcome;
}

static struct outcome run_alone(const char *ptx, uint64_t count, uint64_t work_limit)
{
    const struct try try = {ptx, count, work_limit, 1, 32, 1};
    return run(&try);
}

/* A launch that needs exactly what it may use ends, with a unit less it does not. */
static void test_the_limit_is_exact(void **state)
{
    (void)state;
    struct outcome free = run_alone(loop, 100000, 0);
    assert_int_equal(free.status, LAUNCH_DONE);
    assert_true(free.work > 300000 && free.work < 600000);
    assert_int_equal(run_alone(loop, 100000, free.work).status, LAUNCH_DONE);
    struct outcome short_of = run_alone(loop, 100000, free.work - 1);
    assert_int_equal(short_of.status, LAUNCH_DEADLINE);
    assert_int_equal(run_alone(loop, 100000, 0).work, free.work);
}

/* Local memory costs a launch what it touches of it, not what it might. */
static void test_local_memory(void **state)
{
    (void)state;
    uint64_t none = run_alone(wide, 0, 0).work;
    uint64_t some = run_alone(wide, UINT64_C(4096) * 90, 0).work;
    assert_true(none < 1000);
    assert_true(some > UINT64_C(90) * LANES * PAGE_WORK);
    assert_int_equal(run_alone(wide, UINT64_C(4096) * 90, some / 2).status, LAUNCH_DEADLINE);
}

/* A block finds nothing in local memory that one before it has left there. */
static void test_local_memory_is_fresh(void **state)
{
    (void)state;
    struct try try = {left_over, 0, 0, 1, 32, 1};
    uint32_t first = run(&try).stored;
    try.blocks = 3;
    assert_int_equal(run(&try).stored, first);
    assert_int_not_equal(first, 7);
    assert_int_not_equal(first, 0);
}

/* Blocks add up to the same, however many threads of the host run them. */
static void test_threads_do_not_matter(void **state)
{
    (void)state;
    struct try try = {loop, 20000, 0, 40, 64, 1};
    struct outcome one = run(&try);
    try.host_threads = 4;
    struct outcome four = run(&try);
    assert_int_equal(one.work, four.work);
    assert_int_equal(four.status, LAUNCH_DONE);
    try.work_limit = one.work / 2;
    for (unsigned i = 0; i < 8; i++) {
        try.host_threads = i % 2 == 0 ? 1 : 4;
        struct outcome again = run(&try);
        assert_int_equal(again.status, LAUNCH_DEADLINE);
        struct outcome other = run(&try);
        assert_int_equal(again.work, other.work);
        assert_int_equal(again.finding_count, 1);
        assert_int_equal(again.finding.kind, FINDING_RECORD_STOPPED);
        assert_memory_equal(&again.finding, &other.finding, sizeof other.finding);
        assert_int_equal(again.finding.places[0].block[0], 20);
    }
}

static void expect_endless(const struct outcome *outcome)
{
    assert_int_equal(outcome->status, LAUNCH_DEADLINE);
    assert_int_equal(outcome->finding_count, 1);
    assert_int_equal(outcome->finding.kind, FINDING_RECORD_ENDLESS);
}

/* What decides about a loop does not change: it is endless, and that is known long before the
 * limit.
 */
static void test_endless_loops(void **state)
{
    (void)state;
    struct outcome outcome = run_alone(stuck, 3, UINT64_C(1) << 34);
    expect_endless(&outcome);
    assert_true(outcome.work < UINT64_C(1) << 23);
    struct try try = {stuck, 3, UINT64_C(1) << 34, 8, 96, 3};
    outcome = run(&try);
    expect_endless(&outcome);
    assert_int_equal(outcome.finding.places[0].block[0], 0);
    const struct try together = {meeting, 3, UINT64_C(1) << 34, 2, 96, 2};
    outcome = run(&together);
    expect_endless(&outcome);
    assert_true(outcome.work < UINT64_C(1) << 23);
}

/* What moves, or may be moved by others, is never called endless. */
static void test_loops_that_may_end(void **state)
{
    (void)state;
    struct outcome counts = run_alone(loop, 0, UINT64_C(1) << 23);
    assert_int_equal(counts.status, LAUNCH_DEADLINE);
    assert_int_equal(counts.finding.kind, FINDING_RECORD_STOPPED);
    struct outcome waits = run_alone(spin, 0, UINT64_C(1) << 23);
    assert_int_equal(waits.status, LAUNCH_DEADLINE);
    assert_int_equal(waits.finding.kind, FINDING_RECORD_STOPPED);
    struct try try = {late_flag, 3000000, UINT64_C(1) << 28, 2, 32, 2};
    struct outcome late = run(&try);
    assert_int_equal(late.status, LAUNCH_DONE);
    assert_int_equal(late.finding_count, 0);
    assert_int_equal(late.stored, 1);
}

/* Where every block that has begun waits for another one, all of them together are given up. */
static void test_waiting_for_nobody(void **state)
{
    (void)state;
    const struct try try = {flag, 0, UINT64_C(1) << 34, 16, 64, 1};
    struct outcome outcome = run(&try);
    assert_int_equal(outcome.status, LAUNCH_DEADLINE);
    assert_int_equal(outcome.finding.kind, FINDING_RECORD_WAITS_FOREVER);
    assert_true(outcome.work < 8 * WAITING_FIRST);
}

/* What waits for a time goes on soon, and so do those that wait for what it does then. */
static void test_waiting_for_the_clock(void **state)
{
    (void)state;
    struct try try = {late_by_clock, UINT64_C(1) << 40, UINT64_C(1) << 34, 3, 64, 1};
    struct outcome outcome = run(&try);
    assert_int_equal(outcome.status, LAUNCH_DONE);
    assert_int_equal(outcome.finding_count, 0);
    assert_int_equal(outcome.stored, 1);
    assert_true(outcome.work < UINT64_C(1) << 30);
}

/* A loop that only looks, but counts, is neither endless nor waits. */
static void test_looking_is_no_waiting(void **state)
{
    (void)state;
    struct outcome outcome = run_alone(many_looks, 2000000, UINT64_C(1) << 34);
    assert_int_equal(outcome.status, LAUNCH_DONE);
    assert_int_equal(outcome.finding_count, 0);
}

/* The arrivals that are missing are counted. */
static void test_waiting_at_an_mbarrier(void **state)
{
    (void)state;
    struct try try = {one_arrives, 0, UINT64_C(1) << 34, 3, 1, 2};
    struct outcome outcome = run(&try);
    assert_int_equal(outcome.status, LAUNCH_FAULT);
    assert_int_equal(outcome.finding_count, 1);
    assert_int_equal(outcome.finding.kind, FINDING_RECORD_BARRIER_DEADLOCK);
    assert_string_equal(outcome.finding.text, "ready");
    assert_int_equal(outcome.finding.address, 1);
    assert_int_equal(outcome.finding.object_bytes, 2);
    assert_int_equal(outcome.finding.count, 1);
    assert_true(outcome.work < 8 * WAITING_FIRST);
}

/* Each op weighs something: nothing can be done for free. */
static void test_weights(void **state)
{
    (void)state;
    for (uint16_t code = 0; code < OP_CODE_COUNT; code++) {
        for (uint8_t space = PTX_SPACE_GENERIC; space <= PTX_SPACE_PARAM; space++) {
            assert_true(op_work(code, space) >= 1);
        }
    }
    const uint8_t load = op_work(OP_LOAD_32, PTX_SPACE_GLOBAL);
    assert_true(op_work(OP_ATOMIC, PTX_SPACE_GLOBAL) > load);
    assert_true(load > op_work(OP_ADD_32, PTX_SPACE_GENERIC));
    assert_true(op_work(OP_SIN_F32, PTX_SPACE_GENERIC) > op_work(OP_ADD_32, PTX_SPACE_GENERIC));
    assert_true(op_work(OP_LOAD_32, PTX_SPACE_SHARED) > load);
    assert_true(op_work(OP_LOAD_32, PTX_SPACE_LOCAL) > load);
    assert_int_equal(op_work(OP_STORE_64, PTX_SPACE_LOCAL), op_work(OP_LOAD_32, PTX_SPACE_LOCAL));
}

/* The far limit of time holds where no limit of work does. */
static void test_time_protects_the_machine(void **state)
{
    (void)state;
    const uint64_t limit_ns = CLOCK_NS_PER_S / 5;
    struct device *device = fixture_open(1, limit_ns);
    uint32_t module = fixture_load(device, spin);
    const uint64_t parameters[2] = {fixture_allocate(device, 8), 0};
    const uint64_t zero = 0;
    assert_true(device_write(device, parameters[0], &zero, sizeof zero));
    uint64_t start_ns = thread_time_ns();
    struct device_launch_result result = fixture_launch(device, module, 1, 32, parameters);
    assert_int_equal(result.status, LAUNCH_DEADLINE);
    assert_int_equal(result.finding_count, 0);
    device_close(device);
    assert_true(thread_time_ns() - start_ns >= limit_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_limit_is_exact),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_local_memory_is_fresh),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_endless_loops),
        cmocka_unit_test(test_loops_that_may_end),
        cmocka_unit_test(test_waiting_for_nobody),
        cmocka_unit_test(test_waiting_for_the_clock),
        cmocka_unit_test(test_looking_is_no_waiting),
        cmocka_unit_test(test_waiting_at_an_mbarrier),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_time_protects_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
