/* test_store_kill.c: a writer that is killed, again and again, at random moments.
 *
 * A child makes the store, takes in the class and stores results; each that was stored it tells
 * through a pipe. After each kill the next writer gets the lock at once, nothing that was told is
 * missing, nothing is half there, and in the end everything is.
 */
#include "store_fixture.h"

#include "base/rng.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SUBMISSIONS = 300, KILLS_MAX = 50, DELAY_MAX_US = 20000, FIRST_MS = 1000, NEW_STORES = 15 };

/* What a batch does at first, whether it was killed before or not. */
static struct store *begin_or_resume(void)
{
    struct store *store = NULL;

    if (store_open(results, STORE_WRITE, &store, &diagnostic) == ERROR_NOT_FOUND) {
        store = open_store(results, STORE_CREATE);
    }
    struct store_settings settings = fixture_settings();
    struct store_rubric rubric = fixture_store_rubric();
    struct class_list list = fixture_class(0, SUBMISSIONS);
    assert_good(store_put_rubric(store, &rubric, &diagnostic));
    assert_good(store_put_settings(store, &settings, &diagnostic));
    assert_good(store_put_class(store, &list, &diagnostic));
    return store;
}

static void grade_what_is_left(int reported_fd)
{
    const struct store_task *tasks;
    size_t count;

    struct store *store = begin_or_resume();
    assert_good(store_tasks(store, arena, STORE_PENDING, &tasks, &count, &diagnostic));
    struct report report = make_report(12);
    for (size_t i = 0; i < count; i++) {
        int64_t id = tasks[i].id;
        enum error error = id % 10 == 0 ? put_other(store, id, OUTCOME_NOTHING, "empty")
                                        : put_report(store, id, id, &report);
        if (error != ERROR_NONE || write(reported_fd, &id, sizeof id) != sizeof id) {
            break;
        }
    }
    store_close(store);
}

/* Runs a writer for a while, which begins with its start or its first result; false if it has ended
 * by itself before. */
static bool run_and_kill(const int told[2], bool from_result, long delay_us)
{
    const struct timespec delay = {.tv_nsec = delay_us * 1000};
    struct pollfd first = {.fd = told[0], .events = POLLIN};
    int status;

    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        grade_what_is_left(told[1]);
        _exit(0);
    }
    if (from_result) {
        poll(&first, 1, FIRST_MS);
    }
    nanosleep(&delay, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    return WIFSIGNALED(status);
}

static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* No half rows, whatever the store makes of them. */
static void check_file(void)
{
    sqlite3 *db = NULL;
    const char *path = arena_printf(arena, "%s/gpugrade.sqlite", results);

    if (!file_exists(path)) {
        return;
    }
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(ask(db, "SELECT count(*) = 1 AND max(integrity_check) = 'ok'"
                             " FROM pragma_integrity_check"),
                     1);
    if (ask(db, "PRAGMA user_version") != 0) {
        assert_int_equal(ask(db, "SELECT count(*) FROM runs WHERE (SELECT count(*) FROM criteria"
                                 " WHERE run = id) <> 3 OR (SELECT count(*) FROM findings"
                                 " WHERE run = id) <> 1 OR NOT EXISTS (SELECT 1 FROM archives"
                                 " WHERE run = id)"),
                         0);
        assert_int_equal(ask(db, "SELECT count(*) FROM submissions") % SUBMISSIONS, 0);
        assert_int_equal(ask(db, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    }
    sqlite3_close(db);
}

/* Everything that a writer has told is there; nobody told it twice. */
static void check_told(int reported_fd, bool was_reported[SUBMISSIONS + 1])
{
    int64_t id;
    ssize_t got;
    size_t count = 0;

    while ((got = read(reported_fd, &id, sizeof id)) == sizeof id) {
        assert_in_range(id, 1, SUBMISSIONS);
        assert_false(was_reported[id]);
        was_reported[id] = true;
    }
    for (size_t i = 1; i <= SUBMISSIONS; i++) {
        count += was_reported[i];
    }
    if (count > 0) {
        struct store *store = open_store(results, STORE_WRITE);
        struct class_results class = read_class(store, false);
        for (size_t i = 0; i < SUBMISSIONS; i++) {
            assert_true(!was_reported[i + 1] || class.rows[i].state != CLASS_PENDING);
        }
        store_close(store);
    }
}

static void nothing_is_lost_or_half_written(void **state)
{
    bool was_reported[SUBMISSIONS + 1] = {false};
    int kills = 0;
    struct rng rng;
    (void)state;

    rng_init(&rng, 7, 0, 0, 0);
    bool killed = true;
    while (killed && kills < KILLS_MAX) {
        int reading[2];
        assert_int_equal(pipe(reading), 0);
        killed = run_and_kill(reading, kills % 3 != 0, (long)rng_range(&rng, 1, DELAY_MAX_US));
        kills += killed;
        close(reading[1]);
        check_file();
        check_told(reading[0], was_reported);
        close(reading[0]);
    }
    size_t stored = 0;
    for (size_t i = 1; i <= SUBMISSIONS; i++) {
        stored += was_reported[i];
    }
    print_message("%d kills, %zu results between them\n", kills, stored);
    assert_true(kills > 0);
    if (killed) { /* let it end */
        int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        grade_what_is_left(null_fd);
        close(null_fd);
    }

    struct store *store = open_store(results, STORE_READ);
    struct class_results class = read_class(store, false);
    assert_int_equal(class.row_count, SUBMISSIONS);
    for (size_t i = 0; i < SUBMISSIONS; i++) {
        bool is_empty = (i + 1) % 10 == 0;
        assert_int_equal(class.rows[i].state, is_empty ? CLASS_NOTHING : CLASS_GRADED);
        assert_true(class.rows[i].final.raw == (is_empty ? 0 : 17));
        assert_int_equal(class.rows[i].tries, 1);
    }
    store_close(store);
}

/* Each time in a new folder: most kills hit while the file and its tables are made. */
static void a_store_that_is_half_made_is_made_again(void **state)
{
    int told[2];
    struct rng rng;
    (void)state;

    rng_init(&rng, 8, 0, 0, 0);
    for (unsigned i = 0; i < NEW_STORES; i++) {
        results = arena_printf(arena, "%s/results %u", folder, i);
        assert_int_equal(pipe(told), 0);
        run_and_kill(told, false, (long)rng_range(&rng, 1, DELAY_MAX_US));
        close(told[0]);
        close(told[1]);
        check_file();
        struct store *store = begin_or_resume();
        assert_int_equal(count_tasks(store, STORE_ALL), SUBMISSIONS);
        store_close(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_store_that_is_half_made_is_made_again, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_lost_or_half_written, fixture_set_up,
                                        fixture_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
