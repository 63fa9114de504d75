/* kernel_choice.c: see kernel_choice.h; how the choice is made: session_select_kernel. */
#include "diagnosis/hints/kernel_choice.h"

#include <string.h>

/* True if a kernel has the plain name of the judged one: instances of a template share it. */
static bool has_judged_name(const struct launch_run *run, const struct surveyed_kernel *kernel)
{
    return strcmp(kernel->plain_name, run->kernel) == 0;
}

/* The kernel that was observed first, or else one of its plain name. */
static size_t judged_kernel(const struct launch_run *run)
{
    const char *observed = run->observation_count > 0 ? run->observations[0].kernel : NULL;
    size_t found = run->surveyed_count;

    for (size_t i = 0; i < run->surveyed_count; i++) {
        const struct surveyed_kernel *kernel = &run->surveyed[i];
        if (has_judged_name(run, kernel)) {
            if (observed != NULL && strcmp(kernel->name, observed) == 0) {
                return i;
            }
            found = found == run->surveyed_count ? i : found;
        }
    }
    return found;
}

static bool may_be_meant(const struct surveyed_kernel *kernel, const struct surveyed_kernel *judged,
                         bool is_later)
{
    bool is_alike = kernel->writes_outputs == judged->writes_outputs &&
                    kernel->uses_shared == judged->uses_shared;

    return !kernel->is_given && is_alike &&
           (is_later || kernel->inputs_read >= judged->inputs_read);
}

/* Why a kernel is judged rather than one that is launched later. */
static const char *reason_text(const struct surveyed_kernel *judged,
                               const struct surveyed_kernel *later)
{
    if (later == NULL) {
        return "it is launched last";
    }
    if (judged->inputs_read > later->inputs_read) {
        return "it loads from more of the inputs";
    }
    if (judged->is_dynamic && !later->is_dynamic) {
        return "all of its shared memory is dynamic";
    }
    return "its block width is allowed";
}

const char *kernel_choice_text(struct arena *arena, const struct rubric_launch *launch,
                               const struct launch_run *run)
{
    const struct surveyed_kernel *later = NULL;
    const char *others = "";

    if (!launch->is_pattern || run->kernel == NULL) {
        return "";
    }
    size_t at = judged_kernel(run);
    for (size_t i = 0; i < run->surveyed_count && at < run->surveyed_count; i++) {
        const struct surveyed_kernel *kernel = &run->surveyed[i];
        if (!has_judged_name(run, kernel) && may_be_meant(kernel, &run->surveyed[at], i > at)) {
            others = arena_printf(arena, "%s%s`%s`", others, others[0] != '\0' ? ", " : "",
                                  kernel->plain_name);
            later = i > at ? kernel : later;
        }
    }
    return others[0] == '\0'
               ? ""
               : arena_printf(arena, "`%s` is the kernel that is graded, not %s: %s", run->kernel,
                              others, reason_text(&run->surveyed[at], later));
}

/* Mistakes that no choice of a kernel can mend. */
static bool is_about_kernel(enum code code)
{
    return code != CODE_NONE && code != CODE_CASE_COMPILE_ERROR && code != CODE_COMPILE_ERROR;
}

void kernel_choice_report(const struct criteria_input *input, struct arena *arena,
                          struct verdict *verdict)
{
    const struct rubric_criterion *criterion = verdict->criterion;
    bool is_judged = verdict->status == STATUS_FAILED || verdict->status == STATUS_PARTIAL;

    if (!is_judged || !criterion->has_launch || !is_about_kernel(verdict->cause.code)) {
        return;
    }
    const char *choice = kernel_choice_text(arena, &input->rubric->launches[criterion->launch],
                                            &input->evidence->launch_runs[criterion->launch]);
    const char *hint = verdict->cause.hint;
    if (choice[0] != '\0') {
        verdict->cause.hint =
            arena_printf(arena, "%s%s%s", hint, hint[0] != '\0' ? "; " : "", choice);
    }
}
