/* test_fixture.c: folders of made-up students. */
#include "coursework/fixture.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A coursework with the id `sums` in a folder of its own. */
struct course {
    struct arena *arena;
    char *root;
    struct rubric rubric;
};

static void put(const struct course *course, const char *name, const char *text)
{
    const char *path = arena_printf(course->arena, "%s/%s", course->root, name);
    const char *folder = arena_strndup(course->arena, path, (size_t)(strrchr(path, '/') - path));

    assert_int_equal(folder_make(folder, 0700, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static int set_up(void **state)
{
    static struct course course;

    course.arena = arena_new();
    assert_int_equal(folder_make_temporary(course.arena, &course.root, NULL), ERROR_NONE);
    course.rubric = (struct rubric){.id = "sums"};
    course.rubric.reference_folder = arena_printf(course.arena, "%s/reference/sums", course.root);
    put(&course, "reference/sums/solution/a.cu", "solution a");
    put(&course, "reference/sums/solution/b.cu", "solution b");
    put(&course, "reference/sums/solution/own/c.h", "solution c");
    put(&course, "student_template/sums/a.cu", "template a");
    *state = &course;
    return 0;
}

static int tear_down(void **state)
{
    struct course *course = *state;

    assert_true(folder_remove(course->root));
    arena_free(course->arena);
    return 0;
}

static const char *bytes_of(const struct fixture *fixture, const char *name)
{
    const struct intake_file *file = intake_find(&fixture->files, name);

    return file == NULL ? NULL : file->bytes;
}

static void they_are_listed_by_name(void **state)
{
    struct course *course = *state;
    const char *const *names = NULL;
    size_t count = 7;

    assert_string_equal(coursework_root(course->arena, &course->rubric), course->root);
    assert_int_equal(fixtures_list(course->arena, &course->rubric, &names, &count, NULL),
                     ERROR_NONE);
    assert_int_equal(count, 0);
    put(course, "tests/submissions/sums/wrong/one/expect", "all passed\n");
    put(course, "tests/submissions/sums/right/two/a.cu", "own"); /* found to lack expect later */
    put(course, "tests/submissions/sums/right/.hidden/expect", "all passed\n");
    put(course, "tests/submissions/sums/right/notes.md", "no folder");
    put(course, "tests/submissions/others/right/three/expect", "all passed\n");
    assert_int_equal(fixtures_list(course->arena, &course->rubric, &names, &count, NULL),
                     ERROR_NONE);
    assert_int_equal(count, 2);
    assert_string_equal(names[0], "right/two");
    assert_string_equal(names[1], "wrong/one");
}

static void own_files_replace_those_of_the_solution(void **state)
{
    struct course *course = *state;
    struct fixture fixture;

    put(course, "tests/submissions/sums/wrong/one/expect", "compile passed\n");
    put(course, "tests/submissions/sums/wrong/one/guilty", "code race\n");
    put(course, "tests/submissions/sums/wrong/one/b.cu", "own b");
    put(course, "tests/submissions/sums/wrong/one/d.h", "own d");
    assert_int_equal(fixture_read(course->arena, &course->rubric, "wrong/one", &fixture, NULL),
                     ERROR_NONE);
    assert_string_equal(fixture.expect, "compile passed\n");
    assert_null(fixture.rubric_path);
    assert_int_equal(fixture.files.count, 4);
    assert_string_equal(bytes_of(&fixture, "a.cu"), "solution a");
    assert_string_equal(bytes_of(&fixture, "b.cu"), "own b");
    assert_string_equal(bytes_of(&fixture, "own/c.h"), "solution c");
    assert_string_equal(bytes_of(&fixture, "d.h"), "own d");
}

static void notes_choose_another_start_and_another_rubric(void **state)
{
    struct course *course = *state;
    struct fixture fixture;

    put(course, "tests/submissions/sums/wrong/one/expect", "compile passed\n");
    put(course, "tests/submissions/sums/wrong/one/base", "student_template/sums\n");
    put(course, "tests/submissions/sums/wrong/one/rubric", "rubrics/strict.json\n");
    assert_int_equal(fixture_read(course->arena, &course->rubric, "wrong/one", &fixture, NULL),
                     ERROR_NONE);
    assert_int_equal(fixture.files.count, 1);
    assert_string_equal(bytes_of(&fixture, "a.cu"), "template a");
    assert_string_equal(fixture.rubric_path,
                        arena_printf(course->arena, "%s/rubrics/strict.json", course->root));
}

static void what_is_missing_is_the_courseworks_fault(void **state)
{
    struct course *course = *state;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct fixture fixture;

    put(course, "tests/submissions/sums/right/two/a.cu", "own");
    assert_int_equal(
        fixture_read(course->arena, &course->rubric, "right/two", &fixture, &diagnostic),
        ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    put(course, "tests/submissions/sums/right/two/expect", "all passed\n");
    put(course, "tests/submissions/sums/right/two/base", "nosuch\n");
    diagnostic.blame = BLAME_NONE;
    assert_int_equal(
        fixture_read(course->arena, &course->rubric, "right/two", &fixture, &diagnostic),
        ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_non_null(strstr(diagnostic.message, "there is no folder "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(they_are_listed_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(own_files_replace_those_of_the_solution, set_up, tear_down),
        cmocka_unit_test_setup_teardown(notes_choose_another_start_and_another_rubric, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_is_missing_is_the_courseworks_fault, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
