/* json_pattern.h: the patterns of JSON Schema, in the subset of ECMA-262 that is the same
 * everywhere.
 *
 *     alternatives = sequence { "|" sequence }
 *     sequence     = { "^" | "$" | atom [ quantifier ] }
 *     atom         = character | "." | "(" alternatives ")" | "(?:" alternatives ")" | class |
 * escape class        = "[" [ "^" ] { character [ "-" character ] | escape } "]" escape       = \d
 * \D \w \W (ASCII), \t \n \r \f \v, \xHH, \uHHHH, \ and a character of syntax quantifier   = "*" |
 * "+" | "?" | "{" m "}" | "{" m ",}" | "{" m "," n "}"
 *
 * Anything else (look-around, back-references, \b, \s, \p, lazy quantifiers) is refused, never
 * guessed at. A pattern is searched for in the text, character by character (UTF-8), by following
 * all possibilities at once: the time is at most the length times the size, whatever both are.
 */
#ifndef GPUGRADE_BASE_JSON_PATTERN_H
#define GPUGRADE_BASE_JSON_PATTERN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct json_pattern;

/* Compiles a pattern. NULL if it is none of the subset or too large; then *out_reason is why. */
const struct json_pattern *json_pattern_compile(struct arena *arena, const char *source,
                                                const char **out_reason);

/* True if it matches somewhere in the text, which is well-formed UTF-8. */
bool json_pattern_matches(const struct json_pattern *pattern, const char *text);

/* How many steps a search takes for each character, at most. */
size_t json_pattern_size(const struct json_pattern *pattern);

const char *json_pattern_source(const struct json_pattern *pattern);

#endif
