/* reference_needs.c: see reference_needs.h. */
#include "submission/reference_needs.h"

#include "criteria/outcome.h"
#include "ptx/ptx.h"
#include "submission/reference_runs.h"
#include "toolchain/toolchain.h"

#include <string.h>

/* What a launch was stopped by, and the reference solution's modules to look it up in. */
struct needs {
    const struct ptx_module **modules; /* [module_count] */
    size_t module_count;
    size_t stops, needed;
};

/* What is known of a program of the reference solution, or of its run for a launch. */
enum trouble { TROUBLE_UNASKED, TROUBLE_NONE, TROUBLE_SEEN };

/* The name between the first two "`" of a message of the device; it is never of the student's: the
 * message is about the PTX that the device has. Instructions end their name at a blank. */
static size_t name_in(const char *message, const char **out_name)
{
    const char *start = strchr(message, '`');

    if (start == NULL) {
        return 0;
    }
    *out_name = start + 1;
    return strcspn(start + 1, " \t`;");
}

static bool is_named(const char *text, const char *name, size_t length)
{
    return text != NULL && strncmp(text, name, length) == 0 &&
           (text[length] == '\0' || strchr(" \t;", text[length]) != NULL);
}

static bool has_instruction(const struct ptx_module *module, const char *name, size_t length)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];
        for (size_t j = 0; j < function->instruction_count; j++) {
            const struct ptx_instruction *instruction = &function->instructions[j];
            if (instruction->opcode == PTX_OP_UNKNOWN &&
                is_named(instruction->text, name, length)) {
                return true;
            }
        }
    }
    return false;
}

static void count_findings(struct needs *needs, const struct finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = NULL;
        bool is_needed = false;
        if (findings[i].code != CODE_UNKNOWN_INSTRUCTION) {
            continue;
        }
        size_t length = name_in(findings[i].message, &name);
        for (size_t j = 0; j < needs->module_count && length > 0; j++) {
            is_needed = is_needed || has_instruction(needs->modules[j], name, length);
        }
        needs->stops++;
        needs->needed += is_needed ? 1 : 0;
    }
}

static void count_launch(struct needs *needs, const struct launch_run *run)
{
    count_findings(needs, run->activity.findings, run->activity.finding_count);
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            count_findings(needs, observation->samples[j].findings,
                           observation->samples[j].finding_count);
        }
    }
}

/* The PTX of the reference solution's program; false if there is none. */
static bool read_reference(const struct program_job *of, struct arena *arena, struct needs *needs)
{
    struct diagnostic unused = {.blame = BLAME_NONE};
    struct built_program built;

    if (!reference_build(of, arena, &built)) {
        return false;
    }
    needs->modules = arena_array(arena, built.code.module_count, sizeof(*needs->modules));
    for (size_t i = 0; i < built.code.module_count; i++) {
        const struct fat_module *module = &built.code.modules[i];
        if (ptx_parse(arena, module->text, module->length, &needs->modules[needs->module_count],
                      &unused) == ERROR_NONE) {
            needs->module_count++;
        }
    }
    return true;
}

/* True if all that the launch was stopped by is needed. */
static bool is_needed(const struct program_job *of, size_t launch)
{
    struct arena *arena = arena_new();
    struct needs needs = {.stops = 0};

    if (read_reference(of, arena, &needs)) {
        count_launch(&needs, &of->launch_runs[launch]);
    }
    arena_free(arena);
    return needs.stops > 0 && needs.needed == needs.stops;
}

static bool has_crash(const struct program_activity *activity)
{
    for (size_t i = 0; i < activity->finding_count; i++) {
        if (activity->findings[i].code == CODE_DEVICE_CRASHED) {
            return true;
        }
    }
    return false;
}

/* True if the device crashes at the reference solution as well, whose program does all that the
 * submission's did; one that is built for each case does its first shape. */
static bool reference_crashes(const struct program_job *of)
{
    const struct rubric *rubric = of->config->rubric;
    struct arena *arena = arena_new();
    struct program_job work;
    bool crashes = false;

    if (reference_run(of, arena, &work)) {
        crashes = work.built.build.failure == CODE_DEVICE_CRASHED;
        for (size_t i = 0; i < rubric->launch_count; i++) {
            crashes = crashes || has_crash(&work.launch_runs[i].activity);
        }
        for (size_t i = 0; i < rubric->printout_count; i++) {
            crashes = crashes || has_crash(&work.print_runs[i].activity);
        }
    }
    arena_free(arena);
    return crashes;
}

/* True if the marks of a run are not as the rubric wants them, or what they announce is not. */
static bool has_wrong_marks(const struct launch_run *run)
{
    bool is_wrong = run->activity.lacks_begin || run->activity.lacks_end;

    for (size_t i = 0; i < run->observation_count; i++) {
        enum code failure = run->observations[i].failure;
        is_wrong = is_wrong || failure == CODE_BAD_MARKS ||
                   (run->activity.call != NULL && failure == CODE_BAD_OPERAND);
    }
    return is_wrong;
}

/* True if the harness marks the reference solution wrongly too, in the first case. */
static bool reference_is_marked_wrongly(const struct program_job *of, size_t launch)
{
    const struct rubric *rubric = of->config->rubric;
    struct arena *arena = arena_new();
    bool *wanted = arena_array(arena, rubric->launch_count, sizeof *wanted);
    struct program_job first = *of, work;

    wanted[launch] = true;
    first.launch_wanted = wanted;
    first.printout_wanted = arena_array(arena, rubric->printout_count + 1, sizeof(bool));
    first.case_count = of->case_count > 0 ? 1 : 0;
    bool is_wrong = has_wrong_marks(&of->launch_runs[launch]) &&
                    reference_run(&first, arena, &work) && work.error == ERROR_NONE &&
                    has_wrong_marks(&work.launch_runs[launch]);
    arena_free(arena);
    return is_wrong;
}

/* Causes that wrong marks can have. */
static bool may_be_marks(enum code code)
{
    return code == CODE_BAD_MARKS || code == CODE_BAD_OPERAND || code == CODE_PROGRAM_DEADLINE ||
           code == CODE_EXIT_STATUS || code == CODE_NEVER_LAUNCHED || code == CODE_NO_LAUNCH_YET;
}

static void settle_marks(const struct program_job *works, struct arena *arena, enum trouble *known,
                         struct verdict *verdict)
{
    const struct rubric *rubric = works[0].config->rubric;
    const struct rubric_criterion *criterion = verdict->criterion;

    if (verdict->status != STATUS_FAILED || !criterion->has_launch ||
        !may_be_marks(verdict->cause.code)) {
        return;
    }
    const size_t launch = criterion->launch;
    const struct program_job *of = &works[rubric->launches[launch].program];
    if (known[launch] == TROUBLE_UNASKED) {
        known[launch] = reference_is_marked_wrongly(of, launch) ? TROUBLE_SEEN : TROUBLE_NONE;
    }
    if (known[launch] == TROUBLE_SEEN) {
        outcome_error(
            verdict,
            arena_printf(arena, "the rubric's harness is wrong: %s", verdict->cause.message),
            ADVICE_HARNESS_AT_FAULT);
    }
}

static size_t program_of(const struct rubric *rubric, const struct rubric_criterion *criterion)
{
    return criterion->has_launch ? rubric->launches[criterion->launch].program
                                 : rubric->printouts[criterion->printout].program;
}

/* Asks once for each program whether its reference crashes the device. */
static bool crashes_too(const struct program_job *works, size_t program, enum trouble *known)
{
    if (known[program] == TROUBLE_UNASKED) {
        known[program] = reference_crashes(&works[program]) ? TROUBLE_SEEN : TROUBLE_NONE;
    }
    return known[program] == TROUBLE_SEEN;
}

void reference_needs_settle(const struct program_job *works, struct arena *arena,
                            struct verdict *verdicts, size_t count)
{
    const struct rubric *rubric = works[0].config->rubric;
    enum trouble *known = arena_array(arena, rubric->program_count, sizeof *known);
    enum trouble *known_marks = arena_array(arena, rubric->launch_count + 1, sizeof *known_marks);

    for (size_t i = 0; i < count; i++) {
        struct verdict *verdict = &verdicts[i];
        settle_marks(works, arena, known_marks, verdict);
        const struct rubric_criterion *criterion = verdict->criterion;
        bool is_stopped = verdict->cause.code == CODE_UNKNOWN_INSTRUCTION;
        bool is_crash = verdict->cause.code == CODE_DEVICE_CRASHED;

        if (status_review(verdict->status, verdict->cause.code) == NULL ||
            (!criterion->has_launch && (is_stopped || !criterion->has_printout))) {
            continue;
        }
        size_t program = program_of(rubric, criterion);
        if ((is_stopped && is_needed(&works[program], criterion->launch)) ||
            (is_crash && crashes_too(works, program, known))) {
            verdict->status = STATUS_ERROR;
            verdict->cause.hint =
                is_crash ? "tell your instructor: the device crashes on the reference solution "
                           "too, so no submission can be graded with it"
                         : "tell your instructor: the reference solution needs it too, so no "
                           "submission can be graded on this device";
        }
    }
}
