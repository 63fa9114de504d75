/* hidden_part.c: see hidden_part.h. */
#include "submission/hidden_part.h"

#include "base/clock.h"
#include "base/rng.h"
#include "criteria/criteria.h"
#include "criteria/outcome.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/location/exit_location.h"
#include "model/case.h"
#include "submission/findings_merge.h"
#include "submission/reference_runs.h"
#include "submission/remarks.h"
#include "submission/wanted_runs.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t STREAM_OF_HIDDEN_CASES = UINT64_C(0x68696464656E); /* "hidden" */

/* A seed that cannot be computed without the salt and the cases of the rubric. Points and words do
 * not change it: what is graded before and after such a change is graded alike. */
static uint64_t hidden_seed(const struct submission_config *config)
{
    enum { WORDS = 4, DIGITS = 16 };
    uint64_t words[WORDS] = {0};
    struct rng rng;

    for (size_t i = 0; i < WORDS; i++) {
        char digits[DIGITS + 1];
        memcpy(digits, config->rubric->secret_sha256 + i * DIGITS, DIGITS);
        digits[DIGITS] = '\0';
        words[i] = strtoull(digits, NULL, 16);
    }
    rng_init(&rng, config->seed, words[0], words[1], words[2]);
    uint64_t first = rng_next(&rng);
    rng_init(&rng, first, words[3], STREAM_OF_HIDDEN_CASES, 0);
    return rng_next(&rng);
}

/* The views of the rubric, and the cases that are hidden. */
static void prepare(struct hidden_part *part, struct arena *arena)
{
    struct case_part *visible = &part->visible;
    struct case_part *hidden = &part->hidden;

    part->whole = *part->config->rubric;
    part->whole.reports_hidden = true;
    visible->rubric = part->whole;
    visible->rubric.case_count -= part->whole.hidden_case_count;
    visible->config = *part->config;
    visible->config.rubric = &visible->rubric;
    visible->config.progress = NULL; /* no stage tells of what is hidden */
    visible->cases = part->cases;
    visible->case_count = part->case_count;
    hidden->rubric = rubric_hidden_view(&part->whole);
    hidden->config = visible->config;
    hidden->config.rubric = &hidden->rubric;
    hidden->config.seed = hidden_seed(part->config);
    cases_draw(arena, &hidden->rubric, hidden->config.seed, &hidden->cases, &hidden->case_count);
}

/* Copies the visible part's evidence of what does not depend on cases. */
static void start_evidence(const struct hidden_part *part, struct case_part *to,
                           struct arena *arena, bool with_launches)
{
    const struct rubric *rubric = &part->whole;
    const struct submission_evidence *from = part->input->evidence;

    to->launch_runs = arena_array(arena, rubric->launch_count, sizeof *to->launch_runs);
    to->print_runs = arena_array(arena, rubric->printout_count, sizeof *to->print_runs);
    to->gpu_print_runs = arena_array(arena, rubric->printout_count, sizeof *to->gpu_print_runs);
    to->resources = arena_array(arena, rubric->launch_count, sizeof *to->resources);
    for (size_t i = 0; i < rubric->launch_count; i++) {
        to->resources[i] = part->input->launch_resources[i];
        if (with_launches) {
            to->launch_runs[i] = from->launch_runs[i];
        }
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        to->print_runs[i] = from->print_runs[i];
        if (from->gpu_print_runs != NULL) {
            to->gpu_print_runs[i] = from->gpu_print_runs[i];
        }
    }
    to->evidence = (struct submission_evidence){
        .builds = from->builds,
        .launch_runs = to->launch_runs,
        .print_runs = to->print_runs,
        .gpu_print_runs = from->gpu_print_runs,
        .timings = part->timings,
    };
    to->input = *part->input;
    to->input.rubric = &to->rubric;
    to->input.evidence = &to->evidence;
    to->input.launch_resources = to->resources;
    to->input.is_known_correct = NULL; /* it has cases of its own */
}

static bool any_of(const bool *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (flags[i]) {
            return true;
        }
    }
    return false;
}

/* Runs one program again and puts what was seen into the evidence of a part. */
static enum error run_program(const struct hidden_part *part, struct case_part *to, size_t program,
                              const struct wanted_runs *wanted, struct arena *arena,
                              struct diagnostic *diagnostic)
{
    const struct rubric *rubric = &part->whole;
    struct program_job work = {
        .config = &to->config,
        .planning = part->planning,
        .pool = part->works[program].pool,
        .oracle = part->works[program].oracle,
        .work_folder = part->works[program].work_folder,
        .program = program,
        .cases = to->cases,
        .case_count = to->case_count,
        .launch_wanted = wanted->launches,
        .printout_wanted = wanted->printouts,
    };

    program_job_run_again(&work, &part->works[program]);
    arena_adopt(arena, work.arena);
    if (work.error != ERROR_NONE) {
        *diagnostic = work.diagnostic;
        return work.error;
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        if (wanted->launches[i] && rubric->launches[i].program == program) {
            to->launch_runs[i] = work.launch_runs[i];
            to->resources[i] = work.launch_resources[i];
        }
    }
    for (size_t i = 0; i < rubric->printout_count; i++) {
        if (wanted->printouts[i] && rubric->printouts[i].program == program) {
            to->print_runs[i] = work.print_runs[i];
            to->gpu_print_runs[i] = work.gpu_print_runs[i];
            if (work.gpu_print_runs[i].activity.ran) {
                to->evidence.gpu_print_runs = to->gpu_print_runs;
            }
        }
    }
    return ERROR_NONE;
}

static enum error run_part(const struct hidden_part *part, struct case_part *to,
                           const struct wanted_runs *wanted, struct arena *arena,
                           struct diagnostic *diagnostic)
{
    const struct rubric *rubric = &part->whole;
    enum error error = ERROR_NONE;

    if (!any_of(wanted->launches, rubric->launch_count) &&
        !any_of(wanted->printouts, rubric->printout_count)) {
        return ERROR_NONE;
    }
    for (size_t i = 0; i < rubric->program_count && error == ERROR_NONE; i++) {
        error = run_program(part, to, i, wanted, arena, diagnostic);
    }
    return error;
}

/* Takes out what the visible part has run. */
static void leave_out(bool *wanted, const bool *done, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wanted[i] = wanted[i] && !done[i];
    }
}

/* What is told of an error in here, where a message could name what is hidden. */
static void hide_error(const struct hidden_part *part, enum error error,
                       struct diagnostic *diagnostic)
{
    if (!part->config->for_instructor) {
        diagnostic_set(diagnostic, diagnostic->blame,
                       "the hidden cases of the rubric could not be run: %s", error_text(error));
    }
}

enum error hidden_part_run(struct hidden_part *part, struct arena *arena,
                           struct diagnostic *diagnostic)
{
    const struct rubric *rubric = part->config->rubric;
    size_t visible_count = rubric->criterion_count - rubric->hidden_criterion_count;
    uint64_t start_ns = clock_now_ns();

    prepare(part, arena);
    part->timings = arena_array(arena, rubric->criterion_count, sizeof *part->timings);
    start_evidence(part, &part->visible, arena, true);
    start_evidence(part, &part->hidden, arena, false);
    struct wanted_runs done = wanted_runs_list(arena, part->config, 0, visible_count);
    struct wanted_runs wanted = wanted_runs_list(arena, part->config, 0, rubric->criterion_count);
    struct wanted_runs more = wanted_runs_list(arena, part->config, 0, rubric->criterion_count);
    leave_out(more.launches, done.launches, rubric->launch_count);
    leave_out(more.printouts, done.printouts, rubric->printout_count);
    enum error error = run_part(part, &part->visible, &more, arena, diagnostic);
    if (error == ERROR_NONE && part->hidden.case_count > 0) {
        /* the printouts do not depend on cases */
        memcpy(part->hidden.print_runs, part->visible.print_runs,
               rubric->printout_count * sizeof *part->hidden.print_runs);
        part->hidden.evidence.gpu_print_runs = part->visible.evidence.gpu_print_runs;
        memset(wanted.printouts, 0, rubric->printout_count * sizeof(bool));
        error = run_part(part, &part->hidden, &wanted, arena, diagnostic);
    }
    reference_runs_add(&part->visible.config, part->works, part->visible.cases,
                       part->visible.case_count, arena, &part->visible.evidence);
    if (part->hidden.case_count > 0) {
        reference_runs_add(&part->hidden.config, part->works, part->hidden.cases,
                           part->hidden.case_count, arena, &part->hidden.evidence);
    }
    if (error != ERROR_NONE) {
        hide_error(part, error, diagnostic);
    }
    part->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}

enum error hidden_part_time(struct hidden_part *part, const struct timing_job *visible,
                            struct arena *arena, struct diagnostic *diagnostic)
{
    const struct rubric *rubric = part->config->rubric;
    size_t first = rubric->criterion_count - rubric->hidden_criterion_count;
    uint64_t start_ns = clock_now_ns();
    struct timing_job timing = {
        .config = &part->visible.config,
        .plan = visible->plan,
        .works = visible->works,
        .prepared = visible->prepared,
        .first_criterion = first,
        .also = part->hidden.case_count > 0 ? &part->hidden.input : NULL,
    };
    enum error error = timing_job_run(&timing, &part->visible.input, arena, diagnostic);

    if (error == ERROR_NONE) {
        memcpy(part->timings, timing.timings, rubric->criterion_count * sizeof *part->timings);
        memcpy(part->timings, visible->timings, first * sizeof *part->timings);
        part->used_gpus = timing.used_gpus;
    } else {
        hide_error(part, error, diagnostic);
    }
    part->seconds += (double)(clock_now_ns() - start_ns) / (double)CLOCK_NS_PER_S;
    return error;
}

/* What a student is told of a criterion that does well in all that is visible and not in what is
 * hidden: that, and the kind of cause. Everything else stays as it is. */
static void report_hidden_failure(const struct verdict *hidden, struct arena *arena,
                                  struct verdict *verdict)
{
    static const char no_mistake[] = "this is not your mistake: tell your instructor";
    enum code code = hidden->cause.code;
    bool is_error = hidden->status == STATUS_ERROR;

    verdict->status = hidden->status;
    verdict->points = 0;
    verdict->measured_count = 0;
    verdict->map = NULL;
    verdict->only_hidden = true;
    if (code == CODE_NONE) {
        verdict->summary = "cannot be graded for a hidden shape";
        verdict->cause = cause_make(CODE_NONE, "a hidden shape could not be graded");
        verdict->cause.hint = no_mistake;
        return;
    }
    verdict->summary = arena_printf(arena, "%s for a hidden shape", cause_title(code_cause(code)));
    verdict->cause =
        cause_make(code, arena_printf(arena, "%s, for a hidden shape", code_title(code)));
    verdict->cause.hint =
        is_error ? no_mistake
                 : "every shape that you can see is right: think of other shapes that could break "
                   "your code, such as more or fewer tiles in one dimension";
    if (code == CODE_NAMED_MISTAKE) { /* where its name must not be told */
        verdict->cause.plain =
            arena_printf(arena, "%s, for a hidden shape", code_title(CODE_MISMATCH));
    }
}

/* True if what is hidden changes the verdict over what is visible. */
static bool hidden_counts(const struct verdict *visible, const struct verdict *hidden)
{
    bool visible_is_well = visible->status == STATUS_PASSED || visible->status == STATUS_PARTIAL;

    if (hidden->status == STATUS_FAILED) {
        /* a launch that fails over hidden cases is not timed */
        return visible_is_well || visible->status == STATUS_SKIPPED ||
               (visible->status == STATUS_ERROR && visible->criterion->kind == CRITERION_SPEEDUP);
    }
    return visible_is_well && hidden->status == STATUS_ERROR;
}

/* Judges a criterion over the hidden cases; false if they do not matter to it. */
static bool judge_hidden(const struct hidden_part *part, struct arena *arena,
                         const struct rubric_criterion *criterion, struct verdict *out_verdict)
{
    if (part->hidden.case_count == 0 || !criterion->has_launch) {
        return false;
    }
    criterion_judge(&part->hidden.input, arena, criterion, out_verdict);
    diagnosis_explain(&part->hidden.input, arena, out_verdict);
    return true;
}

/* Adds to a verdict what it comes to over the hidden cases, for an instructor. */
static void add_hidden_verdict(struct verdict *verdict, const struct verdict *hidden,
                               struct arena *arena)
{
    if (hidden_counts(verdict, hidden)) {
        *verdict = *hidden;
        verdict->summary = arena_printf(arena, "%s (hidden)", hidden->summary);
    }
    if (verdict->evidence_count < EVIDENCE_MAX) {
        verdict_add_text(verdict, "hidden_cases", status_name(hidden->status));
    }
}

/* Marks a hidden criterion in its title, for an instructor. */
static void mark_criterion(struct verdict *verdict, struct arena *arena)
{
    struct rubric_criterion *copy = arena_alloc(arena, sizeof *copy);

    if (verdict->criterion->hidden) {
        *copy = *verdict->criterion;
        copy->title = arena_printf(arena, "%s (hidden)", copy->title);
        verdict->criterion = copy;
    }
}

static void judge_criteria(const struct hidden_part *part, struct arena *arena,
                           const struct report *visible, struct verdict *out_student,
                           struct report *full)
{
    const struct rubric *rubric = part->config->rubric;
    struct verdict *verdicts = arena_array(arena, rubric->criterion_count, sizeof *verdicts);
    size_t count = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        struct verdict *verdict = &verdicts[count];
        struct verdict hidden;
        if (!criterion_is_judged(part->config, criterion)) {
            continue;
        }
        if (count < visible->verdict_count) {
            *verdict = visible->verdicts[count];
            out_student[count] = *verdict;
        } else {
            criterion_judge(&part->visible.input, arena, criterion, verdict);
            diagnosis_explain(&part->visible.input, arena, verdict);
        }
        if (judge_hidden(part, arena, criterion, &hidden)) {
            if (count < visible->verdict_count && hidden_counts(verdict, &hidden)) {
                report_hidden_failure(&hidden, arena, &out_student[count]);
            }
            add_hidden_verdict(verdict, &hidden, arena);
        }
        mark_criterion(verdict, arena);
        count++;
    }
    full->verdicts = verdicts;
    full->verdict_count = count;
}

/* One launch over all cases: the visible ones, then the hidden ones under their numbers in the
 * whole rubric. */
static struct launch_run join_runs(const struct hidden_part *part, struct arena *arena,
                                   const struct launch_run *visible,
                                   const struct launch_run *hidden)
{
    struct launch_run run = *visible;
    size_t count = visible->observation_count;
    struct observation *observations =
        arena_array(arena, count + hidden->observation_count, sizeof *observations);
    size_t finding_count = visible->activity.finding_count + hidden->activity.finding_count;
    struct finding *findings = arena_array(arena, finding_count, sizeof *findings);
    size_t error_count = visible->activity.call_error_count + hidden->activity.call_error_count;
    struct call_error *errors = arena_array(arena, error_count, sizeof *errors);

    for (size_t i = 0; i < count; i++) {
        observations[i] = visible->observations[i];
    }
    for (size_t i = 0; i < hidden->observation_count; i++) {
        if (hidden->observations[i].case_index != SIZE_MAX) { /* the first shape came before */
            observations[count] = hidden->observations[i];
            observations[count++].case_index += part->visible.rubric.case_count;
        }
    }
    for (size_t i = 0; i < finding_count; i++) {
        size_t of_visible = visible->activity.finding_count;
        findings[i] = i < of_visible ? visible->activity.findings[i]
                                     : hidden->activity.findings[i - of_visible];
    }
    for (size_t i = 0; i < error_count; i++) {
        size_t of_visible = visible->activity.call_error_count;
        errors[i] = i < of_visible ? visible->activity.call_errors[i]
                                   : hidden->activity.call_errors[i - of_visible];
    }
    run.observations = observations;
    run.observation_count = count;
    run.activity.findings = findings;
    run.activity.finding_count = finding_count;
    run.activity.call_errors = errors;
    run.activity.call_error_count = error_count;
    return run;
}

/* True if a remark is in the list, or one at the same place. */
static bool has_remark(const struct report *report, const struct remark *remark)
{
    for (size_t i = 0; i < report->remark_count; i++) {
        const struct remark *old = &report->remarks[i];
        if (strcmp(old->file, remark->file) == 0 && old->line == remark->line &&
            (remark->line > 0 || strcmp(old->message, remark->message) == 0)) {
            return true;
        }
    }
    return false;
}

/* Findings and remarks of all runs. */
static void collect_all(const struct hidden_part *part, struct arena *arena, struct report *full)
{
    struct submission_evidence evidence = part->visible.evidence;
    struct launch_run *runs = arena_array(arena, part->whole.launch_count, sizeof *runs);
    const struct remark *seen = NULL;
    size_t seen_count = 0;

    for (size_t i = 0; i < part->whole.launch_count; i++) {
        runs[i] = join_runs(part, arena, &part->visible.evidence.launch_runs[i],
                            &part->hidden.evidence.launch_runs[i]);
    }
    evidence.launch_runs = runs;
    findings_merge(arena, &part->whole, &evidence, &full->findings, &full->finding_count);
    locate_exits(arena, part->input->index, full);
    const struct remark_sources sources = {&part->whole, &evidence, full->verdicts,
                                           full->verdict_count};
    remarks_collect(arena, &sources, &seen, &seen_count);
    struct remark *remarks = arena_array(arena, full->remark_count + seen_count, sizeof *remarks);
    size_t count = 0;
    for (size_t i = 0; i < full->remark_count; i++) {
        remarks[count++] = full->remarks[i];
    }
    for (size_t i = 0; i < seen_count; i++) {
        if (!has_remark(full, &seen[i])) {
            remarks[count++] = seen[i];
        }
    }
    full->remarks = remarks;
    full->remark_count = count;
}

const char *hidden_part_again(struct arena *arena, const struct submission_config *config)
{
    const char *options = config->rubric->public_options;

    return config->again_student == NULL ? config->again
                                         : arena_printf(arena, "%s%s%s", config->again_student,
                                                        options[0] == '\0' ? "" : " ", options);
}

void hidden_part_judge(const struct hidden_part *part, struct arena *arena, struct report *report)
{
    struct report *student = arena_alloc(arena, sizeof *student);
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);
    const struct report visible = *report;

    *student = visible;
    student->device_code = NULL; /* by which instructors compare */
    student->device_code_count = 0;
    student->verdicts = verdicts;
    student->again = hidden_part_again(arena, part->config);
    judge_criteria(part, arena, &visible, verdicts, report);
    collect_all(part, arena, report);
    report->rubric = &part->whole;
    report->student = student;
}
