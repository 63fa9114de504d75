/* source_slips.h: code that compiles, and means something else than it looks like in C for CUDA. */
#ifndef GPUGRADE_SOURCE_SOURCE_SLIPS_H
#define GPUGRADE_SOURCE_SOURCE_SLIPS_H

#include "source/source_functions.h"

/* Finds an array that a kernel with barriers, or one that updates it by atomics, declares without
 * __shared__, and of which each thread sets its own element: the token of its name. No thread reads
 * what another one wrote there. False if there is none. */
bool find_private_array(const struct source_tokens *tokens, const struct source_function *kernel,
                        size_t *out_name);

/* True if a value is only a list in brackets, as in (16, 16): the value of its last part.
 */
bool is_comma_value(const struct source_tokens *tokens, struct token_range value);

/* True if the call of cudaMemset() or cudaMemsetAsync() at a token gives elements of several bytes
 * a value that is none of repeated bytes, such as INT_MIN, 1.0f or 1. Sets where the value starts.
 */
bool sets_other_bytes(const struct source_tokens *tokens, size_t at, size_t *out_value);

/* True if the call of cudaMemset() or cudaMemsetAsync() at a token sets 0 bytes to what is a number
 * of bytes. Sets where the 0 is. */
bool sets_no_bytes(const struct source_tokens *tokens, size_t at, size_t *out_size);

/* True if the call of cudaMalloc(), cudaMallocAsync() or cudaMallocManaged() at a token of a
 * function is given a number of elements of so many bytes, where a number of bytes is asked for:
 * nothing in the value, nor in what the function sets its names to, is the size of an element. Sets
 * where the value starts. */
bool allocates_elements(const struct source_tokens *tokens, const struct source_function *function,
                        size_t at, unsigned element_bytes, size_t *out_value);

/* True if a call or a launch gives two numbers that have the names of two parameters, each to the
 * other one. `open` is the ( of its arguments, `parameters` that of the definition. Sets the first
 * of the two arguments, and the parameter that it is given for. */
bool exchanges_arguments(const struct source_tokens *tokens, size_t open,
                         const struct source_tokens *definition, size_t parameters,
                         size_t *out_argument, size_t *out_parameter);

/* True if a loop of a kernel around a line goes to a constant such as RADIUS_MAX or MAX_RADIUS, and
 * the kernel has a parameter `radius`. Sets the constant, and the parameter. */
bool loops_to_maximum(const struct source_tokens *tokens, const struct source_function *kernel,
                      int line, size_t *out_constant, size_t *out_parameter);

#endif
