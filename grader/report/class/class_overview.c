/* class_overview.c: the top of the page on a class; see class_sections.h. */
#include "report/class/class_sections.h"
#include "report/html/html_text.h"

static void append_count(struct text *out, const char *name, size_t count)
{
    text_printf(out, "<div><dt>%s</dt><dd>", name);
    html_count(out, count);
    text_append(out, "</dd></div>\n");
}

static void append_counts(const struct class_view *view, struct text *out)
{
    const struct class_facts *facts = view->facts;
    const struct {
        const char *name;
        size_t count;
        bool is_always;
    } counts[] = {
        {"students", view->results->row_count, true},
        {"graded", facts->states[CLASS_GRADED], true},
        {"nothing to grade", facts->states[CLASS_NOTHING], false},
        {"grading failed", facts->states[CLASS_TROUBLE], false},
        {"grading failed in part", facts->in_error, false},
        {"to review", facts->to_review, false},
        {"not graded yet", facts->states[CLASS_PENDING], false},
        {"handed in nothing", facts->states[CLASS_MISSING], false},
        {"late", facts->late, false},
        {"too late to count", facts->cut_off, false},
        {"excused", facts->excused, false},
    };

    text_append(out, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].is_always || counts[i].count > 0) {
            append_count(out, counts[i].name, counts[i].count);
        }
    }
    if (facts->mark_count > 0) {
        text_append(out, "<div><dt>mean</dt><dd>");
        html_points(out, facts->mean);
        text_append(out, "</dd></div>\n");
    }
    text_append(out, "</dl>\n");
}

/* What has to be known before the page is shown to others. */
static void append_warnings(const struct class_view *view, struct text *out)
{
    const struct class_results *results = view->results;

    text_append(out, "<p class=\"lead warning\">");
    if (results->is_pseudonymous) {
        text_append(out, "Students have made-up names, the same in every report with pseudonyms.");
    } else {
        text_append(out, "This page shows students' names and marks, which are personal data. "
                         "<code>--pseudonyms</code> makes a page without names.");
    }
    if (results->has_hidden) {
        text_append(out, " It shows hidden criteria, so do not give it to students.");
    }
    double left_out = class_left_out(results);
    if (left_out > 0) {
        text_append(out, " Marks are out of ");
        html_points(out, results->maximum);
        text_append(out, ": ");
        html_points(out, left_out);
        text_append(
            out, " more points are left out, because no submission was judged by their criteria.");
    }
    if (view->facts->incomplete > 0) {
        text_append_char(out, ' ');
        html_count(out, view->facts->incomplete);
        text_append(out, view->facts->incomplete == 1 ? " mark lacks" : " marks lack");
        text_append(out, " criteria that others were judged by.");
    }
    text_append(out, "</p>\n");
}

static void append_links(const struct class_view *view, struct text *out)
{
    const struct {
        bool is_there;
        const char *id, *text;
    } links[] = {
        {class_has_trouble(view), "trouble", "Not fully graded"},
        {view->facts->to_review > 0, "review", "To review"},
        {class_has_distribution(view), "distribution", "Marks"},
        {view->results->criterion_count > 0, "criteria", "Criteria"},
        {view->results->finding_count > 0, "findings", "Common findings"},
        {view->facts->speedup_count > 0, "speedups", "Speedups"},
        {view->results->board_count > 0, "leaderboard", "Leaderboard"},
        {view->results->pair_count > 0, "pairs", "Similar code"},
        {class_has_decisions(view), "decisions", "Decisions"},
        {class_has_grading(view), "slowest", "Slowest and retried"},
        {true, "students", "Students"},
        {true, "grading", "How this was graded"},
    };

    text_append(out, "<nav aria-label=\"Sections\">\n<ul>\n");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        if (links[i].is_there) {
            text_printf(out, "<li><a href=\"#%s\">%s</a></li>\n", links[i].id, links[i].text);
        }
    }
    text_append(out, "</ul>\n</nav>\n");
}

void class_overview(const struct class_view *view, struct text *out)
{
    text_append(out, "<header>\n<div class=\"top\">\n<div><p class=\"maker\">gpugrade, a class");
    if (view->results->term != NULL) {
        text_append(out, " of <a href=\"index.html\">");
        html_escape(out, view->results->term);
        text_append(out, "</a>");
    }
    text_append(out, "</p>\n<h1>");
    html_escape(out, view->results->title);
    text_append(out, "</h1></div>\n");
    if (view->facts->mark_count > 0) {
        text_append(out, "<p class=\"points\">median <strong>");
        html_points(out, view->facts->median);
        text_append(out, "</strong> / ");
        html_points(out, view->results->maximum);
        text_append(out, "</p>\n");
    }
    text_append(out, "</div>\n");
    append_counts(view, out);
    append_warnings(view, out);
    append_links(view, out);
    text_append(out, "</header>\n");
}
