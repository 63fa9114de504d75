/* json_schema_parts.h: a compiled schema. Private to json_schema*.c.
 *
 * Each schema and subschema is a node; those of one document refer to each other, also in circles.
 */
#ifndef GPUGRADE_BASE_JSON_SCHEMA_PARTS_H
#define GPUGRADE_BASE_JSON_SCHEMA_PARTS_H

#include "base/json_pattern.h"
#include "base/json_schema.h"

enum schema_keyword {
#define KEYWORD(name, word, read) KEYWORD_##name,
#include "base/schema_keywords.def"
#undef KEYWORD
    KEYWORD_COUNT
};

/* The words of "type", as a set of bits. A whole number is TYPE_INTEGER and TYPE_NUMBER. */
enum {
    TYPE_NULL = 1,
    TYPE_BOOLEAN = 2,
    TYPE_OBJECT = 4,
    TYPE_ARRAY = 8,
    TYPE_STRING = 16,
    TYPE_NUMBER = 32,
    TYPE_INTEGER = 64,
};

struct schema_member {
    const char *name;
    struct schema_node *node;
};

struct schema_patterned {
    const struct json_pattern *pattern;
    const struct schema_node *node;
};

struct schema_nodes {
    struct schema_node **items;
    size_t count;
};

struct schema_node {
    const cJSON *source;
    bool refuses_all; /* the schema false */
    bool has[KEYWORD_COUNT];
    unsigned types;
    double numbers[KEYWORD_COUNT];              /* MINIMUM and the like, sizes included */
    const cJSON *values[KEYWORD_COUNT];         /* CONST, ENUM, REQUIRED, DEPENDENT_REQUIRED */
    struct schema_node *schemas[KEYWORD_COUNT]; /* ITEMS, NOT, IF, REF, ... */
    struct schema_nodes lists[KEYWORD_COUNT];   /* ALL_OF, PREFIX_ITEMS, ... */
    bool is_unique;
    const struct json_pattern *pattern;
    struct schema_member *properties; /* [property_count], sorted by name */
    size_t property_count;
    struct schema_patterned *patterned; /* [patterned_count] */
    size_t patterned_count;
    int height; /* of what is applied to the same value; 0 while it is not known */
};

struct json_schema {
    const struct schema_node *root;
};

/* The type of a value, as a set of bits. */
unsigned schema_type_of(const cJSON *value);

/* Appends "a string, a number or null", for a message. */
void schema_say_types(unsigned types, struct text *out);

/* Appends a value, cut where it is long: "\"abc\"", "12", "an object". */
void schema_say_value(const cJSON *value, struct text *out);

/* Appends the values of an array in these words, cut where there are many: "1, 2 or 3". */
void schema_say_choices(const cJSON *choices, struct text *out);

/* Appends a value as JSON on one line, cut where it is long. */
void schema_say_source(const cJSON *value, struct text *out);

/* Appends a name in quotes, cut where it is long. */
void schema_say_name(const char *name, struct text *out);

#endif
