/* test_class_list.c: folders as learning platforms export them. */
#include "batch/class_list.h"

#include "base/file.h"
#include "batch/loose_files.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena *arena;
static char *root;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return folder_make_temporary(arena, &root, NULL) == ERROR_NONE ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(root);
    arena_free(arena);
    return 0;
}

static const char *path_of(const char *name)
{
    return arena_printf(arena, "%s/%s", root, name);
}

static void make_folder(const char *name)
{
    assert_int_equal(folder_make(path_of(name), 0755, NULL), ERROR_NONE);
}

/* Makes a file and the folders that it lies in. */
static void make_file(const char *name, const char *text)
{
    char *folder = arena_strdup(arena, path_of(name));

    *strrchr(folder, '/') = '\0';
    assert_int_equal(folder_make(folder, 0755, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path_of(name), text, strlen(text), NULL), ERROR_NONE);
}

static struct class_list read_class(const char *name, const char *roster)
{
    const struct roster_source source = {.path = roster == NULL ? NULL : path_of(roster)};
    struct class_list list = {0};
    struct diagnostic diagnostic = {0};

    if (class_list_read(arena, path_of(name), roster == NULL ? NULL : &source, NULL, &list,
                        &diagnostic) != ERROR_NONE) {
        print_error("%s\n", diagnostic.message);
        fail();
    }
    return list;
}

/* "student|submission|path below the root or its files|time" of each entry, and the remarks. */
static void expect(const struct class_list *list, const char *expected)
{
    struct text all;

    text_init(&all);
    for (size_t i = 0; i < list->entry_count; i++) {
        const struct class_entry *entry = &list->entries[i];
        const char *path = entry->path;
        size_t skipped = loose_files_is(path) ? 0 : strlen(root) + 1;
        text_printf(&all, "%s|%s|%s%s|%lld\n", entry->student, entry->submission,
                    loose_files_is(path) ? "loose" : path + skipped, entry->is_folder ? "/" : "",
                    (long long)entry->submitted);
        assert_int_equal(strlen(entry->stamp), 64);
    }
    assert_string_equal(all.bytes, expected);
    text_release(&all);
}

static void expect_remark(const struct class_list *list, const char *part)
{
    for (size_t i = 0; i < list->remark_count; i++) {
        if (strstr(list->remarks[i], part) != NULL) {
            return;
        }
    }
    fail_msg("no remark with '%s'", part);
}

/* What loose files become, "name=content," in the order of `names`. */
static void expect_placed(const char *path, const char *const *wanted, const char *expected)
{
    static const char *const names[] = {"a.cu", "b.cu", "a-1.cu", "notes.txt", "anna.cu", NULL};
    const char *folder = path_of("placed");
    struct text all;

    text_init(&all);
    make_folder("placed");
    assert_int_equal(loose_files_place(arena, path, folder, wanted, NULL), ERROR_NONE);
    for (size_t i = 0; names[i] != NULL; i++) {
        char *bytes;
        size_t length;
        const char *file = arena_printf(arena, "%s/%s", folder, names[i]);
        if (file_read(arena, file, 1000, BLAME_USAGE, &bytes, &length, NULL) == ERROR_NONE) {
            text_printf(&all, "%s=%s,", names[i], bytes);
        }
    }
    folder_remove(folder);
    assert_string_equal(all.bytes, expected);
    text_release(&all);
}

static void test_folders(void **state)
{
    (void)state;
    make_file("c/zoe/lab.cu", "");
    make_file("c/anna/one/lab.cu", "");
    make_folder("c/empty");
    make_file("c/ben.zip", "");
    make_file("c/ben.tar.gz", "");
    make_file("c/carla.cu", "text");
    make_file("c/packed/lab.zip", "");
    make_file("c/packed/readme.txt", "");
    make_file("c/both/lab.zip", "");
    make_file("c/both/lab.cu", "");
    make_file("c/readme.txt", "");
    make_file("c/.hidden/lab.cu", "");
    make_file("c/results/gpugrade.sqlite", "");
    make_file("c/J\xC3\xB6rg \xFF/lab.cu", "");
    assert_int_equal(symlink("/etc", path_of("c/link")), 0);

    struct class_list list = read_class("c", NULL);
    assert_string_equal(list.shape, "folders");
    expect(&list, "J\xC3\xB6rg \\xFF|J\xC3\xB6rg \\xFF|c/J\xC3\xB6rg \xFF/|0\n"
                  "anna|anna|c/anna/|0\n"
                  "ben|ben.tar.gz|c/ben.tar.gz|0\n"
                  "ben|ben.zip|c/ben.zip|0\n"
                  "both|both|c/both/|0\n"
                  "carla|carla.cu|loose|0\n"
                  "empty|empty|c/empty/|0\n"
                  "packed|packed|c/packed/lab.zip|0\n"
                  "zoe|zoe|c/zoe/|0\n");
    assert_int_equal(list.remark_count, 3);
    expect_remark(&list, "'link' is a link");
    expect_remark(&list, "'results' contains results of gpugrade");
    expect_remark(&list, "'readme.txt' is skipped: expected a folder");
}

static void test_nothing_there(void **state)
{
    struct class_list list = {.entry_count = 7};
    struct diagnostic diagnostic = {0};

    (void)state;
    make_folder("void");
    make_file("flat", "");
    assert_int_equal(class_list_read(arena, path_of("void"), NULL, NULL, &list, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_non_null(strstr(diagnostic.message, "no submission in"));
    assert_int_equal(class_list_read(arena, path_of("absent"), NULL, NULL, &list, &diagnostic),
                     ERROR_NOT_FOUND);
    assert_int_equal(class_list_read(arena, path_of("flat"), NULL, NULL, &list, &diagnostic),
                     ERROR_IO);
    assert_non_null(strstr(diagnostic.message, "unpack the export"));
    assert_int_equal(list.entry_count, 7);
}

/* A stamp changes with the files, and with nothing else. */
static void test_stamp(void **state)
{
    (void)state;
    make_file("s/anna/lab.cu", "one");
    make_file("s/anna/in/deep.cuh", "x");
    const char *first = read_class("s", NULL).entries[0].stamp;
    make_file("s/anna/.git/config", "hidden");
    assert_string_equal(read_class("s", NULL).entries[0].stamp, first);
    make_file("s/anna/in/deep.cuh", "y");
    const char *changed = read_class("s", NULL).entries[0].stamp;
    assert_string_not_equal(changed, first);
    assert_int_equal(unlink(path_of("s/anna/in/deep.cuh")), 0);
    assert_string_not_equal(read_class("s", NULL).entries[0].stamp, changed);
    assert_string_not_equal(read_class("s", NULL).entries[0].stamp, first);
}

static const char metadata[] = "---\n"
                               "submission_12:\n"
                               "  :submitters:\n"
                               "  - :name: Jane Doe\n"
                               "    :sid: '007'\n"
                               "    :email: jane@x.edu\n"
                               "  - :name: 'Pat O''Neil'\n"
                               "    :email: pat@x.edu\n"
                               "  :created_at: 2026-04-26 17:34:00.861687000 Z\n"
                               "  :results:\n"
                               "    output: |-\n"
                               "      submission_99:\n"
                               "        :submitters:\n"
                               "        - :sid: '666'\n"
                               "    :submitters:\n"
                               "    - :sid: '667'\n"
                               "submission_13:\n"
                               "  :submitters: []\n"
                               "  :created_at: 2026-04-27 17:34:00 Z\n"
                               "submission_14:\n"
                               "  :submitters:\n"
                               "    - :sid: 42\n"
                               "      :name: \"J\\u00f6rg \\\"x\\\"\"\n"
                               "submission_15:\n"
                               "  :submitters:\n"
                               "  - :sid: 43\n";

static void test_gradescope(void **state)
{
    (void)state;
    make_file("g/assignment_1_export/submission_metadata.yml", metadata);
    make_file("g/results/gpugrade.sqlite", "");
    make_file("g/assignment_1_export/submission_12/lab.cu", "");
    make_file("g/assignment_1_export/submission_13/lab.cu", "");
    make_file("g/assignment_1_export/submission_14/lab.zip", "");
    make_file("g/assignment_1_export/submission_99/lab.cu", "");

    struct class_list list = read_class("g", NULL);
    assert_string_equal(list.shape, "gradescope");
    expect(&list, "007|submission_12|g/assignment_1_export/submission_12/|1777224840\n"
                  "42|submission_14|g/assignment_1_export/submission_14/lab.zip|0\n"
                  "pat@x.edu|submission_12 (2)|g/assignment_1_export/submission_12/|1777224840\n"
                  "submission_13|submission_13|g/assignment_1_export/submission_13/|1777311240\n"
                  "submission_99|submission_99|g/assignment_1_export/submission_99/|0\n");
    assert_string_equal(list.entries[0].name, "Jane Doe");
    assert_string_equal(list.entries[0].email, "jane@x.edu");
    assert_string_equal(list.entries[1].name, "J\xC3\xB6rg \"x\"");
    assert_string_equal(list.entries[2].name, "Pat O'Neil");
    assert_int_equal(list.remark_count, 2);
    expect_remark(&list, "'submission_15' is listed in submission_metadata.yml, but it is missing");
    expect_remark(&list, "'submission_99' is not listed");
}

/* An id that two people have, and a copy of a folder that is called as a group's second member. */
static void test_gradescope_mixed(void **state)
{
    (void)state;
    make_file("g/submission_metadata.yml", "submission_12:\n"
                                           "  :submitters:\n"
                                           "  - :sid: 7\n"
                                           "    :email: jane@x.edu\n"
                                           "  - :sid: 8\n"
                                           "    :email: pat@x.edu\n"
                                           "submission_13:\n"
                                           "  :submitters:\n"
                                           "  - :sid: 7\n"
                                           "    :email: eve@x.edu\n"
                                           "submission_14:\n"
                                           "  :submitters:\n"
                                           "  - :sid: 8\n"
                                           "    :email: Pat@x.edu\n");
    make_file("g/submission_12/lab.cu", "");
    make_file("g/submission_12 (2)/lab.cu", "");
    make_file("g/submission_13/lab.cu", "");
    make_file("g/submission_14/lab.cu", "");

    struct class_list list = read_class("g", NULL);
    assert_int_equal(list.entry_count, 5);
    expect(&list, "7|submission_12|g/submission_12/|0\n"
                  "7|submission_13|g/submission_13/|0\n"
                  "8|submission_12 (3)|g/submission_12/|0\n"
                  "8|submission_14|g/submission_14/|0\n"
                  "submission_12 (2)|submission_12 (2)|g/submission_12 (2)/|0\n");
    assert_int_equal(list.remark_count, 2);
    expect_remark(&list, "count as attempts of one student, '7'");
    expect_remark(&list, "'submission_12 (2)' is not listed");
}

static void test_gradescope_damaged(void **state)
{
    struct class_list list;
    struct diagnostic diagnostic = {0};

    (void)state;
    make_file("g/submission_metadata.yml", "<html>\n");
    make_folder("g/submission_12");
    assert_int_equal(class_list_read(arena, path_of("g"), NULL, NULL, &list, &diagnostic),
                     ERROR_SYNTAX);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_non_null(strstr(diagnostic.message, "no submission is listed"));
}

static void test_moodle(void **state)
{
    (void)state;
    make_file("m/Jane Doe_11_assignsubmission_file/lab.zip", "");
    make_file("m/Jim Beam_12_assignsubmission_file_/a.cu", "");
    make_file("m/Ann_Lee_13_assignsubmission_file_a_1.cu", "");
    make_file("m/Ann_Lee_13_assignsubmission_file_b.cu", "");
    make_file("m/Participant_14_assignsubmission_file_lab.tar.gz", "");
    make_file("m/Jane Doe_11_assignsubmission_onlinetext/onlinetext.html", "");
    make_file("m/grades.csv", "");

    struct class_list list = read_class("m", NULL);
    assert_string_equal(list.shape, "moodle");
    expect(&list, "Ann_Lee_13|Ann_Lee_13|loose|0\n"
                  "Jane Doe_11|Jane Doe_11_assignsubmission_file|"
                  "m/Jane Doe_11_assignsubmission_file/lab.zip|0\n"
                  "Jim Beam_12|Jim Beam_12_assignsubmission_file_|"
                  "m/Jim Beam_12_assignsubmission_file_/|0\n"
                  "Participant_14|Participant_14|"
                  "m/Participant_14_assignsubmission_file_lab.tar.gz|0\n");
    assert_string_equal(list.entries[1].name, "Jane Doe");
    assert_string_equal(list.entries[1].moodle_id, "Participant 11");
    assert_string_equal(list.entries[3].name, "");
    assert_true(text_starts_with(list.entries[0].path, "a_1.cu\t/"));
    assert_int_equal(list.remark_count, 2);
    expect_remark(&list, "onlinetext' is skipped");
}

/* Two of one name, of whom the roster has one. */
static void test_moodle_mixed(void **state)
{
    (void)state;
    make_file("m/Jane Doe_11_assignsubmission_file/lab.zip", "");
    make_file("m/Jane Doe_12_assignsubmission_file/lab.zip", "");
    make_file("roster.csv", "id,name\n7,Jane Doe\n");

    struct class_list list = read_class("m", "roster.csv");
    assert_int_equal(list.entry_count, 2);
    assert_string_equal(list.entries[1].student, "7");
    assert_int_equal(list.remark_count, 1);
    expect_remark(&list, "count as attempts of one student, '7'");
}

static void test_canvas(void **state)
{
    static const char *const wanted[] = {"a.cu", "b.cu", NULL};

    (void)state;
    make_file("v/doejane_101_900_lab.zip", "");
    make_file("v/doejane_101_901_lab-1.zip", "");
    make_file("v/beamjim_LATE_102_902_a-1.cu", "new a");
    make_file("v/beamjim_LATE_102_903_notes.txt", "");
    make_file("v/beamjim_LATE_102_904_b.cu", "b");
    make_file("v/o_hara_103_905_lab_5_6_x.zip", "");
    make_file("v/anon_aB3xY_906_lab.zip", "");
    make_file("v/LATE_anon_zz9_907_lab.zip", "");
    make_file("v/webbmia_108_text.html", "");

    struct class_list list = read_class("v", NULL);
    assert_string_equal(list.shape, "canvas");
    expect(&list, "anon_aB3xY|anon_aB3xY|v/anon_aB3xY_906_lab.zip|0\n"
                  "anon_zz9|anon_zz9|v/LATE_anon_zz9_907_lab.zip|0\n"
                  "beamjim_102|beamjim_102|loose|0\n"
                  "doejane_101|doejane_101|v/doejane_101_901_lab-1.zip|0\n"
                  "o_hara_103|o_hara_103|v/o_hara_103_905_lab_5_6_x.zip|0\n");
    assert_string_equal(list.entries[0].name, "");
    assert_string_equal(list.entries[2].canvas_id, "102");
    assert_string_equal(list.entries[4].name, "o_hara");
    expect_remark(&list, "'beamjim_102' is marked LATE");
    expect_remark(&list, "'anon_zz9' is marked LATE");
    expect_remark(&list, "'doejane_101' has 2 archives; the newest, 'doejane_101_901_lab-1.zip'");
    expect_remark(&list, "'webbmia_108_text.html' is skipped");
    assert_int_equal(list.remark_count, 4);
    expect_placed(list.entries[2].path, wanted, "a.cu=new a,b.cu=b,notes.txt=,");
}

/* One file that is called otherwise makes it no export of Canvas. */
static void test_no_canvas(void **state)
{
    (void)state;
    make_file("v/doejane_101_900_lab.zip", "");
    make_file("v/other.zip", "");
    assert_string_equal(read_class("v", NULL).shape, "folders");
}

static void test_github(void **state)
{
    (void)state;
    make_file("lab-6-submissions/lab-6-jane/.git/config", "[core]\n\tfsmonitor = touch /tmp/x\n");
    make_file("lab-6-submissions/lab-6-jane/a.cu", "");
    make_file("lab-6-submissions/lab-6-jim-beam/.git", "gitdir: /etc");
    make_file("lab-6-submissions/roster.csv", "");

    struct class_list list = read_class("lab-6-submissions", NULL);
    assert_string_equal(list.shape, "github-classroom");
    expect(&list, "jane|lab-6-jane|lab-6-submissions/lab-6-jane/|0\n"
                  "jim-beam|lab-6-jim-beam|lab-6-submissions/lab-6-jim-beam/|0\n");
    assert_string_equal(list.entries[1].login, "jim-beam");
    expect_remark(&list, "'roster.csv' is skipped: expected a student's repository");
    make_folder("other");
    assert_int_equal(rename(path_of("lab-6-submissions"), path_of("other/x")), 0);
    list = read_class("other", NULL); /* entered; the name is what both have in common */
    expect(&list, "jane|lab-6-jane|other/x/lab-6-jane/|0\n"
                  "jim-beam|lab-6-jim-beam|other/x/lab-6-jim-beam/|0\n");
}

static void test_loose_names(void **state)
{
    static const char *const both[] = {"a.cu", "b.cu", NULL};
    static const char *const copy[] = {"a-1.cu", NULL};
    static const char *const sole[] = {"a.cu", NULL};
    struct text path;

    (void)state;
    make_file("l/1", "1");
    make_file("l/2", "2");
    make_file("l/3", "3");
    text_init(&path);
    assert_true(loose_files_append(&path, "a-1.cu", path_of("l/1")));
    assert_true(loose_files_append(&path, "a-10.cu", path_of("l/2")));
    assert_true(loose_files_append(&path, "b (2).cu", path_of("l/3")));
    assert_true(loose_files_is(path.bytes));
    expect_placed(path.bytes, both, "a.cu=2,b.cu=3,a-1.cu=1,");
    expect_placed(path.bytes, copy, "a-1.cu=1,"); /* it is called so by the coursework */
    assert_true(loose_files_append(&path, "a.cu", path_of("l/3")));
    expect_placed(path.bytes, both, "a.cu=3,b.cu=3,a-1.cu=1,");
    text_clear(&path);
    assert_true(loose_files_append(&path, "anna.cu", path_of("l/2")));
    expect_placed(path.bytes, sole, "a.cu=2,");
    expect_placed(path.bytes, both, "anna.cu=2,");
    assert_true(loose_files_append(&path, "a.cu", "/of\tmine/a.cu"));
    assert_false(loose_files_append(&path, "a.cu", "/of\nmine/a.cu"));
    assert_false(loose_files_append(&path, "..", path_of("l/2")));
    assert_false(loose_files_append(&path, "a\tb", path_of("l/2")));
    assert_false(loose_files_append(&path, "a/b", path_of("l/2")));
    assert_false(loose_files_is("/tmp/anna"));
    expect_placed("../x\t/etc/passwd\n", both, ""); /* a damaged store leads nowhere */
    text_release(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stamp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gradescope, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gradescope_mixed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_gradescope_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_moodle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_moodle_mixed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_canvas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_canvas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_github, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loose_names, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
