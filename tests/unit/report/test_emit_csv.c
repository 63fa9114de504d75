/* test_emit_csv.c: one submission as a row, with the columns of a class. */
#include "report/class/class_csv.h"
#include "report/platform/emit_format.h"

#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_report.h"

static const char common[] = "student,name,email,section,submission,submitted,attempts,state,"
                             "reason,mark,maximum,raw,penalty,"
                             "late_seconds,cut_off,complete,speedup,seconds,tries,added,excused,"
                             "comments,";

static void emit(const struct made_report *made, struct text *out)
{
    text_init(out);
    emit_csv(&made->report, &made_options, out);
    assert_true(text_is_utf8(out->bytes, out->length));
}

static void a_row_holds_every_criterion(void **state)
{
    static const struct named_seconds seconds[] = {{"run", 1}, {"total", 2.25}};
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made.report.seconds = seconds;
    made.report.seconds_count = 2;
    verdict_add_measured_number(&made.verdicts[4], "speedup", 3.5);
    emit(&made, &text);
    assert_true(text_starts_with(text.bytes, common));
    assert_string_equal(text.bytes + strlen(common),
                        "compile,compile status,compile cause,"
                        "correct.tiled,correct.tiled status,correct.tiled cause,"
                        "race-free.tiled,race-free.tiled status,race-free.tiled cause,"
                        "dynamic,dynamic status,dynamic cause,"
                        "speedup,speedup status,speedup cause,"
                        "block,block status,block cause,"
                        "extra,extra status,extra cause\r\n"
                        "alice,,,,alice,,1,graded,,,40,11.5,0,0,no,no,3.5,2.25,1,"
                        ",,,5,passed,,0,failed,W01,0,failed,R01,2.5,partial,L05,,skipped,,,error,,"
                        "4,passed,\r\n");
    text_release(&text);
}

static void a_mark_stands_unless_the_grader_failed(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    emit(&made, &text);
    assert_non_null(
        strstr(text.bytes, "\r\nalice,,,,alice,,1,graded,,62,58,62,0,0,no,yes,,0,1,,,,5,"));
    text_release(&text);
    made_all(&made, STATUS_SKIPPED);
    emit(&made, &text);
    assert_non_null(strstr(text.bytes, "\r\nalice,,,,alice,,1,graded,,0,0,0,0,0,no,no,,0,1,,,,,"));
    text_release(&text);
}

static void a_path_ends_in_the_student(void **state)
{
    static const struct {
        const char *submission, *cells;
    } rows[] = {
        {"hw3/bob/", "\r\nbob,,,,hw3/bob/,"}, {".", "\r\n.,,,,.,"}, {"/", "\r\n\"\",,,,/,"}};
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        made.report.submission_name = rows[i].submission;
        emit(&made, &text);
        if (strstr(text.bytes, rows[i].cells) == NULL) {
            fail_msg("no %s in %s", rows[i].cells, text.bytes);
        }
        text_release(&text);
    }
}

static void names_are_no_formulas(void **state)
{
    struct made_report made;
    struct text text;
    struct arena *arena = arena_new();
    struct csv_table table;
    struct diagnostic diagnostic;

    (void)state;
    made_init(&made);
    made.report.submission_name = "in/=cmd|' calc'!A0,\n\"x\"";
    emit(&made, &text);
    assert_int_equal(csv_read(arena, text.bytes, text.length, "score.csv", &table, &diagnostic), 0);
    assert_int_equal(table.row_count, 1);
    assert_int_equal(table.column_count, 22 + 3 * MADE_VERDICTS);
    assert_int_equal(table.rows[0].cell_count, table.column_count);
    assert_string_equal(table.rows[0].cells[0], "'=cmd|' calc'!A0,\\x0A\"x\"");
    text_release(&text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_holds_every_criterion),
        cmocka_unit_test(a_mark_stands_unless_the_grader_failed),
        cmocka_unit_test(a_path_ends_in_the_student),
        cmocka_unit_test(names_are_no_formulas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
