/* enclosing_loop.h: places in the source that follow from the line of an access: the loop around
 * it and what drives that, where its variable is set, the line where it really is, a condition
 * around a barrier.
 */
#ifndef GPUGRADE_SOURCE_ENCLOSING_LOOP_H
#define GPUGRADE_SOURCE_ENCLOSING_LOOP_H

#include "source/source_functions.h"

#include <stdbool.h>

struct line_span {
    int first, last;
};

/* Finds the innermost `for` or `while` whose body holds all lines of the span: where its keyword
 * stands. False if there is none. */
bool find_enclosing_loop(const struct source_tokens *tokens, struct line_span body, int *out_line,
                         int *out_column);

/* A `for` or `while`; token indices. */
struct source_loop {
    size_t keyword;
    size_t open, close; /* the ( of its head, and the token after the ) */
    size_t end;         /* after its body */
};

/* Finds the innermost loop that has that line in its head or body; false if there is none. */
bool find_loop_at(const struct source_tokens *tokens, int line, struct source_loop *out_loop);

enum { LOOP_NAMES_MAX = 3 };

/* The variables in a loop's condition that nothing in it sets, passes by address or gives to a
 * call, and that are set in its head or, before it, in its function: the first token of each.
 * Returns how many there are; more than LOOP_NAMES_MAX are left out. */
size_t loop_unchanged_names(const struct source_tokens *tokens, const struct source_loop *loop,
                            size_t out_names[LOOP_NAMES_MAX]);

/* The variable that the head of a `for` sets first; tokens->count if it sets none, or starts it
 * below zero. */
size_t loop_counter(const struct source_tokens *tokens, const struct source_loop *loop);

/* A __syncthreads() in an `if`; token indices. */
struct conditional_barrier {
    size_t barrier;
    size_t first, end; /* the condition, [first, end) */
};

/* Finds the first such barrier that would be between two accesses: between their lines, or in the
 * innermost loop that has both, in an `if` that has neither. False if there is none. */
bool find_conditional_barrier(const struct source_tokens *tokens, struct line_span accesses,
                              struct conditional_barrier *out_barrier);

/* True if a value may differ between threads of a block, by what its names are set to before it. */
bool depends_on_thread(const struct source_tokens *tokens, struct token_range value);

/* True if the line has the name of token `name`, among its first tokens. */
bool line_has_name(const struct source_tokens *tokens, int line, size_t name);

/* Finds where the variable that is added to in a line (`sum += ...`) was set last before that line,
 * within the same function; a line that sets a variable itself (`sum = ...`) is the result.
 * False if there is neither. */
bool find_sum_set(const struct source_tokens *tokens, int line, int *out_line, int *out_column);

/* Finds the line of an access that is reported at a line: that line, if it can hold an access to
 * memory, else the next one that can, a few lines further on. Compilers move what does not change
 * in a loop up before the loop, and then give it the line of a barrier or of the loop. False if
 * there is none.
 */
bool find_access_line(const struct source_tokens *tokens, int line, int *out_line, int *out_column);

#endif
