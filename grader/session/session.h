/* session.h: one run of one program against one device; here is decided what is asked of it.
 *
 *   launch run:  start device, load PTX, observe the kernel, start the program;
 *                first shape -> stop -> block edge; then for each case: send shape -> stop ->
 *                check operands -> snapshot -> probes -> restore -> resume
 *   print run:   start device, start the program, collect what it prints
 *
 * Nothing that the program says counts here, except its printouts.
 */
#ifndef GPUGRADE_SESSION_SESSION_H
#define GPUGRADE_SESSION_SESSION_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/case.h"
#include "model/observation.h"
#include "sandbox/sandbox.h"
#include "toolchain/toolchain.h"

struct session_config {
    const struct rubric *rubric;
    const struct toolchain *toolchain;
    const struct built_program *program;
    const char *device_path; /* the executable gpugrade-device */
    const char *gpu_model;
    uint32_t compute_major, compute_minor; /* of that model, for ptxas */
    uint32_t threads;                      /* of the emulated device; 0: all cores */
    uint64_t seed;
    const char *work_folder;                  /* private, absolute */
    struct session_resource_cache *resources; /* shared by the sessions of one program */
};

/* What ptxas says of one module, asked once. */
struct module_resources {
    bool known;
    const struct kernel_resources *kernels; /* [count] */
    size_t count;
};

/* Registers and so on of a program's modules. Zeroed at the start; used by one thread at a time. */
struct session_resource_cache {
    struct module_resources *modules; /* [module_count]; NULL until the first question */
};

/* The resources of all kernels of one module on the configured GPU model; they live as long as the
 * cache's first arena. Errors: those of toolchain_resources. */
enum error session_resources(const struct session_config *config, struct arena *arena,
                             size_t module, const struct kernel_resources **out_kernels,
                             size_t *out_count, struct diagnostic *diagnostic);

/* Runs one observed launch over all cases. The evidence lives in the arena. Errors are the
 * grader's or the machine's: ERROR_ENVIRONMENT, ERROR_INTERNAL, ERROR_PEER (the device died). */
enum error session_run_launch(const struct session_config *config, struct arena *arena,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic);

/* Runs a program for what it prints. */
enum error session_run_print(const struct session_config *config, struct arena *arena,
                             const char *const *arguments, size_t argument_count,
                             struct print_run *out_run, struct diagnostic *diagnostic);

#endif
