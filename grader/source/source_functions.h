/* source_functions.h: which functions a source defines, and the launches of a kernel in it. */
#ifndef GPUGRADE_SOURCE_SOURCE_FUNCTIONS_H
#define GPUGRADE_SOURCE_SOURCE_FUNCTIONS_H

#include "source/source_tokens.h"

/* A range of tokens, [first, end). */
struct token_range {
    size_t first, end;
};

/* A function with a body; token indices. */
struct source_function {
    size_t start;       /* of its declaration */
    size_t name;        /* without its class or namespace */
    size_t open, close; /* the { and the token after the } */
    bool is_kernel, is_device;
};

struct source_functions {
    struct source_function *items; /* [count], in the order of the source */
    size_t count;
    bool is_certain; /* false: the braces do not match, so nothing here is */
};

void source_functions_read(struct arena *arena, const struct source_tokens *tokens,
                           struct source_functions *out_functions);

/* The function that token `index` lies in; NULL if none. */
const struct source_function *source_function_at(const struct source_functions *functions,
                                                 size_t index);

/* The function that token `name` names; NULL if it names none. */
const struct source_function *source_function_named(const struct source_functions *functions,
                                                    size_t name);

/* The function whose body holds that line of its file; NULL if none. */
const struct source_function *source_function_of_line(const struct source_tokens *tokens,
                                                      const struct source_functions *functions,
                                                      int line);

/* The first loop (for, while, do) that starts among the tokens [first, end): from its keyword to
 * the token after its body. Called again from there it finds the next loop that is not inside this
 * one. False if there is none. */
bool source_next_loop(const struct source_tokens *tokens, size_t first, size_t end,
                      struct token_range *out_loop);

/* Splits a range at its commas outside of brackets into at most `capacity` ranges, the first ones;
 * returns how many there are. */
size_t source_split_arguments(const struct source_tokens *tokens, struct token_range range,
                              struct token_range *out_ranges, size_t capacity);

enum { LAUNCH_GRID, LAUNCH_BLOCK, LAUNCH_BYTES, LAUNCH_ARGUMENTS };

/* kernel<<<grid, block, bytes>>>(...), or cudaLaunchKernel(kernel, grid, block, args, bytes, ...).
 */
struct source_launch {
    size_t at;                                      /* the kernel's name, or that of the call */
    struct token_range arguments[LAUNCH_ARGUMENTS]; /* empty where there is none */
    struct token_range passed;                      /* to the kernel; empty if that is not known */
};

/* Reads the launch of `kernel` (a plain name, perhaps with namespaces) that starts at token
 * `index`; false if none does. */
bool source_launch_read(const struct source_tokens *tokens, size_t index, const char *kernel,
                        struct source_launch *out_launch);

/* The first <<< in a kernel or a device function; tokens->count if there is none. */
size_t source_launch_on_device(const struct source_tokens *tokens,
                               const struct source_functions *functions);

#endif
