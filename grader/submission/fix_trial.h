/* fix_trial.h: tries short changes of a submission, so that only those are shown that work.
 *
 *   diagnostic --fix_candidates.h--> candidates --> a copy of the files --> submission_grade
 *                                                                              |
 *             the cause's verdict gets the change  <-- all that failed for it passes, nothing
 *                                                      else gets worse
 *
 * A trial grades the first criterion of the diagnostic, and, if that passes, all visible ones, as
 * the check does, with the same seed, on the emulated device. Nothing is tried unless the rubric
 * shows fixes, so a check costs no more without them. At most FIX_TRIALS_MAX candidates are tried
 * in a check, shared among its diagnostics. Alone, each has an eighth of a program's and a launch's
 * time; one that needs more, and one that passes alone and then is not right, counts as four. No
 * fix is shown where a criterion with `no_fix` would pass, where a launch has other trouble that
 * stays, or where the device then finds something of another kind, if only to warn of it: then it
 * is not certain that the change is right.
 */
#ifndef GPUGRADE_SUBMISSION_FIX_TRIAL_H
#define GPUGRADE_SUBMISSION_FIX_TRIAL_H

#include "criteria/criteria_input.h"
#include "submission/device_plan.h"
#include "submission/submission_config.h"

enum { FIX_TRIALS_MAX = 40 };

struct intake_files; /* intake.h */

struct fix_trial {
    const struct submission_config *config; /* with the visible part of the rubric */
    const struct device_plan *plan;
    const struct intake_files *files;
    const struct criteria_input *input;
    /* submission_grade */
    enum error (*grade)(const struct submission_config *config, const struct intake_files *files,
                        struct arena *arena, struct report *out_report,
                        struct diagnostic *diagnostic);
};

/* The limits of a process that checks by that rubric: trials use it too. */
struct limits fix_trial_limits(const struct rubric *rubric);

/* Adds fixes to the causes of `verdicts`, those of `report`, which has no diagnostics yet. */
void fix_trial_run(const struct fix_trial *trial, struct arena *arena, const struct report *report,
                   struct verdict *verdicts);

#endif
