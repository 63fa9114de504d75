/* test_explain.c: codes by id and name, what is nearest to a word, and the subset of Markdown. */
#include "explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void codes_are_found_by_id_and_name(void **state)
{
    static const char *const words[] = {"R01", "r01", "shared_race", "Shared_Race"};
    static const char *const unknown[] = {"", "R", "R1", "R011", "none", "shared race", "race"};
    enum code code;

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        code = CODE_NONE;
        assert_true(explain_find(words[i], &code));
        assert_int_equal(code, CODE_SHARED_RACE);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        code = CODE_SIGNAL;
        assert_false(explain_find(unknown[i], &code));
        assert_int_equal(code, CODE_SIGNAL);
    }
}

/* Expects the ids, "R01 R02", in the order of explain_nearest. */
static void expect_nearest(const char *word, size_t most, const char *expected)
{
    enum code codes[CODE_COUNT];
    size_t count = explain_nearest(word, codes, most);
    char ids[CODE_COUNT * 4 + 1] = "";
    size_t length = 0;

    assert_true(count <= most);
    for (size_t i = 0; i < count; i++) {
        memcpy(ids + length, code_id(codes[i]), 3);
        ids[length + 3] = i + 1 < count ? ' ' : '\0';
        length += 4;
    }
    assert_string_equal(ids, expected);
}

static void unknown_words_have_neighbours(void **state)
{
    char letters[200];

    (void)state;
    expect_nearest("sharedrace", 5, "R01");
    expect_nearest("shaerd_race", 5, "R01");
    expect_nearest("race", 5, "R01 R02 R03 R04 R05");
    expect_nearest("R", 5, "R01 R02 R03 R04 R05");
    expect_nearest("r9", 2, "R01 R02");
    expect_nearest("null", 5, "B06");
    expect_nearest("timeout", 5, "X03 X04 X05 X14");
    expect_nearest("R02", 1, "R02");
    expect_nearest("quantum", 5, "");
    expect_nearest("", 5, "");
    memset(letters, 'a', sizeof letters - 1);
    letters[sizeof letters - 1] = '\0';
    expect_nearest(letters, 5, "");
}

static void the_list_has_every_code_once(void **state)
{
    enum code codes[CODE_COUNT];
    bool seen[CODE_COUNT] = {false};
    size_t count = explain_list(codes);

    (void)state;
    assert_int_equal(count, CODE_COUNT - 1);
    for (size_t i = 0; i < count; i++) {
        assert_false(seen[codes[i]]);
        seen[codes[i]] = true;
        assert_string_not_equal(explain_family(codes[i]), "other");
        if (i > 0 && code_id(codes[i])[0] == code_id(codes[i - 1])[0]) {
            assert_true(strcmp(code_id(codes[i - 1]), code_id(codes[i])) < 0);
        }
    }
    assert_false(seen[CODE_NONE]);
}

/* Every letter stands in one run of the list: a family is not split. */
static void families_are_together(void **state)
{
    enum code codes[CODE_COUNT];
    size_t count = explain_list(codes);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 2; j < count; j++) {
            if (code_id(codes[i])[0] == code_id(codes[j])[0]) {
                assert_int_equal(code_id(codes[j - 1])[0], code_id(codes[j])[0]);
            }
        }
    }
}

static const char sample[] = "# R01: a title\n"
                             "\n"
                             "## First\n"
                             "\n"
                             "Text with `a literal` and R02, not R01\n"
                             "nor XR02 or R022.\n"
                             "\n"
                             "- one, which\n"
                             "  goes on\n"
                             "- two\n"
                             "1. first\n"
                             "```cuda --launch-seconds 1\n"
                             "int main()\n"
                             "\n"
                             "    {}\n"
                             "```\n"
                             "## Second\n"
                             "```text\n"
                             "$ ls\n"
                             "```\n"
                             "end";

static void expect_span(const struct page_span *span, enum page_span_kind kind, const char *text)
{
    assert_int_equal(span->kind, kind);
    assert_string_equal(span->text, text);
}

static void blocks_are_taken_apart(void **state)
{
    static const enum page_block_kind kinds[] = {PAGE_HEADING, PAGE_PARAGRAPH,     PAGE_ITEM,
                                                 PAGE_ITEM,    PAGE_NUMBERED_ITEM, PAGE_CODE,
                                                 PAGE_HEADING, PAGE_CODE,          PAGE_PARAGRAPH};
    struct arena *arena = arena_new();
    struct page page;

    (void)state;
    page_parse(arena, CODE_SHARED_RACE, sample, &page);
    assert_string_equal(page.title, "a title");
    assert_int_equal(page.block_count, sizeof kinds / sizeof kinds[0]);
    for (size_t i = 0; i < page.block_count; i++) {
        assert_int_equal(page.blocks[i].kind, kinds[i]);
    }
    assert_string_equal(page.blocks[0].text, "First");
    assert_string_equal(page.blocks[2].spans[0].text, "one, which goes on");
    assert_int_equal(page.blocks[4].number, 1);
    assert_string_equal(page.blocks[5].text, "int main()\n\n    {}\n");
    assert_int_equal(page.blocks[5].code_kind, PAGE_CODE_PROGRAM);
    assert_string_equal(page.blocks[5].options, "--launch-seconds 1");
    assert_int_equal(page.blocks[7].code_kind, PAGE_CODE_SCREEN);
    assert_string_equal(page.blocks[8].spans[0].text, "end");
    assert_ptr_equal(page.example, &page.blocks[5]);
    arena_free(arena);
}

static void text_is_split_into_spans(void **state)
{
    struct arena *arena = arena_new();
    struct page page;

    (void)state;
    page_parse(arena, CODE_SHARED_RACE, sample, &page);
    const struct page_block *block = &page.blocks[1];
    assert_int_equal(block->span_count, 5);
    expect_span(&block->spans[0], PAGE_TEXT, "Text with ");
    expect_span(&block->spans[1], PAGE_LITERAL, "a literal");
    expect_span(&block->spans[2], PAGE_TEXT, " and ");
    expect_span(&block->spans[3], PAGE_REFERENCE, "R02");
    assert_int_equal(block->spans[3].reference, CODE_WARP_RACE);
    expect_span(&block->spans[4], PAGE_TEXT, ", not R01 nor XR02 or R022.");
    arena_free(arena);
}

static void kinds_of_code_are_told_apart(void **state)
{
    static const struct {
        const char *text;
        enum page_code_kind kind;
    } rows[] = {
        {"```cuda\nx\n```\n", PAGE_CODE_PROGRAM},
        {"```cuda refused\nx\n```\n", PAGE_CODE_REFUSED},
        {"```cuda fragment\nx\n```\n", PAGE_CODE_FRAGMENT},
        {"```\nx\n```\n", PAGE_CODE_SCREEN},
        {"```text\nx\n", PAGE_CODE_SCREEN}, /* without an end */
    };
    struct arena *arena = arena_new();
    struct page page;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        page_parse(arena, CODE_SIGNAL, rows[i].text, &page);
        assert_int_equal(page.block_count, 1);
        assert_int_equal(page.blocks[0].code_kind, rows[i].kind);
        assert_string_equal(page.blocks[0].text, "x\n");
        assert_true((page.example == NULL) == (rows[i].kind == PAGE_CODE_SCREEN));
    }
    page_parse(arena, CODE_SIGNAL, "", &page);
    assert_int_equal(page.block_count, 0);
    assert_null(page.example);
    arena_free(arena);
}

/* Lines with marks are of the wrong or of the right code; a screen has no marks. */
static void code_has_a_wrong_and_a_right_side(void **state)
{
    static const char marked[] = "# R01: a title\n"
                                 "## The smallest example\n"
                                 "```cuda\n"
                                 "-#include <cstdio>\n"
                                 "int i;\n"
                                 "-   i--;\n"
                                 "+   i++;\n"
                                 "+\n"
                                 "```\n"
                                 "```text\n"
                                 "- a dash\n"
                                 "```\n"
                                 "```cuda\n"
                                 "int j;\n"
                                 "```\n";
    static const enum page_side sides[] = {PAGE_WRONG, PAGE_BOTH, PAGE_WRONG, PAGE_RIGHT,
                                           PAGE_RIGHT};
    struct arena *arena = arena_new();
    struct page page;

    (void)state;
    page_parse(arena, CODE_SHARED_RACE, marked, &page);
    assert_string_equal(page.example->text, "#include <cstdio>\nint i;\n    i--;\n");
    assert_string_equal(page.example->fixed, "int i;\n    i++;\n\n");
    assert_int_equal(page.example->line_count, sizeof sides / sizeof sides[0]);
    for (size_t i = 0; i < page.example->line_count; i++) {
        assert_int_equal(page.example->lines[i].side, sides[i]);
    }
    assert_string_equal(page.blocks[2].text, "- a dash\n");
    assert_null(page.blocks[2].fixed);
    assert_string_equal(page.blocks[3].text, "int j;\n");
    assert_null(page.blocks[3].fixed);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_found_by_id_and_name),
        cmocka_unit_test(unknown_words_have_neighbours),
        cmocka_unit_test(the_list_has_every_code_once),
        cmocka_unit_test(families_are_together),
        cmocka_unit_test(blocks_are_taken_apart),
        cmocka_unit_test(code_has_a_wrong_and_a_right_side),
        cmocka_unit_test(text_is_split_into_spans),
        cmocka_unit_test(kinds_of_code_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
