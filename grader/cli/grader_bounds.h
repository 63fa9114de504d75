/* grader_bounds.h: how much memory and processor time the process that judges a submission may use.
 *
 *     supervisor --maps--> struct grader_bounds <--"memory is used up"-- grader
 *               --looks at its processor time, kills it--> grader
 *
 * What is graded is foreign: texts, names, code, amounts. Each is bounded where it is read, and
 * this is the bound on all of it together. A grader that reaches it ends, and whoever waits for it
 * reads here that it did: that is a failure of the submission, which is then reported without
 * looking at it further (submission_refuse). Without these bounds the kernel would choose what to
 * kill.
 *
 * Memory is counted by the kernel, as what the process asked for (RLIMIT_DATA). Processor time is
 * that of the process's own threads, not of what it starts, and without the moments at which an
 * oracle, which is the coursework's, computes. Neither depends on how busy the machine is.
 */
#ifndef GPUGRADE_CLI_GRADER_BOUNDS_H
#define GPUGRADE_CLI_GRADER_BOUNDS_H

#include "model/finding.h"
#include "model/oracle_watch.h"
#include "model/rubric.h"

enum grader_bound { BOUND_NONE, BOUND_MEMORY, BOUND_TIME };

/* In memory that parent and child share. */
struct grader_bounds {
    _Atomic uint64_t cpu_ns;  /* may be used; 0: it is not known yet */
    _Atomic uint32_t reached; /* enum grader_bound */
};

/* Maps one, to be made before the grader is forked. Aborts without memory. */
struct grader_bounds *grader_bounds_new(void);
void grader_bounds_free(struct grader_bounds *bounds);

/* The code for what was reached; CODE_NONE: nothing was. */
enum code grader_bounds_code(const struct grader_bounds *bounds);

/* Called by the grader once it knows its limits: binds this process, on top of the memory that it
 * has already. What it starts from then on has the same soft limit and must set its own. A process
 * that is refused memory from then on notes that and ends, unless an oracle asked. In a build with
 * a sanitizer, which maps what it likes, memory is not bound. */
void grader_bounds_enter(struct grader_bounds *bounds, const struct limits *limits,
                         const struct oracle_watch *watch);

#endif
