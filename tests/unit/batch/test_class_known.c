/* test_class_known.c: a class that is read again: what an export or a roster has said stays said.
 */
#include "store_fixture.h"

#include "base/text.h"
#include "batch/store_query.h"

#include <sqlite3.h>
#include <stdlib.h>

static const char *class_folder;
static struct store *store;
static struct class_list last; /* as it was read last */

static const char roster_of_all[] = "id,name,email,section,submitted\n"
                                    "1001,Alice Ant,alice@x.edu,Lab 1,2026-11-21 10:00:00 Z\n"
                                    "1002,Bob Bee,bob@x.edu,Lab 2,2026-11-20 10:00:00 Z\n"
                                    "1003,Cleo Cat,cleo@x.edu,Lab 2,2026-11-20 11:00:00 Z\n";

static int set_up(void **state)
{
    fixture_set_up(state);
    class_folder = arena_printf(arena, "%s/class", folder);
    store = make_store(results, 0);
    return 0;
}

static int tear_down(void **state)
{
    store_close(store);
    return fixture_tear_down(state);
}

static void hand_in(const char *name)
{
    const char *path = arena_printf(arena, "%s/%s", class_folder, name);

    assert_int_equal(folder_make(path, 0755, NULL), ERROR_NONE);
    path = arena_printf(arena, "%s/a.cu", path);
    assert_int_equal(file_write_atomic(path, name, strlen(name), NULL), ERROR_NONE);
}

static void hand_in_file(const char *name)
{
    const char *path = arena_printf(arena, "%s/%s", class_folder, name);

    assert_int_equal(file_write_atomic(path, name, strlen(name), NULL), ERROR_NONE);
}

static void take_away(const char *name)
{
    folder_remove(arena_printf(arena, "%s/%s", class_folder, name));
}

/* What a batch does with its class. `roster` is its text; NULL: none. */
static void take_class(const char *roster)
{
    const char *path = roster == NULL ? NULL : arena_printf(arena, "%s/roster.csv", folder);
    struct class_known known;

    if (roster != NULL) {
        assert_good(file_write_atomic(path, roster, strlen(roster), NULL));
    }
    assert_good(store_known(store, arena, &known, &diagnostic));
    assert_good(class_list_read(arena, class_folder,
                                path == NULL ? NULL : &(struct roster_source){.path = path}, &known,
                                &last, &diagnostic));
    assert_good(store_put_class(store, &last, &diagnostic));
}

/* "student name section submission time-of-day" of each row; the time in hours since 2026-11-20. */
static void expect_rows(const char *expected)
{
    const int64_t begin = 1795132800; /* 2026-11-20 00:00 UTC */
    struct class_results class = read_class(store, false);
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < class.row_count; i++) {
        const struct class_row *row = &class.rows[i];
        text_printf(&all, "%s|%s|%s|%s|%g\n", row->student, row->name, row->section,
                    row->submission,
                    row->submitted == 0 ? 0 : (double)(row->submitted - begin) / 3600);
    }
    assert_string_equal(all.bytes, expected);
    text_release(&all);
}

static void expect_remark(const char *part)
{
    for (size_t i = 0; i < last.remark_count; i++) {
        if (strstr(last.remarks[i], part) != NULL) {
            return;
        }
    }
    for (size_t i = 0; i < last.remark_count; i++) {
        print_error("%s\n", last.remarks[i]);
    }
    fail_msg("no remark with '%s'", part);
}

static void take_all(void)
{
    hand_in("alice");
    hand_in("bob");
    hand_in("1003");
    take_class(roster_of_all);
}

static const char rows_of_all[] = "1001|Alice Ant|Lab 1|alice|34\n"
                                  "1002|Bob Bee|Lab 2|bob|10\n"
                                  "1003|Cleo Cat|Lab 2|1003|11\n";

static void without_a_roster_all_stays(void **state)
{
    (void)state;
    take_all();
    assert_int_equal(last.remark_count, 0);
    expect_rows(rows_of_all);
    for (int i = 0; i < 2; i++) {
        take_class(NULL);
        expect_rows(rows_of_all);
        expect_remark("no roster is given: the earlier one is kept, with its 3 people");
        expect_remark("3 of the submissions now come without a time and keep");
    }
}

/* Columns, lines and their order. */
static void a_poorer_roster_takes_nothing_back(void **state)
{
    (void)state;
    take_all();
    take_class("name,id\nCleo Cat,1003\nBob Bee,1002\nAlice Ant,1001\n");
    expect_rows(rows_of_all);
    take_class("id,name,section,submitted\n1002,,,-\n1001,,,\n1003,,,\n");
    expect_rows(rows_of_all);
    take_class("id,name\n1002,Bob Bee\n1003,Cleo Cat\n");
    expect_rows(rows_of_all);
    expect_remark("1 of the earlier roster is not in this one, such as '1001' (Alice Ant)");
    expect_remark(
        "'alice' (alice) belongs to no one in the roster; it stays with '1001' (Alice Ant)");
    take_class(NULL);
    expect_rows(rows_of_all);
    expect_remark("with its 2 people");
}

static void a_roster_that_says_something_else_changes_it(void **state)
{
    (void)state;
    take_all();
    take_class("id,name,section,submitted\n"
               "1001,Alicia Antonia,Lab 9,2026-11-20 12:00:00 Z\n"
               "1002,Bob Bee,Lab 2,2026-11-20 13:00:00 Z\n"
               "1003,Cleo Cat,,\n");
    expect_rows("1001|Alicia Antonia|Lab 9|alice|12\n"
                "1002|Bob Bee|Lab 2|bob|13\n"
                "1003|Cleo Cat|Lab 2|1003|11\n");
    take_class(NULL);
    expect_rows("1001|Alicia Antonia|Lab 9|alice|12\n"
                "1002|Bob Bee|Lab 2|bob|13\n"
                "1003|Cleo Cat|Lab 2|1003|11\n");
}

/* The ids of two were mixed up: what is theirs goes with their names, and that is said. */
static void a_corrected_roster_is_followed(void **state)
{
    (void)state;
    take_all();
    take_class("id,name,email\n1001,Bob Bee,bob@x.edu\n1002,Alice Ant,alice@x.edu\n"
               "1003,Cleo Cat,cleo@x.edu\n");
    expect_rows("1001|Bob Bee|Lab 1|bob|10\n"
                "1002|Alice Ant|Lab 2|alice|34\n"
                "1003|Cleo Cat|Lab 2|1003|11\n");
    expect_remark("'alice' belonged to '1001' (Alice Ant) before, and belongs to '1002' (Alice "
                  "Ant) by this roster");
}

/* A roster that has another kind of key. */
static void who_gets_an_id_stays_the_same(void **state)
{
    (void)state;
    hand_in("alice");
    hand_in("bob");
    take_class("email,name,section,submitted\n"
               "alice@x.edu,Alice Ant,Lab 1,2026-11-21 10:00:00 Z\n"
               "bob@x.edu,Bob Bee,Lab 2,\n"
               "dora@x.edu,Dora Dog,Lab 3,2026-11-20 14:00:00 Z\n");
    expect_rows("alice@x.edu|Alice Ant|Lab 1|alice|34\n"
                "bob@x.edu|Bob Bee|Lab 2|bob|0\n"
                "dora@x.edu|Dora Dog|Lab 3||0\n");
    take_class("id,email,name\n7,alice@x.edu,Alice Ant\n8,bob@x.edu,Bob Bee\n9,dora@x.edu,Dora\n");
    expect_rows("7|Alice Ant|Lab 1|alice|34\n8|Bob Bee|Lab 2|bob|0\n9|Dora|Lab 3||0\n");
    hand_in("dora");
    take_class(NULL);
    expect_rows("7|Alice Ant|Lab 1|alice|34\n8|Bob Bee|Lab 2|bob|0\n9|Dora|Lab 3|dora|14\n");
}

/* What only the roster before says of somebody finds the one of this roster. */
static void an_old_address_leads_to_the_new_key(void **state)
{
    (void)state;
    hand_in("bob");
    take_class("email,name\nant.a@x.edu,Alice Ant\nbob@x.edu,Bob Bee\n");
    hand_in("ant.a");
    take_class("id,name,submitted\n7,Alice Ant,2026-11-20 12:00:00 Z\n8,Bob Bee,\n");
    expect_rows("7|Alice Ant||ant.a|12\n8|Bob Bee||bob|0\n");
}

/* One Kim Lee left, another one came. */
static void a_name_alone_makes_nobody_the_same(void **state)
{
    (void)state;
    hand_in("k1");
    take_class("id,name,email\nk1,Kim Lee,kim1@x.edu\n");
    hand_in("k2");
    take_class("id,name,email\nk2,Kim Lee,kim2@x.edu\n");
    expect_rows("k1|Kim Lee||k1|0\nk2|Kim Lee||k2|0\n");
}

/* Folders become archives; who comes late is found without a roster too. */
static void another_layout_keeps_people_and_times(void **state)
{
    (void)state;
    take_all();
    take_away("alice");
    take_away("bob");
    hand_in_file("alice.zip");
    hand_in("Bee, Bob");
    take_class(NULL);
    expect_rows("1001|Alice Ant|Lab 1|alice.zip|34\n"
                "1002|Bob Bee|Lab 2|Bee, Bob|10\n"
                "1003|Cleo Cat|Lab 2|1003|11\n");
    expect_remark("2 of the earlier submissions are missing now, such as 'alice'");
    hand_in("stranger");
    take_class(NULL);
    expect_remark(
        "'stranger' (stranger) belongs to no one in the roster; it is graded as 'stranger'");
    for (size_t i = 0; i < last.remark_count; i++) {
        assert_null(strstr(last.remarks[i], "missing now")); /* was said */
    }
}

static void write_metadata(const char *yaml)
{
    const char *path = arena_printf(arena, "%s/submission_metadata.yml", class_folder);

    if (yaml == NULL) {
        assert_int_equal(unlink(path), 0);
    } else {
        assert_good(file_write_atomic(path, yaml, strlen(yaml), NULL));
    }
}

/* What an export said stays too, without any roster. */
static void an_export_that_says_less_takes_nothing_back(void **state)
{
    (void)state;
    hand_in("submission_5");
    write_metadata("submission_5:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '77'\n"
                   "    :email: jane@x.edu\n  :created_at: 2026-11-20 15:00:00.000000000 Z\n");
    take_class(NULL);
    expect_rows("77|Jane Doe||submission_5|15\n");
    write_metadata(NULL);
    take_class(NULL);
    expect_rows("77|Jane Doe||submission_5|15\n");
    write_metadata("submission_5:\n  :submitters:\n  - :name: Jane D. Doe\n    :sid: '78'\n"
                   "  :created_at: 2026-11-20 16:00:00.000000000 Z\n");
    take_class(NULL);
    expect_rows("78|Jane D. Doe||submission_5|16\n"); /* it says something else */
}

static void a_store_of_version_1_is_remembered(void **state)
{
    sqlite3 *db = NULL;
    (void)state;

    take_all();
    store_close(store);
    assert_int_equal(sqlite3_open(arena_printf(arena, "%s/gpugrade.sqlite", results), &db),
                     SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  FIXTURE_UNDO_5 "DROP TABLE decisions;"
                                                 "ALTER TABLE students DROP COLUMN submitted;"
                                                 "ALTER TABLE students DROP COLUMN was_in_roster;"
                                                 "PRAGMA user_version = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    store = open_store(results, STORE_WRITE);
    take_class(NULL);
    expect_rows(rows_of_all);
    take_away("alice");
    hand_in_file("alice.zip"); /* the time is that of the one before */
    take_class(NULL);
    expect_rows("1001|Alice Ant|Lab 1|alice.zip|34\n"
                "1002|Bob Bee|Lab 2|bob|10\n"
                "1003|Cleo Cat|Lab 2|1003|11\n");
}

static void change_file(const char *student, const char *bytes)
{
    const char *path = arena_printf(arena, "%s/%s/a.cu", class_folder, student);

    assert_int_equal(file_write_atomic(path, bytes, strlen(bytes), NULL), ERROR_NONE);
}

static size_t count_old_times(void)
{
    size_t count = 0;
    const struct store_task *tasks;

    assert_good(store_tasks(store, arena, STORE_OLD_TIME, &tasks, &count, &diagnostic));
    assert_true(count == 0 || strcmp(tasks[0].submission, "alice") == 0);
    return count;
}

/* Files that came without a time have that of the files before, and it is known that they do. */
static void a_time_belongs_to_its_files(void **state)
{
    (void)state;
    take_all();
    for (int64_t i = 1; i <= 3; i++) {
        assert_good(put_graded_as(store, i, i, 10));
    }
    change_file("alice", "the same");
    take_class(NULL);
    expect_rows(rows_of_all);
    assert_int_equal(count_old_times(), 0);
    assert_good(put_graded_as(store, 1, 1, 10));
    assert_int_equal(count_old_times(), 0);
    change_file("alice", "other");
    take_class(NULL);
    change_file("alice", "others");
    take_class(NULL);
    assert_good(put_graded_as(store, 1, 4, 10));
    assert_int_equal(count_old_times(), 1);
    assert_true(read_class(store, false).rows[0].handed_in[0].has_old_time);
    take_class(roster_of_all); /* says what it said */
    assert_int_equal(count_old_times(), 1);
    take_class("id,name,submitted\n1001,Alice Ant,2026-11-21 11:00:00 Z\n");
    assert_int_equal(count_old_times(), 0);
    take_class(NULL);
    assert_int_equal(count_old_times(), 0);
}

/* Who was only thought to be somebody leaves nothing in the store. */
static void a_guess_that_was_wrong_is_removed(void **state)
{
    struct query query;
    (void)state;

    hand_in("alice");
    hand_in("bob");
    hand_in("1003");
    take_class(NULL);
    expect_rows("1003|||1003|0\nalice|||alice|0\nbob|||bob|0\n");
    take_class(roster_of_all);
    expect_rows(rows_of_all);
    query_begin(&query, store, "SELECT count(*) FROM students", &diagnostic);
    assert_true(query_row(&query));
    assert_int_equal(query_get_integer(&query, 0), 3);
    assert_good(query_end(&query));
}

#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_time_belongs_to_its_files),           T(without_a_roster_all_stays),
        T(a_poorer_roster_takes_nothing_back),    T(a_roster_that_says_something_else_changes_it),
        T(a_corrected_roster_is_followed),        T(who_gets_an_id_stays_the_same),
        T(an_old_address_leads_to_the_new_key),   T(a_name_alone_makes_nobody_the_same),
        T(another_layout_keeps_people_and_times), T(an_export_that_says_less_takes_nothing_back),
        T(a_store_of_version_1_is_remembered),    T(a_guess_that_was_wrong_is_removed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
