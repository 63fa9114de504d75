/* reference_needs.c: see reference_needs.h. */
#include "submission/reference_needs.h"

#include "base/file.h"
#include "ptx/ptx.h"
#include "submission/program_build.h"
#include "toolchain/toolchain.h"

#include <string.h>

/* What a launch was stopped by, and the reference solution's modules to look it up in. */
struct needs {
    const struct ptx_module **modules; /* [module_count] */
    size_t module_count;
    size_t stops, needed;
};

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
static bool read_reference(const struct submission_config *config, size_t program,
                           const char *work_folder, struct arena *arena, struct needs *needs)
{
    int64_t values[RUBRIC_OVERRIDES_MAX];
    struct diagnostic unused = {.blame = BLAME_NONE};
    struct built_program built;
    const struct build_request request = {
        .rubric = config->rubric,
        .program = program,
        .work_folder = arena_printf(arena, "%s/needs", work_folder),
        .macro_values = program_first_values(config->rubric, program, values) ? values : NULL,
    };

    if (folder_make(request.work_folder, 0711, &unused) != ERROR_NONE ||
        toolchain_reference(config->toolchain, &request, arena, &built, &unused) != ERROR_NONE) {
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

/* True if all that the criterion's launch was stopped by is needed. */
static bool is_needed(const struct submission_config *config,
                      const struct submission_evidence *evidence, const char *work_folder,
                      const struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    struct arena *arena = arena_new();
    struct needs needs = {.stops = 0};

    if (criterion->has_launch && verdict->cause.code == CODE_UNKNOWN_INSTRUCTION &&
        read_reference(config, config->rubric->launches[criterion->launch].program, work_folder,
                       arena, &needs)) {
        count_launch(&needs, &evidence->launch_runs[criterion->launch]);
    }
    arena_free(arena);
    return needs.stops > 0 && needs.needed == needs.stops;
}

void reference_needs_settle(const struct submission_config *config,
                            const struct submission_evidence *evidence, const char *work_folder,
                            struct verdict *verdicts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (status_review(verdicts[i].status, verdicts[i].cause.code) != NULL &&
            is_needed(config, evidence, work_folder, &verdicts[i])) {
            verdicts[i].status = STATUS_ERROR;
            verdicts[i].cause.hint =
                "tell your instructor: the reference solution needs it too, so nobody can be "
                "judged by this device";
        }
    }
}
