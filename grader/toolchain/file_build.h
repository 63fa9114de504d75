/* file_build.h: builds a program from one .cu file, as its user would.
 *
 * The compiler runs in the user's folder with the user's environment (NVCC_APPEND_FLAGS adds flags
 * for nvcc), and prints its messages to standard error. Nothing is sandboxed: it is the user's own
 * file. clang's precompiled headers are kept in the cache, as for checks.
 *
 * It is compiled for compute capability 7.5, or for 8.0 or 9.0 if its words ask for that. A
 * condition such as `__CUDA_ARCH__ >= 800` asks for 8.0, if the device has that: of 9.0 the
 * emulated device does not know all, and a program with such a condition works without.
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
    uint32_t capability_most;       /* of the device: 75, 80, 90 */
};

/* What a source [length] is compiled for, as compiler_run.h has it. *out_remark: why it is not the
 * usual, or which code is left out; NULL if there is nothing to say. In the arena. */
const char *file_build_architecture(struct arena *arena, const char *name, const char *text,
                                    size_t length, uint32_t capability_most,
                                    const char **out_remark);

/* Builds it; *out_end says how the compiler ended, ENDING_STOPPED after an interruption, and
 * *out_remark is as above. Errors: ERROR_ENVIRONMENT. */
enum error toolchain_build_file(const struct toolchain *toolchain, struct arena *arena,
                                const struct file_build *build, struct program_end *out_end,
                                const char **out_remark, struct diagnostic *diagnostic);

#endif
