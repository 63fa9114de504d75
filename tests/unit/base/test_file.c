/* test_file.c: whole files, whole folders, hashes. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
    struct arena *arena;
    char *folder;
};

static int set_up(void **state)
{
    static struct place place;

    place.arena = arena_new();
    assert_int_equal(folder_make_temporary(place.arena, &place.folder, NULL), ERROR_NONE);
    *state = &place;
    return 0;
}

static int tear_down(void **state)
{
    struct place *place = *state;

    assert_true(folder_remove(place->folder));
    assert_false(folder_exists(place->folder));
    arena_free(place->arena);
    return 0;
}

static const char *inside(const struct place *place, const char *name)
{
    return arena_printf(place->arena, "%s/%s", place->folder, name);
}

static void written_file_is_read(void **state)
{
    struct place *place = *state;
    const char *path = inside(place, "file");
    char *bytes;
    size_t length;

    assert_int_equal(file_write_atomic(path, "old", 3, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, "a\0b", 3, NULL), ERROR_NONE);
    assert_int_equal(file_read(place->arena, path, 3, BLAME_STUDENT, &bytes, &length, NULL),
                     ERROR_NONE);
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "a\0b\0", 4);
    assert_true(file_exists(path));
    assert_false(folder_exists(path));
}

static void unreadable_is_refused(void **state)
{
    struct place *place = *state;
    struct diagnostic diagnostic;
    char *bytes = NULL;
    size_t length;

    assert_int_equal(file_read(place->arena, inside(place, "none"), 9, BLAME_RUBRIC, &bytes,
                               &length, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_int_equal(
        file_read(place->arena, place->folder, 9, BLAME_RUBRIC, &bytes, &length, &diagnostic),
        ERROR_IO);
    assert_int_equal(mkfifo(inside(place, "fifo"), 0600), 0);
    assert_int_equal(file_read(place->arena, inside(place, "fifo"), 9, BLAME_RUBRIC, &bytes,
                               &length, &diagnostic),
                     ERROR_IO);
    assert_int_equal(file_write_atomic(inside(place, "large"), "0123456789", 10, NULL), ERROR_NONE);
    assert_int_equal(file_read(place->arena, inside(place, "large"), 9, BLAME_STUDENT, &bytes,
                               &length, &diagnostic),
                     ERROR_LIMIT);
    assert_non_null(strstr(diagnostic.message, "10 bytes"));
    assert_null(bytes);
}

static void failed_write_leaves_nothing(void **state)
{
    struct place *place = *state;

    /* The target is a folder with something in it, so the rename fails. */
    assert_int_equal(folder_make(inside(place, "taken/below"), 0700, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(inside(place, "taken"), "x", 1, NULL), ERROR_IO);
    assert_int_equal(rmdir(inside(place, "taken/below")), 0);
    assert_int_equal(rmdir(inside(place, "taken")), 0);
    assert_int_equal(rmdir(place->folder), 0); /* only an empty folder can be removed */
    assert_int_equal(mkdir(place->folder, 0700), 0);
}

static void copy_keeps_bytes_and_refuses_links(void **state)
{
    struct place *place = *state;
    struct stat status;
    struct diagnostic diagnostic;

    assert_int_equal(file_write_atomic(inside(place, "from"), "text", 4, NULL), ERROR_NONE);
    assert_int_equal(file_copy(inside(place, "from"), inside(place, "to"), 0751, 4, NULL),
                     ERROR_NONE);
    assert_int_equal(stat(inside(place, "to"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0751);
    assert_int_equal(status.st_size, 4);
    assert_int_equal(file_copy(inside(place, "from"), inside(place, "to"), 0644, 4, NULL),
                     ERROR_NONE);
    assert_int_equal(file_copy(inside(place, "from"), inside(place, "no"), 0644, 3, &diagnostic),
                     ERROR_LIMIT);
    assert_int_equal(symlink("from", inside(place, "link")), 0);
    assert_int_equal(file_copy(inside(place, "link"), inside(place, "no"), 0644, 99, &diagnostic),
                     ERROR_IO);
    assert_false(file_exists(inside(place, "no")));
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    /* What cannot be opened is nothing that a student handed in. */
    assert_int_equal(file_copy(inside(place, "gone"), inside(place, "no"), 0644, 99, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    /* A link at the target is replaced, not followed. */
    assert_int_equal(file_copy(inside(place, "to"), inside(place, "link"), 0644, 99, NULL),
                     ERROR_NONE);
    assert_int_equal(lstat(inside(place, "link"), &status), 0);
    assert_true(S_ISREG(status.st_mode));
}

static void deep_tree_is_removed(void **state)
{
    struct place *place = *state;
    int fd = open(place->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    /* Deeper than the longest path, with files, a link out of the tree and a locked folder. */
    for (int depth = 0; depth < 3000; depth++) {
        assert_int_equal(mkdirat(fd, "a_folder_of_some_length", 0700), 0);
        assert_int_equal(symlinkat("/etc", fd, "link"), 0);
        int below = openat(fd, "a_folder_of_some_length", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(below >= 0);
        close(fd);
        fd = below;
    }
    close(fd);
    assert_int_equal(folder_make(inside(place, "locked/below/deeper"), 0700, NULL), ERROR_NONE);
    assert_int_equal(chmod(inside(place, "locked/below"), 0), 0);
    assert_int_equal(chmod(inside(place, "locked"), 0), 0);
    assert_true(folder_remove(place->folder));
    assert_true(folder_exists("/etc"));
    assert_true(folder_remove(place->folder)); /* what does not exist is fine */
    assert_int_equal(mkdir(place->folder, 0700), 0);
}

static void removing_a_link_spares_its_target(void **state)
{
    struct place *place = *state;

    assert_int_equal(folder_make(inside(place, "target/below"), 0700, NULL), ERROR_NONE);
    assert_int_equal(symlink("target", inside(place, "link")), 0);
    assert_true(folder_remove(inside(place, "link")));
    assert_true(folder_exists(inside(place, "target/below")));
}

static void folders_are_made_with_parents(void **state)
{
    struct place *place = *state;

    assert_int_equal(folder_make(inside(place, "a/b/c/"), 0755, NULL), ERROR_NONE);
    assert_int_equal(folder_make(inside(place, "a/b/c"), 0755, NULL), ERROR_NONE);
    assert_true(folder_exists(inside(place, "a/b/c")));
    assert_int_equal(file_write_atomic(inside(place, "f"), "", 0, NULL), ERROR_NONE);
    assert_int_equal(folder_make(inside(place, "f/x"), 0755, NULL), ERROR_IO);
}

/* What a look at the place afterwards finds is not why it failed. */
static unsigned mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* The grader's own files and folders have the rights that they need, also below a folder that is
 * there already; what a user asked for has those that the user's umask leaves. */
static void modes_are_exact_or_the_users(void **state)
{
    static const mode_t masks[] = {0077, 0022, 0000};
    struct place *place = *state;
    mode_t before = umask(0);

    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        const char *top = inside(place, arena_printf(place->arena, "%zu", i));
        const char *deep = arena_printf(place->arena, "%s/a/b", top);
        const char *usual = arena_printf(place->arena, "%s/usual", top);
        const char *secret = arena_printf(place->arena, "%s/secret", top);
        const char *program = arena_printf(place->arena, "%s/program", top);
        const char *result = arena_printf(place->arena, "%s/result", top);

        umask(masks[i]);
        assert_int_equal(folder_make(deep, 0755, NULL), ERROR_NONE);
        assert_int_equal(folder_make_usual(usual, NULL), ERROR_NONE);
        assert_int_equal(file_write_mode(secret, 0600, "x", 1, NULL), ERROR_NONE);
        assert_int_equal(file_write_mode(program, 0755, "x", 1, NULL), ERROR_NONE);
        assert_int_equal(file_write_atomic(result, "x", 1, NULL), ERROR_NONE);
        assert_int_equal(mode_of(top), 0755);
        assert_int_equal(mode_of(arena_printf(place->arena, "%s/a", top)), 0755);
        assert_int_equal(mode_of(deep), 0755);
        assert_int_equal(mode_of(usual), 0777 & ~masks[i]);
        assert_int_equal(mode_of(secret), 0600);
        assert_int_equal(mode_of(program), 0755);
        assert_int_equal(mode_of(result), 0666 & ~masks[i]);
        /* What exists stays as it is. */
        assert_int_equal(folder_make(deep, 0700, NULL), ERROR_NONE);
        assert_int_equal(mode_of(deep), 0755);
        /* A group that is handed on stays with it. */
        assert_int_equal(chmod(top, 02755), 0);
        assert_int_equal(folder_make(arena_printf(place->arena, "%s/c", top), 0711, NULL),
                         ERROR_NONE);
        assert_int_equal(mode_of(arena_printf(place->arena, "%s/c", top)), 02711);
    }
    umask(before);
}

static void folders_that_fail_tell_why(void **state)
{
    struct place *place = *state;
    struct diagnostic diagnostic = {.line = 0};

    assert_int_equal(symlink("nowhere", inside(place, "dangling")), 0);
    assert_int_equal(folder_make(inside(place, "dangling"), 0755, &diagnostic), ERROR_IO);
    assert_non_null(strstr(diagnostic.message, strerror(EEXIST)));
}

static void names_and_hashes(void **state)
{
    char hex[65];

    (void)state;
    assert_string_equal(path_name("/a/b"), "b");
    assert_string_equal(path_name("b"), "b");
    /* FIPS 180-4's example, and the empty text. */
    hash_bytes("abc", 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_bytes("", 0, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(written_file_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unreadable_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failed_write_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copy_keeps_bytes_and_refuses_links, set_up, tear_down),
        cmocka_unit_test_setup_teardown(deep_tree_is_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(removing_a_link_spares_its_target, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_are_made_with_parents, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modes_are_exact_or_the_users, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_that_fail_tell_why, set_up, tear_down),
        cmocka_unit_test(names_and_hashes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
