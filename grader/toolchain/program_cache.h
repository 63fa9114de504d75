/* program_cache.h: keeps built programs of submissions, so that unchanged programs are not built
 * again.
 *
 * An entry (build_cache.h) is one build: how it ended, what the tools printed, the executable.
 *
 * Its key is the hash of everything that decides a build: the program's sources and whatever they
 * may include (source_tree.h), the names of all files next to them, the values of macros, the
 * harness, the flags, the limits, the compilers, the system's headers and the runtime that is
 * linked. A build that may depend on anything else has no key: one that includes a file from
 * outside, or that uses the date. Only successes and mistakes in the sources are kept. Builds that
 * reached a limit, and failures of the machine, are not.
 */
#ifndef GPUGRADE_TOOLCHAIN_PROGRAM_CACHE_H
#define GPUGRADE_TOOLCHAIN_PROGRAM_CACHE_H

#include "toolchain/source_tree.h"
#include "toolchain/toolchain.h"

struct kept_program {
    bool compiled, linked;
    enum code failure;        /* CODE_NONE, CODE_COMPILE_ERROR or CODE_LINK_ERROR */
    int exit_status;          /* of the tool that failed */
    const char *named_folder; /* where the sources were when they were compiled; messages and PTX
                                 use this path */
    const char *printed;      /* [printed_length] by the tools */
    size_t printed_length;
    uint64_t missing_macros; /* bit i: no source defines override i of the program */
    const char *executable;  /* [executable_length], if it was linked */
    size_t executable_length;
    const char *given_modules; /* "01": for each module whether it is the harness's */
};

/* Finds the key of a build; false if it has none. `values` are those of the request, or NULL. */
bool program_cache_key(const struct toolchain *toolchain, const struct rubric *rubric,
                       const struct rubric_program *program, const struct source_tree *tree,
                       const int64_t *values, char out_key[65]);

/* Reads a kept build into the arena; false if there is none. */
bool program_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                        struct kept_program *out_kept);

/* Keeps a build, unless it is too large. If the cache cannot be written, that only costs time
 * later.
 */
void program_cache_keep(const struct toolchain *toolchain, const char *key,
                        const struct kept_program *kept);

#endif
