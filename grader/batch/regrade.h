/* regrade.h: what another rubric would do to the marks of a class, and doing it.
 *
 *     store --begin--> new rubric --each run: read, settle again, put marks--> the class as it
 * would be: compared with the class as it is --end, keep or not--> store
 *
 * What is shown is what is done: a regrade that is only looked at is taken back. Where the new
 * rubric sees something else, archived runs cannot tell its marks: then all are graded again by the
 * next `gpugrade batch --resume`, and which criteria that is for is told.
 */
#ifndef GPUGRADE_BATCH_REGRADE_H
#define GPUGRADE_BATCH_REGRADE_H

#include "batch/store.h"

/* A criterion's points in the row of one student. */
struct regrade_points {
    const char *criterion; /* id */
    double before, after;
};

/* One student whose mark, or what it is made of, changes. */
struct regrade_change {
    const struct class_row *before, *after;
    bool had_mark, has_mark; /* false: none, for trouble or because nothing was graded */
    const struct regrade_points *points; /* [point_count] criteria that change */
    size_t point_count;
};

struct regrade {
    bool sees_the_same;        /* false: all must run again, and nothing else below is filled but
                                  the lists of criteria */
    bool coursework_changed;   /* files of the coursework are not those that were graded with */
    const char *const *unseen; /* [unseen_count] criteria that must run, by id */
    size_t unseen_count;
    const char *const *dropped; /* [dropped_count] criteria that the new rubric does not have */
    size_t dropped_count;
    struct class_results before, after;
    const struct regrade_change *changes; /* [change_count] by student */
    size_t change_count;
    size_t gains, loses; /* students whose mark rises, falls */
};

/* Compares, and keeps the new rubric if `apply`. `before` is the store's rubric, loaded; both are
 * of one coursework. The store is open for writing, and unchanged unless `apply` and all went well.
 * Errors: ERROR_RANGE (rubrics of two courseworks; blames usage) and those of the store. */
enum error regrade_run(struct store *store, struct arena *arena, const struct rubric *before,
                       const struct rubric *after, bool apply, struct regrade *out_regrade,
                       struct diagnostic *diagnostic);

#endif
