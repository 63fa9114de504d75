/* pair_page.c: see pair_page.h. Line 31 of the second file has the id `l2-31` on the left side and
 * `r2-31` on the right one. */
#include "report/class/pair_page.h"

#include "report/class/class_assets.h"
#include "report/html/html_lines.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"

#include <string.h>

static const char side_letters[] = {'l', 'r'};

static void append_head(const char *title, const char *what, struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    text_append(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    html_escape(out, title);
    text_printf(out, " \xC2\xB7 %s</title>\n<style>\n", what);
    text_append(out, html_style);
    text_append(out, class_style);
    text_append(out, "</style>\n</head>\n<body class=\"class\">\n");
}

static void append_name(const struct pair_side *side, struct text *out)
{
    const struct class_row *row = side->row;

    html_escape(out, row->name[0] != '\0' ? row->name : row->student);
    if (row->name[0] != '\0' && strcmp(row->name, row->student) != 0) {
        text_append(out, " <small>");
        html_escape(out, row->student);
        text_append(out, "</small>");
    }
    if (side->from != NULL) {
        text_append(out, " <small>of ");
        html_escape(out, side->from);
        text_append(out, "</small>");
    }
}

static void append_id(size_t side, const struct shared_place *place, struct text *out)
{
    text_printf(out, "%c%zu-%d", side_letters[side], place->file + 1, place->first_line);
}

/* One line. Where it is in another run than the lines before, that is named, with the way to the
 * other side. */
static void append_line(const struct shared_lines *shared, size_t side, size_t file,
                        const struct html_line *line, uint32_t *run, struct text *out)
{
    const uint32_t *runs = shared->lines[side][file];
    uint32_t number = runs == NULL ? 0 : runs[line->number];

    text_printf(out, "<li id=\"%c%zu-%d\" value=\"%d\"%s><code>", side_letters[side], file + 1,
                line->number, line->number, number > 0 ? " class=\"shared\"" : "");
    html_line_code(line, out);
    text_append(out, "</code>");
    if (number > 0 && number != *run) {
        const struct shared_place *other = &shared->runs[number - 1].places[1 - side];
        text_append(out, "<small><a href=\"#");
        append_id(1 - side, other, out);
        text_printf(out, "\">%u: as lines %d to %d there</a></small>", (unsigned)number,
                    other->first_line, other->last_line);
        *run = number;
    }
    text_append(out, "</li>\n");
}

static void append_file(const struct pair_view *view, const struct shared_lines *shared,
                        size_t side, size_t file, struct text *out)
{
    const struct source_file *source = &view->sides[side].files.files[file];
    const char *at = source->text;
    struct html_line line = {.number = 0};
    size_t left_out = 0;
    uint32_t run = 0;

    text_append(out, "<h3>");
    html_escape(out, source->name);
    text_append(out, "</h3>\n");
    if (shared->lines[side][file] == NULL) {
        text_append(out, "<p>Not compared: there is too much of it.</p>\n");
    }
    text_append(out, "<ol class=\"source\">\n");
    while (html_next_line(&at, source->text + source->length, &line)) {
        line.number++;
        if (line.number <= HTML_FILE_LINES) {
            append_line(shared, side, file, &line, &run, out);
        } else {
            left_out++;
        }
    }
    text_append(out, "</ol>\n");
    if (left_out > 0) {
        text_printf(out, "<p>%zu more lines are not shown.</p>\n", left_out);
    }
}

static void append_programs(const struct pair_view *view, struct text *out)
{
    for (size_t i = 0; i < view->pair_count; i++) {
        const struct class_pair *pair = &view->pairs[i];
        text_append(out, i == 0 ? "" : "; ");
        html_escape(out, pair->program);
        text_printf(out, " %.0f %%%s", pair->similarity * 100,
                    pair->is_same_content ? ", the same files" : "");
    }
}

void pair_page(const struct pair_view *view, const struct shared_lines *shared, struct text *out)
{
    append_head(view->title, "similar code", out);
    text_append(out,
                "<header>\n<p class=\"maker\"><a href=\"index.html\">gpugrade, similar code</a>"
                "</p>\n<h1>");
    html_escape(out, view->title);
    text_append(out, "</h1>\n<p class=\"lead\">Similarity of the compiled kernels: ");
    append_programs(view, out);
    text_append(out, ". Marked lines say the same apart from names, numbers, comments and layout, "
                     "and are in neither the template nor the reference solution. Treat them as a "
                     "lead, not as proof.</p>\n</header>\n<main class=\"pair\">\n");
    for (size_t side = 0; side < 2; side++) {
        const struct shared_files *files = &view->sides[side].files;
        text_printf(out, "<section aria-labelledby=\"side%zu\">\n<h2 id=\"side%zu\">", side, side);
        append_name(&view->sides[side], out);
        text_append(out, "</h2>\n");
        for (size_t file = 0; file < files->count; file++) {
            append_file(view, shared, side, file, out);
        }
        text_append(out, "</section>\n");
    }
    text_append(out, "</main>\n</body>\n</html>\n");
}

void pair_list(const char *title, const struct pair_view *views, const char *const *pages,
               size_t count, struct text *out)
{
    append_head(title, "similar code", out);
    text_append(out, "<header>\n<p class=\"maker\">gpugrade, similar code</p>\n<h1>");
    html_escape(out, title);
    text_append(out, "</h1>\n<p class=\"lead warning\">These pages show students' names and work, "
                     "which are personal data. Treat a match as a lead, not as proof.</p>\n"
                     "</header>\n<main>\n<table>\n<caption class=\"unseen\">Pairs of students with "
                     "similar device code</caption>\n<thead><tr><th scope=\"col\">Student</th>"
                     "<th scope=\"col\">And</th><th scope=\"col\">Similarity of kernels</th>"
                     "<th scope=\"col\">Page</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) {
        text_append(out, "<tr><th scope=\"row\">");
        append_name(&views[i].sides[0], out);
        text_append(out, "</th><td>");
        append_name(&views[i].sides[1], out);
        text_append(out, "</td><td>");
        append_programs(&views[i], out);
        text_printf(out, "</td><td><a href=\"%s\">side by side %zu</a></td></tr>\n", pages[i],
                    i + 1);
    }
    text_append(out, "</tbody>\n</table>\n</main>\n</body>\n</html>\n");
}
