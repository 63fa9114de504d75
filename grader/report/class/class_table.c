/* class_table.c: what the tables of the page on a class share; see class_sections.h. */
#include "report/class/class_sections.h"
#include "report/html/html_text.h"

#include <string.h>

void class_student_link(const struct class_view *view, size_t row, struct text *out)
{
    const struct class_row *student = &view->results->rows[row];
    bool has_name = student->name[0] != '\0';

    text_printf(out, "<a href=\"#s%zu\">", row + 1);
    html_escape(out, has_name ? student->name : student->student);
    text_append(out, "</a>");
    if (has_name && strcmp(student->name, student->student) != 0) {
        text_append(out, " <small>");
        html_escape(out, student->student);
        text_append(out, "</small>");
    }
}

void class_table_begin(struct text *out, const char *style, const char *caption,
                       const char *const *columns)
{
    text_printf(out, "<table class=\"sortable %s\">\n<caption class=\"unseen\">%s</caption>\n",
                style, caption);
    text_append(out, "<thead><tr>");
    for (size_t i = 0; columns[i] != NULL; i++) {
        bool is_number = columns[i][0] == '#';
        bool is_fixed = columns[i][0] == '!';
        text_printf(out, "<th scope=\"col\"%s>%s</th>",
                    is_number  ? " class=\"number\" data-sort=\"number\""
                    : is_fixed ? ""
                               : " data-sort=\"text\"",
                    columns[i] + (is_number || is_fixed));
    }
    text_append(out, "</tr></thead>\n<tbody>\n");
}

void class_table_end(struct text *out)
{
    text_append(out, "</tbody>\n</table>\n");
}

void class_share(struct text *out, size_t part, size_t whole)
{
    if (whole == 0) {
        text_append(out, "\xE2\x80\x93");
    } else {
        text_printf(out, "%.0f %%", 100.0 * (double)part / (double)whole);
    }
}

char class_criterion_letter(size_t criterion)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    return criterion < sizeof letters - 1 ? letters[criterion] : '*';
}
