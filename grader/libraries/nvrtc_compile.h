/* nvrtc_compile.h: runs the compiler that `gpugrade run` uses, from within the program, which has
 * all that its user may do (session/plain_run.h). */
#ifndef GPUGRADE_LIBRARIES_NVRTC_COMPILE_H
#define GPUGRADE_LIBRARIES_NVRTC_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

/* The command of that compiler, a word a line; without it nothing is compiled. */
#define NVRTC_COMPILER_VARIABLE "GPUGRADE_NVRTC"

/* A file that the source may include. */
struct nvrtc_header {
    char *name, *text;
};

struct nvrtc_job {
    const char *source;
    const struct nvrtc_header *headers; /* [header_count] */
    size_t header_count;
    const char *const *options; /* [option_count] of nvcc */
    size_t option_count;
};

enum nvrtc_end { NVRTC_MADE, NVRTC_REFUSED, NVRTC_NOT_RUN };

/* Compiles for at most two minutes. Gives the PTX, if it was made, and what the compiler said, both
 * to be freed. NVRTC_NOT_RUN: there is no compiler, or no room for its files; nothing is given. */
enum nvrtc_end nvrtc_compile(const struct nvrtc_job *job, char **out_ptx, char **out_log);

#endif
