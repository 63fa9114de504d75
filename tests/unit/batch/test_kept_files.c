/* test_kept_files.c: what an earlier gpugrade wrote still opens: a store with its rubric and its
 * archived reports, and a score. The files in kept/ are never written anew; a change of a format
 * that no longer reads them is a new version of that format, with files of its own. */
#include "store_fixture.h"

#include "report/score/report_archive.h"
#include "report/score/score_read.h"
#include "rubric/rubric_load.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { KEPT_BYTES_MAX = 1 << 20 };

static const char *kept_file(const char *name, size_t *out_length)
{
    const char *path =
        arena_printf(arena, "%s/tests/unit/batch/kept/%s", GPUGRADE_SOURCE_DIR, name);
    char *bytes = NULL;

    assert_good(
        file_read(arena, path, KEPT_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, out_length, &diagnostic));
    return bytes;
}

static struct report kept_score(void)
{
    struct report score;
    size_t length = 0;
    const char *bytes = kept_file("score.json", &length);

    assert_good(score_read(arena, bytes, length, "score.json", &score, &diagnostic));
    return score;
}

/* The kept store, in a folder of its own, and the rubric in it. */
static struct store *kept_store(enum store_mode mode, const struct rubric **out_rubric)
{
    struct store_rubric text;
    sqlite3 *db = NULL;
    size_t length = 0;

    assert_int_equal(mkdir(results, 0700), 0);
    const char *path = arena_printf(arena, "%s/gpugrade.sqlite", results);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, kept_file("store.sql", &length), NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    struct store *store = open_store(results, mode);
    assert_good(store_rubric(store, arena, &text, &diagnostic));
    assert_good(rubric_parse(arena, text.text, strlen(text.text), "rubric", GPUGRADE_SOURCE_DIR,
                             out_rubric, &diagnostic));
    return store;
}

static void a_score_opens(void **state)
{
    const struct report score = kept_score();

    (void)state;
    assert_float_equal(report_score(&score), 90, 0);
    assert_float_equal(report_max_score(&score), 100, 0);
    assert_int_equal(score.verdict_count, 10);
    assert_int_equal(score.finding_count, 2);
    assert_int_equal(score.findings[0].places[0].line, 14);
    assert_int_equal(score.diagnostic_count, 1);
    assert_string_equal(code_id(score.diagnostics[0].code), "R01");
    assert_true(score.diagnostics[0].mark_count > 0);
    assert_string_equal(score.devices[0].gpu_model, "H200");
}

static void a_store_opens(enum store_mode mode)
{
    const struct rubric *rubric = NULL;
    struct class_results class;
    struct store *store = kept_store(mode, &rubric);

    assert_int_equal(rubric->criterion_count, 10);
    assert_good(store_class(store, arena, rubric, false, &class, &diagnostic));
    assert_int_equal(class.row_count, 2);
    assert_string_equal(class.rows[0].student, "ada");
    assert_float_equal(class.rows[0].final.mark, 100, 0);
    assert_string_equal(class.rows[1].student, "bob");
    assert_float_equal(class.rows[1].final.mark, 90, 0);
    store_close(store);
}

static void a_store_opens_for_reading(void **state)
{
    (void)state;
    a_store_opens(STORE_READ);
}

static void a_store_opens_for_writing(void **state)
{
    (void)state;
    a_store_opens(STORE_WRITE);
}

/* The archived report and the score are of the same submission. */
static void an_archived_report_opens(void **state)
{
    const struct rubric *rubric = NULL;
    const struct report score = kept_score();
    struct report report;
    const char *bytes = NULL;
    size_t length = 0;

    (void)state;
    struct store *store = kept_store(STORE_READ, &rubric);
    assert_good(store_archive(store, arena, "bob", &bytes, &length, &diagnostic));
    assert_good(report_archive_read(arena, bytes, length, "archive", rubric, &report, &diagnostic));
    assert_int_equal(report.verdict_count, score.verdict_count);
    for (size_t i = 0; i < report.verdict_count; i++) {
        const struct verdict *archived = &report.verdicts[i];
        assert_string_equal(archived->criterion->id, score.verdicts[i].criterion->id);
        assert_int_equal(archived->status, score.verdicts[i].status);
        assert_float_equal(archived->points, score.verdicts[i].points, 0);
        assert_int_equal(archived->cause.code, score.verdicts[i].cause.code);
        assert_string_equal(archived->cause.message, score.verdicts[i].cause.message);
    }
    assert_int_equal(report.finding_count, 2);
    assert_string_equal(report.findings[0].message, score.findings[0].message);
    assert_int_equal(report.source_count, 2);
    assert_non_null(strstr(report.sources[0].text, "adjDiffStatic"));
    assert_true(report.profile_count > 0);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_score_opens, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_store_opens_for_reading, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_store_opens_for_writing, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_archived_report_opens, fixture_set_up,
                                        fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
