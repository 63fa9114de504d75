/* test_store_pairs.c: who is alike by what a store holds, and the code that everybody may have. */
#include "store_fixture.h"

enum { MARKS = 40 };

static struct store *store;
static uint64_t marks[3 * MARKS];

static struct device_code code_from(size_t first)
{
    return (struct device_code){
        .program = "tiled", .marks = marks + first, .mark_count = MARKS, .instructions = 2 * MARKS};
}

static void put_with_code(int64_t submission, int64_t content, size_t first_mark)
{
    const struct device_code code = code_from(first_mark);
    struct report report = make_report(20);

    report.device_code = &code;
    report.device_code_count = 1;
    assert_good(put_report(store, submission, content, &report));
}

/* Five students: 1 and 2 share most, 4 and 5 have equal files, 3 has something else. */
static int set_up(void **state)
{
    fixture_set_up(state);
    for (size_t i = 0; i < 3 * MARKS; i++) {
        marks[i] = 1000 * i + 1;
    }
    store = make_store(results, 5);
    put_with_code(1, 1, 0);
    put_with_code(2, 2, 4);
    put_with_code(3, 3, MARKS + 10);
    put_with_code(4, 4, 2 * MARKS);
    put_with_code(5, 4, 2 * MARKS);
    return 0;
}

static int tear_down(void **state)
{
    store_close(store);
    return fixture_tear_down(state);
}

static struct class_results read_pairs(struct store *from)
{
    struct class_results class = read_class(from, false);

    assert_int_equal(class.pair_count, 0);
    assert_good(store_pairs(from, arena, &class, &diagnostic));
    return class;
}

static bool has_known(struct store *from)
{
    bool has = false;

    assert_good(store_has_known_code(from, &has, &diagnostic));
    return has;
}

static void pairs_are_rows_of_the_class(void **state)
{
    (void)state;
    struct class_results class = read_pairs(store);

    assert_int_equal(class.pair_count, 2);
    assert_true(class.pairs[0].first == 3 && class.pairs[0].second == 4);
    assert_true(class.pairs[0].is_same_content && class.pairs[0].similarity == 1);
    assert_true(class.pairs[1].first == 0 && class.pairs[1].second == 1);
    assert_true(!class.pairs[1].is_same_content && class.pairs[1].shared == MARKS - 4);
}

static void known_code_is_left_out(void **state)
{
    struct device_code known = code_from(0);
    (void)state;

    assert_false(has_known(store));
    assert_good(store_put_known_code(store, &known, 1, &diagnostic));
    assert_true(has_known(store));
    struct class_results class = read_pairs(store);
    assert_int_equal(class.pair_count, 1);
    assert_int_equal(class.pairs[0].first, 3);
    known.program = "another";
    assert_good(store_put_known_code(store, &known, 1, &diagnostic)); /* in place of the first */
    class = read_pairs(store);
    assert_int_equal(class.pair_count, 2);
}

static void known_code_belongs_to_what_a_rubric_sees(void **state)
{
    struct store_rubric rubric = fixture_store_rubric();
    const struct device_code known = code_from(0);
    (void)state;

    assert_good(store_put_known_code(store, &known, 1, &diagnostic));
    rubric.sha256 = "bbbb"; /* other points */
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_true(has_known(store));
    rubric.sha256 = "cccc";
    rubric.evidence = "ffff";
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_false(has_known(store));
    assert_good(store_put_known_code(store, &known, 1, &diagnostic));
    assert_true(has_known(store));
}

static void known_code_comes_with_a_merge(void **state)
{
    const char *whole = arena_printf(arena, "%s/whole", folder);
    const struct device_code known = code_from(0);
    (void)state;

    assert_good(store_put_known_code(store, &known, 1, &diagnostic));
    store_close(store);
    store = make_store(whole, 5);
    assert_good(store_merge(store, results, &diagnostic));
    assert_good(store_merge(store, results, &diagnostic));
    assert_true(has_known(store));
    struct class_results class = read_pairs(store);
    assert_int_equal(class.pair_count, 1);
}

static void damaged_marks_are_told(void **state)
{
    struct class_results class;
    (void)state;

    struct device_code known = code_from(0);
    uint64_t backwards[] = {2, 1};
    known.marks = backwards;
    known.mark_count = 2;
    assert_good(store_put_known_code(store, &known, 1, &diagnostic));
    class = read_class(store, false);
    assert_int_equal(store_pairs(store, arena, &class, &diagnostic), ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.message, "known code"));
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(pairs_are_rows_of_the_class),
        T(known_code_is_left_out),
        T(known_code_belongs_to_what_a_rubric_sees),
        T(known_code_comes_with_a_merge),
        T(damaged_marks_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
