/* diagnostics.c: message, place, marks and notes of each root cause; see diagnostics.h. */
#include "diagnosis/grouping/diagnostics.h"

#include "base/text.h"
#include "criteria/preconditions/preconditions.h"
#include "diagnosis/grouping/diagnostic_marks.h"
#include "diagnosis/grouping/root_cause.h"
#include "diagnosis/hints/finding_hint.h"
#include "model/criterion_summary.h"

#include <inttypes.h>
#include <string.h>

enum { FOLLOWS_TOLD = 2 };

/* A diagnostic on its way. */
struct telling {
    const struct report *report;
    struct arena *arena;
    const struct root_cause *root_cause;
    struct report_diagnostic *diagnostic;
    struct diagnostic_note *notes;
    size_t note_count, note_capacity;
};

static void add_note(struct telling *telling, enum note_kind kind, const char *text)
{
    if (text_or_empty(text)[0] == '\0') {
        return;
    }
    arena_grow(telling->arena, &telling->notes, &telling->note_capacity, telling->note_count + 1,
               sizeof *telling->notes);
    telling->notes[telling->note_count++] = (struct diagnostic_note){kind, text};
}

/* How many shapes a launch runs for if nothing ends it before. */
static uint32_t shapes_wanted(const struct rubric *rubric)
{
    uint32_t count = 0;

    for (size_t i = 0; i < rubric->case_count; i++) {
        count += rubric->cases[i].repeat;
    }
    return count;
}

/* "in 8 of 8 shapes, 26336 pairs; first: A 32x48, B 48x16, block (0,0)" */
static const char *shapes_seen(const struct telling *telling, const struct finding *finding,
                               uint64_t count)
{
    struct arena *arena = telling->arena;
    bool ended_early = finding->of_shapes < shapes_wanted(telling->report->rubric);
    const char *unit = code_cause(finding->code) == CAUSE_RACE ? "pair" : "time";
    bool has_block = finding->place_count > 0 && finding->places[0].has_thread;

    return arena_printf(
        arena, "in %" PRIu32 " of %" PRIu32 " shapes%s, %" PRIu64 " %s%s; first: %s%s%s",
        finding->shapes, finding->of_shapes, ended_early ? " that ran" : "", count, unit,
        count == 1 ? "" : "s", finding->first_shape, has_block ? ", block " : "",
        has_block ? dimensions_text(arena, finding->places[0].block) : "");
}

static void note_seen(struct telling *telling)
{
    const struct finding *finding = telling->diagnostic->finding;
    uint64_t count = 0;

    if (finding == NULL) {
        return;
    }
    for (size_t i = 0; i < telling->root_cause->finding_count; i++) {
        const struct finding *other = telling->root_cause->findings[i];
        bool is_alike = (other->of_shapes > 0) == (finding->of_shapes > 0);
        uint64_t own = is_alike ? other->count : 0;
        count = own > UINT64_MAX - count ? UINT64_MAX : count + own;
    }
    const char *kernel = text_or_empty(finding->kernel);
    if (count < 2 && kernel[0] == '\0') {
        return;
    }
    if (finding->of_shapes > 0) {
        add_note(telling, NOTE_SEEN, shapes_seen(telling, finding, count));
        return;
    }
    const char *times = count == 0 ? ""
                                   : arena_printf(telling->arena, "%" PRIu64 " time%s", count,
                                                  count == 1 ? "" : "s");
    add_note(telling, NOTE_SEEN,
             arena_printf(telling->arena, "%s%s%s", times,
                          kernel[0] == '\0' ? ""
                          : count == 0      ? "in "
                                            : " in ",
                          kernel));
}

/* How a criterion fails that a root cause brings about: in a few words where a finding tells more.
 * */
static const char *result_words(const struct telling *telling, const struct verdict *result)
{
    const struct root_cause *root_cause = telling->root_cause;
    bool is_seen = result->cause.because != CODE_NONE;

    for (size_t i = 0; i < root_cause->follow_count && !is_seen; i++) {
        is_seen = root_cause->follows[i]->code == result->cause.code;
    }
    return text_or_empty(is_seen ? result->summary : result->cause.message);
}

/* A criterion as its row shows it. */
static const char *quoted_title(struct arena *arena, const struct rubric_criterion *criterion)
{
    return arena_printf(arena, "\"%s\"", criterion->title);
}

/* Names the criteria that fail because of this cause in another way, and how: those that fail alike
 * together. */
static void note_results(struct telling *telling)
{
    const struct root_cause *root_cause = telling->root_cause;
    bool *told = arena_array(telling->arena, root_cause->result_count, sizeof *told);

    for (size_t i = 0; i < root_cause->result_count; i++) {
        const struct verdict *result = &telling->report->verdicts[root_cause->results[i]];
        const char *words = result_words(telling, result);
        const char *list = quoted_title(telling->arena, result->criterion);
        bool is_one = true;
        for (size_t j = i + 1; j < root_cause->result_count; j++) {
            const struct verdict *other = &telling->report->verdicts[root_cause->results[j]];
            if (!told[j] && strcmp(words, result_words(telling, other)) == 0) {
                list = arena_printf(telling->arena, "%s, %s", list,
                                    quoted_title(telling->arena, other->criterion));
                told[j] = true;
                is_one = false;
            }
        }
        if (!told[i]) {
            add_note(telling, NOTE_SO,
                     arena_printf(telling->arena, "%s fail%s %s: %s", list, is_one ? "s" : "",
                                  root_cause->verdict != NULL ? "too" : "because of this", words));
        }
    }
}

/* True if a mark of the diagnostic tells of a finding that follows. */
static bool follow_is_marked(const struct telling *telling, const struct finding *finding)
{
    const struct place *place = finding_place(finding);
    const char *label = follow_label(telling->arena, telling->root_cause, finding);

    for (size_t i = 0; i < telling->diagnostic->mark_count && place != NULL; i++) {
        const struct diagnostic_mark *mark = &telling->diagnostic->marks[i];
        if (mark->line == place->line && strcmp(mark->file, text_or_empty(place->file)) == 0 &&
            strcmp(mark->label, label) == 0) {
            return true;
        }
    }
    return false;
}

/* "B02 in line 29", with the file where it is another one, and its title where no mark has it. */
static const char *follow_text(const struct telling *telling, const struct finding *finding)
{
    const struct place *place = finding_place(finding);
    const char *code = code_id(finding->code);
    const char *title = follow_is_marked(telling, finding)
                            ? ""
                            : arena_printf(telling->arena, " (%s)", code_title(finding->code));

    if (place == NULL) {
        return arena_printf(telling->arena, "%s%s", code, title);
    }
    if (strcmp(text_or_empty(place->file), telling->diagnostic->file) == 0) {
        return arena_printf(telling->arena, "%s in line %d%s", code, place->line, title);
    }
    return arena_printf(telling->arena, "%s in %s:%d%s", code, text_or_empty(place->file),
                        place->line, title);
}

/* What else was seen and is probably mended with this: "B01 in line 26 and B07 in line 27 probably
 * follow from this". */
static void note_follows(struct telling *telling)
{
    const struct root_cause *root_cause = telling->root_cause;
    bool is_cut = root_cause->follow_count > FOLLOWS_TOLD + 1; /* never a line about one more */
    size_t shown = is_cut ? FOLLOWS_TOLD : root_cause->follow_count;
    const char *list = "";
    bool is_likely = true;

    if (shown == 0) {
        return;
    }
    for (size_t i = 0; i < root_cause->follow_count; i++) {
        is_likely = is_likely && follow_is_likely(root_cause, root_cause->follows[i]);
    }
    for (size_t i = 0; i < shown; i++) {
        const char *separator = i == 0 ? "" : i + 1 < shown || is_cut ? ", " : " and ";
        list = arena_printf(telling->arena, "%s%s%s", list, separator,
                            follow_text(telling, root_cause->follows[i]));
    }
    if (is_cut) {
        list = arena_printf(telling->arena, "%s and %zu more findings in this launch", list,
                            root_cause->follow_count - shown);
    }
    add_note(telling, NOTE_NOTE,
             is_likely ? arena_printf(telling->arena, "%s probably follow%s from this", list,
                                      shown == 1 ? "s" : "")
                       : arena_printf(telling->arena, "%s may follow from this", list));
}

/* Lists the other criteria with the same cause that are blocked, or those that are not, in quotes;
 * "" if there is none. */
static const char *list_others(const struct telling *telling, bool blocked, size_t *out_count)
{
    const char *list = "";

    *out_count = 0;
    for (size_t i = 1; i < telling->root_cause->same_count; i++) {
        const struct verdict *other = &telling->report->verdicts[telling->root_cause->same[i]];
        if (verdict_is_blocked(other) == blocked) {
            list = arena_printf(telling->arena, "%s%s%s", list, list[0] == '\0' ? "" : ", ",
                                quoted_title(telling->arena, other->criterion));
            ++*out_count;
        }
    }
    return list;
}

/* Names the other criteria with the same cause. */
static void note_also(struct telling *telling)
{
    size_t count;
    const char *list = list_others(telling, false, &count);

    if (count > 0) {
        add_note(telling, NOTE_ALSO,
                 arena_printf(telling->arena, "%s fail%s for the same reason", list,
                              count == 1 ? "s" : ""));
    }
    list = list_others(telling, true, &count);
    if (count > 0) {
        add_note(telling, NOTE_ALSO, arena_printf(telling->arena, "%s %s", list, note_blocked_end));
    }
}

/* Further errors of a compiler: those in lines of the source are marked there. */
static void note_errors(struct telling *telling, const struct cause *cause)
{
    size_t left = cause->more_count > ERRORS_MARKED ? cause->more_count - ERRORS_MARKED : 0;

    for (size_t i = 0; i < cause->more_count && i < ERRORS_MARKED; i++) {
        const struct tool_message *error = &cause->more[i];
        if (error->line == 0 || text_or_empty(error->file)[0] == '\0') {
            add_note(telling, NOTE_NOTE,
                     arena_printf(telling->arena, "another error: %s", error->message));
        }
    }
    if (left > 0) {
        add_note(telling, NOTE_NOTE,
                 arena_printf(telling->arena, "%zu more error%s", left, left == 1 ? "" : "s"));
    }
}

static const char *hint_of(const struct telling *telling)
{
    const struct root_cause *root_cause = telling->root_cause;

    if (telling->report->hints != HINTS_EXPLAIN) {
        return "";
    }
    return root_cause->verdict != NULL ? root_cause->verdict->cause.hint
                                       : finding_hint(root_cause->findings[0]);
}

/* The criterion whose check repeats this; NULL: none does. */
static const struct rubric_criterion *criterion_of(const struct telling *telling)
{
    const struct root_cause *root_cause = telling->root_cause;

    if (root_cause->verdict != NULL) {
        return root_cause->verdict->criterion;
    }
    return root_cause->result_count > 0
               ? telling->report->verdicts[root_cause->results[0]].criterion
               : NULL;
}

/* How the command that repeats the check names the program: "/opt/bin/gpugrade". */
static const char *program_of(const struct telling *telling)
{
    const char *again = text_or_empty(telling->report->again);
    const char *end = strstr(again, " check");

    return end == NULL || end == again
               ? "gpugrade"
               : arena_strndup(telling->arena, again, (size_t)(end - again));
}

static void add_notes(struct telling *telling)
{
    const struct verdict *verdict = telling->root_cause->verdict;
    const struct rubric_criterion *criterion = criterion_of(telling);
    enum code code = telling->diagnostic->code;

    add_note(telling, NOTE_EXPECTED, verdict != NULL ? verdict->cause.difference : NULL);
    add_note(telling, NOTE_SEEN, verdict != NULL ? verdict->cause.seen : NULL);
    note_seen(telling);
    note_results(telling);
    note_also(telling);
    note_follows(telling);
    if (verdict != NULL) {
        note_errors(telling, &verdict->cause);
    }
    if (verdict != NULL && verdict->status == STATUS_ERROR) {
        add_note(telling, NOTE_NOTE, "this is not your submission's fault and costs no marks");
    }
    if (verdict != NULL && status_review(verdict->status, code) != NULL) {
        add_note(telling, NOTE_NOTE, "marked for manual review");
    }
    add_note(telling, NOTE_HINT, hint_of(telling));
    if (criterion != NULL && (verdict == NULL || !verdict->only_hidden)) {
        add_note(telling, NOTE_AGAIN,
                 arena_printf(telling->arena, "%s --only %s --seed 0x%" PRIx64,
                              telling->report->again, criterion->id, telling->report->seed));
    }
    if (code != CODE_NONE && telling->report->hints == HINTS_EXPLAIN) {
        add_note(telling, NOTE_EXPLAIN,
                 arena_printf(telling->arena, "%s explain %s", program_of(telling), code_id(code)));
    }
    telling->diagnostic->notes = telling->notes;
    telling->diagnostic->note_count = telling->note_count;
}

/* True if a cause says no more than its finding, and that in a kernel which the place shows. */
static bool is_reported_by(struct arena *arena, const struct cause *cause,
                           const struct finding *finding)
{
    return finding != NULL && finding->code == cause->code && cause->line > 0 &&
           finding->kernel != NULL && finding->kernel[0] != '\0' &&
           strcmp(cause->message, finding_sentence(arena, finding)) == 0;
}

/* What is wrong and where, as a criterion's cause says it, or else as the finding does. */
static void set_head(struct arena *arena, const struct root_cause *root_cause,
                     struct report_diagnostic *diagnostic)
{
    const struct finding *finding = diagnostic->finding;
    const struct place *place =
        finding != NULL && finding->place_count > 0 ? &finding->places[finding->main_place] : NULL;

    diagnostic->severity = SEVERITY_ERROR;
    diagnostic->file = "";
    if (root_cause->verdict != NULL) {
        const struct cause *cause = &root_cause->verdict->cause;
        diagnostic->code = cause->code;
        diagnostic->message =
            is_reported_by(arena, cause, finding) ? finding->message : cause->message;
        diagnostic->file = text_or_empty(cause->file);
        diagnostic->line = cause->line;
        diagnostic->column = cause->column;
    } else {
        diagnostic->code = finding->code;
        diagnostic->message = text_or_empty(finding->message);
        diagnostic->severity = root_cause->result_count > 0 ? SEVERITY_ERROR : finding->severity;
    }
    if (diagnostic->line == 0 && place != NULL && place->line > 0) {
        diagnostic->file = text_or_empty(place->file);
        diagnostic->line = place->line;
        diagnostic->column = place->column;
    }
}

/* Fixes are tried for the first of the verdicts, and kept there. */
static void set_verdicts(const struct report *report, struct arena *arena,
                         const struct root_cause *root_cause, struct report_diagnostic *diagnostic)
{
    size_t *verdicts =
        arena_array(arena, root_cause->same_count + root_cause->result_count, sizeof *verdicts);

    for (size_t i = 0; i < root_cause->same_count; i++) {
        verdicts[diagnostic->verdict_count++] = root_cause->same[i];
    }
    for (size_t i = 0; i < root_cause->result_count; i++) {
        verdicts[diagnostic->verdict_count++] = root_cause->results[i];
    }
    diagnostic->verdicts = verdicts;
    if (diagnostic->verdict_count > 0) {
        const struct cause *cause = &report->verdicts[verdicts[0]].cause;
        diagnostic->fixes = cause->fixes;
        diagnostic->fix_count = cause->fix_count;
    }
}

static void tell(const struct report *report, struct arena *arena,
                 const struct root_cause *root_cause, struct report_diagnostic *diagnostic)
{
    struct telling telling = {
        .report = report, .arena = arena, .root_cause = root_cause, .diagnostic = diagnostic};

    *diagnostic = (struct report_diagnostic){
        .finding = root_cause->finding_count > 0 ? root_cause->findings[0] : NULL,
    };
    set_head(arena, root_cause, diagnostic);
    diagnostic_add_marks(report, arena, root_cause, diagnostic);
    set_verdicts(report, arena, root_cause, diagnostic);
    add_notes(&telling);
}

void diagnostics_make(struct report *report, struct arena *arena)
{
    struct root_cause *root_causes = NULL;
    size_t count = 0;

    root_causes_gather(report, arena, &root_causes, &count);
    struct report_diagnostic *diagnostics = arena_array(arena, count, sizeof *diagnostics);
    for (size_t i = 0; i < count; i++) {
        tell(report, arena, &root_causes[i], &diagnostics[i]);
    }
    report->diagnostics = diagnostics;
    report->diagnostic_count = count;
}
