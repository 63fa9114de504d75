/* test_store_merge.c: parts of a class that were graded elsewhere come together in one store. */
#include "store_fixture.h"

static char *part;

static int set_up(void **state)
{
    fixture_set_up(state);
    part = arena_printf(arena, "%s/part 1", folder);
    return 0;
}

/* A store of the students [first, first + count) of the class. */
static struct store *make_part(size_t first, size_t count)
{
    struct store *store = make_store(part, 0);
    struct class_list list = fixture_class(first, count);

    assert_good(store_put_class(store, &list, &diagnostic));
    return store;
}

static void results_are_taken_over(void **state)
{
    const struct store_code *codes;
    const char *bytes;
    size_t length, count;
    (void)state;

    struct store *store = make_store(results, 6);
    struct store *other = make_part(2, 4);
    assert_good(put_graded_as(other, 1, 1, 20));
    assert_good(put_graded_as(other, 2, 2, 7));
    assert_good(put_other(other, 3, OUTCOME_NOTHING, "the archive is empty"));
    store_close(other);
    assert_good(store_merge(store, part, &diagnostic));
    struct class_results class = read_class(store, false);
    assert_int_equal(class.rows[1].state, CLASS_PENDING);
    assert_true(class.rows[2].final.raw == 25 && class.rows[3].final.raw == 12);
    assert_int_equal(class.rows[3].marks[1].code, CODE_MISMATCH);
    assert_int_equal(class.finding_count, 2);
    assert_int_equal(class.rows[4].state, CLASS_NOTHING);
    assert_string_equal(class.rows[4].trouble, "the archive is empty");
    assert_int_equal(class.rows[5].state, CLASS_PENDING);
    assert_string_equal(class.machine, "emulated H200; sandbox A, cgroup v2; nvcc 13.0");
    assert_good(store_archive(store, arena, "s00003.zip", &bytes, &length, &diagnostic));
    assert_string_equal(bytes, "{\"archive of\": 2}\n");
    assert_good(store_device_code(store, arena, &codes, &count, &diagnostic));
    assert_good(store_merge(store, part, &diagnostic)); /* once more: nothing new */
    assert_int_equal(count_tasks(store, STORE_PENDING), 3);
    store_close(store);
}

static void what_is_graded_stays_and_trouble_does_not(void **state)
{
    (void)state;
    struct store *store = make_store(results, 4);
    struct store *other = make_part(0, 4);

    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(put_other(store, 2, OUTCOME_TROUBLE, "here"));
    assert_good(put_graded_as(other, 1, 11, 3));
    assert_good(put_graded_as(other, 2, 2, 4));
    assert_good(put_graded_as(other, 3, 1, 5)); /* files that are graded here already */
    assert_good(put_other(other, 4, OUTCOME_TROUBLE, "there"));
    store_close(other);
    assert_good(store_merge(store, part, &diagnostic));
    struct class_results class = read_class(store, false);
    assert_true(class.rows[0].final.raw == 25);
    assert_true(class.rows[1].final.raw == 9);
    assert_true(class.rows[2].final.raw == 25);
    assert_int_equal(class.rows[3].state, CLASS_TROUBLE);
    assert_string_equal(class.rows[3].trouble, "there");
    store_close(store);
}

static void files_that_have_changed_are_graded_here(void **state)
{
    struct class_list list = fixture_class(0, 1);
    struct class_entry entry = list.entries[0];
    (void)state;

    struct store *other = make_part(0, 1);
    assert_good(put_graded_as(other, 1, 1, 20));
    store_close(other);
    struct store *store = make_store(results, 0);
    entry.stamp = "stamp 2";
    list.entries = &entry;
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(store_merge(store, part, &diagnostic));
    assert_int_equal(count_tasks(store, STORE_PENDING), 1);
    store_close(store);
}

static void only_parts_of_one_grading_fit(void **state)
{
    struct store_rubric rubric = fixture_store_rubric();
    (void)state;

    struct store *store = make_store(results, 1);
    store_close(make_part(5, 1));
    assert_int_equal(store_merge(store, part, &diagnostic), ERROR_RANGE);
    assert_non_null(strstr(diagnostic.message, "s00005.zip"));
    assert_int_equal(store_merge(store, results, &diagnostic), ERROR_RANGE);
    assert_int_equal(store_merge(store, arena_printf(arena, "%s/none", folder), &diagnostic),
                     ERROR_NOT_FOUND);
    rubric.sha256 = "bbbb";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_int_equal(store_merge(store, part, &diagnostic), ERROR_RANGE);
    assert_non_null(strstr(diagnostic.message, "rubric"));
    assert_good(put_graded_as(store, 1, 1, 20)); /* still the writer */
    store_close(store);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        T(results_are_taken_over),
        T(what_is_graded_stays_and_trouble_does_not),
        T(files_that_have_changed_are_graded_here),
        T(only_parts_of_one_grading_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
