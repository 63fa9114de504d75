/* final_marks.h: from points to the mark of a student: lateness, attempts, bonus. Pure.
 *
 *     "late": { "due": "2026-11-20T23:59:00+01:00", "grace_minutes": 15, "penalty_per_day": 10,
 *               "penalty": "percent" | "points", "cut_off_days": 7 }       rubric
 *     "attempts": "latest" | "best"
 *     criteria[].bonus: true        on top of the total
 *
 * A day counts from its first second: one second after due + grace is one day late. The penalty is
 * taken from the raw points (percent: of the maximum without bonus); a mark is never less than 0.
 */
#ifndef GPUGRADE_BATCH_FINAL_MARKS_H
#define GPUGRADE_BATCH_FINAL_MARKS_H

#include "model/class_results.h"
#include "model/rubric.h"

/* One attempt of a student. */
struct attempt {
    double raw;        /* points of all criteria */
    int64_t submitted; /* seconds since 1970; 0: unknown, which counts as on time */
    bool is_settled;   /* graded, or nothing to grade; false: failed or pending, no mark */
};

/* What an attempt is worth. */
struct class_final final_mark(const struct rubric *rubric, double raw, int64_t submitted);

/* The attempt that counts, of [attempt_count] sorted by time. With "latest": the last one before
 * the cut-off (if there is none, the last one); -1 if it is not settled, because an older one must
 * not replace it. With "best": the settled one with the best mark (the earliest of equal ones); -1
 * if none is settled. */
int final_attempt(const struct rubric *rubric, const struct attempt *attempts,
                  size_t attempt_count);

#endif
