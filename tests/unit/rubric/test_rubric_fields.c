/* test_rubric_fields.c: the tables of keys, rubric_fields.def and criterion_fields.def, against the
 * two other places that name them: the last section of docs/rubrics.md, which is made from the
 * tables, and rubrics/rubric.schema.json.
 *
 * After a wanted change of a table, run the program with GPUGRADE_BLESS=1 to write the section
 * anew, and read the difference.
 */
#include "base/file.h"
#include "base/text.h"
#include "rubric/rubric_key_names.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char manual[] = GPUGRADE_SOURCE_DIR "/docs/rubrics.md";
static const char schema[] = GPUGRADE_SOURCE_DIR "/rubrics/rubric.schema.json";
static const char section_starts[] =
    "<!-- made by rubric_test_rubric_fields from the tables of the "
    "loader: change those -->\n";
static const char section_ends[] = "<!-- end of what is made -->\n";

struct field {
    const char *key;
    enum key_use use;
    const char *type;
    const char *text;
};

#define FIELD(name, key, use, type, text) {key, use, type, text},

static const struct field top_fields[] = {
#define TOP_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field program_fields[] = {
#define PROGRAM_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field parameter_fields[] = {
#define PARAMETER_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field case_fields[] = {
#define CASE_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field launch_fields[] = {
#define LAUNCH_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field operand_fields[] = {
#define OPERAND_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field scalar_fields[] = {
#define SCALAR_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field printout_fields[] = {
#define PRINTOUT_FIELD FIELD
#include "rubric/rubric_fields.def"
};
static const struct field shared_fields[] = {
#define CRITERION_SHARED FIELD
#include "rubric/criterion_fields.def"
};
static const struct field criterion_fields[] = {
#define CRITERION_KEY(name, key, type, text) {key, OPTIONAL, type, text},
#include "rubric/criterion_fields.def"
};

enum { SHARED_COUNT = sizeof shared_fields / sizeof shared_fields[0] };

static const char *const kind_texts[CRITERION_COUNT] = {
#define CRITERION_KIND(kind, text) [CRITERION_##kind] = text,
#include "rubric/criterion_fields.def"
};

#define ROWS(fields) (fields), sizeof(fields) / sizeof((fields)[0])

/* The objects of a rubric; where the schema has them, as a path. */
static const struct section {
    const char *title;
    const struct field *fields;
    size_t count;
    const char *place;
    bool
        holds_for_overlays; /* the schema's own list of needed keys is that of an overlay's entry */
    const char *after;      /* what else is to be said */
} sections[] = {
    {"A rubric", ROWS(top_fields), "", true, ""},
    {"An entry of `programs`", ROWS(program_fields), "properties/programs/items", false, ""},
    {"An entry of `parameters`", ROWS(parameter_fields), "properties/parameters/items", false, ""},
    {"An entry of `cases`", ROWS(case_fields), "properties/cases/items", true,
     "Besides, each parameter by its name, counted in its unit: a number, `[smallest, largest]`, "
     "`{\"log\": [33, 4096]}`, or `{\"one_of\": [8, 16, 32]}`.\n"},
    {"An entry of `launches`", ROWS(launch_fields), "properties/launches/items", false, ""},
    {"An entry of `operands`", ROWS(operand_fields),
     "properties/launches/items/properties/operands/items", false, ""},
    {"An entry of `scalars`", ROWS(scalar_fields),
     "properties/launches/items/properties/scalars/items", false, ""},
    {"An entry of `printouts`", ROWS(printout_fields), "properties/printouts/items", false, ""},
    {"An entry of `criteria`", ROWS(shared_fields), NULL, false,
     "Besides, the keys that its kind uses, and no others.\n"},
};

enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

static void print_fields(struct text *out, const struct field *fields, size_t count, bool with_use)
{
    text_append(out, with_use ? "| key | needed | value | what it is |\n|---|---|---|---|\n"
                              : "| key | value | what it is |\n|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        text_printf(out, "| `%s` |%s %s | %s |\n", fields[i].key,
                    !with_use                 ? ""
                    : fields[i].use == NEEDED ? " yes |"
                                              : " |",
                    fields[i].type, fields[i].text);
    }
}

/* "`launch`, `ratio`" of the keys that a kind uses so. */
static void print_uses(struct text *out, size_t kind, enum key_use use)
{
    bool is_first = true;

    for (size_t key = SHARED_COUNT; key < CRITERION_KEY_COUNT; key++) {
        if (criterion_key_uses[kind][key] == use) {
            text_printf(out, "%s`%s`", is_first ? "" : ", ", criterion_keys[key].name);
            is_first = false;
        }
    }
}

/* What a criterion of the kind count may count. */
static void print_measures(struct text *out)
{
    text_append(out, "\n### What may be counted\n\n"
                     "Each name counts all launches of a judged call together, or the one launch "
                     "that is observed. After `reference.` it is the same of the reference "
                     "solution, for the same case and inputs; after `base.` of the submission "
                     "in the case that `base_case` names.\n\n"
                     "| place | what it is |\n|---|---|\n"
                     "| the name of an operand | the array that it is |\n");
#define MEASURED_PLACE(name, text, words) text_append(out, "| `" text "` | " words " |\n");
#include "model/measures.def"
    text_append(out, "\nA place, a dot, and one of these: `d_in.loaded_bytes`. Atomic operations "
                     "load and store. Sectors are the pieces of 32 bytes of global memory that a "
                     "warp touches at a time; wavefronts the passes that shared memory needs.\n\n"
                     "| after the dot | what it is |\n|---|---|\n"
                     "| `elements` | elements of an operand |\n");
#define PLACE_MEASURE(name, text, accesses, value, words)                                          \
    text_append(out, "| `" text "` | " words " it |\n");
#include "model/measures.def"
    text_append(out, "\nWithout a place:\n\n| name | what it is |\n|---|---|\n");
#define WORK_MEASURE(name, text, value, words) text_append(out, "| `" text "` | " words " |\n");
#define CALL_MEASURE(name, text, value, place, words)                                              \
    text_append(out, "| `" text "` | " words "; only of a judged call |\n");
#include "model/measures.def"
}

static void print_manual(struct text *out)
{
    text_append(out, section_starts);
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        text_printf(out, "\n### %s\n\n", sections[i].title);
        print_fields(out, sections[i].fields, sections[i].count, true);
        text_printf(out, "%s%s", sections[i].after[0] != '\0' ? "\n" : "", sections[i].after);
    }
    text_append(out, "\n### Kinds of criteria\n\n"
                     "| kind | what is judged | needs | may have |\n|---|---|---|---|\n");
    for (size_t kind = 0; kind < CRITERION_COUNT; kind++) {
        text_printf(out, "| `%s` | %s | ", criterion_kind_name((enum criterion_kind)kind),
                    kind_texts[kind]);
        print_uses(out, kind, NEEDED);
        text_append(out, " | ");
        print_uses(out, kind, OPTIONAL);
        text_append(out, " |\n");
    }
    text_append(out, "\n### What the keys of kinds are\n\n");
    print_fields(out, ROWS(criterion_fields), false);
    print_measures(out);
    text_append(out, "\n");
    text_append(out, section_ends);
}

static void read_whole(struct arena *arena, const char *path, char **out_bytes)
{
    size_t length = 0;

    assert_int_equal(file_read(arena, path, 1 << 20, BLAME_GRADER, out_bytes, &length, NULL),
                     ERROR_NONE);
}

static void the_manual_has_the_tables(void **state)
{
    struct arena *arena = arena_new();
    char *before = NULL;
    struct text wanted;

    (void)state;
    read_whole(arena, manual, &before);
    const char *start = strstr(before, section_starts);
    const char *end = start == NULL ? NULL : strstr(start, section_ends);
    if (end == NULL) {
        fail_msg("%s lacks the lines between which the tables stand:\n%s%s", manual, section_starts,
                 section_ends);
        return;
    }
    text_init(&wanted);
    text_append_bytes(&wanted, before, (size_t)(start - before));
    print_manual(&wanted);
    text_append(&wanted, end + strlen(section_ends));
    if (getenv("GPUGRADE_BLESS") != NULL) {
        assert_int_equal(file_write_atomic(manual, wanted.bytes, wanted.length, NULL), ERROR_NONE);
    } else if (strcmp(before, wanted.bytes) != 0) {
        fail_msg("the tables of %s are not those of grader/rubric/*.def; write them with "
                 "GPUGRADE_BLESS=1 and read the difference",
                 manual);
    }
    text_release(&wanted);
    arena_free(arena);
}

/* The rubric that the manual shows for whole programs. */
static void the_example_of_a_whole_program_loads(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {0};
    char *bytes = NULL;

    (void)state;
    read_whole(arena, manual, &bytes);
    const char *example =
        strstr(strstr(bytes, "## Whole programs"), "```json\n") + strlen("```json\n");
    if (rubric_parse(arena, example, (size_t)(strstr(example, "```") - example), "scale_rows.json",
                     GPUGRADE_SOURCE_DIR, &rubric, &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    assert_int_equal(rubric->programs[0].override_count, 3);
    assert_true(rubric->launches[0].is_pattern);
    assert_int_equal(rubric->launches[0].block_count, 3);
    arena_free(arena);
}

static void every_kind_has_a_text(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < CRITERION_COUNT; kind++) {
        assert_non_null(kind_texts[kind]);
    }
    assert_int_equal(SHARED_COUNT + sizeof criterion_fields / sizeof criterion_fields[0],
                     CRITERION_KEY_COUNT);
}

static cJSON *read_schema(struct arena *arena)
{
    char *bytes = NULL;

    read_whole(arena, schema, &bytes);
    return cJSON_Parse(bytes);
}

/* The value of a tree at "properties/cases/items". */
static const cJSON *at_place(const cJSON *value, const char *place)
{
    char name[64];

    while (value != NULL && *place != '\0') {
        size_t length = strcspn(place, "/");
        assert_true(length < sizeof name);
        memcpy(name, place, length);
        name[length] = '\0';
        value = cJSON_GetObjectItemCaseSensitive(value, name);
        place += length + (place[length] == '/' ? 1 : 0);
    }
    return value;
}

static bool has_text(const cJSON *list, const char *text)
{
    const cJSON *item;

    cJSON_ArrayForEach(item, list)
    {
        if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0) {
            return true;
        }
    }
    return false;
}

/* Holds a section's keys, and which of them are needed, to an object of the schema. */
static void check_object(const struct section *section, const cJSON *object)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties");
    const cJSON *required = cJSON_GetObjectItemCaseSensitive(object, "required");
    int needed = 0;

    assert_non_null(properties);
    assert_int_equal(cJSON_GetArraySize(properties), section->count);
    for (size_t i = 0; i < section->count; i++) {
        const struct field *field = &section->fields[i];
        if (cJSON_GetObjectItemCaseSensitive(properties, field->key) == NULL) {
            fail_msg("%s: the schema lacks '%s'", section->title, field->key);
        }
        needed += field->use == NEEDED ? 1 : 0;
        if (!section->holds_for_overlays &&
            has_text(required, field->key) != (field->use == NEEDED)) {
            fail_msg("%s: the schema does not agree on whether '%s' is needed", section->title,
                     field->key);
        }
    }
    assert_true(section->holds_for_overlays || cJSON_GetArraySize(required) == needed);
}

static void the_schema_has_the_keys(void **state)
{
    struct arena *arena = arena_new();
    cJSON *root = read_schema(arena);
    const cJSON *whole = at_place(root, "else/required");

    (void)state;
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        if (sections[i].place != NULL) {
            check_object(&sections[i], at_place(root, sections[i].place));
        }
    }
    for (size_t i = 0; i < sections[0].count; i++) {
        const struct field *field = &sections[0].fields[i];
        bool is_schema = strcmp(field->key, "schema") == 0; /* overlays need it too */
        assert_int_equal(has_text(whole, field->key), field->use == NEEDED && !is_schema);
    }
    cJSON_Delete(root);
    arena_free(arena);
}

/* What the schema says of a whole criterion of one kind. */
static const cJSON *kind_rules(const cJSON *root, const char *kind)
{
    const cJSON *rule;

    cJSON_ArrayForEach(rule, at_place(root, "$defs/whole_criterion/allOf"))
    {
        const cJSON *of = at_place(rule, "if/properties/kind/const");
        if (of != NULL && strcmp(of->valuestring, kind) == 0) {
            return at_place(rule, "then");
        }
    }
    fail_msg("the schema says nothing of '%s'", kind);
    return NULL;
}

static void the_schema_has_the_uses_of_kinds(void **state)
{
    struct arena *arena = arena_new();
    cJSON *root = read_schema(arena);
    const cJSON *properties = at_place(root, "properties/criteria/items/properties");

    (void)state;
    assert_int_equal(cJSON_GetArraySize(properties), CRITERION_KEY_COUNT);
    for (size_t kind = 0; kind < CRITERION_COUNT; kind++) {
        const char *name = criterion_kind_name((enum criterion_kind)kind);
        const cJSON *rules = kind_rules(root, name);
        assert_true(has_text(at_place(properties, "kind/enum"), name));
        for (size_t key = 0; key < SHARED_COUNT; key++) {
            assert_true(has_text(at_place(rules, "propertyNames/enum"), criterion_keys[key].name));
        }
        for (size_t key = SHARED_COUNT; key < CRITERION_KEY_COUNT; key++) {
            const char *word = criterion_keys[key].name;
            enum key_use use = criterion_key_uses[kind][key];
            const bool is_known = has_text(at_place(rules, "propertyNames/enum"), word);
            assert_non_null(at_place(properties, word));
            if (has_text(at_place(rules, "required"), word) != (use == NEEDED) ||
                is_known != (use != UNUSED)) {
                fail_msg("the schema does not agree on '%s' of the kind '%s'", word, name);
            }
        }
    }
    cJSON_Delete(root);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_has_a_text),
        cmocka_unit_test(the_manual_has_the_tables),
        cmocka_unit_test(the_example_of_a_whole_program_loads),
        cmocka_unit_test(the_schema_has_the_keys),
        cmocka_unit_test(the_schema_has_the_uses_of_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
