/* final_marks.h: from points to the mark of a student: lateness, attempts, bonus, and
 * what a person decided. Pure, and the only place where marks are made.
 *
 *     "late": { "due": "2026-11-20T23:59:00+01:00", "grace_minutes": 15, "penalty_per_day": 10,
 *               "penalty": "percent" | "points", "cut_off_days": 7 }       rubric
 *     "attempts": "latest" | "best"
 *     criteria[].bonus: true        on top of the total
 *
 * A mark is out of the points without bonus, and without the criteria that could be judged in no
 * submission of the class: there was no GPU to measure them, or no person has given their points.
 *
 * A day counts from its first second: one second after due + grace is one day late. The penalty is
 * taken from the raw points (percent: of what the mark is out of); a mark is never less than 0.
 *
 * Of decisions about a student (model/class_results.h), the last extension moves the due time, and
 * with it the cut-off; it never makes it earlier. Points come last, after penalty and cut-off.
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

/* What holds for the marks of a class, or of one student. */
struct final_terms {
    const struct rubric *rubric;
    double maximum;                         /* what marks are out of: final_maximum */
    const struct class_decision *decisions; /* [decision_count] that stand, oldest first */
    size_t decision_count;
};

/* What came of a criterion in the submissions of a class. */
struct final_seen {
    bool is_judged;   /* some got points for it, or lost them */
    bool is_left_out; /* in some it was skipped, or is open */
};

/* Takes one more mark into account. */
void final_see(struct final_seen *seen, const struct class_mark *mark);

/* True if no mark of the class has this criterion in it. */
bool final_leaves_out(const struct final_seen *seen);

/* What the marks of a class are out of; seen: [criterion_count of the rubric]. */
double final_maximum(const struct rubric *rubric, const struct final_seen *seen);

/* Puts the points that a person gave for criteria of the kind `manual` into the marks of an
 * attempt: [criterion_count of the rubric]. */
void final_grade(const struct final_terms *terms, struct class_mark *marks);

/* When the work of this student is due, extensions included: seconds since 1970; 0: nothing is ever
 * late. */
int64_t final_due(const struct final_terms *terms);

/* What an attempt is worth; without any, the same with 0 points in time. */
struct class_final final_mark(const struct final_terms *terms, double raw, int64_t submitted);

/* The attempt that counts, of [attempt_count] sorted by time. With "latest": the last one before
 * the cut-off (if there is none, the last one); -1 if it is not settled, because an older one must
 * not replace it. With "best": the settled one with the best mark (the earliest of equal ones); -1
 * if none is settled. */
int final_attempt(const struct final_terms *terms, const struct attempt *attempts,
                  size_t attempt_count);

#endif
