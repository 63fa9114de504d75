/* html_unmeasured.c: why a launch has no profile; see html_sections.h.
 *
 * Counted are launches that end on the emulated device. So what a criterion of the launch fails for
 * is the reason if it keeps programs from being built or launches from ending, and a wrong result
 * is none.
 */
#include "model/criterion_summary.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"

#include <string.h>

/* Causes after which no launch has ended. */
static const bool ends_early[CAUSE_COUNT] = {
    [CAUSE_COMPILE] = true,       [CAUSE_LINK] = true,          [CAUSE_NOT_ATTEMPTED] = true,
    [CAUSE_BARRIER] = true,       [CAUSE_OUT_OF_BOUNDS] = true, [CAUSE_MISALIGNED] = true,
    [CAUSE_LAUNCH_CONFIG] = true, [CAUSE_CUDA_ERROR] = true,    [CAUSE_CRASH] = true,
    [CAUSE_TIMEOUT] = true,       [CAUSE_MEMORY_LIMIT] = true,  [CAUSE_PROCESS_LIMIT] = true,
    [CAUSE_FILE_LIMIT] = true,    [CAUSE_OUTPUT_LIMIT] = true,  [CAUSE_FORBIDDEN] = true,
    [CAUSE_UNSUPPORTED] = true,
};

static bool is_of_launch(const struct verdict *verdict, size_t launch)
{
    return verdict->criterion->has_launch && verdict->criterion->launch == launch;
}

static bool is_judged(const struct report *report, size_t launch)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (is_of_launch(&report->verdicts[i], launch)) {
            return true;
        }
    }
    return false;
}

static bool has_emulated_device(const struct report *report)
{
    for (size_t i = 0; i < report->device_count; i++) {
        if (strcmp(report->devices[i].kind, "emulated") == 0) {
            return true;
        }
    }
    return false;
}

/* Finds the verdict that has the reason, and its diagnostic. */
static bool find_reason(const struct report *report, size_t launch, size_t *out_verdict,
                        size_t *out_diagnostic)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        bool is_blocked;
        if (is_of_launch(verdict, launch) && ends_early[code_cause(verdict->cause.code)] &&
            report_row_reason(report, i, out_diagnostic, &is_blocked)) {
            *out_verdict = i;
            return true;
        }
    }
    return false;
}

static bool is_profiled(const struct report *report, size_t launch)
{
    for (size_t i = 0; i < report->profile_count; i++) {
        if (report->profiles[i].launch == launch) {
            return true;
        }
    }
    return false;
}

bool html_is_unmeasured(const struct report *report, size_t launch)
{
    size_t verdict, diagnostic;

    return report->hints != HINTS_NONE && !is_profiled(report, launch) &&
           is_judged(report, launch) &&
           (find_reason(report, launch, &verdict, &diagnostic) || !has_emulated_device(report));
}

void html_unmeasured(const struct report *report, size_t launch, struct text *out)
{
    size_t verdict, diagnostic;

    text_append(out, "<p class=\"lead\">Not measured");
    if (find_reason(report, launch, &verdict, &diagnostic)) {
        text_append(out, " because of ");
        html_reason(report, diagnostic, out);
        text_append(out, ": ");
        html_sentence(out, report->verdicts[verdict].summary);
    } else {
        text_append(out, ": only the emulated device counts what a kernel loads");
    }
    text_append(out, ".</p>\n");
}
