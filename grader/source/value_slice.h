/* value_slice.h: what a printed value is made of, by the text of the host code: the statements that
 * set the variables in it, what the functions called there return, and so on.
 *
 * Values of parameters and of variables outside of functions are not followed. A slice has bounds;
 * what is beyond them is left out.
 */
#ifndef GPUGRADE_SOURCE_VALUE_SLICE_H
#define GPUGRADE_SOURCE_VALUE_SLICE_H

#include "source/source_search.h"

enum { SLICE_PARTS_MAX = 32 };

/* Tokens of one file. */
struct slice_part {
    const struct program_file *file;
    struct token_range range;
};

struct value_slice {
    struct slice_part parts[SLICE_PARTS_MAX]; /* [count]; the first is what is printed */
    size_t count;
};

/* The slice of what is printed after a string: in the same call, or the same statement. */
void value_slice_read(const struct program_source *source, struct arena *arena,
                      struct file_token string, struct value_slice *out_slice);

/* The only token of a slice that is one of these names (up to NULL); false if there is none or
 * there are several. */
bool value_slice_find(const struct value_slice *slice, const char *const *names,
                      struct file_token *out_token);

/* Where the only value that is printed after a string is set: its variable, if its function sets
 * that once; the `return` of the function that it is a call of, if there is only one. False if
 * there is no such place. */
bool value_slice_origin(const struct program_source *source, struct arena *arena,
                        struct file_token string, struct file_token *out_token);

/* The only `return` of the only function of that name: the tokens of its value. */
bool find_returned_value(const struct program_source *source, const char *name,
                         struct slice_part *out_value);

#endif
