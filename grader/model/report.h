/* report.h: everything that an emitter needs; emitters are pure functions of it. */
#ifndef GPUGRADE_MODEL_REPORT_H
#define GPUGRADE_MODEL_REPORT_H

#include "model/class_results.h"
#include "model/device_code.h"
#include "model/launch_profile.h"
#include "model/observation.h"
#include "model/report_diagnostic.h"
#include "model/verdict.h"

/* The text of one file of the submission, for showing lines under a finding. */
struct source_file {
    const char *name; /* relative to the submission */
    const char *text; /* well-formed UTF-8, NUL-terminated */
    size_t length;
};

/* A remark costs no points: runtime errors that the program fetched itself, nvcc's warnings. */
struct remark {
    const char *message;
    const char *file; /* "" where there is none */
    int line, column;
    bool is_of_compiler; /* a warning of nvcc's */
};

/* What a program of the submission wrote when it ran for visible criteria. */
struct program_output {
    const char *program; /* id in the rubric */
    bool is_errors;      /* its standard error, not its standard output */
    const char *bytes;   /* [length] the first of them; anything may be in them */
    size_t length;
    size_t left_out; /* how many more bytes there were */
};

struct named_seconds {
    const char *name; /* "build", "emulated", "total" */
    double seconds;
};

/* A device that took part. */
struct report_device {
    const char *kind;        /* "emulated" or "cuda" */
    const char *gpu_model;   /* "H200", or the real GPU's name */
    const char *uuid;        /* of a real GPU, else "" */
    uint32_t driver_version; /* 13000; 0: none */
};

/* How the submission's programs, and the compilers that read its text, were confined. */
struct report_sandbox {
    const char *tier;     /* "A", "B" or "C"; "": nothing was run */
    const char *note;     /* what it lacks; "" if nothing */
    const char *memory;   /* what bounds memory: "cgroup v2", "cgroup v1", "each process" */
    bool own_user;        /* each program has a user of its own */
    bool filters_calls;   /* system calls are filtered */
    bool confines_device; /* so is the emulated device's process */
};

/* What a class is ranked by (the rubric's leaderboard), of one submission. */
struct report_rank {
    const char *name;  /* "speedup", "instructions" */
    double value;      /* > 0; a speedup in hundredths */
    bool is_ascending; /* the smallest value is the best */
    const char *gpu;   /* that measured it; "": the emulated device counted it */
};

struct report {
    const struct rubric *rubric;
    const char *submission_name; /* as named on the command line */
    char submission_sha256[65];  /* over the names and contents of the graded files */
    const char *only;            /* id of the one criterion that was judged; NULL: all were */
    uint64_t seed;
    const struct report_device *devices; /* [device_count]; the first gave the diagnostics */
    size_t device_count;
    const char *gpu_note; /* why no real GPU took part; "" or NULL: one did, or none should */
    struct report_sandbox sandbox;
    const char *compiler; /* "nvcc 13.0", "clang 19.1.7"; see report_cuda_version */
    const char *grader_version;
    const struct verdict *verdicts; /* [verdict_count], in the rubric's order */
    size_t verdict_count;
    const struct finding *findings; /* [finding_count] */
    size_t finding_count;
    const struct remark *remarks; /* [remark_count] */
    size_t remark_count;
    const struct source_file *sources; /* [source_count] */
    size_t source_count;
    const struct named_seconds *seconds; /* [seconds_count] */
    size_t seconds_count;
    const struct program_output *outputs; /* [output_count], in the rubric's order; not empty */
    size_t output_count;
    const char *again; /* a command that repeats this check, without criterion */
    const struct launch_profile *profiles; /* [profile_count], in the rubric's order */
    size_t profile_count;
    const struct device_code *device_code; /* [device_code_count] programs that were built; for
                                              batches, shown in no report on one submission */
    size_t device_code_count;
    const struct report_diagnostic *diagnostics; /* [diagnostic_count], worst first; made last
                                                    (diagnostics_make), of what may be shown */
    size_t diagnostic_count;
    const struct block_steps
        *steps;            /* block_steps.h; NULL: none were asked for, or there are none */
    const char *step_page; /* where the page that replays them is, as a link beside this report;
                              NULL: nowhere */
    enum hints hints; /* how much is shown to students (report_hints); HINTS_EXPLAIN: everything,
                          with the fixes that causes have */
    const struct class_final *final; /* what a class makes of these points, for the top of the page;
                                        NULL: not in a class, or it must not be shown */
    const struct report_rank *rank;  /* of a score that was read; NULL: report_rank makes it */
    const struct report *student; /* what a student may see of it, made as if nothing were hidden;
                                     NULL: the same */
};

/* Sums over the verdicts. */
double report_score(const struct report *report); /* with bonus */
double report_bonus(const struct report *report); /* what of the score is bonus */
/* What could be earned, without bonus; of what is measurable: without skipped and error; of what
 * has one status. */
double report_max_score(const struct report *report);
double report_measurable_max(const struct report *report);
double report_points_with(const struct report *report, enum status status);
/* What to try after full marks, by the rubric; "" unless all that was judged has passed. */
const char *report_next_step(const struct report *report);
bool report_complete(const struct report *report);     /* no skipped, no error */
bool report_wants_review(const struct report *report); /* status_review of a criterion */
bool report_has_error(const struct report *report); /* the grader or the machine failed somewhere */

/* The version of the CUDA toolkit in the name of a compiler ("nvcc 13.0"); "" for another one. */
const char *report_cuda_version(const char *compiler);

double report_speedup(const struct report *report); /* the largest that was measured; 0: none */

/* What the submission is ranked by, of what its author may see: the largest speedup, or the
 * instructions of warps in the largest visible shape of each launch. False if the rubric has no
 * leaderboard, if nothing of it was measured, if the instructions of one of these launches were not
 * counted, or if the submission does not pass all criteria of the kinds compile, correct and
 * race-free. */
bool report_rank(const struct report *report, struct report_rank *out_rank);

#endif
