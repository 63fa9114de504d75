/* build_job.h: the state of one build. build_job.c decides what to build and reports the result,
 * build_pieces.c compiles and links.
 */
#ifndef GPUGRADE_TOOLCHAIN_BUILD_JOB_H
#define GPUGRADE_TOOLCHAIN_BUILD_JOB_H

#include "base/text.h"
#include "toolchain/build_messages.h"
#include "toolchain/program_cache.h"
#include "toolchain/source_copies.h"
#include "toolchain/toolchain.h"

/* Limits of one source, and of one file made from it. */
#define BUILD_SOURCE_BYTES_MAX ((size_t)4 << 20)
#define BUILD_PRODUCT_BYTES_MAX ((size_t)256 << 20)

struct piece {
    const char *name;          /* of the source, as in the rubric */
    const char *source_folder; /* where it is compiled */
    const char *folder;        /* where the compiler writes */
    const char *object;        /* what is linked */
    bool is_harness;
    bool is_ready;   /* taken from the cache */
    bool only_reads; /* clang says what is wrong, and makes no object */
    bool makes_ptx;  /* the PTX of the source alone, in place of an object */
    char key[65];
    struct sandbox_run *run;
};

struct toolchain_job {
    struct arena *arena;
    const struct toolchain *toolchain;
    const struct rubric *rubric;
    const struct rubric_program *program;
    const char *source_folder;
    const char *work_folder;
    const char *compiled_folder; /* source_folder, or that of the copies */
    const char *named_folder;    /* the same, or where a kept program was compiled */
    char kept_key[65];           /* "": the program is not kept */
    bool is_kept;                /* it was built before */
    struct kept_program kept;
    bool has_values; /* of macros */
    bool is_copied;
    struct source_copies copies;
    struct source_survey survey; /* of the macros, if has_values */
    const char *compatibility;   /* the header for the sources; NULL: none */
    const char *architecture;    /* what files that it reaches need (compiler_run.h) */
    struct piece *pieces;        /* [piece_count] */
    size_t piece_count;
    struct program_build build;
    double link_seconds;
    struct text printed; /* by the tools that saw the student's sources */
};

/* The folders that messages about the sources refer to. */
struct build_place build_job_place(const struct toolchain_job *job);

/* Starts the compilers for all pieces that are not in the cache. Errors: ERROR_ENVIRONMENT,
 * ERROR_COURSEWORK (a file of the coursework is missing). */
enum error build_pieces_start(struct toolchain_job *job, struct diagnostic *diagnostic);

/* Waits for the compilers and links what they made. job->build has the result; *out_executable
 * stays NULL if nothing was linked. Errors: ERROR_ENVIRONMENT, ERROR_COURSEWORK (the harness does
 * not compile). */
enum error build_pieces_finish(struct toolchain_job *job, const char **out_executable,
                               struct diagnostic *diagnostic);

/* Compiles one source of the program to PTX alone; appends what the compiler says. *out_path stays
 * NULL if it makes none. Errors: ERROR_ENVIRONMENT. */
enum error build_pieces_ptx(struct toolchain_job *job, const char *source, struct text *out_said,
                            const char **out_path, struct diagnostic *diagnostic);

/* Has a clang read the sources under the limits of a compiler; appends what it says. False if it
 * did not come to an end of its own: it is not there, reached a limit, or crashed. */
bool build_pieces_read(const struct toolchain_job *job, const struct toolchain *clang,
                       struct text *out_said);

#endif
