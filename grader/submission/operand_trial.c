/* operand_trial.c: see operand_trial.h. */
#include "submission/operand_trial.h"

#include "base/file.h"
#include "criteria/preconditions/sound_launch.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/dataflow/value_faults.h"
#include "diagnosis/fixes/edit_place.h"
#include "diagnosis/fixes/fix_candidates.h"
#include "diagnosis/fixes/kernel_copies.h"
#include "diagnosis/grouping/diagnostics.h"
#include "model/element.h"
#include "model/work_limit.h"
#include "ptx/entry_variant.h"
#include "source/source_index.h"
#include "submission/case_session.h"

#include <math.h>
#include <string.h>

enum {
    CHANGES_MAX = 128,     /* that are looked at */
    COPIES_MAX = 32,       /* that are compiled, */
    COPIES_BYTES = 400000, /* as far as they make about so much PTX */
    COMPILES_MAX = 2,      /* the second is without what the first refuses */
    RUNS_MAX = 16,         /* a change that ends the program costs another one */
    CONFIRMED_MAX = 3,     /* changes that are tried in all cases */
    WORK_RUNS = 4,         /* all runs together may do so many times the work of the judged one, */
    LAUNCH_WORK = 1 << 22, /* and that of a few such launches, */
    LAUNCHES = 16,         /* so many */
};
#define BATCH_BYTES ((size_t)64 << 20) /* of all results of a run */
#define FAR_OFF 0.01                   /* of the largest value that is expected */
#define PTX_BYTES_MAX ((size_t)8 << 20)

/* The changes for one diagnostic. */
struct changes {
    struct line_fixes items[CHANGES_MAX]; /* [count] */
    struct edit_place places[CHANGES_MAX];
    bool wanted[CHANGES_MAX];
    size_t count;
    const struct program_file *file; /* that all wanted ones are of */
};

/* What is tried for one launch. */
struct trying {
    const struct operand_trial *trial;
    struct arena *arena; /* of this diagnostic */
    size_t launch;
    struct program_job *program;
    const struct observation *wrong; /* the smallest case that is wrong */
    const struct drawn_case *drawn;  /* the same */
    struct changes *changes;
    struct device_text made; /* with a kernel for each change */
    struct built_program built;
    struct session_account account; /* of all runs */
    size_t confirmed;               /* changes that were tried in all cases */
    double *expected; /* [expected_count] of the first output in the wrong case, once it is known */
    size_t expected_count;
    double scale; /* the largest of them */
};

static bool is_looked_into(enum code code)
{
    return code == CODE_MISMATCH || code == CODE_NOT_WRITTEN || code == CODE_GLOBAL_OUT_OF_BOUNDS ||
           code == CODE_SHARED_OUT_OF_BOUNDS;
}

/* True if changes may be tried for a diagnostic: see operand_trial.h. */
static bool is_wanted(const struct operand_trial *trial, const struct report *report,
                      const struct report_diagnostic *diagnostic)
{
    const struct rubric *rubric = trial->config->rubric;

    if (diagnostic->verdict_count == 0 || diagnostic->fix_count > 0 ||
        !is_looked_into(diagnostic->code)) {
        return false;
    }
    for (size_t i = 0; i < diagnostic->verdict_count; i++) {
        if (report->verdicts[diagnostic->verdicts[i]].criterion->no_fix) {
            return false;
        }
    }
    const struct verdict *verdict = &report->verdicts[diagnostic->verdicts[0]];
    const struct rubric_criterion *criterion = verdict->criterion;
    if (!criterion->has_launch || verdict->only_hidden) {
        return false;
    }
    const struct wrong_result *result = verdict->cause.subject.result;
    if (result != NULL && result->kind != WRONG_VALUES && result->kind != WRONG_UNWRITTEN) {
        return false; /* what is known says more */
    }
    const struct rubric_launch *launch = &rubric->launches[criterion->launch];
    return !launch_is_program(launch) && launch->input_count > 0 &&
           !program_is_whole(&rubric->programs[launch->program]) &&
           trial->works[launch->program].built.build.linked;
}

/* How many copies of kernels may be compiled: what that takes grows with their PTX. */
static size_t copies_most(const struct trying *trying)
{
    const struct built_program *built = &trying->program->built;
    size_t bytes = 1;

    for (size_t i = 0; i < built->code.module_count; i++) {
        bool is_given = built->is_given != NULL && built->is_given[i];
        size_t length = is_given ? 0 : built->code.modules[i].length;
        bytes = length > bytes ? length : bytes;
    }
    return COPIES_BYTES / bytes < COPIES_MAX ? COPIES_BYTES / bytes : COPIES_MAX;
}

/* True if only what is computed can be wrong: what the results are made of is right. */
static bool reads_are_right(const struct trying *trying)
{
    const struct criteria_input *input = trying->trial->input;
    const struct followed_call *const *followed = input->evidence->followed;

    return followed != NULL && followed[trying->launch] != NULL &&
           followed[trying->launch]->is_known &&
           value_faults_find(input, followed[trying->launch]).kind == FAULT_COMPUTED;
}

/* Keeps the changes of kernels whose operand can be named, all of one file. */
static void choose_changes(struct trying *trying, const struct fix_request *request)
{
    const struct rubric *rubric = trying->trial->config->rubric;
    struct changes *changes = trying->changes;
    const struct program_source *source = source_index_program(
        request->input->index, &rubric->programs[rubric->launches[trying->launch].program]);

    const size_t most = copies_most(trying);
    const bool is_computed = reads_are_right(trying);
    size_t kept = 0;
    changes->count = fix_candidates_make(request, trying->arena, changes->items, CHANGES_MAX);
    for (size_t i = 0; i < changes->count && kept < most; i++) {
        const struct line_fixes *change = &changes->items[i];
        for (size_t j = 0; j < source->count && !changes->wanted[i]; j++) {
            const struct program_file *file = &source->files[j];
            struct edit_place *place = &changes->places[i];
            changes->wanted[i] = (changes->file == NULL || changes->file == file) &&
                                 kernel_copies_function(file, change) != NULL &&
                                 edit_place_find(trying->arena, change, place) &&
                                 !(is_computed && place->is_of_access && !place->is_of_start);
            kept += changes->wanted[i] ? 1 : 0;
            changes->file = changes->wanted[i] ? file : changes->file;
        }
    }
}

/* The files with another text for one of them. */
static struct intake_files with_text(struct arena *arena, const struct intake_files *files,
                                     const char *name, const struct kernel_copies *copies)
{
    struct intake_file *changed = arena_array(arena, files->count, sizeof *changed);
    struct intake_files all = *files;

    memcpy(changed, files->files, files->count * sizeof *changed);
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(changed[i].name, name) == 0) {
            changed[i].bytes = copies->text;
            changed[i].length = copies->length;
        }
    }
    all.files = changed;
    return all;
}

/* Takes back the changes in whose lines the compiler found errors; false if there are none. */
static bool drop_refused(struct changes *changes, const struct kernel_copies *copies,
                         const struct device_text *made)
{
    bool any = false;

    for (size_t i = 0; i < made->message_count; i++) {
        const struct tool_message *message = &made->messages[i];
        for (size_t j = 0; j < copies->line_count && message->is_error; j++) {
            const struct copied_lines *lines = &copies->lines[j];
            if (message->line >= lines->first && message->line <= lines->last) {
                any = any || changes->wanted[lines->change];
                changes->wanted[lines->change] = false;
            }
        }
    }
    return any;
}

/* Compiles the file with a kernel for each change; false if that is not possible. */
static bool compile_changes(struct trying *trying)
{
    const struct operand_trial *trial = trying->trial;
    struct arena *arena = trying->arena;
    struct changes *changes = trying->changes;
    const char *name = changes->file->tokens.file->name;
    struct diagnostic diagnostic; /* nobody asks why there is no place */

    for (size_t i = 0; i < COMPILES_MAX; i++) {
        struct kernel_copies copies = kernel_copies_make(
            arena, changes->file, changes->items, changes->wanted, changes->count, ENTRY_VARIANT);
        const char *folder =
            arena_printf(arena, "%s/operand-%zu-%zu", trial->work_folder, trying->launch, i);
        const struct intake_files files = with_text(arena, trial->files, name, &copies);
        struct intake intake;
        if (copies.taken == 0 || folder_make(folder, 0711, &diagnostic) != ERROR_NONE ||
            intake_place(arena, trial->config->rubric, &files, folder, &intake, &diagnostic) !=
                ERROR_NONE) {
            return false;
        }
        const struct build_request request = {
            .rubric = trial->config->rubric,
            .program = trying->program->program,
            .source_folder = intake.folder,
            .work_folder = folder,
        };
        trying->built.source_folder = intake.folder;
        if (toolchain_device_text(trial->config->toolchain, &request, name, arena, &trying->made,
                                  &diagnostic) != ERROR_NONE) {
            return false;
        }
        if (trying->made.text != NULL) {
            return true;
        }
        if (!drop_refused(changes, &copies, &trying->made)) {
            return false;
        }
    }
    return false;
}

/* True if a module has the kernels that the changes vary. */
static bool holds_kernels_of(struct arena *arena, const struct device_text *made,
                             const struct fat_module *module)
{
    static const char directive[] = ".entry ";
    const char *end = made->text + made->length;

    for (const char *at = made->text;
         (at = memmem(at, (size_t)(end - at), directive, strlen(directive))) != NULL;) {
        at += strlen(directive);
        const char *name = arena_strndup(arena, at, strcspn(at, "( \t\r\n"));
        unsigned number;
        const char *varied = entry_variant_of(arena, name, &number);
        if (varied != NULL) {
            return entry_is_in(module->text, module->length, varied);
        }
    }
    return false;
}

/* Puts the kernels of the changes into the program; false if their module is not found. */
static bool exchange_module(struct trying *trying)
{
    const struct fat_program *code = &trying->program->built.code;
    const struct device_text *made = &trying->made;
    struct fat_module *modules =
        arena_array(trying->arena, code->module_count + 1, sizeof *modules);

    if (code->module_count == 0 || made->length > PTX_BYTES_MAX) {
        return false;
    }
    memcpy(modules, code->modules, code->module_count * sizeof *modules);
    trying->built.code.modules = modules;
    for (size_t i = 0; i < code->module_count; i++) {
        if (holds_kernels_of(trying->arena, made, &code->modules[i])) {
            modules[i].text = made->text;
            modules[i].length = made->length;
            return true;
        }
    }
    return false;
}

/* Runs the program over cases, each with the change of that number, on the terms of a rubric: that
 * of the check, or the one of the trial, where launches may do less. */
static bool run_cases(struct trying *trying, struct arena *arena, const struct rubric *rubric,
                      const struct drawn_case *cases, const unsigned *numbers, size_t count,
                      struct launch_run *out_run)
{
    const struct operand_trial *trial = trying->trial;
    const struct launch_run *judged = &trial->input->evidence->launch_runs[trying->launch];
    const struct case_wanted wanted = {trying->launch, trying->wrong->parameters,
                                       trying->wrong->block, judged->kernel};
    struct session_config session;
    struct diagnostic diagnostic;

    if (!case_session_make(trial->config, trial->plan, trying->program, judged, &wanted, arena,
                           &session)) {
        return false;
    }
    session.rubric = rubric;
    session.program = &trying->built;
    session.account = &trying->account;
    session.variants = numbers;
    session.launch_work_most =
        rubric == trial->config->rubric ? 0 : judged->activity.work + LAUNCH_WORK;
    return session_run_launch(&session, arena, trying->launch, cases, count, out_run,
                              &diagnostic) == ERROR_NONE;
}

/* The input of the criteria with another run of the launch. */
static struct criteria_input with_run(struct arena *arena, const struct trying *trying,
                                      const struct launch_run *run,
                                      struct submission_evidence *evidence)
{
    const struct criteria_input *input = trying->trial->input;
    const size_t count = input->rubric->launch_count;
    struct launch_run *runs = arena_array(arena, count, sizeof *runs);
    struct criteria_input changed = *input;

    memcpy(runs, input->evidence->launch_runs, count * sizeof *runs);
    runs[trying->launch] = *run;
    *evidence = *input->evidence;
    evidence->launch_runs = runs;
    changed.evidence = evidence;
    changed.is_known_correct = NULL;
    return changed;
}

/* True if an access outside of an array was seen: what comes of it may be right by chance. */
static bool leaves_memory(const struct sample *sample)
{
    for (size_t i = 0; i < sample->finding_count; i++) {
        if (code_cause(sample->findings[i].code) == CAUSE_OUT_OF_BOUNDS) {
            return true;
        }
    }
    return false;
}

/* True if all that was seen of a run is done and right. */
static bool is_right(struct arena *arena, const struct trying *trying, const struct launch_run *run)
{
    struct submission_evidence evidence;
    const struct criteria_input input = with_run(arena, trying, run, &evidence);
    struct verdict verdict = {.status = STATUS_PASSED};
    const char *summary;
    struct cause cause;
    size_t samples = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        bool is_judged = observation->case_index != SIZE_MAX;
        for (size_t j = 0; j < observation->sample_count; j++) {
            if (observation->samples[j].status != SAMPLE_DONE ||
                leaves_memory(&observation->samples[j])) {
                return false;
            }
        }
        if (observation->failure != CODE_NONE || (is_judged && observation->sample_count == 0)) {
            return false;
        }
        samples += observation->sample_count;
    }
    return samples > 0 &&
           !find_wrong_result(&input, arena, trying->launch, &verdict, &cause, &summary);
}

/* The run of one case alone. */
static struct launch_run run_of(const struct launch_run *run, const struct observation *observation)
{
    struct launch_run one = *run;

    one.observations = observation;
    one.observation_count = 1;
    return one;
}

static size_t elements_of(const struct rubric_launch *launch, const struct observation *observation)
{
    size_t sum = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        sum += observation->element_counts[i];
    }
    return sum;
}

/* The smallest case of a run that was judged and not looked at yet; NULL: there is none. */
static const struct observation *next_case(const struct trying *trying,
                                           const struct launch_run *run, bool *seen)
{
    const struct rubric_launch *launch = &trying->trial->config->rubric->launches[trying->launch];
    const struct observation *least = NULL;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        bool is_judged = observation->case_index != SIZE_MAX && observation->failure == CODE_NONE &&
                         observation->sample_count > 0;
        if (is_judged && !seen[i] &&
            (least == NULL || elements_of(launch, observation) < elements_of(launch, least))) {
            least = observation;
        }
    }
    if (least != NULL) {
        seen[least - run->observations] = true;
    }
    return least;
}

/* True if the first probe of a case, which is what changes are tried with, is wrong. */
static bool is_wrong_at_once(struct trying *trying, const struct launch_run *run,
                             const struct observation *observation)
{
    struct observation *first = arena_alloc(trying->arena, sizeof *first);

    *first = *observation;
    first->sample_count = 1;
    const struct launch_run one = run_of(run, first);
    return !is_right(trying->arena, trying, &one);
}

/* Finds the smallest case whose first probe is wrong, else the smallest that is wrong at all. */
static bool choose_case(struct trying *trying)
{
    const struct operand_trial *trial = trying->trial;
    const struct launch_run *run = &trial->input->evidence->launch_runs[trying->launch];
    bool *seen = arena_array(trying->arena, run->observation_count + 1, sizeof *seen);
    const struct observation *observation;
    const struct observation *later = NULL;

    while (trying->wrong == NULL && (observation = next_case(trying, run, seen)) != NULL) {
        const struct launch_run one = run_of(run, observation);
        if (is_wrong_at_once(trying, run, observation)) {
            trying->wrong = observation;
        } else if (later == NULL && !is_right(trying->arena, trying, &one)) {
            later = observation;
        }
    }
    trying->wrong = trying->wrong == NULL ? later : trying->wrong;
    for (size_t i = 0; i < trial->case_count && trying->wrong != NULL; i++) {
        const struct drawn_case *drawn = &trial->cases[i];
        if (drawn->case_index == trying->wrong->case_index &&
            drawn->repetition == trying->wrong->repetition) {
            trying->drawn = drawn;
        }
    }
    return trying->drawn != NULL;
}

/* True if all cases are right with a change. */
static bool is_right_in_all(struct trying *trying, unsigned number)
{
    const struct operand_trial *trial = trying->trial;
    struct arena *arena = arena_new();
    unsigned *numbers = arena_array(arena, trial->case_count, sizeof *numbers);
    struct launch_run run;
    bool is_sound = false;

    for (size_t i = 0; i < trial->case_count; i++) {
        numbers[i] = number;
    }
    if (run_cases(trying, arena, trial->config->rubric, trial->cases, numbers, trial->case_count,
                  &run)) {
        struct submission_evidence evidence;
        const struct criteria_input input = with_run(arena, trying, &run, &evidence);
        struct cause cause;
        is_sound = launch_soundness(&input, arena, trying->launch, &cause) == LAUNCH_SOUND;
    }
    arena_free(arena);
    return is_sound;
}

/* Asks the oracle once what is right in the case: all changes get the same inputs. */
static void learn_expected(struct trying *trying, const struct observation *observation)
{
    const struct criteria_input *input = trying->trial->input;
    const struct rubric_launch *launch = &input->rubric->launches[trying->launch];
    struct problem *problem = arena_alloc(trying->arena, sizeof *problem);

    problem_init(input->rubric, launch, observation, &observation->samples[0],
                 output_operand(launch), problem);
    uint8_t *states = arena_array(trying->arena, problem->elements + 1, sizeof *states);
    trying->expected = arena_array(trying->arena, problem->elements + 1, sizeof *trying->expected);
    if (compare_elements(problem, input->oracle, trying->expected, NULL, states)) {
        trying->expected_count = problem->elements;
    }
    for (size_t i = 0; i < trying->expected_count; i++) {
        double size = fabs(trying->expected[i]);
        trying->scale = size > trying->scale ? size : trying->scale;
    }
}

/* False if a result is so far off that nobody need ask the oracle again. */
static bool may_be_right(struct trying *trying, const struct observation *observation)
{
    const struct rubric_launch *launch = &trying->trial->input->rubric->launches[trying->launch];
    const size_t output = output_operand(launch);

    if (observation->sample_count == 0 || observation->samples[0].status != SAMPLE_DONE) {
        return false;
    }
    if (trying->expected == NULL) {
        learn_expected(trying, observation);
    }
    bool is_known = trying->scale > 0.0 && isfinite(trying->scale) &&
                    trying->expected_count <= observation->element_counts[output];
    for (size_t i = 0; i < trying->expected_count && is_known; i++) {
        double got =
            element_value(launch->operands[output].type, observation->samples[0].after[output], i);
        if (!(fabs(got - trying->expected[i]) <= FAR_OFF * trying->scale)) {
            return false;
        }
    }
    return true;
}

/* How many results of the case fit into memory together. */
static size_t batch_size(const struct trying *trying)
{
    const struct rubric *rubric = trying->trial->config->rubric;
    size_t bytes = 1;

    for (size_t i = 0; i < rubric->launches[trying->launch].operand_count; i++) {
        const struct rubric_operand *operand = &rubric->launches[trying->launch].operands[i];
        bytes += 2 * trying->wrong->element_counts[i] * element_bytes(operand->type);
    }
    return bytes >= BATCH_BYTES ? 1 : BATCH_BYTES / bytes;
}

/* The rubric with one probe for the case that is tried. */
static struct rubric with_one_probe(struct arena *arena, const struct trying *trying)
{
    struct rubric rubric = *trying->trial->config->rubric;
    struct rubric_case *cases = arena_array(arena, rubric.case_count, sizeof *cases);

    memcpy(cases, rubric.cases, rubric.case_count * sizeof *cases);
    cases[trying->drawn->case_index].probes = 1;
    rubric.cases = cases;
    return rubric;
}

/* Tries changes [count] in one run of the program, up to the first that is right in all cases:
 * *out_right is its index, or `count`. Returns how many were tried, less if the program ended. */
static size_t try_batch(struct trying *trying, const unsigned *numbers, size_t count,
                        size_t *out_right)
{
    struct arena *arena = arena_new();
    struct drawn_case *cases = arena_array(arena, count, sizeof *cases);
    const struct rubric rubric = with_one_probe(arena, trying);
    struct launch_run run;
    size_t tried = 0;

    *out_right = count;
    for (size_t i = 0; i < count; i++) {
        cases[i] = *trying->drawn;
    }
    if (run_cases(trying, arena, &rubric, cases, numbers, count, &run)) {
        for (size_t i = 0; i < run.observation_count && *out_right == count; i++) {
            const struct launch_run one = run_of(&run, &run.observations[i]);
            if (run.observations[i].case_index == SIZE_MAX) {
                continue;
            }
            if (trying->confirmed < CONFIRMED_MAX && may_be_right(trying, &run.observations[i]) &&
                is_right(arena, trying, &one)) {
                trying->confirmed++;
                *out_right = is_right_in_all(trying, numbers[tried]) ? tried : count;
            }
            tried++;
        }
    }
    arena_free(arena);
    return tried == 0 ? count : tried;
}

/* Tries the changes in their order; returns the index of the one that is right, or their count. */
static size_t try_changes(struct trying *trying)
{
    const struct changes *changes = trying->changes;
    const size_t most = batch_size(trying);
    unsigned *numbers = arena_array(trying->arena, changes->count, sizeof *numbers);
    size_t count = 0;
    size_t right = 0;

    for (size_t i = 0; i < changes->count; i++) {
        if (changes->wanted[i]) {
            numbers[count++] = (unsigned)i;
        }
    }
    for (size_t at = 0, runs = 0; at < count && runs < RUNS_MAX; runs++) {
        size_t batch = count - at < most ? count - at : most;
        size_t tried = try_batch(trying, numbers + at, batch, &right);
        if (right < batch) {
            return numbers[at + right];
        }
        at += tried;
    }
    return changes->count;
}

/* Marks the operand: it becomes the place of the cause, and what was marked a mark beside it. A
 * finding has its place from the device, so there the operand is marked beside it. What else was
 * marked only led here. */
static void mark_operand(struct arena *arena, const struct edit_place *place, bool has_finding,
                         struct cause *cause)
{
    const struct cause_mark was = {cause->file, cause->line, cause->column, cause->label};
    const struct cause_mark operand = {
        arena_strdup(arena, place->file), place->line, place->column,
        arena_printf(arena, "the result is right with %s here", place->kind)};
    const bool is_named = place->operand[0] != '\0';
    struct cause_mark *beside = arena_alloc(arena, sizeof *beside);

    *beside = has_finding ? operand : was;
    cause->mark_end = 0;
    cause->is_last_store = false;
    cause->also = beside;
    cause->also_count =
        has_finding || (was.line > 0 && was.label != NULL &&
                        (was.line != place->line || strcmp(was.file, place->file) != 0));
    if (!has_finding) {
        cause->file = operand.file;
        cause->line = operand.line;
        cause->column = operand.column;
        cause->label = operand.label;
    }
    cause->hint = arena_printf(
        arena, "check %s%s%s in line %d: in a trial with %s there, all shapes came out right",
        is_named ? "`" : "what is marked", place->operand, is_named ? "`" : "", place->line,
        place->kind);
}

/* Tries changes for one diagnostic; false if that could not be done. */
static bool try_diagnostic(const struct operand_trial *trial, struct arena *arena,
                           const struct report *report, const struct report_diagnostic *diagnostic,
                           struct cause *cause)
{
    const struct fix_request request = {trial->input, report, diagnostic};
    const uint64_t share = work_share(trial->config->rubric);
    struct arena *own = arena_new();
    size_t launch = report->verdicts[diagnostic->verdicts[0]].criterion->launch;
    struct trying trying = {
        .trial = trial,
        .arena = own,
        .launch = launch,
        .program = &trial->works[trial->config->rubric->launches[launch].program],
        .changes = arena_alloc(own, sizeof *trying.changes),
    };
    uint64_t work = WORK_RUNS * trial->input->evidence->launch_runs[launch].activity.work +
                    LAUNCHES * LAUNCH_WORK;

    trying.account.work = share > work ? share - work : 0;
    trying.built = trying.program->built;
    if (choose_case(&trying)) {
        choose_changes(&trying, &request);
    }
    bool is_tried = trying.changes->file != NULL && compile_changes(&trying);
    if (is_tried && exchange_module(&trying)) {
        size_t right = try_changes(&trying);
        if (right < trying.changes->count) {
            mark_operand(arena, &trying.changes->places[right], diagnostic->finding != NULL, cause);
        }
    }
    arena_free(own);
    return is_tried;
}

void operand_trial_run(const struct operand_trial *trial, struct arena *arena,
                       const struct report *report, struct verdict *verdicts)
{
    const struct submission_config *config = trial->config;
    struct report grouped = *report;
    bool is_tried = false;

    if ((config->rubric->hints != HINTS_EXPLAIN && config->rubric->hints != HINTS_FIX) ||
        trial->plan->runs_on_gpu) {
        return;
    }
    diagnostics_make(&grouped, arena);
    for (size_t i = 0; i < 2 * grouped.diagnostic_count && !is_tried; i++) {
        const struct report_diagnostic *diagnostic =
            &grouped.diagnostics[i % grouped.diagnostic_count];
        /* findings, whose place is known, come after all others */
        bool is_last = i >= grouped.diagnostic_count;
        is_tried = is_last == (diagnostic->finding != NULL) &&
                   is_wanted(trial, &grouped, diagnostic) &&
                   try_diagnostic(trial, arena, &grouped, diagnostic,
                                  &verdicts[diagnostic->verdicts[0]].cause);
    }
}
