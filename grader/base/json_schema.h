/* json_schema.h: holds a document to a JSON Schema (draft 2020-12), in the subset that our own
 * schemas need.
 *
 * Known are the keywords of schema_keywords.def; a schema with any other one, or with one whose
 * value makes no sense, is refused, so nothing that a schema asks for is ever passed over.
 * References lead to "#" and "#/$defs/NAME" alone; patterns are those of json_pattern.h. As the
 * standard has it, 1.0 is an integer, lengths count characters, and a pattern may match anywhere.
 *
 * The work is bounded: a schema whose references lead in a circle without going down into the
 * document is refused, and a document that would take more than JSON_SCHEMA_WORK_MAX steps is not
 * judged (seconds, at most).
 */
#ifndef GPUGRADE_BASE_JSON_SCHEMA_H
#define GPUGRADE_BASE_JSON_SCHEMA_H

#include "base/arena.h"
#include "base/json.h"

enum { JSON_SCHEMA_WORK_MAX = 20000000, JSON_SCHEMA_MISTAKES_MAX = 20 };

struct json_schema;

/* Compiles a schema; it lives in the arena and as long as the document. The diagnostic blames the
 * document's author and names line and column. Errors: ERROR_SYNTAX (a keyword's value makes no
 * sense, a reference leads nowhere or in a circle), ERROR_UNSUPPORTED (a keyword or a pattern that
 * is not of the subset), ERROR_LIMIT (too many subschemas). */
enum error json_schema_compile(struct arena *arena, const struct json_document *document,
                               const struct json_schema **out_schema,
                               struct diagnostic *diagnostic);

/* What is wrong with one value. */
struct json_mistake {
    const char *pointer; /* RFC 6901, from the root: "/criteria/0/points"; "" is the root */
    const cJSON *value;  /* for json_diagnostic */
    bool at_key;         /* its key is wrong, not what it holds */
    const char *message; /* "expected a number, got \"ten\"" */
};

struct json_mistakes {
    struct json_mistake
        first[JSON_SCHEMA_MISTAKES_MAX]; /* [count], members before what they hold */
    size_t count;
    size_t total; /* how many there are at least */
};

/* Holds a value to a schema; it follows it if out->total is 0. Messages and pointers live in the
 * arena. Where none of several alternatives fits, the one is told that comes nearest. Error:
 * ERROR_LIMIT, too much work; then the value is not judged. */
enum error json_schema_check(struct arena *arena, const struct json_schema *schema,
                             const cJSON *value, struct json_mistakes *out_mistakes,
                             struct diagnostic *diagnostic);

#endif
