/* test_skeleton.c: new courseworks: names, what is renamed, what is never written over. */
#include "coursework/skeleton.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    char *folder;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture.arena = arena_new();
    assert_int_equal(folder_make_temporary(fixture.arena, &fixture.folder, NULL), ERROR_NONE);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    assert_true(folder_remove(fixture->folder));
    arena_free(fixture->arena);
    return 0;
}

static const char *below(const struct fixture *fixture, const char *name)
{
    return arena_printf(fixture->arena, "%s/%s", fixture->folder, name);
}

static void put(const struct fixture *fixture, const char *name, const char *text)
{
    const char *path = below(fixture, name);
    const char *folder = arena_strndup(fixture->arena, path, (size_t)(strrchr(path, '/') - path));

    assert_int_equal(folder_make(folder, 0700, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static const char *get(const struct fixture *fixture, const char *name)
{
    char *bytes = NULL;
    size_t length = 0;

    assert_int_equal(file_read(fixture->arena, below(fixture, name), 1 << 20, BLAME_GRADER, &bytes,
                               &length, NULL),
                     ERROR_NONE);
    assert_int_equal(strlen(bytes), length);
    return bytes;
}

static void ids_are_those_of_rubrics(void **state)
{
    static const char *const good[] = {"v", "vector_add", "a1_",
                                       "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "skeleton"};
    static const char *const bad[] = {
        "",     "Vector", "_a",   "1a",     "a-b",
        "a b",  "a/b",    "../a", "a.json", "\xc3\xa4",
        "main", "common", "a\nb", "rubric", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    struct diagnostic diagnostic;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_int_equal(skeleton_check_id(good[i], &diagnostic), ERROR_NONE);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        diagnostic.blame = BLAME_NONE;
        assert_int_equal(skeleton_check_id(bad[i], &diagnostic), ERROR_RANGE);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
    }
}

static void names_and_contents_get_the_id(void **state)
{
    struct fixture *fixture = *state;
    const struct intake_file *files = NULL;
    size_t count = 0;

    put(fixture, "from/rubrics/skeleton.json", "{\"id\": \"skeleton\"}");
    put(fixture, "from/reference/skeleton/skeleton.cu",
        "#ifndef SKELETON_H\nskeleton_kernel(skeletonskeleton) Skeleton skeleto skeleton");
    assert_int_equal(
        skeleton_read(fixture->arena, below(fixture, "from"), NULL, "a_1b", &files, &count, NULL),
        ERROR_NONE);
    assert_int_equal(count, 2);
    assert_int_equal(skeleton_write(fixture->arena, below(fixture, "to/deep"), files, count, NULL),
                     ERROR_NONE);
    assert_string_equal(get(fixture, "to/deep/rubrics/a_1b.json"), "{\"id\": \"a_1b\"}");
    assert_string_equal(get(fixture, "to/deep/reference/a_1b/a_1b.cu"),
                        "#ifndef A_1B_H\na_1b_kernel(a_1ba_1b) Skeleton skeleto a_1b");
}

static void what_a_skeleton_lacks_comes_from_its_base(void **state)
{
    struct fixture *fixture = *state;
    const struct intake_file *files = NULL;
    size_t count = 0;

    put(fixture, "own/rubrics/skeleton.json", "own");
    put(fixture, "base/rubrics/skeleton.json", "base");
    put(fixture, "base/reference/skeleton/main.cu", "base");
    assert_int_equal(skeleton_read(fixture->arena, below(fixture, "own"), below(fixture, "base"),
                                   "id", &files, &count, NULL),
                     ERROR_NONE);
    assert_int_equal(count, 2);
    assert_string_equal(files[0].name, "rubrics/id.json");
    assert_string_equal(files[0].bytes, "own");
    assert_string_equal(files[1].name, "reference/id/main.cu");
    assert_string_equal(files[1].bytes, "base");
}

static void nothing_is_written_over(void **state)
{
    static const struct intake_file files[] = {{.name = "a/one", .bytes = "1", .length = 1},
                                               {.name = "b/two", .bytes = "2", .length = 1},
                                               {.name = "c/three", .bytes = "3", .length = 1}};
    struct fixture *fixture = *state;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    put(fixture, "to/b/two", "mine");
    assert_int_equal(skeleton_write(fixture->arena, below(fixture, "to"), files, 3, &diagnostic),
                     ERROR_EXISTS);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_non_null(strstr(diagnostic.message, "to/b/two already exists"));
    assert_string_equal(get(fixture, "to/b/two"), "mine");
    assert_false(file_exists(below(fixture, "to/a/one")));
    assert_int_equal(unlink(below(fixture, "to/b/two")), 0);
    assert_int_equal(symlink("nowhere", below(fixture, "to/b/two")), 0); /* even if it dangles */
    assert_int_equal(skeleton_write(fixture->arena, below(fixture, "to"), files, 3, &diagnostic),
                     ERROR_EXISTS);
}

static void what_was_written_goes_when_it_cannot_be_whole(void **state)
{
    static const struct intake_file files[] = {{.name = "a/one", .bytes = "1", .length = 1},
                                               {.name = "b/two", .bytes = "2", .length = 1},
                                               {.name = "c/three", .bytes = "3", .length = 1}};
    struct fixture *fixture = *state;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    put(fixture, "to/c", "a file where a folder is needed");
    assert_int_not_equal(
        skeleton_write(fixture->arena, below(fixture, "to"), files, 3, &diagnostic), ERROR_NONE);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_false(file_exists(below(fixture, "to/a/one")));
    assert_false(file_exists(below(fixture, "to/b/two")));
}

static void the_skeleton_has_no_other_spelling(void **state)
{
    struct fixture *fixture = *state;
    const struct intake_file *files = NULL;
    size_t count = 0;

    assert_int_equal(skeleton_read(fixture->arena, GPUGRADE_SOURCE_DIR "/rubrics/skeleton", NULL,
                                   "x9", &files, &count, NULL),
                     ERROR_NONE);
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        assert_null(strcasestr(files[i].name, "skeleton"));
        assert_null(strcasestr(files[i].bytes, "skeleton"));
    }
}

static void a_missing_skeleton_is_the_machines_fault(void **state)
{
    struct fixture *fixture = *state;
    const struct intake_file *files = NULL;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    size_t count = 0;

    assert_int_equal(skeleton_read(fixture->arena, below(fixture, "nosuch"), NULL, "x", &files,
                                   &count, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_those_of_rubrics),
        cmocka_unit_test_setup_teardown(names_and_contents_get_the_id, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_skeleton_lacks_comes_from_its_base, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_written_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_written_goes_when_it_cannot_be_whole, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_skeleton_has_no_other_spelling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_skeleton_is_the_machines_fault, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
