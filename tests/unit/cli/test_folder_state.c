/* test_folder_state.c: what counts as saved. */
#include "cli/folder_state.h"

#include "base/file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    char *folder;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct diagnostic diagnostic;

    if (fixture == NULL) {
        return 1;
    }
    fixture->arena = arena_new();
    *state = fixture;
    return folder_make_temporary(fixture->arena, &fixture->folder, &diagnostic) == ERROR_NONE ? 0
                                                                                              : 1;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(fixture->folder);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static const char *path_of(struct fixture *fixture, const char *name)
{
    return arena_printf(fixture->arena, "%s/%s", fixture->folder, name);
}

static void save(struct fixture *fixture, const char *name, const char *text)
{
    FILE *file = fopen(path_of(fixture, name), "we");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The name of the file that differs from `before` on; "" for none. */
static const char *difference(struct fixture *fixture, const struct folder_state *before)
{
    struct folder_state now = folder_state_read(fixture->arena, fixture->folder);
    const char *path = folder_state_difference(before, &now);

    if (path == NULL) {
        return "";
    }
    assert_true(strncmp(path, fixture->folder, strlen(fixture->folder)) == 0);
    return path + strlen(fixture->folder) + 1;
}

static void saved_files_are_named(void **state)
{
    struct fixture *fixture = *state;

    save(fixture, "a.cu", "1");
    save(fixture, "c.cu", "1");
    struct folder_state before = folder_state_read(fixture->arena, fixture->folder);
    assert_int_equal(before.count, 2);
    assert_string_equal(difference(fixture, &before), "");
    save(fixture, "b.cu", "1");
    assert_string_equal(difference(fixture, &before), "b.cu");
    assert_int_equal(unlink(path_of(fixture, "b.cu")), 0);
    assert_string_equal(difference(fixture, &before), "");
    save(fixture, "c.cu", "longer");
    assert_string_equal(difference(fixture, &before), "c.cu");
}

static void removed_files_are_named(void **state)
{
    struct fixture *fixture = *state;

    save(fixture, "a.cu", "1");
    save(fixture, "b.cu", "1");
    struct folder_state before = folder_state_read(fixture->arena, fixture->folder);
    assert_int_equal(unlink(path_of(fixture, "a.cu")), 0);
    assert_string_equal(difference(fixture, &before), "a.cu");
}

/* Editors write a new file and put it in the place of the old one. */
static void replaced_files_are_seen(void **state)
{
    struct fixture *fixture = *state;
    struct stat status;

    save(fixture, "a.cu", "1");
    struct folder_state before = folder_state_read(fixture->arena, fixture->folder);
    assert_int_equal(stat(path_of(fixture, "a.cu"), &status), 0);
    const struct timespec times[2] = {status.st_atim, status.st_mtim};
    save(fixture, ".a.cu.new", "2");
    assert_int_equal(utimensat(AT_FDCWD, path_of(fixture, ".a.cu.new"), times, 0), 0);
    assert_int_equal(rename(path_of(fixture, ".a.cu.new"), path_of(fixture, "a.cu")), 0);
    assert_string_equal(difference(fixture, &before), "a.cu");
}

static void hidden_files_do_not_count(void **state)
{
    struct fixture *fixture = *state;

    save(fixture, "a.cu", "1");
    struct folder_state before = folder_state_read(fixture->arena, fixture->folder);
    save(fixture, ".a.cu.swp", "1");
    assert_int_equal(mkdir(path_of(fixture, ".git"), 0755), 0);
    save(fixture, ".git/index", "1");
    assert_string_equal(difference(fixture, &before), "");
    assert_int_equal(mkdir(path_of(fixture, "sub"), 0755), 0);
    save(fixture, "sub/b.cu", "1");
    assert_string_equal(difference(fixture, &before), "sub/b.cu");
}

static void missing_folders_are_empty(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(folder_state_read(fixture->arena, path_of(fixture, "none")).count, 0);
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(saved_files_are_named),     IN_A_FOLDER(removed_files_are_named),
        IN_A_FOLDER(replaced_files_are_seen),   IN_A_FOLDER(hidden_files_do_not_count),
        IN_A_FOLDER(missing_folders_are_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
