/* class_facts.h: what the reports on a class need to know about its rows. Pure functions.
 *
 * A row has a mark if it is settled: it was graded without an error of the grader or the machine,
 * or it is the submission's own fault that there was nothing to grade. Other rows have no mark, so
 * no student gets a zero for something that is not the student's fault.
 */
#ifndef GPUGRADE_REPORT_CLASS_CLASS_FACTS_H
#define GPUGRADE_REPORT_CLASS_CLASS_FACTS_H

#include "base/arena.h"
#include "base/text.h"
#include "model/class_results.h"

enum { CLASS_STATE_COUNT = CLASS_MISSING + 1, CLASS_STATUS_COUNT = STATUSES };

/* True if a criterion of a row could not be graded because the grader or the machine failed. */
bool class_row_has_error(const struct class_results *results, const struct class_row *row);

/* True if a mark lacks a criterion that others of the class were judged by: it was skipped on the
 * machine, or is open. */
bool class_row_lacks(const struct class_results *results, const struct class_row *row);

/* The points of all criteria that are in no mark, without bonus: 15 where no machine had a GPU. */
double class_left_out(const struct class_results *results);

/* What a person should review in a row: status_review of the first criterion that has one; NULL:
 * nothing. */
const char *class_row_review(const struct class_results *results, const struct class_row *row);

/* True if a row has a mark that counts: it was judged, or a person gave points to a student who
 * handed in nothing; and the student is not excused. */
bool class_row_has_mark(const struct class_results *results, const struct class_row *row);

/* The hash of a row's files; "" in results with pseudonyms, because anyone with the files could use
 * it to find out whose they are. */
const char *class_row_content(const struct class_results *results, const struct class_row *row);

/* Appends a time as "2026-11-20T22:59:00Z"; nothing for 0, which is unknown. */
void class_append_time(struct text *out, int64_t seconds);

/* Appends foreign text as one cell of a CSV line: printable UTF-8 on one line (base/csv.h). */
void class_append_cell(struct text *out, const char *string);

/* Appends how late something is: "25 h 3 min", "4 min", "20 s". */
void class_append_lateness(struct text *out, int64_t seconds);

/* One criterion over all rows in which it was graded. */
struct class_criterion_facts {
    size_t statuses[CLASS_STATUS_COUNT];
    size_t judged;      /* their sum */
    double mean_points; /* over those that class_counted; 0: there are none */
};

/* How many of them were judged by what the submission does. */
size_t class_counted(const struct class_criterion_facts *facts);

struct class_facts {
    size_t states[CLASS_STATE_COUNT];
    size_t in_error;   /* graded, with a criterion in error */
    size_t to_review;  /* class_row_review */
    size_t incomplete; /* class_row_lacks */
    size_t late, cut_off, excused;
    size_t retried;                               /* tried more than once */
    const double *marks;                          /* [mark_count] ascending */
    size_t mark_count;                            /* rows that class_row_has_mark */
    double mean;                                  /* of the marks; 0 without marks */
    double median;                                /* likewise */
    const double *speedups;                       /* [speedup_count] ascending, those measured */
    size_t speedup_count;                         /* likewise */
    const struct class_criterion_facts *criteria; /* [criterion_count] */
};

/* Counts and sums up; the arrays live in the arena. */
struct class_facts class_facts_of(const struct class_results *results, struct arena *arena);

#endif
