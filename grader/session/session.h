/* session.h: one run of one program on one device; decides what to ask of both.
 *
 *   launch run:  start device, load PTX, observe the kernel, start the program;
 *                first shape -> stop -> block width; then for each case: send shape -> stop ->
 *                check operands -> snapshot -> probes -> restore -> resume
 *   print run:   start device, start the program, collect what it prints
 *   trace:       as a launch run up to one case, then logs every access of one block
 *
 * Of what the program says, only its printouts count.
 */
#ifndef GPUGRADE_SESSION_SESSION_H
#define GPUGRADE_SESSION_SESSION_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/block_steps.h"
#include "model/case.h"
#include "model/observation.h"
#include "sandbox/sandbox.h"
#include "session/device_link.h"
#include "toolchain/toolchain.h"

#include <pthread.h>

/* A real GPU of this machine. */
struct session_gpu {
    const char *uuid;
    uint32_t driver_version;
    const void *model; /* occupancy/gpu_model_record.h */
    size_t model_bytes;
};

/* Asks a device process for the real GPUs, in the driver's order (CUDA_VISIBLE_DEVICES applies). A
 * missing driver or GPU is not an error: then *out_count is 0 and *out_reason says why. Errors:
 * those of a device process that does not answer. */
enum error session_list_gpus(const char *device_path, struct arena *arena,
                             const struct session_gpu **out_gpus, size_t *out_count,
                             const char **out_reason, struct diagnostic *diagnostic);

/* The coursework's oracle, which is loaded while programs are built: who asks waits for it. */
struct session_oracle {
    pthread_mutex_t mutex;
    pthread_cond_t known;
    bool is_known;
    const struct oracle *oracle; /* NULL: it could not be loaded */
};
#define SESSION_ORACLE_NEW                                                                         \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, NULL                           \
    }

void session_oracle_set(struct session_oracle *of, const struct oracle *oracle);
const struct oracle *session_oracle_get(struct session_oracle *of);

struct session_config {
    const struct rubric *rubric;
    const struct toolchain *toolchain;
    const struct built_program *program;
    struct session_oracle *oracle; /* that may make inputs; NULL: none */
    const char *device_path;       /* the executable gpugrade-device */
    struct device_choice device;
    uint32_t compute_major, compute_minor; /* of that model, for ptxas */
    uint32_t threads;                      /* of the emulated device; 0: all cores */
    uint64_t seed;
    const char *work_folder;                  /* private, absolute */
    struct session_resource_cache *resources; /* shared by the sessions of one program */
    struct session_account *account; /* shared by the sessions of one program, one at a time; NULL:
                                        each session has its own */
    const struct program_build *first_build; /* set if the program has its own build for a case: the
                                                device answers the program's questions with this
                                                build's registers; else NULL */
    const char *kernel; /* that was chosen for the launch in question; NULL: the rubric names it */
    bool given_only;    /* observe only kernels of the harness's own modules */
    bool is_reference;  /* the reference solution: its sources are in another folder, so none of its
                          kernels is a library's */
    bool keeps_files;   /* what the program writes to its folder is read: that is on this machine's
                           disk, not in memory */
    const struct given_file *files; /* [file_count] that lie in its folder as it starts; with
                                         keeps_files */
    size_t file_count;
    bool is_trusted; /* the reference solution, run up to the timed launch: its work has no limit,
                           because the timed shape is larger than any judged shape */
    int64_t block;   /* the block width, if it is known from a run of another build; else 0 */
    const struct step_request
        *steps;                /* session_run_launch logs the steps of a block, in a launch of
                                         the cases, or without any of the first shape; NULL: it
                                         does not */
    uint32_t launch_number;    /* which launch of a whole program is traced or timed, from
                               session_launch_number; 0: the first */
    const unsigned *variants;  /* of session_run_launch, for each case: the number of the
                                      variants of kernels that run in place of these
                                      (ptx/entry_variant.h); NULL: none do */
    uint64_t launch_work_most; /* units that a launch may use at most; 0: what the case allows */
    struct followed_call *follows; /* of a judged call only its probe is made, and its origins are
                                      filled in; NULL: all probes are made */
};

/* What ptxas makes of one module; it is run once. */
struct module_resources {
    bool known;
    const struct kernel_resources *kernels; /* [count] */
    size_t count;
    const void *image; /* machine code for the model's compute capability */
    size_t image_bytes;
};

/* Registers and other resources of a program's modules. Starts zeroed; used by one thread at a
 * time.
 */
struct session_resource_cache {
    struct module_resources *modules; /* [module_count]; NULL until the first question */
};

/* What the runs of one program have used so far of their common limits. A program that never ends
 * uses them up once, however many of its runs never end. */
struct session_account {
    uint64_t work;      /* units, of all launches on the emulated device */
    bool was_timed_out; /* a run was ended at a time limit: later runs get less time */
};

/* Subtracts what a run has used from what later runs of its program may use. Sessions with an
 * account do this themselves. */
void session_note_use(struct session_account *account, const struct program_activity *activity);

/* Returns the resources of all kernels of one module on the configured GPU model. They live as long
 * as the cache's first arena. Errors: those of toolchain_assemble. */
enum error session_resources(const struct session_config *config, struct arena *arena,
                             size_t module, const struct kernel_resources **out_kernels,
                             size_t *out_count, struct diagnostic *diagnostic);

/* Runs one observed launch over all cases. A program without input runs one case, or the first
 * shape if there is no case. If a case has several launches, the first one counts. For a program
 * without input, the first launch counts that has the right block width and writes every element of
 * its outputs, or else the one that comes closest (launch_run.c). The evidence lives in the arena.
 * Errors are the grader's or the machine's: ERROR_ENVIRONMENT, ERROR_INTERNAL, ERROR_PEER (the
 * device died). */
enum error session_run_launch(const struct session_config *config, struct arena *arena,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic);

/* Which launch of a whole program was judged in a run over its cases. Only launches that differ in
 * geometry from the one before are counted. It is taken from the case with these parameters, in
 * elements; or else from the last case with that block width; or else from the last case. 0: none.
 */
uint32_t session_launch_number(const struct launch_run *run, const int64_t *parameters,
                               int64_t block);

/* Runs a program once, with the parameters `first` in elements, to see which kernels it launches
 * and which one a launch with a pattern means. Fills out_run->activity, kernel and surveyed.
 *
 * Among the kernels that match the pattern, the first of these kinds that exists is chosen ("given"
 * are kernels of the template):
 *   - it writes an output and uses shared memory;
 *   - it uses shared memory and is not given, or is given and was changed to do so;
 *   - it writes an output and is not given;
 *   - it is not given.
 * Shared memory does not count if a kernel works on outputs and loads from no input. Among several
 * of one kind it prefers, in this order: the kernel that loads from most inputs; if a criterion of
 * the launch is about dynamic shared memory, one that has no other shared memory; one with an
 * allowed block width; the one launched last.
 *
 * The observation is of one of its launches, preferred in this order: one with an allowed block
 * width, one with most threads, one with the largest block width, the last one. *out_block is its
 * block width, or 0 if it is not allowed or there is no launch. If no kernel is chosen and launches
 * went wrong, the observation's failure may be that of a given kernel whose operands do not fit. */
enum error session_select_kernel(const struct session_config *config, struct arena *arena,
                                 size_t launch, const int64_t *first, struct launch_run *out_run,
                                 int64_t *out_block, struct diagnostic *diagnostic);

/* Runs a program for what it prints, with the arguments and the input of a printout. */
enum error session_run_print(const struct session_config *config, struct arena *arena,
                             const struct rubric_printout *printout, struct print_run *out_run,
                             struct diagnostic *diagnostic);

struct recorded_call;

struct recipe_variable {
    uint32_t module;   /* of the program */
    const char *name;  /* mangled */
    const void *bytes; /* [length] */
    size_t length;
};

/* A launch that a program made for a case, or a call. It was held or recorded and never run. This
 * is all that is needed to repeat it in another device process. */
struct launch_recipe {
    const struct built_program *program;
    int64_t block;                                    /* the block width */
    const struct recorded_call *record;               /* recorded_call.h */
    const char *operand_symbols[RUBRIC_OPERANDS_MAX]; /* mangled, of the first step's module, in the
                                                         order of the rubric's operands; NULL: it is
                                                         an allocation */
    const struct recipe_variable *variables; /* [variable_count] of the modules of the steps, with
                                                the values that the program had set */
    size_t variable_count;
};

/* Runs a trusted program on the emulated device until it launches `launch` for a case with these
 * parameters (in elements), and records the recipe. Errors: ERROR_INTERNAL if it never launches. */
enum error session_learn_launch(const struct session_config *config, struct arena *arena,
                                size_t launch, const int64_t *parameters,
                                struct launch_recipe *out_recipe, struct diagnostic *diagnostic);

/* What is to be timed. */
struct timing_task {
    const struct rubric_criterion *criterion; /* kind speedup */
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    const struct launch_recipe *baseline, *reference;
    const struct session_config *reference_config; /* of the reference's program; its `resources`
                                                      have the machine code of the recipe's modules;
                                                      baseline_config is the same for the
                                                      baseline's program */
    const struct session_config *baseline_config;
    uint64_t budget_ns; /* of the measurement: 2 s, or 15 s */
};

/* Runs the submission's program on a real GPU until it launches for the task's case, and times that
 * launch against baseline and reference. Mistakes of the submission are in *out_run. If one of the
 * grader's own launches failed (out_run->trouble), the submission's kernel may have caused it: time
 * again before you trust it. Errors are the grader's or the machine's. */
enum error session_time_launch(const struct session_config *config, struct arena *arena,
                               const struct timing_task *task, struct timing_run *out_run,
                               struct diagnostic *diagnostic);

/* Runs a program on the emulated device until it launches for the case of the request, with inputs
 * whose values all differ (trace_inputs.h), and logs the accesses of one block. The trace lives in
 * the arena. NULL if there is none because the launch is not reached or does not end, for whatever
 * reason. The program's limits apply. */
const struct launch_trace *session_trace_launch(const struct session_config *config,
                                                struct arena *arena,
                                                const struct trace_request *request);

#endif
