/* test_store.c: what is put into a store is what is read from it. */
#include "store_fixture.h"

#include "report/class/class_facts.h"

#include <sys/stat.h>

static void settings_are_kept_and_fixed(void **state)
{
    struct store_settings settings = fixture_settings(), got;
    (void)state;

    struct store *store = open_store(results, STORE_CREATE);
    assert_int_equal(store_settings(store, arena, &got, &diagnostic), ERROR_NOT_FOUND);
    assert_good(store_put_settings(store, &settings, &diagnostic));
    settings.submissions = "/elsewhere";
    assert_good(store_put_settings(store, &settings, &diagnostic));
    settings.seed++;
    assert_int_equal(store_put_settings(store, &settings, &diagnostic), ERROR_RANGE);
    assert_non_null(strstr(diagnostic.message, "seed"));
    settings = fixture_settings();
    settings.options = "--device cuda";
    assert_int_equal(store_put_settings(store, &settings, &diagnostic), ERROR_RANGE);
    store_close(store);

    store = open_store(results, STORE_READ);
    assert_good(store_settings(store, arena, &got, &diagnostic));
    assert_string_equal(got.coursework, "matmul");
    assert_string_equal(got.submissions, "/elsewhere");
    assert_string_equal(got.options, "--device emulated");
    assert_true(got.seed == FIXTURE_SEED);
    store_close(store);
}

static void the_file_is_for_its_owner_only(void **state)
{
    static const char *const names[] = {"", "/gpugrade.sqlite", "/gpugrade.sqlite-wal",
                                        "/gpugrade.lock"};
    struct stat status;
    (void)state;

    struct store *store = make_store(results, 3);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(stat(arena_printf(arena, "%s%s", results, names[i]), &status), 0);
        assert_int_equal(status.st_mode & 077, 0);
    }
    store_close(store);
}

static void a_store_is_made_once(void **state)
{
    struct store *store = NULL;
    (void)state;

    assert_int_equal(store_open(results, STORE_READ, &store, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(store_open(results, STORE_WRITE, &store, &diagnostic), ERROR_NOT_FOUND);
    store_close(open_store(results, STORE_CREATE));
    store_close(make_store(results, 2)); /* no settings were put yet */
    assert_int_equal(store_open(results, STORE_CREATE, &store, &diagnostic), ERROR_EXISTS);
    assert_non_null(strstr(diagnostic.message, "--resume"));
    assert_null(store);
}

static void a_class_becomes_tasks(void **state)
{
    const struct store_task *tasks;
    size_t count;
    (void)state;

    struct store *store = make_store(results, 4);
    assert_good(store_tasks(store, arena, STORE_PENDING, &tasks, &count, &diagnostic));
    assert_int_equal(count, 4);
    assert_string_equal(tasks[2].submission, "s00002.zip");
    assert_string_equal(tasks[2].path, "/in/s00002.zip");
    assert_false(tasks[2].is_folder);
    assert_int_equal(tasks[2].tries, 0);
    assert_int_equal(count_tasks(store, STORE_FAILED), 0);
    assert_int_equal(count_tasks(store, STORE_ALL), 4);
    store_close(store);
}

static void what_changed_is_pending_again(void **state)
{
    struct class_list list = fixture_class(0, 3);
    struct class_entry entries[3];
    (void)state;

    struct store *store = make_store(results, 3);
    for (int64_t i = 1; i <= 3; i++) {
        assert_good(put_graded_as(store, i, i, 20));
    }
    assert_int_equal(count_tasks(store, STORE_PENDING), 0);
    memcpy(entries, list.entries, sizeof entries);
    entries[1].stamp = "stamp 2";
    list.entries = entries;
    list.entry_count = 2; /* the third is gone */
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_int_equal(count_tasks(store, STORE_ALL), 2);
    assert_int_equal(read_class(store, false).row_count, 2);

    list.entry_count = 3; /* back, as it was */
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_int_equal(read_class(store, false).rows[2].state, CLASS_GRADED);
    store_close(store);
}

static void equal_files_are_graded_once(void **state)
{
    char content[65];
    bool known = true;
    const char *bytes;
    size_t length;
    (void)state;

    struct store *store = make_store(results, 3);
    fixture_content(7, content);
    assert_good(store_link(store, 1, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_false(known);
    assert_good(put_graded_as(store, 1, 7, 20));
    assert_good(store_link(store, 2, content, "other evidence", &known, &diagnostic));
    assert_false(known);
    assert_good(store_link(store, 2, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_true(known);
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_good(store_archive(store, arena, "s00001.zip", &bytes, &length, &diagnostic));
    assert_string_equal(bytes, "{\"archive of\": 7}\n");
    assert_int_equal(length, strlen(bytes));
    assert_int_equal(store_archive(store, arena, "s00002.zip", &bytes, &length, &diagnostic),
                     ERROR_NOT_FOUND);

    assert_good(put_graded_as(store, 1, 7, 10)); /* replaced: both follow */
    struct class_results class = read_class(store, false);
    assert_true(class.rows[0].final.raw == 15 && class.rows[1].final.raw == 15);
    store_close(store);
}

static void trouble_is_tried_again_and_takes_nothing_away(void **state)
{
    (void)state;
    struct store *store = make_store(results, 2);

    for (int i = 1; i <= STORE_TRIES; i++) {
        assert_int_equal(count_tasks(store, STORE_PENDING), 2);
        assert_good(put_other(store, 1, OUTCOME_TROUBLE, "the machine is on fire"));
    }
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_int_equal(count_tasks(store, STORE_FAILED), 1);
    struct class_row row = read_class(store, false).rows[0];
    assert_int_equal(row.state, CLASS_TROUBLE);
    assert_int_equal(row.tries, STORE_TRIES);
    assert_string_equal(row.trouble, "the machine is on fire");
    assert_null(row.marks);

    assert_good(put_graded_as(store, 1, 1, 20));
    assert_int_equal(read_class(store, false).rows[0].tries, STORE_TRIES + 1);
    assert_good(put_other(store, 1, OUTCOME_TROUBLE, "again"));
    assert_int_equal(read_class(store, false).rows[0].state, CLASS_GRADED);
    store_close(store);
}

/* Puts a report in which one criterion is an error, for `code`. */
static void put_error(struct store *store, int64_t submission, int64_t content, enum code code)
{
    struct report report = make_report(20);
    struct outcome outcome = {.kind = OUTCOME_GRADED, .archive = "{}", .archive_length = 2};
    struct store_result result = {.submission = submission,
                                  .evidence = FIXTURE_EVIDENCE,
                                  .outcome = &outcome,
                                  .report = &report};

    ((struct verdict *)report.verdicts)[2].status = STATUS_ERROR;
    ((struct verdict *)report.verdicts)[2].cause.code = code;
    fixture_content(content, outcome.content);
    assert_good(store_put_result(store, &result, &diagnostic));
}

/* The machine failed. */
static void put_half_graded(struct store *store, int64_t submission, int64_t content)
{
    put_error(store, submission, content, CODE_NONE);
}

static void a_criterion_in_error_is_tried_again(void **state)
{
    char content[65];
    bool known = true;
    (void)state;

    struct store *store = make_store(results, 2);
    fixture_content(5, content);
    put_half_graded(store, 1, 5);
    assert_int_equal(count_tasks(store, STORE_PENDING), 2);
    assert_good(store_link(store, 1, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_false(known); /* it asks because it is to be graded again */
    put_half_graded(store, 1, 5);
    put_half_graded(store, 1, 5);
    assert_int_equal(read_class(store, false).rows[0].tries, 3);
    assert_good(store_link(store, 2, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_true(known);
    assert_int_equal(count_tasks(store, STORE_PENDING), 0);
    assert_int_equal(count_tasks(store, STORE_FAILED), 2);
    store_close(store);
}

static void what_the_device_does_not_know_is_not_tried_again(void **state)
{
    (void)state;

    struct store *store = make_store(results, 2);
    put_error(store, 1, 5, CODE_UNKNOWN_CALL);
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    assert_int_equal(count_tasks(store, STORE_FAILED), 1);
    store_close(store);
}

static void what_a_person_should_look_at_is_listed(void **state)
{
    (void)state;
    struct store *store = make_store(results, 3);
    struct report report = make_report(0);

    assert_good(put_report(store, 1, 5, &report));
    assert_int_equal(count_tasks(store, STORE_REVIEW), 0);
    ((struct verdict *)report.verdicts)[1].cause.code = CODE_UNKNOWN_INSTRUCTION;
    assert_good(put_report(store, 2, 6, &report));
    assert_int_equal(count_tasks(store, STORE_REVIEW), 1);
    assert_int_equal(count_tasks(store, STORE_FAILED), 0);
    put_error(store, 3, 7, CODE_UNKNOWN_INSTRUCTION); /* the reference solution needs it too */
    assert_int_equal(count_tasks(store, STORE_REVIEW), 1);
    assert_int_equal(count_tasks(store, STORE_FAILED), 1);
    struct class_results class = read_class(store, false);
    assert_null(class_row_review(&class, &class.rows[0]));
    assert_string_equal(class_row_review(&class, &class.rows[1]), "an unknown instruction");
    assert_null(class_row_review(&class, &class.rows[2]));
    store_close(store);
}

static void nothing_is_a_result(void **state)
{
    (void)state;
    struct store *store = make_store(results, 1);

    assert_good(put_other(store, 1, OUTCOME_NOTHING, "the archive is empty"));
    assert_int_equal(count_tasks(store, STORE_PENDING), 0);
    struct class_row row = read_class(store, false).rows[0];
    assert_int_equal(row.state, CLASS_NOTHING);
    assert_string_equal(row.trouble, "the archive is empty");
    assert_true(row.final.mark == 0 && row.final.maximum == 25);
    store_close(store);
}

static void a_rubric_that_sees_the_same_keeps_runs(void **state)
{
    struct store_rubric rubric = fixture_store_rubric(), got;
    char content[65];
    bool known;
    (void)state;

    struct store *store = make_store(results, 2);
    assert_good(put_graded_as(store, 1, 1, 20));
    rubric.sha256 = "bbbb";
    rubric.text = "{}";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    fixture_content(1, content);
    assert_good(store_link(store, 2, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_true(known);
    assert_good(store_rubric(store, arena, &got, &diagnostic));
    assert_string_equal(got.sha256, "bbbb");
    assert_string_equal(got.text, "{}");
    store_close(store);
}

/* Also on the way back: points of an older rubric never come back by themselves. */
static void a_rubric_that_sees_more_makes_pending(void **state)
{
    struct store_rubric rubric = fixture_store_rubric();
    char content[65];
    bool known;
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(put_graded_as(store, 1, 1, 20));
    rubric.sha256 = "bbbb";
    rubric.evidence = "ffff";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    fixture_content(1, content);
    assert_good(store_link(store, 1, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_false(known);
    rubric.sha256 = "cccc";
    rubric.evidence = "eeee";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_good(store_link(store, 1, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_false(known);
    rubric = fixture_store_rubric();
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_good(store_link(store, 1, content, FIXTURE_EVIDENCE, &known, &diagnostic));
    assert_true(known);
    store_close(store);
}

static void device_code_is_kept_once_for_each_content(void **state)
{
    static const uint64_t marks[] = {1, 2, UINT64_C(0xfedcba9876543210)};
    const struct device_code code[] = {
        {.program = "tiled", .marks = marks, .mark_count = 3, .instructions = 70},
        {.program = "naive", .marks = NULL, .mark_count = 0, .instructions = 2},
    };
    struct report report = make_report(20);
    struct outcome outcome = {.kind = OUTCOME_GRADED, .archive = "{}", .archive_length = 2};
    struct store_result result = {
        .evidence = FIXTURE_EVIDENCE, .outcome = &outcome, .report = &report};
    const struct store_code *codes;
    size_t count;
    (void)state;

    struct store *store = make_store(results, 2);
    report.device_code = code;
    report.device_code_count = 2;
    fixture_content(9, outcome.content);
    for (result.submission = 1; result.submission <= 2; result.submission++) {
        assert_good(store_put_result(store, &result, &diagnostic));
    }
    assert_good(store_device_code(store, arena, &codes, &count, &diagnostic));
    assert_int_equal(count, 2);
    assert_string_equal(codes[0].code.program, "naive");
    assert_int_equal(codes[0].code.mark_count, 0);
    assert_string_equal(codes[1].content, outcome.content);
    assert_int_equal(codes[1].code.mark_count, 3);
    assert_memory_equal(codes[1].code.marks, marks, sizeof marks);
    assert_int_equal(codes[1].code.instructions, 70);
    store_close(store);
}

struct remarking {
    struct store *store;
    size_t visits;
    size_t fails_at;
};

static enum error mark_anew(void *context, int64_t run, const char *archive, size_t length,
                            struct diagnostic *out)
{
    struct remarking *remarking = context;
    struct report report = make_report(12);

    remarking->visits++;
    assert_int_equal(length, strlen(archive));
    assert_non_null(strstr(archive, "archive of"));
    if (remarking->visits == remarking->fails_at) {
        diagnostic_set(out, BLAME_USAGE, "not this one");
        return ERROR_FAILED;
    }
    return store_put_marks(remarking->store, run, &report, out);
}

static void marks_change_together_or_not_at_all(void **state)
{
    (void)state;
    struct store *store = make_store(results, 3);
    struct remarking remarking = {.store = store, .fails_at = 2};

    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(put_graded_as(store, 2, 2, 20));
    assert_good(put_graded_as(store, 3, 1, 20)); /* the same files: one run */
    assert_int_equal(store_each_run(store, true, mark_anew, &remarking, &diagnostic), ERROR_FAILED);
    assert_string_equal(diagnostic.message, "not this one");
    assert_int_equal(remarking.visits, 2);
    assert_true(read_class(store, false).rows[0].final.raw == 25);

    remarking = (struct remarking){.store = store};
    assert_good(store_each_run(store, false, mark_anew, &remarking, &diagnostic));
    assert_int_equal(remarking.visits, 2);
    assert_true(read_class(store, false).rows[0].final.raw == 25);

    assert_good(store_begin(store, &diagnostic));
    assert_good(store_each_run(store, true, mark_anew, &remarking, &diagnostic));
    assert_good(store_end(store, false, &diagnostic));
    assert_true(read_class(store, false).rows[0].final.raw == 25);

    assert_good(store_each_run(store, true, mark_anew, &remarking, &diagnostic));
    for (size_t i = 0; i < 3; i++) {
        assert_true(read_class(store, false).rows[i].final.raw == 17);
    }
    store_close(store);
}

static void transactions_nest(void **state)
{
    (void)state;
    struct store *store = make_store(results, 2);

    assert_good(store_begin(store, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(store_begin(store, &diagnostic));
    assert_good(put_graded_as(store, 2, 2, 20));
    assert_good(store_end(store, false, &diagnostic));
    assert_good(store_end(store, true, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    store_close(store);
}

static void readers_see_what_is_whole(void **state)
{
    struct store *reader;
    (void)state;

    struct store *store = make_store(results, 2);
    reader = open_store(results, STORE_READ);
    assert_good(store_begin(store, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 20));
    assert_int_equal(count_tasks(reader, STORE_PENDING), 2);
    assert_good(store_end(store, true, &diagnostic));
    assert_int_equal(count_tasks(reader, STORE_PENDING), 1);
    assert_int_not_equal(put_graded_as(reader, 2, 2, 20), ERROR_NONE);
    store_close(reader);
    store_close(store);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        T(settings_are_kept_and_fixed),
        T(the_file_is_for_its_owner_only),
        T(a_store_is_made_once),
        T(a_class_becomes_tasks),
        T(what_changed_is_pending_again),
        T(equal_files_are_graded_once),
        T(trouble_is_tried_again_and_takes_nothing_away),
        T(a_criterion_in_error_is_tried_again),
        T(what_the_device_does_not_know_is_not_tried_again),
        T(what_a_person_should_look_at_is_listed),
        T(nothing_is_a_result),
        T(a_rubric_that_sees_the_same_keeps_runs),
        T(a_rubric_that_sees_more_makes_pending),
        T(device_code_is_kept_once_for_each_content),
        T(marks_change_together_or_not_at_all),
        T(transactions_nest),
        T(readers_see_what_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
