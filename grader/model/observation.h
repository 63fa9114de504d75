/* observation.h: what was seen of one submission; sessions write it, criteria read it.
 *
 *   submission_evidence
 *     program_build[programs]        how each program compiled
 *     launch_run[launches]           one run of a program with an observed launch
 *       observation[cases]           one case: geometry, operands, samples
 *         sample[probes]             one probe: inputs written, output read back, findings
 *     print_run[printouts]           one run of a program for what it prints
 *
 * Everything lives in the submission's arena.
 */
#ifndef GPUGRADE_MODEL_OBSERVATION_H
#define GPUGRADE_MODEL_OBSERVATION_H

#include "model/counts.h"
#include "model/finding.h"
#include "model/line_fix.h"
#include "model/rubric.h"
#include "model/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a compiler, or a student's program, ended. */
enum ending {
    ENDING_EXITED,    /* by itself; `exit_status` counts */
    ENDING_SIGNALLED, /* by a signal; `signal` counts */
    ENDING_WALL_LIMIT,
    ENDING_CPU_LIMIT,
    ENDING_MEMORY_LIMIT,
    ENDING_PROCESS_LIMIT,
    ENDING_FILE_LIMIT,
    ENDING_OUTPUT_LIMIT,
    ENDING_STOPPED, /* killed by the grader because nothing more was needed */
};

/* What a program that ended at its limit spent most of its time on. */
enum ending_use {
    ENDING_USE_UNKNOWN,
    ENDING_COMPUTED, /* it was busy */
    ENDING_SERVED,   /* the device worked for it */
    ENDING_WAITED,   /* neither: it slept, or waited for something that never came */
};

struct program_end {
    enum ending ending;
    enum ending_use use; /* ENDING_WALL_LIMIT */
    int exit_status;
    int signal;
    uint64_t limit;   /* the limit that was hit, in its unit (ns, bytes, processes); 0: none */
    uint64_t reached; /* how far it came, in that unit; 0: unknown */
    bool has_fault_address; /* a SIGSEGV or SIGBUS whose address is known; 0 is a null pointer */
    uint64_t fault_address;
};

struct cause_mark; /* model/verdict.h */

enum { MESSAGE_NOTES_MAX = 3 };

/* One message of a compiler, assembler or linker. */
struct tool_message {
    bool is_error;
    const char *file; /* relative to the submission, "" where there is none */
    int line, column; /* 0 where unknown */
    const char *message;
    const char *symbol; /* the function or variable that a linker's message is about, by its plain
                           name; NULL: none */
    const struct cause_mark *notes; /* [note_count] what it says of other lines of the submission,
                                       MESSAGE_NOTES_MAX at most */
    size_t note_count;
    const struct line_fix *fixes; /* [fix_count] all lines that must change together,
                                     FIX_LINES_MAX at most; none: the compiler proposes nothing */
    size_t fix_count;
};

/* What one kernel needs on one GPU model: what ptxas says or, without it, what the PTX tells. */
struct kernel_resources {
    const char *name;                         /* mangled */
    const char *plain_name;                   /* demangled, without template and call arguments */
    uint32_t registers;                       /* of a thread, as the device has them; 0: unknown */
    uint32_t registers_least, registers_most; /* they hold the number that ptxas would give; equal
                                                 to `registers`, or 0, where ptxas gave it */
    uint32_t static_shared_bytes;
    uint32_t local_bytes; /* stack frame */
    uint32_t spill_store_bytes, spill_load_bytes;
    uint32_t constant_bytes;
    uint32_t max_threads; /* of __launch_bounds__; 0: none */
};

/* Where a program defines a name. */
struct macro_place {
    const char *file;
    int line; /* 0: nowhere */
};

struct program_build {
    bool attempted; /* false: its sources are missing or no text */
    bool compiled;  /* the student's sources compile */
    bool linked;
    uint32_t capability;    /* 75: what it is compiled for is 7.5; 0: not attempted */
    enum code failure;      /* CODE_NONE if linked; CODE_COMPILE_ERROR, CODE_LINK_ERROR, ... */
    struct program_end end; /* of the tool that failed */
    const struct tool_message *messages; /* [message_count], errors first */
    size_t message_count;
    const char *failed_file;           /* for missing or unreadable sources, else "" */
    size_t failed_limit_bytes;         /* the limit that the size of that file exceeds; 0: it does
                                          not */
    const char *const *missing_macros; /* [missing_macro_count] overrides of the program that none
                                          of its files defines as a value that could be exchanged:
                                          they have no effect */
    const struct macro_place *missing_places; /* [missing_macro_count]: where they are defined in
                                                 another way; NULL: none is */
    size_t missing_macro_count;
    const struct kernel_resources *kernels; /* [kernel_count] of the student's own kernels, for the
                                               model in use; empty until they are asked for */
    size_t kernel_count;
};

enum probe_kind {
#define PROBE(name, text) PROBE_##name,
#include "model/probes.def"
#undef PROBE
    PROBE_COUNT
};

/* With inputs of their own, which a rubric may count. */
enum { PROBES_DRAWN = PROBE_COUNT - 1 };

enum sample_status {
    SAMPLE_DONE,
    SAMPLE_DEADLINE,    /* the launch took longer than its deadline */
    SAMPLE_UNSUPPORTED, /* an instruction that the device does not know; see findings */
    SAMPLE_FAULT,       /* the launch ended with an error that stops it, e.g. a deadlock */
};

/* One probe of one case. Arrays are in the order of the launch's operands; element counts are in
 * the observation. */
struct sample {
    enum probe_kind kind;
    enum sample_status status;
    const void *before[RUBRIC_OPERANDS_MAX]; /* what was written: inputs, or the poison */
    const void *after[RUBRIC_OPERANDS_MAX];  /* what was read back */
    const struct finding *findings;          /* [finding_count] */
    size_t finding_count;
    uint64_t instructions;       /* lane-instructions, 0 where the device does not count */
    struct launch_counts counts; /* of the launch; of a judged call: of all its launches together */
    const struct kernel_counts *kernels; /* [kernel_count] of a judged call, each kernel once */
    size_t kernel_count;
    struct call_work call; /* of a judged call; of an observed launch zeros */
};

struct launch_geometry {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
};

/* One case at one observed launch, or of one judged call. */
struct observation {
    size_t case_index;   /* in the rubric's cases; SIZE_MAX: the first shape */
    uint32_t repetition; /* which draw of that case */
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* in elements */
    int64_t block;                             /* the block width; 0 while unknown */
    bool launched;                             /* the observed kernel was launched in this case */
    uint32_t launch_count;                     /* how often; of a whole program, which launch was
                                                  judged: session_launch_number */
    struct launch_geometry geometry;           /* of the launch that is judged */
    const char *kernel;                        /* mangled name of what was launched */
    int64_t scalars[RUBRIC_OPERANDS_MAX];      /* the values found, in the order of the rubric */
    bool scalar_known[RUBRIC_OPERANDS_MAX];
    bool scalar_constant[RUBRIC_OPERANDS_MAX]; /* a symbol that lies in constant memory */
    enum code failure; /* why nothing was probed: CODE_BAD_OPERAND, ...; or NONE */
    const char *failure_message;
    struct host_place *failure_host; /* of a call: where the program did it; NULL: unknown */
    const char *failure_symbol;      /* the variable that it is about, of an operand; NULL: none */
    const struct tool_message *failure_place;   /* of a compiler, if the program did not build for
                                                   this case; NULL: there is none */
    size_t element_counts[RUBRIC_OPERANDS_MAX]; /* per operand */
    const struct sample *samples;               /* [sample_count] */
    size_t sample_count;
};

/* Memory that a program allocated at one place and never freed. */
struct leak {
    struct host_place place;
    uint64_t allocations, bytes;
};

/* What the streams of a program got, once it had made one, or memory that host and device share;
 * zeros before. */
struct stream_totals {
    uint64_t work;       /* copies, sets, launches */
    uint64_t bytes;      /* that they touched */
    uint64_t longest;    /* the most of them that came one after the other, in bytes */
    uint64_t host_waits; /* how often the host waited for them */
};

/* A call that the runtime refused. */
struct call_error {
    const char *call; /* "cudaMalloc" or "launch of `kernel`" */
    bool is_launch;
    bool is_fetched;     /* the program itself asked for the error: cudaGetLastError */
    const char *kernel;  /* its name if it is a launch, else "" */
    bool is_unknown;     /* a call that the runtime does not know */
    int cuda_error;      /* cudaError_t */
    const char *name;    /* "cudaErrorInvalidValue"; "" for a call of a library */
    const char *message; /* what was wrong, in our words; "" if there is nothing to add */
    enum code code;      /* what a library's call does to memory: GLOBAL_OUT_OF_BOUNDS or
                            UNINITIALISED_GLOBAL; else NONE */
    struct host_place place;
    uint64_t count;
};

/* What one run of a program did, besides its observed launches. */
struct program_activity {
    bool ran; /* false: the program was not built */
    struct program_end end;
    bool ended_early;   /* by itself, before it had read all of its input */
    bool lacks_begin;   /* of a program with input: it never marked where a case begins */
    bool lacks_end;     /* it did not mark where the case ends in which it ended, or was ended */
    const char *call;   /* where cases are judged calls, of this function; else NULL */
    const char *output; /* its standard output, [output_length], perhaps cut */
    size_t output_length;
    const char *errors; /* its standard error */
    size_t errors_length;
    const struct call_error *call_errors; /* [call_error_count], in the order they came */
    size_t call_error_count;
    const struct finding *findings; /* [finding_count] of launches on the program's own data */
    size_t finding_count;
    const struct leak *leaks; /* [leak_count] what was not freed when the program ended */
    size_t leak_count;
    struct stream_totals streams;
    struct host_place crash;     /* where its host code crashed */
    struct host_place recursion; /* it made request after request and crashed where a function calls
                                    itself: there; line 0: it did not */
    uint64_t launch_total;       /* launches of any kernel */
    uint64_t work;               /* units of all launches, probes included (work_limit.h) */
    bool asked_times;     /* it asked for the time between two events, which is an estimate */
    bool protocol_broken; /* the client channel carried what no honest client sends */
    bool foreign_module;  /* it was broken by device code that is not in the executable */
    bool forked_channel;  /* it was used by a process that is not the program */
    const char *protocol_message;
    bool device_is_confined; /* the process of the emulated device had given up what it does not
                                need before the program's first request was looked at */
};

/* One kernel that a program launches, as a first run shows it. */
struct surveyed_kernel {
    const char *name;       /* mangled */
    const char *plain_name; /* demangled, without template and call arguments */
    uint32_t launch_count;
    bool is_given;        /* the template's */
    bool uses_shared;     /* static or dynamic shared memory */
    bool writes_outputs;  /* an output operand had other bytes after its launch */
    uint32_t inputs_read; /* input operands that it loads from; where loads are not counted: that
                              change what it writes */
    bool has_allowed_block_width; /* the blocks of one of its launches have one */
    bool is_dynamic; /* the rubric asks for dynamic shared memory, and it has no other */
};

struct launch_run {
    const struct block_steps
        *steps; /* block_steps.h; NULL: none were asked for, or no launch had the
                                        block */
    struct program_activity activity; /* of a whole program, which runs once for each case: of the
                                         first case in trouble, else of the first that ended with a
                                         failure of its own, else of the last */
    const char *kernel; /* the plain name of the kernel that was chosen by a pattern; NULL: the
                           rubric names it, or the program launches none that could be meant */
    const struct surveyed_kernel *surveyed; /* [surveyed_count] in the order of their last
                                               launches; empty unless there was a pattern */
    size_t surveyed_count;
    const struct observation *observations; /* [observation_count], the first shape first */
    size_t observation_count;
};

struct print_run {
    struct program_activity activity;
    const char *file; /* [file_length] that the printout names; NULL: none is named, or it was not
                         written, is no plain file, or is larger than an output may be */
    size_t file_length;
    int64_t parameters[RUBRIC_PARAMETERS_MAX]; /* of the printout's case, if it has one */
};

/* An estimate with its 95 % interval. */
struct timing_ratio {
    double value, low, high;
};

/* What was timed for one criterion. Times are of one launch. */
struct timing_run {
    bool ran;          /* there was a GPU and something to time */
    enum code failure; /* why the submission could not be timed: a cause; or NONE */
    const char *failure_message;
    const char *trouble; /* why the machine could not time it, the grader's side; "" if it could */
    bool is_spoilt; /* `trouble`: launches of the grader's own failed, though they had worked before
                       the submission's ran */
    struct program_activity activity;
    const struct finding *findings; /* [finding_count] of the submission's launches */
    size_t finding_count;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];    /* in elements */
    int64_t block, reference_block;               /* block widths */
    double student_ns, baseline_ns, reference_ns; /* medians */
    struct timing_ratio speedup;                  /* baseline over student */
    struct timing_ratio reference;                /* baseline over reference */
    struct timing_ratio self;                     /* the reference over itself: 1 */
    bool is_ambiguous; /* after measuring again the interval is still wide */
    uint32_t blocks;   /* counterbalanced blocks that count */
    uint32_t
        rejected; /* counterbalanced blocks left out: the clock changed, or this machine was late */
    uint32_t delayed; /* of them: this machine was late */
    uint32_t launches_per_span;
    double clock_low_mhz, clock_high_mhz;       /* seen in what counts; 0: unknown */
    double baseline_low_mhz, reference_low_mhz; /* the lowest one of each; 0: unknown */
    uint64_t compared;           /* spans of the student's launch that were compared */
    uint64_t wrong_spans;        /* of them */
    uint64_t wrong, first_wrong; /* elements of the first wrong span */
    bool reads_back; /* the call has read what kernels computed; where spans are wrong, it has also
                        decided by that */
    uint64_t changed_spans; /* of those compared: the launch overwrote its inputs */
    uint64_t changed;       /* elements of them in the first such span */
    double copy_bandwidth;  /* bytes a second that copies within the GPU's memory
                                             read and write together; 0: unknown */
    double seconds;         /* that the measurement took */
};

/* What a program printed on GPUs other than the one that is judged for, in the order in which they
 * were asked for (criteria/criteria.h). */
struct other_prints {
    const struct print_run *runs; /* [count] */
    size_t count;
};

struct submission_evidence {
    const struct program_build *builds;      /* [program_count] */
    const struct launch_run *launch_runs;    /* [launch_count] */
    const struct launch_run *reference_runs; /* [launch_count] of the reference solution, empty but
                                                for those that a criterion compares with; NULL:
                                                there are none */
    const struct print_run *reference_print_runs; /* [printout_count], likewise */
    const struct print_run *print_runs;           /* [printout_count]; runs with equal program and
                                                arguments are made once and shared */
    const struct timing_run *timings;             /* [criterion_count]; empty but for speedup */
    const struct print_run *gpu_print_runs;  /* [printout_count] of the real GPU, beside those of
                                                the emulated one; NULL: there are none */
    const struct other_prints *other_prints; /* [criterion_count], empty for those of which none was
                                                wanted; NULL: none was */
    const struct launch_trace *const *traces;    /* [launch_count], NULL for those that were not
                                                 traced; NULL: none was */
    const struct followed_call *const *followed; /* [launch_count], likewise */
};

const char *probe_name(enum probe_kind kind);

/* The kind whose inputs a probe has: its own, but for PROBE_REORDERED. */
enum probe_kind probe_inputs(enum probe_kind kind);

#endif
