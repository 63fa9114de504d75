/* test_entry_name.c: names of a submission's files. */
#include "submission/entry_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void names_are_cleaned(void **state)
{
    static const struct {
        const char *name, *clean;
    } rows[] = {
        {"a.cu", "a.cu"},
        {"./a.cu", "a.cu"},
        {"a//b/", "a/b"},
        {".", ""},
        {"./", ""},
        {"", ""},
        {"././a/./b", "a/b"},
        {"/a", "/a"},
        {"//a/", "/a"},
        {"a/../b", "a/../b"},
        {"..", ".."},
        {"/", "/"},
        {".hidden/x", ".hidden/x"},
        {"a/. /b", "a/. /b"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text clean;
        text_init(&clean);
        entry_name_clean(rows[i].name, strlen(rows[i].name), &clean);
        assert_string_equal(clean.bytes, rows[i].clean);
        text_release(&clean);
    }
}

static void bad_names_are_refused(void **state)
{
    static const struct {
        const char *name;
        const char *words; /* NULL: good */
    } rows[] = {
        {"a/b.cu", NULL},
        {"", NULL},
        {"a..b/...c", NULL},
        {"na\xC3\xAFve \xE6\xBC\xA2.cu", NULL},
        {"a/b/c/d/e/f/g/h/i", NULL},
        {"a/b/c/d/e/f/g/h/i/j", "8 folders"},
        {"/a", "absolute"},
        {"c:a", "absolute"},
        {"..", "leads out"},
        {"a/../b", "leads out"},
        {"a/..", "leads out"},
        {"a\\b", "backslash"},
        {"\xFF", "UTF-8"},
        {"a\xED\xA0\x80", "UTF-8"},
        {"a\tb", "control"},
        {"a\x7F", "control"},
        {"a\xC2\x85", "control"},
        {"a\xE2\x80\xAE", "invisible"},
        {"a\xE2\x80\x8B", "invisible"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *fault = entry_name_fault(rows[i].name, strlen(rows[i].name));
        if (rows[i].words == NULL) {
            assert_null(fault);
        } else {
            assert_non_null(fault);
            assert_non_null(strstr(fault, rows[i].words));
        }
    }
    assert_non_null(entry_name_fault("a\0b", 3));
}

static void long_names_are_refused(void **state)
{
    char name[2000];

    (void)state;
    memset(name, 'n', sizeof name);
    assert_null(entry_name_fault(name, 255));
    assert_non_null(entry_name_fault(name, 256));
    for (size_t i = 200; i < sizeof name; i += 201) {
        name[i] = '/';
    }
    assert_null(entry_name_fault(name, 1024));
    assert_non_null(entry_name_fault(name, 1025));
}

static void hidden_and_foreign_things_are_left_out(void **state)
{
    static const char *const left_out[] = {".git",         ".git/HEAD", "a/.DS_Store",
                                           ".a/b",         "__MACOSX",  "__MACOSX/a/b.cu",
                                           "a/__MACOSX/b", "a/.../b",   "./.git/a"};
    static const char *const kept[] = {"a.cu", "./a.cu", "a/b.cu", "__MACOSX2/a",
                                       "..",   "a/../b", ""};

    (void)state;
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        assert_true(entry_name_is_left_out(left_out[i]));
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        assert_false(entry_name_is_left_out(kept[i]));
    }
}

static bool same_key(const char *left, const char *right)
{
    struct text a;
    struct text b;

    text_init(&a);
    text_init(&b);
    entry_name_key(left, &a);
    entry_name_key(right, &b);
    bool same = a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
    text_release(&a);
    text_release(&b);
    return same;
}

static void keys_are_those_of_windows_and_macos(void **state)
{
    static const char *const same[][2] = {
        {"Makefile", "makefile"},
        {"A/b", "a/B"},
        {"\xC3\xA9", "e\xCC\x81"},             /* composed, decomposed */
        {"\xC3\x89", "e\xCC\x81"},             /* and another case */
        {"\xE1\xBA\xBF", "e\xCC\x82\xCC\x81"}, /* two marks */
        {"stra\xC3\x9F"
         "e",
         "STRASSE"},
        {"\xCE\xA3", "\xCF\x82"},                                 /* sigmas */
        {"\xD0\x94", "\xD0\xB4"},                                 /* Cyrillic */
        {"\xEA\xB0\x81", "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8"}, /* Hangul */
        {"\xE3\x81\x8C", "\xE3\x81\x8B\xE3\x82\x99"},             /* kana */
        {"\xD4\xB1", "\xD5\xA1"},                                 /* Armenian */
        {"a\xCC\x81\xCC\xA3", "a\xCC\xA3\xCC\x81"},               /* the order of two marks */
        {"a.", "a"},
        {"a. .", "a"},
        {"d./x", "d/x"},
    };
    static const char *const different[][2] = {{"a", "b"},      {"a/b", "ab"}, {"\xC3\xA9", "e"},
                                               {"a.b", "ab"},   {" a", "a"},   {"a1", "a2"},
                                               {"\xFF", "\xFE"}};

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_true(same_key(same[i][0], same[i][1]));
    }
    for (size_t i = 0; i < sizeof different / sizeof different[0]; i++) {
        assert_false(same_key(different[i][0], different[i][1]));
    }
}

static void quoted_names_fit_a_line(void **state)
{
    char name[500];
    struct text quoted;

    (void)state;
    memset(name, 0x1B, sizeof name);
    text_init(&quoted);
    entry_name_quote(name, sizeof name, &quoted);
    assert_true(quoted.length < 500);
    assert_true(text_starts_with(quoted.bytes, "'\\x1B"));
    assert_true(text_ends_with(quoted.bytes, "...'"));
    text_release(&quoted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cleaned),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(long_names_are_refused),
        cmocka_unit_test(hidden_and_foreign_things_are_left_out),
        cmocka_unit_test(keys_are_those_of_windows_and_macos),
        cmocka_unit_test(quoted_names_fit_a_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
