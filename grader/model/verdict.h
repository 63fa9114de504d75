/* verdict.h: what a criterion says. */
#ifndef GPUGRADE_MODEL_VERDICT_H
#define GPUGRADE_MODEL_VERDICT_H

#include "model/finding.h"
#include "model/rubric.h"

enum status { STATUS_PASSED, STATUS_PARTIAL, STATUS_FAILED, STATUS_SKIPPED, STATUS_ERROR };

/* Why a criterion did not pass. */
struct cause {
    enum code code;      /* CODE_NONE: there is no cause */
    const char *message; /* one sentence: expected, got */
    const char *file;    /* relative to the submission; "" where there is none */
    int line, column;    /* 0 where unknown */
    const char *hint;    /* the next step; "" where there is none */
    enum code because;   /* the finding at file:line that probably brought this about; NONE: none */
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
};

const char *status_name(enum status status); /* "passed" */

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
