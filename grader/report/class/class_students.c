/* class_students.c: the list of all students; see class_sections.h.
 *
 * What came of the criteria stands in one cell, a letter for each, so that ten thousand rows stay
 * a page that a browser can show. Runs of letters that are no pass are marked: <b> failed or in
 * error, <i> partial.
 */
#include "report/class/class_sections.h"
#include "report/html/html_text.h"

#include <string.h>

/* The form is for the script, which shows it. */
static void append_form(const struct class_view *view, struct text *out)
{
    text_append(out, "<form class=\"filter\" hidden>\n"
                     "<label>Search <input type=\"search\" autocomplete=\"off\"></label>\n"
                     "<label>State <select name=\"state\"><option value=\"\">any</option>");
    for (int i = 0; i < CLASS_STATE_COUNT; i++) {
        const char *name = class_state_name((enum class_state)i);
        text_printf(out, "<option>%s</option>", name);
    }
    text_append(out, "</select></label>\n<label>Criterion <select name=\"criterion\">"
                     "<option value=\"\">any</option>");
    for (size_t i = 0; i < view->results->criterion_count; i++) {
        text_printf(out, "<option value=\"%zu\">%c ", i, class_criterion_letter(i));
        html_escape(out, view->results->criteria[i].title);
        text_append(out, "</option>");
    }
    text_append(out, "</select></label>\n<label>is <select name=\"status\">"
                     "<option value=\"\">anything</option>");
    for (int i = 0; i < STATUSES; i++) {
        text_printf(out, "<option>%s</option>", status_name((enum status)i));
    }
    text_append(out, "</select></label>\n<p role=\"status\"></p>\n</form>\n");
}

/* The letter of a status, and the element that marks it; 0: none. */
static const char *status_letter(const struct class_mark *mark, char *out_element)
{
    static const struct {
        const char *letter;
        char element;
    } letters[] = {
        [STATUS_PASSED] = {"P", 0},   [STATUS_PARTIAL] = {"\xC2\xBD", 'i'},
        [STATUS_FAILED] = {"F", 'b'}, [STATUS_SKIPPED] = {"S", 0},
        [STATUS_ERROR] = {"E", 'b'},  [STATUS_OPEN] = {"O", 0},
    };

    *out_element = mark->is_judged ? letters[mark->status].element : 0;
    return mark->is_judged ? letters[mark->status].letter : "\xC2\xB7";
}

static void append_letters(const struct class_view *view, const struct class_row *row,
                           struct text *out)
{
    char open = 0;

    for (size_t i = 0; row->marks != NULL && i < view->results->criterion_count; i++) {
        char element;
        const char *letter = status_letter(&row->marks[i], &element);
        if (element != open && open != 0) {
            text_printf(out, "</%c>", open);
        }
        if (element != open && element != 0) {
            text_printf(out, "<%c>", element);
        }
        open = element;
        text_append(out, letter);
    }
    if (open != 0) {
        text_printf(out, "</%c>", open);
    }
}

/* The codes of the causes, each once. */
static void append_causes(const struct class_view *view, const struct class_row *row,
                          struct text *out)
{
    for (size_t i = 0; row->marks != NULL && i < view->results->criterion_count; i++) {
        enum code code = row->marks[i].is_judged ? row->marks[i].code : CODE_NONE;
        bool is_first = code != CODE_NONE;
        for (size_t j = 0; j < i && is_first; j++) {
            is_first = !row->marks[j].is_judged || row->marks[j].code != code;
        }
        if (is_first) {
            text_printf(out, "%s ", code_id(code));
        }
    }
}

static void append_lateness(const struct class_row *row, struct text *out)
{
    bool is_settled = row->state == CLASS_GRADED || row->state == CLASS_NOTHING;

    if (!is_settled || row->final.late_s <= 0) {
        text_append(out, "<td></td>");
        return;
    }
    text_printf(out, "<td data-v=\"%lld\">", (long long)row->final.late_s);
    class_append_lateness(out, row->final.late_s);
    if (row->final.is_cut_off) {
        text_append(out, ", too late");
    } else if (row->final.penalty > 0) {
        text_append(out, ", \xE2\x88\x92");
        html_points(out, row->final.penalty);
    }
    text_append(out, "</td>");
}

static void append_number_cell(struct text *out, bool is_there, double number, int decimals)
{
    text_append(out, "<td class=\"number\">");
    if (is_there) {
        text_printf(out, "%.*f", decimals, number);
    }
    text_append(out, "</td>");
}

static void append_row(const struct class_view *view, size_t index, struct text *out)
{
    const struct class_results *results = view->results;
    const struct class_row *row = &results->rows[index];
    bool has_mark = class_row_has_mark(results, row);

    text_printf(out, "<tr id=\"s%zu\"><th scope=\"row\">", index + 1);
    html_escape(out, row->name[0] != '\0' ? row->name : row->student);
    if (row->name[0] != '\0' && strcmp(row->name, row->student) != 0) {
        text_append(out, " <small>");
        html_escape(out, row->student);
        text_append(out, "</small>");
    }
    text_append(out, "</th><td class=\"number\">");
    if (has_mark) {
        html_points(out, row->final.mark);
    } else {
        text_append(out, row->final.is_excused ? "excused" : "\xE2\x80\x93");
    }
    text_append(out, "</td><td class=\"letters\">");
    append_letters(view, row, out);
    text_append(out, "</td><td class=\"causes\">");
    append_causes(view, row, out);
    text_append(out, "</td>");
    append_lateness(row, out);
    append_number_cell(out, row->speedup > 0, row->speedup, 2);
    append_number_cell(out, row->tries > 0, row->seconds, 1);
    text_printf(out, "<td>%s</td></tr>\n", class_state_name(row->state));
}

/* "a compiles, b correct, tiled, ..." */
static void append_legend(const struct class_view *view, struct text *out)
{
    text_append(out,
                "<p class=\"lead\">Each letter under Criteria is a criterion, in this order: ");
    for (size_t i = 0; i < view->results->criterion_count; i++) {
        text_printf(out, "%s<code>%c</code> ", i == 0 ? "" : "; ", class_criterion_letter(i));
        html_escape(out, view->results->criteria[i].title);
    }
    text_append(out,
                ". <code>P</code> passed, <code>\xC2\xBD</code> partial, <code>F</code> failed, "
                "<code>S</code> skipped because the machine could not measure it, <code>E</code> "
                "not graded because the grader or the machine failed.</p>\n");
}

static const char *letters_column(const struct class_view *view)
{
    size_t count = view->results->criterion_count;
    char *letters = arena_alloc(view->arena, count + 1);

    for (size_t i = 0; i < count; i++) {
        letters[i] = class_criterion_letter(i);
    }
    return arena_printf(view->arena, "!Criteria <span class=\"letters\">%s</span>", letters);
}

void class_students(const struct class_view *view, struct text *out)
{
    const char *const columns[] = {"Student",  "#Mark", letters_column(view),
                                   "Causes",   "#Late", "#Speedup",
                                   "#Seconds", "State", NULL};

    text_append(out, "<section aria-labelledby=\"students\">\n<h2 id=\"students\">Students</h2>\n");
    append_legend(view, out);
    append_form(view, out);
    class_table_begin(out, "students", "All students", columns);
    for (size_t i = 0; i < view->results->row_count; i++) {
        append_row(view, i, out);
    }
    class_table_end(out);
    text_append(out, "</section>\n");
}
