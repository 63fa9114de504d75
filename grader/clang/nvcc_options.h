/* nvcc_options.h: a command line of nvcc's as a plan for clang. */
#ifndef GPUGRADE_CLANG_NVCC_OPTIONS_H
#define GPUGRADE_CLANG_NVCC_OPTIONS_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stdbool.h>
#include <stddef.h>

/* Arguments of a program, in an arena. */
struct arguments {
    const char **items; /* [count] and a NULL */
    size_t count, capacity;
};

/* Adds one argument; the string must live as long as the list. */
void arguments_add(struct arena *arena, struct arguments *arguments, const char *text);

/* Adds all of another list. */
void arguments_add_all(struct arena *arena, struct arguments *arguments,
                       const struct arguments *more);

struct compile_plan {
    const char *clang;       /* clang++ */
    const char *headers;     /* the folder of our cuda_runtime.h */
    const char *runtime;     /* the libcudart that is linked; NULL: none */
    const char *precompiled; /* where precompiled headers are, or are made; NULL: nowhere */
    const char *output;
    const char *standard;      /* "c++17" */
    unsigned architecture;     /* 75 */
    unsigned registers;        /* -maxrregcount; 0: none */
    struct arguments inputs;   /* sources and objects */
    struct arguments both;     /* for the passes of host and device */
    struct arguments host;     /* for the host's */
    struct arguments back_end; /* for the device's code generator */
    struct arguments link;     /* for the linker */
    bool compiles_only;        /* -c */
    bool makes_ptx;            /* -ptx */
    bool only_reads;           /* says what is wrong and makes nothing */
    bool precompiles;          /* makes the precompiled headers and nothing else */
    bool contracts;            /* multiplications with additions: -fmad */
};

/* Reads arguments after the program's name. Strings live in the arena or are those of `arguments`.
 * Errors: ERROR_UNSUPPORTED (an option that clang has no counterpart of, a missing value or file).
 */
enum error nvcc_options_read(struct arena *arena, int count, char **arguments,
                             struct compile_plan *out_plan, struct diagnostic *diagnostic);

#endif
