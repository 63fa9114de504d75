/* test_store_decisions.c: what people decided about students, in a store, and what it does to rows. */
#include "store_fixture.h"

#include "batch/store_query.h"
#include "batch/store_upgrade.h"

static struct class_decision decision_of(enum decision_kind kind, double value, const char *text)
{
    return (struct class_decision){
        .kind = kind, .about = "", .value = value, .text = text, .made_by = "tutor"};
}

static const struct store_people *people_of(struct store *store)
{
    const struct store_people *people = NULL;

    assert_good(store_people(store, arena, &people, &diagnostic));
    return people;
}

/* What the last decide() took the place of. */
static struct class_decision last_replaced;

/* Decides about s00000; the number of the decision. */
static int64_t decide(struct store *store, struct class_decision decision, bool expect_new)
{
    struct store_student student;
    struct store_decided decided;

    assert_good(store_find_student(people_of(store), "s00000", &student, &diagnostic));
    assert_good(store_decide(store, arena, student.id, &decision, &decided, &diagnostic));
    assert_int_equal(decided.is_new, expect_new);
    last_replaced = decided.replaced;
    return decided.number;
}

static struct class_row first_row(struct store *store)
{
    return read_class(store, false).rows[0];
}

static void a_decision_stands_until_it_is_undone(void **state)
{
    const struct store_decision *all;
    size_t count = 0;
    (void)state;

    struct store *store = make_store(results, 2);
    assert_good(put_graded_as(store, 1, 1, 12));
    assert_good(put_graded_as(store, 2, 2, 12));
    int64_t number = decide(store, decision_of(DECISION_POINTS, 2.5, "asked well"), true);
    assert_int_equal(decide(store, decision_of(DECISION_POINTS, 2.5, "asked well"), false), number);
    assert_true(first_row(store).final.mark == 19.5);
    assert_int_equal(first_row(store).decision_count, 1);
    assert_true(read_class(store, false).rows[1].final.mark == 17);
    assert_good(store_undo(store, number, "chair", &diagnostic));
    assert_true(first_row(store).final.mark == 17);
    assert_int_equal(first_row(store).decision_count, 0);
    assert_int_equal(store_undo(store, number, "chair", &diagnostic), ERROR_EXISTS);
    assert_int_equal(store_undo(store, 99, "chair", &diagnostic), ERROR_NOT_FOUND);
    assert_true(decide(store, decision_of(DECISION_POINTS, 2.5, "asked well"), true) > number);
    assert_good(store_decisions(store, arena, &all, &count, &diagnostic));
    assert_int_equal(count, 2);
    assert_string_equal(all[0].student.student, "s00000");
    assert_string_equal(all[0].decision.text, "asked well");
    assert_string_equal(all[0].decision.made_by, "tutor");
    assert_string_equal(all[0].decision.undone_by, "chair");
    assert_true(all[0].decision.made_at > 0 && all[0].decision.undone_at > 0);
    assert_int_equal(all[1].decision.undone_at, 0);
    store_close(store);
}

/* Of extensions the last one holds, also if it says what an earlier one said. */
static void an_extension_takes_the_place_of_another(void **state)
{
    const struct store_decision *all;
    size_t count = 0;
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(put_graded_as(store, 1, 1, 12));
    int64_t two = decide(store, decision_of(DECISION_DAYS, 2, "ill"), true);
    assert_int_equal(last_replaced.number, 0);
    int64_t until = decide(store, decision_of(DECISION_UNTIL, 7e8, ""), true);
    assert_int_equal(last_replaced.number, two);
    assert_true(last_replaced.kind == DECISION_DAYS && last_replaced.value == 2);
    assert_string_equal(last_replaced.text, "ill");
    int64_t again = decide(store, decision_of(DECISION_DAYS, 2, "ill"), true);
    assert_int_equal(last_replaced.number, until);
    assert_int_equal(decide(store, decision_of(DECISION_DAYS, 2, "ill"), false), again);
    decide(store, decision_of(DECISION_POINTS, 1, ""), true);
    decide(store, decision_of(DECISION_POINTS, 2, ""), true);
    assert_int_equal(last_replaced.number, 0);
    struct class_row row = first_row(store);
    assert_int_equal(row.decision_count, 3);
    assert_int_equal(row.decisions[0].number, again);
    assert_true(row.final.added == 3);
    assert_good(store_decisions(store, arena, &all, &count, &diagnostic));
    assert_int_equal(count, 5);
    assert_int_equal(store_replacement(all, count, 0)->number, again);
    assert_null(store_replacement(all, count, 2));
    assert_null(store_replacement(all, count, 3));
    assert_good(store_undo(store, again, "tutor", &diagnostic));
    assert_int_equal(first_row(store).decisions[0].number, until);
    store_close(store);
}

static void points_of_a_criterion_take_the_place_of_others(void **state)
{
    struct class_decision grade = decision_of(DECISION_GRADE, 5, "");
    (void)state;

    struct store *store = make_store(results, 1);
    grade.about = "talk";
    int64_t five = decide(store, grade, true);
    grade.about = "essay";
    decide(store, grade, true);
    assert_int_equal(last_replaced.number, 0);
    grade.about = "talk";
    grade.value = 8;
    int64_t eight = decide(store, grade, true);
    assert_int_equal(last_replaced.number, five);
    grade.value = 5;
    decide(store, grade, true);
    assert_int_equal(last_replaced.number, eight);
    assert_int_equal(first_row(store).decision_count, 2);
    store_close(store);
}

/* A row tells of all that was handed in, oldest first. */
static void a_row_has_all_attempts(void **state)
{
    struct class_decision drop = decision_of(DECISION_DROP, 0, "");
    static const int64_t times[] = {400, 100, 300, 200};
    (void)state;

    struct store *store = make_store(results, 0);
    struct class_list list = fixture_class(0, 4);
    struct class_entry entries[4];
    for (size_t i = 0; i < 4; i++) {
        entries[i] = list.entries[i];
        entries[i].student = "s00000";
        entries[i].submitted = times[i];
    }
    list.entries = entries;
    assert_good(store_put_class(store, &list, &diagnostic));
    for (int64_t i = 1; i <= 4; i++) {
        assert_good(put_graded_as(store, i, i, 4 * (double)i));
    }
    drop.about = "s00000.zip";
    decide(store, drop, true);
    list.entry_count = 3;
    assert_good(store_put_class(store, &list, &diagnostic));
    struct class_row row = first_row(store);
    assert_int_equal(row.attempts, 2);
    assert_string_equal(row.submission, "s00002.zip");
    assert_int_equal(row.handed_in_count, 4);
    static const enum attempt_standing expected[] = {ATTEMPT_OTHER, ATTEMPT_GONE, ATTEMPT_COUNTS,
                                                     ATTEMPT_DROPPED};
    static const double points[] = {8, 16, 12, 4};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(row.handed_in[i].submitted, 100 * ((int64_t)i + 1));
        assert_int_equal(row.handed_in[i].standing, expected[i]);
        assert_true(row.handed_in[i].final.raw == 5 + points[i]);
        assert_true(row.handed_in[i].marks[1].points == points[i]);
    }
    assert_true(read_class(store, false).maximum == 25);
    assert_int_equal(read_class(store, true).rows[0].handed_in_count, 0);
    store_close(store);
}

static void an_excused_student_has_no_mark(void **state)
{
    (void)state;
    struct store *store = make_store(results, 1);

    assert_good(put_graded_as(store, 1, 1, 12));
    decide(store, decision_of(DECISION_EXCUSE, 0, "ill"), true);
    assert_true(first_row(store).final.is_excused);
    store_close(store);
}

static void a_dropped_attempt_does_not_count(void **state)
{
    struct class_decision drop = decision_of(DECISION_DROP, 0, "sent by mistake");
    (void)state;

    struct store *store = make_store(results, 0);
    struct class_list list = fixture_class(0, 2);
    struct class_entry entries[2] = {list.entries[0], list.entries[1]};
    entries[1].student = "s00000";
    entries[0].submitted = 100;
    entries[1].submitted = 200;
    list.entries = entries;
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(put_graded_as(store, 1, 1, 5));
    assert_good(put_graded_as(store, 2, 2, 20));
    drop.about = "s00001.zip";
    int64_t number = decide(store, drop, true);
    assert_string_equal(first_row(store).submission, "s00000.zip");
    assert_int_equal(first_row(store).attempts, 1);
    drop.about = "s00000.zip";
    decide(store, drop, true);
    assert_int_equal(first_row(store).state, CLASS_MISSING);
    assert_good(store_undo(store, number, "tutor", &diagnostic));
    assert_string_equal(first_row(store).submission, "s00001.zip");
    store_close(store);
}

/* A roster that comes later tells whose a submission is. */
static void decisions_go_with_the_submissions(void **state)
{
    (void)state;
    struct store *store = make_store(results, 2);
    assert_good(put_graded_as(store, 1, 1, 12));
    assert_good(put_graded_as(store, 2, 2, 12));
    decide(store, decision_of(DECISION_POINTS, 2.5, "asked well"), true);
    struct class_list list = fixture_class(0, 2);
    struct class_entry entries[2] = {list.entries[0], list.entries[1]};
    struct class_person person = {.student = "ada"};
    entries[0].student = "ada";
    list.entries = entries;
    list.people = &person;
    list.person_count = 1;
    assert_good(store_put_class(store, &list, &diagnostic));
    const struct class_results class = read_class(store, false);
    assert_int_equal(class.row_count, 2);
    assert_string_equal(class.rows[0].student, "ada");
    assert_true(class.rows[0].final.mark == 19.5);
    assert_true(class.rows[1].final.mark == 17);
    store_close(store);
}

/* Made-up names hide who said what. */
static void pseudonyms_hide_words(void **state)
{
    (void)state;
    struct store *store = make_store(results, 1);

    assert_good(put_graded_as(store, 1, 1, 12));
    decide(store, decision_of(DECISION_COMMENT, 0, "Dear Ada"), true);
    struct class_row row = read_class(store, true).rows[0];
    assert_int_equal(row.decision_count, 1);
    assert_string_equal(row.decisions[0].text, "");
    assert_string_equal(row.decisions[0].made_by, "");
    assert_int_equal(row.decisions[0].made_at % 86400, 0);
    store_close(store);
}

static struct class_list people_class(void)
{
    static const struct class_person people[] = {
        {.student = "1001", .id = "1001", .name = "Ann Ant", .email = "ann@x.edu", .login = "aa"},
        {.student = "1002", .id = "1002", .name = "Bo Bee", .email = "bo@x.edu", .login = "bb"},
        {.student = "1003", .id = "1003", .name = "Bo Bee", .email = "bee@x.edu", .login = "b3"},
    };
    struct class_person *copies = arena_array(arena, 3, sizeof *copies);

    for (size_t i = 0; i < 3; i++) {
        copies[i] = people[i];
        copies[i].canvas_id = copies[i].sis_id = copies[i].section = copies[i].moodle_id = "";
    }
    return (struct class_list){.shape = "folders", .people = copies, .person_count = 3};
}

static void a_student_is_found_by_what_is_known(void **state)
{
    static const char *const words[] = {"1001",      "Ann Ant", "ann ant",  "Ant, Ann",
                                        "ann@x.edu", "aa",      "ANN@X.EDU"};
    struct store_student found;
    (void)state;

    struct store *store = make_store(results, 0);
    struct class_list list = people_class();
    assert_good(store_put_class(store, &list, &diagnostic));
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_good(store_find_student(people_of(store), words[i], &found, &diagnostic));
        assert_string_equal(found.student, "1001");
    }
    assert_int_equal(store_find_student(people_of(store), "Bo Bee", &found, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_non_null(strstr(diagnostic.message, "several students"));
    assert_int_equal(store_find_student(people_of(store), "Anm Ant", &found, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_non_null(strstr(diagnostic.message, "did you mean 'Ann Ant'?"));
    store_close(store);
}

/* A student who left the roster and handed in nothing stays, with what was decided. */
static void a_decision_keeps_its_student(void **state)
{
    struct store_student student;
    struct class_decision points = decision_of(DECISION_POINTS, 3, "on paper");
    struct store_decided decided;
    (void)state;

    struct store *store = make_store(results, 0);
    struct class_list list = people_class();
    assert_good(store_put_class(store, &list, &diagnostic));
    assert_good(store_find_student(people_of(store), "bee@x.edu", &student, &diagnostic));
    assert_good(store_decide(store, arena, student.id, &points, &decided, &diagnostic));
    list.person_count = 1;
    assert_good(store_put_class(store, &list, &diagnostic));
    struct class_results class = read_class(store, false);
    assert_int_equal(class.row_count, 2);
    assert_string_equal(class.rows[1].student, "1003");
    assert_int_equal(class.rows[1].state, CLASS_MISSING);
    assert_true(class.rows[1].final.mark == 3);
    store_close(store);
}

static bool file_has(const char *path, const char *words)
{
    char *bytes;
    size_t length = 0;

    assert_good(file_read(arena, path, 1 << 24, BLAME_GRADER, &bytes, &length, &diagnostic));
    return memmem(bytes, length, words, strlen(words)) != NULL;
}

/* Of two students with equal files one is forgotten: nothing is left of this one, and all of the
 * other. */
static void a_student_is_forgotten(void **state)
{
    const char *path = arena_printf(arena, "%s/gpugrade.sqlite", results);
    struct store_forgotten forgotten;
    struct store_student student;
    const char *bytes;
    size_t length;
    (void)state;

    struct store *store = make_store(results, 3);
    assert_good(put_graded_as(store, 1, 7, 12));
    assert_good(put_graded_as(store, 2, 7, 12));
    assert_good(put_graded_as(store, 3, 8, 20));
    assert_good(put_other(store, 1, OUTCOME_TROUBLE, "the disk of s00000 is full"));
    decide(store, decision_of(DECISION_COMMENT, 0, "Dear Ada Lovelace"), true);
    assert_good(store_find_student(people_of(store), "s00000", &student, &diagnostic));
    assert_good(store_forget(store, student.id, false, &forgotten, &diagnostic));
    assert_int_equal(forgotten.submissions, 1);
    assert_int_equal(forgotten.decisions, 1);
    assert_int_equal(forgotten.shared, 1);
    assert_int_equal(read_class(store, false).row_count, 3);
    assert_good(store_forget(store, student.id, true, &forgotten, &diagnostic));
    assert_int_equal(read_class(store, false).row_count, 2);
    assert_good(store_archive(store, arena, "s00001.zip", &bytes, &length, &diagnostic));
    assert_good(store_find_student(people_of(store), "s00002", &student, &diagnostic));
    assert_good(store_forget(store, student.id, true, &forgotten, &diagnostic));
    assert_int_equal(forgotten.shared, 0);
    store_close(store);
    assert_false(file_has(path, "s00000") || file_has(path, "Lovelace"));
    assert_false(file_has(path, "s00002"));
    assert_true(file_has(path, "s00001"));
    store = open_store(results, STORE_READ);
    assert_int_equal(read_class(store, false).row_count, 1);
    store_close(store);
}

static void an_older_store_gets_the_table(void **state)
{
    const struct store_decision *all;
    size_t count = 7;
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(store_execute(store, FIXTURE_UNDO_5 "DROP TABLE decisions; PRAGMA user_version = 3",
                              &diagnostic));
    assert_good(store_upgrade(store, store_steps, store_step_count, &diagnostic));
    assert_good(store_decisions(store, arena, &all, &count, &diagnostic));
    assert_int_equal(count, 0);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_decision_stands_until_it_is_undone, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_extension_takes_the_place_of_another, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(points_of_a_criterion_take_the_place_of_others,
                                        fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_row_has_all_attempts, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_excused_student_has_no_mark, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_dropped_attempt_does_not_count, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(decisions_go_with_the_submissions, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(pseudonyms_hide_words, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_student_is_found_by_what_is_known, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_decision_keeps_its_student, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_student_is_forgotten, fixture_set_up, fixture_tear_down),
        cmocka_unit_test_setup_teardown(an_older_store_gets_the_table, fixture_set_up,
                                        fixture_tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
