/* oracle_watch.c: see oracle_watch.h. */
#include "model/oracle_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct oracle_watch *oracle_watch_new(uint32_t limit_ms)
{
    struct oracle_watch *watch =
        mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (watch == MAP_FAILED) {
        abort();
    }
    watch->limit_ms = limit_ms;
    return watch;
}

void oracle_watch_free(struct oracle_watch *watch)
{
    if (watch != NULL) {
        munmap(watch, sizeof *watch);
    }
}

void oracle_watch_enter(struct oracle_watch *watch, enum oracle_call call)
{
    if (watch != NULL) {
        atomic_store(&watch->call, (uint32_t)call);
        atomic_fetch_add(&watch->steps, 1);
    }
}

void oracle_watch_leave(struct oracle_watch *watch)
{
    if (watch != NULL) {
        atomic_fetch_add(&watch->steps, 1);
    }
}

bool oracle_watch_is_inside(const struct oracle_watch *watch)
{
    return atomic_load(&watch->steps) % 2 == 1;
}

void oracle_expect(const struct oracle *oracle, const struct oracle_problem *problem,
                   double *out_expected, double *out_magnitudes)
{
    oracle_watch_enter(oracle->watch, ORACLE_EXPECT);
    oracle->expect(problem, out_expected, out_magnitudes);
    oracle_watch_leave(oracle->watch);
}

void oracle_expect_in_order(const struct oracle *oracle, const struct oracle_problem *problem,
                            float *out_expected)
{
    oracle_watch_enter(oracle->watch, ORACLE_EXPECT_IN_ORDER);
    oracle->expect_in_order(problem, out_expected);
    oracle_watch_leave(oracle->watch);
}

size_t oracle_needs(const struct oracle *oracle, const struct oracle_problem *problem,
                    size_t element, struct oracle_need *out_needs, size_t capacity)
{
    oracle_watch_enter(oracle->watch, ORACLE_NEEDS);
    size_t count = oracle->needs(problem, element, out_needs, capacity);
    oracle_watch_leave(oracle->watch);
    return count;
}

int oracle_mistake_values(const struct oracle *oracle, const struct oracle_mistake *mistake,
                          const struct oracle_problem *problem, double *out_values)
{
    oracle_watch_enter(oracle->watch, ORACLE_MISTAKE);
    int differs = mistake->compute(problem, out_values);
    oracle_watch_leave(oracle->watch);
    return differs;
}

void oracle_watch_describe(const struct oracle_watch *watch, char *out_text, size_t bytes)
{
    static const char *const calls[] = {
        [ORACLE_LOADED] = "loading",
        [ORACLE_EXPECT] = "expect() of",
        [ORACLE_EXPECT_IN_ORDER] = "expect_in_order() of",
        [ORACLE_NEEDS] = "needs() of",
        [ORACLE_MISTAKE] = "a mistake's compute() of",
    };
    uint32_t call = atomic_load(&watch->call);

    snprintf(out_text, bytes, "%s %.*s", calls[call <= ORACLE_MISTAKE ? call : ORACLE_LOADED],
             (int)sizeof watch->name - 1, watch->name);
}
