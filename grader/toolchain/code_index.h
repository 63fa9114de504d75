/* code_index.h: reads what a built program's PTX declares: kernels with the layout of their
 * parameters, variables, source files. Sessions use it to bind operands and to name places in
 * findings.
 *
 * Modules and kernels are numbered as the device process numbers them: modules in the order of
 * `fat_program.modules`, kernels (entries) in the order of the text.
 */
#ifndef GPUGRADE_TOOLCHAIN_CODE_INDEX_H
#define GPUGRADE_TOOLCHAIN_CODE_INDEX_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "ptx/fat_binary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code_parameter {
    uint64_t offset; /* in a launch's block of parameters */
    uint64_t bytes;
};

struct code_kernel {
    const char *name;                        /* mangled */
    const char *plain_name;                  /* see toolchain_plain_name */
    const struct code_parameter *parameters; /* [parameter_count] */
    size_t parameter_count;
    uint32_t static_shared_bytes; /* of the variables that it, or a function that it calls, names */
    bool is_library; /* by its lines it lies in files outside of the source folder alone, as kernels
                        of Thrust and CUB do, whatever of the folder's is inlined into it */
};

struct code_variable {
    const char *name;       /* mangled */
    const char *plain_name; /* the last component of the demangled name: "BLOCK_SIZE" */
    uint64_t bytes;
    bool is_constant; /* in constant memory */
};

struct code_module {
    const struct code_kernel *kernels; /* [kernel_count] */
    size_t kernel_count;
    const struct code_variable *variables; /* [variable_count] */
    size_t variable_count;
    const char *const *files; /* [file_count] by number in the PTX .file table; relative to the
                                 source folder, "" for files outside of it and for number 0 */
    size_t file_count;
};

struct code_index {
    const struct code_module *modules; /* [module_count] */
    size_t module_count;
};

/* Which source files get a name, and how. */
struct source_naming {
    const char *folder;  /* paths are cut at it; NULL: none is inside */
    bool keeps_outside;  /* of the folder, but not those of the system and of the toolkit */
    const char *toolkit; /* NULL: there is none */
};

/* The name of a source file by the path that a compiler recorded; "" for what cannot be a file of
 * the submission: a #line may name anything, and each finding says the name up to four times. */
const char *code_source_name(const struct source_naming *naming, const char *path);

/* Reads the PTX of a program. Paths are cut at `source_folder`; NULL: none is inside.
 * Errors: ERROR_SYNTAX, ERROR_LIMIT (blames the grader: nvcc wrote the text). */
enum error code_index_read(struct arena *arena, const struct fat_program *program,
                           const char *source_folder, struct code_index *out_index,
                           struct diagnostic *diagnostic);

/* The same for a program that a user runs: files outside `folder` (which may be NULL) keep the path
 * that nvcc recorded, except those below /usr and `toolkit` (which may be NULL): a place in these
 * becomes the place where it was inlined. */
enum error code_index_read_all(struct arena *arena, const struct fat_program *program,
                               const char *folder, const char *toolkit,
                               struct code_index *out_index, struct diagnostic *diagnostic);

#endif
