/* test_launch_clock.c: the limit of a launch is of processor time. */
#include "base/clock.h"
#include "device/emulated/launch_clock.h"
#include "emulated_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { RIVALS = 4 };

/* A kernel that goes round a loop `count` times; without a count, forever. */
static const char loop[] =
    PTX_HEAD ".visible .entry k(.param .u64 out, .param .u64 count)\n{\n.reg .b64 %o, %i, %n;\n"
             ".reg .pred %p;\nld.param.u64 %o, [out];\nld.param.u64 %n, [count];\n"
             "mov.u64 %i, 0;\nAGAIN:\nadd.u64 %i, %i, 1;\nsetp.ne.u64 %p, %i, %n;\n"
             "@%p bra AGAIN;\nst.global.u64 [%o], %i;\nret;\n}\n";

static enum launch_status run_loop(uint64_t count, uint64_t limit_ns)
{
    struct device *device = fixture_open(1, limit_ns);
    uint32_t module = fixture_load(device, loop);
    const uint64_t parameters[2] = {fixture_allocate(device, 8), count};
    struct device_launch_result result = fixture_launch(device, module, 1, 32, parameters);
    device_close(device);
    return result.status;
}

static void *take_time(void *argument)
{
    const bool *goes_on = argument;
    while (__atomic_load_n(goes_on, __ATOMIC_RELAXED)) {
    }
    return NULL;
}

/* The launch has a fifth of a core, and a limit that it needs a third of. */
static void test_a_busy_machine(void **state)
{
    (void)state;
    enum { COUNT = 2000000 };
    cpu_set_t before, one;
    pthread_t rivals[RIVALS];
    bool goes_on = true;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    uint64_t start_ns = thread_time_ns();
    assert_int_equal(run_loop(COUNT, 1000 * CLOCK_NS_PER_S), LAUNCH_DONE);
    uint64_t used_ns = thread_time_ns() - start_ns;
    for (unsigned i = 0; i < RIVALS; i++) {
        assert_int_equal(pthread_create(&rivals[i], NULL, take_time, &goes_on), 0);
    }
    enum launch_status status = run_loop(COUNT, 3 * used_ns);
    __atomic_store_n(&goes_on, false, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < RIVALS; i++) {
        pthread_join(rivals[i], NULL);
    }
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(status, LAUNCH_DONE);
}

/* An endless launch has used its limit when it ends, and not much more. */
static void test_an_endless_launch(void **state)
{
    (void)state;
    const uint64_t limit_ns = CLOCK_NS_PER_S / 5;
    uint64_t start_ns = thread_time_ns();
    assert_int_equal(run_loop(0, limit_ns), LAUNCH_DEADLINE);
    uint64_t used_ns = thread_time_ns() - start_ns;
    assert_true(used_ns >= limit_ns);
    assert_true(used_ns < limit_ns + CLOCK_NS_PER_S);
}

/* However large a limit is, it does not wrap round. */
static void test_large_limits(void **state)
{
    (void)state;
    assert_int_equal(launch_wall_end_ns(UINT64_MAX), UINT64_MAX);
    assert_int_equal(run_loop(1000, UINT64_MAX), LAUNCH_DONE);
    uint64_t now_ns = clock_now_ns();
    uint64_t end_ns = launch_wall_end_ns(CLOCK_NS_PER_S);
    assert_true(end_ns - now_ns >= CLOCK_NS_PER_S + LAUNCH_WALL_SLACK_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_busy_machine),
        cmocka_unit_test(test_an_endless_launch),
        cmocka_unit_test(test_large_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
