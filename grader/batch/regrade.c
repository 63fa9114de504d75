/* regrade.c: see regrade.h. */
#include "batch/regrade.h"

#include "criteria/kinds/marks_again.h"
#include "diagnosis/hints/advice_text.h"
#include "report/score/report_archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smaller differences are those of adding in another order. */
static const double SAME_POINTS = 1e-9;

static const struct rubric_criterion *criterion_of(const struct rubric *rubric, const char *id)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (strcmp(rubric->criteria[i].id, id) == 0) {
            return &rubric->criteria[i];
        }
    }
    return NULL;
}

/* Lists what the new rubric looks at that the old one did not, and the other way round. */
static void compare_rubrics(struct arena *arena, const struct rubric *before,
                            const struct rubric *after, struct regrade *out)
{
    const char **unseen = arena_array(arena, after->criterion_count, sizeof(const char *));
    const char **dropped = arena_array(arena, before->criterion_count, sizeof(const char *));

    for (size_t i = 0; i < after->criterion_count; i++) {
        const struct rubric_criterion *criterion = &after->criteria[i];
        const struct rubric_criterion *old = criterion_of(before, criterion->id);
        if (out->coursework_changed || old == NULL ||
            strcmp(old->evidence_sha256, criterion->evidence_sha256) != 0) {
            unseen[out->unseen_count++] = criterion->id;
        }
    }
    for (size_t i = 0; i < before->criterion_count; i++) {
        if (criterion_of(after, before->criteria[i].id) == NULL) {
            dropped[out->dropped_count++] = before->criteria[i].id;
        }
    }
    out->unseen = unseen;
    out->dropped = dropped;
    out->sees_the_same = out->unseen_count == 0;
}

/* What settling one run after the other needs. */
struct settling {
    struct store *store;
    const struct rubric *before, *after;
};

static size_t index_of(const struct rubric *rubric, const struct verdict *verdict)
{
    size_t i = 0;

    while (i < rubric->criterion_count &&
           strcmp(rubric->criteria[i].id, verdict->criterion->id) != 0) {
        i++;
    }
    return i;
}

/* Settles all verdicts of a report, and puts them into the order of the new rubric. */
static void settle_report(const struct settling *settling, struct arena *arena,
                          struct report *report)
{
    const struct rubric *rubric = settling->after;
    struct verdict *verdicts = arena_array(arena, report->verdict_count, sizeof *verdicts);
    size_t count = 0;

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        for (size_t k = 0; k < report->verdict_count; k++) {
            if (index_of(rubric, &report->verdicts[k]) == i) {
                verdicts[count] = report->verdicts[k];
                marks_settle_again(rubric, criterion_of(settling->before, rubric->criteria[i].id),
                                   arena, &verdicts[count]);
                advice_explain(arena, &verdicts[count++].cause);
            }
        }
    }
    report->verdicts = marks_settle_unmeasured(rubric, arena, verdicts, count);
    report->verdict_count = count;
}

static enum error settle_run(void *context, int64_t run, const char *archive, size_t length,
                             struct diagnostic *diagnostic)
{
    const struct settling *settling = context;
    struct arena *arena = arena_new();
    struct report report;
    enum error error = report_archive_read(arena, archive, length, "RESULTS", settling->after,
                                           &report, diagnostic);

    if (error == ERROR_NONE) {
        settle_report(settling, arena, &report);
        if (report.student != NULL) {
            struct report *student = arena_alloc(arena, sizeof *student);
            *student = *report.student;
            settle_report(settling, arena, student);
            report.student = student;
        }
        error = store_put_marks(settling->store, run, &report, diagnostic);
    }
    arena_free(arena);
    return error;
}

/* Puts the new rubric. Where it sees no more than the old one, runs go on to count. */
static enum error put_rubric(struct store *store, const struct rubric *rubric,
                             const char *seen_before, bool sees_the_same,
                             struct diagnostic *diagnostic)
{
    const struct store_rubric put = {
        .sha256 = rubric->sha256,
        .evidence = rubric->evidence_sha256,
        .text = rubric->whole_text,
        .continues = sees_the_same ? seen_before : NULL,
    };

    return store_put_rubric(store, &put, diagnostic);
}

/* A mark that is told at all. */
static bool has_mark(const struct class_row *row)
{
    return row->state == CLASS_GRADED || row->state == CLASS_NOTHING;
}

static double points_of(const struct class_results *results, const struct class_row *row,
                        const char *criterion)
{
    for (size_t i = 0; i < results->criterion_count; i++) {
        if (strcmp(results->criteria[i].id, criterion) == 0) {
            return row->marks != NULL && row->marks[i].is_judged ? row->marks[i].points : 0;
        }
    }
    return 0;
}

static bool is_same(double left, double right)
{
    return fabs(left - right) < SAME_POINTS;
}

/* Appends the criterion if its points differ and it is not there yet. */
static void add_points(const struct regrade *regrade, const struct regrade_change *change,
                       const char *id, struct regrade_points *points, size_t *count)
{
    const struct regrade_points found = {
        .criterion = id,
        .before = points_of(&regrade->before, change->before, id),
        .after = points_of(&regrade->after, change->after, id),
    };
    bool is_there = false;

    for (size_t i = 0; i < *count; i++) {
        is_there = is_there || strcmp(points[i].criterion, id) == 0;
    }
    if (!is_there && !is_same(found.before, found.after)) {
        points[(*count)++] = found;
    }
}

/* What changes in one row; false: nothing. */
static bool compare_rows(const struct regrade *regrade, struct arena *arena,
                         struct regrade_change *change)
{
    size_t most = regrade->before.criterion_count + regrade->after.criterion_count;
    struct regrade_points *points = arena_array(arena, most, sizeof *points);

    change->had_mark = has_mark(change->before);
    change->has_mark = has_mark(change->after);
    change->points = points;
    for (size_t i = 0; i < regrade->after.criterion_count; i++) {
        add_points(regrade, change, regrade->after.criteria[i].id, points, &change->point_count);
    }
    for (size_t i = 0; i < regrade->before.criterion_count; i++) {
        add_points(regrade, change, regrade->before.criteria[i].id, points, &change->point_count);
    }
    return change->had_mark != change->has_mark || change->point_count > 0 ||
           !is_same(change->before->final.mark, change->after->final.mark) ||
           strcmp(change->before->submission, change->after->submission) != 0;
}

/* Both are by student. */
static void compare_classes(struct arena *arena, struct regrade *regrade)
{
    const struct class_results *before = &regrade->before;
    const struct class_results *after = &regrade->after;
    struct regrade_change *changes = arena_array(arena, after->row_count, sizeof *changes);
    const double scale = before->maximum > 0 ? after->maximum / before->maximum : 1;
    size_t k = 0;

    for (size_t i = 0; i < after->row_count; i++) {
        struct regrade_change change = {.after = &after->rows[i]};
        while (k < before->row_count &&
               strcmp(before->rows[k].student, after->rows[i].student) < 0) {
            k++;
        }
        if (k == before->row_count ||
            strcmp(before->rows[k].student, after->rows[i].student) != 0) {
            continue;
        }
        change.before = &before->rows[k];
        bool changes_row = compare_rows(regrade, arena, &change);
        double gain = change.after->final.mark - change.before->final.mark * scale;
        regrade->gains += change.has_mark && change.had_mark && gain > SAME_POINTS ? 1 : 0;
        regrade->loses += change.has_mark && change.had_mark && gain < -SAME_POINTS ? 1 : 0;
        if (changes_row) {
            changes[regrade->change_count++] = change;
        }
    }
    regrade->changes = changes;
}

/* Inside of a transaction. */
static enum error change_marks(struct store *store, struct arena *arena,
                               const struct settling *settling, const char *seen_before,
                               struct regrade *regrade, struct diagnostic *diagnostic)
{
    const struct rubric *after = settling->after;
    struct settling copy = *settling;
    enum error error = ERROR_NONE;

    if (regrade->sees_the_same) {
        error = store_class(store, arena, settling->before, false, &regrade->before, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_rubric(store, after, seen_before, regrade->sees_the_same, diagnostic);
    }
    if (error != ERROR_NONE || !regrade->sees_the_same) {
        return error;
    }
    error = store_each_run(store, true, settle_run, &copy, diagnostic);
    if (error == ERROR_NONE) {
        error = store_class(store, arena, after, false, &regrade->after, diagnostic);
    }
    if (error == ERROR_NONE) {
        compare_classes(arena, regrade);
    }
    return error;
}

enum error regrade_run(struct store *store, struct arena *arena, const struct rubric *before,
                       const struct rubric *after, bool apply, struct regrade *out_regrade,
                       struct diagnostic *diagnostic)
{
    const struct settling settling = {.store = store, .before = before, .after = after};
    struct regrade regrade = {.sees_the_same = false};
    struct store_rubric stored;

    if (strcmp(before->id, after->id) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "the class was graded for the coursework '%s', but this rubric is for '%s'",
                       before->id, after->id);
        return ERROR_RANGE;
    }
    enum error error = store_rubric(store, arena, &stored, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    regrade.coursework_changed = strcmp(stored.evidence, before->evidence_sha256) != 0;
    compare_rubrics(arena, before, after, &regrade);
    error = store_begin(store, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = change_marks(store, arena, &settling, stored.evidence, &regrade, diagnostic);
    if (error != ERROR_NONE || !apply) {
        store_end(store, false, NULL);
    } else {
        error = store_end(store, true, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_regrade = regrade;
    }
    return error;
}
