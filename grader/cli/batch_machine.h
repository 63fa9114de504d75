/* batch_machine.h: what is found out about the machine once for a whole batch, before its first
 * submission is graded, and would be found out anew by each check: sandbox, tools, oracle, devices.
 */
#ifndef GPUGRADE_CLI_BATCH_MACHINE_H
#define GPUGRADE_CLI_BATCH_MACHINE_H

#include "cli/batch_request.h"
#include "submission/device_plan.h"
#include "toolchain/toolchain.h"

struct batch_machine {
    struct sandbox sandbox;
    struct toolchain toolchain;
    const struct device_plan *plan;
};

/* Tries the sandbox. Errors: ERROR_ENVIRONMENT. */
enum error batch_machine_sandbox(const struct batch_request *request, struct batch_machine *machine,
                                 struct diagnostic *diagnostic);

/* Finds the tools, loads the oracle, so that those who are forked have it, and asks for GPUs; no
 * thread is left. Errors: those of toolchain.h and device_plan.h. */
enum error batch_machine_tools(const struct batch_request *request, const struct rubric *rubric,
                               struct arena *arena, struct batch_machine *machine,
                               struct diagnostic *diagnostic);

/* A key of what decides what is seen in a submission, but for its files and the seed: what the
 * rubric runs, the grader, the compiler, the device. */
const char *batch_machine_evidence(const struct batch_request *request, const struct rubric *rubric,
                                   const struct batch_machine *machine, struct arena *arena);

/* How many submissions the machine bears at once: one for each core, and for each GiB of memory
 * that is available. */
size_t machine_jobs(void);

#endif
