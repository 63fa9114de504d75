/* access_guards.h: the conditions that decide whether a place in a function is reached. */
#ifndef GPUGRADE_SOURCE_ACCESS_GUARDS_H
#define GPUGRADE_SOURCE_ACCESS_GUARDS_H

#include "source/source_functions.h"

/* The most that are found: the inner ones. */
enum { ACCESS_GUARDS_MAX = 8 };

/* A condition: of an `if` or a loop around the place, of a choice a ? b : c, or of an `if` before
 * it that only leaves (return, continue). */
struct access_guard {
    struct token_range condition;
    bool is_true; /* where the place is reached; else it is false there */
    bool is_loop;
};

/* Sets those of the token `at` in a function, the innermost last; returns how many. Where braces
 * are left out, what is not certain is no guard. */
size_t source_find_guards(const struct source_tokens *tokens,
                          const struct source_function *function, size_t at,
                          struct access_guard out_guards[ACCESS_GUARDS_MAX]);

/* The condition in the head of a `for` that opens at a token: between its semicolons; empty if
 * there is none. */
struct token_range source_for_condition(const struct source_tokens *tokens, size_t open);

enum { CONDITION_PARTS_MAX = 8 };

/* The parts of a condition all of which are as it is: those between && if it is true, those between
 * || if it is false; else itself alone. Returns how many; 0: there are too many. */
size_t source_condition_parts(const struct source_tokens *tokens, const struct access_guard *guard,
                              struct token_range out_parts[CONDITION_PARTS_MAX]);

#endif
