/* class_facts.c: see class_facts.h. */
#include "report/class/class_facts.h"

#include "base/csv.h"
#include "base/date.h"
#include "base/statistics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_status(const struct class_results *results, const struct class_row *row,
                       enum status status)
{
    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        if (row->marks[i].is_judged && row->marks[i].status == status) {
            return true;
        }
    }
    return false;
}

bool class_row_has_error(const struct class_results *results, const struct class_row *row)
{
    return has_status(results, row, STATUS_ERROR);
}

bool class_row_lacks(const struct class_results *results, const struct class_row *row)
{
    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        const struct class_mark *mark = &row->marks[i];
        bool is_skipped =
            mark->is_judged && (mark->status == STATUS_SKIPPED || mark->status == STATUS_OPEN);
        if (is_skipped && !results->criteria[i].is_left_out) {
            return true;
        }
    }
    return false;
}

double class_left_out(const struct class_results *results)
{
    double points = 0;

    for (size_t i = 0; i < results->criterion_count; i++) {
        const struct class_criterion *criterion = &results->criteria[i];
        points += criterion->is_left_out && !criterion->bonus ? criterion->points : 0;
    }
    return points;
}

const char *class_row_review(const struct class_results *results, const struct class_row *row)
{
    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        const struct class_mark *mark = &row->marks[i];
        const char *review = mark->is_judged ? status_review(mark->status, mark->code) : NULL;
        if (review != NULL) {
            return review;
        }
    }
    return NULL;
}

bool class_row_has_mark(const struct class_results *results, const struct class_row *row)
{
    bool is_settled = row->state == CLASS_NOTHING ||
                      (row->state == CLASS_GRADED && !class_row_has_error(results, row)) ||
                      (row->state == CLASS_MISSING && row->final.added > 0);

    return is_settled && !row->final.is_excused;
}

const char *class_row_content(const struct class_results *results, const struct class_row *row)
{
    return results->is_pseudonymous ? "" : row->content;
}

void class_append_time(struct text *out, int64_t seconds)
{
    if (seconds != 0) {
        date_append(out, seconds);
    }
}

void class_append_cell(struct text *out, const char *string)
{
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, text_or_empty(string), strlen(text_or_empty(string)), false);
    csv_append_text(out, plain.bytes);
    text_release(&plain);
}

void class_append_lateness(struct text *out, int64_t seconds)
{
    enum { MINUTE = 60, HOUR = 3600 };

    if (seconds < MINUTE) {
        text_printf(out, "%" PRId64 " s", seconds);
    } else if (seconds < HOUR) {
        text_printf(out, "%" PRId64 " min", seconds / MINUTE);
    } else {
        text_printf(out, "%" PRId64 " h %" PRId64 " min", seconds / HOUR, seconds % HOUR / MINUTE);
    }
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

static void count_row(struct class_facts *facts, const struct class_results *results,
                      const struct class_row *row)
{
    bool is_handed_in = row->state == CLASS_GRADED || row->state == CLASS_NOTHING;

    facts->states[row->state]++;
    facts->in_error += class_row_has_error(results, row);
    facts->excused += row->final.is_excused;
    facts->to_review += class_row_review(results, row) != NULL;
    facts->incomplete += class_row_lacks(results, row);
    facts->late += is_handed_in && row->final.late_s > 0;
    facts->cut_off += is_handed_in && row->final.is_cut_off;
    facts->retried += row->tries > 1;
}

static void gather_numbers(struct class_facts *facts, const struct class_results *results,
                           struct arena *arena)
{
    double *marks = arena_array(arena, results->row_count, sizeof *marks);
    double *speedups = arena_array(arena, results->row_count, sizeof *speedups);
    double sum = 0;

    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        if (class_row_has_mark(results, row)) {
            marks[facts->mark_count++] = row->final.mark;
            sum += row->final.mark;
        }
        if (row->speedup > 0) {
            speedups[facts->speedup_count++] = row->speedup;
        }
    }
    qsort(marks, facts->mark_count, sizeof *marks, compare_numbers);
    qsort(speedups, facts->speedup_count, sizeof *speedups, compare_numbers);
    facts->marks = marks;
    facts->speedups = speedups;
    facts->mean = facts->mark_count > 0 ? sum / (double)facts->mark_count : 0;
    facts->median = statistics_median(marks, facts->mark_count);
}

size_t class_counted(const struct class_criterion_facts *facts)
{
    size_t counted = facts->judged;

    for (int status = 0; status < CLASS_STATUS_COUNT; status++) {
        counted -= status_is_judged((enum status)status) ? 0 : facts->statuses[status];
    }
    return counted;
}

static struct class_criterion_facts criterion_facts(const struct class_results *results,
                                                    size_t criterion)
{
    struct class_criterion_facts facts = {.judged = 0};
    double sum = 0;

    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_mark *marks = results->rows[i].marks;
        if (marks != NULL && marks[criterion].is_judged) {
            facts.statuses[marks[criterion].status]++;
            facts.judged++;
            sum += marks[criterion].points;
        }
    }
    size_t counted = class_counted(&facts);
    facts.mean_points = counted > 0 ? sum / (double)counted : 0;
    return facts;
}

struct class_facts class_facts_of(const struct class_results *results, struct arena *arena)
{
    struct class_facts facts = {.late = 0};
    struct class_criterion_facts *criteria =
        arena_array(arena, results->criterion_count, sizeof *criteria);

    for (size_t i = 0; i < results->row_count; i++) {
        count_row(&facts, results, &results->rows[i]);
    }
    for (size_t i = 0; i < results->criterion_count; i++) {
        criteria[i] = criterion_facts(results, i);
    }
    facts.criteria = criteria;
    gather_numbers(&facts, results, arena);
    return facts;
}
