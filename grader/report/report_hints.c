/* report_hints.c: see report_hints.h. */
#include "report/report_hints.h"

#include <string.h>

/* What a compiler or the linker said is told whatever the rubric wants. */
static bool is_of_compiler(const struct cause *cause)
{
    enum cause_kind kind = code_cause(cause->code);

    return kind == CAUSE_COMPILE || kind == CAUSE_LINK;
}

/* The message without what explains it. A named mistake that has no other becomes an ordinary wrong
 * result: its name is the explanation. */
static void locate_only(struct cause *cause)
{
    if (cause->code == CODE_NAMED_MISTAKE) {
        cause->code = CODE_MISMATCH;
        cause->message = code_title(CODE_MISMATCH);
        cause->label = NULL;
        cause->also_count = 0;
    }
    if (cause->plain != NULL && cause->plain[0] != '\0') {
        cause->message = cause->plain;
    }
    cause->hint = "";
}

static void report_kind_only(struct cause *cause)
{
    enum code code = cause->code == CODE_NAMED_MISTAKE ? CODE_MISMATCH : cause->code;

    if (code == CODE_NONE) { /* the grader's or the machine's trouble, not the submission's */
        return;
    }
    *cause = (struct cause){
        .code = code, .message = cause_title(code_cause(code)), .file = "", .hint = ""};
}

/* Drops a fact by its key. */
static void drop_fact(struct evidence *facts, size_t *count, const char *key)
{
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (strcmp(facts[i].key, key) != 0) {
            facts[kept++] = facts[i];
        }
    }
    *count = kept;
}

static bool is_failing(const struct verdict *verdict)
{
    return verdict->status == STATUS_FAILED || verdict->status == STATUS_PARTIAL;
}

static void limit_verdict(struct verdict *verdict, enum hints hints)
{
    struct cause *cause = &verdict->cause;

    if (is_of_compiler(cause)) {
        cause->hint = "";
        cause->fix_count = 0;
        return;
    }
    if (verdict->only_hidden) { /* it tells the kind of cause, and no more */
        locate_only(cause);
        return;
    }
    if (hints == HINTS_LOCATE) {
        locate_only(cause);
        drop_fact(verdict->evidence, &verdict->evidence_count, "mistake");
        return;
    }
    if (is_failing(verdict) && cause->code != CODE_NONE) {
        verdict->summary = cause_title(code_cause(cause->code));
        verdict->evidence_count = 0;
        verdict->measured_count = 0;
        report_kind_only(cause);
    }
    cause->hint = "";
    verdict->map = NULL;
}

/* Drops the fixes that were tried; those of compilers belong to their messages. */
static void drop_fix(struct cause *cause)
{
    if (!is_of_compiler(cause)) {
        cause->fix_count = 0;
    }
}

static void keep_remarks_of_compilers(struct report *report, struct arena *arena)
{
    struct remark *kept = arena_array(arena, report->remark_count, sizeof *kept);
    size_t count = 0;

    for (size_t i = 0; i < report->remark_count; i++) {
        if (report->remarks[i].is_of_compiler) {
            kept[count++] = report->remarks[i];
        }
    }
    report->remarks = kept;
    report->remark_count = count;
}

void report_apply_hints(const struct report *report, enum hints hints, struct arena *arena,
                        struct report *out_report)
{
    struct report copy = *report;

    copy.hints = hints == HINTS_FIX ? HINTS_EXPLAIN : hints;
    if (hints == HINTS_FIX) {
        *out_report = copy;
        return;
    }
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);
    for (size_t i = 0; i < report->verdict_count; i++) {
        verdicts[i] = report->verdicts[i];
        drop_fix(&verdicts[i].cause);
        if (hints != HINTS_EXPLAIN) {
            limit_verdict(&verdicts[i], hints);
        }
    }
    copy.verdicts = verdicts;
    if (hints == HINTS_NONE) {
        keep_remarks_of_compilers(&copy, arena);
        copy.finding_count = 0;
        copy.profile_count = 0;
    }
    *out_report = copy;
}

void report_limit_findings(const struct report *report, enum hints hints, struct arena *arena,
                           struct report *out_report)
{
    struct report copy = *report;

    copy.hints = hints == HINTS_FIX ? HINTS_EXPLAIN : hints;
    if (hints == HINTS_NONE) {
        struct finding *findings = arena_array(arena, report->finding_count, sizeof *findings);
        for (size_t i = 0; i < report->finding_count; i++) {
            const struct finding *finding = &report->findings[i];
            findings[i] = (struct finding){
                .code = finding->code,
                .severity = finding->severity,
                .message = cause_title(code_cause(finding->code)),
                .kernel = "",
                .launch = "",
                .count = finding->count,
                .is_limit = finding->is_limit,
                .is_rest = finding->is_rest,
            };
        }
        copy.findings = findings;
        keep_remarks_of_compilers(&copy, arena);
    }
    *out_report = copy;
}
