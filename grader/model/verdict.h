/* verdict.h: what a criterion says. */
#ifndef GPUGRADE_MODEL_VERDICT_H
#define GPUGRADE_MODEL_VERDICT_H

#include "model/advice.h"
#include "model/element_map.h"
#include "model/finding.h"
#include "model/line_fix.h"
#include "model/rubric.h"

enum status {
    STATUS_PASSED,
    STATUS_PARTIAL,
    STATUS_FAILED,
    STATUS_SKIPPED, /* this machine cannot measure it */
    STATUS_ERROR,   /* the grader, the rubric or the machine failed */
    STATUS_OPEN,    /* a person gives the points, and has not yet */
    STATUSES
};

struct tool_message; /* model/observation.h */
struct call_error;   /* model/observation.h */
struct wrong_result; /* criteria/results/wrong_result.h */

/* A further line that belongs to a cause. */
struct cause_mark {
    const char *file;
    int line, column;
    const char *label;
};

/* What a cause is about: needed to explain it and to find its place in the source. */
enum subject_kind {
    SUBJECT_NONE,     /* what the code of the cause says */
    SUBJECT_RESULT,   /* `result`: the values that the criterion's launch computes */
    SUBJECT_BASELINE, /* `result`: the values of the launch that it is compared with */
    SUBJECT_BUILD,    /* the build of `program`; `message` is its first error, or NULL */
    SUBJECT_FINDING,  /* `finding` */
    SUBJECT_CALL,     /* `call`, which failed or is not known */
    SUBJECT_PRINTOUT, /* `printout`; `line` is what was printed in its place, or NULL */
    SUBJECT_FUNCTION, /* what the function `name` of `program` returns */
    SUBJECT_CONSTANT, /* the constant `name` of `program`, never copied to */
    SUBJECT_COPY,     /* the copy to the constant `name` of `program`: it holds `value` */
};

struct subject {
    enum subject_kind kind;
    size_t program;
    const char *name;
    int64_t value;
    int64_t block_width; /* of the launch that shows the value */
    const struct tool_message *message;
    const struct finding *finding;
    const struct call_error *call;
    const struct rubric_printout *printout;
    const char *line; /* as it is shown */
    const struct wrong_result *result;
    bool is_of_baseline; /* of a criterion that compares with one: it is about that launch */
};

/* An element of an input that a wrong result lacks, as the device saw it. */
enum element_fault_kind {
    ELEMENT_NONE,
    ELEMENT_NOT_LOADED, /* nothing loads it */
    ELEMENT_REPLACED,   /* `other` is loaded instead */
};

struct element_fault {
    enum element_fault_kind kind;
    const char *operand, *name; /* "d_in", "d_in(0,1)" */
    size_t element, other;
    size_t columns;             /* of the operand, if it has rows; else 0 */
    uint32_t grid[3], block[3]; /* of the only launch; zeros: there are others, or it is unknown */
    const char *kernel;         /* its mangled name; NULL: unknown */
    const char *file;           /* what loads the others: line 0: unknown */
    int line;
};

/* Why a criterion did not pass. */
struct cause {
    enum code code;      /* CODE_NONE: there is no cause */
    const char *message; /* one sentence: expected, got */
    const char *file;    /* relative to the submission; "" where there is none */
    int line, column;    /* 0 where unknown */
    const char *hint;    /* the next step, worded by diagnosis; "" where there is none */
    struct subject subject;
    struct advice advice, more_advice; /* the next step, as the criterion chose it */
    struct element_fault lacks;
    const struct finding *reason; /* what probably brought this about; NULL: nothing is known */
    enum code because;            /* its code, where file:line is its place; else NONE */
    /* NULL where there is nothing of the kind: */
    const char *plain;      /* the message without its explanation, for rubrics that only locate */
    const char *difference; /* "got 1.5 instead of 2 in C(0,1): 0.5 too small, 25 %, 4194304 ulp" */
    const char *seen;       /* "in 8 of 8 shapes; for A 32x48, B 48x16 128 of 1536 elements" */
    const char *label;      /* what happens at file:line: "reads A(5,0), C(3,5) needs row 3" */
    bool is_last_store;     /* file:line only stores the wrong result, wherever that comes from */
    int mark_end;           /* the column after the mark, if more than a name is meant; else 0 */
    const struct tool_message *more; /* [more_count] further errors of the same compiler */
    size_t more_count;
    const struct cause_mark *also; /* [also_count] */
    size_t also_count;
    const struct line_fix *fixes; /* [fix_count] the change that a compiler proposes */
    size_t fix_count;
};

enum evidence_type { EVIDENCE_TEXT, EVIDENCE_NUMBER, EVIDENCE_INTEGER, EVIDENCE_BOOLEAN };

/* One named fact beside a verdict. */
struct evidence {
    const char *key;
    enum evidence_type type;
    const char *text;
    double number;
    int64_t integer; /* also the boolean */
};

enum { EVIDENCE_MAX = 48 };

struct verdict {
    const struct rubric_criterion *criterion;
    enum status status;
    double points;       /* 0 .. criterion->points */
    const char *summary; /* a few words for the screen: "8 shapes", "1 race" */
    struct cause cause;
    struct evidence evidence[EVIDENCE_MAX];
    size_t evidence_count;
    struct evidence measured[EVIDENCE_MAX]; /* what may differ from run to run */
    size_t measured_count;
    bool only_hidden; /* it fails only for hidden shapes: nothing that a student can run shows this
                         again */
    const struct element_map *map; /* of the output, where results are wrong; NULL: none */
};

const char *status_name(enum status status); /* "passed" */

/* True if the points count: the submission was judged by what it does. */
bool status_is_judged(enum status status);

/* Why a person should review a criterion of that status and cause: it failed because of something
 * that the device does not know ("an unknown instruction"), which the exercise may allow. NULL: no
 * review is needed. */
const char *status_review(enum status status, enum code code);

/* Appends a fact; silently nothing when the array is full (asserts in debug builds). The key and
 * the text must outlive the verdict. */
void verdict_add_text(struct verdict *verdict, const char *key, const char *text);
void verdict_add_number(struct verdict *verdict, const char *key, double number);
void verdict_add_integer(struct verdict *verdict, const char *key, int64_t integer);
void verdict_add_boolean(struct verdict *verdict, const char *key, bool value);

/* Likewise, to `measured`. */
void verdict_add_measured_text(struct verdict *verdict, const char *key, const char *text);
void verdict_add_measured_number(struct verdict *verdict, const char *key, double number);
void verdict_add_measured_integer(struct verdict *verdict, const char *key, int64_t integer);
void verdict_add_measured_boolean(struct verdict *verdict, const char *key, bool value);

#endif
