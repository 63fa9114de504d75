/* outcome.h: how the files of criteria/ write what they decided into a verdict.
 *
 * Summaries are a few words for the screen; a failed verdict without a summary of its own shows the
 * title of its cause. Texts must live as long as the verdict: literals or the arena.
 */
#ifndef GPUGRADE_CRITERIA_OUTCOME_H
#define GPUGRADE_CRITERIA_OUTCOME_H

#include "criteria/criteria_input.h"

/* Makes a cause without a place. Its hint is that of its code. */
struct cause cause_make(enum code code, const char *message);

/* The same with a hint of its own. */
struct cause cause_advised(enum code code, const char *message, struct advice advice);

/* Makes a verdict with its criterion set and everything else zero. */
void outcome_start(struct verdict *out_verdict, const struct rubric_criterion *criterion);

/* Gives all points. */
void outcome_pass(struct verdict *verdict, const char *summary);

/* Gives none. What the device does not know fails too: it is the submission's choice, and a person
 * is asked to look (status_review). `summary` may be NULL. */
void outcome_fail(struct verdict *verdict, const struct cause *cause, const char *summary);

/* The grader, the rubric or the machine cannot judge this: no cause code, status `error`. The
 * message is a measured fact, "why", because scores name only causes with codes. */
void outcome_error(struct verdict *verdict, const char *message, enum advice_id advice);

/* A case was launched, nothing is blocked, and yet there are no samples: the grader's mistake. */
void outcome_unprobed(struct verdict *verdict);

/* This machine cannot measure it: status `skipped`; `why` as above. */
void outcome_skip(struct verdict *verdict, const char *summary, const char *why);

/* A person gives the points: status `open`. */
void outcome_open(struct verdict *verdict);

/* Skips what only the emulated device watches. */
void outcome_skip_unwatched(struct verdict *verdict);

/* Decides a criterion of its kind; the verdict comes with its criterion set, and passes nothing. */
typedef void judge_function(const struct criteria_input *input, struct arena *arena,
                            struct verdict *verdict);

#define CRITERION(name, text, judge, ...) judge_function judge;
#include "model/criteria.def"
#undef CRITERION

#endif
