/* test_json.c: what is JSON, where mistakes stand, and how values are printed. */
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A text that is refused: where, and with which words. */
static const struct {
    const char *text;
    int line, column;
    const char *message;
} refused[] = {
    {"", 1, 1, "expected a value and found the end of the text"},
    {" \n ", 2, 2, "expected a value and found the end of the text"},
    {"{", 1, 2, "expected a key in double quotes and found the end of the text"},
    {"{a:1}", 1, 2, "expected a key in double quotes and found 'a'"},
    {"{\"a\" 1}", 1, 6, "expected ':' after a key and found '1'"},
    {"{\"a\":1 \"b\":2}", 1, 8, "expected ',' or '}' and found '\"'"},
    {"{\"a\":1,}", 1, 8, "expected a key in double quotes and found '}'"},
    {"[1 2]", 1, 4, "expected ',' or ']' and found '2'"},
    {"[1,\n2,\n]", 3, 1, "expected a value and found ']'"},
    {"[1}", 1, 3, "expected ',' or ']' and found '}'"},
    {"1 1", 1, 3, "expected the end of the text and found '1'"},
    {"{}]", 1, 3, "expected the end of the text and found ']'"},
    {"nul", 1, 1, "unknown word 'nul'"},
    {"truely", 1, 1, "unknown word 'truely'"},
    {"[NaN]", 1, 2, "unknown word 'NaN'"},
    {"01", 1, 1, "an extra 0"},
    {"-", 1, 2, "expected a digit and found the end of the text"},
    {"1.", 1, 3, "expected a digit and found the end of the text"},
    {"1e+", 1, 4, "expected a digit and found the end of the text"},
    {"+1", 1, 1, "expected a value and found '+'"},
    {".5", 1, 1, "expected a value and found '.'"},
    {"0x10", 1, 2, "expected the end of the text and found 'x'"},
    {"[1e999]", 1, 2, "the number 1e999 is too large"},
    {"1111111111111111111111111111111111111111111111111111111111111", 1, 1,
     "a number of 61 characters"},
    {"\"a", 1, 1, "not closed on its line"},
    {"\"a\n\"", 1, 1, "not closed on its line"},
    {"\"\t\"", 1, 2, "control character 0x09 in a string; write it as \\u0009"},
    {"\"\\x\"", 1, 2, "unknown escape"},
    {"\"\\", 1, 2, "unknown escape"},
    {"\"\\u12\"", 1, 2, "four hexadecimal digits"},
    {"\"\\u000", 1, 2, "four hexadecimal digits"},
    {"\"\\u0000\"", 1, 2, "NUL"},
    {"\"\\ud800\"", 1, 2, "half of a surrogate pair"},
    {"\"\\udc00\"", 1, 2, "half of a surrogate pair"},
    {"\"\\ud800\\u0041\"", 1, 2, "half of a surrogate pair"},
    {"\"\\ud800\\ue000\"", 1, 2, "half of a surrogate pair"},
    {"{\"a\":1,\n \"a\":2}", 2, 2, "the key 'a' occurs twice"},
    {"{\"a\":1,\"\\u0061\":2}", 1, 8, "the key 'a' occurs twice"},
    {"[{\"b\":0,\"a\":1,\"a\":2,\"b\":3}]", 1, 15, "the key 'a' occurs twice"},
    {"\"\xC3\"", 1, 2, "the byte 0xC3 is not UTF-8"},
    {"\"\xC3\xA4\xED\xA0\x80\"", 1, 4, "the byte 0xED is not UTF-8"},
    {"[1,\n\"\xFF\"]", 2, 2, "the byte 0xFF is not UTF-8"},
    {"\xEF\xBB\xBF{}", 1, 1, "a byte order mark"},
    {"[\x7F]", 1, 2, "found the byte 0x7F"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct json_document *document = NULL;
        struct diagnostic diagnostic = {0};
        enum error error = json_parse(refused[i].text, strlen(refused[i].text), "f.json",
                                      BLAME_RUBRIC, &document, &diagnostic);
        if (error != ERROR_SYNTAX || diagnostic.line != refused[i].line ||
            diagnostic.column != refused[i].column ||
            strstr(diagnostic.message, refused[i].message) == NULL) {
            fail_msg("%s\n  expected %d:%d: %s\n  got      %d:%d: %s", refused[i].text,
                     refused[i].line, refused[i].column, refused[i].message, diagnostic.line,
                     diagnostic.column, diagnostic.message);
        }
        assert_null(document);
        assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
        assert_string_equal(diagnostic.file, "f.json");
    }
}

static void test_nul_byte(void **state)
{
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {0};

    (void)state;
    assert_int_equal(json_parse("{}\n\0", 4, "f.json", BLAME_RUBRIC, &document, &diagnostic),
                     ERROR_SYNTAX);
    assert_int_equal(diagnostic.line, 2);
    assert_int_equal(diagnostic.column, 1);
    assert_non_null(strstr(diagnostic.message, "NUL"));
}

static void test_depth(void **state)
{
    char text[2 * 65 + 1];
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {0};

    (void)state;
    memset(text, '[', 65);
    memset(text + 65, ']', 65);
    assert_int_equal(json_parse(text + 1, 128, NULL, BLAME_RUBRIC, &document, &diagnostic),
                     ERROR_NONE);
    json_document_free(document);
    document = NULL;
    assert_int_equal(json_parse(text, 130, NULL, BLAME_RUBRIC, &document, &diagnostic),
                     ERROR_SYNTAX);
    assert_int_equal(diagnostic.column, 65);
    assert_null(document);
}

static struct json_document *parse(const char *text)
{
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {0};

    if (json_parse(text, strlen(text), "f.json", BLAME_STUDENT, &document, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s: %s", text, diagnostic.message);
    }
    return document;
}

static void check_place(const struct json_document *document, const cJSON *value, bool at_key,
                        int line, int column)
{
    struct diagnostic diagnostic = {0};

    assert_non_null(value);
    json_diagnostic(document, value, at_key, &diagnostic, "value %d", 7);
    assert_int_equal(diagnostic.line, line);
    assert_int_equal(diagnostic.column, column);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_string_equal(diagnostic.file, "f.json");
    assert_string_equal(diagnostic.message, "value 7");
}

static void test_places(void **state)
{
    struct json_document *document = parse("{ \"a\" : [1,\n  {\"b\": null}, []],\n"
                                           "\"\xC3\xA4\": \"x\", \"c\":{}, \"d\" : -0.5 }\n");
    const cJSON *root = json_root(document);
    const cJSON *a = cJSON_GetObjectItemCaseSensitive(root, "a");

    (void)state;
    check_place(document, root, false, 1, 1);
    check_place(document, root, true, 1, 1); /* it has no key */
    check_place(document, a, true, 1, 3);
    check_place(document, a, false, 1, 9);
    check_place(document, a->child, false, 1, 10);
    check_place(document, a->child->next, false, 2, 3);
    check_place(document, a->child->next->child, true, 2, 4);
    check_place(document, a->child->next->child, false, 2, 9);
    check_place(document, a->child->next->next, false, 2, 16);
    check_place(document, cJSON_GetObjectItemCaseSensitive(root, "\xC3\xA4"), true, 3, 1);
    check_place(document, cJSON_GetObjectItemCaseSensitive(root, "\xC3\xA4"), false, 3, 7);
    check_place(document, cJSON_GetObjectItemCaseSensitive(root, "c"), false, 3, 16);
    check_place(document, cJSON_GetObjectItemCaseSensitive(root, "d"), true, 3, 20);
    check_place(document, cJSON_GetObjectItemCaseSensitive(root, "d"), false, 3, 26);
    json_document_free(document);
}

static void test_keys_differ_by_case(void **state)
{
    struct json_document *document = parse("{\"a\":1,\"A\":2}");

    (void)state;
    assert_int_equal(cJSON_GetArraySize(json_root(document)), 2);
    json_document_free(document);
}

/* Values as they are read, and as they are printed. */
static const struct {
    const char *text;
    const char *printed;
} printed[] = {
    {"{}", "{}\n"},
    {"[]", "[]\n"},
    {"[[],{}]", "[\n  [],\n  {}\n]\n"},
    {"{\"a\":1,\"b\":[1,2]}", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n"},
    {"[true,false,null]", "[\n  true,\n  false,\n  null\n]\n"},
    {"1.0", "1\n"},
    {"-0", "0\n"},
    {"-7", "-7\n"},
    {"0.1", "0.1\n"},
    {"0.30000000000000004", "0.30000000000000004\n"},
    {"1e300", "1e+300\n"},
    {"9007199254740991", "9007199254740991\n"},
    {"1e10", "10000000000\n"},
    {"\"a\\\"b\\\\c\\/\\n\\t\\r\"", "\"a\\\"b\\\\c/\\n\\t\\u000d\"\n"},
    {"\"\\u00e4\\ud83d\\ude00\"", "\"\xC3\xA4\xF0\x9F\x98\x80\"\n"},
    {"\"\\u009f\\u00a0\\u00a9\"", "\"\\u009f\xC2\xA0\xC2\xA9\"\n"},
    {"\"\\u001b\\u007f\\u009b\"", "\"\\u001b\\u007f\\u009b\"\n"},
};

static void test_printed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++) {
        struct json_document *document = parse(printed[i].text);
        struct text text;
        text_init(&text);
        json_print(json_root(document), &text);
        assert_string_equal(text.bytes, printed[i].printed);
        text_release(&text);
        json_document_free(document);
    }
}

/* A score file may hold text that a hostile program has printed. */
static void test_prints_invalid_text(void **state)
{
    cJSON *value = cJSON_CreateString("a\xFF\xC3(\xED\xA0\x80z\xE2\x82");
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {0};
    struct text text;

    (void)state;
    text_init(&text);
    json_print(value, &text);
    assert_string_equal(text.bytes, "\"a\\ufffd\\ufffd(\\ufffd\\ufffd\\ufffdz\\ufffd\\ufffd\"\n");
    assert_int_equal(
        json_parse(text.bytes, text.length, NULL, BLAME_GRADER, &document, &diagnostic), 0);
    json_document_free(document);
    text_release(&text);
    cJSON_Delete(value);
}

/* What would not show, or would show something else, on a terminal or in a CI log. */
static void test_escapes_deceptive_text(void **state)
{
    static const char text_in[] = "\x1B[0m\xC2\x9B \xE2\x80\xAE \xF3\xA0\x81\x81 ##[error]";
    cJSON *value = cJSON_CreateString(text_in);
    struct text text;

    (void)state;
    text_init(&text);
    json_print(value, &text);
    assert_string_equal(text.bytes,
                        "\"\\u001b[0m\\u009b \\u202e \\udb40\\udc41 ##\\u005berror]\"\n");
    cJSON *again = cJSON_Parse(text.bytes);
    assert_string_equal(cJSON_GetStringValue(again), text_in);
    cJSON_Delete(again);
    text_release(&text);
    cJSON_Delete(value);
}

static void test_printed_on_a_line(void **state)
{
    struct json_document *document =
        parse("{\"a\": [1, 2.5, []], \"b\": {}, \"c\": {\"d\": \"x\\ny\", \"e\": null}}");
    struct text text;

    (void)state;
    text_init(&text);
    json_print_line(json_root(document), &text);
    assert_string_equal(text.bytes,
                        "{\"a\":[1,2.5,[]],\"b\":{},\"c\":{\"d\":\"x\\ny\",\"e\":null}}\n");
    text_clear(&text);
    json_print_line(cJSON_GetObjectItem(json_root(document), "b"), &text);
    assert_string_equal(text.bytes, "{}\n");
    text_release(&text);
    json_document_free(document);
}

static void test_add_number(void **state)
{
    cJSON *object = cJSON_CreateObject();
    struct text text;

    (void)state;
    text_init(&text);
    json_add_number(object, "x", 2.5);
    json_print(object, &text);
    assert_string_equal(text.bytes, "{\n  \"x\": 2.5\n}\n");
    text_release(&text);
    cJSON_Delete(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_nul_byte),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_keys_differ_by_case),
        cmocka_unit_test(test_printed),
        cmocka_unit_test(test_prints_invalid_text),
        cmocka_unit_test(test_escapes_deceptive_text),
        cmocka_unit_test(test_printed_on_a_line),
        cmocka_unit_test(test_add_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
