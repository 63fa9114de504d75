/* test_left_out.c: what findings stand for is told beside them, in the score and in words. */
#include "report/left_out.h"

#include "report/score/json_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct finding listed = {
    .code = CODE_SHARED_RACE, .message = "m", .kernel = "k", .launch = "", .count = 5};

static struct finding rest_of(enum severity severity, uint64_t count)
{
    struct finding rest = listed;

    rest.is_rest = true;
    rest.severity = severity;
    rest.count = count;
    return rest;
}

static void sums_have_a_severity(void **state)
{
    const struct finding findings[] = {listed, rest_of(SEVERITY_ERROR, 3),
                                       rest_of(SEVERITY_WARNING, 40),
                                       rest_of(SEVERITY_ERROR, UINT64_MAX)};

    (void)state;
    struct left_out sum = left_out_sum(findings, 3);
    assert_int_equal(sum.errors, 3);
    assert_int_equal(sum.warnings, 40);
    assert_true(left_out_sum(findings, 4).errors == UINT64_MAX);
    assert_int_equal(left_out_sum(findings, 1).errors, 0);
}

static void a_rest_is_no_finding_of_the_list(void **state)
{
    const struct finding findings[] = {listed, rest_of(SEVERITY_WARNING, 40)};
    struct report report = {.findings = findings, .finding_count = 2};
    cJSON *root = json_made(cJSON_CreateObject());
    struct text text;

    (void)state;
    json_add_findings(root, findings, 2);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(root, "findings")), 1);
    const cJSON *dropped = cJSON_GetObjectItem(root, "findings_dropped");
    assert_int_equal(cJSON_GetObjectItem(dropped, "errors")->valueint, 0);
    assert_int_equal(cJSON_GetObjectItem(dropped, "warnings")->valueint, 40);
    cJSON_Delete(root);
    text_init(&text);
    left_out_append(&report, &text);
    assert_non_null(strstr(text.bytes, "errors occurred 0 times and warnings 40 times"));
    text_clear(&text);
    report.finding_count = 1;
    left_out_append(&report, &text);
    assert_int_equal(text.length, 0);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_have_a_severity),
        cmocka_unit_test(a_rest_is_no_finding_of_the_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
