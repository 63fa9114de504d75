/* terminal_diagnostic.c: causes and findings with their lines; see terminal_diagnostic.h.
 *
 * A cause comes from a criterion, a finding from the device. They belong together when they have
 * the same code, the launch fits and, where the cause names a line, the finding has a place there;
 * then the finding's places are the marks under the cause. A cause that another criterion's cause
 * brought about (cause.because) is a note under that one.
 */
#include "report/terminal_diagnostic.h"

#include "report/display_text.h"
#include "report/source_excerpt.h"

#include <inttypes.h>
#include <string.h>

/* What is shown in one diagnostic. */
struct shown {
    const char *severity; /* "error" or "warning" */
    enum paint paint;
    enum code code;
    const char *message;
    const char *file;
    int line, column;
    const struct finding *finding; /* NULL: none */
};

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static bool same_file_line(const struct place *place, const char *file, int line)
{
    return place->line == line && strcmp(or_empty(place->file), file) == 0;
}

static bool launch_fits(const struct report *report, const struct finding *finding,
                        const struct rubric_criterion *criterion)
{
    const char *launch = or_empty(finding->launch);

    return launch[0] == '\0' || !criterion->has_launch ||
           strcmp(report->rubric->launches[criterion->launch].id, launch) == 0;
}

static bool finding_belongs(const struct report *report, const struct finding *finding,
                            const struct verdict *verdict)
{
    const struct cause *cause = &verdict->cause;

    if ((finding->code != cause->code && finding->code != cause->because) ||
        !launch_fits(report, finding, verdict->criterion)) {
        return false;
    }
    if (cause->line == 0) {
        return true;
    }
    for (size_t i = 0; i < finding->place_count; i++) {
        if (same_file_line(&finding->places[i], or_empty(cause->file), cause->line)) {
            return true;
        }
    }
    return false;
}

static bool has_cause(const struct verdict *verdict)
{
    bool is_said = verdict->cause.code != CODE_NONE || verdict->status == STATUS_ERROR;

    return is_said && or_empty(verdict->cause.message)[0] != '\0' &&
           verdict->status != STATUS_PASSED && verdict->status != STATUS_SKIPPED;
}

/* The codes may differ: an untouched template is found by the kernel and by the printout. */
static bool same_cause(const struct cause *a, const struct cause *b)
{
    return code_cause(a->code) == code_cause(b->code) && a->line == b->line &&
           a->column == b->column && strcmp(or_empty(a->message), or_empty(b->message)) == 0 &&
           strcmp(or_empty(a->file), or_empty(b->file)) == 0;
}

static const struct finding *find_finding(const struct report *report,
                                          const struct verdict *verdict)
{
    for (size_t i = 0; i < report->finding_count; i++) {
        if (finding_belongs(report, &report->findings[i], verdict)) {
            return &report->findings[i];
        }
    }
    return NULL;
}

/* True if all places are in the same block, so that naming it helps nobody. */
static bool one_block(const struct finding *finding)
{
    for (size_t i = 1; i < finding->place_count; i++) {
        if (memcmp(finding->places[i].block, finding->places[0].block,
                   sizeof finding->places[0].block) != 0) {
            return false;
        }
    }
    return finding->place_count > 1;
}

static void append_dimensions(struct text *out, const uint32_t dimensions[3])
{
    text_printf(out, "(%" PRIu32 ",%" PRIu32, dimensions[0], dimensions[1]);
    if (dimensions[2] != 0) {
        text_printf(out, ",%" PRIu32, dimensions[2]);
    }
    text_append_char(out, ')');
}

/* What is missing between the two accesses of a race; "" for other findings. */
static const char *missing_order(enum code code)
{
    switch (code) {
    case CODE_SHARED_RACE:
        return ", with no __syncthreads() between";
    case CODE_WARP_RACE:
        return ", with no __syncwarp() between";
    case CODE_GLOBAL_RACE:
        return ", with nothing that orders them";
    default:
        return "";
    }
}

/* What a thread did at a place that is no access and no barrier. */
static const char *deed(const struct finding *finding, const struct place *place)
{
    switch (finding->code) {
    case CODE_BARRIER_INCOMPLETE:
        return "exited";
    case CODE_DEVICE_ASSERT:
        return "failed";
    default:
        return place->has_thread ? "executed" : "";
    }
}

/* "written by thread (3,5) of block (0,1)" */
static void append_label(struct text *out, const struct finding *finding, const struct place *place)
{
    const struct {
        const char *role, *text;
    } roles[] = {{"read", "read"},
                 {"write", "written"},
                 {"atomic", "updated"},
                 {"barrier", "barrier reached"},
                 {"here", deed(finding, place)}};
    const char *text = or_empty(place->role);

    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++) {
        if (strcmp(text, roles[i].role) == 0) {
            text = roles[i].text;
            break;
        }
    }
    text_append(out, text);
    if (!place->has_thread) {
        return;
    }
    text_append(out, text[0] == '\0' ? "by thread " : " by thread ");
    append_dimensions(out, place->thread);
    if (!one_block(finding)) {
        text_append(out, " of block ");
        append_dimensions(out, place->block);
    }
}

/* A diagnostic's marks and the texts of their labels. */
struct marks {
    struct excerpt_mark entries[FINDING_PLACES_MAX + 1];
    const char *files[FINDING_PLACES_MAX + 1];
    struct text labels[FINDING_PLACES_MAX + 1];
    size_t count;
};

static void add_mark(struct marks *marks, const char *file, int line, int column, bool primary)
{
    text_init(&marks->labels[marks->count]);
    marks->files[marks->count] = file;
    marks->entries[marks->count] = (struct excerpt_mark){line, column, 0, primary, ""};
    marks->count++;
}

/* The column of a mark: where the line names the finding's variable, else the place's own. What is
 * read is looked for from the right, because what is assigned stands left of it. */
static int mark_column(const struct report *report, const struct finding *finding,
                       const struct place *place)
{
    const struct source_file *source = source_find(report, or_empty(place->file));
    bool is_read = strcmp(or_empty(place->role), "read") == 0;
    int column = source == NULL || finding->object == NULL
                     ? 0
                     : source_find_name(source, place->line, finding->object, is_read);

    return column > 0 ? column : place->column;
}

/* Puts the mark of a read of nameless memory under what the statement reads: its own place is the
 * beginning of the statement, which is often what is assigned. */
static void mark_value(const struct report *report, const struct finding *finding,
                       const struct place *place, struct excerpt_mark *mark)
{
    const struct source_file *source = source_find(report, or_empty(place->file));

    if (source != NULL && finding->object == NULL && strcmp(or_empty(place->role), "read") == 0) {
        source_find_value(source, mark->line, mark->column, &mark->column, &mark->end);
    }
}

static void collect_marks(const struct report *report, const struct shown *shown,
                          struct marks *marks)
{
    const struct finding *finding = shown->finding;
    bool primary_found = false;

    marks->count = 0;
    for (size_t i = 0; finding != NULL && i < finding->place_count; i++) {
        const struct place *place = &finding->places[i];
        bool primary = !primary_found && same_file_line(place, shown->file, shown->line) &&
                       (shown->column == 0 || place->column == shown->column);
        if (place->line == 0) {
            continue;
        }
        primary_found = primary_found || primary;
        add_mark(marks, or_empty(place->file), place->line, mark_column(report, finding, place),
                 primary);
        mark_value(report, finding, place, &marks->entries[marks->count - 1]);
        struct text *label = &marks->labels[marks->count - 1];
        append_label(label, finding, place);
        text_append(label, i == finding->main_place ? missing_order(finding->code) : "");
        marks->entries[marks->count - 1].label = label->bytes;
    }
    if (!primary_found && shown->line > 0) {
        add_mark(marks, shown->file, shown->line, shown->column, true);
    }
}

static void append_place(struct text *out, size_t margin, const char *arrow, const char *file,
                         const struct shown *place)
{
    text_append_repeated(out, ' ', margin);
    text_append(out, arrow);
    display_append_foreign(out, file);
    if (place != NULL && place->line > 0) {
        text_printf(out, ":%d", place->line);
        if (place->column > 0) {
            text_printf(out, ":%d", place->column);
        }
    }
    text_append_char(out, '\n');
}

/* Appends the excerpt of one file: all marks in it. */
static void append_excerpt(const struct report *report, const struct terminal_style *style,
                           const struct marks *marks, const char *file, struct text *out)
{
    struct excerpt_mark own[FINDING_PLACES_MAX + 1];
    const struct source_file *source = source_find(report, file);
    size_t count = 0;

    for (size_t i = 0; i < marks->count; i++) {
        if (strcmp(marks->files[i], file) == 0) {
            own[count++] = marks->entries[i];
        }
    }
    if (source != NULL) {
        source_excerpt(source, own, count, excerpt_margin(marks->entries, marks->count), style,
                       out);
    }
}

static bool file_seen(const struct marks *marks, size_t before, const char *file)
{
    for (size_t i = 0; i < before; i++) {
        if (strcmp(marks->files[i], file) == 0) {
            return true;
        }
    }
    return false;
}

/* Appends the head, the place and the lines; returns the margin for the notes below. */
static size_t append_shown(const struct report *report, const struct terminal_style *style,
                           const struct shown *shown, struct text *out)
{
    struct text head;
    struct marks marks;

    text_init(&head);
    text_append(&head, shown->severity);
    if (shown->code != CODE_NONE) {
        text_printf(&head, "[%s]", code_id(shown->code));
    }
    text_append_char(out, '\n');
    display_paint(out, style->color, shown->paint, head.bytes);
    text_release(&head);
    text_append(out, ": ");
    display_append_foreign(out, shown->message);
    text_append_char(out, '\n');

    collect_marks(report, shown, &marks);
    size_t margin = excerpt_margin(marks.entries, marks.count);
    if (shown->file[0] != '\0') {
        append_place(out, margin, "--> ", shown->file, shown);
        append_excerpt(report, style, &marks, shown->file, out);
    }
    for (size_t i = 0; i < marks.count; i++) {
        if (strcmp(marks.files[i], shown->file) != 0 && !file_seen(&marks, i, marks.files[i])) {
            append_place(out, margin, "::: ", marks.files[i], NULL);
            append_excerpt(report, style, &marks, marks.files[i], out);
        }
    }
    for (size_t i = 0; i < marks.count; i++) {
        text_release(&marks.labels[i]);
    }
    return margin;
}

static void start_note(struct text *out, size_t margin, const char *name)
{
    text_append_repeated(out, ' ', margin);
    text_printf(out, " = %-6s ", name);
}

/* "seen in 8 of 8 shapes, 26336 pairs; first: A 32x48, B 48x16, block (0,0)" */
static void append_seen_shapes(const struct finding *finding, size_t margin, struct text *out)
{
    const char *unit = code_cause(finding->code) == CAUSE_RACE ? "pair" : "time";

    text_append_repeated(out, ' ', margin);
    text_printf(out, " = seen in %" PRIu32 " of %" PRIu32 " shapes, %" PRIu64 " %s%s; first: ",
                finding->shapes, finding->of_shapes, finding->count, unit,
                finding->count == 1 ? "" : "s");
    display_append_foreign(out, finding->first_shape);
    if (finding->place_count > 0 && finding->places[0].has_thread) {
        text_append(out, ", block ");
        append_dimensions(out, finding->places[0].block);
    }
    text_append_char(out, '\n');
}

static void append_seen(const struct finding *finding, size_t margin, struct text *out)
{
    const char *kernel = finding == NULL ? "" : or_empty(finding->kernel);

    if (finding == NULL || (finding->count < 2 && kernel[0] == '\0')) {
        return;
    }
    if (finding->of_shapes > 0) {
        append_seen_shapes(finding, margin, out);
        return;
    }
    start_note(out, margin, "seen:");
    if (finding->count > 0) {
        text_printf(out, "%" PRIu64 " time%s", finding->count, finding->count == 1 ? "" : "s");
    }
    if (kernel[0] != '\0') {
        text_append(out, finding->count > 0 ? " in " : "in ");
        display_append_foreign(out, kernel);
    }
    text_append_char(out, '\n');
}

/* Names the other criteria with the same cause. */
static void append_also(const struct report *report, size_t index, size_t margin, struct text *out)
{
    const struct cause *cause = &report->verdicts[index].cause;
    bool first = true;

    for (size_t i = index + 1; i < report->verdict_count; i++) {
        const struct verdict *other = &report->verdicts[i];
        if (!has_cause(other) || !same_cause(&other->cause, cause)) {
            continue;
        }
        if (first) {
            start_note(out, margin, "also:");
        } else {
            text_append(out, ", ");
        }
        text_append(out, other->criterion->id);
        first = false;
    }
    if (!first) {
        text_append_char(out, '\n');
    }
}

/* True if the cause of verdict `index` explains that of verdict `other`. */
static bool explains(const struct report *report, size_t index, size_t other)
{
    const struct verdict *reason = &report->verdicts[index];
    const struct verdict *result = &report->verdicts[other];

    return has_cause(reason) && has_cause(result) && result->cause.because != CODE_NONE &&
           reason->cause.code == result->cause.because && reason->criterion->has_launch &&
           result->criterion->has_launch &&
           reason->criterion->launch == result->criterion->launch &&
           reason->cause.line == result->cause.line &&
           strcmp(or_empty(reason->cause.file), or_empty(result->cause.file)) == 0;
}

static bool is_explained(const struct report *report, size_t index)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (explains(report, i, index)) {
            return true;
        }
    }
    return false;
}

/* Names the criteria that fail because of this cause, and how. */
static void append_results(const struct report *report, size_t index, size_t margin,
                           struct text *out)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (explains(report, index, i)) {
            start_note(out, margin, "so:");
            text_printf(out, "%s fails too, ", report->verdicts[i].criterion->id);
            display_append_foreign(out, report->verdicts[i].summary);
            text_append_char(out, '\n');
        }
    }
}

static void append_notes(const struct report *report, size_t index, const struct finding *finding,
                         size_t margin, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];

    append_seen(finding, margin, out);
    append_results(report, index, margin, out);
    append_also(report, index, margin, out);
    if (verdict->status == STATUS_ERROR) {
        start_note(out, margin, "note:");
        text_append(out, "this is not the submission's fault and costs no marks\n");
    }
    if (or_empty(verdict->cause.hint)[0] != '\0') {
        start_note(out, margin, "hint:");
        display_append_foreign(out, verdict->cause.hint);
        text_append_char(out, '\n');
    }
    start_note(out, margin, "again:");
    display_append_foreign(out, report->again);
    text_printf(out, " --only %s --seed 0x%" PRIx64 "\n", verdict->criterion->id, report->seed);
}

static bool shown_before(const struct report *report, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (has_cause(&report->verdicts[i]) &&
            same_cause(&report->verdicts[i].cause, &report->verdicts[index].cause)) {
            return true;
        }
    }
    return false;
}

static void append_cause(const struct report *report, const struct terminal_style *style,
                         size_t index, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];
    const struct finding *finding = find_finding(report, verdict);
    struct shown shown = {
        .severity = "error",
        .paint = PAINT_BAD,
        .code = verdict->cause.code,
        .message = verdict->cause.message,
        .file = or_empty(verdict->cause.file),
        .line = verdict->cause.line,
        .column = verdict->cause.column,
        .finding = finding,
    };

    if (shown.line == 0 && finding != NULL && finding->place_count > 0) {
        shown.file = or_empty(finding->places[0].file);
        shown.line = finding->places[0].line;
        shown.column = finding->places[0].column;
    }
    size_t margin = append_shown(report, style, &shown, out);
    append_notes(report, index, finding, margin, out);
}

static bool finding_is_explained(const struct report *report, const struct finding *finding)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_cause(&report->verdicts[i]) &&
            finding_belongs(report, finding, &report->verdicts[i])) {
            return true;
        }
    }
    return false;
}

static void append_finding(const struct report *report, const struct terminal_style *style,
                           const struct finding *finding, struct text *out)
{
    bool is_error = finding->severity == SEVERITY_ERROR;
    struct shown shown = {
        .severity = is_error ? "error" : "warning",
        .paint = is_error ? PAINT_BAD : PAINT_PART,
        .code = finding->code,
        .message = finding->message,
        .file = "",
        .finding = finding,
    };

    if (finding->place_count > 0) {
        const struct place *place = &finding->places[finding->main_place];
        shown.file = or_empty(place->file);
        shown.line = place->line;
        shown.column = place->column;
    }
    append_seen(finding, append_shown(report, style, &shown, out), out);
}

void terminal_diagnostics(const struct report *report, const struct terminal_style *style,
                          struct text *out)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (has_cause(&report->verdicts[i]) && !is_explained(report, i) &&
            !shown_before(report, i)) {
            append_cause(report, style, i, out);
        }
    }
    for (size_t i = 0; i < report->finding_count; i++) {
        if (!finding_is_explained(report, &report->findings[i])) {
            append_finding(report, style, &report->findings[i], out);
        }
    }
}
