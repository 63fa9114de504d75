/* file_build.h: builds a program from one .cu file, as its user would.
 *
 * The compiler runs in the user's folder with the user's environment (NVCC_APPEND_FLAGS adds flags
 * for nvcc), and prints its messages to standard error. Nothing is sandboxed: it is the user's own
 * file. clang's precompiled headers are kept in the cache, as for checks.
 */
#ifndef GPUGRADE_TOOLCHAIN_FILE_BUILD_H
#define GPUGRADE_TOOLCHAIN_FILE_BUILD_H

#include "toolchain/toolchain.h"

struct file_build {
    const char *source;             /* as the user named it; does not start with a dash */
    const char *executable;         /* what is made */
    const char *work_folder;        /* private; for clang's precompiled headers */
    const char *const *environment; /* NULL-terminated */
    int interrupt_fd;               /* ends the compiler when it is readable; -1: none */
};

/* Builds it; *out_end says how the compiler ended, ENDING_STOPPED after an interruption. Errors:
 * ERROR_ENVIRONMENT. */
enum error toolchain_build_file(const struct toolchain *toolchain, struct arena *arena,
                                const struct file_build *build, struct program_end *out_end,
                                struct diagnostic *diagnostic);

#endif
