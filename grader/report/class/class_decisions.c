/* class_decisions.c: see class_decisions.h. */
#include "report/class/class_decisions.h"

#include "base/csv.h"
#include "base/date.h"

#include <math.h>

static void append_count(struct text *out, double count, const char *unit)
{
    double rounded = round(count * 100) / 100;

    text_printf(out, "%.12g %s%s", rounded, unit, rounded == 1 ? "" : "s");
}

static void append_points(struct text *out, double points)
{
    append_count(out, fabs(points), "point");
    text_append(out, points < 0 ? " taken off" : " added");
}

void class_append_decision(const struct class_decision *decision, struct text *out)
{
    switch (decision->kind) {
    case DECISION_UNTIL:
        text_append(out, "due at ");
        date_append(out, (int64_t)decision->value);
        break;
    case DECISION_DAYS:
        append_count(out, decision->value, "more day");
        break;
    case DECISION_EXCUSE:
        text_append(out, "excused");
        break;
    case DECISION_DROP:
        text_printf(out, "%s does not count",
                    decision->about[0] != '\0' ? decision->about : "an attempt");
        break;
    case DECISION_POINTS:
        append_points(out, decision->value);
        break;
    case DECISION_GRADE:
        text_printf(out, "%s: ", decision->about);
        append_count(out, decision->value, "point");
        break;
    default:
        text_append(out, "comment");
        break;
    }
    if (decision->text[0] != '\0') {
        text_printf(out, ": %s", decision->text);
    }
}

static void append_comments(const struct class_row *row, struct text *out)
{
    bool is_first = true;

    for (size_t i = 0; i < row->decision_count; i++) {
        if (row->decisions[i].kind == DECISION_COMMENT && row->decisions[i].text[0] != '\0') {
            text_append(out, is_first ? "" : "\n");
            text_append(out, row->decisions[i].text);
            is_first = false;
        }
    }
}

void class_append_comment_cell(const struct class_row *row, struct text *out)
{
    struct text comments, plain;

    text_init(&comments);
    text_init(&plain);
    append_comments(row, &comments);
    text_append_printable(&plain, comments.bytes, comments.length, true);
    csv_append_text(out, plain.bytes);
    text_release(&plain);
    text_release(&comments);
}
