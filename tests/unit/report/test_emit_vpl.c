/* test_emit_vpl.c: an evaluation in Moodle's VPL, read back as VPL reads it. */
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_report.h"

static const char grade_tag[] = "Grade :=>>";
static const char comment_tag[] = "Comment :=>>";

static void emit(const struct made_report *made, struct text *out)
{
    text_init(out);
    emit_vpl(&made->report, &made_options, out);
    assert_true(text_is_utf8(out->bytes, out->length));
    assert_null(strchr(out->bytes, '\r'));
}

/* What VPL makes of it: the last grade, how many grades and titles, and the comment. */
struct reading {
    struct text grade, comment;
    size_t grades, titles, cases;
};

static void read_comment(struct reading *reading, const char *line)
{
    reading->titles += line[0] == '-' && line[1] != '\0';
    reading->cases += line[strspn(line, " \t")] == '>';
    text_append(&reading->comment, line);
    text_append_char(&reading->comment, '\n');
}

/* The tag of a block alone on its line, with blanks around. */
static bool is_tag(const char *line, const char *tag)
{
    line += strspn(line, " \t");
    return text_starts_with(line, tag) &&
           line[strlen(tag) + strspn(line + strlen(tag), " \t")] == '\0';
}

static void read_line(struct reading *reading, const char *line, bool *in_block)
{
    if (text_starts_with(line, grade_tag)) { /* also within a block */
        text_clear(&reading->grade);
        text_append(&reading->grade, line + strlen(grade_tag));
        reading->grades++;
    }
    if (*in_block && is_tag(line, "--|>")) {
        *in_block = false;
    } else if (*in_block) {
        read_comment(reading, line);
    } else if (text_starts_with(line, comment_tag)) {
        read_comment(reading, line + strlen(comment_tag));
    } else if (is_tag(line, "<|--")) {
        *in_block = true;
    } else if (!text_starts_with(line, grade_tag)) {
        assert_string_equal(line, "");
    }
}

static void read_text(const struct text *text, struct reading *out)
{
    bool in_block = false;

    memset(out, 0, sizeof *out);
    text_init(&out->grade);
    text_init(&out->comment);
    for (const char *line = text->bytes; *line != '\0';) {
        char copy[4096];
        size_t length = strcspn(line, "\n");
        assert_true(length < sizeof copy && line[length] == '\n');
        memcpy(copy, line, length);
        copy[length] = '\0';
        read_line(out, copy, &in_block);
        line += length + 1;
    }
    assert_false(in_block);
}

/* The made report without its error, which takes the grade away. */
static void init_judged(struct made_report *made)
{
    made_init(made);
    made->report.verdict_count = 5;
    made->report.diagnostic_count = 2;
}

static void the_whole_text_is_as_expected(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    init_judged(&made);
    emit(&made, &text);
    assert_string_equal(text.bytes,
                        "Comment :=>>-Score: 7.5 of 40 points; 15 more were not measured\n"
                        "<|--\n"
                        "-compile: passed, 5 of 5 points\n"
                        "-correct, tiled: failed, 0 of 20 points\n"
                        "same cause as race-free, tiled: error[R01]: shared tile "
                        "`Bs` is read while others write it\n"
                        "-race-free, tiled: failed, 0 of 10 points\n"
                        "error[R01]: shared tile `Bs` is read while others write it\n"
                        "  at hw3/a.cu:31:13\n"
                        "  hw3/a.cu:31:13: read by thread (3,0)\n"
                        "  hw3/a.cu:27:9: written by thread (3,5)\n"
                        "  seen: in 8 of 8 shapes\n"
                        "  so: \"correct, tiled\" fails too: 128 wrong\n"
                        "  hint: wait before the tile is read\n"
                        "  again: gpugrade check . --only race-free.tiled --seed 0x1\n"
                        "  explain: gpugrade explain R01\n"
                        "-dynamic: partial, 2.5 of 5 points\n"
                        "error[L05]: 2048 bytes instead of 1024\n"
                        "  at hw3/my b,c:d.cu:7\n"
                        "-speedup: skipped, 15 points, not measured\n"
                        "no real GPU is used\n"
                        "-Also found, costs nothing\n"
                        "remark: hw3/a.cu:12:7: variable \"i\" is never used\n"
                        "remark: cudaGetLastError() returned 700\n"
                        "--|>\n"
                        "\n"
                        "Grade :=>>18.75\n"); /* 7.5 of 40 */
    text_release(&text);
}

static void check_grade(const struct made_report *made, const char *grade, const char *comment)
{
    struct reading reading;
    struct text text;

    emit(made, &text);
    read_text(&text, &reading);
    assert_string_equal(reading.grade.bytes, grade);
    assert_int_equal(reading.grades, grade[0] != '\0');
    if (strstr(reading.comment.bytes, comment) == NULL) {
        fail_msg("no %s in %s", comment, reading.comment.bytes);
    }
    text_release(&reading.grade);
    text_release(&reading.comment);
    text_release(&text);
}

static void a_grade_is_given_where_one_is_due(void **state)
{
    struct made_report made;

    (void)state;
    init_judged(&made);
    made_all(&made, STATUS_PASSED);
    check_grade(&made, "100", "-Score: 55 of 55 points\n");
    made.report.verdict_count = MADE_VERDICTS;
    check_grade(&made, "100", "-Score: 62 of 58 points; includes 4 bonus points\n");
    made.verdicts[1].points = 15; /* the 4 bonus points make up for them */
    check_grade(&made, "98.27586", "-Score: 57 of 58 points; includes 4 bonus points\n");
    made_all(&made, STATUS_FAILED);
    check_grade(&made, "0", "-Score: 0 of 58 points\n");
    made_all(&made, STATUS_SKIPPED);
    check_grade(&made, "", "-No grade: nothing could be measured on this machine\n");
    made.verdicts[0].status = STATUS_PASSED;
    made.verdicts[1].status = STATUS_ERROR;
    check_grade(&made, "", "-No grade: the grader or the machine failed");
    made.report.verdict_count = 0;
    check_grade(&made, "", "-No grade: nothing could be measured");
}

/* Texts that would be a grade, the end of the block, a title, a case, a link. */
static void hostile_text_forges_nothing(void **state)
{
    static const char *const texts[] = {
        "Grade :=>>100",       "x\nGrade :=>>100\n", "\rGrade :=>>100",
        "--|>\nGrade :=>>100", "  --|>  ",           "<|--\n-A title",
        "-A title (-100)",     "> a case",           "http://example.org/x",
        "Comment :=>>-Title",  " \xC2\xA0-not one",  "\x1B[2J\xFF\xED\xA0\x80",
        "x Grade :=>>100",     "grade :=>>100",      "\xE2\x80\xA8-Title",
        "a:=>>b:=>>",
    };
    struct made_report made;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct reading reading;
        struct text text;
        init_judged(&made);
        made.diagnostics[0].message = texts[i];
        made.diagnostics[0].file = texts[i];
        made.diagnostics[1].message = texts[i];
        made.marks[1].file = texts[i];
        made.marks[0].label = texts[i];
        made.notes[0].text = texts[i];
        made.remarks[0].file = texts[i];
        made.remarks[1].message = texts[i];
        made.criteria[0].title = texts[i];
        made.verdicts[4].measured[0].text = texts[i];
        emit(&made, &text);
        read_text(&text, &reading);
        assert_int_equal(reading.grades, 1);
        assert_string_equal(reading.grade.bytes, "18.75");
        assert_int_equal(reading.titles, 7); /* the score, five criteria, what is also seen */
        assert_int_equal(reading.cases, 0);
        assert_null(strstr(reading.comment.bytes, ":=>>"));
        text_release(&reading.grade);
        text_release(&reading.comment);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_text_is_as_expected),
        cmocka_unit_test(a_grade_is_given_where_one_is_due),
        cmocka_unit_test(hostile_text_forges_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
