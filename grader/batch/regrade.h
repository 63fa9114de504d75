/* regrade.h: how another rubric would change the marks of a class; also applies the change.
 *
 *     store --begin--> new rubric --each run: read, settle again, put marks-->
 *     the new class, compared with the old one --end, keep or not--> store
 *
 * What is shown is what would be stored: without `apply` the change is made and rolled back. If the
 * new rubric checks something else, its marks cannot be computed from archived runs: then the next
 * `gpugrade batch --resume` grades all submissions again, and the criteria that need it are listed.
 */
#ifndef GPUGRADE_BATCH_REGRADE_H
#define GPUGRADE_BATCH_REGRADE_H

#include "batch/store.h"

/* A criterion's points in the row of one student. */
struct regrade_points {
    const char *criterion; /* id */
    double before, after;
};

/* One student whose mark, or the points that it consists of, change. */
struct regrade_change {
    const struct class_row *before, *after;
    bool had_mark, has_mark; /* false: none, because grading failed or nothing was graded */
    const struct regrade_points *points; /* [point_count] criteria that change */
    size_t point_count;
};

struct regrade {
    bool sees_the_same;        /* false: all must run again, and only the lists of criteria below
                                  are filled in */
    bool coursework_changed;   /* files of the coursework have changed since the grading */
    const char *const *unseen; /* [unseen_count] criteria that must run, by id */
    size_t unseen_count;
    const char *const *dropped; /* [dropped_count] criteria that the new rubric does not have */
    size_t dropped_count;
    struct class_results before, after;
    const struct regrade_change *changes; /* [change_count] by student */
    size_t change_count;
    size_t gains, loses; /* students whose mark rises, falls: their share of the maximum */
};

/* Compares, and keeps the new rubric if `apply`. `before` is the store's rubric, loaded; both
 * belong to one coursework. The store is open for writing; it changes only with `apply` and without
 * errors. Errors: ERROR_RANGE (rubrics of two courseworks; blames usage) and those of the store. */
enum error regrade_run(struct store *store, struct arena *arena, const struct rubric *before,
                       const struct rubric *after, bool apply, struct regrade *out_regrade,
                       struct diagnostic *diagnostic);

#endif
