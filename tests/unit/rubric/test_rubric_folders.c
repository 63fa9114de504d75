/* test_rubric_folders.c: whose reference/ a rubric goes by, beside gpugrade's own, in files,
 * overlays and stored texts; and which of these files change what it sees.
 */
#include "base/file.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two roots: gpugrade's, with the coursework `given`, and a course of its own, with `scale`. */
struct fixture {
    struct arena *arena;
    char *folder;
    const char *root, *own;
    const char *rubric; /* valid/whole.json, whose id is scale */
};

static const char *put(struct fixture *fixture, const char *folder, const char *name,
                       const char *text)
{
    const char *path = arena_printf(fixture->arena, "%s/%s", folder, name);
    const char *parent = arena_strndup(fixture->arena, path, (size_t)(strrchr(path, '/') - path));

    assert_int_equal(folder_make(parent, 0700, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    return path;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct arena *arena = arena_new();
    char *bytes = NULL;
    char *resolved;
    size_t length = 0;

    fixture->arena = arena;
    assert_int_equal(folder_make_temporary(arena, &fixture->folder, NULL), ERROR_NONE);
    resolved = realpath(fixture->folder, NULL);
    fixture->root = arena_printf(arena, "%s/root", resolved);
    fixture->own = arena_printf(arena, "%s/my course", resolved);
    free(resolved);
    assert_int_equal(file_read(arena, GPUGRADE_SOURCE_DIR "/tests/rubrics/valid/whole.json",
                               1 << 20, BLAME_GRADER, &bytes, &length, NULL),
                     ERROR_NONE);
    fixture->rubric = bytes;
    put(fixture, fixture->root, "reference/common/sums.h", "root");
    put(fixture, fixture->own, "reference/scale/oracle.c", "oracle");
    put(fixture, fixture->own, "rubrics/scale.json", bytes);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(fixture->folder);
    arena_free(fixture->arena);
    free(fixture);
    return 0;
}

static const struct rubric *load(struct fixture *fixture, const char *path)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};

    if (rubric_load(fixture->arena, path, fixture->root, &rubric, &diagnostic) != ERROR_NONE) {
        fail_msg("%s:%d:%d: %s", path, diagnostic.line, diagnostic.column, diagnostic.message);
    }
    return rubric;
}

static const struct rubric *load_own(struct fixture *fixture)
{
    return load(fixture, arena_printf(fixture->arena, "%s/rubrics/scale.json", fixture->own));
}

static void assert_below(struct fixture *fixture, const char *path, const char *root,
                         const char *rest)
{
    assert_string_equal(path, arena_printf(fixture->arena, "%s/%s", root, rest));
}

/* What students type: the place is theirs to say, and a shell asks for it. */
static const char own_options[] =
    "--rubric \"${COURSE:?the folder of this course}\"/rubrics/scale.json";

static void a_course_of_its_own_is_found(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric = load_own(fixture);

    assert_below(fixture, rubric->reference_folder, fixture->own, "reference/scale");
    assert_below(fixture, rubric->template_folder, fixture->own, "student_template/scale");
    assert_below(fixture, rubric->include_folder, fixture->root, "grader");
    assert_below(fixture, rubric->common_folder, fixture->root, "reference/common");
    assert_string_equal(rubric->public_options, own_options);
    put(fixture, fixture->own, "reference/common/own.h", "x");
    assert_below(fixture, load_own(fixture)->common_folder, fixture->own, "reference/common");
}

static void a_rubric_elsewhere_goes_by_the_root(void **state)
{
    struct fixture *fixture = *state;
    static const char *const places[] = {"rubrics/deeper/scale.json", "scale.json",
                                         "my_rubrics/scale.json"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const struct rubric *rubric =
            load(fixture, put(fixture, fixture->own, places[i], fixture->rubric));
        assert_below(fixture, rubric->reference_folder, fixture->root, "reference/scale");
        assert_string_equal(rubric->public_options, "");
        assert_string_equal(rubric->whole_text, fixture->rubric);
    }
}

static void without_a_reference_the_root_has_it(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(arena_printf(fixture->arena, "%s/reference/scale", fixture->own));
    put(fixture, fixture->root, "reference/scale/oracle.c", "oracle");
    const struct rubric *rubric = load_own(fixture);
    assert_below(fixture, rubric->reference_folder, fixture->root, "reference/scale");
    assert_below(fixture, rubric->template_folder, fixture->root, "student_template/scale");
    assert_string_equal(rubric->whole_text, fixture->rubric);
}

/* A misspelt id: what is missing is missing in the course, not in what gpugrade comes with. */
static void without_any_reference_the_course_lacks_it(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(arena_printf(fixture->arena, "%s/reference/scale", fixture->own));
    const struct rubric *rubric = load_own(fixture);
    assert_below(fixture, rubric->reference_folder, fixture->own, "reference/scale");
    assert_below(fixture, rubric->template_folder, fixture->own, "student_template/scale");
}

static void the_roots_own_rubric_needs_no_folder(void **state)
{
    struct fixture *fixture = *state;
    const char *path = put(fixture, fixture->root, "rubrics/scale.json", fixture->rubric);

    put(fixture, fixture->root, "reference/scale/oracle.c", "oracle");
    const struct rubric *rubric = load(fixture, path);
    assert_below(fixture, rubric->reference_folder, fixture->root, "reference/scale");
    assert_string_equal(rubric->whole_text, fixture->rubric);
    assert_string_equal(rubric->public_options, "");
}

static const char hides[] =
    "{ \"schema\": \"gpugrade/rubric/v1\", \"extends\": \"scale\", \"cases\": [{ \"id\": \"h\", "
    "\"n\": 2, \"m\": 3, \"k\": 1, \"edge\": 16, \"hidden\": true }] }";

/* Of an overlay the file counts that extends nothing. */
static void an_overlay_goes_by_what_it_extends(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric =
        load(fixture, put(fixture, fixture->own, "rubrics/autumn.json", hides));

    assert_int_equal(rubric->hidden_case_count, 1);
    assert_below(fixture, rubric->reference_folder, fixture->own, "reference/scale");
    assert_string_equal(rubric->public_options, own_options);
    const char *elsewhere = arena_printf(
        fixture->arena,
        "{ \"schema\": \"gpugrade/rubric/v1\", \"extends\": \"%s/rubrics/scale.json\" }",
        fixture->own);
    rubric = load(fixture, put(fixture, fixture->root, "rubrics/other.json", elsewhere));
    assert_below(fixture, rubric->reference_folder, fixture->own, "reference/scale");
}

/* A coursework of the root comes before one beside the overlay. */
static void an_id_names_the_roots_coursework_first(void **state)
{
    struct fixture *fixture = *state;

    put(fixture, fixture->root, "rubrics/scale.json", fixture->rubric);
    const struct rubric *rubric =
        load(fixture, put(fixture, fixture->own, "rubrics/autumn.json", hides));
    assert_below(fixture, rubric->reference_folder, fixture->root, "reference/scale");
    assert_string_equal(rubric->public_options, "--coursework scale");
}

static void assert_same(const struct rubric *left, const struct rubric *right)
{
    assert_string_equal(left->sha256, right->sha256);
    assert_string_equal(left->evidence_sha256, right->evidence_sha256);
    assert_string_equal(left->reference_folder, right->reference_folder);
    assert_string_equal(left->template_folder, right->template_folder);
    assert_string_equal(left->include_folder, right->include_folder);
    assert_string_equal(left->common_folder, right->common_folder);
    assert_string_equal(left->public_options, right->public_options);
    assert_string_equal(left->whole_text, right->whole_text);
}

static enum error parse_whole(struct fixture *fixture, const struct rubric *rubric,
                              const struct rubric **out_again, struct diagnostic *diagnostic)
{
    return rubric_parse(fixture->arena, rubric->whole_text, rubric->whole_length,
                        "rubric of RESULTS", fixture->root, out_again, diagnostic);
}

static void the_stored_text_finds_the_folders(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *const rubrics[] = {
        load_own(fixture),
        load(fixture, put(fixture, fixture->own, "rubrics/autumn.json", hides)),
    };
    const struct rubric *again = NULL;
    struct diagnostic diagnostic = {0};

    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(parse_whole(fixture, rubrics[i], &again, &diagnostic), ERROR_NONE);
        assert_same(rubrics[i], again);
    }
    folder_remove(arena_printf(fixture->arena, "%s/reference", fixture->own));
    assert_int_equal(parse_whole(fixture, rubrics[0], &again, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_non_null(strstr(diagnostic.message, "reference/scale"));
    assert_non_null(strstr(diagnostic.message, "put it back"));
}

static void a_stored_folder_is_an_absolute_path(void **state)
{
    struct fixture *fixture = *state;
    static const char *const folders[] = {"3", "\"here\"", "\"\"", "null"};

    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const char *text = arena_printf(fixture->arena,
                                        "{ \"schema\": \"gpugrade/rubric-files/v1\", \"folder\": "
                                        "%s, \"files\": [{ \"path\": \"a\", \"text\": \"{}\" }] }",
                                        folders[i]);
        const struct rubric *rubric = NULL;
        struct diagnostic diagnostic = {0};
        assert_int_equal(rubric_parse(fixture->arena, text, strlen(text), "stored", fixture->root,
                                      &rubric, &diagnostic),
                         ERROR_SYNTAX);
        assert_non_null(strstr(diagnostic.message, "'folder' must be the path of a folder"));
    }
}

/* What an oracle may be made of decides what is seen; notes beside it do not. */
static void files_of_the_oracle_change_the_evidence(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *name, *text;
        bool in_root, counts;
    } rows[] = {
        {"reference/scale/oracle.c", "other", false, true},
        {"reference/scale/helper.h", "new", false, true},
        {"reference/scale/README.md", "notes", false, false},
        {"reference/common/sums.h", "other", true, true},
        {"reference/common/more.h", "new", true, true},
        {"reference/common/notes.txt", "notes", true, false},
        {"reference/common/first.h", "instead", false, true},
        {"reference/common/sums.h", "unseen", true, false},
        {"student_template/scale/scale.h", "given", false, true},
        {"reference/scale/main.cu", "harness", false, true},
    };
    const char *before = load_own(fixture)->evidence_sha256;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(fixture, rows[i].in_root ? fixture->root : fixture->own, rows[i].name, rows[i].text);
        const char *after = load_own(fixture)->evidence_sha256;
        if ((strcmp(before, after) != 0) != rows[i].counts) {
            fail_msg("row %zu: %s", i, rows[i].name);
        }
        before = after;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_course_of_its_own_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rubric_elsewhere_goes_by_the_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_reference_the_root_has_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_any_reference_the_course_lacks_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_roots_own_rubric_needs_no_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_overlay_goes_by_what_it_extends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_id_names_the_roots_coursework_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_stored_text_finds_the_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stored_folder_is_an_absolute_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_of_the_oracle_change_the_evidence, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
