/* test_grader_bounds.c: a process that reaches a bound says so, and nothing else is taken for that.
 */
#include "base/json.h"
#include "cli/console.h"
#include "cli/supervise.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BINDS_MEMORY false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BINDS_MEMORY false
#endif
#endif
#ifndef BINDS_MEMORY
#define BINDS_MEMORY true
#endif

enum { MIB = 1 << 20, LIMIT_MB = 64, STEP = 64 << 10 };

static const uint64_t SECOND_NS = 1000000000;

static struct grader_bounds *bounds;
static struct oracle_watch *watch;

static void enter(uint64_t cpu_ns)
{
    const struct limits limits = {.grader_memory_bytes = (uint64_t)LIMIT_MB * MIB,
                                  .grader_cpu_ns = cpu_ns};

    grader_bounds_enter(bounds, &limits, watch);
}

/* Takes memory until there is none or `bytes` are taken, and writes to none of it. */
static bool take(size_t bytes)
{
    for (size_t taken = 0; taken < bytes; taken += STEP) {
        void *volatile memory = malloc(STEP); /* a compiler may leave out what nobody looks at */
        if (memory == NULL) {
            return false;
        }
    }
    return true;
}

/* Uses processor time of its own. */
static void compute(double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

    while (clock() < end) {
    }
}

static int takes_what_it_may(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    return take((size_t)(LIMIT_MB - 8) * MIB) ? 42 : EXIT_GRADER;
}

/* As arenas and lists do without memory. */
static int takes_more(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    if (!take((size_t)(LIMIT_MB + 8) * MIB)) {
        abort();
    }
    return 42;
}

static int takes_more_in_an_arena(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    struct arena *arena = arena_new();
    for (size_t i = 0; i < LIMIT_MB + 8; i++) {
        arena_alloc(arena, MIB);
    }
    return 42;
}

/* Without memory cJSON would leave out what it cannot hold. */
static int takes_more_in_json(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < (size_t)2 * LIMIT_MB * MIB / sizeof(cJSON); i++) {
        cJSON_AddItemToArray(array, cJSON_CreateNumber(1));
    }
    return 42;
}

static int had_it_before(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    bool had = take((size_t)2 * LIMIT_MB * MIB);
    enter(60 * SECOND_NS);
    return had && take((size_t)(LIMIT_MB / 2) * MIB) ? 42 : EXIT_GRADER;
}

static int aborts(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    errno = EINVAL;
    abort();
}

static int is_killed(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    raise(SIGKILL);
    return 42;
}

static int computes_for_ever(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(SECOND_NS / 5);
    compute(3600);
    return 42;
}

static int computes_within(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    enter(60 * SECOND_NS);
    compute(0.8);
    return 42;
}

/* Time does not count before the limits are known. */
static int computes_before(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    compute(0.8);
    return 42;
}

static void oracle_computes(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    (void)problem;
    compute(1.2);
    *out_expected = *out_magnitudes = 1;
}

static void oracle_takes_more(const struct oracle_problem *problem, double *out_expected,
                              double *out_magnitudes)
{
    oracle_computes(problem, out_expected, out_magnitudes);
    if (!take((size_t)(LIMIT_MB + 8) * MIB)) {
        abort();
    }
}

static int call(void (*expect)(const struct oracle_problem *, double *, double *), uint64_t cpu_ns)
{
    const struct oracle_problem problem = {.output_count = 1};
    const struct oracle oracle = {.expect = expect, .watch = watch};
    double expected, magnitude;

    enter(cpu_ns);
    oracle_expect(&oracle, &problem, &expected, &magnitude);
    return 42;
}

static int computes_in_its_oracle(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    return call(oracle_computes, SECOND_NS / 2);
}

static int takes_more_in_its_oracle(void *context, int stage_fd)
{
    (void)context;
    (void)stage_fd;
    return call(oracle_takes_more, 60 * SECOND_NS);
}

static void a_bound_that_is_reached_is_told(void **state)
{
    static const struct {
        int (*task)(void *context, int stage_fd);
        bool is_of_memory;
        int status;
        enum code code;
    } rows[] = {
        {takes_what_it_may, true, 42, CODE_NONE},
        {takes_more, true, EXIT_SOME_FAILED, CODE_GRADER_MEMORY},
        {takes_more_in_an_arena, true, EXIT_SOME_FAILED, CODE_GRADER_MEMORY},
        {takes_more_in_json, true, EXIT_SOME_FAILED, CODE_GRADER_MEMORY},
        {had_it_before, true, 42, CODE_NONE},
        {takes_more_in_its_oracle, true, EXIT_USAGE, CODE_NONE},
        {aborts, false, EXIT_GRADER, CODE_NONE},
        {is_killed, false, EXIT_GRADER, CODE_NONE},
        {computes_for_ever, false, EXIT_SOME_FAILED, CODE_GRADER_TIME},
        {computes_within, false, 42, CODE_NONE},
        {computes_before, false, 42, CODE_NONE},
        {computes_in_its_oracle, false, 42, CODE_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].is_of_memory && !BINDS_MEMORY) {
            continue;
        }
        bounds = grader_bounds_new();
        watch = oracle_watch_new(60000);
        assert_int_equal(grader_bounds_code(bounds), CODE_NONE);
        int status = supervise(rows[i].task, NULL, watch, bounds);
        if (status != rows[i].status || grader_bounds_code(bounds) != rows[i].code) {
            fail_msg("row %zu: status %d, code %d", i, status, (int)grader_bounds_code(bounds));
        }
        grader_bounds_free(bounds);
        oracle_watch_free(watch);
    }
    grader_bounds_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bound_that_is_reached_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
