/* student_page.c: see student_page.h. */
#include "report/class/student_page.h"

#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"
#include "report/class/leaderboard_page.h"
#include "report/html/html_style.h"
#include "report/html/html_text.h"
#include "report/html/report_html.h"
#include "report/report_hints.h"
#include "report/report_student.h"

#include <string.h>

/* What of a mark could not be judged: "; 15 more points could not be judged where this was graded".
 * Points that nobody has are on top of what the mark is out of, others are among it. */
static void append_unjudged(const struct class_results *results, const struct class_row *row,
                            struct text *out)
{
    double left_out = 0, among = 0;

    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        const struct class_criterion *criterion = &results->criteria[i];
        enum status status = row->marks[i].status;
        bool is_open = row->marks[i].is_judged && !criterion->bonus &&
                       (status == STATUS_SKIPPED || status == STATUS_OPEN);
        left_out += is_open && criterion->is_left_out ? criterion->points : 0;
        among += is_open && !criterion->is_left_out ? criterion->points : 0;
    }
    if (left_out > 0) {
        text_append(out, "; ");
        html_points(out, left_out);
        text_append(out, " more could not be judged where this was graded");
    }
    if (among > 0) {
        text_append(out, "; ");
        html_points(out, among);
        text_append(out, " of these are not judged yet");
    }
}

/* True if a criterion that students see is in error. */
static bool has_visible_error(const struct class_results *results, const struct class_row *row)
{
    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        if (!results->criteria[i].hidden && row->marks[i].is_judged &&
            row->marks[i].status == STATUS_ERROR) {
            return true;
        }
    }
    return false;
}

static bool shows_mark(const struct class_results *results, const struct class_row *row)
{
    return !results->has_hidden && class_row_has_mark(results, row);
}

static void append_mark(const struct class_results *results, const struct class_row *row,
                        struct text *out)
{
    if (row->final.is_excused) {
        text_append(out, "You are excused: there is no mark, and none is needed. ");
    } else if (has_visible_error(results, row)) {
        text_append(out, "There is no mark yet: part of your submission could not be graded, which "
                         "is not your fault. ");
    } else if (shows_mark(results, row)) {
        text_append(out, "Mark: <strong>");
        html_points(out, row->final.mark);
        text_append(out, "</strong> of ");
        html_points(out, row->final.maximum);
        append_unjudged(results, row, out);
        text_append(out, ". ");
    }
}

/* What lateness costs; nothing for what came in time. How many points that is would tell how many
 * there are in all, hidden ones too. */
static void append_penalty(const struct class_results *results, const struct class_row *row,
                           struct text *out)
{
    const struct class_final *final = &row->final;

    if (final->late_s <= 0) {
        return;
    }
    text_append(out, "Handed in ");
    class_append_lateness(out, final->late_s);
    if (final->is_cut_off) {
        text_append(out, " late, which is too late to count. ");
    } else if (final->penalty <= 0) {
        text_append(out, " late, which costs nothing. ");
    } else if (results->has_hidden) {
        text_append(out, " late, which costs points. ");
    } else if (final->penalty >= final->raw) {
        text_append(out, " late, which costs all points. ");
    } else {
        text_append(out, " late, which costs ");
        html_points(out, final->penalty);
        text_append(out, " points. ");
    }
}

/* What a person decided, but for comments, and points of criteria, which their criteria show. */
static void append_decisions(const struct class_row *row, struct text *out)
{
    for (size_t i = 0; i < row->decision_count; i++) {
        const struct class_decision *decision = &row->decisions[i];
        struct text words;
        if (decision->kind == DECISION_COMMENT || decision->kind == DECISION_GRADE) {
            continue;
        }
        text_init(&words);
        class_append_decision(decision, &words);
        text_append(out, "Decided by a person: ");
        html_escape(out, words.bytes);
        text_append(out, text_ends_with(words.bytes, ".") ? " " : ". ");
        text_release(&words);
        if (decision->kind == DECISION_DAYS && row->due != 0) {
            text_append(out, "Your work is due at ");
            class_append_time(out, row->due);
            text_append(out, ". ");
        }
    }
}

static void append_comments(const struct class_row *row, struct text *out)
{
    for (size_t i = 0; i < row->decision_count; i++) {
        const struct class_decision *decision = &row->decisions[i];
        if (decision->kind == DECISION_COMMENT) {
            text_append(out, "<p class=\"lead comment\">");
            html_prose(out, decision->text);
            text_append(out, "</p>\n");
        } else if (decision->kind == DECISION_GRADE && decision->text[0] != '\0') {
            text_append(out, "<p class=\"lead comment\">");
            html_escape(out, decision->about);
            text_append(out, ": ");
            html_prose(out, decision->text);
            text_append(out, "</p>\n");
        }
    }
}

/* Who they are on the board, and where. */
static void append_place(const struct class_results *results, const struct class_row *row,
                         struct text *out)
{
    if (results->ranked_by == RANKED_BY_NOTHING) {
        return;
    }
    text_append(out, "On the ");
    if (results->board_page != NULL) {
        text_printf(out, "<a href=\"%s\">leaderboard</a>", results->board_page);
    } else {
        text_append(out, "leaderboard");
    }
    text_append(out, " you are ");
    text_printf(out, row->place > 0 ? "<strong>%s</strong>" : "%s, but not on it yet", row->alias);
    if (row->place > 0) {
        text_printf(out, ", place %zu of %zu", row->place, row->places);
    }
    text_append(out, ". ");
}

/* A paragraph, and one for each comment. */
static void append_note(const struct class_results *results, const struct class_row *row,
                        struct text *out)
{
    struct text note;

    text_init(&note);
    append_mark(results, row, &note);
    append_penalty(results, row, &note);
    append_decisions(row, &note);
    if (row->attempts > 1) {
        text_printf(&note, "You made %zu attempts; this is the one that counts. ", row->attempts);
    }
    append_place(results, row, &note);
    if (note.length > 0) {
        text_printf(out, "<p class=\"lead mark\">%s</p>\n", note.bytes);
    }
    text_release(&note);
    append_comments(row, out);
}

/* Shows the points that a person gave where the report leaves a criterion open. */
static void grade_open(const struct class_results *results, const struct class_row *row,
                       struct arena *arena, struct report *report)
{
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);

    for (size_t i = 0; i < report->verdict_count; i++) {
        verdicts[i] = report->verdicts[i];
        for (size_t k = 0; row->marks != NULL && k < results->criterion_count; k++) {
            if (verdicts[i].status == STATUS_OPEN && row->marks[k].is_judged &&
                strcmp(results->criteria[k].id, verdicts[i].criterion->id) == 0) {
                verdicts[i].status = row->marks[k].status;
                verdicts[i].points = row->marks[k].points;
                verdicts[i].summary = "a person gave these points";
            }
        }
    }
    report->verdicts = verdicts;
}

void student_page_report(const struct class_results *results, const struct class_row *row,
                         const struct report *full, struct arena *arena, struct report *out_report)
{
    report_for_student(full, arena, out_report);
    report_apply_hints(out_report, out_report->rubric->hints, arena, out_report);
    grade_open(results, row, arena, out_report);
    out_report->final = shows_mark(results, row) ? &row->final : NULL;
    /* Equal files share a report, so it names nobody by itself. */
    out_report->submission_name = row->name[0] != '\0' ? row->name : row->student;
}

void student_page(const struct class_results *results, const struct class_row *row,
                  const struct report *shown, struct text *out)
{
    static const char start[] = "<main>\n";
    struct text page;

    text_init(&page);
    report_html(shown, &page);
    /* What comes from a submission is escaped, so the first such line is the page's own. */
    const char *found = strstr(page.bytes, start);
    size_t before = found == NULL ? 0 : (size_t)(found - page.bytes) + sizeof start - 1;
    text_append_bytes(out, page.bytes, before);
    append_note(results, row, out);
    text_append_bytes(out, page.bytes + before, page.length - before);
    text_release(&page);
}

void student_page_nothing(const struct class_results *results, const struct class_row *row,
                          struct text *out)
{
    text_append(out, "<!DOCTYPE html>\n"
                     "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    html_escape(out, results->title);
    text_append(out, "</title>\n<style>\n");
    text_append(out, html_style);
    text_append(out, "</style>\n</head>\n<body>\n<header>\n<p class=\"maker\">gpugrade</p>\n<h1>");
    html_escape(out, results->title);
    text_append(out, "</h1>\n</header>\n<main>\n");
    append_note(results, row, out);
    if (row->state == CLASS_MISSING) {
        text_append(out, "<h2>Nothing was handed in</h2>\n<p>There is no submission of yours that "
                         "counts. If you did hand in, tell your instructor.");
    } else {
        text_append(out, "<h2>Nothing could be graded</h2>\n<p>");
        html_prose(out, row->trouble);
    }
    text_append(out, "</p>\n</main>\n</body>\n</html>\n");
}
