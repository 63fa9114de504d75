/* test_json_pattern.c: what matches, what is refused, and that no pattern takes long. */
#include "base/json_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *pattern;
    const char *text;
    bool matches;
} searched[] = {
    {"", "", true},
    {"b", "abc", true},
    {"^b", "abc", false},
    {"b$", "ab", true},
    {"b$", "ab\n", false},
    {"^$", "", true},
    {"^$", "a", false},
    {"^[a-z][a-z0-9_]*$", "matmul_2", true},
    {"^[a-z][a-z0-9_]*$", "2matmul", false},
    {"^[a-z][a-z0-9_]*$", "matm\xC3\xBCl", false},
    {"^.$", "\xF0\x9F\x98\x80", true},
    {"^.$", "\n", false},
    {"^[^a]$", "\n", true},
    {"^[\xC3\xA4-\xC3\xBC]+$", "\xC3\xA4\xC3\xBC\xC3\xB6", true},
    {"^[^\\u0000-\\u001f\\u007f]*$", "text", true},
    {"^[^\\u0000-\\u001f\\u007f]*$", "te\txt", false},
    {"^\\d{2,3}$", "1", false},
    {"^\\d{2,3}$", "12", true},
    {"^\\d{2,3}$", "123", true},
    {"^\\d{2,3}$", "1234", false},
    {"^\\d$", "\xD9\xA3", false}, /* an Arabic digit is none of ASCII */
    {"^\\w\\W\\D$", "_-x", true},
    {"^\\w\\W\\D$", "_-1", false},
    {"^\\D$", "0", false},
    {"^\\D$", "9", false},
    {"^\\D$", ":", true},
    {"^\\W+$", "@", true},
    {"\\W", "09AZ_az", false},
    {"^(ab|cd){2}$", "abcd", true},
    {"^(ab|cd){2}$", "abc", false},
    {"^(?:a|b|c|)$", "c", true},
    {"^(?:a|b|c|)$", "", true},
    {"^(?:a|b|c|)$", "d", false},
    {"^a{0}b{2,}c{0,1}$", "bbb", true},
    {"^a{0}b{2,}c{0,1}$", "abb", false},
    {"a|^b$|c", "xbx", false},
    {"a|^b$|c", "xcx", true},
    {"(a*)*$", "b", true},
    {"^((a?)*b?)*$", "aabab", true},
    {"^[]$", "a", false},
    {"^[^]$", "a", true},
    {"^[-a]+[a-]+$", "-a-", true},
    {"^\\x41\\t\\.\\/$", "A\t./", true},
    {"^[\\d.\\-]+$", "1.-", true},
    {"^[\\]]$", "]", true},
};

static void test_searches(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof searched / sizeof searched[0]; i++) {
        const char *reason = "";
        const struct json_pattern *pattern =
            json_pattern_compile(arena, searched[i].pattern, &reason);
        if (pattern == NULL) {
            fail_msg("%s: %s", searched[i].pattern, reason);
        }
        if (json_pattern_matches(pattern, searched[i].text) != searched[i].matches) {
            fail_msg("%s in '%s': expected %d", searched[i].pattern, searched[i].text,
                     searched[i].matches);
        }
        assert_string_equal(json_pattern_source(pattern), searched[i].pattern);
    }
    arena_free(arena);
}

static const struct {
    const char *pattern;
    const char *reason;
} refused[] = {
    {"a(b", "'(' is not closed"},
    {"a)b", "')' without '('"},
    {"[a", "'[' is not closed"},
    {"[a\\", "ends with a backslash"},
    {"[b-a]", "wrong way round"},
    {"[\\d-z]", "needs a character at both ends"},
    {"[a-\\w]", "needs a character at both ends"},
    {"*a", "stands where a character is expected"},
    {"a|+", "stands where a character is expected"},
    {"a}", "stands where a character is expected"},
    {"a]", "stands where a character is expected"},
    {"a**", "one quantifier behind another"},
    {"a+?", "one quantifier behind another"},
    {"^*", "repeats '^' or '$'"},
    {"a{", "a '{' needs a number"},
    {"a{,3}", "a '{' needs a number"},
    {"a{3", "not followed by a range"},
    {"a{3,2}", "not followed by a range"},
    {"a{1001}", "further than 1000"},
    {"a{99999999999999999999}", "further than 1000"},
    {"(?=a)", "'(?' other than '(?:'"},
    {"(?<x>a)", "'(?' other than '(?:'"},
    {"(a)\\1", "an escape other than"},
    {"\\bword", "an escape other than"},
    {"\\s", "an escape other than"},
    {"\\p{L}", "an escape other than"},
    {"\\u12", "four"},
    {"\\ud83d", "surrogate"},
    {"a\\", "ends with a backslash"},
    {"((((((((((((((((((a))))))))))))))))))", "nested too deep"},
    {"(((a{1000}){1000}){1000}){1000}", "too large"},
    {"(((){1000}){1000}){1000}", "too large"},
    {"((a{50}){50}){50}", "too large"},
    {"\xFF", "not UTF-8"},
};

static void test_refuses(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *reason = "";
        if (json_pattern_compile(arena, refused[i].pattern, &reason) != NULL ||
            strstr(reason, refused[i].reason) == NULL) {
            fail_msg("%s: expected '%s', got '%s'", refused[i].pattern, refused[i].reason, reason);
        }
    }
    arena_free(arena);
}

/* What takes exponential time where a search goes back: 100000 characters take no longer than the
 * test may. */
static void test_takes_no_longer_than_the_text(void **state)
{
    static const char *const patterns[] = {"^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(a*)*b$",
                                           "(.*)(.*)(.*)(.*)c$"};
    struct arena *arena = arena_new();
    char *text = arena_alloc(arena, 100001);

    (void)state;
    memset(text, 'a', 99999);
    text[99999] = '!';
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const char *reason = NULL;
        const struct json_pattern *pattern = json_pattern_compile(arena, patterns[i], &reason);
        assert_non_null(pattern);
        assert_true(json_pattern_size(pattern) < 50);
        assert_false(json_pattern_matches(pattern, text));
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_takes_no_longer_than_the_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
