/* class_reckoning.c: see class_reckoning.h. */
#include "report/class/class_reckoning.h"

#include "report/class/class_facts.h"
#include "report/display_text.h"

#include <math.h>
#include <string.h>

enum { ITEM_COLUMN = 16 };

/* Points without needless digits: 5, 6.67. */
static void append_points(struct text *out, double points)
{
    text_printf(out, "%.12g", round(points * 100) / 100);
}

static void append_item(struct text *out, const char *name)
{
    text_append(out, "  ");
    display_append_padded(out, name, ITEM_COLUMN);
}

void class_append_who(const struct class_row *row, struct text *out)
{
    display_append_foreign(out, row->student);
    if (row->name[0] != '\0' && strcmp(row->name, row->student) != 0) {
        text_append_char(out, ' ');
        display_append_foreign(out, row->name);
    }
}

void class_append_mark(const struct class_results *results, const struct class_row *row,
                       struct text *out)
{
    if (row == NULL || !class_row_has_mark(results, row)) {
        text_append(out, row != NULL && row->final.is_excused ? "excused" : "no mark");
    } else {
        append_points(out, row->final.mark);
        text_append(out, " of ");
        append_points(out, results->maximum);
    }
}

void class_append_due(const struct class_row *row, int64_t class_due, struct text *out)
{
    append_item(out, "due");
    if (row->due == 0) {
        text_append(out, "never: the rubric has no 'late'\n");
        return;
    }
    class_append_time(out, row->due);
    if (row->due != class_due) {
        text_append(out, ", for the class ");
        class_append_time(out, class_due);
    } else {
        text_append(out, ", as for the class");
    }
    text_append_char(out, '\n');
}

/* Each criterion that did not pass, and why. */
static void append_criteria(const struct class_results *results, const struct class_mark *marks,
                            struct text *out)
{
    for (size_t i = 0; marks != NULL && i < results->criterion_count; i++) {
        const struct class_mark *mark = &marks[i];
        if (!mark->is_judged || mark->status == STATUS_PASSED) {
            continue;
        }
        text_printf(out, "      %s: %s", results->criteria[i].id, status_name(mark->status));
        if (status_is_judged(mark->status)) {
            text_append(out, ", ");
            append_points(out, mark->points);
            text_append(out, " of ");
            append_points(out, results->criteria[i].points);
        }
        if (mark->code != CODE_NONE) {
            text_printf(out, "; %s %s", code_id(mark->code), code_title(mark->code));
        }
        text_append_char(out, '\n');
    }
}

/* What an attempt is worth by itself. */
static void append_worth(const struct class_results *results, const struct class_attempt *attempt,
                         struct text *out)
{
    const struct class_final *final = &attempt->final;

    if (attempt->state != CLASS_GRADED) {
        text_append(out, class_state_name(attempt->state));
        text_append(out, attempt->trouble[0] != '\0' ? ", " : "");
        display_append_foreign(out, attempt->trouble);
        return;
    }
    append_points(out, final->raw);
    text_append(out, " of ");
    append_points(out, results->maximum);
    if (final->is_cut_off) {
        text_append(out, ", too late to count");
    } else if (final->penalty > 0) {
        text_append(out, ", ");
        append_points(out, final->penalty);
        text_append(out, " off for being late");
    }
}

static void append_attempt(const struct class_results *results, const struct class_attempt *attempt,
                           struct text *out)
{
    static const char *const standings[] = {
        [ATTEMPT_COUNTS] = "counts",
        [ATTEMPT_OTHER] = "another attempt counts",
        [ATTEMPT_DROPPED] = "dropped by a person",
        [ATTEMPT_GONE] = "not there any more",
    };

    text_append(out, "  ");
    class_append_time(out, attempt->submitted);
    text_append(out, attempt->submitted == 0 ? "at an unknown time  "
                     : attempt->has_old_time ? " (of earlier files)  "
                                             : "  ");
    display_append_foreign(out, attempt->submission);
    text_append(out, ": ");
    append_worth(results, attempt, out);
    text_printf(out, "; %s\n", standings[attempt->standing]);
    append_criteria(results, attempt->marks, out);
}

void class_append_reckoning(const struct class_results *results, const struct class_row *row,
                            int64_t class_due, struct text *out)
{
    const struct class_final *final = &row->final;

    class_append_who(row, out);
    text_append(out, ": ");
    class_append_mark(results, row, out);
    text_printf(out, "\n  %s", class_state_name(row->state));
    if (row->state != CLASS_MISSING) {
        text_append(out, ": ");
        display_append_foreign(out, row->submission);
    }
    text_append_char(out, '\n');
    if (row->due != 0) {
        class_append_due(row, class_due, out);
    }
    append_item(out, "criteria");
    append_points(out, final->raw);
    text_append_char(out, '\n');
    if (final->late_s > 0) {
        append_item(out, "late");
        append_points(out, -final->penalty);
        text_append(out, "  ");
        class_append_lateness(out, final->late_s);
        text_append(out, final->is_cut_off ? ", too late to count\n" : "\n");
    }
    if (final->added != 0) {
        append_item(out, "by a person");
        append_points(out, final->added);
        text_append_char(out, '\n');
    }
    if (row->handed_in_count > 0) {
        text_append(out, "  handed in, oldest first:\n");
    }
    for (size_t i = 0; i < row->handed_in_count; i++) {
        append_attempt(results, &row->handed_in[i], out);
    }
}
