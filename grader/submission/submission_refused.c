/* submission_refused.c: see submission_refused.h. */
#include "submission/submission_refused.h"

#include "base/clock.h"
#include "criteria/outcome.h"
#include "rubric/rubric_load.h"
#include "submission/hidden_part.h"
#include "submission/intake.h"
#include "submission/wanted_runs.h"

static struct cause make_cause(struct arena *arena, const struct limits *limits, enum code code)
{
    const char *message =
        code == CODE_GRADER_MEMORY
            ? arena_printf(arena,
                           "grading this submission takes more than %llu MB of memory in the "
                           "grader, which is the limit",
                           (unsigned long long)(limits->grader_memory_bytes >> 20))
            : arena_printf(arena,
                           "grading this submission takes more than %g s of processor time in the "
                           "grader, which is the limit",
                           (double)limits->grader_cpu_ns / (double)CLOCK_NS_PER_S);

    struct cause cause = cause_make(code, message);

    cause.hint = "hand in only what you have written, without generated tables, and instantiate "
                 "templates only for the sizes that are launched";
    return cause;
}

static void judge(const struct submission_config *config, enum code code, struct arena *arena,
                  struct report *report)
{
    const struct rubric *rubric = config->rubric;
    struct verdict *verdicts = arena_array(arena, rubric->criterion_count, sizeof *verdicts);
    const struct cause cause = make_cause(arena, &rubric->limits, code);
    size_t count = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (criterion_is_judged(config, &rubric->criteria[i])) {
            verdicts[count].criterion = &rubric->criteria[i];
            outcome_fail(&verdicts[count++], &cause, NULL);
        }
    }
    report->verdicts = verdicts;
    report->verdict_count = count;
}

/* Where the rubric hides something: the whole report is for instructors, and what students see is
 * the same of the rest. */
static void hide(const struct submission_config *config, struct arena *arena, struct report *full)
{
    struct rubric *whole = arena_alloc(arena, sizeof *whole);
    struct rubric *visible = arena_alloc(arena, sizeof *visible);
    struct report *student = arena_alloc(arena, sizeof *student);

    *visible = rubric_public_view(config->rubric);
    *student = *full;
    student->rubric = visible;
    student->again = hidden_part_again(arena, config);
    student->verdict_count = 0;
    while (student->verdict_count < full->verdict_count && /* hidden ones are last */
           full->verdicts[student->verdict_count].criterion <
               visible->criteria + visible->criterion_count) {
        student->verdict_count++;
    }
    *whole = *config->rubric;
    whole->reports_hidden = true;
    full->rubric = whole;
    full->student = student;
}

void submission_refuse(const struct submission_config *config, const struct intake_files *files,
                       enum code code, struct arena *arena, struct report *out_report)
{
    const struct sandbox *sandbox = config->toolchain->sandbox;
    struct report_device *device = arena_alloc(arena, sizeof *device);

    *device = (struct report_device){
        .kind = "emulated",
        .gpu_model = config->gpu_model != NULL ? config->gpu_model : config->rubric->gpu_model,
        .uuid = "",
    };
    *out_report = (struct report){
        .rubric = config->rubric,
        .submission_name = config->name,
        .only = config->only,
        .seed = config->seed,
        .devices = device,
        .device_count = 1,
        .gpu_note = "",
        .sandbox = {.tier = sandbox_tier_name(sandbox->tier),
                    .note = sandbox->note,
                    .memory = sandbox_bound_name(sandbox->bound),
                    .own_user = sandbox->uses_slots,
                    .filters_calls = sandbox->filters_calls},
        .compiler = config->toolchain->compiler.name,
        .grader_version = GPUGRADE_VERSION,
        .again = config->again,
    };
    intake_hash(files, out_report->submission_sha256);
    judge(config, code, arena, out_report);
    if (rubric_hides(config->rubric)) {
        hide(config, arena, out_report);
    }
}
