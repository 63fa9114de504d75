/* oracle_watch.h: calls a coursework's oracle, and notes each call outside of the process.
 *
 *     supervisor --maps--> struct oracle_watch <--"inside needs()"-- grader --> oracle
 *
 * An oracle is foreign code in the grader's process: it can crash it, end it or never return. The
 * process that waits for the grader then reads here whose fault that was. The note is in memory
 * that parent and child share. One thread at a time is inside of an oracle; others wait.
 *
 * The functions that fill arrays put guards around them. What an oracle did wrong without a crash
 * is noted in the same way: the grader ends itself inside of the call (oracle_watch_fail).
 */
#ifndef GPUGRADE_MODEL_ORACLE_WATCH_H
#define GPUGRADE_MODEL_ORACLE_WATCH_H

#include "base/rng.h"
#include "model/oracle_problem.h"

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
    ORACLE_MISTAKE,
    ORACLE_EXPECT_ALL,
    ORACLE_MAKE_INPUTS,
    ORACLE_CHECK,
    ORACLE_DOUBTFUL,
};

struct oracle_watch {
    _Atomic uint64_t steps;        /* grows with each call and each return: odd is inside */
    _Atomic uint32_t call;         /* enum oracle_call: the latest */
    uint32_t limit_ms;             /* that one call may take */
    char name[ORACLE_NAME_BYTES];  /* "the oracle of 'vector_add' (/course/.../oracle.c)" */
    char fault[ORACLE_NAME_BYTES]; /* "writes outside of ...", if the grader ended itself for it */
    char ended[ORACLE_NAME_BYTES]; /* how it ended, by the supervisor; "": it did not end */
};

/* Maps one; call it before forking the process to watch. Aborts if there is no memory. */
struct oracle_watch *oracle_watch_new(uint32_t limit_ms);
void oracle_watch_free(struct oracle_watch *watch);

/* Mark that a call begins, and that it has returned; NULL is accepted. */
void oracle_watch_enter(struct oracle_watch *watch, enum oracle_call call);
void oracle_watch_leave(struct oracle_watch *watch);

/* Notes what the oracle did wrong in the call that has begun, and ends the process by SIGABRT. */
_Noreturn void oracle_watch_fail(struct oracle_watch *watch, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

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

/* What an oracle expects of one output, arrays [count]. */
struct oracle_results {
    double *expected;   /* of i64 and u64: the integers, rounded */
    int64_t *integers;  /* of i64 and u64, which wraps around; NULL: of another type */
    double *magnitudes; /* G */
};

/* True if the oracle can say what is expected of a launch's outputs. */
bool oracle_expects(const struct oracle *oracle, const struct rubric_launch *launch);

/* Asks what is expected of an output, an operand of the launch; free it by oracle_results_free. A
 * NaN is a fault of the oracle. Aborts without memory, as do the functions below. */
struct oracle_results oracle_expect_output(const struct oracle *oracle,
                                           const struct rubric_launch *launch,
                                           const struct posed_problem *problem, size_t operand);
void oracle_results_free(struct oracle_results *results);

/* What the first output is in order, and what a mistake makes of it, [output_count]; free it by
 * oracle_array_free. *out_differs is what compute() returns. */
float *oracle_in_order(const struct oracle *oracle, const struct oracle_problem *problem);
double *oracle_mistaken(const struct oracle *oracle, const struct oracle_mistake *mistake,
                        const struct oracle_problem *problem, int *out_differs);
void oracle_array_free(void *array);

/* Lets the oracle change the inputs of a problem, which may be written; does nothing if it makes
 * none. */
void oracle_make_inputs(const struct oracle *oracle, const struct rubric_launch *launch,
                        const struct posed_problem *problem, struct rng *rng);

/* The oracle's own judgement of all outputs, [output_total]; false: it objects. */
bool oracle_check(const struct oracle *oracle, const struct posed_problem *problem,
                  const void *const *outputs, struct oracle_objection *out_objection);

/* Marks the doubtful elements of an output, [count]; all 0 if the oracle has no such function. */
void oracle_doubtful(const struct oracle *oracle, const struct posed_problem *problem,
                     size_t output, unsigned char *out_doubtful);

/* "needs() of the oracle of 'vector_add' (/course/.../oracle.c)" to out_text [bytes]: the call that
 * has begun. */
void oracle_watch_describe(const struct oracle_watch *watch, char *out_text, size_t bytes);

#endif
