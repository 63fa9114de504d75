/* enclosing_loop.h: places in the source that follow from the line of an access: the loop around
 * it, where its variable is set, the line where it really is.
 */
#ifndef GPUGRADE_SOURCE_ENCLOSING_LOOP_H
#define GPUGRADE_SOURCE_ENCLOSING_LOOP_H

#include "source/source_tokens.h"

#include <stdbool.h>

struct line_span {
    int first, last;
};

/* Finds the innermost `for` or `while` whose body holds all lines of the span: where its keyword
 * stands. False if there is none. */
bool find_enclosing_loop(const struct source_tokens *tokens, struct line_span body, int *out_line,
                         int *out_column);

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
