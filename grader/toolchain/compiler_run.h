/* compiler_run.h: how the toolkit's programs run in the sandbox: the limits, the environment and
 * the folders that all of them see. */
#ifndef GPUGRADE_TOOLCHAIN_COMPILER_RUN_H
#define GPUGRADE_TOOLCHAIN_COMPILER_RUN_H

#include "toolchain/toolchain.h"

/* What nvcc compiles for, and stores as PTX, if a source needs no more. */
#define COMPILER_USUAL "arch=compute_75,code=compute_75"
#define COMPILER_80 "arch=compute_80,code=compute_80"

/* What a source [length] needs, by its words, even those in a comment: COMPILER_USUAL, or the same
 * for compute capability 8.0 or 9.0. Of two, the one that is greater as a string serves both.
 * Tensor cores multiply more types from 8.0 on, and warps reduce. Asynchronous copies are
 * instructions from then on; for 7.5 the toolkit's headers replace them by plain copies, which are
 * complete when they return, so a program that never waits for them would be right. out_words: the
 * words that decide, "" for none; NULL: not wanted. */
const char *compiler_architecture(const char *text, size_t length, const char *out_words[2]);

/* 75 for COMPILER_USUAL, and "7.5" for 75. */
uint32_t compiler_capability(const char *architecture);
const char *compiler_capability_text(struct arena *arena, uint32_t capability);

/* Returns the arguments of nvcc that decide the contents of an object, for one of the architectures
 * above; NULL-terminated, in the arena. */
const char *const *compiler_flags(struct arena *arena, const struct rubric *rubric,
                                  const struct rubric_program *program, const char *architecture);

/* The program that links: clang++ what clang compiled, g++ what nvcc compiled. */
const char *compiler_linker(const struct compiler *compiler);

/* Fills what is the same for every tool: environment and limits. Strings live in
 * the arena. `scratch_folder` is for temporary files where memory for them has no
 * bound. The caller adds arguments, folder and mounts. */
void compiler_spec_init(const struct toolchain *toolchain, const struct limits *limits,
                        const char *scratch_folder, struct arena *arena,
                        struct sandbox_spec *out_spec);

/* The limits of one tool. */
struct sandbox_limits compiler_limits(const struct limits *limits);

/* How the compiler is called: in the sandbox its parts must be where every user can read them. */
struct compiler_call {
    const char *const *arguments; /* [count] the program and arguments that come first */
    size_t count;
    const char *folder; /* to mount; it has all that the compiler needs but the system's files */
};

/* Lays out the compiler in a folder of its own below `work_folder`. For clang its headers are
 * precompiled with `flags` (compiler_flags), unless the cache has them. Errors: ERROR_ENVIRONMENT.
 * In compiler_kit.c. */
enum error compiler_kit_lay_out(const struct toolchain *toolchain, const struct limits *limits,
                                const char *const *flags, const char *work_folder,
                                struct arena *arena, struct compiler_call *out_call,
                                struct diagnostic *diagnostic);

/* Adds a folder or a file under its own path. */
void compiler_spec_mount(struct sandbox_spec *spec, const char *path, bool writable);

#endif
