/* test_emit_markdown.c: the two forms of Markdown, what a student's words become in them, and how
 * they are shortened. What renderers make of them: tests/platform/markdown.sh. */
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "made_report.h"

static const char table[] =
    "| Result | Criterion | Points | Why |\n|:--|:--|--:|:--|\n"
    "| \xE2\x9C\x93 passed | compile | 5 of 5 |  |\n"
    "| \xE2\x9C\x97 failed | correct, tiled | 0 of 20 | `W01` wrong result, because of "
    "\"race-free, tiled\" |\n"
    "| \xE2\x9C\x97 failed | race-free, tiled | 0 of 10 | `R01` race |\n"
    "| \xE2\x97\x90 partial | dynamic | 2.5 of 5 | `L05` launch configuration |\n"
    "| \xE2\x80\x93 skipped | speedup | - of 15 | not measured here, costs nothing |\n"
    "| \xE2\x9A\xA0 error | block size | - of 3 | could not be graded, costs nothing |\n"
    "| \xE2\x9C\x93 passed | extra tiles | 4 of 4 bonus |  |\n\n";

static const char race[] = "shared tile `Bs` is read while others write it\n\n"
                           "- `hw3/a.cu:31:13`: read by thread (3,0)\n"
                           "- `hw3/a.cu:27:9`: written by thread (3,5)\n"
                           "- **seen:** in 8 of 8 shapes\n"
                           "- **so:** \"correct, tiled\" fails too: 128 wrong\n"
                           "- **hint:** wait before the tile is read\n"
                           "- **again:** `gpugrade check . --only race-free.tiled --seed 0x1`\n"
                           "- **explain:** `gpugrade explain R01`\n\n";

static const char remarks[] = "### 2 remarks that cost no marks\n\n"
                              "- `hw3/a.cu:12:7`: variable \"i\" is never used\n"
                              "- cudaGetLastError() returned 700\n\n"
                              "gpugrade 0\\.1.0, nvcc 13.0, emulated H200, sandbox A, "
                              "rubric version 3, seed 0x5eed.\n";

/* Checks that the text goes on with a part; returns what is behind it. */
static const char *expect(const char *text, const char *part)
{
    char start[200];

    if (!text_starts_with(text, part)) {
        snprintf(start, sizeof start, "%s", text);
        assert_string_equal(start, part);
    }
    return text + strlen(part);
}

static void a_summary_folds(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    text_init(&text);
    emit_summary(&made.report, &made_options, &text);
    const char *rest = expect(text.bytes, "## matmul: 11.5 of 40 points\n\nSubmission `alice`: ");
    rest = strstr(rest, "\n\n") + 2;
    rest = expect(rest, table);
    rest = expect(rest, "### 3 errors and 1 warning\n\n<details open>\n<summary><b>error R01: "
                        "race</b> in <code>hw3/a.cu:31:13</code></summary>\n\n");
    rest = expect(rest, race);
    rest = expect(rest, "</details>\n\n<details>\n<summary><b>error L05: launch configuration</b> "
                        "in <code>hw3/my b,c:d.cu:7</code></summary>\n\n"
                        "2048 bytes instead of 1024\n\n</details>\n\n"
                        "<details>\n<summary><b>error: could not be graded</b></summary>\n\n"
                        "the device process ended\n\n</details>\n\n"
                        "<details>\n<summary><b>warning Q01: access pattern</b> in "
                        "<code>hw3/a.cu:40:5</code></summary>\n\n"
                        "4 lanes meet in one bank\n\n</details>\n\n");
    assert_string_equal(rest, remarks);
    text_release(&text);
}

static void a_comment_shows_all(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    text_init(&text);
    emit_markdown(&made.report, &made_options, &text);
    const char *rest = strstr(text.bytes, table);
    assert_non_null(rest);
    rest = expect(rest + strlen(table),
                  "### 3 errors and 1 warning\n\n#### error R01: race in `hw3/a.cu:31:13`\n\n");
    rest = expect(rest, race);
    rest = expect(rest, "#### error L05: launch configuration in `hw3/my b,c:d.cu:7`\n\n"
                        "2048 bytes instead of 1024\n\n"
                        "#### error: could not be graded\n\nthe device process ended\n\n"
                        "#### warning Q01: access pattern in `hw3/a.cu:40:5`\n\n"
                        "4 lanes meet in one bank\n\n");
    assert_string_equal(rest, remarks);
    assert_null(strstr(text.bytes, "<details"));
    text_release(&text);
}

static void all_is_well(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    text_init(&text);
    emit_summary(&made.report, &made_options, &text);
    assert_non_null(strstr(text.bytes, "\n\nNo error and no warning was found.\n\ngpugrade "));
    assert_null(strstr(text.bytes, "failed"));
    assert_null(strstr(text.bytes, "remark"));
    text_clear(&text);
    made_all(&made, STATUS_SKIPPED);
    emit_markdown(&made.report, &made_options, &text);
    assert_true(text_starts_with(text.bytes, "## matmul: 0 of 0 points\n"));
    text_release(&text);
}

static size_t lines_of(const char *text, const char *start)
{
    size_t count = 0;

    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        count += text_starts_with(line, start) ? 1 : 0;
    }
    return count;
}

/* Everything that a student may have a word in says `words`. */
static void make_hostile(struct made_report *made, const char *words)
{
    made_init(made);
    made->report.submission_name = words;
    made->diagnostics[0].message = words;
    made->diagnostics[0].file = words;
    made->diagnostics[1].message = words;
    made->marks[0].file = words;
    made->marks[0].label = words;
    for (size_t i = 0; i < 5; i++) {
        made->notes[i].text = words;
    }
    made->verdicts[1].cause.message = words;
    made->verdicts[2].cause.hint = words;
    made->remarks[0].file = words;
    made->remarks[0].message = words;
    made->remarks[1].message = words;
}

/* The structure is the same whatever a student writes, and no line is a command of a platform. */
static void check_hostile(const char *words)
{
    static emit_function *const emitters[] = {emit_summary, emit_markdown};
    struct made_report made;
    struct text text;

    text_init(&text);
    for (size_t i = 0; i < 2; i++) {
        bool is_folding = emitters[i] == emit_summary;
        make_hostile(&made, words);
        text_clear(&text);
        emitters[i](&made.report, &made_options, &text);
        assert_true(text_is_utf8(text.bytes, text.length));
        assert_int_equal(lines_of(text.bytes, "|"), 9);
        assert_int_equal(lines_of(text.bytes, "#"), is_folding ? 3 : 7);
        assert_int_equal(lines_of(text.bytes, "<details"), is_folding ? 4 : 0);
        assert_int_equal(lines_of(text.bytes, "</details>\n"), is_folding ? 4 : 0);
        assert_int_equal(lines_of(text.bytes, "<"), is_folding ? 12 : 0);
        assert_int_equal(lines_of(text.bytes, "::"), 0);
        assert_int_equal(lines_of(text.bytes, "/"), 0);
        assert_int_equal(lines_of(text.bytes, " "), 0);
        assert_null(strstr(text.bytes, "##["));
        assert_null(strstr(text.bytes, "\x1B"));
        assert_null(strstr(text.bytes, "<code>hw3/<"));
    }
    text_release(&text);
}

static void words_of_a_student_change_nothing(void **state)
{
    (void)state;
    check_hostile("x\n\n# forged\n\n| a | b |\n|--|--|\n");
    check_hostile("x | 100 of 100 | |");
    check_hostile("</code></summary></details><h1>forged</h1>");
    check_hostile("<script>alert(1)</script>");
    check_hostile("::error file=b.cu::forged");
    check_hostile("/close");
    check_hostile("```\n</details>\n```");
    check_hostile("` `` @all #1 ![a](http://b.c)");
    check_hostile("##[error]\x1B[2J\xE2\x80\xAE\xFF");
    check_hostile("    code");
    check_hostile("---");
}

static void hostile_words_are_code(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    text_init(&text);
    make_hostile(&made, "ask @all of <b> now");
    emit_summary(&made.report, &made_options, &text);
    assert_non_null(strstr(text.bytes, "\n- **hint:** ask `@all` of `<b>` now\n"));
    assert_non_null(strstr(text.bytes, "<code>hw3/ask @all of &lt;b&gt; now:31:13</code>"));
    assert_non_null(strstr(text.bytes, "\n\nask `@all` of `<b>` now\n\n"));
    text_release(&text);
}

/* A course may call a criterion anything: a row stays a row. */
static void titles_keep_their_cells(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made.criteria[2].title = "a|b \\| `c` <d>";
    text_init(&text);
    emit_summary(&made.report, &made_options, &text);
    assert_non_null(strstr(text.bytes, " failed | a\\|b \\\\\\| \\`c\\` &lt;d&gt; | 0 of 10 |"));
    text_release(&text);
}

static void what_is_left_out_is_said(void **state)
{
    enum { MANY = 500, LONG = 3000 };
    static struct report_diagnostic diagnostics[MANY];
    static char words[LONG + 1];
    struct made_report made;
    struct text text;

    (void)state;
    memset(words, 'x', LONG);
    made_init(&made);
    for (size_t i = 0; i < MANY; i++) {
        diagnostics[i] = made.diagnostics[0];
        diagnostics[i].line = (int)i + 1;
    }
    made.report.diagnostics = diagnostics;
    made.report.diagnostic_count = MANY;
    text_init(&text);
    emit_summary(&made.report, &made_options, &text); /* all of them fit */
    assert_null(strstr(text.bytes, "Shortened"));
    assert_int_equal(lines_of(text.bytes, "<details"), MANY);

    text_clear(&text);
    emit_markdown(&made.report, &made_options, &text);
    assert_in_range(text.length, EMIT_MARKDOWN_BYTES_MAX - 2000, EMIT_MARKDOWN_BYTES_MAX);
    size_t shown = lines_of(text.bytes, "#### ");
    assert_in_range(shown, 50, MANY - 1);
    char said[100];
    snprintf(said, sizeof said, "\n**Shortened:** %zu of 500 errors and warnings and ",
             MANY - shown);
    assert_non_null(strstr(text.bytes, said));
    assert_true(text_ends_with(text.bytes, "seed 0x5eed.\n"));

    made.diagnostics[0].message = words;
    for (size_t i = 0; i < MANY; i++) {
        diagnostics[i].message = words;
        diagnostics[i].file = words;
    }
    text_clear(&text);
    emit_summary(&made.report, &made_options, &text);
    assert_in_range(text.length, EMIT_SUMMARY_BYTES_MAX - 8000, EMIT_SUMMARY_BYTES_MAX);
    assert_non_null(strstr(text.bytes, "xx ... (1000 more bytes)\n\n"));
    assert_int_equal(lines_of(text.bytes, "<details"), lines_of(text.bytes, "</details>"));
    assert_non_null(strstr(text.bytes, "\n**Shortened:** "));
    text_release(&text);
}

static void many_criteria_are_shortened_too(void **state)
{
    enum { MANY = 2000 };
    static struct verdict verdicts[MANY];
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    for (size_t i = 0; i < MANY; i++) {
        verdicts[i] = made.verdicts[2];
    }
    made.report.verdicts = verdicts;
    made.report.verdict_count = MANY;
    text_init(&text);
    emit_markdown(&made.report, &made_options, &text);
    assert_true(text.length <= EMIT_MARKDOWN_BYTES_MAX);
    assert_non_null(strstr(text.bytes, " of 2000 criteria are not shown here; see the score "
                                       "file.\n\n### 3 errors and 1 warning\n\n"));
    text_release(&text);
}

/* Room is counted from where the report begins. */
static void what_stands_before_changes_nothing(void **state)
{
    enum { BEFORE = 2 * EMIT_MARKDOWN_BYTES_MAX };
    struct made_report made;
    struct text alone, behind;

    (void)state;
    made_init(&made);
    text_init(&alone);
    text_init(&behind);
    emit_markdown(&made.report, &made_options, &alone);
    text_append_repeated(&behind, 'x', BEFORE);
    emit_markdown(&made.report, &made_options, &behind);
    assert_string_equal(behind.bytes + BEFORE, alone.bytes);
    text_release(&behind);
    text_release(&alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_folds),
        cmocka_unit_test(a_comment_shows_all),
        cmocka_unit_test(all_is_well),
        cmocka_unit_test(words_of_a_student_change_nothing),
        cmocka_unit_test(hostile_words_are_code),
        cmocka_unit_test(titles_keep_their_cells),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(many_criteria_are_shortened_too),
        cmocka_unit_test(what_stands_before_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
