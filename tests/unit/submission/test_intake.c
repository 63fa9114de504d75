/* test_intake.c: copying a student's folder. */
#include "base/file.h"
#include "submission/intake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const tiled_sources[] = {"tiled.cu"};
static const char *const dynamic_sources[] = {"dynamic.cu"};
static const char *const given[] = {"matmul.h"};

/* A rubric of two programs, a template and a student's folder below one temporary folder. */
struct fixture {
    struct arena *arena;
    char *top;
    char *student;
    struct rubric_program programs[2];
    struct rubric rubric;
};

static void put(struct fixture *fixture, const char *name, const char *text)
{
    const char *path = arena_printf(fixture->arena, "%s/%s", fixture->top, name);

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static void folder(struct fixture *fixture, const char *name)
{
    assert_int_equal(mkdir(arena_printf(fixture->arena, "%s/%s", fixture->top, name), 0755), 0);
}

static int setup(void **state)
{
    struct arena *arena = arena_new();
    struct fixture *fixture = arena_alloc(arena, sizeof *fixture);

    fixture->arena = arena;
    assert_int_equal(folder_make_temporary(arena, &fixture->top, NULL), ERROR_NONE);
    folder(fixture, "template");
    folder(fixture, "student");
    folder(fixture, "work");
    put(fixture, "template/tiled.cu", "// fill in\nint x;\n");
    put(fixture, "template/dynamic.cu", "// fill in\nint y;\n");
    put(fixture, "template/matmul.h", "struct matmul_shape;\n");
    fixture->student = arena_printf(arena, "%s/student", fixture->top);
    for (int i = 0; i < 2; i++) {
        fixture->programs[i] = (struct rubric_program){
            .id = i == 0 ? "tiled" : "dynamic",
            .sources = i == 0 ? tiled_sources : dynamic_sources,
            .source_count = 1,
            .given = given,
            .given_count = 1,
        };
    }
    fixture->rubric = (struct rubric){
        .id = "matmul",
        .template_folder = arena_printf(arena, "%s/template", fixture->top),
        .programs = fixture->programs,
        .program_count = 2,
    };
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    assert_true(folder_remove(fixture->top));
    arena_free(fixture->arena);
    return 0;
}

static enum error run_intake(struct fixture *fixture, struct intake *out_intake,
                             struct diagnostic *diagnostic)
{
    return intake_copy(fixture->arena, &fixture->rubric, fixture->student,
                       arena_printf(fixture->arena, "%s/work", fixture->top), out_intake,
                       diagnostic);
}

static void copies_sources_and_subfolders(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;
    char *bytes = NULL;
    size_t length = 0;

    put(fixture, "student/tiled.cu", "int changed;\n");
    put(fixture, "student/dynamic.cu", "  // fill in\n\n int y ;\n");
    folder(fixture, "student/lib");
    put(fixture, "student/lib/tile.h", "#define TILE 16\n");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 3);
    assert_string_equal(intake.sources[1].name, "lib/tile.h");
    assert_false(intake.is_template[0]);
    assert_true(intake.is_template[1]);
    const char *copy = arena_printf(fixture->arena, "%s/lib/tile.h", intake.folder);
    assert_int_equal(file_read(fixture->arena, copy, 1000, BLAME_GRADER, &bytes, &length, NULL),
                     ERROR_NONE);
    assert_string_equal(bytes, "#define TILE 16\n");
}

static void given_files_replace_the_students(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;
    char *bytes = NULL;
    size_t length = 0;

    put(fixture, "student/tiled.cu", "int x;\n");
    put(fixture, "student/matmul.h", "#error mine\n");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    const char *copy = arena_printf(fixture->arena, "%s/matmul.h", intake.folder);
    assert_int_equal(file_read(fixture->arena, copy, 1000, BLAME_GRADER, &bytes, &length, NULL),
                     ERROR_NONE);
    assert_string_equal(bytes, "struct matmul_shape;\n");
}

static void a_folder_in_the_place_of_a_given_file_gives_way(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x;\n");
    folder(fixture, "student/matmul.h");
    put(fixture, "student/matmul.h/mine.h", "#error mine\n");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_true(file_exists(arena_printf(fixture->arena, "%s/matmul.h", intake.folder)));
}

static void links_and_hidden_files_are_left_out(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x;\n");
    put(fixture, "student/.secret.cu", "int s;\n");
    assert_int_equal(
        symlink("/etc/passwd", arena_printf(fixture->arena, "%s/passwd.cu", fixture->student)), 0);
    assert_int_equal(symlink("/etc", arena_printf(fixture->arena, "%s/etc", fixture->student)), 0);
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 1);
    assert_false(file_exists(arena_printf(fixture->arena, "%s/passwd.cu", intake.folder)));
    assert_false(folder_exists(arena_printf(fixture->arena, "%s/etc", intake.folder)));
}

static void the_hash_follows_names_and_contents(void **state)
{
    struct fixture *fixture = *state;
    struct intake first;
    struct intake second;
    struct intake third;

    put(fixture, "student/tiled.cu", "int x;\n");
    assert_int_equal(run_intake(fixture, &first, NULL), ERROR_NONE);
    assert_int_equal(run_intake(fixture, &second, NULL), ERROR_NONE);
    assert_string_equal(first.sha256, second.sha256);
    put(fixture, "student/tiled.cu", "int z;\n");
    assert_int_equal(run_intake(fixture, &third, NULL), ERROR_NONE);
    assert_string_not_equal(first.sha256, third.sha256);
}

static void a_folder_without_sources_names_them(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;
    struct diagnostic diagnostic = {0};

    put(fixture, "student/notes.txt", "hello\n");
    assert_int_equal(run_intake(fixture, &intake, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_non_null(strstr(diagnostic.message, "tiled.cu, dynamic.cu"));
}

static void what_is_no_text_is_copied_but_no_source(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x; // \xff\xfe\n");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 0);
    assert_true(file_exists(arena_printf(fixture->arena, "%s/tiled.cu", intake.folder)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(copies_sources_and_subfolders, setup, teardown),
        cmocka_unit_test_setup_teardown(given_files_replace_the_students, setup, teardown),
        cmocka_unit_test_setup_teardown(a_folder_in_the_place_of_a_given_file_gives_way, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(links_and_hidden_files_are_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(the_hash_follows_names_and_contents, setup, teardown),
        cmocka_unit_test_setup_teardown(a_folder_without_sources_names_them, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_text_is_copied_but_no_source, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
