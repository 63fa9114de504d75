/* json.h: JSON with positions, over cJSON.
 *
 * cJSON parses and prints. Added here: the whole text must be one value, duplicate keys and NUL
 * bytes are refused, nesting is bounded, and each value can be traced to its line and column.
 * Printing gives numbers that are integers without a point, others with 17 significant digits at
 * most, never NaN (cJSON prints null for it, so json_number() asserts).
 */
#ifndef GPUGRADE_BASE_JSON_H
#define GPUGRADE_BASE_JSON_H

#include "base/diagnostic.h"
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct json_document; /* the values and where each of them is */

/* Parses `length` bytes. `file` is used in messages; `blame` names who wrote the text.
 * Errors: ERROR_SYNTAX with line and column. The document is freed by json_document_free. */
enum error json_parse(const char *bytes, size_t length, const char *file, enum blame blame,
                      struct json_document **out_document, struct diagnostic *diagnostic);
void json_document_free(struct json_document *document);

const cJSON *json_root(const struct json_document *document);

/* The same for callers that compose one tree out of several documents: a value that is moved keeps
 * its place, and is freed with the tree that it is in then. */
cJSON *json_tree(struct json_document *document);

/* True if a value was read from this document. */
bool json_holds(const struct json_document *document, const cJSON *value);

/* What a value is, in the words of a message: "an array", "true". */
const char *json_type_words(const cJSON *value);

/* Fills a diagnostic at the place of `value` (which belongs to the document); where
 * `at_key` and the value is a member of an object, at its key. */
void json_diagnostic(const struct json_document *document, const cJSON *value, bool at_key,
                     struct diagnostic *out, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Appends a value as indented text (two spaces, one member a line) and a newline. */
void json_print(const cJSON *value, struct text *out);

/* The same on one line, without blanks, and a newline. */
void json_print_line(const cJSON *value, struct text *out);

/* Adds a finite number to an object; asserts that it is finite. */
void json_add_number(cJSON *object, const char *key, double value);

#endif
