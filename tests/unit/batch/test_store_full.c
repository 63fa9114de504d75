/* test_store_full.c: the disk is full: what was stored stays, what was not is said, and it goes on
 * where it was once there is room.
 *
 * A limit on the size of files stands for the disk (the same error where SQLite writes); where this
 * user may mount, a real small file system does too.
 */
#include "store_fixture.h"

#include "batch/store_query.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SUBMISSIONS = 1000, TEST_SKIPPED = 77 };

/* Stores results until one fails; how many went well. */
static int64_t store_until_full(struct store *store)
{
    struct report report = make_report(12);

    for (int64_t id = 1; id <= SUBMISSIONS; id++) {
        enum error error = put_report(store, id, id, &report);
        if (error != ERROR_NONE) {
            assert_int_equal(error, ERROR_ENVIRONMENT);
            assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
            assert_non_null(strstr(diagnostic.message, "no space"));
            assert_non_null(strstr(diagnostic.message, "--resume"));
            return id - 1;
        }
    }
    return SUBMISSIONS;
}

/* The first `stored` are there, whole, and no other. */
static void check_rows(struct store *store, int64_t stored)
{
    struct class_results class = read_class(store, false);

    assert_int_equal(class.row_count, SUBMISSIONS);
    for (size_t i = 0; i < SUBMISSIONS; i++) {
        assert_int_equal(class.rows[i].state, (int64_t)i < stored ? CLASS_GRADED : CLASS_PENDING);
        assert_true(class.rows[i].final.raw == ((int64_t)i < stored ? 17 : 0));
    }
}

static void go_on(struct store *store, int64_t stored)
{
    struct report report = make_report(12);

    check_rows(store, stored);
    assert_good(store_begin(store, &diagnostic));
    for (int64_t id = stored + 1; id <= SUBMISSIONS; id++) {
        assert_good(put_report(store, id, id, &report));
    }
    assert_good(store_end(store, true, &diagnostic));
    check_rows(store, SUBMISSIONS);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void no_file_may_grow(void **state)
{
    struct stat status;
    (void)state;

    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    struct store *store = make_store(results, SUBMISSIONS);
    assert_int_equal(stat(arena_printf(arena, "%s/gpugrade.sqlite-wal", results), &status), 0);
    limit_files((rlim_t)status.st_size + 300000);
    int64_t stored = store_until_full(store);
    assert_in_range(stored, 2, SUBMISSIONS - 1);
    check_rows(store, stored);
    assert_int_equal(put_graded_as(store, stored + 1, stored + 1, 12), ERROR_ENVIRONMENT);
    limit_files(RLIM_INFINITY);
    go_on(store, stored);
    store_close(store);
}

/* One transaction of several changes: none of it is kept, whichever of them failed. With little
 * memory for pages SQLite writes, and gives the transaction up, long before its end. */
static void a_group_is_kept_whole_or_not_at_all(void **state)
{
    struct stat status;
    (void)state;

    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    struct store *store = make_store(results, SUBMISSIONS);
    assert_int_equal(stat(arena_printf(arena, "%s/gpugrade.sqlite-wal", results), &status), 0);
    limit_files((rlim_t)status.st_size + 100000);
    assert_good(store_execute(store, "PRAGMA cache_size = 10", &diagnostic));
    struct report report = make_report(12);
    enum error error = ERROR_NONE;
    assert_good(store_begin(store, &diagnostic));
    for (int64_t id = 1; id <= SUBMISSIONS; id++) { /* also after the first error */
        enum error one = put_report(store, id, id, &report);
        error = error == ERROR_NONE ? one : error;
    }
    enum error ended = store_end(store, true, &diagnostic);
    assert_int_equal(error, ERROR_ENVIRONMENT);
    assert_int_equal(ended, ERROR_ENVIRONMENT);
    limit_files(RLIM_INFINITY);
    go_on(store, 0);
    store_close(store);
}

/* Mounts a file system at `results`, in a mount namespace of this process; false if it may not. */
static bool mount_small_disk(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mkdir(results, 0700) == 0 &&
           mount("none", results, "tmpfs", MS_NOSUID, "size=2m,mode=700") == 0;
}

/* Both return an exit status. */
static int fill_small_disk(void)
{
    if (!mount_small_disk()) {
        return TEST_SKIPPED;
    }
    struct store *store = make_store(results, SUBMISSIONS);
    int64_t stored = store_until_full(store);
    assert_in_range(stored, 2, SUBMISSIONS - 1);
    store_close(store); /* what is in the journal cannot move to the file */
    store = open_store(results, STORE_WRITE);
    check_rows(store, stored);
    assert_int_equal(mount("none", results, "tmpfs", MS_REMOUNT | MS_NOSUID, "size=64m"), 0);
    go_on(store, stored);
    store_close(store);
    return 0;
}

static int read_where_nothing_can_be_written(void)
{
    struct store *reader = NULL;

    if (!mount_small_disk()) {
        return TEST_SKIPPED;
    }
    struct store *store = make_store(results, 20);
    assert_good(put_graded_as(store, 1, 1, 20));
    store_close(store);
    assert_int_equal(mount("none", results, "tmpfs", MS_REMOUNT | MS_NOSUID | MS_RDONLY, NULL), 0);
    reader = open_store(results, STORE_READ);
    assert_int_equal(read_class(reader, false).rows[0].state, CLASS_GRADED);
    store_close(reader);
    assert_int_equal(store_open(results, STORE_WRITE, &store, &diagnostic), ERROR_ENVIRONMENT);

    /* A journal that was left would be missing from what is read. */
    assert_int_equal(mount("none", results, "tmpfs", MS_REMOUNT | MS_NOSUID, "size=2m"), 0);
    const char *journal = arena_printf(arena, "%s/gpugrade.sqlite-wal", results);
    assert_good(file_write_atomic(journal, "left", 4, &diagnostic));
    assert_int_equal(mount("none", results, "tmpfs", MS_REMOUNT | MS_NOSUID | MS_RDONLY, NULL), 0);
    assert_int_equal(store_open(results, STORE_READ, &store, &diagnostic), ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "not closed properly"));
    return 0;
}

/* Runs it in a process of its own, which has the mount alone. */
static void run_with_mount(int (*work)(void))
{
    int status;

    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(work());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == TEST_SKIPPED) {
        print_message("skipped: this user may not mount a small file system\n");
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_small_disk_is_full(void **state)
{
    (void)state;
    run_with_mount(fill_small_disk);
}

static void a_disk_may_be_read_only(void **state)
{
    (void)state;
    run_with_mount(read_where_nothing_can_be_written);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        T(no_file_may_grow),
        T(a_group_is_kept_whole_or_not_at_all),
        T(a_small_disk_is_full),
        T(a_disk_may_be_read_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
