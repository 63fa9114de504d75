/* test_options.c: command lines, right and wrong. */
#include "cli/options.h"

#include "cli/check_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 8 };

/* Parses the words up to NULL. */
static enum error parse(const char *const *words, struct options *out,
                        struct diagnostic *diagnostic)
{
    int count = 0;

    while (words[count] != NULL) {
        count++;
    }
    return options_parse(count, words, out, diagnostic);
}

static void values_come_behind_a_blank_or_an_equals_sign(void **state)
{
    const char *words[] = {"check", "--seed", "ff", "--json=a=b", "--verbose", "x", NULL};
    struct options options;

    (void)state;
    assert_int_equal(parse(words, &options, NULL), ERROR_NONE);
    assert_int_equal(options.command, COMMAND_CHECK);
    assert_string_equal(options.values[OPTION_SEED], "ff");
    assert_string_equal(options.values[OPTION_JSON], "a=b");
    assert_true(options.given[OPTION_VERBOSE]);
    assert_false(options.given[OPTION_ONLY]);
    assert_null(options.values[OPTION_ONLY]);
    assert_int_equal(options.positional_count, 1);
    assert_string_equal(options.positional[0], "x");
}

static void letters_stand_for_names(void **state)
{
    const char *words[] = {"batch", "-j", "4", "-oresults", "--resume", "class", NULL};
    const char *twice[] = {"batch", "-j4", "--jobs=5", NULL};
    struct options options;
    struct diagnostic diagnostic;
    struct text text;

    (void)state;
    assert_int_equal(parse(words, &options, NULL), ERROR_NONE);
    assert_string_equal(options.values[OPTION_JOBS], "4");
    assert_string_equal(options.values[OPTION_BATCH_OUTPUT], "results");
    assert_true(options.given[OPTION_RESUME]);
    assert_string_equal(options.positional[0], "class");
    assert_int_equal(parse(twice, &options, &diagnostic), ERROR_SYNTAX);
    assert_non_null(strstr(diagnostic.message, "--jobs is given twice"));
    text_init(&text);
    options_command_help(COMMAND_BATCH, &text);
    assert_non_null(strstr(text.bytes, "-o, --output RESULTS"));
    text_release(&text);
}

static void two_dashes_end_the_options(void **state)
{
    const char *words[] = {"check", "--", "--seed", NULL};
    struct options options;

    (void)state;
    assert_int_equal(parse(words, &options, NULL), ERROR_NONE);
    assert_string_equal(options.positional[0], "--seed");
}

static void no_command_is_a_question_for_help(void **state)
{
    const char *words[] = {NULL};
    struct options options;

    (void)state;
    assert_int_equal(parse(words, &options, NULL), ERROR_NONE);
    assert_int_equal(options.command, COMMAND_HELP);
}

static void wrong_command_lines_are_named(void **state)
{
    static const struct {
        const char *words[WORDS_MAX];
        enum error error;
        const char *message;
    } rows[] = {
        {{"chekc", NULL}, ERROR_NOT_FOUND, "unknown command 'chekc'; did you mean 'check'? 'g"},
        {{"nothing", NULL}, ERROR_NOT_FOUND, "unknown command 'nothing'; 'gpugrade help'"},
        {{"check", "--sede", "1", NULL}, ERROR_NOT_FOUND, "'--sede'; did you mean '--seed'?"},
        {{"check", "--onyl=a", NULL}, ERROR_NOT_FOUND, "'--onyl'; did you mean '--only'?"},
        {{"check", "-x", NULL}, ERROR_NOT_FOUND, "unknown option '-x'; 'gpugrade help check'"},
        {{"check", "-j4", NULL}, ERROR_NOT_FOUND, "unknown option '-j4'"},
        {{"batch", "-j", NULL}, ERROR_SYNTAX, "-j needs a value: -j N"},
        {{"check", "--seed", NULL}, ERROR_SYNTAX, "--seed needs a value"},
        {{"check", "--verbose=yes", NULL}, ERROR_SYNTAX, "--verbose takes no value"},
        {{"check", "--seed", "1", "--seed=2", NULL}, ERROR_SYNTAX, "--seed is given twice"},
        {{"check", "--color", "pink", NULL}, ERROR_RANGE, "one of: auto always never; got 'pink'"},
        {{"check", "--color", "", NULL}, ERROR_RANGE, "one of: auto always never"},
        {{"check", "--color", "auto always", NULL}, ERROR_RANGE, "one of: auto always never"},
        {{"check", "a", "b", NULL}, ERROR_SYNTAX, "unexpected argument 'b'"},
        {{"version", "--seed", "1", NULL}, ERROR_NOT_FOUND, "unknown option '--seed'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct options options = {.command = COMMAND_COUNT};
        struct diagnostic diagnostic;
        assert_int_equal(parse(rows[i].words, &options, &diagnostic), rows[i].error);
        assert_int_equal(diagnostic.blame, BLAME_USAGE);
        if (strstr(diagnostic.message, rows[i].message) == NULL) {
            fail_msg("expected \"%s\" in \"%s\"", rows[i].message, diagnostic.message);
        }
        assert_int_equal(options.command, COMMAND_COUNT);
    }
}

static void formats_are_those_of_the_table(void **state)
{
    static const char *const names[] = {
#define FORMAT(name, audience, use, function, help) name,
#include "report/platform/formats.def"
#undef FORMAT
    };
    struct options options;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *words[] = {"convert", "s.json", "--to", names[i], NULL};
        assert_int_equal(parse(words, &options, NULL), ERROR_NONE);
        assert_string_equal(options.values[OPTION_TO], names[i]);
    }
    const char *unknown[] = {"convert", "s.json", "--to", "gradescop", NULL};
    assert_int_equal(parse(unknown, &options, NULL), ERROR_RANGE);
}

static void help_names_every_option(void **state)
{
    static const char *const names[] = {
#define OPTION(name, word, letter, argument, choices, commands, fallback, help) "--" word,
#include "cli/options.def"
#undef OPTION
    };
    struct text text;

    (void)state;
    text_init(&text);
    options_command_help(COMMAND_CHECK, &text);
    assert_null(strstr(text.bytes, "--launch-seconds"));
    for (int command = 0; command < COMMAND_COUNT; command++) {
        options_command_help((enum command)command, &text);
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_non_null(strstr(text.bytes, names[i]));
    }
    text_release(&text);
}

static void seeds_are_up_to_sixteen_digits(void **state)
{
    uint64_t seed = 7;

    (void)state;
    assert_true(seed_parse("0", &seed) && seed == 0);
    assert_true(seed_parse("0x5EED1234", &seed) && seed == 0x5eed1234);
    assert_true(seed_parse("ffffffffffffffff", &seed) && seed == UINT64_MAX);
    seed = 7;
    assert_false(seed_parse("", &seed));
    assert_false(seed_parse("0x", &seed));
    assert_false(seed_parse("10000000000000000", &seed));
    assert_false(seed_parse("12g", &seed));
    assert_false(seed_parse("-1", &seed));
    assert_false(seed_parse(" 1", &seed));
    assert_int_equal(seed, 7);
}

static void words_are_quoted_for_a_shell(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(shell_word(arena, "a/b-c.cu"), "a/b-c.cu");
    assert_string_equal(shell_word(arena, ""), "''");
    assert_string_equal(shell_word(arena, "a b"), "'a b'");
    assert_string_equal(shell_word(arena, "a'b;$x"), "'a'\\''b;$x'");
    arena_free(arena);
}

static void what_follows_the_program_is_its_own(void **state)
{
    const char *words[] = {"run", "--color=never", "prog", "--json", "--", "x", NULL};
    const char *marked[] = {"run", "--", "--prog", "y", NULL};
    struct options options;
    struct diagnostic diagnostic = {.message = ""};

    (void)state;
    assert_int_equal(options_parse(6, words, &options, &diagnostic), ERROR_NONE);
    assert_int_equal(options.positional_count, 1);
    assert_string_equal(options.positional[0], "prog");
    assert_false(options.given[OPTION_RUN_JSON]);
    assert_int_equal(options.rest_count, 3);
    assert_string_equal(options.rest[0], "--json");
    assert_string_equal(options.rest[1], "--");
    assert_string_equal(options.rest[2], "x");
    assert_null(options.rest[3]);
    assert_int_equal(options_parse(4, marked, &options, &diagnostic), ERROR_NONE);
    assert_string_equal(options.positional[0], "--prog");
    assert_int_equal(options.rest_count, 1);
}

static void equal_names_belong_to_their_commands(void **state)
{
    const char *words[] = {"run", "--json", "a", "--verbose", "prog", NULL};
    const char *foreign[] = {"check", "--launch-seconds", "1", NULL};
    struct options options;
    struct diagnostic diagnostic = {.message = ""};

    (void)state;
    assert_int_equal(options_parse(5, words, &options, &diagnostic), ERROR_NONE);
    assert_true(options.given[OPTION_RUN_JSON] && options.given[OPTION_RUN_VERBOSE]);
    assert_false(options.given[OPTION_JSON] || options.given[OPTION_VERBOSE]);
    assert_int_equal(options_parse(3, foreign, &options, &diagnostic), ERROR_NOT_FOUND);
    assert_int_equal(options.rest_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_behind_a_blank_or_an_equals_sign),
        cmocka_unit_test(letters_stand_for_names),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(no_command_is_a_question_for_help),
        cmocka_unit_test(wrong_command_lines_are_named),
        cmocka_unit_test(formats_are_those_of_the_table),
        cmocka_unit_test(help_names_every_option),
        cmocka_unit_test(seeds_are_up_to_sixteen_digits),
        cmocka_unit_test(words_are_quoted_for_a_shell),
        cmocka_unit_test(what_follows_the_program_is_its_own),
        cmocka_unit_test(equal_names_belong_to_their_commands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
