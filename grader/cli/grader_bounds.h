/* grader_bounds.h: how much memory and processor time the process that judges a submission may use.
 *
 *     supervisor --maps--> struct grader_bounds <--"memory is used up"-- grader
 *               --looks at its processor time, kills it--> grader
 *
 * Everything in a submission comes from outside: texts, names, code, amounts. Each of them has a
 * limit where it is read; this is the limit for all of them together. A grader that reaches it
 * ends, and the process that waits for it reads here that it did. This is a failure of the
 * submission, which is then reported without grading it further (submission_refuse). Without these
 * bounds the kernel would choose which process to kill.
 *
 * The kernel counts the memory that the process asked for (RLIMIT_DATA). Processor time is that of
 * the process's own threads. It excludes the processes that it starts, and the time in an oracle,
 * which belongs to the coursework. Neither depends on how busy the machine is.
 */
#ifndef GPUGRADE_CLI_GRADER_BOUNDS_H
#define GPUGRADE_CLI_GRADER_BOUNDS_H

#include "model/finding.h"
#include "model/oracle_watch.h"
#include "model/rubric.h"

enum grader_bound { BOUND_NONE, BOUND_MEMORY, BOUND_TIME };

/* In memory that parent and child share. */
struct grader_bounds {
    _Atomic uint64_t cpu_ns;  /* the limit; 0: not known yet */
    _Atomic uint32_t reached; /* enum grader_bound */
};

/* Maps one. Call this before the grader is forked. Aborts if there is no memory. */
struct grader_bounds *grader_bounds_new(void);
void grader_bounds_free(struct grader_bounds *bounds);

/* The code for what was reached; CODE_NONE: nothing was. */
enum code grader_bounds_code(const struct grader_bounds *bounds);

/* Called by the grader once it knows its limits: limits this process, on top of the memory that it
 * already has. Processes that it starts later inherit the soft limit and must set their own. If the
 * process is then refused memory, it records that and ends, unless an oracle asked for the memory.
 * Memory is not limited in a build with a sanitizer, which maps memory of its own. */
void grader_bounds_enter(struct grader_bounds *bounds, const struct limits *limits,
                         const struct oracle_watch *watch);

#endif
