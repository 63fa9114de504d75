/* test_json_schema.c: what a schema may be, and the words in which a mistake is told.
 *
 * That verdicts are right is tests/rubrics/compare_validators.py's to show.
 */
#include "base/json_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct json_document *parse(const char *text)
{
    struct json_document *document = NULL;
    struct diagnostic diagnostic;

    if (json_parse(text, strlen(text), "file.json", BLAME_USAGE, &document, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s: %s", text, diagnostic.message);
    }
    return document;
}

static const struct {
    const char *schema;
    enum error error;
    int column;
    const char *message;
} refused[] = {
    {"3", ERROR_SYNTAX, 1, "a schema must be an object, true or false"},
    {"{\"properties\": {\"a\": 1}}", ERROR_SYNTAX, 17, "a schema must be an object"},
    {"{\"typ\": \"string\"}", ERROR_UNSUPPORTED, 2,
     "the keyword 'typ' is none that gpugrade knows"},
    {"{\"items\": {\"contains\": {}}}", ERROR_UNSUPPORTED, 12, "the keyword 'contains'"},
    {"{\"format\": \"date\"}", ERROR_UNSUPPORTED, 2, "the keyword 'format'"},
    {"{\"unevaluatedProperties\": false}", ERROR_UNSUPPORTED, 2, "the keyword 'unevaluated"},
    {"{\"multipleOf\": 2}", ERROR_UNSUPPORTED, 2, "the keyword 'multipleOf'"},
    {"{\"dependencies\": {}}", ERROR_UNSUPPORTED, 2, "the keyword 'dependencies'"},
    {"{\"$schema\": \"http://json-schema.org/draft-07/schema#\"}", ERROR_UNSUPPORTED, 2,
     "'$schema' must be \"https://json-schema.org/draft/2020-12/schema\""},
    {"{\"items\": {\"$id\": \"urn:a\"}}", ERROR_UNSUPPORTED, 12, "at the top of a schema alone"},
    {"{\"items\": {\"$defs\": {}}}", ERROR_UNSUPPORTED, 12, "at the top of a schema alone"},
    {"{\"$id\": \"urn:a#b\"}", ERROR_SYNTAX, 2, "an address without '#'"},
    {"{\"title\": 1}", ERROR_SYNTAX, 2, "'title' must be a string"},
    {"{\"examples\": 1}", ERROR_SYNTAX, 2, "'examples' must be an array"},
    {"{\"type\": \"text\"}", ERROR_SYNTAX, 2, "'type' must be null, boolean, object"},
    {"{\"type\": []}", ERROR_SYNTAX, 2, "'type' must be a type, or some that differ"},
    {"{\"type\": [\"null\", \"null\"]}", ERROR_SYNTAX, 2, "or some that differ"},
    {"{\"enum\": 1}", ERROR_SYNTAX, 2, "'enum' must be an array of values"},
    {"{\"minimum\": \"1\"}", ERROR_SYNTAX, 2, "'minimum' must be a number"},
    {"{\"minLength\": -1}", ERROR_SYNTAX, 2, "'minLength' must be a whole number from 0"},
    {"{\"maxItems\": 1.5}", ERROR_SYNTAX, 2, "'maxItems' must be a whole number from 0"},
    {"{\"uniqueItems\": 1}", ERROR_SYNTAX, 2, "'uniqueItems' must be true or false"},
    {"{\"pattern\": 1}", ERROR_SYNTAX, 2, "'pattern' must be a string"},
    {"{\"pattern\": \"(?=a)\"}", ERROR_UNSUPPORTED, 2,
     "the pattern '(?=a)' cannot be used: it has"},
    {"{\"patternProperties\": {\"a{\": {}}}", ERROR_UNSUPPORTED, 24,
     "the pattern 'a{' cannot be used"},
    {"{\"patternProperties\": 1}", ERROR_SYNTAX, 2, "must be an object of schemas"},
    {"{\"properties\": []}", ERROR_SYNTAX, 2, "'properties' must be an object of schemas"},
    {"{\"required\": \"a\"}", ERROR_SYNTAX, 2, "'required' must be an array of names that differ"},
    {"{\"required\": [\"a\", \"a\"]}", ERROR_SYNTAX, 2, "names that differ"},
    {"{\"dependentRequired\": {\"a\": \"b\"}}", ERROR_SYNTAX, 2, "an object of arrays of names"},
    {"{\"allOf\": []}", ERROR_SYNTAX, 2, "'allOf' must be an array of schemas"},
    {"{\"anyOf\": {}}", ERROR_SYNTAX, 2, "'anyOf' must be an array of schemas"},
    {"{\"$ref\": 1}", ERROR_SYNTAX, 2, "'$ref' must be a string"},
    {"{\"$ref\": \"other.json\"}", ERROR_UNSUPPORTED, 2,
     "'$ref' must be \"#\" or \"#/$defs/NAME\""},
    {"{\"$ref\": \"#/$defs/a/items\", \"$defs\": {\"a\": {}}}", ERROR_UNSUPPORTED, 2,
     "'$ref' must be"},
    {"{\"$ref\": \"#/$defs/b\", \"$defs\": {\"a\": {}}}", ERROR_SYNTAX, 2,
     "there is no 'b' in '$defs'"},
    {"{\"$ref\": \"#/$defs/b\"}", ERROR_SYNTAX, 2, "there is no 'b' in '$defs'"},
    {"{\"$ref\": \"#\"}", ERROR_SYNTAX, 1, "refer to each other in a circle"},
    {"{\"anyOf\": [{\"$ref\": \"#/$defs/a\"}], \"$defs\": {\"a\": {\"not\": {\"$ref\": "
     "\"#/$defs/b\"}},"
     " \"b\": {\"if\": {\"$ref\": \"#/$defs/a\"}}}}",
     ERROR_SYNTAX, 0, "refer to each other in a circle"},
};

static void test_refused_schemas(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct arena *arena = arena_new();
        struct json_document *document = parse(refused[i].schema);
        const struct json_schema *schema = NULL;
        struct diagnostic diagnostic = {0};
        enum error error = json_schema_compile(arena, document, &schema, &diagnostic);
        if (error != refused[i].error || strstr(diagnostic.message, refused[i].message) == NULL ||
            (refused[i].column > 0 && diagnostic.column != refused[i].column)) {
            fail_msg("%s: got %d, column %d: %s", refused[i].schema, (int)error, diagnostic.column,
                     diagnostic.message);
        }
        assert_null(schema);
        json_document_free(document);
        arena_free(arena);
    }
}

/* Mistakes of a document as "pointer: message" lines; "key " before those at a key. */
static const struct {
    const char *schema;
    const char *document;
    const char *told;
} told[] = {
    {"{\"type\": \"object\"}", "[]", ": expected an object, got an empty array\n"},
    {"{\"type\": [\"string\", \"number\", \"null\"]}", "true",
     ": expected a string, a number or null, got true\n"},
    {"{\"type\": \"integer\"}", "1.5", ": expected a whole number, got 1.5\n"},
    {"{\"items\": {\"type\": \"string\"}}", "[\"a\", null, 3]",
     "/1: expected a string, got null\n/2: expected a string, got 3\n"},
    {"{\"const\": \"gpugrade/score/v1\"}", "\"gpugrade/score/v2\"",
     ": expected \"gpugrade/score/v1\", got \"gpugrade/score/v2\"\n"},
    {"{\"enum\": [\"a\", 1, null]}", "2", ": expected \"a\", 1 or null, got 2\n"},
    {"{\"enum\": [\"a\", [1]]}", "[true]", ": expected \"a\" or an array, got an array\n"},
    {"{\"enum\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}", "0",
     ": expected 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 or one of 3 others, got 0\n"},
    {"{\"minimum\": 1, \"exclusiveMaximum\": 2}", "2", ": expected less than 2, got 2\n"},
    {"{\"maximum\": 1, \"exclusiveMinimum\": 0}", "0", ": expected more than 0, got 0\n"},
    {"{\"minLength\": 1}", "\"\"", ": expected at least 1 character, got 0\n"},
    {"{\"maxLength\": 2}", "\"\\u00e4\\u00e4\\u00e4\"", ": expected at most 2 characters, got 3\n"},
    {"{\"pattern\": \"^a$\"}", "\"b\"", ": expected text that fits ^a$, got \"b\"\n"},
    {"{\"pattern\": \"^a$\", \"description\": \"a letter\"}", "\"b\"",
     ": expected text that fits ^a$ (a letter), got \"b\"\n"},
    {"{\"minItems\": 2}", "[1]", ": expected at least 2 entries, got 1\n"},
    {"{\"uniqueItems\": true}", "[1, 2, 1.0]",
     "/2: expected entries that differ, got the same as in entry 0\n"},
    {"{\"prefixItems\": [true], \"items\": false}", "[1, 2]", "/1: nothing is allowed here\n"},
    {"{\"properties\": {\"a\": false}}", "{\"a\": 1}", "key /a: the key 'a' is not allowed here\n"},
    {"{\"properties\": {\"b\": {}, \"a\": {}, \"c\": false}, \"additionalProperties\": false}",
     "{\"b\": 1, \"a~/b\": 1}", "key /a~0~1b: unknown key 'a~/b'; expected: a\n"},
    {"{\"additionalProperties\": {\"type\": \"number\"}}", "{\"a\": \"x\"}",
     "/a: expected a number, got \"x\"\n"},
    {"{\"propertyNames\": {\"pattern\": \"^a\"}}", "{\"b\": 1}",
     "key /b: expected text that fits ^a, got \"b\"\n"},
    {"{\"required\": [\"a\", \"b\"]}", "{}",
     ": the key 'a' is missing\n: the key 'b' is missing\n"},
    {"{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}",
     ": the key 'b' is missing; it goes with 'a'\n"},
    {"{\"minProperties\": 1}", "{}", ": expected at least 1 key, got 0\n"},
    {"{\"not\": {\"required\": [\"a\", \"b\"]}}", "{\"a\": 1, \"b\": 1}",
     ": these keys do not go together: 'a', 'b'\n"},
    {"{\"not\": {\"type\": \"string\"}}", "\"a\"",
     ": it is what must not be: {\"type\":\"string\"}\n"},
    {"{\"oneOf\": [{\"minimum\": 1}, {\"minimum\": 2}, false]}", "3",
     ": it fits 2 of 3 alternatives, where it must fit one\n"},
    /* the nearest of several alternatives, or what they all expect */
    {"{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"object\", \"required\": [\"a\"]}]}", "{}",
     ": the key 'a' is missing\n"},
    {"{\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"object\"}, {\"type\": \"null\"}]}", "3",
     ": expected null or an object, got 3\n"},
    {"{\"anyOf\": [{\"enum\": [1, 2]}, {\"const\": 4}, {\"type\": \"string\"}]}", "3",
     ": expected 1 or 2 or 4, got 3\n"},
    {"{\"oneOf\": [{\"properties\": {\"type\": {\"const\": \"x\"}, \"n\": {\"enum\": [1]}}},"
     " {\"properties\": {\"type\": {\"const\": \"y\"}, \"n\": {\"enum\": [2]}}}]}",
     "{\"n\": 1, \"type\": \"y\"}", "/n: expected 2, got 1\n"},
    {"{\"oneOf\": [{\"properties\": {\"type\": {\"const\": \"x\"}}},"
     " {\"properties\": {\"type\": {\"const\": \"y\"}}}]}",
     "{\"type\": \"z\"}", "/type: expected \"x\" or \"y\", got \"z\"\n"},
    {"{\"anyOf\": [{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"null\"}]}, {\"type\": "
     "\"array\"}]}",
     "1", ": expected a string or null or an array, got 1\n"},
    {"{\"if\": {\"properties\": {\"a\": {\"const\": 1}}}, \"then\": {\"required\": [\"b\"]},"
     " \"else\": {\"required\": [\"c\"]}}",
     "{\"a\": 1}", ": the key 'b' is missing\n"},
    /* the same mistake by two ways is told once */
    {"{\"allOf\": [{\"required\": [\"a\"]}, {\"required\": [\"a\"]}]}", "{}",
     ": the key 'a' is missing\n"},
    {"{\"properties\": {\"a\": {\"$ref\": \"#\"}}, \"type\": \"object\"}",
     "{\"a\": {\"a\": {\"a\": 1}}}", "/a/a/a: expected an object, got 1\n"},
};

static void append_told(const struct json_mistakes *mistakes, struct text *out)
{
    for (size_t i = 0; i < mistakes->count; i++) {
        const struct json_mistake *mistake = &mistakes->first[i];
        text_printf(out, "%s%s: %s\n", mistake->at_key ? "key " : "", mistake->pointer,
                    mistake->message);
    }
}

static void test_told_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        struct arena *arena = arena_new();
        struct json_document *source = parse(told[i].schema);
        struct json_document *document = parse(told[i].document);
        const struct json_schema *schema = NULL;
        struct json_mistakes mistakes;
        struct diagnostic diagnostic = {0};
        struct text text;
        text_init(&text);
        assert_int_equal(json_schema_compile(arena, source, &schema, &diagnostic), ERROR_NONE);
        assert_int_equal(
            json_schema_check(arena, schema, json_root(document), &mistakes, &diagnostic),
            ERROR_NONE);
        append_told(&mistakes, &text);
        assert_string_equal(text.bytes, told[i].told);
        assert_int_equal(mistakes.total, mistakes.count);
        for (size_t k = 0; k < mistakes.count; k++) {
            assert_true(json_holds(document, mistakes.first[k].value));
        }
        text_release(&text);
        json_document_free(document);
        json_document_free(source);
        arena_free(arena);
    }
}

/* Checks a document of `count` entries ENTRY in a list. */
static enum error check_list(const char *schema_text, const char *entry, size_t count,
                             struct json_mistakes *out)
{
    struct arena *arena = arena_new();
    struct json_document *source = parse(schema_text);
    const struct json_schema *schema = NULL;
    struct diagnostic diagnostic = {0};
    struct text text;

    text_init(&text);
    text_append_char(&text, '[');
    for (size_t i = 0; i < count; i++) {
        text_printf(&text, i == 0 ? "%s" : ",%s", entry);
    }
    text_append_char(&text, ']');
    struct json_document *document = parse(text.bytes);
    assert_int_equal(json_schema_compile(arena, source, &schema, &diagnostic), ERROR_NONE);
    enum error error = json_schema_check(arena, schema, json_root(document), out, &diagnostic);
    text_release(&text);
    json_document_free(document);
    json_document_free(source);
    arena_free(arena);
    return error;
}

static void test_many_mistakes_are_counted(void **state)
{
    struct json_mistakes mistakes;

    (void)state;
    assert_int_equal(check_list("{\"items\": {\"type\": \"string\"}}", "1", 1000, &mistakes),
                     ERROR_NONE);
    assert_int_equal(mistakes.count, JSON_SCHEMA_MISTAKES_MAX);
    assert_int_equal(mistakes.total, 1000);
    assert_int_equal(
        check_list("{\"items\": {\"anyOf\": [{\"type\": \"string\"}, {\"const\": 2}]}}", "1", 1000,
                   &mistakes),
        ERROR_NONE);
    assert_int_equal(mistakes.count, JSON_SCHEMA_MISTAKES_MAX);
    assert_int_equal(mistakes.total, 1000);
}

/* What is told of an unknown key names those that the object lacks; of the many after the last one
 * told nothing is looked for. */
static void test_many_unknown_keys_are_counted(void **state)
{
    struct json_mistakes mistakes;
    struct text object;

    (void)state;
    text_init(&object);
    for (size_t i = 0; i < 20000; i++) {
        text_printf(&object, "%s\"k%zu\": 1", i == 0 ? "{" : ",", i);
    }
    text_append_char(&object, '}');
    assert_int_equal(check_list("{\"items\": {\"additionalProperties\": false, \"properties\": "
                                "{\"a\": {}, \"b\": {}}}}",
                                object.bytes, 1, &mistakes),
                     ERROR_NONE);
    assert_int_equal(mistakes.count, JSON_SCHEMA_MISTAKES_MAX);
    assert_int_equal(mistakes.total, 20000);
    text_release(&object);
}

/* Each level of the schema asks two alternatives of the one below: 2^30 questions. */
static void test_work_is_bounded(void **state)
{
    struct json_mistakes mistakes;
    struct text schema;

    (void)state;
    text_init(&schema);
    text_append(&schema, "{\"$ref\": \"#/$defs/d0\", \"$defs\": {");
    for (int i = 0; i < 15; i++) {
        text_printf(&schema, "\"d%d\": {\"anyOf\": [", i);
        for (int k = 0; k < 4; k++) {
            text_printf(&schema, "%s{\"$ref\": \"#/$defs/d%d\"}", k == 0 ? "" : ", ", i + 1);
        }
        text_append(&schema, "]},");
    }
    text_append(&schema, "\"d15\": {\"type\": \"string\"}}}");
    assert_int_equal(check_list(schema.bytes, "1", 1, &mistakes), ERROR_LIMIT);
    text_release(&schema);
    assert_int_equal(check_list("{\"uniqueItems\": true}", "{}", 3, &mistakes), ERROR_NONE);
    assert_int_equal(mistakes.total, 1);
}

/* Documents and schemas as deep as JSON may be here. */
static void test_depth(void **state)
{
    static const char schema_text[] =
        "{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"anyOf\": [{\"type\": \"number\"},"
        " {\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/a\"}}]}}}";
    struct json_mistakes mistakes;
    struct text text;

    (void)state;
    text_init(&text);
    text_append_repeated(&text, '[', 60);
    text_append(&text, "null");
    text_append_repeated(&text, ']', 60);
    assert_int_equal(check_list(schema_text, text.bytes, 1, &mistakes), ERROR_NONE);
    assert_int_equal(mistakes.total, 1);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_schemas),
        cmocka_unit_test(test_told_mistakes),
        cmocka_unit_test(test_many_mistakes_are_counted),
        cmocka_unit_test(test_many_unknown_keys_are_counted),
        cmocka_unit_test(test_work_is_bounded),
        cmocka_unit_test(test_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
