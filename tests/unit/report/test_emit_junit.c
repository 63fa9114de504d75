/* test_emit_junit.c: JUnit test results, byte for byte where it matters, and hostile texts. */
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "made_report.h"

static void emit(const struct made_report *made, struct text *out)
{
    text_init(out);
    emit_junit(&made->report, &made_options, out);
    assert_true(text_is_utf8(out->bytes, out->length));
}

static void expect(const struct text *text, const char *part)
{
    if (strstr(text->bytes, part) == NULL) {
        fail_msg("not there: %s\nin:\n%s", part, text->bytes);
    }
}

static void every_status_is_a_case(void **state)
{
    static const struct named_seconds seconds[] = {{"build", 1.5}, {"total", 12.3456}};
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made.report.seconds = seconds;
    made.report.seconds_count = 2;
    emit(&made, &text);
    assert_true(text_starts_with(
        text.bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"gpugrade\" tests=\"7\" failures=\"3\" errors=\"1\" time=\"12.346\">\n"
        "  <testsuite name=\"matmul\" tests=\"7\" failures=\"3\" errors=\"1\" skipped=\"1\" "
        "time=\"12.346\">\n"
        "    <testcase name=\"compile\" classname=\"gpugrade.matmul\" time=\"0\">\n"
        "      <system-out>compile: passed, 5 of 5 points</system-out>\n"
        "    </testcase>\n"
        "    <testcase name=\"correct.tiled\" classname=\"gpugrade.matmul\" time=\"0\">\n"
        "      <failure type=\"wrong_result\" message=\"0 of 20 points: wrong in 8 of 8 shapes\">"
        "same cause as race-free.tiled: error[R01]: shared tile `Bs` is read while others "
        "write it\n</failure>\n"));
    expect(&text, "<failure type=\"race\" message=\"0 of 10 points: shared tile `Bs` is read while "
                  "others write it\">error[R01]: shared tile `Bs` is read while others write it\n"
                  "  at hw3/a.cu:31:13\n"
                  "  hw3/a.cu:31:13: read by thread (3,0)\n"
                  "  hw3/a.cu:27:9: written by thread (3,5)\n"
                  "  seen: in 8 of 8 shapes\n");
    expect(&text, "<failure type=\"launch_config\" message=\"2.5 of 5 points: 2048 bytes instead");
    expect(&text, "<skipped type=\"skipped\" message=\"15 points, not measured: no real GPU is "
                  "used\"></skipped>\n");
    expect(&text, "<error type=\"error\" message=\"3 points, not measured: the device process "
                  "ended\">error: the device process ended\n</error>\n");
    expect(&text, "<system-out>extra tiles: passed, 4 of 4 bonus points</system-out>");
    expect(&text, "<system-out>score: 11.5 of 40 points; 18 more were not measured; includes 4 "
                  "bonus points\nwarning[Q01]: 4 lanes meet in one bank\n  at hw3/a.cu:40:5\n"
                  "remark: hw3/a.cu:12:7: variable \"i\" is never used\n"
                  "remark: cudaGetLastError() returned 700\n</system-out>\n"
                  "  </testsuite>\n</testsuites>\n");
    text_release(&text);
}

static void a_pass_has_no_failure(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    emit(&made, &text);
    expect(&text, "tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\"");
    assert_null(strstr(text.bytes, "<failure"));
    assert_null(strstr(text.bytes, "<skipped"));
    assert_null(strstr(text.bytes, "<error"));
    expect(&text, "<system-out>score: 62 of 58 points; includes 4 bonus points\n</system-out>");
    text_release(&text);
}

static void nothing_measured_is_all_skipped(void **state)
{
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_SKIPPED);
    emit(&made, &text);
    expect(&text, "tests=\"7\" failures=\"0\" errors=\"0\" skipped=\"7\"");
    made.report.verdict_count = 0;
    text_release(&text);
    emit(&made, &text);
    expect(&text,
           "<testsuite name=\"matmul\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" "
           "time=\"0\">\n    <system-out>score: 0 of 0 points\n</system-out>");
    text_release(&text);
}

/* What XML 1.0 forbids, what ends a section or an attribute, and what a reader would drop. */
static void hostile_text_stays_text(void **state)
{
    static const char hostile[] = "]]><x a='1'>&amp;\"\x01\x1B[31m\n\t\xEF\xBF\xBE\xED\xA0\x80\xFF";
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    made.diagnostics[0].message = hostile;
    made.verdicts[2].cause.message = hostile;
    made.criteria[0].id = "a\"b<";
    emit(&made, &text);
    expect(&text, "<testcase name=\"a&quot;b&lt;\" classname");
    expect(&text,
           "message=\"0 of 10 points: ]]&gt;&lt;x a='1'&gt;&amp;amp;&quot;\\x01\\x1B[31m&#10;&#9;"
           "\\xEF\\xBF\\xBE\\xED\\xA0\\x80\\xFF\">");
    expect(&text, ">error[R01]: ]]&gt;&lt;x a='1'&gt;&amp;amp;\"\\x01\\x1B[31m\n\t\\xEF\\xBF\\xBE"
                  "\\xED\\xA0\\x80\\xFF\n  at hw3/");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_is_a_case),
        cmocka_unit_test(a_pass_has_no_failure),
        cmocka_unit_test(nothing_measured_is_all_skipped),
        cmocka_unit_test(hostile_text_stays_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
