/* nvcc_spellings.h: what nvcc takes and clang does not is spelt for clang:
 *
 *   f<< <a, b>> >(c)              f<<< a, b>>> (c)
 *   f<<<{2, 3}, {64}>>>(c)        f<<<dim3{2, 3}, dim3{64}>>>(c)
 *   __shared__ alignas(16) T x    alignas(16) __shared__ T x
 *   main() {}                     int main() {}
 *   __managed__ T x = 1           a variable of the device, and a reference to it of its name, see
 *                                 cuda_headers/device_code/managed_variables.h
 *
 * A virtual file system of clang's (-ivfsoverlay) shows it the files of a submission in which such
 * a thing stands. Paths and lines stay as they are; so do columns, but for those after a
 * dim3, an int or a managed variable on the same line. Comments and literals are left alone.
 */
#ifndef GPUGRADE_CLANG_NVCC_SPELLINGS_H
#define GPUGRADE_CLANG_NVCC_SPELLINGS_H

#include "base/text.h"
#include "clang/nvcc_options.h"

/* Looks at a source and at the files that it includes by relative paths, beside themselves and in
 * the folders of -I. Adds the option to plan->both if one of them has such a spelling; what clang
 * then reads lies in `folder`. A file that cannot be read is left to clang's message. Errors:
 * ERROR_IO. */
enum error nvcc_spellings_show(struct arena *arena, struct compile_plan *plan, const char *source,
                               const char *folder, struct diagnostic *diagnostic);

/* Adds a text [length] as clang takes it to *out; true if it differs. */
bool nvcc_spellings_rewrite(struct arena *arena, const char *text, size_t length, struct text *out);

#endif
