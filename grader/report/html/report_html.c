/* report_html.c: the frame of the page; see report_html.h.
 *
 * The page forbids itself to load or run anything: its policy allows the style sheet in its head
 * and nothing else, so that text which got past the escaping would still do nothing.
 */
#include "report/html/report_html.h"

#include "report/html/html_sections.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"
#include "report/html/html_words.h"

static void append_title(const struct report *report, struct text *out)
{
    text_append(out, "<title>");
    html_points(out, report_score(report));
    text_append_char(out, '/');
    html_points(out, report_measurable_max(report));
    text_append(out, " \xC2\xB7 ");
    html_escape(out, report->submission_name);
    text_append(out, " \xC2\xB7 ");
    html_escape(out, report->rubric->title);
    text_append(out, "</title>\n");
}

void report_html(const struct report *report, struct text *out)
{
    struct arena *arena = arena_new();

    text_append(out, "<!DOCTYPE html>\n"
                     "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n");
    append_title(report, out);
    text_append(out, "<style>\n");
    text_append(out, html_style);
    text_append(out, "</style>\n</head>\n<body>\n");
    html_head(report, out);
    text_append(out, "<main>\n");
    html_diagnostics(report, arena, out);
    html_criteria(report, out);
    html_maps(report, out);
    html_speed(report, out);
    html_profiles(report, out);
    html_sources(report, arena, out);
    html_explanations(report, arena, out);
    html_words(out);
    text_append(out, "</main>\n");
    html_foot(report, out);
    text_append(out, "</body>\n</html>\n");
    arena_free(arena);
}
