/* oracle_watch.h: calls of a coursework's oracle, and a note outside of the process about them.
 *
 *     supervisor --maps--> struct oracle_watch <--"inside needs()"-- grader --> oracle
 *
 * An oracle is foreign code in the grader's process: it can crash it, end it or never come back.
 * Whoever waits for the process then reads here whose fault that was. The note is in memory that
 * parent and child share. One thread at a time calls oracles.
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
    char ended[ORACLE_NAME_BYTES]; /* what a supervisor said of its end; "": it did not end */
};

/* Maps one, to be made before the process to be watched is forked. Aborts without memory. */
struct oracle_watch *oracle_watch_new(uint32_t limit_ms);
void oracle_watch_free(struct oracle_watch *watch);

/* Marks that a call begins and that it came back; NULL is accepted. */
void oracle_watch_enter(struct oracle_watch *watch, enum oracle_call call);
void oracle_watch_leave(struct oracle_watch *watch);

/* True if a call has begun that did not come back. */
bool oracle_watch_is_inside(const struct oracle_watch *watch);

/* The functions of an oracle, called where its watch, if it has one, can see it. Which of them it
 * has, the caller has looked at. */
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
