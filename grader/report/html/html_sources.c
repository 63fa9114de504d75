/* html_sources.c: the source files with the findings on their lines; see html_sections.h. */
#include "report/html/html_lines.h"
#include "report/html/html_sections.h"
#include "report/html/html_text.h"

#include <string.h>

bool html_has_sources(const struct report *report)
{
    for (size_t i = 0; i < report->source_count; i++) {
        if (html_shows_file(report, &report->sources[i])) {
            return true;
        }
    }
    return false;
}

static void append_gap(size_t left_out, struct text *out)
{
    if (left_out > 0) {
        text_append(out, "<li class=\"gap\">");
        html_count(out, left_out);
        text_append(out, left_out == 1 ? " line left out</li>\n" : " lines left out</li>\n");
    }
}

/* What accesses move, in pieces of 128 bytes. */
static double moved_by(const struct line_count *line)
{
    return line->space == COUNT_GLOBAL   ? (double)line->sum.sectors / 4
           : line->space == COUNT_SHARED ? (double)line->sum.wavefronts
                                         : 0;
}

/* The share of a line in what a kernel moves; the largest, if several kernels run it. */
static double heat_of(const struct report *report, const char *file, int number)
{
    double most = 0;

    for (size_t i = 0; i < report->profile_count; i++) {
        const struct launch_profile *profile = &report->profiles[i];
        double all = 0;
        double own = 0;
        for (size_t j = 0; j < profile->line_count; j++) {
            const struct line_count *line = &profile->lines[j];
            all += moved_by(line);
            own += line->line == number && strcmp(line->file, file) == 0 ? moved_by(line) : 0;
        }
        most = own > most * all ? own / all : most;
    }
    return most;
}

static bool has_heat(const struct report *report)
{
    for (size_t i = 0; i < report->profile_count; i++) {
        for (size_t j = 0; j < report->profiles[i].line_count; j++) {
            const struct line_count *line = &report->profiles[i].lines[j];
            if (moved_by(line) > 0 && html_source_of(report, line->file, line->line) != SIZE_MAX) {
                return true;
            }
        }
    }
    return false;
}

static void append_lines(const struct report *report, const struct source_file *source,
                         struct arena *arena, size_t number, struct text *out)
{
    bool is_long = html_line_count(source) > HTML_FILE_LINES;
    const char *at = source->text;
    const char *end = source->text + source->length;
    struct html_line line;
    size_t count;
    size_t next = 0;
    size_t left_out = 0;
    const struct html_mark *marks = html_marks_in(report, source->name, arena, &count);

    while (next < count && marks[next].mark.line < 1) {
        next++;
    }
    for (int i = 1; html_next_line(&at, end, &line); i++) {
        if (is_long && !html_is_near(report, source, i)) {
            left_out++;
            continue;
        }
        append_gap(left_out, out);
        left_out = 0;
        line.number = i;
        line.marks = marks == NULL ? NULL : marks + next;
        line.mark_count = 0;
        line.heat = heat_of(report, source->name, i);
        while (next < count && marks[next].mark.line == i) {
            line.mark_count++;
            next++;
        }
        html_line(report, &line, number, out);
    }
    append_gap(left_out, out);
}

static void append_source(const struct report *report, size_t index, struct arena *arena,
                          struct text *out)
{
    const struct source_file *source = &report->sources[index];

    text_printf(out, "<h3 id=\"f%zu\"><code>", index + 1);
    html_escape(out, source->name);
    text_append(out, "</code></h3>\n<ol class=\"source\">\n");
    append_lines(report, source, arena, index + 1, out);
    text_append(out, "</ol>\n");
}

/* Names the files that the page does not show. */
static void append_rest(const struct report *report, struct text *out)
{
    size_t count = 0;

    for (size_t i = 0; i < report->source_count; i++) {
        if (!html_shows_file(report, &report->sources[i])) {
            text_append(out, count == 0 ? "<p class=\"rule\">Not shown: " : ", ");
            text_append(out, "<code>");
            html_escape(out, report->sources[i].name);
            text_append(out, "</code>");
            count++;
        }
    }
    text_append(out, count > 0 ? ".</p>\n" : "");
}

void html_sources(const struct report *report, struct arena *arena, struct text *out)
{
    if (!html_has_sources(report)) {
        return;
    }
    text_append(out, "<section aria-labelledby=\"sources\">\n<h2 id=\"sources\">Source</h2>\n");
    if (has_heat(report)) {
        text_append(out,
                    "<p class=\"lead\">A bar beside a line is its share of what its kernel moves "
                    "through memory.</p>\n");
    }
    for (size_t i = 0; i < report->source_count; i++) {
        if (html_shows_file(report, &report->sources[i])) {
            append_source(report, i, arena, out);
        }
    }
    append_rest(report, out);
    text_append(out, "</section>\n");
}
