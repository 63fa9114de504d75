/* test_gpu_lock.c: the lock of a GPU between processes, and folders in which others make files. */
#include "submission/gpu_lock.h"

#include "base/arena.h"
#include "base/file.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define UUID "GPU-6f0c1b2a-0000-1111-2222-333344445555"
#define OTHER_UUID "GPU-00000000-0000-1111-2222-333344445555"
#define LOCK_NAME ".gpugrade-" UUID ".lock"

enum { NOBODY = 65534 };

static struct arena *arena;
static char *folder;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    assert_int_equal(chmod(folder, 01777), 0);
    assert_int_equal(setenv("GPUGRADE_LOCKS", folder, 1), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static char *lock_path(void)
{
    return arena_printf(arena, "%s/%s", folder, LOCK_NAME);
}

/* True if this process gets the lock; it is given back at once. */
static bool can_lock(const char *uuid, enum gpu_lock_kind kind)
{
    struct gpu_lock lock = {.fd = -1};
    bool held = false;

    assert_int_equal(gpu_lock_try(uuid, kind, &lock, &held, NULL), ERROR_NONE);
    assert_int_equal(held, lock.fd >= 0);
    gpu_lock_release(&lock);
    return held;
}

/* A process that holds the lock until it is killed; returns when it holds it. */
static pid_t start_holder(enum gpu_lock_kind kind)
{
    int ready[2];
    char byte;

    assert_int_equal(pipe(ready), 0);
    pid_t holder = fork();
    if (holder == 0) {
        struct gpu_lock lock;
        bool held = false;
        bool good = gpu_lock_try(UUID, kind, &lock, &held, NULL) == ERROR_NONE && held;
        if (good && write(ready[1], "x", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return holder;
}

static void kill_holder(pid_t holder)
{
    assert_int_equal(kill(holder, SIGKILL), 0);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
}

static void one_timing_at_a_time(void **state)
{
    (void)state;
    pid_t holder = start_holder(GPU_LOCK_EXCLUSIVE);
    assert_false(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
    assert_false(can_lock(UUID, GPU_LOCK_SHARED));
    assert_true(can_lock(OTHER_UUID, GPU_LOCK_EXCLUSIVE));
    kill_holder(holder);
    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
}

static void other_work_is_shared(void **state)
{
    (void)state;
    pid_t holder = start_holder(GPU_LOCK_SHARED);
    assert_true(can_lock(UUID, GPU_LOCK_SHARED));
    assert_false(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
    kill_holder(holder);
    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
}

static void an_exclusive_lock_becomes_shared(void **state)
{
    struct gpu_lock lock = {.fd = -1};
    bool held = false;
    (void)state;

    assert_int_equal(gpu_lock_try(UUID, GPU_LOCK_EXCLUSIVE, &lock, &held, NULL), ERROR_NONE);
    assert_true(held);
    assert_true(gpu_lock_share(&lock));
    assert_true(can_lock(UUID, GPU_LOCK_SHARED));
    assert_false(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
    gpu_lock_release(&lock);
    gpu_lock_release(&lock);
    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
}

/* Whatever the umask of its maker, all others can read the file, and nobody has removed it. */
static void the_file_serves_all_users(void **state)
{
    struct stat status;
    mode_t before = umask(0077);
    (void)state;

    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
    umask(before);
    assert_int_equal(lstat(lock_path(), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    assert_int_equal(status.st_size, 0);
}

/* A file of another user in a folder like /tmp: opened without O_CREAT, read only. */
static void another_users_file(void **state)
{
    int status;
    (void)state;

    if (geteuid() != 0) {
        skip();
    }
    pid_t maker = fork();
    if (maker == 0) {
        struct gpu_lock lock;
        bool held = false;
        bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0 &&
                    gpu_lock_try(UUID, GPU_LOCK_EXCLUSIVE, &lock, &held, NULL) == ERROR_NONE;
        _exit(good && held ? 0 : 1);
    }
    assert_int_equal(waitpid(maker, &status, 0), maker);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));

    assert_int_equal(chown(lock_path(), 0, 0), 0);
    pid_t user = fork();
    if (user == 0) {
        struct gpu_lock lock;
        bool held = false;
        bool good = setgid(NOBODY) == 0 && setuid(NOBODY) == 0 &&
                    gpu_lock_try(UUID, GPU_LOCK_EXCLUSIVE, &lock, &held, NULL) == ERROR_NONE;
        _exit(good && held ? 0 : 1);
    }
    assert_int_equal(waitpid(user, &status, 0), user);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A lock on a file that a cleaner has taken away holds nobody off: the new file is taken. */
static void a_removed_file_is_made_anew(void **state)
{
    struct stat status;
    (void)state;
    pid_t holder = start_holder(GPU_LOCK_EXCLUSIVE);
    assert_int_equal(unlink(lock_path()), 0);
    assert_true(can_lock(UUID, GPU_LOCK_EXCLUSIVE));
    assert_int_equal(lstat(lock_path(), &status), 0);
    kill_holder(holder);
}

static void refused(const char *uuid, const char *words)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct gpu_lock lock = {.fd = -1};
    bool held = false;

    assert_int_equal(gpu_lock_try(uuid, GPU_LOCK_SHARED, &lock, &held, &diagnostic),
                     ERROR_ENVIRONMENT);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, words));
    assert_int_equal(lock.fd, -1);
    assert_false(held);
}

static void a_link_is_refused(void **state)
{
    const char *target = arena_printf(arena, "%s/target", folder);
    (void)state;

    assert_int_equal(symlink(target, lock_path()), 0);
    refused(UUID, "it is a link");
    assert_false(file_exists(target));
    assert_int_equal(file_write_atomic(target, "x", 1, NULL), ERROR_NONE);
    refused(UUID, "it is a link");
}

static void what_is_no_file_is_refused(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(lock_path(), 0644), 0);
    refused(UUID, "it is not a regular file");
    assert_int_equal(unlink(lock_path()), 0);
    assert_int_equal(mkdir(lock_path(), 0755), 0);
    refused(UUID, "it is not a regular file");
}

static void a_missing_folder_is_told(void **state)
{
    (void)state;
    assert_int_equal(setenv("GPUGRADE_LOCKS", "/nosuch/folder", 1), 0);
    refused(UUID, "/nosuch/folder");
    refused(UUID, "GPUGRADE_LOCKS");
}

static void a_uuid_is_no_path(void **state)
{
    (void)state;
    refused("../../etc/passwd", "cannot name a lock");
    refused("", "cannot name a lock");
    refused("GPU-6f0c1b2a-0000-1111-2222-333344445555-6f0c1b2a-0000-1111-2222-333344445555",
            "cannot name a lock");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_timing_at_a_time, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_work_is_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_exclusive_lock_becomes_shared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_file_serves_all_users, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_users_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_file_is_made_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_link_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_folder_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_uuid_is_no_path, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
