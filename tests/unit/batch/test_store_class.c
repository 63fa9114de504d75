/* test_store_class.c: the rows of a class, as reports get them from a store. */
#include "store_fixture.h"

#include "base/clock.h"

#include <stdlib.h>
#include <sys/resource.h>

static void a_row_tells_what_came_of_it(void **state)
{
    (void)state;
    struct store *store = make_store(results, 2);

    assert_good(put_graded_as(store, 2, 0x77, 12));
    struct class_results class = read_class(store, false);
    assert_int_equal(class.row_count, 2);
    assert_string_equal(class.title, "Matrices");
    assert_string_equal(class.coursework, "matmul");
    assert_int_equal(class.rubric_version, 3);
    assert_string_equal(class.seed, "0xfedcba9876543210");
    assert_string_equal(class.machine, "emulated H200; sandbox A, cgroup v2; nvcc 13.0");
    assert_string_equal(class.grader_version, "0.1.0");
    assert_true(class.maximum == 25 && !class.has_hidden && !class.is_pseudonymous);
    assert_int_equal(class.criterion_count, 3);
    assert_true(class.criteria[2].bonus && class.criteria[2].points == 10);
    assert_string_equal(class.criteria[1].kind, "correct");

    const struct class_row *row = &class.rows[1];
    assert_string_equal(row->student, "s00001");
    assert_string_equal(row->submission, "s00001.zip");
    assert_int_equal(strlen(row->content), 64);
    assert_int_equal(row->state, CLASS_GRADED);
    assert_int_equal(row->attempts, 1);
    assert_int_equal(row->tries, 1);
    assert_true(row->seconds == 4.5 && row->final.raw == 17 && row->final.maximum == 25);
    assert_false(row->is_complete); /* skipped */
    assert_true(row->marks[1].is_judged && row->marks[1].status == STATUS_FAILED);
    assert_true(row->marks[1].points == 12 && row->marks[1].code == CODE_MISMATCH);
    assert_int_equal(row->marks[2].status, STATUS_SKIPPED);
    assert_int_equal(class.rows[0].state, CLASS_PENDING);
    assert_null(class.rows[0].marks);
    store_close(store);
}

static void findings_are_counted_over_students(void **state)
{
    (void)state;
    struct store *store = make_store(results, 8);

    for (int64_t i = 1; i <= 8; i++) {
        assert_good(put_graded_as(store, i, i, i == 1 ? 20 : 3));
    }
    struct class_results class = read_class(store, false);
    assert_int_equal(class.finding_count, 2); /* a cause and a finding */
    assert_int_equal(class.findings[0].code, CODE_MISMATCH);
    assert_int_equal(class.findings[1].code, CODE_SHARED_RACE);
    assert_int_equal(class.findings[1].students, 7);
    assert_int_equal(class.findings[1].example_count, 5);
    assert_int_equal(class.findings[1].examples[0], 1);
    assert_int_equal(class.findings[1].examples[4], 5);
    store_close(store);
}

/* Two attempts of one student, handed in at 100 and 200 s. */
static struct store *make_attempts(void)
{
    struct store *store = make_store(results, 0);
    struct class_list list = fixture_class(0, 2);
    struct class_entry entries[2] = {list.entries[0], list.entries[1]};

    entries[0].student = entries[1].student = "ada";
    entries[0].submitted = 200;
    entries[1].submitted = 100;
    list.entries = entries;
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 5));
    assert_good(put_graded_as(store, 2, 2, 20));
    return store;
}

static void the_attempt_that_counts_is_the_row(void **state)
{
    struct rubric best = fixture_rubric;
    struct class_results class = {0};
    (void)state;

    struct store *store = make_attempts();
    struct class_row row = read_class(store, false).rows[0];
    assert_string_equal(row.submission, "s00000.zip");
    assert_true(row.final.mark == 10);
    assert_int_equal(row.attempts, 2);
    best.attempts = ATTEMPTS_BEST;
    assert_good(store_class(store, arena, &best, false, &class, &diagnostic));
    assert_int_equal(class.row_count, 1);
    assert_string_equal(class.rows[0].submission, "s00001.zip");
    assert_true(class.rows[0].final.mark == 25);
    assert_int_equal(class.rows[0].submitted, 100);
    store_close(store);
}

/* A last attempt in trouble: no older one stands in for it, and no later one that is too late. */
static void trouble_of_the_last_attempt_is_shown(void **state)
{
    struct rubric strict = fixture_rubric;
    struct class_results class = {0};
    (void)state;

    struct store *store = make_store(results, 0);
    struct class_list list = fixture_class(0, 3);
    struct class_entry entries[3];
    memcpy(entries, list.entries, sizeof entries);
    for (size_t i = 0; i < 3; i++) {
        entries[i].student = "ada";
        entries[i].submitted = 100 + (int64_t)i * 100;
    }
    list.entries = entries;
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(put_other(store, 2, OUTCOME_TROUBLE, "no disk"));
    assert_good(put_graded_as(store, 3, 3, 20));
    assert_int_equal(read_class(store, false).rows[0].state, CLASS_GRADED);
    strict.late =
        (struct late_policy){.has_due = true, .due = 150, .has_cut_off = true, .cut_off_s = 100};
    assert_good(store_class(store, arena, &strict, false, &class, &diagnostic));
    assert_int_equal(class.rows[0].state, CLASS_TROUBLE);
    assert_string_equal(class.rows[0].submission, "s00001.zip");
    assert_int_equal(class.rows[0].due, 150);
    store_close(store);
}

static void being_late_costs(void **state)
{
    struct rubric strict = fixture_rubric;
    struct class_results class = {0};
    (void)state;

    struct store *store = make_attempts();
    strict.late = (struct late_policy){.has_due = true, .due = 150, .per_day = 4};
    assert_good(store_class(store, arena, &strict, false, &class, &diagnostic));
    assert_true(class.rows[0].final.raw == 10 && class.rows[0].final.penalty == 4);
    assert_int_equal(class.rows[0].final.late_s, 50);
    store_close(store);
}

/* A class of three: handed in and in the roster, only handed in, only in the roster. */
static struct class_list mixed_class(void)
{
    struct class_list list = fixture_class(0, 2);
    struct class_person *people = arena_array(arena, 2, sizeof *people);

    for (size_t i = 0; i < 2; i++) {
        people[i] = (struct class_person){.student = i == 0 ? "s00000" : "zoe",
                                          .id = i == 0 ? "4711" : "4712",
                                          .name = i == 0 ? "Ada Lovelace" : "Zoe Zander",
                                          .email = "somebody@example.org",
                                          .canvas_id = "",
                                          .sis_id = "sis",
                                          .login = "login",
                                          .section = "B",
                                          .moodle_id = ""};
    }
    list.people = people;
    list.person_count = 2;
    return list;
}

static void the_roster_names_people_and_those_who_miss(void **state)
{
    struct class_list list = mixed_class();
    (void)state;

    struct store *store = make_store(results, 0);
    assert_good(store_put_class(store, &list, &diagnostic));
    list.person_count = 0; /* --resume without a roster */
    assert_good(store_put_class(store, &list, &diagnostic));
    struct class_results class = read_class(store, false);
    assert_int_equal(class.row_count, 3);
    assert_string_equal(class.rows[0].name, "Ada Lovelace");
    assert_string_equal(class.rows[0].section, "B");
    assert_string_equal(class.rows[0].moodle_id, "4711");
    assert_string_equal(class.rows[1].name, "");
    assert_int_equal(class.rows[1].state, CLASS_PENDING);
    assert_string_equal(class.rows[2].student, "zoe");
    assert_int_equal(class.rows[2].state, CLASS_MISSING);
    assert_int_equal(class.rows[2].attempts, 0);
    store_close(store);
}

/* Fails if a text of the row tells who it is. */
static void assert_unnamed(const struct class_row *row)
{
    const char *const empty[] = {row->name,  row->email,   row->canvas_id, row->sis_id,
                                 row->login, row->section, row->moodle_id};

    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        assert_string_equal(empty[i], "");
    }
    assert_memory_equal(row->student, "student-", 8);
    assert_true(row->submission[0] == '\0' || strncmp(row->submission, "work-", 5) == 0);
    assert_null(strstr(row->trouble, "s0000"));
}

static void pseudonyms_tell_nothing_and_stay(void **state)
{
    struct class_list list = mixed_class();
    const char *bytes;
    size_t length;
    (void)state;

    ((struct class_entry *)list.entries)[0].submitted = 1700000001;

    struct store *store = make_store(results, 0);
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(put_other(store, 2, OUTCOME_NOTHING, "/in/s00001.zip is broken"));
    struct class_results class = read_class(store, true);
    assert_true(class.is_pseudonymous);
    assert_int_equal(class.row_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_unnamed(&class.rows[i]);
        assert_int_equal(class.rows[i].submitted % 86400, 0);
        assert_int_equal(class.rows[i].final.late_s % 86400, 0);
        assert_true(i == 0 || strcmp(class.rows[i - 1].student, class.rows[i].student) < 0);
        if (class.rows[i].state == CLASS_GRADED) {
            assert_good(store_archive(store, arena, class.rows[i].submission, &bytes, &length,
                                      &diagnostic));
        }
    }
    store_close(store);

    store = open_store(results, STORE_WRITE);
    assert_good(store_put_class(store, &list, &diagnostic));
    struct class_results again = read_class(store, true);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(again.rows[i].student, class.rows[i].student);
    }
    store_close(store);

    /* Another store gives other names, though its seed is the same. */
    store = make_store(arena_printf(arena, "%s/other", folder), 0);
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_string_not_equal(read_class(store, true).rows[0].student, class.rows[0].student);
    store_close(store);
}

static void a_new_rubric_leaves_out_what_it_lacks(void **state)
{
    struct rubric shorter = fixture_rubric;
    struct class_results class = {0};
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(put_graded_as(store, 1, 1, 20));
    shorter.criteria = fixture_criteria + 1;
    shorter.criterion_count = 1;
    assert_good(store_class(store, arena, &shorter, false, &class, &diagnostic));
    assert_true(class.rows[0].final.raw == 20 && class.rows[0].is_complete);
    store_close(store);
}

static void any_bytes_may_name_a_submission(void **state)
{
    struct class_list list = fixture_class(0, 1);
    struct class_entry entry = list.entries[0];
    const char *bytes;
    size_t length;
    (void)state;

    struct store *store = make_store(results, 0);
    entry.submission = "bad \xff utf-8 ' OR 1=1; -- .zip";
    entry.student = "\xe9t\xe9";
    list.entries = &entry;
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 20));
    struct class_row row = read_class(store, false).rows[0];
    assert_string_equal(row.submission, entry.submission);
    assert_string_equal(row.student, entry.student);
    assert_good(store_archive(store, arena, row.submission, &bytes, &length, &diagnostic));
    store_close(store);
}

static long peak_kib(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void ten_thousand_rows_need_little_memory(void **state)
{
    enum { ROWS = 10000 };
    struct class_results class = {0};
    struct report reports[21];
    (void)state;

    for (size_t i = 0; i < 21; i++) {
        reports[i] = make_report((double)i);
    }
    struct store *store = make_store(results, ROWS);
    assert_good(store_begin(store, &diagnostic));
    for (int64_t i = 1; i <= ROWS; i++) {
        assert_good(put_report(store, i, i, &reports[i % 21]));
    }
    assert_good(store_end(store, true, &diagnostic));
    store_close(store);

    store = open_store(results, STORE_READ);
    uint64_t start = clock_now_ns();
    size_t bytes_before = arena_bytes(arena);
    class = read_class(store, false);
    double seconds = (double)(clock_now_ns() - start) / 1e9;
    size_t bytes = arena_bytes(arena) - bytes_before;
    store_close(store);
    assert_int_equal(class.row_count, ROWS);
    assert_int_equal(class.findings[0].students, ROWS - ROWS / 21);
    print_message("%d rows in %.2f s, %zu MiB; the whole test at most %ld MiB\n", ROWS, seconds,
                  bytes >> 20, peak_kib() >> 10);
    assert_true(bytes < (size_t)60 << 20);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        T(a_row_tells_what_came_of_it),
        T(findings_are_counted_over_students),
        T(the_attempt_that_counts_is_the_row),
        T(trouble_of_the_last_attempt_is_shown),
        T(being_late_costs),
        T(the_roster_names_people_and_those_who_miss),
        T(pseudonyms_tell_nothing_and_stay),
        T(a_new_rubric_leaves_out_what_it_lacks),
        T(any_bytes_may_name_a_submission),
        T(ten_thousand_rows_need_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
