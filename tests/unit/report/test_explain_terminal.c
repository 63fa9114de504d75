/* test_explain_terminal.c: pages and the list of codes on a screen. */
#include "report/terminal/explain_terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char sample[] = "# R01: a title\n"
                             "\n"
                             "## First\n"
                             "\n"
                             "One two three four five six seven `eight` nine ten\n"
                             "eleven, see R02.\n"
                             "\n"
                             "- first item of a list, which is long enough to be wrapped\n"
                             "- second\n"
                             "1. third\n"
                             "\n"
                             "```cuda --launch-seconds 1\n"
                             "int a_long_line_of_code_that_is_never_wrapped_by_anybody = 1;\n"
                             "\n"
                             "int main()\n"
                             "```\n"
                             "\n"
                             "## Second\n"
                             "\n"
                             "```text\n"
                             "$ ls\n"
                             "```\n"
                             "\n"
                             "```cuda fragment\n"
                             "int part;\n"
                             "```\n";

/* Shows the sample. */
static void show(int columns, bool color, struct text *out)
{
    struct arena *arena = arena_new();
    struct page page;

    page_parse(arena, CODE_SHARED_RACE, sample, &page);
    text_init(out);
    explain_terminal_page(&page, columns, color, out);
    arena_free(arena);
}

static void a_page_is_wrapped_and_code_is_not(void **state)
{
    static const char expected[] =
        "R01: a title\n"
        "(shared_race)\n"
        "\n"
        "First\n"
        "One two three four five six seven\n"
        "`eight` nine ten eleven, see R02.\n"
        "\n"
        "  - first item of a list, which is long\n"
        "    enough to be wrapped\n"
        "  - second\n"
        "  1. third\n"
        "\n"
        "    int a_long_line_of_code_that_is_never_wrapped_by_anybody = 1;\n"
        "\n"
        "    int main()\n"
        "    (try it: gpugrade explain R01 --example >R01.cu; gpugrade run --launch-seconds 1 "
        "R01.cu)\n"
        "\n"
        "Second\n"
        "    $ ls\n"
        "\n"
        "    int part;\n"
        "    (part of a program)\n";
    struct text out;

    (void)state;
    show(40, false, &out);
    assert_string_equal(out.bytes, expected);
    text_release(&out);
    show(1, false, &out); /* no narrower than 40 */
    assert_string_equal(out.bytes, expected);
    text_release(&out);
}

static void a_wide_or_unknown_terminal_gets_80_columns(void **state)
{
    static const char line[] =
        "\nOne two three four five six seven `eight` nine ten eleven, see R02.\n";
    static const int columns[] = {0, 80, 500};

    (void)state;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct text out;
        show(columns[i], false, &out);
        assert_non_null(strstr(out.bytes, line));
        text_release(&out);
    }
}

static void colour_never_stands_alone(void **state)
{
    struct text plain;
    struct text colored;
    struct text stripped;

    (void)state;
    show(60, false, &plain);
    show(60, true, &colored);
    text_init(&stripped);
    for (const char *at = colored.bytes; *at != '\0'; at++) {
        if (*at == '\033') {
            at += strcspn(at, "m");
        } else {
            text_append_char(&stripped, *at);
        }
    }
    assert_string_equal(stripped.bytes, plain.bytes);
    assert_true(colored.length > plain.length);
    text_release(&plain);
    text_release(&colored);
    text_release(&stripped);
}

static void the_list_has_families_and_titles(void **state)
{
    struct text out;

    (void)state;
    text_init(&out);
    explain_terminal_list(false, &out);
    assert_non_null(strstr(
        out.bytes, "\nraces\n  R01  shared_race             data race in shared memory, no"));
    assert_non_null(strstr(out.bytes, "\n  R02  warp_race "));
    assert_non_null(strstr(out.bytes, "\n\nbarriers\n  D01  barrier_deadlock "));
    text_release(&out);
}

/* Wrong and right code: side by side where both fit, else in one listing. */
static void code_and_its_fix_are_shown(void **state)
{
    static const char marked[] = "# R01: a title\n"
                                 "## First\n"
                                 "```cuda fragment\n"
                                 "one();\n"
                                 "\n"
                                 "-   two();\n"
                                 "-   three();\n"
                                 "+   four();\n"
                                 "```\n";
    static const char below[] = "    one();\n"
                                "\n"
                                "  -     two();\n"
                                "  -     three();\n"
                                "  +     four();\n"
                                "    (part of a program) (-: wrong, +: right)\n";
    static const char beside[] = "    wrong           right\n"
                                 "    one();          one();\n"
                                 "\n"
                                 "  -     two();    +     four();\n"
                                 "  -     three();  \n"
                                 "    (part of a program) (-: wrong, +: right)\n";
    struct arena *arena = arena_new();
    struct page page;
    struct text out;

    (void)state;
    page_parse(arena, CODE_SHARED_RACE, marked, &page);
    text_init(&out);
    explain_terminal_page(&page, 31, false, &out);
    assert_non_null(strstr(out.bytes, below));
    text_clear(&out);
    explain_terminal_page(&page, 32, false, &out);
    assert_non_null(strstr(out.bytes, beside));
    text_clear(&out);
    explain_terminal_page(&page, 0, false, &out); /* no screen */
    assert_non_null(strstr(out.bytes, below));
    text_release(&out);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_wrapped_and_code_is_not),
        cmocka_unit_test(a_wide_or_unknown_terminal_gets_80_columns),
        cmocka_unit_test(code_and_its_fix_are_shown),
        cmocka_unit_test(colour_never_stands_alone),
        cmocka_unit_test(the_list_has_families_and_titles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
