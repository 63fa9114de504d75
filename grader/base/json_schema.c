/* json_schema.c: compiles a schema; see json_schema.h. json_schema_check.c holds values to it.
 *
 *   document --nodes, one for each subschema, in a queue--> keywords read --> references found
 *            --> heights: nothing leads back to itself without going down into the document
 */
#include "base/json_schema_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHT_MAX = 32, NODES_MAX = 10000 };

static const char draft[] = "https://json-schema.org/draft/2020-12/schema";

struct compiler {
    struct arena *arena;
    const struct json_document *document;
    struct diagnostic *diagnostic;
    enum error error;           /* ERROR_NONE while there is no mistake */
    struct schema_node **nodes; /* [count] the queue; read up to where compile_all is */
    size_t count, capacity;
    struct schema_member *definitions; /* [definition_count] of "$defs" */
    size_t definition_count;
};

typedef void read_function(struct compiler *c, struct schema_node *node,
                           enum schema_keyword keyword, const cJSON *value);

static void refuse(struct compiler *c, enum error error, const cJSON *value, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

/* Remembers the first mistake, at the value's key if it has one. */
static void refuse(struct compiler *c, enum error error, const cJSON *value, const char *format,
                   ...)
{
    char message[512];
    va_list arguments;

    if (c->error != ERROR_NONE) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_diagnostic(c->document, value, true, c->diagnostic, "%s", message);
    c->error = error;
}

/* Makes the node of a subschema and queues it. */
static struct schema_node *add_node(struct compiler *c, const cJSON *source)
{
    struct schema_node *node = arena_alloc(c->arena, sizeof *node);

    node->source = source;
    if (c->count == NODES_MAX) {
        refuse(c, ERROR_LIMIT, source, "more than %d schemas in one file", (int)NODES_MAX);
        return node;
    }
    arena_grow(c->arena, &c->nodes, &c->capacity, c->count + 1, sizeof *c->nodes);
    c->nodes[c->count++] = node;
    return node;
}

static bool is_size(const cJSON *value)
{
    return cJSON_IsNumber(value) && value->valuedouble >= 0 &&
           value->valuedouble == trunc(value->valuedouble);
}

/* True for an array of strings that differ. */
static bool is_names(const cJSON *value)
{
    if (!cJSON_IsArray(value)) {
        return false;
    }
    for (const cJSON *name = value->child; name != NULL; name = name->next) {
        if (!cJSON_IsString(name)) {
            return false;
        }
        for (const cJSON *other = value->child; other != name; other = other->next) {
            if (strcmp(other->valuestring, name->valuestring) == 0) {
                return false;
            }
        }
    }
    return true;
}

static void read_note(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                      const cJSON *value)
{
    bool is_text =
        keyword == KEYWORD_TITLE || keyword == KEYWORD_DESCRIPTION || keyword == KEYWORD_COMMENT;

    (void)node;
    if ((is_text && !cJSON_IsString(value)) ||
        (keyword == KEYWORD_EXAMPLES && !cJSON_IsArray(value))) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be %s", value->string,
               is_text ? "a string" : "an array");
    }
}

/* Refuses what may stand at the top of a schema alone. */
static void check_top(struct compiler *c, const struct schema_node *node, const cJSON *value)
{
    if (node != c->nodes[0]) {
        refuse(c, ERROR_UNSUPPORTED, value, "'%s' is known at the top of a schema alone",
               value->string);
    }
}

static void read_draft(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                       const cJSON *value)
{
    (void)keyword;
    check_top(c, node, value);
    if (!cJSON_IsString(value) || strcmp(value->valuestring, draft) != 0) {
        refuse(c, ERROR_UNSUPPORTED, value, "'$schema' must be \"%s\"", draft);
    }
}

static void read_id(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                    const cJSON *value)
{
    (void)keyword;
    check_top(c, node, value);
    if (!cJSON_IsString(value) || strchr(value->valuestring, '#') != NULL) {
        refuse(c, ERROR_SYNTAX, value, "'$id' must be an address without '#'");
    }
}

static int compare_members(const void *a, const void *b)
{
    return strcmp(((const struct schema_member *)a)->name, ((const struct schema_member *)b)->name);
}

/* Reads an object of schemas, sorted by name. */
static struct schema_member *read_members(struct compiler *c, const cJSON *value, size_t *out_count)
{
    size_t count = 0;

    *out_count = 0;
    if (!cJSON_IsObject(value)) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be an object of schemas", value->string);
        return NULL;
    }
    struct schema_member *members =
        arena_array(c->arena, (size_t)cJSON_GetArraySize(value), sizeof *members);
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        members[count++] = (struct schema_member){member->string, add_node(c, member)};
    }
    if (count > 0) {
        qsort(members, count, sizeof *members, compare_members);
    }
    *out_count = count;
    return members;
}

static void read_definitions(struct compiler *c, struct schema_node *node,
                             enum schema_keyword keyword, const cJSON *value)
{
    (void)keyword;
    check_top(c, node, value);
    c->definitions = read_members(c, value, &c->definition_count);
}

static void read_properties(struct compiler *c, struct schema_node *node,
                            enum schema_keyword keyword, const cJSON *value)
{
    (void)keyword;
    node->properties = read_members(c, value, &node->property_count);
}

static const struct json_pattern *compile_pattern(struct compiler *c, const cJSON *value,
                                                  const char *source)
{
    const char *reason = NULL;
    const struct json_pattern *pattern = json_pattern_compile(c->arena, source, &reason);

    if (pattern == NULL) {
        refuse(c, ERROR_UNSUPPORTED, value, "the pattern '%.100s' cannot be used: %s", source,
               reason);
    }
    return pattern;
}

static void read_patterned(struct compiler *c, struct schema_node *node,
                           enum schema_keyword keyword, const cJSON *value)
{
    (void)keyword;
    if (!cJSON_IsObject(value)) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be an object of schemas", value->string);
        return;
    }
    node->patterned =
        arena_array(c->arena, (size_t)cJSON_GetArraySize(value), sizeof *node->patterned);
    for (const cJSON *member = value->child; member != NULL; member = member->next) {
        const struct json_pattern *pattern = compile_pattern(c, member, member->string);
        if (pattern == NULL) {
            return;
        }
        node->patterned[node->patterned_count++] =
            (struct schema_patterned){pattern, add_node(c, member)};
    }
}

static void read_reference(struct compiler *c, struct schema_node *node,
                           enum schema_keyword keyword, const cJSON *value)
{
    if (!cJSON_IsString(value)) {
        refuse(c, ERROR_SYNTAX, value, "'$ref' must be a string");
    }
    node->values[keyword] = value; /* found when all definitions are known */
}

static unsigned type_of_word(const cJSON *word)
{
    static const struct {
        const char *word;
        unsigned types;
    } known[] = {
        {"null", TYPE_NULL},       {"boolean", TYPE_BOOLEAN},
        {"object", TYPE_OBJECT},   {"array", TYPE_ARRAY},
        {"string", TYPE_STRING},   {"number", TYPE_NUMBER | TYPE_INTEGER},
        {"integer", TYPE_INTEGER},
    };

    for (size_t i = 0; cJSON_IsString(word) && i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].word, word->valuestring) == 0) {
            return known[i].types;
        }
    }
    return 0;
}

static void read_type(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                      const cJSON *value)
{
    bool is_list = cJSON_IsArray(value);

    (void)keyword;
    if (is_list && (!is_names(value) || value->child == NULL)) {
        refuse(c, ERROR_SYNTAX, value, "'type' must be a type, or some that differ");
        return;
    }
    for (const cJSON *word = is_list ? value->child : value; word != NULL;
         word = is_list ? word->next : NULL) {
        unsigned types = type_of_word(word);
        if (types == 0) {
            refuse(c, ERROR_SYNTAX, value,
                   "'type' must be null, boolean, object, array, string, number or integer");
        }
        node->types |= types;
    }
}

static void read_constant(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                          const cJSON *value)
{
    (void)c;
    node->values[keyword] = value;
}

static void read_choices(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                         const cJSON *value)
{
    if (!cJSON_IsArray(value) || value->child == NULL) {
        refuse(c, ERROR_SYNTAX, value, "'enum' must be an array of values");
    }
    node->values[keyword] = value;
}

static void read_number(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                        const cJSON *value)
{
    if (!cJSON_IsNumber(value)) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be a number", value->string);
        return;
    }
    node->numbers[keyword] = value->valuedouble;
}

static void read_size(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                      const cJSON *value)
{
    if (!is_size(value)) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be a whole number from 0", value->string);
        return;
    }
    node->numbers[keyword] = value->valuedouble;
}

static void read_unique(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                        const cJSON *value)
{
    (void)keyword;
    if (!cJSON_IsBool(value)) {
        refuse(c, ERROR_SYNTAX, value, "'uniqueItems' must be true or false");
    }
    node->is_unique = cJSON_IsTrue(value);
}

static void read_pattern(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                         const cJSON *value)
{
    (void)keyword;
    if (!cJSON_IsString(value)) {
        refuse(c, ERROR_SYNTAX, value, "'pattern' must be a string");
        return;
    }
    node->pattern = compile_pattern(c, value, value->valuestring);
}

static void read_required(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                          const cJSON *value)
{
    if (!is_names(value)) {
        refuse(c, ERROR_SYNTAX, value, "'required' must be an array of names that differ");
    }
    node->values[keyword] = value;
}

static void read_dependent(struct compiler *c, struct schema_node *node,
                           enum schema_keyword keyword, const cJSON *value)
{
    bool is_good = cJSON_IsObject(value);

    for (const cJSON *list = is_good ? value->child : NULL; list != NULL; list = list->next) {
        is_good = is_good && is_names(list);
    }
    if (!is_good) {
        refuse(c, ERROR_SYNTAX, value, "'dependentRequired' must be an object of arrays of names");
    }
    node->values[keyword] = value;
}

static void read_schema(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                        const cJSON *value)
{
    node->schemas[keyword] = add_node(c, value);
}

static void read_schemas(struct compiler *c, struct schema_node *node, enum schema_keyword keyword,
                         const cJSON *value)
{
    struct schema_nodes *list = &node->lists[keyword];

    if (!cJSON_IsArray(value) || value->child == NULL) {
        refuse(c, ERROR_SYNTAX, value, "'%s' must be an array of schemas", value->string);
        return;
    }
    list->items = arena_array(c->arena, (size_t)cJSON_GetArraySize(value), sizeof *list->items);
    for (const cJSON *item = value->child; item != NULL; item = item->next) {
        list->items[list->count++] = add_node(c, item);
    }
}

static const struct {
    const char *name;
    read_function *read;
} keywords[KEYWORD_COUNT] = {
#define KEYWORD(name, word, read) [KEYWORD_##name] = {word, read},
#include "base/schema_keywords.def"
#undef KEYWORD
};

/* Reads the keywords of one node. */
static void read_node(struct compiler *c, struct schema_node *node)
{
    if (cJSON_IsBool(node->source)) {
        node->refuses_all = cJSON_IsFalse(node->source);
        return;
    }
    if (!cJSON_IsObject(node->source)) {
        refuse(c, ERROR_SYNTAX, node->source, "a schema must be an object, true or false");
        return;
    }
    for (const cJSON *member = node->source->child; member != NULL; member = member->next) {
        size_t keyword = 0;
        while (keyword < KEYWORD_COUNT && strcmp(keywords[keyword].name, member->string) != 0) {
            keyword++;
        }
        if (keyword == KEYWORD_COUNT) {
            refuse(c, ERROR_UNSUPPORTED, member,
                   "the keyword '%.100s' is none that gpugrade knows of JSON Schema",
                   member->string);
            return;
        }
        node->has[keyword] = true;
        keywords[keyword].read(c, node, (enum schema_keyword)keyword, member);
    }
}

/* Finds what a node refers to: "#" or "#/$defs/NAME" (names that need no escapes). */
static void find_reference(struct compiler *c, struct schema_node *node)
{
    static const char prefix[] = "#/$defs/";
    const cJSON *value = node->values[KEYWORD_REF];
    const char *address = value->valuestring;

    if (strcmp(address, "#") == 0) {
        node->schemas[KEYWORD_REF] = c->nodes[0];
        return;
    }
    if (!text_starts_with(address, prefix) || strpbrk(address + sizeof prefix - 1, "~%/") != NULL) {
        refuse(c, ERROR_UNSUPPORTED, value, "'$ref' must be \"#\" or \"#/$defs/NAME\"");
        return;
    }
    const struct schema_member wanted = {.name = address + sizeof prefix - 1};
    const struct schema_member *found =
        c->definition_count == 0
            ? NULL
            : bsearch(&wanted, c->definitions, c->definition_count, sizeof wanted, compare_members);
    if (found == NULL) {
        refuse(c, ERROR_SYNTAX, value, "there is no '%.100s' in '$defs'", wanted.name);
        return;
    }
    node->schemas[KEYWORD_REF] = found->node;
}

/* Those that are applied to the same value as the node, one after the other; NULL behind the last.
 */
static struct schema_node *applied(const struct schema_node *node, size_t index)
{
    static const enum schema_keyword single[] = {KEYWORD_REF, KEYWORD_NOT, KEYWORD_IF, KEYWORD_THEN,
                                                 KEYWORD_ELSE};
    static const enum schema_keyword several[] = {KEYWORD_ALL_OF, KEYWORD_ANY_OF, KEYWORD_ONE_OF};

    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++) {
        if (node->schemas[single[i]] != NULL && index-- == 0) {
            return node->schemas[single[i]];
        }
    }
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++) {
        const struct schema_nodes *list = &node->lists[several[i]];
        if (index < list->count) {
            return list->items[index];
        }
        index -= list->count;
    }
    return NULL;
}

/* Measures how deep schemas are applied to one value. Each is measured once, and the recursion goes
 * HEIGHT_MAX deep at most. */
static void measure(struct compiler *c, struct schema_node *node, int level)
{
    const struct schema_node *other;
    int height = 1;

    if (level > HEIGHT_MAX) {
        refuse(c, ERROR_SYNTAX, node->source,
               "schemas that refer to each other in a circle, or more than %d deep",
               (int)HEIGHT_MAX);
        return;
    }
    for (size_t i = 0; c->error == ERROR_NONE && (other = applied(node, i)) != NULL; i++) {
        if (other->height == 0) {
            measure(c, applied(node, i), level + 1);
        }
        height = other->height >= height ? other->height + 1 : height;
    }
    node->height = height;
    if (height > HEIGHT_MAX) {
        refuse(c, ERROR_SYNTAX, node->source, "schemas are applied to one value more than %d deep",
               (int)HEIGHT_MAX);
    }
}

enum error json_schema_compile(struct arena *arena, const struct json_document *document,
                               const struct json_schema **out_schema, struct diagnostic *diagnostic)
{
    struct compiler c = {.arena = arena, .document = document, .diagnostic = diagnostic};

    add_node(&c, json_root(document));
    for (size_t i = 0; i < c.count && c.error == ERROR_NONE; i++) {
        read_node(&c, c.nodes[i]);
    }
    for (size_t i = 0; i < c.count && c.error == ERROR_NONE; i++) {
        if (c.nodes[i]->values[KEYWORD_REF] != NULL) {
            find_reference(&c, c.nodes[i]);
        }
    }
    for (size_t i = 0; i < c.count && c.error == ERROR_NONE; i++) {
        measure(&c, c.nodes[i], 1);
    }
    if (c.error == ERROR_NONE) {
        struct json_schema *schema = arena_alloc(arena, sizeof *schema);
        schema->root = c.nodes[0];
        *out_schema = schema;
    }
    return c.error;
}
