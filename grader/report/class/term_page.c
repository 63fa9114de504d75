/* term_page.c: see term_page.h. */
#include "report/class/term_page.h"

#include "base/csv.h"
#include "report/class/class_assets.h"
#include "report/class/class_facts.h"
#include "report/class/class_sections.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"
#include "report/script_policy.h"

#include <stdlib.h>
#include <string.h>

static const char *state_of(const struct term_cell *cell)
{
    static const char *const names[] = {
        [TERM_MISSING] = "missing",
        [TERM_MARK] = "dropped",
        [TERM_OPEN] = "no mark yet",
        [TERM_EXCUSED] = "excused",
    };

    return cell->state == TERM_MARK && cell->is_taken ? "counts" : names[cell->state];
}

/* The last component of a path, also if slashes follow it. */
static const char *folder_name(const char *path, struct arena *arena)
{
    size_t length = strlen(path);
    size_t start;

    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    for (start = length; start > 0 && path[start - 1] != '/';) {
        start--;
    }
    return arena_strndup(arena, path + start, length - start);
}

/* The name of a coursework's column, which no other has. */
static const char *column_name(const struct term *term, size_t coursework, struct arena *arena)
{
    const char *name = folder_name(term->courseworks[coursework].folder, arena);
    size_t same = 1;

    for (size_t i = 0; i < coursework; i++) {
        same += strcmp(folder_name(term->courseworks[i].folder, arena), name) == 0;
    }
    return same == 1 ? name : arena_printf(arena, "%s (%zu)", name, same);
}

static void append_csv_header(const struct term *term, struct arena *arena, struct text *out)
{
    static const char *const names[] = {"student", "name", "email", "total", "out of", "complete"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        csv_append_text(out, names[i]);
    }
    for (size_t i = 0; i < term->coursework_count; i++) {
        const char *name = column_name(term, i, arena);
        class_append_cell(out, name);
        class_append_cell(out, arena_printf(arena, "%s maximum", name));
        class_append_cell(out, arena_printf(arena, "%s state", name));
    }
    csv_end_row(out);
}

void term_csv(const struct term_results *results, struct text *out)
{
    const struct term *term = results->term;
    struct arena *arena = arena_new();

    append_csv_header(term, arena, out);
    for (size_t i = 0; i < results->student_count; i++) {
        const struct term_student *student = &results->students[i];
        class_append_cell(out, student->student);
        class_append_cell(out, student->name);
        class_append_cell(out, student->email);
        if (student->has_total) {
            csv_append_number(out, student->total);
        } else {
            csv_append_text(out, "");
        }
        csv_append_number(out, term->out_of);
        csv_append_text(out, student->is_complete ? "yes" : "no");
        for (size_t j = 0; j < term->coursework_count; j++) {
            const struct class_results *of = term->courseworks[j].results;
            const struct term_cell *cell = &student->cells[j];
            if (cell->state == TERM_MARK) {
                csv_append_number(out, of->rows[cell->row].final.mark);
            } else {
                csv_append_text(out, "");
            }
            csv_append_number(out, of->maximum);
            csv_append_text(out, state_of(cell));
        }
        csv_end_row(out);
    }
    arena_free(arena);
}

static void append_head(const struct term *term, struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    script_policy(class_script, out);
    text_append(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    html_escape(out, term->title);
    text_append(out, " \xC2\xB7 term</title>\n<style>\n");
    text_append(out, html_style);
    text_append(out, class_style);
    text_append(out, "</style>\n<script>");
    text_append(out, class_script);
    text_append(out, "</script>\n</head>\n<body class=\"class\">\n");
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The median of the totals; false if there is none. */
static bool median_of(const struct term_results *results, struct arena *arena, double *out_median)
{
    double *totals = arena_array(arena, results->student_count, sizeof *totals);
    size_t count = 0;

    for (size_t i = 0; i < results->student_count; i++) {
        if (results->students[i].has_total) {
            totals[count++] = results->students[i].total;
        }
    }
    if (count == 0) {
        return false;
    }
    qsort(totals, count, sizeof *totals, compare_doubles);
    *out_median = (totals[(count - 1) / 2] + totals[count / 2]) / 2;
    return true;
}

static void append_overview(const struct term_results *results, struct arena *arena,
                            struct text *out)
{
    double median;

    text_append(out, "<header>\n<div class=\"top\">\n<div><p class=\"maker\">gpugrade, a term</p>\n"
                     "<h1>");
    html_escape(out, results->term->title);
    text_append(out, "</h1></div>\n");
    if (median_of(results, arena, &median)) {
        text_append(out, "<p class=\"points\">median <strong>");
        html_points(out, median);
        text_append(out, "</strong> / ");
        html_points(out, results->term->out_of);
        text_append(out, "</p>\n");
    }
    text_append(out, "</div>\n<p class=\"lead warning\">This page shows students' names and marks, "
                     "which are personal data. The same as a table: <a href=\"term.csv\">"
                     "term.csv</a>.</p>\n</header>\n");
}

static void append_board_link(const struct class_results *results, struct text *out)
{
    if (results->board_page == NULL) {
        text_append(out, "none");
        return;
    }
    text_append(out, "<a href=\"");
    html_escape(out, results->board_page);
    text_append(out, "\">for students</a>");
}

/* What the term consists of, with links to the pages. */
static void append_parts(const struct term *term, struct text *out)
{
    static const char *const columns[] = {
        "Coursework", "Part", "#Weight of the part", "#Best", "#Weight in it", "Leaderboard", NULL};

    text_append(out, "<section aria-labelledby=\"courseworks\">\n"
                     "<h2 id=\"courseworks\">Courseworks</h2>\n");
    class_table_begin(out, "parts", "Courseworks", columns);
    for (size_t i = 0; i < term->coursework_count; i++) {
        const struct term_coursework *coursework = &term->courseworks[i];
        const struct term_part *part = &term->parts[coursework->part];
        text_append(out, "<tr><th scope=\"row\"><a href=\"");
        html_escape(out, coursework->page);
        text_append(out, "\">");
        html_escape(out, coursework->results->title);
        text_append(out, "</a></th><td>");
        html_escape(out, part->title);
        text_append(out, "</td><td class=\"number\">");
        html_points(out, part->weight);
        if (part->best > 0) {
            text_printf(out, "</td><td class=\"number\">%zu", part->best);
        } else {
            text_append(out, "</td><td class=\"number\">all");
        }
        text_append(out, "</td><td class=\"number\">");
        html_points(out, coursework->weight);
        text_append(out, "</td><td>");
        append_board_link(coursework->results, out);
        text_append(out, "</td></tr>\n");
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

/* A mark with a link to its row, or what there is instead. */
static void append_cell(const struct term_coursework *coursework, const struct term_cell *cell,
                        struct text *out)
{
    text_append(out, "<td class=\"number\">");
    if (cell->row != SIZE_MAX) {
        text_append(out, "<a href=\"");
        html_escape(out, coursework->page);
        text_printf(out, "#s%zu\">", cell->row + 1);
    }
    if (cell->state == TERM_MARK) {
        html_points(out, coursework->results->rows[cell->row].final.mark);
    } else {
        text_append(out, state_of(cell));
    }
    text_append(out, cell->row != SIZE_MAX ? "</a>" : "");
    text_append(out, cell->state == TERM_MARK && !cell->is_taken ? " <small>dropped</small></td>"
                                                                 : "</td>");
}

static void append_student(const struct term *term, const struct term_student *student,
                           struct text *out)
{
    text_append(out, "<tr><th scope=\"row\">");
    html_escape(out, student->name[0] != '\0' ? student->name : student->student);
    if (student->name[0] != '\0' && strcmp(student->name, student->student) != 0) {
        text_append(out, " <small>");
        html_escape(out, student->student);
        text_append(out, "</small>");
    }
    text_append(out, "</th><td class=\"number\">");
    if (student->has_total) {
        html_points(out, student->total);
    } else {
        text_append(out, "\xE2\x80\x93");
    }
    text_append(out, student->is_complete ? "</td>" : " <small>so far</small></td>");
    for (size_t i = 0; i < term->coursework_count; i++) {
        append_cell(&term->courseworks[i], &student->cells[i], out);
    }
    text_append(out, "</tr>\n");
}

static void append_students(const struct term_results *results, struct arena *arena,
                            struct text *out)
{
    const struct term *term = results->term;
    const char **columns = arena_array(arena, term->coursework_count + 3, sizeof *columns);
    struct text name;

    text_init(&name);
    columns[0] = "Student";
    columns[1] = "#Total";
    for (size_t i = 0; i < term->coursework_count; i++) {
        text_clear(&name);
        text_append_char(&name, '#');
        html_escape(&name, term->courseworks[i].results->title);
        text_append(&name, " / ");
        html_points(&name, term->courseworks[i].results->maximum);
        columns[2 + i] = arena_strdup(arena, name.bytes);
    }
    columns[2 + term->coursework_count] = NULL;
    text_release(&name);
    text_append(out, "<section aria-labelledby=\"students\">\n<h2 id=\"students\">Students</h2>\n"
                     "<p class=\"lead\">What is missing counts as 0. What has no mark yet, or is "
                     "excused, does not count; the rest weighs more then.</p>\n");
    class_table_begin(out, "totals", "All students", columns);
    for (size_t i = 0; i < results->student_count; i++) {
        append_student(term, &results->students[i], out);
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}

void term_page(const struct term_results *results, struct text *out)
{
    struct arena *arena = arena_new();

    append_head(results->term, out);
    append_overview(results, arena, out);
    text_append(out, "<main>\n");
    append_parts(results->term, out);
    append_students(results, arena, out);
    text_append(out, "</main>\n</body>\n</html>\n");
    arena_free(arena);
}
