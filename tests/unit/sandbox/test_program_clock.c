/* test_program_clock.c: what of the time that passes is charged to a program. */
#include "sandbox/program_clock.h"

#include "base/clock.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define S CLOCK_NS_PER_S

/* Ten seconds, and what the threads did in them. */
struct row {
    const char *what;
    struct task_time program[3], device[2];
    uint64_t charged, starved, device_worked;
    enum program_use use;
};

static const struct row rows[] = {
    {"a sleep", {{0}}, {{0}}, 10 * S, 0, 0, PROGRAM_WAITS},
    {"a busy loop", {{1, 10 * S, 0}}, {{0}}, 10 * S, 0, 0, PROGRAM_COMPUTES},
    {"a busy loop on a busy machine",
     {{1, 2 * S, 8 * S}},
     {{0}},
     2 * S,
     8 * S,
     0,
     PROGRAM_COMPUTES},
    {"a loop that sleeps a little", {{1, 6 * S, 0}}, {{0}}, 10 * S, 0, 0, PROGRAM_COMPUTES},
    {"a loop that mostly sleeps", {{1, 4 * S, 0}}, {{0}}, 10 * S, 0, 0, PROGRAM_WAITS},
    {"a right program with a tenth of a processor",
     {{1, S, 9 * S}},
     {{0}},
     S,
     9 * S,
     0,
     PROGRAM_COMPUTES},
    {"nothing but waiting for a processor",
     {{1, 0, 10 * S}},
     {{0}},
     0,
     10 * S,
     0,
     PROGRAM_COMPUTES},
    {"a sleep that is woken late", {{1, 0, 3 * S}}, {{0}}, 7 * S, 3 * S, 0, PROGRAM_WAITS},
    {"delays of several threads are no sum",
     {{1, 0, 4 * S}, {2, 0, 4 * S}, {3, 0, 4 * S}},
     {{0}},
     6 * S,
     4 * S,
     0,
     PROGRAM_WAITS},
    {"threads that take the processor from each other",
     {{1, 5 * S, 5 * S}, {2, 5 * S, 5 * S}},
     {{0}},
     10 * S,
     0,
     0,
     PROGRAM_COMPUTES},
    {"more processors than one",
     {{1, 10 * S, 0}, {2, 10 * S, 9 * S}},
     {{0}},
     10 * S,
     0,
     0,
     PROGRAM_COMPUTES},
    {"a device that works", {{1, S, 0}}, {{7, 8 * S, 0}}, 2 * S, 0, 8 * S, PROGRAM_COMPUTES},
    {"a device that is starved", {{1, S, 0}}, {{7, S, 8 * S}}, S, 8 * S, S, PROGRAM_COMPUTES},
    {"threads of a device are no sum",
     {{0}},
     {{7, 4 * S, 0}, {8, 4 * S, 0}},
     6 * S,
     0,
     4 * S,
     PROGRAM_WAITS},
    {"a device that idles", {{0}}, {{7, 0, 0}}, 10 * S, 0, 0, PROGRAM_WAITS},
};

static struct task_times times_of(const struct task_time *tasks, size_t count, uint64_t base)
{
    struct task_times times = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        if (tasks[i].task != 0) {
            times.tasks[times.count] = tasks[i];
            times.tasks[times.count].cpu_ns += base;
            times.tasks[times.count++].delay_ns += base;
        }
    }
    return times;
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct program_clock clock = {.since_ns = 0};
        struct task_time nothing[3];
        struct task_time idle[2];
        memcpy(nothing, rows[i].program, sizeof nothing);
        memcpy(idle, rows[i].device, sizeof idle);
        for (size_t k = 0; k < 3; k++) {
            nothing[k].cpu_ns = nothing[k].delay_ns = 0;
        }
        for (size_t k = 0; k < 2; k++) {
            idle[k].cpu_ns = idle[k].delay_ns = 0;
        }
        struct task_times program = times_of(nothing, 3, 100 * S);
        struct task_times device = times_of(idle, 2, 100 * S);
        program_clock_start(&clock, S);
        program_clock_look(&clock, S, &program, &device); /* what was before does not count */
        program = times_of(rows[i].program, 3, 100 * S);
        device = times_of(rows[i].device, 2, 100 * S);
        program_clock_look(&clock, 11 * S, &program, &device);
        if (clock.charged_ns != rows[i].charged || clock.starved_ns != rows[i].starved ||
            clock.device_ns != rows[i].device_worked || program_clock_use(&clock) != rows[i].use) {
            fail_msg("%s: %g s charged, %g s starved, %g s of the device, use %d", rows[i].what,
                     (double)clock.charged_ns / 1e9, (double)clock.starved_ns / 1e9,
                     (double)clock.device_ns / 1e9, (int)program_clock_use(&clock));
        }
    }
}

/* While it stands still nothing passes; what the device did then is not taken off. */
static void test_it_stands_still(void **state)
{
    (void)state;
    struct program_clock clock = {.since_ns = 0};
    const struct task_times none = {.count = 0};
    struct task_times device = {.tasks = {{7, S, 0}}, .count = 1};
    program_clock_start(&clock, S);
    program_clock_look(&clock, S, &none, &device);
    program_clock_stop(&clock, 2 * S);
    assert_int_equal(program_clock_most_ns(&clock, 50 * S), S);
    program_clock_start(&clock, 60 * S);
    program_clock_start(&clock, 61 * S); /* it runs already */
    device.tasks[0].cpu_ns = 40 * S;
    program_clock_look(&clock, 62 * S, &none, &device);
    assert_int_equal(clock.charged_ns, 3 * S);
    assert_int_equal(clock.device_ns, 0);
}

/* A device that works for ever for one that only asks is charged in the end. */
static void test_the_device_has_a_bound(void **state)
{
    (void)state;
    struct program_clock clock = {.since_ns = 0};
    const struct task_times none = {.count = 0};
    struct task_times device = {.tasks = {{7, 0, 0}}, .count = 1};
    program_clock_start(&clock, S);
    program_clock_look(&clock, S, &none, &device);
    for (uint64_t i = 1; i <= 100; i++) {
        device.tasks[0].cpu_ns = i * S;
        program_clock_look(&clock, (i + 1) * S, &none, &device);
    }
    assert_int_equal(clock.device_ns + clock.charged_ns, 100 * S);
    assert_true(clock.charged_ns >= 30 * S && clock.device_ns >= 20 * S);
    assert_int_equal(program_clock_use(&clock), PROGRAM_IS_SERVED);
}

static void *compute(void *argument)
{
    const bool *goes_on = argument;
    while (__atomic_load_n(goes_on, __ATOMIC_RELAXED)) {
    }
    return NULL;
}

/* The most processor time that one of the threads has had, but for this one's. */
static uint64_t most_of_others(const struct task_times *times)
{
    uint64_t cpu_ns = 0;
    for (size_t i = 0; i < times->count; i++) {
        if (times->tasks[i].task != getpid() && times->tasks[i].cpu_ns > cpu_ns) {
            cpu_ns = times->tasks[i].cpu_ns;
        }
    }
    return cpu_ns;
}

/* A process's threads are found and their time is read. A sanitizer may have threads, too. */
static void test_a_real_process(void **state)
{
    (void)state;
    struct task_times times = {.count = 0};
    bool goes_on = true;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, compute, &goes_on), 0);
    while (most_of_others(&times) < 50000000) {
        times.count = 0;
        task_times_read(getpid(), &times);
        assert_in_range(times.count, 2, 8);
    }
    __atomic_store_n(&goes_on, false, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    struct task_times tree = {.count = 0};
    task_times_read_tree(getppid(), &tree);
    bool is_there = false;
    for (size_t i = 0; i < tree.count; i++) {
        is_there = is_there || tree.tasks[i].task == getpid();
    }
    assert_true(is_there);
}

static void *wait_for(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

/* More threads than are looked at: as many as fit, and nothing is written past them. */
static void test_many_threads(void **state)
{
    (void)state;
    enum { THREADS = TASK_TIMES_MAX + 20 };
    static pthread_t threads[THREADS];
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t small;
    struct {
        struct task_times times;
        unsigned char after[256];
    } read = {.times = {.count = 0}};
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], &small, wait_for, &mutex), 0);
    }
    task_times_read(getpid(), &read.times);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_attr_destroy(&small);
    assert_int_equal(read.times.count, TASK_TIMES_MAX);
    for (size_t i = 0; i < sizeof read.after; i++) {
        assert_int_equal(read.after[i], 0);
    }
    printf("flood  TASK_TIMES_MAX  %d threads: %d are looked at\n", THREADS, TASK_TIMES_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_it_stands_still),
        cmocka_unit_test(test_the_device_has_a_bound),
        cmocka_unit_test(test_a_real_process),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
