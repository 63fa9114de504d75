/* class_csv.c: see class_csv.h. */
#include "report/class/class_csv.h"

#include "base/csv.h"
#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"

static void append_header(const struct class_results *results, struct text *out)
{
    static const char *const names[] = {
        "student",  "name",         "email",   "section",  "submission", "submitted",
        "attempts", "state",        "reason",  "mark",     "maximum",    "raw",
        "penalty",  "late_seconds", "cut_off", "complete", "speedup",    "seconds",
        "tries",    "added",        "excused", "comments",
    };
    struct text name;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        csv_append_text(out, names[i]);
    }
    text_init(&name);
    for (size_t i = 0; i < results->criterion_count; i++) {
        csv_append_text(out, results->criteria[i].id);
        text_clear(&name);
        text_printf(&name, "%s status", results->criteria[i].id);
        csv_append_text(out, name.bytes);
        text_clear(&name);
        text_printf(&name, "%s cause", results->criteria[i].id);
        csv_append_text(out, name.bytes);
    }
    text_release(&name);
    csv_end_row(out);
}

/* A number, or an empty cell. */
static void append_number_if(struct text *out, bool is_there, double number)
{
    if (is_there) {
        csv_append_number(out, number);
    } else {
        csv_append_text(out, "");
    }
}

static void append_who(const struct class_row *row, struct text *out)
{
    struct text time;

    class_append_cell(out, row->student);
    class_append_cell(out, row->name);
    class_append_cell(out, row->email);
    class_append_cell(out, row->section);
    class_append_cell(out, row->submission);
    text_init(&time);
    class_append_time(&time, row->submitted);
    csv_append_text(out, time.bytes);
    text_release(&time);
    csv_append_number(out, (double)row->attempts);
    csv_append_text(out, class_state_name(row->state));
    class_append_cell(out, row->trouble);
}

static void append_final(const struct class_results *results, const struct class_row *row,
                         struct text *out)
{
    bool is_settled = row->state == CLASS_GRADED || row->state == CLASS_NOTHING;
    bool is_graded = row->state == CLASS_GRADED;

    append_number_if(out, class_row_has_mark(results, row), row->final.mark);
    csv_append_number(out, results->maximum);
    append_number_if(out, is_settled, row->final.raw);
    append_number_if(out, is_settled, row->final.penalty);
    append_number_if(out, is_settled, (double)row->final.late_s);
    csv_append_text(out, !is_settled ? "" : row->final.is_cut_off ? "yes" : "no");
    csv_append_text(out, !is_graded ? "" : row->is_complete ? "yes" : "no");
    append_number_if(out, row->speedup > 0, row->speedup);
    append_number_if(out, row->tries > 0, row->seconds);
    append_number_if(out, row->tries > 0, row->tries);
    append_number_if(out, row->final.added != 0, row->final.added);
    csv_append_text(out, row->final.is_excused ? "yes" : "");
    class_append_comment_cell(row, out);
}

static void append_criterion(const struct class_mark *mark, struct text *out)
{
    bool is_judged = mark != NULL && mark->is_judged;
    bool has_points = is_judged && status_is_judged(mark->status);

    append_number_if(out, has_points, has_points ? mark->points : 0);
    csv_append_text(out, is_judged ? status_name(mark->status) : "");
    csv_append_text(out, is_judged && mark->code != CODE_NONE ? code_id(mark->code) : "");
}

void class_csv(const struct class_results *results, struct text *out)
{
    append_header(results, out);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        append_who(row, out);
        append_final(results, row, out);
        for (size_t j = 0; j < results->criterion_count; j++) {
            append_criterion(row->marks == NULL ? NULL : &row->marks[j], out);
        }
        csv_end_row(out);
    }
}
