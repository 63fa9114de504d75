/* expression.h: arithmetic in rubrics.
 *
 *   expression = comparison { "and" comparison }
 *   comparison = sum [ ("<" | "<=" | ">" | ">=") sum ]
 *   sum        = term { ("+" | "-") term }
 *   term       = factor { ("*" | "/") factor }
 *   factor     = number | name | name "(" expression { "," expression } ")" | "(" expression ")"
 *              | "-" factor
 *
 * Values are double; "/" is real division, so 1 / 2 is 0.5. A comparison and "and" give 1
 * or 0. Functions: floor(x), ceil(x), min(x, y), max(x, y), sqrt(x), log2(x), exp2(x). Names are
 * letters, digits, "_" and "."; what they mean is up to the evaluator. Nesting is bounded.
 */
#ifndef GPUGRADE_MODEL_EXPRESSION_H
#define GPUGRADE_MODEL_EXPRESSION_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

struct expression; /* lives in its arena */

/* Parses a whole string. On failure *out_offset is the byte at which it failed and the diagnostic
 * holds the message without a place. */
enum error expression_parse(struct arena *arena, const char *text,
                            const struct expression **out_expression, size_t *out_offset,
                            struct diagnostic *diagnostic);

/* Looks a name up; false if it has no value. */
typedef bool (*expression_lookup)(void *context, const char *name, double *out_value);

/* Evaluates; false if a name has no value or the result is not finite (division by zero);
 * then *out_unknown is the name or NULL. `out_unknown` may be NULL. */
bool expression_evaluate(const struct expression *expression, expression_lookup lookup,
                         void *context, double *out_value, const char **out_unknown);

/* True if its last step is a comparison or "and": what holds or does not. */
bool expression_is_condition(const struct expression *expression);

/* The text it was parsed from. */
const char *expression_text(const struct expression *expression);

/* What a name is in words, or NULL: the name itself. */
typedef const char *(*expression_namer)(void *context, const char *name);

/* The expression in words: "8 times instructions run by warps". What has no words in it stays as it
 * is written: "1.05 * n". Lives in `arena`. */
const char *expression_words(struct arena *arena, const struct expression *expression,
                             expression_namer namer, void *context);

/* Calls `visit` for each name in the expression, functions left out. */
void expression_names(const struct expression *expression,
                      void (*visit)(void *context, const char *name), void *context);

#endif
