/* html_head.c: the top of the page; see html_sections.h. The bar has a part for what was earned,
 * one for what was lost, and a hatched one for what could not be measured or judged here. */
#include "report/html/html_sections.h"
#include "report/html/html_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* "23 lost, 15 cannot be measured here, 5 not graded ..." */
static void append_rest(const struct report *report, struct text *out)
{
    const struct {
        double points;
        const char *text;
    } rest[] = {
        {report->final != NULL ? report->final->penalty : 0, "taken off for being late"},
        {report->final != NULL ? report->final->added : 0, "added by a person"},
        {report->final != NULL ? -report->final->added : 0, "taken off by a person"},
        {report_measurable_max(report) - report_score(report) + report_bonus(report), "lost"},
        {report_bonus(report), "earned as bonus"},
        {report_points_with(report, STATUS_SKIPPED), "cannot be measured here"},
        {report_points_with(report, STATUS_OPEN), "given by a person"},
        {report_points_with(report, STATUS_ERROR),
         "not graded because the grader or the machine failed, which costs no marks"},
    };
    bool is_first = true;

    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        if (rest[i].points >= 0.005) {
            text_append(out, is_first ? "" : ", ");
            html_points(out, rest[i].points);
            text_printf(out, " %s", rest[i].text);
            is_first = false;
        }
    }
    if (is_first) {
        text_append(out, report->verdict_count > 0 ? "all of them" : "nothing was graded");
    }
}

static void append_score_bar(const struct report *report, struct text *out)
{
    enum { WIDTH = 1000, HEIGHT = 14 };
    double all = report_max_score(report);
    double earned = all > 0 ? fmin(1, report_score(report) / all) * WIDTH : 0;
    double measured = all > 0 ? report_measurable_max(report) / all * WIDTH : 0;

    text_printf(out,
                "<svg class=\"bar score\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                "role=\"img\"><title>",
                WIDTH, HEIGHT);
    html_points(out, report_score(report));
    text_append(out, " of ");
    html_points(out, all);
    text_append(out, " points</title><desc>");
    append_rest(report, out);
    text_printf(out,
                "</desc><defs><pattern id=\"hatch\" width=\"8\" height=\"14\" "
                "patternUnits=\"userSpaceOnUse\"><rect class=\"rail\" width=\"8\" "
                "height=\"14\"/><rect class=\"hatch\" width=\"3\" height=\"14\"/></pattern></defs>"
                "<rect fill=\"url(#hatch)\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"/>"
                "<rect class=\"lost\" width=\"%.1f\" height=\"%d\"/>"
                "<rect class=\"earned\" width=\"%.1f\" height=\"%d\"/></svg>\n",
                measured, WIDTH - measured, HEIGHT, measured, HEIGHT, earned, HEIGHT);
}

static void append_next(const struct report *report, struct text *out)
{
    const char *next = report_next_step(report);

    if (next[0] != '\0') {
        text_append(out, "<p class=\"next\">Next: ");
        html_escape(out, next);
        text_append(out, "</p>\n");
    }
}

static void append_fact(struct text *out, const char *name, const char *value)
{
    text_printf(out, "<div><dt>%s</dt><dd>", name);
    html_escape(out, value);
    text_append(out, "</dd></div>\n");
}

static void append_devices(const struct report *report, struct text *out)
{
    text_append(out, "<div><dt>device</dt><dd>");
    for (size_t i = 0; i < report->device_count; i++) {
        text_append(out, i == 0 ? "" : ", ");
        html_escape(out, report->devices[i].kind);
        text_append_char(out, ' ');
        html_escape(out, report->devices[i].gpu_model);
    }
    text_append(out, report->device_count > 0 ? "</dd></div>\n" : "none</dd></div>\n");
}

static void append_facts(const struct report *report, struct text *out)
{
    text_append(out, "<dl class=\"facts\">\n");
    append_fact(out, "submission", report->submission_name);
    text_append(out, "<div><dt>rubric</dt><dd>");
    html_escape(out, report->rubric->id);
    text_printf(out, " %" PRId64 "</dd></div>\n", report->rubric->version);
    append_devices(report, out);
    text_printf(out, "<div><dt>seed</dt><dd><code>0x%" PRIx64 "</code></dd></div>\n</dl>\n",
                report->seed);
}

static void append_links(const struct report *report, struct text *out)
{
    const struct {
        bool is_there;
        const char *id, *text;
    } links[] = {
        {report->diagnostic_count > 0, "diagnostics", "What is wrong"},
        {report->verdict_count > 0, "criteria", "Criteria"},
        {report->remark_count > 0, "remarks", "Remarks"},
        {html_has_maps(report), "maps", "Wrong elements"},
        {html_has_speed(report), "speed", "Speed"},
        {html_has_profiles(report), "profiles", "Memory and occupancy"},
        {html_has_sources(report), "sources", "Source"},
        {html_has_explanations(report), "explanations", "Explanations"},
        {true, "check", "This check"},
    };

    text_append(out, "<nav aria-label=\"Sections\">\n<ul>\n");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (links[i].is_there) {
            text_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", links[i].id, links[i].text);
        }
    }
    text_append(out, "</ul>\n</nav>\n");
}

void html_head(const struct report *report, struct text *out)
{
    text_append(out, "<header>\n<div class=\"top\">\n<div><p class=\"maker\">gpugrade</p>\n<h1>");
    html_escape(out, report->rubric->title);
    text_append(out, "</h1></div>\n<p class=\"points\"><strong>");
    html_points(out, report->final != NULL ? report->final->mark : report_score(report));
    text_append(out, "</strong><span> of ");
    html_points(out,
                report->final != NULL ? report->final->maximum : report_measurable_max(report));
    text_append(out, " points</span></p>\n</div>\n");
    append_score_bar(report, out);
    text_append(out, "<p class=\"rest\">");
    append_rest(report, out);
    text_append(out, "</p>\n");
    append_next(report, out);
    append_facts(report, out);
    append_links(report, out);
    text_append(out, "</header>\n");
}
