/* report_student.c: leaves out what is hidden; see report_student.h. */
#include "report/report_student.h"

#include <stdint.h>
#include <string.h>

/* True if a hidden criterion looks at the launch and no visible one does. */
static bool launch_is_hidden(const struct report *report, const char *launch)
{
    bool hidden = false;

    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct rubric_criterion *criterion = report->verdicts[i].criterion;
        if (!criterion->has_launch ||
            strcmp(report->rubric->launches[criterion->launch].id, launch) != 0) {
            continue;
        }
        if (!criterion->hidden) {
            return false;
        }
        hidden = true;
    }
    return hidden;
}

/* Keeps of a diagnostic what is about visible criteria; false if it is about a hidden one. `places`
 * [verdict_count] are the verdicts' new indices, SIZE_MAX for those that are left out. */
static bool keep_diagnostic(const struct report *report, struct arena *arena, const size_t *places,
                            struct report_diagnostic *diagnostic)
{
    size_t *verdicts = arena_array(arena, diagnostic->verdict_count, sizeof *verdicts);
    struct diagnostic_note *notes = arena_array(arena, diagnostic->note_count, sizeof *notes);
    size_t count = 0, note_count = 0;

    for (size_t i = 0; i < diagnostic->verdict_count; i++) {
        if (places[diagnostic->verdicts[i]] != SIZE_MAX) {
            verdicts[count++] = places[diagnostic->verdicts[i]];
        } else if (i == 0) {
            return false;
        }
    }
    if (diagnostic->finding != NULL && launch_is_hidden(report, diagnostic->finding->launch)) {
        return false;
    }
    bool is_whole = count == diagnostic->verdict_count;
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        enum note_kind kind = diagnostic->notes[i].kind;
        if (is_whole || (kind != NOTE_SO && kind != NOTE_ALSO)) { /* these name other criteria */
            notes[note_count++] = diagnostic->notes[i];
        }
    }
    diagnostic->verdicts = verdicts;
    diagnostic->verdict_count = count;
    diagnostic->notes = notes;
    diagnostic->note_count = note_count;
    return true;
}

static void keep_diagnostics(const struct report *report, struct arena *arena, const size_t *places,
                             struct report *copy)
{
    struct report_diagnostic *diagnostics =
        arena_array(arena, report->diagnostic_count, sizeof *diagnostics);

    copy->diagnostics = diagnostics;
    copy->diagnostic_count = 0;
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        struct report_diagnostic *diagnostic = &diagnostics[copy->diagnostic_count];
        *diagnostic = report->diagnostics[i];
        copy->diagnostic_count += keep_diagnostic(report, arena, places, diagnostic);
    }
}

/* Leaves a verdict its status, its points and the title of its code. */
static void leave_out_texts(struct verdict *verdict)
{
    enum code code = verdict->cause.code;

    verdict->summary = "";
    verdict->cause = (struct cause){.code = code, .message = "", .file = "", .hint = ""};
    if (code != CODE_NONE) {
        verdict->cause.message = code_title(code);
    }
    verdict->evidence_count = 0;
    verdict->measured_count = 0;
    verdict->map = NULL;
}

/* Takes out of a report that was made for an instructor whatever may tell of what is hidden: all
 * texts that some program's run has brought about, times, and which rubric it was. */
static void leave_out_hidden(struct arena *arena, struct verdict *verdicts, struct report *report)
{
    struct rubric *rubric = arena_alloc(arena, sizeof *rubric);

    *rubric = *report->rubric;
    rubric->sha256[0] = '\0';
    rubric->reports_hidden = false;
    report->rubric = rubric;
    for (size_t i = 0; i < report->verdict_count; i++) {
        leave_out_texts(&verdicts[i]);
    }
    report->diagnostic_count = 0;
    report->finding_count = 0;
    report->remark_count = 0;
    report->seconds_count = 0;
    report->output_count = 0;
    report->profile_count = 0;
    report->source_count = 0;
    report->device_code_count = 0;
    report->again = "";
    report->hints = HINTS_NONE;
}

void report_for_student(const struct report *full, struct arena *arena, struct report *out_report)
{
    const struct report *report = full->student != NULL ? full->student : full;
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);
    struct finding *findings = arena_array(arena, report->finding_count, sizeof *findings);
    size_t *places = arena_array(arena, report->verdict_count, sizeof *places);
    struct report copy = *report;

    copy.student = NULL;
    copy.verdicts = verdicts;
    copy.verdict_count = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        places[i] = SIZE_MAX;
        if (!report->verdicts[i].criterion->hidden) {
            places[i] = copy.verdict_count;
            verdicts[copy.verdict_count++] = report->verdicts[i];
        }
    }
    copy.findings = findings;
    copy.finding_count = 0;
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!launch_is_hidden(report, report->findings[i].launch)) {
            findings[copy.finding_count++] = report->findings[i];
        }
    }
    keep_diagnostics(report, arena, places, &copy);
    if (full->student == NULL && full->rubric->reports_hidden) {
        leave_out_hidden(arena, verdicts, &copy);
    }
    *out_report = copy;
}
