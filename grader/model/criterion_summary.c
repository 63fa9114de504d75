/* criterion_summary.c: see criterion_summary.h. */
#include "model/criterion_summary.h"

enum { OWN_CAUSES_MAX = 5 };

/* The kinds of cause that each kind of criterion looks for. */
static const enum cause_kind own_causes[CRITERION_COUNT][OWN_CAUSES_MAX] = {
    [CRITERION_COMPILE] = {CAUSE_COMPILE, CAUSE_LINK},
    [CRITERION_CORRECT] = {CAUSE_WRONG_RESULT},
    [CRITERION_DYNAMIC] = {CAUSE_LAUNCH_CONFIG, CAUSE_PRINTOUT},
    [CRITERION_RACE_FREE] = {CAUSE_RACE, CAUSE_BARRIER, CAUSE_OUT_OF_BOUNDS, CAUSE_MISALIGNED,
                             CAUSE_UNINITIALISED},
    [CRITERION_TILED] = {CAUSE_NOT_TILED},
    [CRITERION_SAVED_LOADS] = {CAUSE_NOT_TILED},
    [CRITERION_BANK_CONFLICTS] = {CAUSE_ACCESS_PATTERN},
    [CRITERION_COALESCING] = {CAUSE_ACCESS_PATTERN},
    [CRITERION_SPEEDUP] = {CAUSE_TOO_SLOW},
    [CRITERION_OCCUPANCY] = {CAUSE_PRINTOUT},
    [CRITERION_BLOCK_SIZE] = {CAUSE_PRINTOUT},
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
