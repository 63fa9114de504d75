/* class_page.c: the frame of the page; see class_page.h. */
#include "report/class/class_page.h"

#include "report/class/class_assets.h"
#include "report/class/class_sections.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"
#include "report/script_policy.h"

#include <inttypes.h>
#include <string.h>

static void append_head(const struct class_results *results, struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    script_policy(class_script, out);
    text_append(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    html_escape(out, results->title);
    text_append(out, " \xC2\xB7 class</title>\n<style>\n");
    text_append(out, html_style);
    text_append(out, class_style);
    text_append(out, "</style>\n<script>");
    text_append(out, class_script);
    text_append(out, "</script>\n</head>\n<body class=\"class\">\n");
}

static void append_fact(struct text *out, const char *name, const char *value)
{
    text_printf(out, "<div><dt>%s</dt><dd>", name);
    html_escape(out, value);
    text_append(out, "</dd></div>\n");
}

static void append_foot(const struct class_results *results, struct text *out)
{
    text_append(out, "<footer>\n<h2 id=\"grading\">How this was graded</h2>\n"
                     "<dl class=\"machine\">\n");
    append_fact(out, "coursework", results->coursework);
    text_printf(out, "<div><dt>rubric</dt><dd>version %" PRId64 ", <code>",
                results->rubric_version);
    html_escape(out, results->rubric_sha256);
    text_append(out, "</code></dd></div>\n");
    append_fact(out, "seed", results->seed);
    append_fact(out, "machine", results->machine);
    append_fact(out, "gpugrade", results->grader_version);
    text_append(out, "</dl>\n</footer>\n");
}

void class_page(const struct class_results *results, struct text *out)
{
    struct arena *arena = arena_new();
    struct class_facts facts = class_facts_of(results, arena);
    const struct class_view view = {.results = results, .facts = &facts, .arena = arena};

    append_head(results, out);
    class_overview(&view, out);
    text_append(out, "<main>\n");
    class_trouble(&view, out);
    class_reviews(&view, out);
    class_distribution(&view, out);
    class_criteria(&view, out);
    class_findings(&view, out);
    class_speedups(&view, out);
    class_leaderboard(&view, out);
    class_pairs(&view, out);
    class_decisions(&view, out);
    class_grading(&view, out);
    class_students(&view, out);
    text_append(out, "</main>\n");
    append_foot(results, out);
    text_append(out, "</body>\n</html>\n");
    arena_free(arena);
}
