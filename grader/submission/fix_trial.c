/* fix_trial.c: see fix_trial.h. */
#include "submission/fix_trial.h"

#include "diagnosis/fixes/fix_candidates.h"
#include "diagnosis/grouping/diagnostics.h"
#include "source/source_edit.h"
#include "submission/intake.h"

#include <string.h>

struct limits fix_trial_limits(const struct rubric *rubric)
{
    struct limits limits = rubric->limits;

    if (rubric->hints == HINTS_FIX) {
        limits.grader_memory_bytes *= 2; /* of the check, and of one trial at a time */
        limits.grader_cpu_ns *= 1 + 2 * FIX_TRIALS_MAX; /* alone, then with all criteria */
    }
    return limits;
}

enum {
    LIMITS_SHARE = 8,  /* a trial of one criterion has that part of the time that a check has */
    DEADLINE_COST = 4, /* trials that one costs which runs into a limit of time, or which passes
                          that criterion, but is not right: it was graded with all of its time */
};

/* One check of a changed copy. */
struct outcome {
    struct arena *arena;
    struct report report;
    bool is_graded;
};

/* The files with a change; false if one of its lines is not what the submission has. */
static bool change_files(struct arena *arena, const struct intake_files *files,
                         const struct line_fixes *change, struct intake_files *out_files)
{
    struct intake_file *changed = arena_array(arena, files->count, sizeof *changed);

    memcpy(changed, files->files, files->count * sizeof *changed);
    *out_files = *files;
    out_files->files = changed;
    for (size_t i = 0; i < change->count; i++) {
        if (intake_find(files, change->lines[i].file) == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < files->count; i++) {
        const struct source_file file = {files->files[i].name, files->files[i].bytes,
                                         files->files[i].length};
        bool is_changed = false;
        for (size_t j = 0; j < change->count; j++) {
            is_changed = is_changed || strcmp(change->lines[j].file, file.name) == 0;
        }
        changed[i].bytes = is_changed ? line_fixes_apply(arena, change, &file, &changed[i].length)
                                      : changed[i].bytes;
        if (changed[i].bytes == NULL) {
            return false;
        }
    }
    return true;
}

/* Grades the submission with a change: one criterion, or all if `only` is NULL. Call arena_free
 * afterwards. */
static struct outcome grade(const struct fix_trial *trial, const struct line_fixes *change,
                            const char *only)
{
    struct outcome outcome = {.arena = arena_new()};
    struct rubric rubric = *trial->config->rubric;
    struct submission_config config = *trial->config;
    struct device_plan plan = *trial->plan;
    struct intake_files files = *trial->files;
    struct diagnostic diagnostic = {.blame = BLAME_GRADER}; /* nobody asks why there is no fix */

    rubric.hints = HINTS_LOCATE; /* nothing is tried on top of it */
    if (only != NULL) {
        rubric.limits.program_wall_ns /= LIMITS_SHARE;
        rubric.limits.program_cpu_ns /= LIMITS_SHARE;
        rubric.limits.launch_emulated_ns /= LIMITS_SHARE;
    }
    plan.gpus = (struct gpu_choice){.reason = ""};
    config.rubric = &rubric;
    config.device = DEVICE_EMULATED;
    config.plan = &plan;
    config.only = only;
    config.progress = NULL;
    outcome.is_graded =
        change_files(outcome.arena, trial->files, change, &files) &&
        trial->grade(&config, &files, outcome.arena, &outcome.report, &diagnostic) == ERROR_NONE;
    return outcome;
}

/* The verdict on a criterion in a report; NULL: it was not judged. */
static const struct verdict *verdict_on(const struct report *report, const char *id)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (strcmp(report->verdicts[i].criterion->id, id) == 0) {
            return &report->verdicts[i];
        }
    }
    return NULL;
}

static bool is_failing(const struct verdict *verdict)
{
    return verdict->status == STATUS_FAILED || verdict->status == STATUS_PARTIAL;
}

static bool is_of(const struct report_diagnostic *diagnostic, size_t verdict)
{
    for (size_t i = 0; i < diagnostic->verdict_count; i++) {
        if (diagnostic->verdicts[i] == verdict) {
            return true;
        }
    }
    return false;
}

/* True if two criteria look at the same launch. */
static bool share_launch(const struct rubric_criterion *left, const struct rubric_criterion *right)
{
    return left->has_launch && right->has_launch && left->launch == right->launch;
}

/* True if a criterion is about what a launch costs, which may have a reason of its own. */
static bool is_of_cost(const struct rubric_criterion *criterion)
{
    return criterion->kind == CRITERION_TILED || criterion->kind == CRITERION_SAVED_LOADS ||
           criterion->kind == CRITERION_BANK_CONFLICTS || criterion->kind == CRITERION_COALESCING ||
           criterion->kind == CRITERION_COUNTED || criterion->kind == CRITERION_SPEEDUP;
}

/* True if the device found something of a kind that it had not found before, such as threads that
 * leave before a barrier. That costs nothing by itself, but is no way to fix anything. */
static bool has_new_finding(const struct report *before, const struct report *after)
{
    for (size_t i = 0; i < after->finding_count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < before->finding_count && !is_known; j++) {
            is_known = before->findings[j].code == after->findings[i].code;
        }
        if (!is_known) {
            return true;
        }
    }
    return false;
}

/* True if a change that gives `after` is right: see fix_trial.h. */
static bool is_right(const struct report *before, const struct report_diagnostic *diagnostic,
                     const struct report *after)
{
    const struct rubric_criterion *own = before->verdicts[diagnostic->verdicts[0]].criterion;

    for (size_t i = 0; i < before->verdict_count; i++) {
        const struct verdict *old = &before->verdicts[i];
        const struct verdict *new = verdict_on(after, old->criterion->id);
        bool must_pass =
            old->criterion == own || (!is_of_cost(old->criterion) &&
                                      (is_of(diagnostic, i) || share_launch(old->criterion, own)));
        bool passes = new != NULL &&new->status == STATUS_PASSED;
        if (new == NULL || (is_failing(old) && (passes ? old->criterion->no_fix : must_pass))) {
            return false;
        }
        bool is_unmeasured = new->status == STATUS_SKIPPED || new->status == STATUS_OPEN;
        if (!is_unmeasured && (new->points < old->points || new->status == STATUS_ERROR)) {
            return false;
        }
    }
    return !has_new_finding(before, after);
}

/* True if a diagnostic is about what students are to find out. */
static bool is_kept_back(const struct report *report, const struct report_diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostic->verdict_count; i++) {
        if (report->verdicts[diagnostic->verdicts[i]].criterion->no_fix) {
            return true;
        }
    }
    return false;
}

static void keep_fix(struct arena *arena, const struct line_fixes *fix, struct cause *cause)
{
    struct line_fixes *kept = arena_alloc(arena, sizeof *kept);

    *kept = *fix;
    cause->fixes = kept->lines;
    cause->fix_count = kept->count;
}

/* True if a change is right. Most candidates are not, and fail the first criterion alone. Adds what
 * it cost, in trials. */
static bool works(const struct fix_trial *trial, const struct report *report,
                  const struct report_diagnostic *diagnostic, const struct line_fixes *change,
                  size_t *cost)
{
    const char *own = report->verdicts[diagnostic->verdicts[0]].criterion->id;
    struct outcome alone = grade(trial, change, own);
    const struct verdict *verdict = alone.is_graded ? verdict_on(&alone.report, own) : NULL;
    bool is_passed = verdict != NULL && verdict->status == STATUS_PASSED;
    bool is_late =
        verdict != NULL && !is_passed && code_cause(verdict->cause.code) == CAUSE_TIMEOUT;

    *cost += is_late ? DEADLINE_COST : 1;
    arena_free(alone.arena);
    if (!is_passed) {
        return false;
    }
    struct outcome whole = grade(trial, change, NULL);
    bool is_well = whole.is_graded && is_right(report, diagnostic, &whole.report);
    arena_free(whole.arena);
    *cost += is_well ? 0 : DEADLINE_COST;
    return is_well;
}

/* Tries candidates for one diagnostic, while less than `limit` are spent. */
static void try_candidates(const struct fix_trial *trial, struct arena *arena,
                           const struct report *report, const struct report_diagnostic *diagnostic,
                           size_t limit, size_t *spent, struct cause *cause)
{
    const struct fix_request request = {trial->input, report, diagnostic};
    struct line_fixes candidates[FIX_CANDIDATES_MAX];
    size_t count = fix_candidates_make(&request, arena, candidates, FIX_CANDIDATES_MAX);

    for (size_t i = 0; i < count && *spent < limit && cause->fix_count == 0; i++) {
        if (works(trial, report, diagnostic, &candidates[i], spent)) {
            keep_fix(arena, &candidates[i], cause);
        }
    }
}

void fix_trial_run(const struct fix_trial *trial, struct arena *arena, const struct report *report,
                   struct verdict *verdicts)
{
    const struct submission_config *config = trial->config;
    struct report grouped = *report;
    size_t spent = 0;

    if (config->rubric->hints != HINTS_FIX || config->only != NULL || trial->plan->runs_on_gpu) {
        return;
    }
    if (config->progress != NULL) {
        config->progress(config->progress_context, "trying fixes");
    }
    diagnostics_make(&grouped, arena);
    for (size_t i = 0; i < grouped.diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &grouped.diagnostics[i];
        if (diagnostic->verdict_count > 0 && diagnostic->fix_count == 0 &&
            !is_kept_back(&grouped, diagnostic)) {
            size_t left = FIX_TRIALS_MAX - (spent < FIX_TRIALS_MAX ? spent : FIX_TRIALS_MAX);
            size_t share = left / (grouped.diagnostic_count - i); /* the rest needs some too */
            try_candidates(trial, arena, &grouped, diagnostic, spent + share, &spent,
                           &verdicts[diagnostic->verdicts[0]].cause);
        }
    }
}
