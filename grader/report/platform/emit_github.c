/* emit_github.c: annotations on the student's lines, as workflow commands of GitHub Actions.
 *
 *     ::error file=hw3/a.cu,line=31,endLine=31,col=13,endColumn=21,title=R01 race::shared ...
 *     ::notice title=gpugrade%3A 62 of 85 points::...
 *
 * One command for each diagnostic, the most important first, then one for each remark (a warning,
 * since it costs nothing), and last the score. GitHub shows ten of each kind for a step: no more
 * are written, and the last one says how many that leaves. It is the only notice, so it is shown.
 *
 * Columns are bytes, as compilers count them. GitHub cuts messages after 4096 bytes, so what is
 * most useful comes first. A source can claim to be another file (#line): a command names only
 * files below the submission's folder.
 */
#include "report/platform/emit_format.h"

#include "report/escape.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"

#include <string.h>

enum {
    SHOWN_MAX = 10,
    MESSAGE_BYTES_MAX = 3800,
    LINE_BYTES_MAX = 1500,
    TITLE_BYTES_MAX = 200,
};

/* Where an annotation stands; zeros where unknown. */
struct span {
    const char *file;
    int line, column, end;
};

static void append_file(const char *prefix, const char *file, struct text *out)
{
    struct text path;

    text_init(&path);
    text_append(&path, prefix);
    text_append(&path, file);
    escape_workflow_property(path.bytes, path.length, out);
    text_release(&path);
}

/* True if the runner reads the name as it is: it drops a first "=". */
static bool can_be_named(const char *prefix, const char *file)
{
    enum { PATH_BYTES_MAX = 4096 };

    return emit_is_inside(file) && strlen(file) < PATH_BYTES_MAX &&
           (prefix[0] != '\0' || file[0] != '=');
}

/* One line: a command, its place, its title and its message. */
static void append_command(const char *command, const struct span *span, const char *title,
                           const char *message, const struct emit_options *options,
                           struct text *out)
{
    struct text shortened;

    text_printf(out, "::%s ", command);
    if (can_be_named(options->path_prefix, span->file)) {
        text_append(out, "file=");
        append_file(options->path_prefix, span->file, out);
        if (span->line > 0) {
            text_printf(out, ",line=%d,endLine=%d", span->line, span->line);
        }
        if (span->line > 0 && span->column > 0) {
            text_printf(out, ",col=%d", span->column);
        }
        if (span->line > 0 && span->column > 0 && span->end > span->column) {
            text_printf(out, ",endColumn=%d", span->end - 1);
        }
        text_append_char(out, ',');
    }
    text_init(&shortened);
    emit_append_shortened(&shortened, title, TITLE_BYTES_MAX);
    text_append(out, "title=");
    escape_workflow_property(shortened.bytes, shortened.length, out);
    text_append(out, "::");
    text_clear(&shortened);
    emit_append_shortened(&shortened, message, MESSAGE_BYTES_MAX);
    escape_workflow_message(shortened.bytes, shortened.length, out);
    text_append_char(out, '\n');
    text_release(&shortened);
}

static struct span span_of(const struct report_diagnostic *diagnostic)
{
    struct span span = {diagnostic->file, diagnostic->line, diagnostic->column, 0};

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (mark->line == span.line && mark->column == span.column &&
            strcmp(mark->file, span.file) == 0) {
            span.end = mark->end > span.end ? mark->end : span.end;
        }
    }
    return span;
}

/* What GitHub shows in bold: "R01 race". */
static void append_title(const struct report_diagnostic *diagnostic, struct text *out)
{
    if (diagnostic->code == CODE_NONE) {
        text_append(out, "gpugrade could not grade this");
    } else {
        text_printf(out, "%s %s", code_id(diagnostic->code),
                    cause_title(code_cause(diagnostic->code)));
    }
}

static void append_note(const struct report_diagnostic *diagnostic, enum note_kind kind,
                        struct text *out)
{
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        if (diagnostic->notes[i].kind == kind) {
            text_printf(out, "\n%s: ", note_kind_name(kind));
            emit_append_line(out, diagnostic->notes[i].text, LINE_BYTES_MAX);
        }
    }
}

/* The message, the next step, what was seen where, what follows. */
static void append_message(const struct report_diagnostic *diagnostic,
                           const struct emit_options *options, struct text *out)
{
    static const enum note_kind kinds[] = {NOTE_EXPECTED, NOTE_SEEN,  NOTE_SO,     NOTE_ALSO,
                                           NOTE_NOTE,     NOTE_AGAIN, NOTE_EXPLAIN};

    emit_append_line(out, diagnostic->message, LINE_BYTES_MAX);
    append_note(diagnostic, NOTE_HINT, out);
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (text_or_empty(mark->label)[0] != '\0') {
            text_append_char(out, '\n');
            emit_append_place(out, options, mark->file, mark->line, mark->column);
            text_append(out, ": ");
            emit_append_line(out, mark->label, LINE_BYTES_MAX);
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        append_note(diagnostic, kinds[i], out);
    }
}

/* Writes those of one severity; returns how many there are. */
static size_t append_diagnostics(const struct report *report, enum severity severity,
                                 const struct emit_options *options, struct text *out)
{
    const char *command = severity == SEVERITY_ERROR ? "error" : "warning";
    size_t count = 0;
    struct text title, message;

    text_init(&title);
    text_init(&message);
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &report->diagnostics[i];
        if (diagnostic->severity != severity || count++ >= SHOWN_MAX) {
            continue;
        }
        struct span span = span_of(diagnostic);
        text_clear(&title);
        text_clear(&message);
        append_title(diagnostic, &title);
        append_message(diagnostic, options, &message);
        append_command(command, &span, title.bytes, message.bytes, options, out);
    }
    text_release(&title);
    text_release(&message);
    return count;
}

static void append_remarks(const struct report *report, size_t room,
                           const struct emit_options *options, struct text *out)
{
    for (size_t i = 0; i < report->remark_count && i < room; i++) {
        const struct remark *remark = &report->remarks[i];
        struct span span = {text_or_empty(remark->file), remark->line, remark->column, 0};
        append_command("warning", &span, "costs no marks", text_or_empty(remark->message), options,
                       out);
    }
}

static void append_count(struct text *out, size_t count, const char *what)
{
    text_printf(out, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

static size_t beyond(size_t count)
{
    return count > SHOWN_MAX ? count - SHOWN_MAX : 0;
}

static void append_score(const struct report *report, size_t errors, size_t warnings,
                         const struct emit_options *options, struct text *out)
{
    double lost = report_points_with(report, STATUS_ERROR);
    double skipped = report_points_with(report, STATUS_SKIPPED);
    double open = report_points_with(report, STATUS_OPEN);
    size_t left_out = beyond(errors) + beyond(warnings);
    const struct span nowhere = {"", 0, 0, 0};
    struct text title, message;

    text_init(&title);
    text_init(&message);
    text_append(&title, "gpugrade: ");
    plain_append_number(&title, report_score(report), 2);
    text_append(&title, " of ");
    plain_append_number(&title, report_measurable_max(report), 2);
    text_append(&title, " points");
    text_append(&message, report->rubric->id);
    text_append(&message, ": ");
    append_count(&message, errors, "error");
    text_append(&message, ", ");
    append_count(&message, warnings, "warning");
    if (left_out > 0) {
        text_printf(&message, "; %zu are not shown here, see the summary", left_out);
    }
    if (skipped > 0) {
        text_append(&message, "\ncannot be measured on this machine: ");
        plain_append_number(&message, skipped, 2);
        text_append(&message, " points");
    }
    if (open > 0) {
        text_append(&message, "\na person gives: ");
        plain_append_number(&message, open, 2);
        text_append(&message, " points");
    }
    if (lost > 0) {
        text_append(&message, "\nnot graded because the grader or the machine failed: ");
        plain_append_number(&message, lost, 2);
        text_append(&message, " points");
    }
    append_command("notice", &nowhere, title.bytes, message.bytes, options, out);
    text_release(&title);
    text_release(&message);
}

void emit_github(const struct report *report, const struct emit_options *options, struct text *out)
{
    size_t errors = append_diagnostics(report, SEVERITY_ERROR, options, out);
    size_t warnings = append_diagnostics(report, SEVERITY_WARNING, options, out);

    append_remarks(report, warnings < SHOWN_MAX ? SHOWN_MAX - warnings : 0, options, out);
    append_score(report, errors, warnings + report->remark_count, options, out);
}
