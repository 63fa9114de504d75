/* batch_machine.h: what a batch finds out about the machine once, before it grades the first
 * submission: sandbox, tools, oracle, devices. A single check finds this out each time. */
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

/* Finds the tools, loads the oracle, so that forked processes have it, and asks for GPUs. No thread
 * is running when it returns. Errors: those of toolchain.h and device_plan.h. */
enum error batch_machine_tools(const struct batch_request *request, const struct rubric *rubric,
                               struct arena *arena, struct batch_machine *machine,
                               struct diagnostic *diagnostic);

/* A key of everything that decides the results of a submission except its files and the seed: what
 * the rubric runs, the grader, the compiler, the device. */
const char *batch_machine_evidence(const struct batch_request *request, const struct rubric *rubric,
                                   const struct batch_machine *machine, struct arena *arena);

/* How many submissions the machine can grade at once: one for each core, but not more than one for
 * each GiB of available memory. */
size_t machine_jobs(void);

#endif
