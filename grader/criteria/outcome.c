/* outcome.c: see outcome.h. */
#include "criteria/outcome.h"

#include <string.h>

struct cause cause_advised(enum code code, const char *message, struct advice advice)
{
    return (struct cause){
        .code = code, .message = message, .file = "", .hint = "", .advice = advice};
}

struct cause cause_make(enum code code, const char *message)
{
    return cause_advised(code, message, advise(ADVICE_OF_CODE));
}

void outcome_start(struct verdict *out_verdict, const struct rubric_criterion *criterion)
{
    memset(out_verdict, 0, sizeof *out_verdict);
    out_verdict->criterion = criterion;
    out_verdict->summary = "";
    out_verdict->cause = cause_make(CODE_NONE, "");
}

void outcome_pass(struct verdict *verdict, const char *summary)
{
    verdict->status = STATUS_PASSED;
    verdict->points = verdict->criterion->points;
    verdict->summary = summary;
    verdict->cause = cause_make(CODE_NONE, "");
}

void outcome_fail(struct verdict *verdict, const struct cause *cause, const char *summary)
{
    verdict->status = STATUS_FAILED;
    verdict->points = 0.0;
    verdict->summary = summary != NULL ? summary : cause_title(code_cause(cause->code));
    verdict->cause = *cause;
}

void outcome_error(struct verdict *verdict, const char *message, enum advice_id advice)
{
    verdict->status = STATUS_ERROR;
    verdict->points = 0.0;
    verdict->summary = "cannot be graded";
    verdict->cause = cause_advised(CODE_NONE, message, advise(advice));
    verdict_add_measured_text(verdict, "why", message);
}

void outcome_unprobed(struct verdict *verdict)
{
    outcome_error(verdict, "a case was launched but not probed", ADVICE_GRADER_MISTAKE);
}

void outcome_skip(struct verdict *verdict, const char *summary, const char *why)
{
    verdict->status = STATUS_SKIPPED;
    verdict->points = 0.0;
    verdict->summary = summary;
    verdict->cause = cause_make(CODE_NONE, "");
    verdict_add_measured_text(verdict, "why", why);
}

void outcome_open(struct verdict *verdict)
{
    outcome_skip(verdict, "a person gives these points", "a person gives these points");
    verdict->status = STATUS_OPEN;
}

void outcome_skip_unwatched(struct verdict *verdict)
{
    outcome_skip(verdict, "needs the emulated device",
                 "a real GPU does not show which accesses a kernel makes; check with --device auto "
                 "or emulated");
}
