/* test_store_versions.c: stores of other versions, damaged ones, and those that others use. */
#include "store_fixture.h"

#include "batch/archive_pack.h"
#include "batch/store_query.h"
#include "batch/store_upgrade.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *database_path(void)
{
    return arena_printf(arena, "%s/gpugrade.sqlite", results);
}

/* Changes the file behind the store's back. */
static void change(const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(database_path(), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void assert_refused(enum store_mode mode, enum error expected, const char *says)
{
    struct store *store = NULL;

    assert_int_equal(store_open(results, mode, &store, &diagnostic), expected);
    assert_null(store);
    if (strstr(diagnostic.message, says) == NULL) {
        fail_msg("'%s' does not say '%s'", diagnostic.message, says);
    }
}

static void a_newer_schema_is_refused(void **state)
{
    (void)state;
    store_close(make_store(results, 1));
    change("PRAGMA user_version = 99");
    assert_refused(STORE_WRITE, ERROR_UNSUPPORTED, "99");
    assert_refused(STORE_CREATE, ERROR_UNSUPPORTED, "newer");
    assert_refused(STORE_READ, ERROR_UNSUPPORTED, "newer");
}

static void an_older_schema_is_brought_up_to_date(void **state)
{
    static const char *const steps[] = {
        "CREATE TABLE added (name TEXT NOT NULL) STRICT;"
        "INSERT INTO added SELECT student FROM students",
        "ALTER TABLE added ADD COLUMN number INTEGER NOT NULL DEFAULT 7",
    };
    const char *all[] = {store_steps[0], store_steps[1], store_steps[2], store_steps[3],
                         store_steps[4], store_steps[5], steps[0],       steps[1]};
    struct query query;
    int version = 0;
    (void)state;

    struct store *store = make_store(results, 3);
    assert_good(put_graded_as(store, 1, 1, 20));
    assert_good(store_upgrade(store, all, 8, &diagnostic));
    assert_good(store_version(store, &version, &diagnostic));
    assert_int_equal(version, 8);
    query_begin(&query, store, "SELECT count(*), sum(number) FROM added", &diagnostic);
    assert_true(query_row(&query));
    assert_int_equal(query_get_integer(&query, 0), 3);
    assert_int_equal(query_get_integer(&query, 1), 21);
    assert_good(query_end(&query));
    assert_int_equal(read_class(store, false).rows[0].state, CLASS_GRADED);
    assert_good(store_upgrade(store, all, 8, &diagnostic)); /* nothing to do */
    assert_int_equal(store_upgrade(store, all, 7, &diagnostic), ERROR_UNSUPPORTED);
    store_close(store);
}

/* A step that fails leaves the version before, not half a new one. */
static void a_failed_step_changes_nothing(void **state)
{
    const char *all[] = {store_steps[0],
                         store_steps[1],
                         store_steps[2],
                         store_steps[3],
                         store_steps[4],
                         store_steps[5],
                         "CREATE TABLE added (name TEXT)",
                         "INSERT INTO nowhere"};
    int version = 0;
    (void)state;

    struct store *store = make_store(results, 1);
    assert_int_not_equal(store_upgrade(store, all, 8, &diagnostic), ERROR_NONE);
    assert_good(store_version(store, &version, &diagnostic));
    assert_int_equal(version, 6);
    assert_int_not_equal(store_execute(store, "SELECT * FROM added", NULL), ERROR_NONE);
    assert_good(put_graded_as(store, 1, 1, 20));
    store_close(store);
}

static void what_is_no_store_is_left_alone(void **state)
{
    (void)state;
    assert_int_equal(mkdir(results, 0700), 0);
    assert_good(file_write_atomic(database_path(), "not a database at all, but long enough\n", 39,
                                  &diagnostic));
    assert_refused(STORE_WRITE, ERROR_SYNTAX, "gpugrade.sqlite");
    assert_refused(STORE_CREATE, ERROR_SYNTAX, "gpugrade.sqlite");
    assert_int_equal(unlink(database_path()), 0);
    change("CREATE TABLE theirs (x); PRAGMA user_version = 1");
    assert_refused(STORE_CREATE, ERROR_SYNTAX, "another program");
    assert_refused(STORE_WRITE, ERROR_SYNTAX, "another program");
    assert_refused(STORE_READ, ERROR_SYNTAX, "another program");
    change("INSERT INTO theirs VALUES (1)");
}

static void an_empty_file_holds_no_results(void **state)
{
    (void)state;
    assert_int_equal(mkdir(results, 0700), 0);
    assert_good(file_write_atomic(database_path(), "", 0, &diagnostic));
    assert_refused(STORE_WRITE, ERROR_NOT_FOUND, "no results");
    assert_refused(STORE_READ, ERROR_NOT_FOUND, "no results");
    store_close(make_store(results, 1));
}

/* Writes `count` bytes of noise over the file, from `at`. */
static void overwrite(long at, size_t count)
{
    FILE *file = fopen(database_path(), "r+b");

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(fputc((int)(i * 37 + 11) & 0xff, file), EOF);
    }
    assert_int_equal(fclose(file), 0);
}

/* Reads whatever there is; none of it may crash, and an error is one of damage. */
static enum error read_everything(void)
{
    struct class_results class = {0};
    const struct store_task *tasks;
    struct store *store = NULL;
    const char *bytes;
    size_t count;

    enum error error = store_open(results, STORE_WRITE, &store, &diagnostic);
    if (error == ERROR_NONE) {
        error = store_class(store, arena, &fixture_rubric, false, &class, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_tasks(store, arena, STORE_FAILED, &tasks, &count, &diagnostic);
    }
    for (size_t i = 0; error == ERROR_NONE && i < class.row_count; i++) {
        error = store_archive(store, arena, class.rows[i].submission, &bytes, &count, &diagnostic);
    }
    store_close(store);
    return error;
}

/* Every page of the file in turn; a copy is put back after each. */
static void damage_is_said(void **state)
{
    enum { PAGE_BYTES = 4096 };
    char *bytes;
    size_t length, said = 0;
    struct report report = make_report(12);
    (void)state;

    struct store *store = make_store(results, 40);
    for (int64_t i = 1; i <= 40; i++) {
        assert_good(put_report(store, i, i, &report));
    }
    store_close(store);
    assert_good(
        file_read(arena, database_path(), 1 << 24, BLAME_GRADER, &bytes, &length, &diagnostic));
    for (size_t page = 0; page < length / PAGE_BYTES; page++) {
        overwrite((long)(page * PAGE_BYTES), PAGE_BYTES);
        enum error error = read_everything();
        assert_true(error == ERROR_NONE || error == ERROR_SYNTAX || error == ERROR_NOT_FOUND);
        said += error == ERROR_SYNTAX;
        assert_good(file_write_atomic(database_path(), bytes, length, &diagnostic));
    }
    assert_in_range(said, length / PAGE_BYTES / 2, length / PAGE_BYTES);
    assert_good(read_everything());
}

static void a_torn_file_is_damaged(void **state)
{
    struct report report = make_report(12);
    struct stat status;
    (void)state;

    struct store *store = make_store(results, 40);
    for (int64_t i = 1; i <= 40; i++) {
        assert_good(put_report(store, i, i, &report));
    }
    store_close(store);
    assert_int_equal(stat(database_path(), &status), 0);
    assert_int_equal(truncate(database_path(), status.st_size / 2), 0);
    assert_int_equal(read_everything(), ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.message, "damaged"));
}

static void a_row_that_nobody_writes_is_damage(void **state)
{
    struct class_results class = {0};
    const char *bytes;
    size_t length;
    (void)state;

    struct store *store = make_store(results, 1);
    assert_good(put_graded_as(store, 1, 1, 20));
    store_close(store);
    change("UPDATE archives SET bytes = x'28b52ffd00'");
    change("PRAGMA ignore_check_constraints = ON; UPDATE criteria SET status = 'great'");
    store = open_store(results, STORE_READ);
    assert_int_equal(store_archive(store, arena, "s00000.zip", &bytes, &length, &diagnostic),
                     ERROR_SYNTAX);
    assert_int_equal(store_class(store, arena, &fixture_rubric, false, &class, &diagnostic),
                     ERROR_SYNTAX);
    store_close(store);
}

/* A writer in another process; returns when it has opened the store. */
static pid_t start_writer(int *out_fd)
{
    int ready[2], end[2];
    char byte;

    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(end), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *store = NULL;
        bool good = store_open(results, STORE_WRITE, &store, NULL) == ERROR_NONE;
        close(end[1]);
        good = good && write(ready[1], "x", 1) == 1 && read(end[0], &byte, 1) == 0;
        _exit(good ? 0 : 1);
    }
    close(ready[1]);
    close(end[0]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    *out_fd = end[1];
    return child;
}

static void one_writes_and_is_named(void **state)
{
    struct store *store = NULL;
    int end_fd;
    (void)state;

    store_close(make_store(results, 1));
    pid_t writer = start_writer(&end_fd);
    const char *number = arena_printf(arena, "process %ld ", (long)writer);
    assert_int_equal(store_open(results, STORE_WRITE, &store, &diagnostic), ERROR_BUSY);
    assert_non_null(strstr(diagnostic.message, number));
    assert_int_equal(store_open(results, STORE_CREATE, &store, &diagnostic), ERROR_BUSY);
    store_close(open_store(results, STORE_READ)); /* readers may */
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    close(end_fd);
    store_close(open_store(results, STORE_WRITE));
}

/* A child that lives on after its parent was killed does not hold the store. */
static void forked_children_hold_nothing(void **state)
{
    int ready[2], end[2];
    char byte;
    (void)state;

    store_close(make_store(results, 1));
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(end), 0);
    pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        struct store *store = NULL;
        close(end[1]);
        bool good = store_open(results, STORE_WRITE, &store, NULL) == ERROR_NONE;
        if (good && fork() == 0) {
            good = write(ready[1], "x", 1) == 1 && read(end[0], &byte, 1) == 0;
            _exit(0);
        }
        pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    store_close(open_store(results, STORE_WRITE));
    for (size_t i = 0; i < 2; i++) {
        close(ready[i]);
        close(end[i]);
    }
}

static void archives_come_back(void **state)
{
    char *bytes = arena_alloc(arena, 100000), *again;
    void *packed;
    size_t packed_length, length;
    (void)state;

    for (size_t i = 0; i < 100000; i++) {
        bytes[i] = (char)(i * i >> 3);
    }
    assert_true(archive_pack(bytes, 100000, &packed, &packed_length));
    assert_true(archive_unpack(packed, packed_length, &again, &length));
    assert_int_equal(length, 100000);
    assert_memory_equal(again, bytes, length);
    free(again);
    ((char *)packed)[packed_length / 2] ^= 1;
    assert_false(archive_unpack(packed, packed_length, &again, &length));
    assert_false(archive_unpack(packed, packed_length / 2, &again, &length));
    assert_false(archive_unpack("", 0, &again, &length));
    free(packed);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        T(a_newer_schema_is_refused),
        T(an_older_schema_is_brought_up_to_date),
        T(a_failed_step_changes_nothing),
        T(what_is_no_store_is_left_alone),
        T(an_empty_file_holds_no_results),
        T(damage_is_said),
        T(a_torn_file_is_damaged),
        T(a_row_that_nobody_writes_is_damage),
        T(one_writes_and_is_named),
        T(forked_children_hold_nothing),
        T(archives_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
