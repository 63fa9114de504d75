/* criterion_summary.c: see criterion_summary.h. */
#include "model/criterion_summary.h"

enum { OWN_CAUSES_MAX = 5 };

static const enum cause_kind own_causes[CRITERION_COUNT][OWN_CAUSES_MAX] = {
#define CRITERION(name, text, judge, ...) [CRITERION_##name] = {__VA_ARGS__},
#include "model/criteria.def"
#undef CRITERION
};

bool verdict_is_blocked(const struct verdict *verdict)
{
    enum cause_kind kind = code_cause(verdict->cause.code);

    if (kind == CAUSE_NONE || kind == CAUSE_NOT_ATTEMPTED) {
        return false;
    }
    for (size_t i = 0; i < OWN_CAUSES_MAX; i++) {
        if (own_causes[verdict->criterion->kind][i] == kind) {
            return false;
        }
    }
    return true;
}

bool report_row_reason(const struct report *report, size_t index, size_t *out_diagnostic,
                       bool *out_is_blocked)
{
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &report->diagnostics[i];
        for (size_t j = 0; j < diagnostic->verdict_count; j++) {
            if (diagnostic->verdicts[j] == index) {
                *out_diagnostic = i;
                *out_is_blocked = diagnostic->code != CODE_NONE && j > 0 &&
                                  verdict_is_blocked(&report->verdicts[index]);
                return true;
            }
        }
    }
    return false;
}

void report_append_criterion_summary(const struct report *report, size_t index, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];
    const char *summary = verdict->summary == NULL ? "" : verdict->summary;
    enum code code = CODE_NONE;
    bool is_blocked = false;
    size_t found;

    if (report_row_reason(report, index, &found, &is_blocked)) {
        code = report->diagnostics[found].code;
    }
    if (code == CODE_NONE) {
        text_append(out, summary);
    } else if (is_blocked) {
        text_printf(out, "blocked by %s: %s", code_id(code), summary);
    } else {
        text_printf(out, "%s (%s)", summary, code_id(code));
    }
}
