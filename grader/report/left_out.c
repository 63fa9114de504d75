/* left_out.c: see left_out.h. */
#include "report/left_out.h"

#include <inttypes.h>
#include <string.h>

static void add(uint64_t *sum, uint64_t count)
{
    *sum = *sum > UINT64_MAX - count ? UINT64_MAX : *sum + count;
}

struct left_out left_out_sum(const struct finding *findings, size_t count)
{
    struct left_out sum = {0, 0};

    for (size_t i = 0; i < count; i++) {
        if (findings[i].is_rest) {
            bool is_error = findings[i].severity == SEVERITY_ERROR;
            add(is_error ? &sum.errors : &sum.warnings, findings[i].count);
        }
    }
    return sum;
}

void left_out_append(const struct report *report, struct text *out)
{
    const struct left_out sum = left_out_sum(report->findings, report->finding_count);

    if (sum.errors == 0 && sum.warnings == 0) {
        return;
    }
    text_printf(out,
                "only the first places of each kind are listed; at other places errors occurred "
                "%" PRIu64 " times and warnings %" PRIu64 " times",
                sum.errors, sum.warnings);
}

static void drop_rests(struct report *report, struct arena *arena)
{
    struct finding *listed = arena_array(arena, report->finding_count, sizeof *listed);
    size_t count = 0;

    for (size_t i = 0; i < report->finding_count; i++) {
        if (!report->findings[i].is_rest) {
            listed[count++] = report->findings[i];
        }
    }
    report->findings = listed;
    report->finding_count = count;
}

void left_out_as_diagnostic(struct report *report, struct arena *arena)
{
    const struct left_out sum = left_out_sum(report->findings, report->finding_count);
    size_t count = report->diagnostic_count;
    struct text words;

    if (sum.errors == 0 && sum.warnings == 0) {
        return;
    }
    struct report_diagnostic *diagnostics = arena_array(arena, count + 1, sizeof *diagnostics);
    if (count > 0) {
        memcpy(diagnostics, report->diagnostics, count * sizeof *diagnostics);
    }
    text_init(&words);
    left_out_append(report, &words);
    diagnostics[count] = (struct report_diagnostic){
        .severity = sum.errors > 0 ? SEVERITY_ERROR : SEVERITY_WARNING,
        .code = CODE_NONE,
        .message = arena_strdup(arena, words.bytes),
        .file = "",
    };
    text_release(&words);
    report->diagnostics = diagnostics;
    report->diagnostic_count = count + 1;
    drop_rests(report, arena);
}
