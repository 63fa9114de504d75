/* rubric.h: a rubric as plain structs; rubric/ fills it, sessions and criteria read it.
 *
 * Everything lives in the rubric's arena. Arrays are [count]. References between entries are
 * resolved to indices when the rubric is loaded, so no code looks up ids later.
 */
#ifndef GPUGRADE_MODEL_RUBRIC_H
#define GPUGRADE_MODEL_RUBRIC_H

#include "model/element.h"
#include "model/expression.h"
#include "model/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RUBRIC_PARAMETERS_MAX = 8,
    RUBRIC_OPERANDS_MAX = 8,
    RUBRIC_OVERRIDES_MAX = 16,
    RUBRIC_FILES_MAX = 16
};

/* Bytes that may cross to or from the host in a call, if the rubric does not say; a call may make
 * CALL_LAUNCH_RATIO times the launches of a simple solution, but at least CALL_LAUNCHES. */
enum { CALL_HOST_BYTES = 64, CALL_LAUNCHES = 16, CALL_LAUNCH_RATIO = 8 };

enum arithmetic {
    ARITHMETIC_EPSILON, /* compared within the bound of measuring: 16 u G */
    ARITHMETIC_NO_FMAD, /* compiled with -fmad=false, compared bit for bit */
    ARITHMETIC_EXACT,   /* nothing is rounded: compared bit for bit, with nvcc's own flags */
};

/* How much students are shown: `hints` in a rubric, "explain", "locate", "none" or "fix". */
enum hints {
    HINTS_EXPLAIN, /* everything but fixes that were tried */
    HINTS_LOCATE,  /* what was seen and where, expected and got; no hint, no named mistake */
    HINTS_NONE,    /* which criterion fails and its kind of cause; all messages of compilers */
    HINTS_FIX      /* everything; only this has fixes tried (submission/fix_trial.h) */
};

/* Every limit of a submission. 0 is never "no limit". */
struct limits {
    uint64_t compile_wall_ns;
    uint64_t compile_memory_bytes;
    uint64_t program_wall_ns; /* the clock stands still while a launch is held */
    uint64_t program_cpu_ns;
    uint64_t program_memory_bytes;
    uint32_t program_processes;
    uint64_t program_output_bytes;
    uint64_t program_file_bytes;
    uint64_t launch_emulated_ns;
    uint64_t launch_cuda_ns;
    uint64_t device_memory_bytes;
    uint64_t grader_memory_bytes; /* of the process that judges a submission */
    uint64_t grader_cpu_ns;       /* of each of the grader's own processes for a submission */
};

struct define {
    const char *name;
    const char *value;
};

/* A macro of a whole program that gets its value from the case. */
struct rubric_override {
    const char *name;               /* "A_WIDTH" */
    const struct expression *value; /* over the parameters and block, in elements */
};

/* One executable: the student's sources and the harness it is linked to; or a whole program, the
 * student's with a main of its own, which is built once for each case with other values of the
 * macros that `overrides` names. */
struct rubric_program {
    const char *id;
    const char *title;
    const char *const *sources; /* [source_count] in the student's folder */
    size_t source_count;
    const char *const *given; /* [given_count] template headers, copied next to the sources */
    size_t given_count;
    const char *const *harness; /* [harness_count] in reference/<coursework>/ */
    size_t harness_count;
    const char *const *flags; /* [flag_count] for nvcc, besides the grader's own */
    size_t flag_count;
    const struct define *defines; /* [define_count] for the harness and the sources */
    size_t define_count;
    const struct rubric_override *overrides; /* [override_count]; any: it is a whole program */
    size_t override_count;
    bool is_compatible; /* "compatibility": names that newer toolkits removed are there again */
    bool is_optional;   /* its sources may be missing: then only its own criteria fail */
};

/* True if it is built again for each case, with sizes that replace macros of its sources: it has
 * its own main(), and no harness drives it. */
static inline bool program_is_whole(const struct rubric_program *program)
{
    return program->override_count > 0;
}

/* A number of a case, e.g. a_height. Its value in a case is the drawn value times `unit`. */
struct rubric_parameter {
    const char *name;
    const struct expression *unit; /* over "block"; NULL: 1 */
};

/* The range from which a case draws one parameter, in units; or a list of values, "one_of", from
 * which it draws one (minimum and maximum are then the least and the largest of them). */
struct range {
    int64_t minimum, maximum;
    bool is_log;                   /* "log": each doubling from the minimum on is equally likely */
    const int64_t *choices;        /* [choice_count] */
    size_t choice_count;           /* 0: any whole number of the range */
    const struct expression *unit; /* in place of the parameter's, in this case; NULL: none */
};

/* Which values an input holds. */
struct value_domain {
    bool is_set;                           /* false: as inputs.h says */
    const struct expression *least, *most; /* over the parameters and block; NULL: as usual */
    const struct expression *distinct;     /* how many values there are at most; NULL: any number */
    double zero_share; /* each element is zero with this probability, whatever its range */
    bool is_sorted, is_permutation; /* ascending; 0 to count - 1, each once */
};

/* What the operands of a name hold in one case, in place of their own `values`. */
struct case_values {
    const char *operand;
    struct value_domain values;
};

struct rubric_case {
    const char *id;
    uint32_t repeat; /* how many cases are drawn from it */
    uint32_t probes; /* how many are made at most: the case is there for its size; 0: all */
    struct range values[RUBRIC_PARAMETERS_MAX]; /* one per parameter */
    const struct case_values *inputs;           /* [input_count] what operands hold in this case */
    size_t input_count;
    bool distinct; /* all values drawn from ranges must differ from each other; choices may not */
    bool hidden;
};

enum operand_role {
    OPERAND_INPUT,
    OPERAND_OUTPUT,
    OPERAND_IN_PLACE, /* holds an input before the launch and a result after it */
    OPERAND_SCRATCH,  /* poisoned before, free afterwards */
};

/* How an output is compared; criteria/results/compare.h says what each means. */
enum compare_kind {
    COMPARE_AS_USUAL, /* as `arithmetic` says */
    COMPARE_EXACT,
    COMPARE_BOUND,
    COMPARE_WITHIN,
    COMPARE_CHECK, /* by the oracle's check() */
};
struct compare_rule {
    enum compare_kind kind;
    const struct expression *additions; /* COMPARE_BOUND: of a sequential sum; NULL: not said */
    double absolute, relative, ulps, of_magnitude; /* COMPARE_WITHIN: the largest counts */
    bool has_share; /* elements that the oracle calls doubtful are free; of the others at most one,
                       or this share of them, may differ */
    double share;
};

/* Where a value is found at a launch. */
struct binding {
    bool is_nowhere; /* of a call */
    bool is_symbol;
    uint32_t argument;  /* from 0; the kernel's parameter, if not is_symbol */
    const char *symbol; /* the name in the source, if is_symbol */
};

/* How an operand of a program is written to a file, as model/wb.h reads it. */
enum operand_file {
    FILE_NONE,    /* the result, which is in no file */
    FILE_NUMBERS, /* the extents, then the numbers */
    FILE_IMAGE,   /* PPM, bytes of which 255 is the number 1 */
};

struct rubric_operand {
    const char *name;
    struct binding bind;
    enum element_type type;
    uint32_t lanes; /* of elements that are vectors, 2 to 4, which lie as tight as those of an array
                       (float3); their numbers count as elements wherever elements are counted, as
                       if the shape had one more extent; 0: no vectors */
    const struct expression *shape[3]; /* [rank], slowest first */
    size_t rank;
    enum operand_role role;
    bool is_in_host_memory; /* pinned; of a call, in which copies alone may use it. Of a whole
                               program that is one call: always */
    enum operand_file file; /* of such a program: what its file looks like; else FILE_NONE */
    int64_t largest; /* the largest magnitude that probes write to an integer input; 0: as usual */
    struct value_domain values;  /* of inputs */
    bool starts_as_zero;         /* an output: "initial": "zero", in place of the poison */
    struct compare_rule compare; /* of outputs */
    bool is_counted; /* only so many of its elements count as the operand `counter` holds */
    size_t counter;  /* index of an operand with one integer, which is an output too */
};

struct rubric_scalar {
    const char *name;
    struct binding bind; /* argument: must agree before a probe; symbol: evidence for criteria */
    enum element_type type;
    const struct expression *value;
};

/* What the grader judges: a launch that it observes; or a call of a student's function, which the
 * harness marks (gpugrade.h), with all launches, copies and sets in it. */
struct rubric_launch {
    const char *id;
    const char *title;
    size_t program;     /* index */
    const char *call;   /* the function: "launchTiled"; "main": the whole program, which reads its
                           operands from files; NULL: a launch is judged */
    const char *kernel; /* demangled name without template and call arguments; or, if
                           is_pattern, one with `*` for anything. Of a call the kernel that it must
                           launch, "": any */
    const char *const
        *keeps; /* [keep_count] of a call: device variables that keep their values from
                                 one call to the next */
    size_t keep_count;
    /* Of a call, over the parameters and block: the bytes that may go to the host, and to the
     * device; NULL: CALL_HOST_BYTES. And how many launches a simple solution needs; NULL: 1. */
    const struct expression *host_reads, *host_writes, *launches;
    bool allows_libraries; /* of a call: kernels of Thrust, CUB and so on may run */
    bool is_pattern;       /* which kernel is meant is chosen in a first run of the program:
                           session_select_kernel */
    const char *const *given_kernels; /* [given_kernel_count] of the template, which are no attempt
                                         as long as they use no shared memory */
    size_t given_kernel_count;
    const char *const *arguments; /* [argument_count] of the program in this run */
    size_t argument_count;
    const struct expression *const *input; /* [input_count]: the numbers of one stdin line a case */
    size_t input_count;
    int64_t first_values[RUBRIC_PARAMETERS_MAX]; /* in elements: the shape that is sent first, from
                                                    which the block width is learnt */
    bool has_first;
    /* The block width in a case, over the parameters that have no unit; NULL: it is learnt from the
     * first launch. */
    const struct expression *block;
    /* [block_count], rising: the block widths that are allowed, which are those that `block` gives
     * if the rubric lists none. blockDim.x is the block width. */
    const int64_t *blocks;
    size_t block_count;
    const struct expression *work; /* units that a simple kernel needs in a case (work_limit.h);
                                      NULL: not said */
    struct rubric_operand operands[RUBRIC_OPERANDS_MAX];
    size_t operand_count;
    struct rubric_scalar scalars[RUBRIC_OPERANDS_MAX];
    size_t scalar_count;
};

enum printout_form {
    PRINTOUT_INTEGER,
    PRINTOUT_FRACTION, /* a decimal number, or a percentage with "%" */
};

/* A line that the program prints: label, then a number. The last ones have no label: they are the
 * whole outputs that criteria of the kind output compare. */
/* A file that a program finds in the folder that it starts in. */
struct given_file {
    const char *name;  /* without a folder */
    const char *bytes; /* [length] */
    size_t length;
};

struct rubric_printout {
    const char *id;
    size_t program;
    const char *const *arguments; /* [argument_count] */
    size_t argument_count;
    const char *const *input; /* [input_count] lines of standard input */
    size_t input_count;
    const char *file;               /* that is compared in place of standard output; NULL: none */
    const struct given_file *files; /* [file_count] */
    size_t file_count;
    bool has_case;     /* texts have expressions in braces, over the parameters */
    size_t case_index; /* of the first case that is drawn of this one */
    const char *label; /* "Occupancy:"; the line starts with it after blanks */
    bool is_anywhere;  /* its words may stand anywhere in a line, if no line starts with it */
    enum printout_form form;
    bool table; /* many lines "label(n) = value" are wanted: see printout_table */
};

/* A formula that an occupancy printout may follow. */
struct rubric_formula {
    const char *id;
    const char *title;
    const struct expression *value; /* over threads, max_blocks, active_blocks, max_threads,
                                       multiprocessors */
};

enum criterion_kind {
#define CRITERION(name, text, ...) CRITERION_##name,
#include "model/criteria.def"
#undef CRITERION
    CRITERION_COUNT
};

/* What it means if a bound does not hold, in the rubric's own words. */
struct rubric_fault {
    enum code code;
    const char *title; /* a few words for the screen */
    const char *hint;  /* the next step */
};

struct rubric_criterion {
    const char *id;
    const char *title;
    enum criterion_kind kind;
    double points;
    bool hidden;
    bool bonus;               /* its points come on top of the total */
    bool no_fix;              /* no fix is shown that makes it pass */
    char evidence_sha256[65]; /* of what decides what is run and seen for it: struct rubric */
    bool has_launch;
    size_t launch; /* index, if has_launch */
    bool has_printout;
    size_t printout; /* index, if has_printout */
    /* kind dynamic and block-size */
    bool has_bytes_printout;
    size_t bytes_printout;                  /* index of the table "requiredSM(n) = bytes" */
    const struct expression *minimum_bytes; /* over block, threads; of block-size over threads
                                               alone; NULL: none */
    size_t scalar; /* index in the launch: the constant with the block width */
    bool has_scalar;
    /* kind occupancy */
    const struct rubric_formula *formulas; /* [formula_count] */
    size_t formula_count;
    /* kind race-free */
    bool allows_warp_races; /* races within a warp are remarks */
    /* kind tiled: bytes that active lanes may load from the inputs' allocations, over the
     * parameters and block */
    const struct expression *maximum_bytes;
    /* kinds bank-conflicts and coalescing: what each line, or each operand, may need */
    double maximum_ratio; /* wavefronts or sectors over the fewest possible */
    bool has_operands; /* coalescing: operands count, not lines; tiled, saved-loads: they alone */
    bool operand_counts[RUBRIC_OPERANDS_MAX]; /* in the order of the launch's operands */
    bool any_operand;                         /* "any_of": one of these operands is enough */
    /* kind saved-loads: what `baseline`, a launch of the submission's program with a given kernel,
     * loads from the inputs' allocations over what `launch` loads, in bytes of active lanes */
    const struct expression *ratio; /* that is expected, over the parameters and block */
    /* kind count: over the parameters, block, threads and measures of the launch (measure.h) */
    const struct expression *measure;
    const struct expression *at_most, *at_least; /* one of them may be NULL */
    const struct expression *from; /* a condition over the parameters: which cases are judged; NULL:
                                      all are */
    bool needs_base;               /* compares with counts of another case, */
    size_t base_case;              /* which is this one */
    const char *counted_kernel; /* only kernels of a call with names of this pattern; NULL: all */
    struct rubric_fault fails_with;
    bool needs_reference; /* kind output too: what the reference solution does is compared with */
    /* kind output: what `printout` is compared with */
    const char *const *expected; /* [expected_count] lines; NULL: what the reference prints */
    size_t expected_count;
    double tolerance; /* of numbers, times the expected one if that is above 1; 0: exact lines */
    /* kind speedup: `launch` is timed against the baseline and the reference solution's launch of
     * the same id. The baseline is a launch of the reference solution's program, which no other
     * criterion looks at, with operands of the same names. */
    size_t baseline; /* index of a launch; kind saved-loads too */
    const struct expression *timing_shape[RUBRIC_PARAMETERS_MAX]; /* in elements, over
                                                                     multiprocessors */
    const struct expression *operations;  /* floating-point operations, over the parameters */
    const struct expression *least_bytes; /* that any kernel must move, likewise */
    const struct expression *full_marks;  /* the speedup that earns all points, over `reference`,
                                             the reference solution's */
    double no_marks;                      /* the speedup that earns none */
    double smallest_reference; /* a reference whose interval starts below: nothing is graded */
    double step;               /* points are multiples of it: 0.5 */
};

/* What being late costs in a batch: batch/final_marks.h. */
struct late_policy {
    bool has_due;    /* false: no submission is late */
    int64_t due;     /* seconds since 1970 */
    int64_t grace_s; /* after it, without penalty */
    double per_day;  /* for each day that has begun: points, or percent of the maximum */
    bool is_percent;
    bool has_cut_off;  /* later submissions do not count: */
    int64_t cut_off_s; /* seconds after due */
};

/* Which of several attempts counts in a batch. */
enum attempts { ATTEMPTS_LATEST, ATTEMPTS_BEST };

/* What a criterion comes to that the machine could not measure: nothing, and it is not among what
 * marks are out of; 0 points; or all of them, if nothing is wrong with the launch. */
enum unmeasured { UNMEASURED_LEAVE_OUT, UNMEASURED_ZERO, UNMEASURED_FULL };

/* By what a class is ranked, where an instructor wants it: model/leaderboard.h. */
enum ranked_by { RANKED_BY_NOTHING, RANKED_BY_SPEEDUP, RANKED_BY_INSTRUCTIONS };

struct leaderboard_rule {
    enum ranked_by by;
    bool has_launch;
    size_t launch;     /* has_launch: the index of the only one that is looked at */
    const char *names; /* a secret from which names are made up; "": each store has its own */
};

struct rubric {
    const char *path; /* the file it came from */
    const char *id;   /* the coursework's id: names reference/<id> and student_template/<id> */
    int64_t version;
    const char *title;
    const char *about;        /* a sentence; "": none */
    const char *next;         /* what to try after full marks; "" or NULL: nothing */
    char sha256[65];          /* of the file, overlays included */
    char evidence_sha256[65]; /* of what decides what is run and seen: the rubric without points,
                                 words and policies, and the files of the coursework */
    char secret_sha256[65];   /* of the salt, the parameters and all cases: what hidden cases are
                                 drawn from, beside the seed */
    const char *whole_text;   /* [whole_length] all its files in one text, hidden parts included:
                                 rubric_parse of it gives this rubric again, without the files */
    size_t whole_length;
    struct late_policy late;
    enum attempts attempts;
    enum unmeasured unmeasured;
    struct leaderboard_rule leaderboard;
    const char *reference_folder; /* absolute */
    const char *template_folder;  /* absolute */
    const char *include_folder;   /* absolute: holds model/oracle.h */
    const char *common_folder;    /* absolute: what several oracles share, "common/..." in their
                                     #include lines is below its parent; it need not exist */
    enum arithmetic arithmetic;
    enum hints hints;
    bool checks_global_races; /* "global_races": true */
    const char *gpu_model;
    struct limits limits;
    const struct rubric_program *programs;
    size_t program_count;
    const struct rubric_parameter *parameters;
    size_t parameter_count;
    const struct rubric_case *cases; /* hidden ones last */
    size_t case_count;
    size_t hidden_case_count; /* of them */
    const struct rubric_launch *launches;
    size_t launch_count;
    const struct rubric_printout *printouts;
    size_t printout_count;
    const struct rubric_criterion *criteria; /* hidden ones last */
    size_t criterion_count;
    size_t hidden_criterion_count; /* of them */
    /* What students may know: the rubric without its hidden parts, in one file. */
    const char *public_text; /* [public_length] */
    size_t public_length;
    char public_sha256[65];     /* of it */
    const char *public_options; /* what chooses it for check: "--rubric rubric.json"; "" if nothing
                                   need be said */
    bool reports_hidden;        /* texts for an instructor: hidden shapes are named, and marked */
};

/* True if students do not see all of it. */
bool rubric_hides(const struct rubric *rubric);

/* Views of a rubric, which share its arrays: what students may know, and all criteria over the
 * hidden cases alone. */
struct rubric rubric_public_view(const struct rubric *rubric);
struct rubric rubric_hidden_view(const struct rubric *rubric);

/* The name of a criterion's kind in rubrics, "correct". */
const char *criterion_kind_name(enum criterion_kind kind);

/* True if the tiles of a launch, an index, must be in dynamic shared memory: a criterion checks
 * their bytes. If a whole program has several kernels, one with such tiles is the one meant. */
bool rubric_wants_dynamic(const struct rubric *rubric, size_t launch);

/* True if the loads of other launches are compared with those of a launch, an index: a criterion
 * has it as its baseline. If its program has a harness, its kernel is one of the harness's. */
bool rubric_counts_baseline(const struct rubric *rubric, size_t launch);

/* True of inputs, and of operands in place: they hold values before the launch. */
bool operand_has_values(const struct rubric_operand *operand);

/* True if a whole program, with a main() of its own, is judged as one call: it reads its inputs
 * from files, and hands over its result. */
bool launch_is_program(const struct rubric_launch *launch);

/* The same by the name of the call, which may be NULL. */
bool call_is_program(const char *call);

/* True of outputs, and of operands in place: what they hold after the launch is compared. */
bool operand_is_result(const struct rubric_operand *operand);

/* How many numbers an element of an operand is: 1, or 2 to 4 of a vector. */
size_t operand_lanes(const struct rubric_operand *operand);

#endif
