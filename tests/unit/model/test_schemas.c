/* test_schemas.c: the published JSON Schemas know every name of the tables, and no other.
 *
 * The lists stand in rubrics/score.schema.json (kinds and codes of causes, statuses) and in
 * rubrics/rubric.schema.json (kinds of criteria).
 */
#include "base/file.h"
#include "base/json.h"
#include "model/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct json_document *load(struct arena *arena, const char *name)
{
    struct json_document *document = NULL;
    struct diagnostic diagnostic = {0};
    char *bytes = NULL;
    size_t length = 0;
    const char *path = arena_printf(arena, "%s/rubrics/%s", GPUGRADE_SOURCE_DIR, name);

    assert_int_equal(file_read(arena, path, 1 << 20, BLAME_GRADER, &bytes, &length, &diagnostic),
                     ERROR_NONE);
    if (json_parse(bytes, length, name, BLAME_GRADER, &document, &diagnostic) != ERROR_NONE) {
        fail_msg("%s:%d:%d: %s", name, diagnostic.line, diagnostic.column, diagnostic.message);
    }
    return document;
}

/* Follows keys, separated by "/", down from the root. */
static const cJSON *find(const struct json_document *document, const char *path)
{
    const cJSON *value = json_root(document);

    while (*path != '\0') {
        char key[64] = "";
        size_t length = strcspn(path, "/");
        assert_true(length < sizeof key);
        memcpy(key, path, length);
        value = cJSON_GetObjectItemCaseSensitive(value, key);
        assert_non_null(value);
        path += length + (path[length] == '/' ? 1 : 0);
    }
    return value;
}

static bool holds(const cJSON *list, const char *name)
{
    for (const cJSON *item = list->child; item != NULL; item = item->next) {
        if (strcmp(item->valuestring, name) == 0) {
            return true;
        }
    }
    return false;
}

static void test_score_schema(void **state)
{
    struct arena *arena = arena_new();
    struct json_document *schema = load(arena, "score.schema.json");
    const cJSON *kinds = find(schema, "$defs/kind/enum");
    const cJSON *codes = find(schema, "$defs/code/enum");
    const cJSON *statuses = find(schema, "$defs/criterion/properties/status/enum");

    (void)state;
    assert_int_equal(cJSON_GetArraySize(kinds), CAUSE_COUNT - 1); /* all but NONE */
    for (int i = 1; i < CAUSE_COUNT; i++) {
        assert_true(holds(kinds, cause_name((enum cause_kind)i)));
    }
    assert_int_equal(cJSON_GetArraySize(codes), CODE_COUNT - 1);
    for (int i = 1; i < CODE_COUNT; i++) {
        if (!holds(codes, code_name((enum code)i))) {
            fail_msg("score.schema.json lacks the code %s", code_name((enum code)i));
        }
    }
    assert_int_equal(cJSON_GetArraySize(statuses), STATUSES);
    for (int i = 0; i < STATUSES; i++) {
        assert_true(holds(statuses, status_name((enum status)i)));
    }
    json_document_free(schema);
    arena_free(arena);
}

static void test_rubric_schema(void **state)
{
    struct arena *arena = arena_new();
    struct json_document *schema = load(arena, "rubric.schema.json");
    const cJSON *kinds = find(schema, "properties/criteria/items/properties/kind/enum");

    (void)state;
    assert_int_equal(cJSON_GetArraySize(kinds), CRITERION_COUNT);
    for (int i = 0; i < CRITERION_COUNT; i++) {
        assert_true(holds(kinds, criterion_kind_name((enum criterion_kind)i)));
    }
    json_document_free(schema);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_schema),
        cmocka_unit_test(test_rubric_schema),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
