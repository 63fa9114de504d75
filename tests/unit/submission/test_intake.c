/* test_intake.c: a student's folder comes in. */
#include "base/file.h"
#include "submission/intake.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
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
    int runs;
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

/* Reads the student's folder and puts it into a new work folder. */
static enum error run_intake(struct fixture *fixture, struct intake *out_intake,
                             struct diagnostic *diagnostic)
{
    const struct intake_source source = {.shown = "student", .path = fixture->student};
    const char *work = arena_printf(fixture->arena, "work-%d", fixture->runs++);
    struct intake_files files;

    folder(fixture, work);
    enum error error = intake_read(fixture->arena, &source, &files, diagnostic);
    return error != ERROR_NONE
               ? error
               : intake_place(fixture->arena, &fixture->rubric, &files,
                              arena_printf(fixture->arena, "%s/%s", fixture->top, work), out_intake,
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
    assert_int_equal(intake.remark_count, 2);
    assert_non_null(strstr(intake.remarks[0].message, "'etc' is a symbolic link"));
    assert_non_null(strstr(intake.remarks[1].message, "'passwd.cu' is a symbolic link"));
}

/* An entry of the student's folder, its name as it stands. */
static const char *student_path(struct fixture *fixture, const char *name)
{
    return arena_printf(fixture->arena, "%s/%s", fixture->student, name);
}

static void pipes_and_sockets_are_left_out_at_once(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x;\n");
    assert_int_equal(mkfifo(student_path(fixture, "pipe.cu"), 0644), 0);
    assert_int_equal(mknod(student_path(fixture, "socket.cu"), S_IFSOCK | 0644, 0), 0);
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 1);
    assert_int_equal(intake.remark_count, 2);
    assert_non_null(strstr(intake.remarks[0].message, "a named pipe"));
    assert_non_null(strstr(intake.remarks[1].message, "a socket"));
}

/* The entry refuses the whole folder, with these words. */
static void refuses(struct fixture *fixture, enum error expected, const char *words)
{
    struct diagnostic diagnostic = {0};
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x;\n");
    assert_int_equal(run_intake(fixture, &intake, &diagnostic), expected);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    if (strstr(diagnostic.message, words) == NULL) {
        fail_msg("'%s' is not in: %s", words, diagnostic.message);
    }
}

static void a_sparse_file_counts_as_what_it_seems(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, "student/data.bin", "");
    assert_int_equal(truncate(student_path(fixture, "data.bin"), (off_t)1 << 40), 0);
    refuses(fixture, ERROR_LIMIT, "'data.bin' is too large: a file may have at most 16 MiB");
}

static void all_files_together_have_a_limit(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i < 5; i++) {
        const char *name = arena_printf(fixture->arena, "student/data%d.bin", i);
        put(fixture, name, "");
        assert_int_equal(truncate(student_path(fixture, path_name(name)), 15 << 20), 0);
    }
    refuses(fixture, ERROR_LIMIT, "makes the submission too large: it may have at most 64 MiB");
}

static void many_files_are_refused(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i <= INTAKE_FILES_MAX; i++) {
        int fd = open(student_path(fixture, arena_printf(fixture->arena, "f%d", i)),
                      O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        assert_true(fd >= 0);
        close(fd);
    }
    refuses(fixture, ERROR_LIMIT, "one file too many: a submission may have at most 2000");
}

static void deep_folders_are_refused(void **state)
{
    struct fixture *fixture = *state;
    const char *name = "student";

    for (int i = 0; i < 10; i++) {
        name = arena_printf(fixture->arena, "%s/d", name);
        folder(fixture, name);
    }
    refuses(fixture, ERROR_SYNTAX, "lies more than 8 folders deep");
}

static void names_that_do_not_show_are_refused(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, "student/a\033[2J.cu", "");
    refuses(fixture, ERROR_SYNTAX, "'a\\x1B[2J.cu' has control characters");
    assert_int_equal(unlink(student_path(fixture, "a\033[2J.cu")), 0);
    put(fixture, "student/caf\xe9.cu", "");
    refuses(fixture, ERROR_SYNTAX, "'caf\\xE9.cu' has a name that is not UTF-8");
    assert_int_equal(unlink(student_path(fixture, "caf\xe9.cu")), 0);
    put(fixture, "student/a\\b.cu", "");
    refuses(fixture, ERROR_SYNTAX, "has a backslash in its name");
}

static void names_that_are_one_elsewhere_are_refused(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, "student/Tiled.cu", "");
    refuses(fixture, ERROR_SYNTAX,
            "'Tiled.cu' and 'tiled.cu' are the same name on Windows or macOS; rename one of them");
    assert_int_equal(unlink(student_path(fixture, "Tiled.cu")), 0);
    put(fixture, "student/caf\xc3\xa9.h", "");
    put(fixture, "student/CAFE\xcc\x81.h", "");
    refuses(fixture, ERROR_SYNTAX, "are the same name on Windows or macOS");
}

static void what_is_hidden_may_be_called_anything(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x;\n");
    put(fixture, "student/.caf\xe9", "");
    folder(fixture, "student/.git");
    put(fixture, "student/.git/A", "");
    put(fixture, "student/.git/a", "");
    folder(fixture, "student/__MACOSX");
    put(fixture, "student/__MACOSX/tiled.cu", "");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 1);
    assert_int_equal(intake.remark_count, 0);
}

static void an_empty_source_is_a_source(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 1);
    assert_int_equal(intake.sources[0].length, 0);
}

/* Two threads: one exchanges a file for a link to a secret, the other reads the folder. */
struct exchange {
    const char *name, *link;
    atomic_bool stop;
};

static void *exchange_thread(void *context)
{
    struct exchange *exchange = context;

    while (!atomic_load(&exchange->stop)) {
        renameat2(AT_FDCWD, exchange->link, AT_FDCWD, exchange->name, RENAME_EXCHANGE);
    }
    return NULL;
}

static void a_link_put_there_meanwhile_is_not_followed(void **state)
{
    enum { ROUNDS = 300 };
    struct fixture *fixture = *state;
    struct exchange exchange = {
        .name = student_path(fixture, "tiled.cu"),
        .link = student_path(fixture, ".link"),
    };
    pthread_t thread;

    put(fixture, "secret", "the secret\n");
    put(fixture, "student/tiled.cu", "int x;\n");
    put(fixture, "student/dynamic.cu", "int y;\n");
    assert_int_equal(symlink("../secret", exchange.link), 0);
    assert_int_equal(pthread_create(&thread, NULL, exchange_thread, &exchange), 0);
    for (int i = 0; i < ROUNDS; i++) {
        struct intake_files files;
        const struct intake_source source = {.shown = "student", .path = fixture->student};
        struct arena *arena = arena_new();
        assert_int_equal(intake_read(arena, &source, &files, NULL), ERROR_NONE);
        const struct intake_file *file = intake_find(&files, "tiled.cu");
        assert_true(file == NULL || strcmp(file->bytes, "int x;\n") == 0);
        assert_true(file != NULL || files.stray_count > 0 || files.count == 1);
        arena_free(arena);
    }
    atomic_store(&exchange.stop, true);
    pthread_join(thread, NULL);
}

static void the_only_folder_is_entered(void **state)
{
    struct fixture *fixture = *state;
    const struct intake_source source = {.shown = "student", .path = fixture->student};
    struct intake_files files;

    folder(fixture, "student/lab3");
    folder(fixture, "student/lab3/src");
    put(fixture, "student/lab3/src/tiled.cu", "int x;\n");
    assert_int_equal(symlink("/", student_path(fixture, "lab3/src/root")), 0);
    assert_int_equal(intake_read(fixture->arena, &source, &files, NULL), ERROR_NONE);
    assert_true(intake_enter(fixture->arena, &files));
    assert_true(intake_enter(fixture->arena, &files));
    assert_false(intake_enter(fixture->arena, &files));
    assert_non_null(intake_find(&files, "tiled.cu"));
    assert_string_equal(intake_in_place_of(&files, "root"), "a symbolic link");
    assert_string_equal(files.shown, "student/lab3/src");
    put(fixture, "student/notes.txt", "");
    assert_int_equal(intake_read(fixture->arena, &source, &files, NULL), ERROR_NONE);
    assert_false(intake_enter(fixture->arena, &files));
    assert_string_equal(intake_in_place_of(&files, "lab3"), "a folder");
    assert_string_equal(intake_in_place_of(&files, "lab"), "");
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

static void what_is_no_utf8_is_read_with_marks(void **state)
{
    struct fixture *fixture = *state;
    struct intake intake;

    put(fixture, "student/tiled.cu", "int x; // \xff\xfe\n");
    assert_int_equal(run_intake(fixture, &intake, NULL), ERROR_NONE);
    assert_int_equal(intake.source_count, 1);
    assert_string_equal(intake.sources[0].text, "int x; // ??\n");
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
        cmocka_unit_test_setup_teardown(pipes_and_sockets_are_left_out_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_sparse_file_counts_as_what_it_seems, setup, teardown),
        cmocka_unit_test_setup_teardown(all_files_together_have_a_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(many_files_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(deep_folders_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(names_that_do_not_show_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(names_that_are_one_elsewhere_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_hidden_may_be_called_anything, setup, teardown),
        cmocka_unit_test_setup_teardown(an_empty_source_is_a_source, setup, teardown),
        cmocka_unit_test_setup_teardown(a_link_put_there_meanwhile_is_not_followed, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_only_folder_is_entered, setup, teardown),
        cmocka_unit_test_setup_teardown(the_hash_follows_names_and_contents, setup, teardown),
        cmocka_unit_test_setup_teardown(a_folder_without_sources_names_them, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_utf8_is_read_with_marks, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
