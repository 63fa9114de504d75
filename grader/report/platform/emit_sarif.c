/* emit_sarif.c: a score as a log of static analysis, SARIF 2.1.0 (OASIS), which editors and code
 * hosts show at the lines.
 *
 *     runs[0].tool.driver         gpugrade, its version, a rule for each code that is in the log
 *     runs[0].automationDetails   "gpugrade/<coursework>/", so that logs of one coursework compare
 *     runs[0].invocations[0]      executionSuccessful is false where the grader or the machine
 *                                 failed; what failed is a notification there, not a result
 *     runs[0].results             diagnostics (error, warning), then remarks (note); a note too is
 *                                 what the emulated device does not know, which is nobody's mistake
 *
 * A rule is a code: its id ("R01"), name, title, and the page of `gpugrade explain` where the score
 * points to it (a course may want no hints). The id of the rule of remarks is "remark". Results
 * hold the diagnostic with its notes; secondary marks are related locations. Files are URIs
 * relative to the submission, or behind path_prefix to the repository. Code hosts refuse a whole
 * log for one result without a file: what has none, as a failure for a hidden shape, is shown at
 * line 1 of a file that the score names for the same launch, or else for anything, or else of
 * "whole-submission". A file outside of the submission (a header of the toolkit) has no URI: its
 * place stands in the message, and the result is shown as one without a file.
 *
 * Columns count bytes of UTF-8, as nvcc counts them, and a score holds no sources to convert them
 * by. SARIF knows no such unit; `columnKind` is the nearest one, unicodeCodePoints, which is the
 * same wherever only ASCII stands before the column, and the run's property "columnUnit" says so.
 *
 * The fingerprint "gpugrade/v1" is made of code, file, first criterion and the message without its
 * numbers: the same in every run and wherever the lines move. Equal ones are numbered.
 *
 * The log is one tree of JSON; members are named as in the
 * standard, whose sections are given where they decide.
 */
#include "report/platform/emit_format.h"

#include "base/file.h"
#include "report/escape.h"
#include "report/platform/emit_parts.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"
#include "report/score/json_parts.h"
#include "report/terminal/explain_terminal.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static const char remark_rule[] = "remark";

/* What is made so far. */
struct sarif_log {
    const struct report *report;
    const struct emit_options *options;
    struct arena *arena;
    cJSON *rules;
    cJSON *results;
    int rule_of_code[CODE_COUNT]; /* index in `rules`, -1: none yet */
    int rule_of_remarks;
    const char **fingerprints; /* [fingerprint_count] without numbers */
    size_t fingerprint_count;
};

/* A place as everything here has it; line and columns are 0 where unknown. */
struct sarif_place {
    const char *file;
    int line, column, end;
};

static void add_message(cJSON *object, const char *key, const char *string)
{
    struct text words;

    text_init(&words);
    escape_sarif_message(text_or_empty(string), strlen(text_or_empty(string)), &words);
    json_add_text(json_add_object(object, key), "text", words.bytes);
    text_release(&words);
}

static void add_plain_message(cJSON *object, const char *key, const char *string)
{
    json_add_text(json_add_object(object, key), "text", string);
}

/* What stands behind the first point of a criterion's id, which names its launch: ".tiled"; all of
 * it if there is none. */
static const char *launch_part(const struct verdict *verdict)
{
    const char *part = strchr(verdict->criterion->id, '.');

    return part == NULL ? verdict->criterion->id : part;
}

/* The file of the first cause that names one, of the criteria of one launch if that is given; NULL:
 * there is none. */
static const char *file_of_causes(const struct report *report, const char *launch)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        bool is_asked = launch == NULL || strcmp(launch_part(verdict), launch) == 0;
        if (is_asked && verdict->cause.code != CODE_NONE &&
            emit_is_inside(text_or_empty(verdict->cause.file))) {
            return verdict->cause.file;
        }
    }
    return NULL;
}

/* Where a result is shown that has no file of its own: in the file that a criterion of the same
 * launch (of verdict `index`; SIZE_MAX: any) is lost in, or else in any that the score names, or
 * else under a name that says so. Code hosts refuse a whole log for one result without a file. */
static const char *anchor_of(const struct report *report, size_t index)
{
    static const char none[] = "whole-submission";
    const char *file = NULL;

    if (index != SIZE_MAX) {
        file = file_of_causes(report, launch_part(&report->verdicts[index]));
    }
    file = file == NULL ? file_of_causes(report, NULL) : file;
    for (size_t i = 0; i < report->diagnostic_count && file == NULL; i++) {
        const char *own = text_or_empty(report->diagnostics[i].file);
        file = emit_is_inside(own) ? own : NULL;
    }
    for (size_t i = 0; i < report->remark_count && file == NULL; i++) {
        const char *own = text_or_empty(report->remarks[i].file);
        file = emit_is_inside(own) ? own : NULL;
    }
    return file == NULL ? none : file;
}

/* Adds artifactLocation and region (3.29) of a place in a file of the submission. */
static void add_physical_location(const struct sarif_log *log, cJSON *location,
                                  const struct sarif_place *place)
{
    cJSON *physical = json_add_object(location, "physicalLocation");
    const char *prefix = log->options->path_prefix;
    struct text uri;

    text_init(&uri);
    escape_uri_path(prefix, strlen(prefix), &uri);
    escape_uri_path(place->file, strlen(place->file), &uri);
    json_add_text(json_add_object(physical, "artifactLocation"), "uri", uri.bytes);
    text_release(&uri);
    cJSON *region = json_add_object(physical, "region");
    json_add_number(region, "startLine", place->line > 0 ? place->line : 1);
    if (place->line > 0 && place->column > 0) {
        json_add_number(region, "startColumn", place->column);
        if (place->end > place->column) {
            json_add_number(region, "endColumn", place->end);
        }
    }
}

/* The place itself, or the anchor of one that has no file of the submission; see anchor_of. */
static struct sarif_place shown_place(const struct report *report, const struct sarif_place *place,
                                      size_t index)
{
    if (emit_is_inside(text_or_empty(place->file))) {
        return *place;
    }
    return (struct sarif_place){.file = anchor_of(report, index)};
}

/* The explanation of a code, as `gpugrade explain` shows it and as its page is written. */
static void add_help(const struct sarif_log *log, cJSON *rule, enum code code)
{
    enum { COLUMNS = 80 };
    struct text words;
    struct page page;

    if (!explain_page(log->arena, code, &page)) {
        return;
    }
    text_init(&words);
    explain_terminal_page(&page, COLUMNS, false, &words);
    cJSON *help = json_add_object(rule, "help");
    json_add_text(help, "text", words.bytes);
    json_add_text(help, "markdown", explain_text(code));
    text_release(&words);
}

static void add_level(cJSON *rule, const char *level)
{
    json_add_text(json_add_object(rule, "defaultConfiguration"), "level", level);
}

/* True if the report may explain: a course that wants no hints has no such note. */
static bool explains(const struct report_diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        if (diagnostic->notes[i].kind == NOTE_EXPLAIN) {
            return true;
        }
    }
    return false;
}

/* The index of the rule (3.49) of a diagnostic's code, which is made when it is first asked for. */
static int rule_of(struct sarif_log *log, const struct report_diagnostic *diagnostic)
{
    enum code code = diagnostic->code;

    if (log->rule_of_code[code] < 0) {
        log->rule_of_code[code] = cJSON_GetArraySize(log->rules);
        cJSON *rule = json_append_object(log->rules);
        json_add_text(rule, "id", code_id(code));
        json_add_text(rule, "name", code_name(code));
        add_plain_message(rule, "shortDescription", code_title(code));
        add_level(rule, "error");
        if (explains(diagnostic)) {
            add_help(log, rule, code);
        }
        cJSON *tags = json_add_array(json_add_object(rule, "properties"), "tags");
        cJSON_AddItemToArray(tags, json_made(cJSON_CreateString(cause_name(code_cause(code)))));
    }
    return log->rule_of_code[code];
}

static int rule_of_remarks(struct sarif_log *log)
{
    if (log->rule_of_remarks < 0) {
        log->rule_of_remarks = cJSON_GetArraySize(log->rules);
        cJSON *rule = json_append_object(log->rules);
        json_add_text(rule, "id", remark_rule);
        json_add_text(rule, "name", remark_rule);
        add_plain_message(rule, "shortDescription", "something worth knowing that costs nothing");
        add_level(rule, "note");
    }
    return log->rule_of_remarks;
}

/* Adds what tells this result from others in any run: see emit_sarif.c. */
static void add_fingerprint(struct sarif_log *log, cJSON *result, const char *rule,
                            const char *criterion, const char *file, const char *message)
{
    enum { DIGITS = 32 };
    struct text words;
    char hash[65];
    size_t same = 1;

    text_init(&words);
    text_printf(&words, "%s\n%s\n%s\n", rule, text_or_empty(file), criterion);
    for (const char *c = text_or_empty(message); *c != '\0'; c++) {
        if (!isdigit((unsigned char)*c)) {
            text_append_char(&words, *c);
        }
    }
    hash_bytes(words.bytes, words.length, hash);
    hash[DIGITS] = '\0';
    for (size_t i = 0; i < log->fingerprint_count; i++) {
        same += strcmp(log->fingerprints[i], hash) == 0;
    }
    log->fingerprints[log->fingerprint_count++] = arena_strdup(log->arena, hash);
    text_clear(&words);
    text_printf(&words, "%s:%zu", hash, same);
    json_add_text(json_add_object(result, "partialFingerprints"), "gpugrade/v1", words.bytes);
    text_release(&words);
}

static cJSON *append_result(struct sarif_log *log, const char *rule, int index, const char *level)
{
    cJSON *result = json_append_object(log->results);

    json_add_text(result, "ruleId", rule);
    json_add_number(result, "ruleIndex", index);
    json_add_text(result, "level", level);
    return result;
}

/* Names the place of a file that has no URI. */
static void append_outside(const struct sarif_place *place, struct text *words)
{
    static const struct emit_options bare = {.path_prefix = ""};

    if (text_or_empty(place->file)[0] != '\0' && !emit_is_inside(place->file)) {
        text_append(words, "\nat ");
        plain_append_place(words, &bare, place->file, place->line, place->column);
    }
}

/* The mark at a diagnostic's own place; NULL: there is none. */
static const struct diagnostic_mark *main_mark(const struct report_diagnostic *diagnostic)
{
    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (mark->is_primary && mark->line == diagnostic->line &&
            mark->column == diagnostic->column &&
            strcmp(text_or_empty(mark->file), text_or_empty(diagnostic->file)) == 0) {
            return mark;
        }
    }
    return NULL;
}

static void add_label(cJSON *location, const char *label)
{
    if (text_or_empty(label)[0] != '\0') {
        add_message(location, "message", label);
    }
}

/* The other marks (3.27.22). */
static void add_related(const struct sarif_log *log, cJSON *result,
                        const struct report_diagnostic *diagnostic)
{
    cJSON *related = NULL;
    int id = 0;

    for (size_t i = 0; i < diagnostic->mark_count; i++) {
        const struct diagnostic_mark *mark = &diagnostic->marks[i];
        if (!emit_is_inside(text_or_empty(mark->file)) || mark == main_mark(diagnostic)) {
            continue;
        }
        related = related == NULL ? json_add_array(result, "relatedLocations") : related;
        cJSON *location = json_append_object(related);
        json_add_number(location, "id", id++);
        add_physical_location(
            log, location, &(struct sarif_place){mark->file, mark->line, mark->column, mark->end});
        add_label(location, mark->label);
    }
}

/* Adds the diagnostic's own location (3.27.12), with what its mark says. */
static void add_location(const struct sarif_log *log, cJSON *result,
                         const struct report_diagnostic *diagnostic)
{
    const struct diagnostic_mark *mark = main_mark(diagnostic);
    struct sarif_place place = {diagnostic->file, diagnostic->line, diagnostic->column,
                                mark == NULL ? 0 : mark->end};
    size_t first = diagnostic->verdict_count > 0 ? diagnostic->verdicts[0] : SIZE_MAX;
    cJSON *location = json_append_object(json_add_array(result, "locations"));

    place = shown_place(log->report, &place, first);
    add_physical_location(log, location, &place);
    add_label(location, mark == NULL ? "" : mark->label);
}

/* What the grader does not know is nobody's mistake. */
static const char *level_of(const struct report *report, const struct report_diagnostic *diagnostic)
{
    if (diagnostic->verdict_count > 0 &&
        report->verdicts[diagnostic->verdicts[0]].status == STATUS_ERROR) {
        return "note";
    }
    return diagnostic->severity == SEVERITY_ERROR ? "error" : "warning";
}

static void append_diagnostic(struct sarif_log *log, const struct report_diagnostic *diagnostic)
{
    struct sarif_place place = {diagnostic->file, diagnostic->line, diagnostic->column, 0};
    const char *id = code_id(diagnostic->code);
    const char *criterion = "";
    cJSON *result =
        append_result(log, id, rule_of(log, diagnostic), level_of(log->report, diagnostic));
    struct text words;

    text_init(&words);
    text_append(&words, text_or_empty(diagnostic->message));
    append_outside(&place, &words);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        text_printf(&words, "\n%s: %s", note_kind_name(diagnostic->notes[i].kind),
                    text_or_empty(diagnostic->notes[i].text));
    }
    add_message(result, "message", words.bytes);
    text_release(&words);
    add_location(log, result, diagnostic);
    add_related(log, result, diagnostic);
    if (diagnostic->verdict_count > 0) {
        criterion = log->report->verdicts[diagnostic->verdicts[0]].criterion->id;
    }
    add_fingerprint(log, result, id, criterion, diagnostic->file, diagnostic->message);
}

static void append_remark(struct sarif_log *log, const struct remark *remark)
{
    struct sarif_place place = {remark->file, remark->line, remark->column, 0};
    cJSON *result = append_result(log, remark_rule, rule_of_remarks(log), "note");
    struct text words;

    text_init(&words);
    text_append(&words, text_or_empty(remark->message));
    append_outside(&place, &words);
    add_message(result, "message", words.bytes);
    text_release(&words);
    place = shown_place(log->report, &place, SIZE_MAX);
    add_physical_location(log, json_append_object(json_add_array(result, "locations")), &place);
    add_fingerprint(log, result, remark_rule, "", remark->file, remark->message);
}

/* The list of notifications is there as soon as there is one. */
static void add_notification(cJSON *invocation, const char *level, const char *words)
{
    static const char key[] = "toolExecutionNotifications";
    cJSON *list = cJSON_GetObjectItemCaseSensitive(invocation, key);
    cJSON *notification = json_append_object(list == NULL ? json_add_array(invocation, key) : list);

    json_add_text(notification, "level", level);
    add_message(notification, "message", words);
}

/* How the run itself went (3.20): what the grader or the machine failed at is reported here, and
 * what is about no place. */
static void add_invocation(const struct report *report, cJSON *run)
{
    cJSON *invocation = json_append_object(json_add_array(run, "invocations"));
    bool is_successful = true;

    for (size_t i = 0; i < report->verdict_count; i++) {
        is_successful = is_successful && report->verdicts[i].status != STATUS_ERROR;
    }
    json_add_boolean(invocation, "executionSuccessful", is_successful);
    for (size_t i = 0; i < report->verdict_count; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        if (verdict_is_measured(verdict)) {
            continue;
        }
        struct text words;
        text_init(&words);
        text_printf(&words, "%s: %s", verdict->criterion->id, plain_why(verdict));
        add_notification(invocation, verdict->status == STATUS_ERROR ? "error" : "note",
                         words.bytes);
        text_release(&words);
    }
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        const struct report_diagnostic *diagnostic = &report->diagnostics[i];
        if (diagnostic->code == CODE_NONE && diagnostic->verdict_count == 0) {
            add_notification(invocation, "note", diagnostic->message);
        }
    }
}

static void add_tool(struct sarif_log *log, cJSON *run)
{
    cJSON *driver = json_add_object(json_add_object(run, "tool"), "driver");

    json_add_text(driver, "name", "gpugrade");
    json_add_text(driver, "version", log->report->grader_version);
    log->rules = json_add_array(driver, "rules");
}

static void fill_run(struct sarif_log *log, cJSON *run)
{
    const struct report *report = log->report;
    struct text id;

    add_tool(log, run);
    text_init(&id);
    text_printf(&id, "gpugrade/%s/", report->rubric->id);
    json_add_text(json_add_object(run, "automationDetails"), "id", id.bytes);
    text_release(&id);
    add_invocation(report, run);
    json_add_text(run, "columnKind", "unicodeCodePoints");
    log->results = json_add_array(run, "results");
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (report->diagnostics[i].code != CODE_NONE) {
            append_diagnostic(log, &report->diagnostics[i]);
        }
    }
    for (size_t i = 0; i < report->remark_count; i++) {
        append_remark(log, &report->remarks[i]);
    }
    json_add_text(json_add_object(run, "properties"), "columnUnit",
                  "bytes of UTF-8; the same as code points if all text before is ASCII");
}

void emit_sarif(const struct report *report, const struct emit_options *options, struct text *out)
{
    struct arena *arena = arena_new();
    struct sarif_log log = {
        .report = report, .options = options, .arena = arena, .rule_of_remarks = -1};
    cJSON *root = json_made(cJSON_CreateObject());

    for (size_t i = 0; i < CODE_COUNT; i++) {
        log.rule_of_code[i] = -1;
    }
    log.fingerprints = arena_array(arena, report->diagnostic_count + report->remark_count,
                                   sizeof *log.fingerprints);
    json_add_text(root, "$schema",
                  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                  "sarif-schema-2.1.0.json");
    json_add_text(root, "version", "2.1.0");
    fill_run(&log, json_append_object(json_add_array(root, "runs")));
    json_print(root, out);
    cJSON_Delete(root);
    arena_free(arena);
}
