/* test_work_folder.c: folders of runs that are alive, killed, or not ours. */
#include "base/file.h"
#include "base/work_folder.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
    struct arena *arena;
    char *folder; /* TMPDIR of each test */
};

static int setup(void **state)
{
    struct arena *arena = arena_new();
    struct place *place = arena_alloc(arena, sizeof *place);

    place->arena = arena;
    unsetenv("TMPDIR");
    assert_int_equal(folder_make_temporary(arena, &place->folder, NULL), ERROR_NONE);
    setenv("TMPDIR", place->folder, 1);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;

    unsetenv("TMPDIR");
    assert_true(folder_remove(place->folder));
    arena_free(place->arena);
    return 0;
}

static const char *below(struct place *place, const char *name)
{
    return arena_printf(place->arena, "%s/%s", place->folder, name);
}

static void put(const char *path)
{
    assert_int_equal(file_write_atomic(path, "x", 1, NULL), ERROR_NONE);
}

/* A folder of another making, with a file in it; survives unless it is stale. */
static const char *plant(struct place *place, const char *name, mode_t mode)
{
    const char *path = below(place, name);

    assert_int_equal(mkdir(path, 0755), 0);
    put(arena_printf(place->arena, "%s/file", path));
    assert_int_equal(chmod(path, mode), 0);
    return path;
}

static void a_folder_in_use_stays(void **state)
{
    struct place *place = *state;
    struct work_folder folder;
    struct stat status;

    assert_int_equal(work_folder_make(place->arena, &folder, NULL), ERROR_NONE);
    assert_int_equal(stat(folder.path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0711);
    work_folder_remove_stale();
    assert_true(folder_exists(folder.path));
    put(arena_printf(place->arena, "%s/file", folder.path));
    assert_true(work_folder_remove(&folder));
    assert_false(folder_exists(folder.path));
}

/* The child makes a folder, tells its name and waits; it ends without removing it. */
static pid_t run_and_hold(struct place *place, char *out_path, size_t capacity)
{
    int fds[2];

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct work_folder folder;
        if (work_folder_make(place->arena, &folder, NULL) == ERROR_NONE) {
            put(arena_printf(place->arena, "%s/file", folder.path));
            mkdir(arena_printf(place->arena, "%s/folder", folder.path), 0);
            (void)!write(fds[1], folder.path, strlen(folder.path) + 1);
        }
        pause();
        _exit(0);
    }
    assert_true(pid > 0);
    close(fds[1]);
    assert_true(read(fds[0], out_path, capacity) > 0);
    close(fds[0]);
    return pid;
}

static void the_folder_of_a_killed_run_goes(void **state)
{
    struct place *place = *state;
    char path[4096] = "";

    pid_t pid = run_and_hold(place, path, sizeof path);
    work_folder_remove_stale();
    assert_true(folder_exists(path));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    assert_true(folder_exists(path));
    work_folder_remove_stale();
    assert_false(folder_exists(path));
}

static void a_child_of_the_run_keeps_the_folder(void **state)
{
    struct place *place = *state;
    struct work_folder folder;
    int fds[2];

    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    assert_int_equal(work_folder_make(place->arena, &folder, NULL), ERROR_NONE);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        close(fds[1]);
        (void)!read(fds[0], &byte, 1);
        _exit(0);
    }
    close(fds[0]);
    close(folder.lock_fd);
    work_folder_remove_stale();
    assert_true(folder_exists(folder.path));
    close(fds[1]);
    waitpid(child, NULL, 0);
    work_folder_remove_stale();
    assert_false(folder_exists(folder.path));
}

static void what_others_planted_stays(void **state)
{
    struct place *place = *state;
    const char *target = plant(place, "target", 0711);
    const char *link = below(place, "gpugrade-work-aaaaaa");
    const char *other = plant(place, "gpugrade-work-bbbbbb", 0711);
    const char *open_folder = plant(place, "gpugrade-work-cccccc", 0777);
    const char *longer = plant(place, "gpugrade-work-ccccccc", 0711);
    const char *shorter = plant(place, "gpugrade-work-", 0711);
    const char *foreign = plant(place, "gpugrade-aaaaaa", 0711);
    const char *plain = below(place, "gpugrade-work-dddddd");
    bool is_root = geteuid() == 0;

    assert_int_equal(symlink(target, link), 0);
    put(plain);
    if (is_root) {
        assert_int_equal(chown(other, 12345, 12345), 0);
    }
    work_folder_remove_stale();
    assert_true(file_exists(below(place, "target/file")));
    assert_int_equal(access(link, F_OK), 0);
    assert_int_equal(folder_exists(other), is_root);
    assert_true(folder_exists(open_folder));
    assert_true(folder_exists(longer));
    assert_true(folder_exists(shorter));
    assert_true(folder_exists(foreign));
    assert_true(file_exists(plain));
}

static void nothing_is_removed_where_all_may_write(void **state)
{
    struct place *place = *state;
    const char *stale = plant(place, "gpugrade-work-aaaaaa", 0711);

    assert_int_equal(chmod(place->folder, 0777), 0);
    work_folder_remove_stale();
    assert_true(folder_exists(stale));
    assert_int_equal(chmod(place->folder, 01777), 0);
    work_folder_remove_stale();
    assert_false(folder_exists(stale));
}

/* Each of several processes makes a folder, sweeps and looks whether its own is still there. */
static int make_and_sweep(struct place *place, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        struct work_folder folder;
        if (work_folder_make(place->arena, &folder, NULL) != ERROR_NONE) {
            return 1;
        }
        work_folder_remove_stale();
        put(arena_printf(place->arena, "%s/file", folder.path));
        if (!work_folder_remove(&folder)) {
            return 2;
        }
    }
    return 0;
}

static void many_runs_leave_each_other_alone(void **state)
{
    enum { PROCESSES = 6, ROUNDS = 150 };
    struct place *place = *state;
    pid_t children[PROCESSES];

    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            _exit(make_and_sweep(place, ROUNDS));
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
}

static void a_parent_that_is_not_there_is_told(void **state)
{
    struct place *place = *state;
    struct diagnostic diagnostic = {0};
    struct work_folder folder;

    setenv("TMPDIR", below(place, "nosuch"), 1);
    work_folder_remove_stale();
    assert_int_equal(work_folder_make(place->arena, &folder, &diagnostic), ERROR_IO);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "set TMPDIR"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_folder_in_use_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(the_folder_of_a_killed_run_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_child_of_the_run_keeps_the_folder, setup, teardown),
        cmocka_unit_test_setup_teardown(what_others_planted_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_removed_where_all_may_write, setup, teardown),
        cmocka_unit_test_setup_teardown(many_runs_leave_each_other_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(a_parent_that_is_not_there_is_told, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
