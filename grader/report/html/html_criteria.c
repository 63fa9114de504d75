/* html_criteria.c: the table of criteria; see html_sections.h. */
#include "model/criterion_summary.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"
#include "report/platform/plain_words.h"
#include "report/platform/whole_points.h"

#include <inttypes.h>
#include <math.h>

static const struct {
    const char *word, *style;
} words[] = {
    [STATUS_PASSED] = {"pass", "good"},   [STATUS_PARTIAL] = {"part", "part"},
    [STATUS_FAILED] = {"fail", "bad"},    [STATUS_SKIPPED] = {"skip", "none"},
    [STATUS_ERROR] = {"error", "broken"}, [STATUS_OPEN] = {"open", "none"},
};

/* Whole numbers are shown in full. */
static void append_number(double number, struct text *out)
{
    static const double whole_max = 1e15;

    if (number >= 0 && number <= whole_max && number == floor(number)) {
        html_count(out, (uint64_t)number);
    } else {
        text_printf(out, "%.6g", number);
    }
}

static void append_value(const struct evidence *fact, struct text *out)
{
    switch (fact->type) {
    case EVIDENCE_TEXT:
        html_escape(out, fact->text);
        break;
    case EVIDENCE_NUMBER:
        append_number(fact->number, out);
        break;
    case EVIDENCE_INTEGER:
        text_printf(out, "%" PRId64, fact->integer);
        break;
    case EVIDENCE_BOOLEAN:
        text_append(out, fact->integer != 0 ? "yes" : "no");
        break;
    }
}

/* Keys are words with underscores between. */
static void append_key(const char *key, struct text *out)
{
    struct text title;

    text_init(&title);
    for (const char *at = key; *at != '\0'; at++) {
        text_append_char(&title, *at == '_' ? ' ' : *at);
    }
    html_sentence(out, title.bytes);
    text_release(&title);
}

static void append_facts(const struct evidence *facts, size_t count, struct text *out)
{
    for (size_t i = 0; i < count; i++) {
        text_append(out, "<div><dt>");
        append_key(facts[i].key, out);
        text_append(out, "</dt><dd>");
        append_value(&facts[i], out);
        text_append(out, "</dd></div>\n");
    }
}

static void append_evidence(const struct verdict *verdict, struct text *out)
{
    if (verdict->evidence_count + verdict->measured_count == 0) {
        return;
    }
    text_append(out, "<details><summary>Evidence<span class=\"unseen\"> for ");
    html_escape(out, verdict->criterion->title);
    text_append(out, "</span></summary>\n<dl class=\"evidence\">\n");
    append_facts(verdict->evidence, verdict->evidence_count, out);
    append_facts(verdict->measured, verdict->measured_count, out);
    text_append(out, "</dl></details>");
}

/* What was seen; of a score that was read back, which has no summaries, the kind of cause or why it
 * was not measured. */
static const char *summary_of(const struct verdict *verdict)
{
    if (text_or_empty(verdict->summary)[0] != '\0') {
        return verdict->summary;
    }
    if (!verdict_is_measured(verdict)) {
        return plain_why(verdict);
    }
    return verdict->cause.code == CODE_NONE ? "" : cause_title(code_cause(verdict->cause.code));
}

/* What was seen, and a link to the diagnostic, as report_append_criterion_summary. */
static void append_summary(const struct report *report, size_t index, struct text *out)
{
    const char *summary = summary_of(&report->verdicts[index]);
    bool is_blocked = false;
    size_t found;

    text_append(out, "<span class=\"summary\">");
    if (!report_row_reason(report, index, &found, &is_blocked)) {
        html_sentence(out, summary);
    } else if (is_blocked) {
        text_append(out, "blocked by ");
        html_reason(report, found, out);
        text_append(out, summary[0] == '\0' ? "" : ": ");
        html_sentence(out, summary);
    } else {
        html_sentence(out, summary);
        text_append(out, "</span> <span class=\"reasons\">");
        html_reason(report, found, out);
    }
    text_append(out, "</span>");
}

static void append_row(const struct report *report, size_t index, struct text *out)
{
    const struct verdict *verdict = &report->verdicts[index];

    text_printf(out,
                "<tr id=\"c%zu\"><td><span class=\"status %s\">%s</span></td>"
                "<th scope=\"row\">",
                index + 1, words[verdict->status].style, words[verdict->status].word);
    html_sentence(out, verdict->criterion->title);
    text_append(out, "</th><td>");
    append_summary(report, index, out);
    append_evidence(verdict, out);
    text_append(out, "</td><td class=\"number\">");
    text_append(out, verdict->criterion->bonus ? "bonus " : "");
    if (status_is_judged(verdict->status)) {
        html_points(out, verdict->points);
    } else {
        text_append(out, "<span aria-label=\"not graded\" role=\"img\">\xE2\x80\x93</span>");
    }
    text_append_char(out, '/');
    html_points(out, verdict->criterion->points);
    text_append(out, "</td></tr>\n");
}

void html_criteria(const struct report *report, struct text *out)
{
    if (report->verdict_count == 0) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"criteria\">\n<h2 id=\"criteria\">Criteria</h2>\n"
                     "<table class=\"criteria\">\n<thead><tr><th scope=\"col\">Status</th>"
                     "<th scope=\"col\">Criterion</th><th scope=\"col\">What was seen</th>"
                     "<th scope=\"col\" class=\"number\">Points</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < report->verdict_count; i++) {
        append_row(report, i, out);
    }
    text_append(out, "</tbody>\n</table>\n</section>\n");
}
