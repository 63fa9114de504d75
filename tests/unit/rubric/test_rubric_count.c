/* test_rubric_count.c: the keys of the criterion count, in the place of one of minimal.json. */
#include "base/file.h"
#include "base/text.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char base[] = GPUGRADE_SOURCE_DIR "/tests/rubrics/valid/minimal.json";
static const char replaced[] =
    "{ \"id\": \"correct\", \"kind\": \"correct\", \"title\": \"correct\", \"points\": 60, "
    "\"launch\": \"l\" }";
static const char starts[] =
    "{ \"id\": \"c\", \"kind\": \"count\", \"title\": \"t\", \"points\": 60, \"launch\": \"l\", ";
static const char fault[] =
    "\"fails_with\": {\"cause\": \"too_slow\", \"title\": \"too much\", \"hint\": \"do less\"} }";

/* Loads the rubric with `keys` and `end` in the criterion. */
static enum error load(struct arena *arena, const char *keys, const char *end,
                       const struct rubric **out_rubric, struct diagnostic *out_diagnostic,
                       const char **out_text)
{
    char *bytes = NULL;
    size_t length = 0;

    assert_int_equal(file_read(arena, base, 1 << 16, BLAME_GRADER, &bytes, &length, NULL), 0);
    char *at = strstr(bytes, replaced);
    assert_non_null(at);
    *at = '\0';
    *out_text = arena_printf(arena, "%s%s%s%s%s", bytes, starts, keys, end, at + strlen(replaced));
    return rubric_parse(arena, *out_text, strlen(*out_text), "r.json", GPUGRADE_SOURCE_DIR,
                        out_rubric, out_diagnostic);
}

static void what_a_count_may_have(void **state)
{
    static const char *const rows[] = {
        "\"measure\": \"in.loaded_bytes\", \"at_most\": \"1.05 * 4 * n\", ",
        "\"measure\": \"in.loads / in.elements\", \"at_least\": \"1\", \"at_most\": \"2\", ",
        "\"measure\": \"warp_instructions\", \"at_most\": \"8 * reference.warp_instructions\", ",
        "\"measure\": \"global.atomics + other.stores\", \"at_most\": \"threads * log2(n)\", ",
        "\"measure\": \"active_share\", \"at_least\": \"0.5\", \"from\": \"n >= 16\", ",
        "\"measure\": \"shared.loads\", \"at_most\": \"block\", \"from\": \"n > 1 and n < 99\", ",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const struct rubric *rubric = NULL;
        struct diagnostic diagnostic = {0};
        const char *text = NULL;
        /* a number of blocks says nothing of the reference solution's */
        const bool is_refused = strstr(rows[i], "reference.") != NULL;
        const enum error error = load(arena, rows[i], fault, &rubric, &diagnostic, &text);
        if ((error != ERROR_NONE) != is_refused) {
            fail_msg("%s: %s", rows[i], diagnostic.message);
        }
        if (error == ERROR_NONE) {
            assert_int_equal(rubric->criteria[1].fails_with.code, CODE_COUNTED_WORK);
            assert_string_equal(rubric->criteria[1].fails_with.title, "too much");
            assert_string_equal(rubric->criteria[1].fails_with.hint, "do less");
        }
        arena_free(arena);
    }
}

/* The mistake is told at `place`, a text of the criterion. */
static const struct {
    const char *keys, *end, *place, *message;
} mistakes[] = {
    {"\"measure\": \"in.loaded_byte\", \"at_most\": \"1\", ", fault, "\"in.loaded_byte\"",
     "unknown name 'in.loaded_byte'; known names: block, threads and the parameters; of measures "
     "see docs/rubrics.md, \"What may be counted\""},
    {"\"measure\": \"nobody.loads\", \"at_most\": \"1\", ", fault, "\"nobody.loads\"",
     "unknown name 'nobody.loads'"},
    {"\"measure\": \"shared.loaded_sectors\", \"at_most\": \"1\", ", fault, "\"shared.loaded",
     "unknown name 'shared.loaded_sectors'"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1 / 0\", ", fault, "\"1 / 0\"",
     "the bound has no value for a block width of 16"},
    {"\"measure\": \"in.loads\", \"at_most\": \"0 - n\", ", fault, "\"0 - n\"",
     "the bound is -64 for a block width of 16, expected a number from 0 to"},
    {"\"measure\": \"in.loads\", \"at_most\": \"n > 3\", ", fault, "\"n > 3\"",
     "'n > 3' is a condition, expected a number"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", \"from\": \"n + 3\", ", fault, "\"n + 3\"",
     "'n + 3' is a number, expected a condition, such as n >= 1024"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", \"from\": \"n > 99\", ", fault, "\"n > 99\"",
     "there is no visible case whose smallest values fulfil this"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", \"from\": \"block > 9\", ", fault,
     "\"block > 9\"", "unknown name 'block'; known names: the parameters"},
    {"\"measure\": \"n\", \"at_most\": \"1\", ", fault, "\"n\", \"at_most",
     "there is no measure of the submission in 'n'"},
    {"\"measure\": \"launches\", \"at_most\": \"1\", ", fault, "\"launches\"",
     "'launches' is known only of a judged call, and 'l' is a launch"},
    {"\"measure\": \"in.loads\", ", fault, "\"measure\"",
     "there is no bound: add 'at_most' or 'at_least'"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", \"kernel\": \"a*\", ", fault, "\"kernel\"",
     "'l' is one launch of one kernel; 'kernel' chooses among those of a call"},
    {"\"measure\": \"in.loads\", \"at_most\": \"reference.in.loads\", ", fault,
     "\"reference.in.loads\"",
     "the sizes of a case depend on the blocks of 'l', so the reference solution may have others"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", ",
     "\"fails_with\": {\"cause\": \"race\", \"title\": \"x\", \"hint\": \"y\"} }", "\"race\"",
     "expected one of 'access_pattern', 'not_tiled', 'too_slow', 'forbidden', found 'race'"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\", ",
     "\"fails_with\": {\"cause\": \"too_slow\"} }", "{\"cause\"", "'title'"},
    {"\"measure\": \"in.loads\", \"at_most\": \"1\"", " }", "{ \"id\": \"c\"",
     "a criterion of the kind 'count' lacks the key 'fails_with'"},
};

static void mistakes_have_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        struct arena *arena = arena_new();
        const struct rubric *rubric = NULL;
        struct diagnostic diagnostic = {0};
        const char *text = NULL;
        if (load(arena, mistakes[i].keys, mistakes[i].end, &rubric, &diagnostic, &text) ==
            ERROR_NONE) {
            fail_msg("%s loads", mistakes[i].keys);
        }
        const char *line = strstr(text, starts);
        const char *place = strstr(line, mistakes[i].place);
        while (line[-1] != '\n') {
            line--;
        }
        assert_non_null(place);
        if (strstr(diagnostic.message, mistakes[i].message) == NULL ||
            diagnostic.column != place - line + 1) {
            fail_msg("%s\n  expected %d: %s\n  got      %d: %s", mistakes[i].keys,
                     (int)(place - line + 1), mistakes[i].message, diagnostic.column,
                     diagnostic.message);
        }
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_count_may_have),
        cmocka_unit_test(mistakes_have_a_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
