/* emit_junit.c: a score as JUnit test results, which Jenkins, GitLab and many others show.
 *
 *     <testsuites tests= failures= errors= ...>
 *       <testsuite name="vectors" tests= failures= errors= skipped= time=>
 *         <testcase name="race-free.tiled" classname="gpugrade.vectors" time="0">
 *           <failure type="race" message="0 of 10 points: ...">the diagnostic</failure>
 *           <system-out>0 of 10 points</system-out>
 *
 * As junit-10.xsd of Jenkins' xUnit plugin has it. A case is a criterion by its id, which stays the
 * same when titles change. partial is a failure, as JUnit knows no parts; skipped is skipped; error
 * is an error: the fault of the grader or the machine. A score has seconds for its stages, not for
 * a criterion, so the time of a case is 0 and the suite has all of it. What belongs to no
 * criterion, and remarks, stand in the suite's system-out.
 */
#include "report/platform/emit_format.h"

#include "report/escape.h"
#include "report/platform/plain_words.h"

#include <string.h>

struct counts {
    size_t tests, failures, errors, skipped;
};

static struct counts count_verdicts(const struct report *report)
{
    struct counts counts = {.tests = report->verdict_count};

    for (size_t i = 0; i < report->verdict_count; i++) {
        enum status status = report->verdicts[i].status;
        counts.failures += status == STATUS_FAILED || status == STATUS_PARTIAL;
        counts.errors += status == STATUS_ERROR;
        counts.skipped += status == STATUS_SKIPPED || status == STATUS_OPEN;
    }
    return counts;
}

static void append_attribute(struct text *out, const char *name, const char *value)
{
    text_printf(out, " %s=\"", name);
    escape_xml_attribute(text_or_empty(value), strlen(text_or_empty(value)), out);
    text_append_char(out, '"');
}

static void append_element(struct text *out, const char *name, const struct text *content)
{
    text_printf(out, "<%s>", name);
    escape_xml(content->bytes, content->length, out);
    text_printf(out, "</%s>\n", name);
}

static void append_counts(struct text *out, const struct counts *counts)
{
    text_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", counts->tests,
                counts->failures, counts->errors);
}

static void append_time(struct text *out, const struct report *report)
{
    text_append(out, " time=\"");
    plain_append_number(out, plain_seconds(report), 3);
    text_append(out, "\"");
}

/* The text below a failure: the whole diagnostic where the criterion fails for a cause of its own,
 * else a line that says where it stands. */
static void append_reason(struct text *out, const struct report *report, size_t index,
                          const struct emit_options *options)
{
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(report, index, &first);

    if (diagnostic == NULL) {
        return;
    }
    if (first == index) {
        plain_append_diagnostic(out, options, diagnostic);
        return;
    }
    text_printf(out, "same cause as %s: ", report->verdicts[first].criterion->id);
    plain_append_headline(out, diagnostic);
    text_append_char(out, '\n');
}

/* "0 of 10 points: what is wrong" */
static void append_message(struct text *out, const struct verdict *verdict)
{
    const char *why =
        verdict->cause.code == CODE_NONE ? plain_why(verdict) : verdict->cause.message;

    plain_append_points(out, verdict);
    if (text_or_empty(why)[0] != '\0') {
        text_append(out, ": ");
        text_append(out, why);
    }
}

/* The child that says how a criterion did not pass. */
static void append_outcome(struct text *out, const struct report *report, size_t index,
                           const struct emit_options *options)
{
    static const char *const elements[] = {[STATUS_PARTIAL] = "failure",
                                           [STATUS_FAILED] = "failure",
                                           [STATUS_SKIPPED] = "skipped",
                                           [STATUS_ERROR] = "error",
                                           [STATUS_OPEN] = "skipped"};
    const struct verdict *verdict = &report->verdicts[index];
    enum cause_kind kind = code_cause(verdict->cause.code);
    struct text message, reason;

    text_init(&message);
    text_init(&reason);
    append_message(&message, verdict);
    text_printf(out, "      <%s", elements[verdict->status]);
    append_attribute(out, "type",
                     kind == CAUSE_NONE ? status_name(verdict->status) : cause_name(kind));
    append_attribute(out, "message", message.bytes);
    text_append_char(out, '>');
    append_reason(&reason, report, index, options);
    escape_xml(reason.bytes, reason.length, out);
    text_printf(out, "</%s>\n", elements[verdict->status]);
    text_release(&message);
    text_release(&reason);
}

static void append_case(struct text *out, const struct report *report, size_t index,
                        const struct emit_options *options)
{
    const struct verdict *verdict = &report->verdicts[index];
    struct text words;

    text_init(&words);
    text_append(out, "    <testcase");
    append_attribute(out, "name", verdict->criterion->id);
    text_printf(&words, "gpugrade.%s", report->rubric->id);
    append_attribute(out, "classname", words.bytes);
    text_append(out, " time=\"0\">\n");
    if (verdict->status != STATUS_PASSED) {
        append_outcome(out, report, index, options);
    }
    text_clear(&words);
    text_printf(&words, "%s: %s, ", verdict->criterion->title, status_name(verdict->status));
    plain_append_points(&words, verdict);
    text_append(out, "      ");
    append_element(out, "system-out", &words);
    text_append(out, "    </testcase>\n");
    text_release(&words);
}

/* The score, diagnostics that no criterion fails for, remarks. */
static void append_suite_output(struct text *out, const struct report *report,
                                const struct emit_options *options)
{
    struct text words;

    text_init(&words);
    text_append(&words, "score: ");
    plain_append_score(&words, report);
    text_append_char(&words, '\n');
    for (size_t i = 0; i < report->diagnostic_count; i++) {
        if (report->diagnostics[i].verdict_count == 0) {
            plain_append_diagnostic(&words, options, &report->diagnostics[i]);
        }
    }
    for (size_t i = 0; i < report->remark_count; i++) {
        plain_append_remark(&words, options, &report->remarks[i]);
    }
    text_append(out, "    ");
    append_element(out, "system-out", &words);
    text_release(&words);
}

void emit_junit(const struct report *report, const struct emit_options *options, struct text *out)
{
    struct counts counts = count_verdicts(report);

    text_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gpugrade\"");
    append_counts(out, &counts);
    append_time(out, report);
    text_append(out, ">\n  <testsuite");
    append_attribute(out, "name", report->rubric->id);
    append_counts(out, &counts);
    text_printf(out, " skipped=\"%zu\"", counts.skipped);
    append_time(out, report);
    text_append(out, ">\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        append_case(out, report, i, options);
    }
    append_suite_output(out, report, options);
    text_append(out, "  </testsuite>\n</testsuites>\n");
}
