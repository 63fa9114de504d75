/* oracle_watch.h: calls a coursework's oracle, and notes each call outside of the process.
 *
 *     supervisor --maps--> struct oracle_watch <--"inside needs()"-- grader --> oracle
 *
 * An oracle is foreign code in the grader's process: it can crash it, end it or never return. The
 * process that waits for the grader then reads here whose fault that was. The note is in memory
 * that parent and child share. One thread at a time calls oracles.
 */
#ifndef GPUGRADE_MODEL_ORACLE_WATCH_H
#define GPUGRADE_MODEL_ORACLE_WATCH_H

#include "model/oracle.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ORACLE_LIMIT_MS = 60000, /* of one call; the slowest ones of a coursework take seconds */
    ORACLE_NAME_BYTES = 1024
};

/* What is called. */
enum oracle_call {
    ORACLE_LOADED, /* while it is loaded, its constructors run */
    ORACLE_EXPECT,
    ORACLE_EXPECT_IN_ORDER,
    ORACLE_NEEDS,
    ORACLE_MISTAKE
};

struct oracle_watch {
    _Atomic uint64_t steps;        /* grows with each call and each return: odd is inside */
    _Atomic uint32_t call;         /* enum oracle_call: the latest */
    uint32_t limit_ms;             /* that one call may take */
    char name[ORACLE_NAME_BYTES];  /* "the oracle of 'vector_add' (/course/.../oracle.c)" */
    char ended[ORACLE_NAME_BYTES]; /* how it ended, by the supervisor; "": it did not end */
};

/* Maps one; call it before forking the process to watch. Aborts if there is no memory. */
struct oracle_watch *oracle_watch_new(uint32_t limit_ms);
void oracle_watch_free(struct oracle_watch *watch);

/* Mark that a call begins, and that it has returned; NULL is accepted. */
void oracle_watch_enter(struct oracle_watch *watch, enum oracle_call call);
void oracle_watch_leave(struct oracle_watch *watch);

/* True if a call has begun and has not returned. */
bool oracle_watch_is_inside(const struct oracle_watch *watch);

/* Call the functions of an oracle so that its watch, if it has one, sees the call. The caller has
 * checked which functions the oracle has. */
void oracle_expect(const struct oracle *oracle, const struct oracle_problem *problem,
                   double *out_expected, double *out_magnitudes);
void oracle_expect_in_order(const struct oracle *oracle, const struct oracle_problem *problem,
                            float *out_expected);
size_t oracle_needs(const struct oracle *oracle, const struct oracle_problem *problem,
                    size_t element, struct oracle_need *out_needs, size_t capacity);
int oracle_mistake_values(const struct oracle *oracle, const struct oracle_mistake *mistake,
                          const struct oracle_problem *problem, double *out_values);

/* "needs() of the oracle of 'vector_add' (/course/.../oracle.c)" to out_text [bytes]: the call that
 * has begun. */
void oracle_watch_describe(const struct oracle_watch *watch, char *out_text, size_t bytes);

#endif
