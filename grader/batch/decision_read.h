/* decision_read.h: decisions about students, from words and from a table.
 *
 *     student,days,points,reason,comment,presentation
 *     1001,2,,ill,,
 *     bo@x.edu,,-5,copied a loop,Talk to me,8
 *
 * A table is any CSV with a column that says who (student, id, email or name). Other columns are
 * the names of model/decisions.def, and the ids of criteria that a person grades; a `reason` is
 * that of the `days`, `until`, `excuse`, `drop` and `points` of its line. Empty cells decide
 * nothing. Other columns are left alone: a table of `gpugrade report` can be written on.
 */
#ifndef GPUGRADE_BATCH_DECISION_READ_H
#define GPUGRADE_BATCH_DECISION_READ_H

#include "base/arena.h"
#include "base/date.h"
#include "base/diagnostic.h"
#include "model/class_results.h"
#include "model/rubric.h"

/* One decision, and about whom. */
struct read_decision {
    const char *who; /* as written */
    int line;        /* of the table */
    struct class_decision decision;
};

/* What decisions are about. */
struct decision_terms {
    const struct rubric *rubric;
    const struct date_zone *zone; /* of times without a zone; NULL: they are refused */
};

/* Reads what follows the option of a kind: a time, days, points, "talk=8", the name
 * of a submission, a comment; nothing for EXCUSE. The texts of *out_decision live in the arena.
 * Errors, blaming usage: ERROR_RANGE. */
enum error decision_read(struct arena *arena, const struct decision_terms *terms,
                         enum decision_kind kind, const char *word,
                         struct class_decision *out_decision, struct diagnostic *diagnostic);

/* Reads a table. *out_unused: the columns that were left alone, "name, email"; "" for none. Errors,
 * blaming usage: ERROR_NOT_FOUND, ERROR_IO, ERROR_SYNTAX, ERROR_RANGE, with the line. */
enum error decision_table_read(struct arena *arena, const struct decision_terms *terms,
                               const char *path, const struct read_decision **out_decisions,
                               size_t *out_count, const char **out_unused,
                               struct diagnostic *diagnostic);

#endif
