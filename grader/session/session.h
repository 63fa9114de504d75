/* session.h: one run of one program against one device; here is decided what is asked of it.
 *
 *   launch run:  start device, load PTX, observe the kernel, start the program;
 *                first shape -> stop -> block width; then for each case: send shape -> stop ->
 *                check operands -> snapshot -> probes -> restore -> resume
 *   print run:   start device, start the program, collect what it prints
 *   trace:       as a launch run up to one case, then one block of it in every detail
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
#include "session/device_link.h"
#include "toolchain/toolchain.h"

/* A real GPU of this machine. */
struct session_gpu {
    const char *uuid;
    uint32_t driver_version;
    const void *model; /* occupancy/gpu_model_record.h */
    size_t model_bytes;
};

/* Asks a device process for the real GPUs, in the driver's order (CUDA_VISIBLE_DEVICES counts). No
 * driver, or no GPU, is no error: *out_count is 0 and *out_reason says why. Errors: those of a
 * device process that does not answer. */
enum error session_list_gpus(const char *device_path, struct arena *arena,
                             const struct session_gpu **out_gpus, size_t *out_count,
                             const char **out_reason, struct diagnostic *diagnostic);

struct session_config {
    const struct rubric *rubric;
    const struct toolchain *toolchain;
    const struct built_program *program;
    const char *device_path; /* the executable gpugrade-device */
    struct device_choice device;
    uint32_t compute_major, compute_minor; /* of that model, for ptxas */
    uint32_t threads;                      /* of the emulated device; 0: all cores */
    uint64_t seed;
    const char *work_folder;                  /* private, absolute */
    struct session_resource_cache *resources; /* shared by the sessions of one program */
    struct session_account *account; /* shared by the sessions of one program, one at a time; NULL:
                                        each of them stands for itself */
    const struct program_build *first_build; /* if the program is built anew for a case: by its
                                                kernels' registers the device answers what the
                                                program asks; else NULL */
    const char *kernel; /* that was chosen for the launch in question; NULL: the rubric names it */
    bool given_only;    /* kernels of the harness's own modules alone are observed */
    bool is_trusted;    /* the reference solution on its way to the launch that is timed: it may do
                           any work, as a shape that is timed is larger than any that is judged */
    int64_t block; /* the block width of its blocks, if a run of another build told it; else 0 */
    uint32_t launch_number; /* which launch of a whole program is traced or timed, as its cases
                               showed: session_launch_number; 0: the first */
};

/* What ptxas makes of one module, asked once. */
struct module_resources {
    bool known;
    const struct kernel_resources *kernels; /* [count] */
    size_t count;
    const void *image; /* machine code for the model's compute capability */
    size_t image_bytes;
};

/* Registers and so on of a program's modules. Zeroed at the start; used by one thread at a time. */
struct session_resource_cache {
    struct module_resources *modules; /* [module_count]; NULL until the first question */
};

/* What the runs of one program have used so far of what they may use together. A program that never
 * ends costs that much once, however many of its runs meet it. */
struct session_account {
    uint64_t work;      /* units, of all launches on the emulated device */
    bool was_timed_out; /* a run was ended at a limit of time: those that follow get less */
};

/* Takes what a run has used off what those of its program may use that follow. Sessions with an
 * account do so themselves. */
void session_note_use(struct session_account *account, const struct program_activity *activity);

/* The resources of all kernels of one module on the configured GPU model; they live as long as the
 * cache's first arena. Errors: those of toolchain_assemble. */
enum error session_resources(const struct session_config *config, struct arena *arena,
                             size_t module, const struct kernel_resources **out_kernels,
                             size_t *out_count, struct diagnostic *diagnostic);

/* Runs one observed launch over all cases; of a program without input over one, the first shape if
 * there is none. Of several launches for one case the first one counts; of a program without input
 * that is the first one which has the right block width and leaves no element of an output as it
 * was, or else what comes next to it: launch_run.c. The evidence lives in the arena. Errors are the
 * grader's or the machine's: ERROR_ENVIRONMENT, ERROR_INTERNAL, ERROR_PEER (the device died). */
enum error session_run_launch(const struct session_config *config, struct arena *arena,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic);

/* Which launch of a whole program was judged in a run over its cases, counting those that differ in
 * geometry from the one before: in the case with these parameters in elements, or else the last one
 * in any case with that block width, or in any case. 0: none was. */
uint32_t session_launch_number(const struct launch_run *run, const int64_t *parameters,
                               int64_t block);

/* Runs a program of a launch with a pattern once, with the parameters `first` in elements, to see
 * which kernels it launches: fills out_run->activity, kernel and surveyed. The kernel is, among
 * those that match, one of the first of these kinds that there is: writes an output and uses shared
 * memory; uses shared memory and is not given, or given and changed so; writes an output and is not
 * given; is not given. Shared memory does not count where a kernel works on outputs and loads from
 * no input. Of several of a kind it is the one that loads from most inputs, then, if a criterion of
 * the launch is about dynamic shared memory, one that has no other, then one whose blocks have an
 * block width that is allowed, then the last launched. Of its launches the observation is of one
 * with an allowed block width if there is any, then of one of most threads, then of one with the
 * largest block width, then of the last. *out_block is that one's block width, 0 if it is not
 * allowed or there is none. Where no kernel is meant, and launches went wrong, the observation's
 * failure may be that of a given kernel whose operands do not fit. */
enum error session_select_kernel(const struct session_config *config, struct arena *arena,
                                 size_t launch, const int64_t *first, struct launch_run *out_run,
                                 int64_t *out_block, struct diagnostic *diagnostic);

/* Runs a program for what it prints. */
enum error session_run_print(const struct session_config *config, struct arena *arena,
                             const char *const *arguments, size_t argument_count,
                             struct print_run *out_run, struct diagnostic *diagnostic);

struct recipe_variable {
    const char *name;  /* mangled */
    const void *bytes; /* [length] */
    size_t length;
};

/* A launch that a program made of a case, held and never run: all that is needed to make it again
 * in another device process. */
struct launch_recipe {
    const struct built_program *program;
    size_t module;      /* of the program */
    uint32_t function;  /* of the module, in the order of its text */
    const char *kernel; /* mangled */
    struct launch_geometry geometry;
    bool is_cooperative;
    const uint8_t *parameters; /* [parameter_bytes] */
    size_t parameter_bytes;
    int64_t block;                                    /* the block width */
    size_t operand_offsets[RUBRIC_OPERANDS_MAX];      /* of the addresses in the parameters, in the
                                                         order of the rubric's operands */
    const char *operand_symbols[RUBRIC_OPERANDS_MAX]; /* mangled; NULL: it is a parameter */
    const struct recipe_variable *variables; /* [variable_count] of the module, as the program had
                                                set them */
    size_t variable_count;
};

/* Runs a trusted program on the emulated device until it launches `launch` for a case with these
 * parameters (in elements), and takes the recipe. Errors: ERROR_INTERNAL if it never does. */
enum error session_learn_launch(const struct session_config *config, struct arena *arena,
                                size_t launch, const int64_t *parameters,
                                struct launch_recipe *out_recipe, struct diagnostic *diagnostic);

/* What is to be timed. */
struct timing_task {
    const struct rubric_criterion *criterion; /* kind speedup */
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    const struct launch_recipe *baseline, *reference;
    const struct session_config *reference_config; /* whose `resources` give the machine code of
                                                      the recipes' modules: its program is the
                                                      reference's; that of the baseline's program is
                                                      baseline_config */
    const struct session_config *baseline_config;
    uint64_t budget_ns; /* of the measurement: 2 s, or 15 s */
};

/* Runs the submission's program on a real GPU until it launches for the task's case, and times that
 * launch against baseline and reference. What the submission gets wrong is in *out_run. Where a
 * launch of the grader's own failed, out_run->trouble, the submission's kernel may have caused it:
 * time once more before it is believed. Errors are the grader's or the machine's. */
enum error session_time_launch(const struct session_config *config, struct arena *arena,
                               const struct timing_task *task, struct timing_run *out_run,
                               struct diagnostic *diagnostic);

/* Runs a program on the emulated device until it launches for the case of the request, with inputs
 * whose values all differ (trace_inputs.h), and logs the accesses of one block. The trace lives in
 * the arena. NULL if there is none: the launch is not reached or does not end, whatever the reason;
 * the program's limits hold. */
const struct launch_trace *session_trace_launch(const struct session_config *config,
                                                struct arena *arena,
                                                const struct trace_request *request);

#endif
