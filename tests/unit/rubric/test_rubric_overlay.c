/* test_rubric_overlay.c: what an overlay and the rubric that it extends come to, what students may
 * know of it, and whose file a mistake is told in. Mistakes of overlays alone are rows of
 * tests/rubrics/invalid.
 */
#include "base/file.h"
#include "model/case.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define SCHEMA "{ \"schema\": \"gpugrade/rubric/v1\", "

struct fixture {
    struct arena *arena;
    char *folder; /* holds base.json, a copy of tests/rubrics/valid/speedup.json */
    const char *base;
    size_t base_length;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    char *bytes = NULL;

    fixture.arena = arena_new();
    assert_int_equal(folder_make_temporary(fixture.arena, &fixture.folder, NULL), ERROR_NONE);
    assert_int_equal(file_read(fixture.arena,
                               GPUGRADE_SOURCE_DIR "/tests/rubrics/valid/speedup.json", 1 << 20,
                               BLAME_GRADER, &bytes, &fixture.base_length, NULL),
                     ERROR_NONE);
    fixture.base = bytes;
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(fixture->folder);
    arena_free(fixture->arena);
    return 0;
}

static const char *put(struct fixture *fixture, const char *name, const char *text)
{
    const char *path = arena_printf(fixture->arena, "%s/%s", fixture->folder, name);

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
    return path;
}

static const struct rubric *load(struct fixture *fixture, const char *overlay)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};

    put(fixture, "base.json", fixture->base);
    const char *path = put(fixture, "overlay.json", overlay);
    if (rubric_load(fixture->arena, path, "/root", &rubric, &diagnostic) != ERROR_NONE) {
        fail_msg("%s:%d:%d: %s", diagnostic.file, diagnostic.line, diagnostic.column,
                 diagnostic.message);
    }
    return rubric;
}

/* Loads what must not load; the message lies in *out_diagnostic. */
static enum error refuse(struct fixture *fixture, const char *overlay,
                         struct diagnostic *out_diagnostic)
{
    const struct rubric *rubric = NULL;
    const char *path = put(fixture, "overlay.json", overlay);

    memset(out_diagnostic, 0, sizeof *out_diagnostic);
    enum error error = rubric_load(fixture->arena, path, "/root", &rubric, out_diagnostic);
    assert_null(rubric);
    assert_int_equal(out_diagnostic->blame, BLAME_RUBRIC);
    return error;
}

static void entries_are_added_behind_the_others(void **state)
{
    const struct rubric *rubric =
        load(*state, SCHEMA
             "\"extends\": \"base.json\", \"cases\": [{ \"id\": \"h\", \"n\": 7, \"m\": 3, "
             "\"hidden\": true }, { \"id\": \"v\", \"n\": 6, \"m\": 2 }], \"criteria\": [{ \"id\": "
             "\"r\", \"kind\": \"race-free\", \"title\": \"r\", \"points\": 7, \"launch\": \"l\", "
             "\"hidden\": true }, { \"id\": \"c\", \"kind\": \"correct\", \"title\": \"c\", "
             "\"points\": 0.5, \"launch\": \"l\" }] }");

    assert_int_equal(rubric->case_count, 3);
    assert_int_equal(rubric->hidden_case_count, 1);
    assert_string_equal(rubric->cases[0].id, "c");
    assert_string_equal(rubric->cases[1].id, "v"); /* hidden ones stand last */
    assert_string_equal(rubric->cases[2].id, "h");
    assert_true(rubric->cases[2].hidden);
    assert_int_equal(rubric->criterion_count, 4);
    assert_int_equal(rubric->hidden_criterion_count, 1);
    assert_string_equal(rubric->criteria[0].id, "compile");
    assert_string_equal(rubric->criteria[1].id, "s");
    assert_string_equal(rubric->criteria[2].id, "c");
    assert_string_equal(rubric->criteria[3].id, "r");
    assert_true(rubric->criteria[3].points == 7);
    assert_true(rubric_hides(rubric));
    assert_int_equal(rubric->hints, HINTS_EXPLAIN);
    assert_string_equal(rubric->title, "Copy");
    assert_string_equal(rubric->id, "copy");
    assert_int_equal(rubric->version, 1);
}

static void keys_are_changed_and_entries_removed(void **state)
{
    const struct rubric *rubric =
        load(*state, SCHEMA
             "\"extends\": \"base.json\", \"version\": 5, \"title\": \"T\", \"hints\": \"locate\", "
             "\"limits\": { \"program_seconds\": 3 }, \"cases\": [{ \"id\": \"c\", \"m\": 9 }], "
             "\"criteria\": [{ \"id\": \"compile\", \"points\": 12 }, { \"id\": \"s\", "
             "\"points\": 0 }] }");

    assert_int_equal(rubric->version, 5);
    assert_string_equal(rubric->title, "T");
    assert_int_equal(rubric->hints, HINTS_LOCATE);
    assert_true(rubric->limits.program_wall_ns == UINT64_C(3000000000));
    assert_true(rubric->limits.device_memory_bytes == 64 << 20); /* of the base */
    assert_int_equal(rubric->case_count, 1);
    assert_int_equal(rubric->cases[0].values[0].maximum, 4);
    assert_int_equal(rubric->cases[0].values[1].maximum, 9);
    assert_int_equal(rubric->criterion_count, 1);
    assert_true(rubric->criteria[0].points == 12);
    assert_string_equal(rubric->criteria[0].title, "compiles");
    assert_false(rubric_hides(rubric));
}

static void a_criterion_with_a_kind_replaces_another(void **state)
{
    const struct rubric *rubric =
        load(*state, SCHEMA "\"extends\": \"base.json\", \"criteria\": [{ \"id\": \"s\", \"kind\": "
                            "\"correct\", \"title\": \"c\", \"points\": 2, \"launch\": \"l\" }] }");

    assert_int_equal(rubric->criterion_count, 2);
    assert_int_equal(rubric->criteria[1].kind, CRITERION_CORRECT);
    assert_null(rubric->criteria[1].full_marks);
}

static void what_is_only_hidden_leaves_the_public_text_alone(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric = load(
        fixture, SCHEMA "\"extends\": \"base.json\", \"salt\": \"canary\", \"cases\": [{ \"id\": "
                        "\"canary\", \"n\": 7, \"m\": 3, \"hidden\": true }], \"criteria\": [{ "
                        "\"id\": \"canary\", \"kind\": \"compile\", \"title\": \"canary\", "
                        "\"points\": 7, \"hidden\": true }] }");
    char base_hash[65];

    hash_bytes(fixture->base, fixture->base_length, base_hash);
    assert_int_equal(rubric->public_length, fixture->base_length);
    assert_memory_equal(rubric->public_text, fixture->base, fixture->base_length);
    assert_string_equal(rubric->public_sha256, base_hash);
    assert_string_not_equal(rubric->sha256, base_hash);
    assert_string_equal(rubric->public_options, "--rubric rubric.json");
    struct rubric view = rubric_public_view(rubric);
    assert_int_equal(view.case_count, 1);
    assert_int_equal(view.criterion_count, 2);
    assert_false(rubric_hides(&view));
    assert_string_equal(view.sha256, base_hash);
    struct rubric hidden = rubric_hidden_view(rubric);
    assert_int_equal(hidden.case_count, 1);
    assert_string_equal(hidden.cases[0].id, "canary");
    assert_int_equal(hidden.criterion_count, 3);
}

static void the_public_text_is_a_rubric_without_what_is_hidden(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric =
        load(fixture, SCHEMA
             "\"extends\": \"base.json\", \"salt\": \"canary\", \"cases\": [{ \"id\": \"canary\", "
             "\"n\": 7, \"m\": 3, \"hidden\": true }, { \"id\": \"v\", \"n\": 6, \"m\": 2, "
             "\"hidden\": false }], \"criteria\": [{ \"id\": \"compile\", \"points\": 11.5 }, { "
             "\"id\": \"s\", \"hidden\": true }] }");
    const struct rubric *again = NULL;

    assert_null(strstr(rubric->public_text, "canary"));
    assert_null(strstr(rubric->public_text, "hidden"));
    assert_null(strstr(rubric->public_text, "extends"));
    assert_null(strstr(rubric->public_text, "speedup"));
    assert_int_equal(rubric_parse(fixture->arena, rubric->public_text, rubric->public_length,
                                  "rubric.json", "/root", &again, NULL),
                     ERROR_NONE);
    assert_string_equal(again->sha256, rubric->public_sha256);
    assert_string_equal(again->public_sha256, rubric->public_sha256);
    assert_int_equal(again->criterion_count, 1);
    assert_true(again->criteria[0].points == 11.5); /* its total says so */
    assert_int_equal(again->case_count, 2);
    assert_string_equal(again->cases[1].id, "v");
}

static void the_hash_covers_every_file(void **state)
{
    struct fixture *fixture = *state;
    const char *overlay = SCHEMA "\"extends\": \"base.json\", \"version\": 2 }";
    const struct rubric *first = load(fixture, overlay);
    const struct rubric *changed, *other;
    struct fixture copy = *fixture;

    changed = load(fixture, SCHEMA "\"extends\": \"base.json\", \"version\":  2 }");
    assert_string_not_equal(first->sha256, changed->sha256);
    copy.base = arena_printf(fixture->arena, "%s ", fixture->base);
    other = load(&copy, overlay);
    assert_string_not_equal(first->sha256, other->sha256);
    assert_string_equal(first->sha256, load(fixture, overlay)->sha256);
}

/* Overlay number i extends number i - 1, and that the base. */
static enum error load_chain(struct fixture *fixture, int overlays,
                             const struct rubric **out_rubric, struct diagnostic *diagnostic)
{
    const char *path = put(fixture, "base.json", fixture->base);
    const char *below = "base.json";

    for (int i = 1; i <= overlays; i++) {
        const char *name = arena_printf(fixture->arena, "o%d.json", i);
        path = put(fixture, name,
                   arena_printf(fixture->arena,
                                SCHEMA "\"extends\": \"%s\", \"version\": %d, \"cases\": [{ "
                                       "\"id\": \"c%d\", \"n\": %d, \"m\": 1, \"hidden\": %s }] }",
                                below, i, i, i, i % 2 == 0 ? "true" : "false"));
        below = name;
    }
    return rubric_load(fixture->arena, path, "/root", out_rubric, diagnostic);
}

static void overlays_of_overlays_are_bounded(void **state)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};

    assert_int_equal(load_chain(*state, 8, &rubric, &diagnostic), ERROR_NONE);
    assert_int_equal(rubric->version, 8);
    assert_int_equal(rubric->case_count, 9);
    assert_int_equal(rubric->hidden_case_count, 4);
    assert_string_equal(rubric->cases[4].id, "c7");
    assert_string_equal(rubric->cases[5].id, "c2");
    rubric = NULL;
    assert_int_equal(load_chain(*state, 9, &rubric, &diagnostic), ERROR_LIMIT);
    assert_null(rubric);
    assert_non_null(strstr(diagnostic.message, "more than 8 overlays"));
    assert_non_null(strstr(diagnostic.file, "o1.json"));
}

static void a_circle_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct diagnostic diagnostic;

    put(fixture, "other.json", SCHEMA "\"extends\": \"./overlay.json\" }");
    assert_int_equal(refuse(fixture, SCHEMA "\"extends\": \"other.json\" }", &diagnostic),
                     ERROR_RANGE);
    assert_non_null(strstr(diagnostic.file, "other.json"));
    assert_non_null(strstr(diagnostic.message, "nothing can extend itself"));
}

static void a_mistake_is_told_in_its_own_file(void **state)
{
    struct fixture *fixture = *state;
    struct diagnostic diagnostic;

    put(fixture, "base.json", SCHEMA "\n \"id\": 7 }");
    assert_int_equal(refuse(fixture, SCHEMA "\"extends\": \"base.json\" }", &diagnostic),
                     ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.file, "overlay.json")); /* lacks what nothing has */
    put(fixture, "base.json", "{ \"schema\": 3 }");
    assert_int_equal(refuse(fixture, SCHEMA "\"extends\": \"base.json\" }", &diagnostic),
                     ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.file, "base.json"));
    assert_int_equal(diagnostic.column, 13);
    put(fixture, "base.json", "[]");
    assert_int_equal(refuse(fixture, SCHEMA "\"extends\": \"base.json\" }", &diagnostic),
                     ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.file, "base.json"));
    assert_non_null(strstr(diagnostic.message, "a rubric must be an object"));
    put(fixture, "base.json", "{");
    assert_int_equal(refuse(fixture, SCHEMA "\"extends\": \"base.json\" }", &diagnostic),
                     ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.file, "base.json"));
}

static void visible_cases_are_drawn_as_without_the_overlay(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *plain = NULL;
    const struct rubric *rubric =
        load(fixture, SCHEMA "\"extends\": \"base.json\", \"cases\": [{ \"id\": \"h\", \"n\": [1, "
                             "60000], \"m\": 3, \"hidden\": true }] }");
    const struct drawn_case *of_plain, *of_view;
    size_t plain_count, view_count;

    assert_int_equal(rubric_parse(fixture->arena, fixture->base, fixture->base_length, "base.json",
                                  "/root", &plain, NULL),
                     ERROR_NONE);
    struct rubric view = rubric_public_view(rubric);
    cases_draw(fixture->arena, plain, 77, &of_plain, &plain_count);
    cases_draw(fixture->arena, &view, 77, &of_view, &view_count);
    assert_int_equal(plain_count, view_count);
    assert_memory_equal(of_plain, of_view, plain_count * sizeof *of_plain);
}

static void the_example_of_the_manual_is_right(void **state)
{
    struct fixture *fixture = *state;
    const char *manual = GPUGRADE_SOURCE_DIR "/docs/rubrics.md";
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    char *bytes = NULL;
    size_t length = 0;

    assert_int_equal(
        file_read(fixture->arena, manual, 1 << 20, BLAME_GRADER, &bytes, &length, &diagnostic),
        ERROR_NONE);
    const char *example = strstr(strstr(bytes, "## Overlays"), "```json\n") + strlen("```json\n");
    if (rubric_parse(fixture->arena, example, (size_t)(strstr(example, "```") - example),
                     "autumn.json", GPUGRADE_SOURCE_DIR, &rubric, &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    assert_int_equal(rubric->case_count, 9);
    assert_int_equal(rubric->hidden_case_count, 1);
    assert_int_equal(rubric->criterion_count, 12);
    assert_int_equal(rubric->hidden_criterion_count, 2);
    assert_true(rubric->criteria[1].points == 25);
    assert_string_equal(rubric->public_options, "--rubric rubric.json");
}

/* What the stored text alone gives. */
static const struct rubric *load_whole(struct fixture *fixture, const struct rubric *rubric)
{
    const struct rubric *again = NULL;
    struct diagnostic diagnostic = {0};

    folder_remove(fixture->folder);
    if (rubric_parse(fixture->arena, rubric->whole_text, rubric->whole_length, "stored", "/root",
                     &again, &diagnostic) != ERROR_NONE) {
        fail_msg("%s:%d:%d: %s", diagnostic.file, diagnostic.line, diagnostic.column,
                 diagnostic.message);
    }
    assert_int_equal(mkdir(fixture->folder, 0700), 0);
    return again;
}

static void assert_same(const struct rubric *left, const struct rubric *right)
{
    assert_string_equal(left->sha256, right->sha256);
    assert_string_equal(left->evidence_sha256, right->evidence_sha256);
    assert_string_equal(left->secret_sha256, right->secret_sha256);
    assert_string_equal(left->public_sha256, right->public_sha256);
    assert_string_equal(left->public_options, right->public_options);
    assert_int_equal(left->whole_length, right->whole_length);
    assert_memory_equal(left->whole_text, right->whole_text, left->whole_length);
    assert_int_equal(left->case_count, right->case_count);
    assert_int_equal(left->hidden_case_count, right->hidden_case_count);
    assert_int_equal(left->criterion_count, right->criterion_count);
    assert_int_equal(left->hidden_criterion_count, right->hidden_criterion_count);
    for (size_t i = 0; i < left->criterion_count; i++) {
        assert_string_equal(left->criteria[i].id, right->criteria[i].id);
        assert_string_equal(left->criteria[i].title, right->criteria[i].title);
        assert_true(left->criteria[i].points == right->criteria[i].points);
    }
}

static void the_stored_text_is_the_rubric(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic;

    rubric =
        load(fixture, SCHEMA "\"extends\": \"base.json\", \"salt\": \"\xE4\xB8\xAD "
                             "\\u202e\", \"cases\": [{ \"id\": \"h\", \"n\": 7, \"m\": 3, "
                             "\"hidden\": true }], \"criteria\": [{ \"id\": \"s\", \"points\": 9, "
                             "\"hidden\": true }] }\n");
    assert_same(rubric, load_whole(fixture, rubric));
    assert_non_null(strstr(rubric->whole_text, "extends"));
    assert_int_equal(load_chain(fixture, 8, &rubric, &diagnostic), ERROR_NONE);
    assert_same(rubric, load_whole(fixture, rubric));
    assert_int_equal(rubric_parse(fixture->arena, fixture->base, fixture->base_length, "b", "/root",
                                  &rubric, NULL),
                     ERROR_NONE);
    assert_same(rubric, load_whole(fixture, rubric));
    assert_memory_equal(rubric->whole_text, fixture->base, fixture->base_length);
    rubric = load(fixture, SCHEMA "\"extends\": \"base.json\", \"version\": 2 }");
    assert_same(rubric, load_whole(fixture, rubric));
    assert_string_equal(rubric->public_options, "--rubric rubric.json");
}

/* A coursework that is extended by its id is so in the stored text too. */
static void the_stored_text_knows_the_coursework(void **state)
{
    struct fixture *fixture = *state;
    const char *path = put(fixture, "overlay.json",
                           SCHEMA "\"extends\": \"matmul\", \"salt\": \"x\", \"cases\": [{ "
                                  "\"id\": \"h\", \"a_height\": 1, \"a_width\": 2, "
                                  "\"b_width\": 9, \"hidden\": true }] }");
    const struct rubric *rubric = NULL;
    const struct rubric *again = NULL;

    assert_int_equal(rubric_load(fixture->arena, path, GPUGRADE_SOURCE_DIR, &rubric, NULL),
                     ERROR_NONE);
    assert_string_equal(rubric->public_options, "--coursework matmul");
    assert_int_equal(rubric_parse(fixture->arena, rubric->whole_text, rubric->whole_length,
                                  "stored", GPUGRADE_SOURCE_DIR, &again, NULL),
                     ERROR_NONE);
    assert_same(rubric, again);
}

static void a_damaged_stored_text_is_refused(void **state)
{
#define FILES(files) "{\"schema\": \"gpugrade/rubric-files/v1\"" files "}"
    static const char *const texts[] = {
        FILES(""),
        FILES(", \"files\": []"),
        FILES(", \"files\": [3]"),
        FILES(", \"files\": [{\"path\": \"a\"}]"),
        FILES(", \"files\": [{\"path\": \"a\", \"text\": \"{\"}]"),
        FILES(", \"files\": [{\"path\": \"a\", \"text\": \"{}\"}, {\"path\": \"a\", "
              "\"text\": \"{}\"}]"),
        FILES(", \"files\": [{\"path\": \"a\", \"text\": \"{ \\\"extends\\\": 3 }\"}]"),
        FILES(", \"files\": [{\"path\": \"a\", \"text\": \"{ \\\"schema\\\": "
              "\\\"gpugrade/rubric-files/v1\\\" }\"}]"),
    };
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct rubric *rubric = NULL;
        struct diagnostic diagnostic = {0};
        enum error error = rubric_parse(fixture->arena, texts[i], strlen(texts[i]), "stored",
                                        "/root", &rubric, &diagnostic);
        if (error == ERROR_NONE || diagnostic.message[0] == '\0') {
            fail_msg("%s is read", texts[i]);
        }
    }
}

/* Points, words, policies and layout leave the hashes of what is seen alone; all else does not. */
static void what_is_seen_has_a_hash(void **state)
{
    static const struct {
        const char *overlay;
        bool same;      /* nothing need run again */
        bool same_draw; /* hidden cases are drawn alike */
    } rows[] = {
        {"\"title\": \"T\", \"version\": 9, \"hints\": \"none\"", true, true},
        {"\"criteria\": [{ \"id\": \"compile\", \"points\": 12, \"title\": \"t\", "
         "\"bonus\": true }]",
         true, true},
        {"\"criteria\": [{ \"id\": \"s\", \"no_marks\": 0.75, \"step\": 0.125, "
         "\"full_marks\": \"reference\" }]",
         true, true},
        {"\"late\": { \"due\": \"2026-11-20T23:59:00Z\" }, \"attempts\": \"best\"", true, true},
        {"\"leaderboard\": { \"measure\": \"speedup\" }", true, true},
        {"\"limits\": { \"program_seconds\": 3 }", false, true},
        {"\"criteria\": [{ \"id\": \"s\", \"smallest_reference\": 2 }]", false, true},
        {"\"criteria\": [{ \"id\": \"s\", \"points\": 0 }]", false, true},
        {"\"criteria\": [{ \"id\": \"s\", \"hidden\": true }]", false, true},
        {"\"cases\": [{ \"id\": \"c\", \"m\": 9 }]", false, false},
        {"\"salt\": \"s\"", false, false},
    };
    struct fixture *fixture = *state;
    const struct rubric *base = load(fixture, SCHEMA "\"extends\": \"base.json\" }");

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *overlay = arena_printf(fixture->arena,
                                           "{ %s, \"schema\": \"gpugrade/rubric/v1\", \"extends\": "
                                           "\"base.json\" }",
                                           rows[i].overlay);
        const struct rubric *rubric = load(fixture, overlay);
        if ((strcmp(base->evidence_sha256, rubric->evidence_sha256) == 0) != rows[i].same ||
            (strcmp(base->secret_sha256, rubric->secret_sha256) == 0) != rows[i].same_draw) {
            fail_msg("%s", overlay);
        }
        bool compile_is_same =
            strcmp(base->criteria[0].evidence_sha256, rubric->criteria[0].evidence_sha256) == 0;
        /* what changes one criterion alone leaves the other */
        assert_true(compile_is_same || !rows[i].same);
        assert_true(compile_is_same || strstr(overlay, "criteria") == NULL);
    }
}

static void a_leaderboard_is_nothing_for_students(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *rubric =
        load(fixture, SCHEMA "\"extends\": \"base.json\", \"leaderboard\": { \"measure\": "
                             "\"instructions\", \"launch\": \"l\", \"names\": \"canary\" } }");

    assert_int_equal(rubric->leaderboard.by, RANKED_BY_INSTRUCTIONS);
    assert_true(rubric->leaderboard.has_launch);
    assert_string_equal(rubric->launches[rubric->leaderboard.launch].id, "l");
    assert_string_equal(rubric->leaderboard.names, "canary");
    assert_null(strstr(rubric->public_text, "canary"));
    rubric = load(fixture, SCHEMA "\"extends\": \"base.json\" }");
    assert_int_equal(rubric->leaderboard.by, RANKED_BY_NOTHING);
}

/* Files of the coursework decide what is seen. */
static void the_coursework_s_files_count(void **state)
{
    struct fixture *fixture = *state;
    const struct rubric *before = NULL;
    const struct rubric *after = NULL;
    const char *reference = arena_printf(fixture->arena, "%s/reference/copy", fixture->folder);

    assert_int_equal(folder_make(reference, 0700, NULL), ERROR_NONE);
    assert_int_equal(rubric_parse(fixture->arena, fixture->base, fixture->base_length, "b",
                                  fixture->folder, &before, NULL),
                     ERROR_NONE);
    put(fixture, "reference/copy/oracle.c", "int x;");
    assert_int_equal(rubric_parse(fixture->arena, fixture->base, fixture->base_length, "b",
                                  fixture->folder, &after, NULL),
                     ERROR_NONE);
    assert_string_not_equal(before->evidence_sha256, after->evidence_sha256);
    assert_string_not_equal(before->criteria[0].evidence_sha256,
                            after->criteria[0].evidence_sha256);
    assert_string_equal(before->secret_sha256, after->secret_sha256);
    put(fixture, "reference/copy/notes.txt", "nobody reads this");
    assert_int_equal(rubric_parse(fixture->arena, fixture->base, fixture->base_length, "b",
                                  fixture->folder, &before, NULL),
                     ERROR_NONE);
    assert_string_equal(before->evidence_sha256, after->evidence_sha256);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_added_behind_the_others),
        cmocka_unit_test(keys_are_changed_and_entries_removed),
        cmocka_unit_test(a_criterion_with_a_kind_replaces_another),
        cmocka_unit_test(what_is_only_hidden_leaves_the_public_text_alone),
        cmocka_unit_test(the_public_text_is_a_rubric_without_what_is_hidden),
        cmocka_unit_test(the_hash_covers_every_file),
        cmocka_unit_test(overlays_of_overlays_are_bounded),
        cmocka_unit_test(a_circle_is_refused),
        cmocka_unit_test(a_mistake_is_told_in_its_own_file),
        cmocka_unit_test(visible_cases_are_drawn_as_without_the_overlay),
        cmocka_unit_test(the_example_of_the_manual_is_right),
        cmocka_unit_test(the_stored_text_is_the_rubric),
        cmocka_unit_test(the_stored_text_knows_the_coursework),
        cmocka_unit_test(a_damaged_stored_text_is_refused),
        cmocka_unit_test(a_leaderboard_is_nothing_for_students),
        cmocka_unit_test(what_is_seen_has_a_hash),
        cmocka_unit_test(the_coursework_s_files_count),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
