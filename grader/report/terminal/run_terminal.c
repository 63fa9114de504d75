/* run_terminal.c: see run_terminal.h. */
#include "report/terminal/run_terminal.h"

#include "report/display_text.h"
#include "report/left_out.h"
#include "report/terminal/terminal_diagnostic.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

enum { FINDINGS_SHOWN = 20, REMARKS_SHOWN = 10 };

static size_t at_most(size_t count, size_t most, bool verbose)
{
    return verbose || count <= most ? count : most;
}

static void append_left_out(size_t count, size_t shown, const char *what, struct text *out)
{
    if (shown < count) {
        text_printf(out, "\n... and %zu more %s; --verbose shows them\n", count - shown, what);
    }
}

static void append_dropped(const struct report *seen, struct text *out)
{
    size_t before = out->length;

    left_out_append(seen, out);
    if (out->length > before) {
        text_append_char(out, '\n');
    }
}

static void append_findings(const struct run_report *report, const struct terminal_style *style,
                            struct text *out)
{
    struct report shown = report->seen;

    shown.diagnostic_count = at_most(shown.diagnostic_count, FINDINGS_SHOWN, style->verbose);
    terminal_diagnostics(&shown, style, SIZE_MAX, out);
    append_left_out(report->seen.diagnostic_count, shown.diagnostic_count, "findings", out);
    append_dropped(&report->seen, out);
}

static void append_remarks(const struct run_report *report, const struct terminal_style *style,
                           struct text *out)
{
    const struct report *seen = &report->seen;
    size_t shown = at_most(seen->remark_count, REMARKS_SHOWN, style->verbose);

    if (shown > 0) {
        text_append_char(out, '\n');
    }
    for (size_t i = 0; i < shown; i++) {
        display_paint(out, style->color, PAINT_FAINT, "note");
        text_append(out, ": ");
        if (seen->remarks[i].line > 0) {
            display_append_foreign(out, seen->remarks[i].file);
            text_printf(out, ":%d: ", seen->remarks[i].line);
        }
        display_append_foreign(out, seen->remarks[i].message);
        text_append_char(out, '\n');
    }
    append_left_out(seen->remark_count, shown, "notes", out);
}

/* "3 findings (2 race, 1 out of bounds)"; kinds in the order of causes.def. */
static void append_counts(const struct report *seen, struct text *out)
{
    const char *separator = " (";

    size_t listed = 0;

    for (size_t i = 0; i < seen->finding_count; i++) {
        listed += seen->findings[i].is_rest ? 0 : 1;
    }
    text_printf(out, "%zu finding%s", listed, listed == 1 ? "" : "s");
    for (int kind = 0; kind < CAUSE_COUNT; kind++) {
        size_t count = 0;
        for (size_t i = 0; i < seen->finding_count; i++) {
            bool is_listed = !seen->findings[i].is_rest;
            count += is_listed && (int)code_cause(seen->findings[i].code) == kind ? 1 : 0;
        }
        if (count > 0) {
            text_printf(out, "%s%zu %s", separator, count, cause_title((enum cause_kind)kind));
            separator = ", ";
        }
    }
    text_append_char(out, ')');
}

static void append_summary(const struct run_report *report, const struct terminal_style *style,
                           struct text *out)
{
    const struct report *seen = &report->seen;
    struct text counts;

    text_init(&counts);
    if (seen->finding_count > 0) {
        append_counts(seen, &counts);
    } else {
        text_append(&counts, "no findings");
    }
    text_append(out, "gpugrade run: ");
    display_paint(out, style->color, seen->finding_count > 0 ? PAINT_BAD : PAINT_GOOD,
                  counts.bytes);
    text_release(&counts);
    bool is_emulated = strcmp(seen->devices[0].kind, "emulated") == 0;
    text_printf(out, " in %" PRIu64 " launch%s on the %s%s\n", report->launches,
                report->launches == 1 ? "" : "es", is_emulated ? "emulated " : "",
                seen->devices[0].gpu_model);
}

void run_terminal(const struct run_report *report, const struct terminal_style *style,
                  struct text *out)
{
    append_findings(report, style, out);
    append_remarks(report, style, out);
    if (report->seen.finding_count > 0 || report->seen.remark_count > 0) {
        text_append_char(out, '\n');
    }
    if (report->signal != 0) {
        text_printf(out, "gpugrade run: the program was ended by signal %d (%s)\n", report->signal,
                    report->signal_name);
    }
    append_summary(report, style, out);
}
