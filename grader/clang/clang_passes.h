/* clang_passes.h: compiles one CUDA source by clang.
 *
 *   source --front end, for the device--> LLVM IR --rewritten (ir_rewrite.h)-->
 *          --code generator--> PTX --> a fat binary (ptx/fat_binary_write.h) --+
 *   source --front end and code generator, for the host------------------------+--> object
 *
 * Both ways run at the same time; the host's waits for the fat binary in a FIFO.
 */
#ifndef GPUGRADE_CLANG_CLANG_PASSES_H
#define GPUGRADE_CLANG_CLANG_PASSES_H

#include "base/header_folder.h"
#include "clang/nvcc_options.h"

/* Has clang see plan->headers at CLANG_HEADERS, by a file in `folder`. Errors: ERROR_IO. */
enum error clang_show_headers(struct arena *arena, struct compile_plan *plan, const char *folder,
                              struct diagnostic *diagnostic);

/* Compiles `source` to the object `object`, with temporary files in `folder`. What clang says goes
 * to standard error: the device's messages, then the host's if the device's part is good.
 * *out_status: 0, or that of the pass that failed. Errors: ERROR_ENVIRONMENT, ERROR_IO. */
enum error clang_compile(struct arena *arena, const struct compile_plan *plan, const char *source,
                         const char *object, const char *folder, int *out_status,
                         struct diagnostic *diagnostic);

/* Compiles the device's part of `source` to PTX, the file `ptx`. The same errors. */
enum error clang_make_ptx(struct arena *arena, const struct compile_plan *plan, const char *source,
                          const char *ptx, const char *folder, int *out_status,
                          struct diagnostic *diagnostic);

/* Reads `source` for the device, then for the host, and makes nothing. What clang says goes to
 * standard error. *out_status: the device's, or the host's if that is 0. Errors: ERROR_ENVIRONMENT.
 */
enum error clang_read(struct arena *arena, const struct compile_plan *plan, const char *source,
                      int *out_status, struct diagnostic *diagnostic);

/* Makes the precompiled headers of a plan in plan->precompiled. */
enum error clang_precompile(struct arena *arena, const struct compile_plan *plan, int *out_status,
                            struct diagnostic *diagnostic);

/* Links objects to plan->output. */
enum error clang_link(struct arena *arena, const struct compile_plan *plan,
                      const struct arguments *objects, int *out_status,
                      struct diagnostic *diagnostic);

#endif
