/* test_pages.c: every code has a page, and every page keeps the rules that explain.h gives. */
#include "base/text.h"
#include "explain/explain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_BYTES_MAX = 80, FULL_LINES_MIN = 15, FULL_LINES_MAX = 46 };

static const char *const sections[] = {"What it means", "The smallest example", "How to find it",
                                       "How to fix it", "See also"};

enum { SECTION_COUNT = sizeof sections / sizeof sections[0], SEE_ALSO = SECTION_COUNT - 1 };

/* Runs `check` with the text of every page. */
static void for_each_page(void (*check)(enum code code, const char *text))
{
    for (int code = CODE_NONE + 1; code < CODE_COUNT; code++) {
        const char *text = explain_text((enum code)code);
        if (text == NULL) {
            fail_msg("there is no page for %s (%s)", code_id((enum code)code),
                     code_name((enum code)code));
        }
        check((enum code)code, text);
    }
}

static void check_title(enum code code, const char *text)
{
    struct text title;

    text_init(&title);
    text_printf(&title, "# %s: %s\n\n", code_id(code), code_title(code));
    if (!text_starts_with(text, title.bytes)) {
        fail_msg("the page of %s starts with its title: %s", code_id(code), title.bytes);
    }
    text_release(&title);
}

static void titles_are_those_of_the_codes(void **state)
{
    (void)state;
    for_each_page(check_title);
}

static void check_lines(enum code code, const char *text)
{
    size_t full = 0;

    for (size_t number = 1; *text != '\0'; number++) {
        size_t length = strcspn(text, "\n");
        full += length > 0 ? 1 : 0;
        if (length > LINE_BYTES_MAX || (length > 0 && text[length - 1] == ' ') ||
            memchr(text, '\t', length) != NULL) {
            fail_msg("%s.md:%zu: more than %d columns, a tab, or blanks at the end", code_id(code),
                     number, (int)LINE_BYTES_MAX);
        }
        for (size_t i = 0; i < length; i++) {
            if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~') {
                fail_msg("%s.md:%zu: a character that is not ASCII", code_id(code), number);
            }
        }
        assert_int_equal(text[length], '\n');
        text += length + 1;
    }
    if (full < FULL_LINES_MIN || full > FULL_LINES_MAX) {
        fail_msg("%s.md has %zu lines that are not empty, expected %d to %d", code_id(code), full,
                 (int)FULL_LINES_MIN, (int)FULL_LINES_MAX);
    }
}

static void pages_are_short_and_narrow(void **state)
{
    (void)state;
    for_each_page(check_lines);
}

/* The sections are all there, in their order, and none is empty. */
static void check_sections(enum code code, const char *text)
{
    struct arena *arena = arena_new();
    struct page page;
    size_t section = 0;
    size_t inside = 1;

    page_parse(arena, code, text, &page);
    assert_int_equal(page.blocks[0].kind, PAGE_HEADING);
    for (size_t i = 0; i < page.block_count; i++) {
        if (page.blocks[i].kind != PAGE_HEADING) {
            inside++;
            continue;
        }
        if (inside == 0 || section == SECTION_COUNT ||
            strcmp(page.blocks[i].text, sections[section]) != 0) {
            fail_msg("%s.md: the section \"%s\" is out of its place, or the one before is empty",
                     code_id(code), page.blocks[i].text);
        }
        section++;
        inside = 0;
    }
    if (section < SEE_ALSO || inside == 0) {
        fail_msg("%s.md ends within its sections", code_id(code));
    }
    arena_free(arena);
}

static void pages_have_all_sections(void **state)
{
    (void)state;
    for_each_page(check_sections);
}

/* Code stands in the section for it, and every mark of Markdown was understood. */
static void check_blocks(enum code code, const char *text)
{
    struct arena *arena = arena_new();
    const char *section = "";
    struct page page;

    page_parse(arena, code, text, &page);
    for (size_t i = 0; i < page.block_count; i++) {
        const struct page_block *block = &page.blocks[i];
        section = block->kind == PAGE_HEADING ? block->text : section;
        if (block->kind == PAGE_CODE &&
            (strcmp(section, "The smallest example") != 0 || block->text[0] == '\0')) {
            fail_msg("%s.md: code in the section \"%s\"", code_id(code), section);
        }
        for (size_t j = 0; j < block->span_count; j++) {
            const struct page_span *span = &block->spans[j];
            if (span->kind == PAGE_TEXT && strpbrk(span->text, "`#*[]|") != NULL) {
                fail_msg("%s.md: markup that is not in the subset: %s", code_id(code), span->text);
            }
            if (strcmp(section, "See also") == 0 && j == 0 && span->kind != PAGE_REFERENCE) {
                fail_msg("%s.md: \"See also\" names a code first: %s", code_id(code), span->text);
            }
        }
    }
    arena_free(arena);
}

static void blocks_keep_the_subset(void **state)
{
    (void)state;
    for_each_page(check_blocks);
}

/* A code of a launch that runs has an example that runs, and how it is fixed; the codes of the
 * grader's side and of limits, and those that need a coursework, have a part of a program or a
 * screen. */
static void check_example(enum code code, const char *text)
{
    static const char *const running = "ABDNR";
    static const char *const refused[] = {"C01", "K01"};
    struct arena *arena = arena_new();
    struct page page;
    bool is_refused = false;

    page_parse(arena, code, text, &page);
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        is_refused = is_refused || strcmp(code_id(code), refused[i]) == 0;
    }
    if (strchr(running, code_id(code)[0]) != NULL &&
        (page.example == NULL || page.example->code_kind != PAGE_CODE_PROGRAM)) {
        fail_msg("%s.md has no program as its example", code_id(code));
    }
    if (strchr(running, code_id(code)[0]) != NULL && page.example->fixed == NULL) {
        fail_msg("%s.md does not show how its example is fixed", code_id(code));
    }
    if (is_refused && (page.example == NULL || page.example->code_kind != PAGE_CODE_REFUSED)) {
        fail_msg("%s.md has no program that is refused", code_id(code));
    }
    if (page.example != NULL && page.example->code_kind == PAGE_CODE_PROGRAM) {
        assert_non_null(strstr(page.example->text, "int main()\n"));
    }
    arena_free(arena);
}

static void examples_are_of_their_kind(void **state)
{
    (void)state;
    for_each_page(check_example);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(titles_are_those_of_the_codes),
        cmocka_unit_test(pages_are_short_and_narrow),
        cmocka_unit_test(pages_have_all_sections),
        cmocka_unit_test(blocks_keep_the_subset),
        cmocka_unit_test(examples_are_of_their_kind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
