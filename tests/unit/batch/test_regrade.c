/* test_regrade.c: what another rubric does to the marks of a class: compared without a trace, kept
 * with `apply`; what it may change without running anything, and what not. */
#include "store_fixture.h"

#include "batch/regrade.h"
#include "report/score/report_archive.h"
#include "rubric/rubric_load.h"

#include <stdlib.h>

#define OVERLAY "{\"schema\": \"gpugrade/rubric/v1\", \"extends\": \"matmul\", \"salt\": \"s\", "

static const struct rubric *parse(const char *text)
{
    const struct rubric *rubric = NULL;

    assert_good(rubric_parse(arena, text, strlen(text), "r.json", GPUGRADE_SOURCE_DIR, &rubric,
                             &diagnostic));
    return rubric;
}

/* By which the class is graded: 20 points for correct.tiled, a hidden criterion. */
static const struct rubric *old_rubric(void)
{
    return parse(OVERLAY
                 "\"version\": 1, \"criteria\": [{\"id\": \"block-size\", \"hidden\": true}]}");
}

static struct rubric_criterion *marked(const struct rubric_criterion *criterion)
{
    struct rubric_criterion *copy = arena_alloc(arena, sizeof *copy);

    *copy = *criterion;
    copy->title = arena_printf(arena, "%s (hidden)", copy->title);
    return copy;
}

/* Everything passes but the criterion `failed`; the last one, hidden, as an instructor sees it. */
static struct report report_by(const struct rubric *rubric, const char *failed)
{
    struct verdict *verdicts = arena_array(arena, rubric->criterion_count, sizeof *verdicts);
    struct report *student = arena_alloc(arena, sizeof *student);
    struct rubric *visible = arena_alloc(arena, sizeof *visible);
    struct report report = make_report(20);

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        bool fails = strcmp(criterion->id, failed) == 0;
        verdicts[i] =
            (struct verdict){.criterion = criterion->hidden ? marked(criterion) : criterion,
                             .status = fails ? STATUS_FAILED : STATUS_PASSED,
                             .points = fails ? 0 : criterion->points,
                             .summary = "seen"};
        verdicts[i].cause = (struct cause){.message = "", .file = "", .hint = ""};
    }
    *visible = rubric_public_view(rubric);
    report.rubric = rubric;
    report.verdicts = verdicts;
    report.verdict_count = rubric->criterion_count;
    *student = report;
    student->rubric = visible;
    student->verdict_count -= 1;
    report.student = student;
    return report;
}

static void put_run(struct store *store, int64_t submission, const struct report *report)
{
    struct outcome outcome = {.kind = OUTCOME_GRADED, .message = ""};
    struct store_result result = {.submission = submission,
                                  .evidence = FIXTURE_EVIDENCE,
                                  .outcome = &outcome,
                                  .report = report,
                                  .seconds = 1,
                                  .started = 1};
    struct text text;

    text_init(&text);
    report_archive_write(report, &text);
    outcome.archive = text.bytes;
    outcome.archive_length = text.length;
    fixture_content(submission, outcome.content);
    assert_good(store_put_result(store, &result, &diagnostic));
    text_release(&text);
}

/* Four students: all right; one criterion wrong; nothing handed in that can be graded; trouble. */
static struct store *graded_class(const struct rubric *rubric)
{
    struct store *store = make_store(results, 4);
    const struct store_rubric put = {
        .sha256 = rubric->sha256, .evidence = rubric->evidence_sha256, .text = rubric->whole_text};
    struct report right = report_by(rubric, "");
    struct report wrong = report_by(rubric, "correct.tiled");

    assert_good(store_put_rubric(store, &put, &diagnostic));
    put_run(store, 1, &right);
    put_run(store, 2, &wrong);
    assert_good(put_other(store, 3, OUTCOME_NOTHING, "an empty folder"));
    assert_good(put_other(store, 4, OUTCOME_TROUBLE, "no memory"));
    return store;
}

static struct regrade regrade(struct store *store, const struct rubric *before,
                              const struct rubric *after, bool apply)
{
    struct regrade regrade;

    assert_good(regrade_run(store, arena, before, after, apply, &regrade, &diagnostic));
    return regrade;
}

static double mark_of(struct store *store, const struct rubric *rubric, size_t row)
{
    struct class_results class;

    assert_good(store_class(store, arena, rubric, false, &class, &diagnostic));
    assert_int_equal(class.row_count, 4);
    return class.rows[row].final.mark;
}

static struct report archived_report(struct store *store, const struct rubric *rubric,
                                     const char *submission)
{
    struct report report;
    const char *bytes = NULL;
    size_t length = 0;

    assert_good(store_archive(store, arena, submission, &bytes, &length, &diagnostic));
    assert_good(report_archive_read(arena, bytes, length, "RESULTS", rubric, &report, &diagnostic));
    return report;
}

static const char points_text[] = OVERLAY
    "\"version\": 2, \"criteria\": [{\"id\": \"block-size\", \"hidden\": true, \"points\": 3}, "
    "{\"id\": \"correct.tiled\", \"points\": 26, \"title\": \"right\"}]}";

static void points_change_and_nothing_runs(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after = parse(points_text);
    struct store *store = graded_class(before);

    (void)state;
    struct regrade seen = regrade(store, before, after, false);
    assert_true(seen.sees_the_same);
    assert_int_equal(seen.unseen_count, 0);
    assert_int_equal(seen.dropped_count, 0);
    assert_int_equal(seen.change_count, 2);
    assert_int_equal(seen.gains, 0); /* all of 100, and of 104 */
    assert_int_equal(seen.loses, 1);
    assert_string_equal(seen.changes[0].after->student, "s00000");
    assert_true(seen.changes[0].before->final.mark == 100);
    assert_true(seen.changes[0].after->final.mark == 104); /* -2 + 6 */
    assert_int_equal(seen.changes[0].point_count, 2);
    assert_string_equal(seen.changes[0].points[0].criterion, "correct.tiled");
    assert_true(seen.changes[0].points[0].before == 20);
    assert_true(seen.changes[0].points[0].after == 26);
    assert_true(seen.changes[1].after->final.mark == 78);
    assert_true(seen.after.maximum == 104);
    /* nothing has changed */
    assert_true(mark_of(store, before, 0) == 100);
    struct store_rubric stored;
    assert_good(store_rubric(store, arena, &stored, &diagnostic));
    assert_string_equal(stored.sha256, before->sha256);
    assert_true(archived_report(store, before, "s00000.zip").verdicts[1].points == 20);
    store_close(store);
}

static void applied_marks_stay(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after = parse(points_text);
    struct store *store = graded_class(before);

    (void)state;
    struct regrade shown = regrade(store, before, after, false);
    struct regrade kept = regrade(store, before, after, true);
    assert_int_equal(kept.change_count, shown.change_count);
    assert_int_equal(count_tasks(store, STORE_PENDING), 1); /* the trouble alone */
    store_close(store);
    store = open_store(results, STORE_READ);
    assert_true(mark_of(store, after, 0) == 104);
    assert_true(mark_of(store, after, 1) == 78);
    assert_true(mark_of(store, after, 2) == 0);
    struct store_rubric stored;
    assert_good(store_rubric(store, arena, &stored, &diagnostic));
    assert_string_equal(stored.sha256, after->sha256);
    struct report report = archived_report(store, after, "s00000.zip");
    size_t last = report.verdict_count - 1;
    assert_true(report.verdicts[1].points == 26);
    assert_string_equal(report.verdicts[1].criterion->title, "right");
    assert_true(report.verdicts[last].points == 3);
    assert_string_equal(report.verdicts[last].criterion->id, "block-size");
    assert_non_null(strstr(report.verdicts[last].criterion->title, " (hidden)"));
    assert_int_equal(report.student->verdict_count, last);
    assert_true(report.student->verdicts[1].points == 26);
    store_close(store);
}

static void criteria_may_go_but_not_come_back(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after = parse(
        OVERLAY "\"criteria\": [{\"id\": \"block-size\", \"hidden\": true}, {\"id\": "
                "\"correct.tiled\", \"points\": 0}, {\"id\": \"compile\", \"bonus\": true}]}");
    struct store *store = graded_class(before);

    (void)state;
    struct regrade gone = regrade(store, before, after, true);
    assert_true(gone.sees_the_same);
    assert_int_equal(gone.dropped_count, 1);
    assert_string_equal(gone.dropped[0], "correct.tiled");
    assert_int_equal(gone.change_count, 1); /* who failed it has lost nothing */
    assert_true(gone.changes[0].after->final.mark == 80);
    assert_true(gone.after.maximum == 75);
    assert_string_equal(gone.changes[0].points[0].criterion, "correct.tiled");
    assert_true(gone.changes[0].points[0].after == 0);
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    struct regrade back = regrade(store, after, before, true);
    assert_false(back.sees_the_same);
    assert_int_equal(back.unseen_count, 1);
    assert_string_equal(back.unseen[0], "correct.tiled");
    assert_int_equal(count_tasks(store, STORE_PENDING), 4); /* their verdicts are not there */
    store_close(store);
}

static void what_is_seen_differently_runs_again(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after =
        parse(OVERLAY "\"criteria\": [{\"id\": \"block-size\", \"hidden\": true}, {\"id\": "
                      "\"tiled.tiled\", \"maximum_bytes\": \"7\"}]}");
    struct store *store = graded_class(before);

    (void)state;
    struct regrade seen = regrade(store, before, after, false);
    assert_false(seen.sees_the_same);
    assert_false(seen.coursework_changed);
    assert_int_equal(seen.unseen_count, 1);
    assert_string_equal(seen.unseen[0], "tiled.tiled");
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_true(mark_of(store, before, 0) == 100);
    regrade(store, before, after, true);
    assert_int_equal(count_tasks(store, STORE_PENDING), 4);
    store_close(store);
}

/* Late work and attempts are policies: they are applied where marks are read. */
static void policies_change_and_nothing_runs(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after =
        parse(OVERLAY "\"criteria\": [{\"id\": \"block-size\", \"hidden\": true}], \"late\": "
                      "{\"due\": \"2026-11-20T00:00:00Z\", \"penalty_per_day\": 10}}");
    struct store *store = graded_class(before);
    struct class_list list = fixture_class(0, 4);
    struct class_entry *entries = arena_array(arena, 4, sizeof *entries);

    (void)state;
    memcpy(entries, list.entries, 4 * sizeof *entries);
    entries[1].submitted = after->late.due + 1;
    list.entries = entries;
    assert_good(store_put_class(store, &list, &diagnostic));
    struct regrade seen = regrade(store, before, after, false);
    assert_true(seen.sees_the_same);
    assert_int_equal(seen.change_count, 1);
    assert_int_equal(seen.changes[0].point_count, 0);
    assert_true(seen.changes[0].before->final.mark == 80);
    assert_true(seen.changes[0].after->final.mark == 70);
    assert_true(seen.changes[0].after->final.penalty == 10);
    store_close(store);
}

static void another_coursework_is_refused(void **state)
{
    const struct rubric *before = old_rubric();
    struct rubric after = *before;
    struct store *store = graded_class(before);
    struct regrade regrade;

    (void)state;
    after.id = "reduction";
    assert_int_equal(regrade_run(store, arena, before, &after, true, &regrade, &diagnostic),
                     ERROR_RANGE);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    store_close(store);
}

/* One archive that cannot be read: no mark changes at all. */
static void damage_leaves_everything(void **state)
{
    const struct rubric *before = old_rubric();
    const struct rubric *after = parse(points_text);
    struct store *store = graded_class(before);
    struct report wrong = report_by(before, "correct.tiled");
    struct outcome outcome = {.kind = OUTCOME_GRADED, .message = ""};
    struct store_result result = {
        .submission = 2, .evidence = "other", .outcome = &outcome, .report = &wrong};
    struct regrade regrade;

    (void)state;
    outcome.archive = "{\"schema\": \"gpugrade/archive/v1\"}";
    outcome.archive_length = strlen(outcome.archive);
    fixture_content(2, outcome.content);
    assert_good(store_put_result(store, &result, &diagnostic));
    assert_int_equal(regrade_run(store, arena, before, after, true, &regrade, &diagnostic),
                     ERROR_SYNTAX);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_true(mark_of(store, before, 0) == 100);
    assert_true(archived_report(store, before, "s00000.zip").verdicts[1].points == 20);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_set_up, fixture_tear_down)
        TEST(points_change_and_nothing_runs),    TEST(applied_marks_stay),
        TEST(criteria_may_go_but_not_come_back), TEST(what_is_seen_differently_runs_again),
        TEST(policies_change_and_nothing_runs),  TEST(another_coursework_is_refused),
        TEST(damage_leaves_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
