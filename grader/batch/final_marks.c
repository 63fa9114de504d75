/* final_marks.c: see final_marks.h. */
#include "batch/final_marks.h"

#include <math.h>
#include <string.h>

enum { SECONDS_PER_DAY = 86400 };

void final_see(struct final_seen *seen, const struct class_mark *mark)
{
    seen->is_judged |= mark->is_judged && status_is_judged(mark->status);
    seen->is_left_out |=
        mark->is_judged && (mark->status == STATUS_SKIPPED || mark->status == STATUS_OPEN);
}

bool final_leaves_out(const struct final_seen *seen)
{
    return seen->is_left_out && !seen->is_judged;
}

double final_maximum(const struct rubric *rubric, const struct final_seen *seen)
{
    double sum = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        bool is_out = rubric->criteria[i].bonus || final_leaves_out(&seen[i]);
        sum += is_out ? 0 : rubric->criteria[i].points;
    }
    return sum;
}

static double penalty_of(const struct late_policy *late, double maximum, int64_t late_s)
{
    if (late_s <= late->grace_s) {
        return 0;
    }
    double days = ceil((double)(late_s - late->grace_s) / SECONDS_PER_DAY);
    return days * (late->is_percent ? late->per_day / 100 * maximum : late->per_day);
}

void final_grade(const struct final_terms *terms, struct class_mark *marks)
{
    for (size_t i = 0; i < terms->decision_count; i++) {
        const struct class_decision *decision = &terms->decisions[i];
        for (size_t k = 0; decision->kind == DECISION_GRADE && k < terms->rubric->criterion_count;
             k++) {
            const struct rubric_criterion *criterion = &terms->rubric->criteria[k];
            if (criterion->kind == CRITERION_MANUAL &&
                strcmp(criterion->id, decision->about) == 0) {
                double points = fmin(decision->value, criterion->points);
                marks[k] = (struct class_mark){.is_judged = true,
                                               .points = points,
                                               .code = CODE_NONE,
                                               .status = points >= criterion->points ? STATUS_PASSED
                                                         : points > 0 ? STATUS_PARTIAL
                                                                      : STATUS_FAILED};
            }
        }
    }
}

int64_t final_due(const struct final_terms *terms)
{
    int64_t due = terms->rubric->late.due, extended = due;

    if (!terms->rubric->late.has_due) {
        return 0;
    }
    for (size_t i = 0; i < terms->decision_count; i++) {
        const struct class_decision *decision = &terms->decisions[i];
        if (decision->kind == DECISION_UNTIL) {
            extended = (int64_t)decision->value;
        } else if (decision->kind == DECISION_DAYS) {
            extended = due + (int64_t)(decision->value * SECONDS_PER_DAY);
        }
    }
    return extended > due ? extended : due;
}

struct class_final final_mark(const struct final_terms *terms, double raw, int64_t submitted)
{
    const struct late_policy *late = &terms->rubric->late;
    struct class_final final = {.raw = raw, .maximum = terms->maximum};
    const int64_t due = final_due(terms);

    if (late->has_due && submitted > due) {
        final.late_s = submitted - due;
    }
    for (size_t i = 0; i < terms->decision_count; i++) {
        const struct class_decision *decision = &terms->decisions[i];
        final.added += decision->kind == DECISION_POINTS ? decision->value : 0;
        final.is_excused |= decision->kind == DECISION_EXCUSE;
    }
    final.is_cut_off = late->has_cut_off && final.late_s > late->cut_off_s;
    final.penalty = fmin(raw, penalty_of(late, final.maximum, final.late_s));
    if (final.is_cut_off) {
        final.penalty = raw;
    }
    final.mark = fmax(0, raw - final.penalty + final.added);
    return final;
}

static int latest_attempt(const struct final_terms *terms, const struct attempt *attempts,
                          size_t attempt_count)
{
    int chosen = (int)attempt_count - 1;

    for (size_t i = attempt_count; i-- > 0;) {
        if (!final_mark(terms, 0, attempts[i].submitted).is_cut_off) {
            chosen = (int)i;
            break;
        }
    }
    return chosen >= 0 && attempts[chosen].is_settled ? chosen : -1;
}

static int best_attempt(const struct final_terms *terms, const struct attempt *attempts,
                        size_t attempt_count)
{
    double best = -1;
    int chosen = -1;

    for (size_t i = 0; i < attempt_count; i++) {
        double mark = final_mark(terms, attempts[i].raw, attempts[i].submitted).mark;
        if (attempts[i].is_settled && mark > best) {
            chosen = (int)i;
            best = mark;
        }
    }
    return chosen;
}

int final_attempt(const struct final_terms *terms, const struct attempt *attempts,
                  size_t attempt_count)
{
    return terms->rubric->attempts == ATTEMPTS_BEST
               ? best_attempt(terms, attempts, attempt_count)
               : latest_attempt(terms, attempts, attempt_count);
}
