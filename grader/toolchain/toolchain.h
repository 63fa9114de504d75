/* toolchain.h: builds an executable from a student's sources; reads its PTX and its resources.
 *
 *   sources --compiler -c, in the sandbox--> objects --+
 *   harness --compiler -c, once, kept------> objects --+--g++, with our libcudart--> executable
 *                                                         executable --> PTX (ptx/fat_binary.h)
 *                                                         PTX --ptxas -arch=sm_XX--> machine code,
 *                                                                                    resources
 *
 * Build flags: -cudart shared -lineinfo, only compute_75 PTX, uncompressed; with ARITHMETIC_NO_FMAD
 * also -fmad=false. Harness objects and programs of the reference solution are kept in a cache
 * folder, named by the hash of everything that decides them (sources, flags, the compiler).
 * Writes there are atomic, so concurrent graders share it. Students' programs are kept too
 * (program_cache.h): a source that has not changed is not compiled again.
 */
#ifndef GPUGRADE_TOOLCHAIN_TOOLCHAIN_H
#define GPUGRADE_TOOLCHAIN_TOOLCHAIN_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/observation.h"
#include "model/oracle.h"
#include "ptx/fat_binary.h"
#include "sandbox/sandbox.h"

/* What compiles students' sources. Both take nvcc's options. */
enum compiler_kind {
    COMPILER_AUTO,  /* nvcc if there is one, else clang; if there are both, clang reads what nvcc
                       refuses, for its words */
    COMPILER_NVCC,  /* of the CUDA toolkit alone, whose ptxas assembles too */
    COMPILER_CLANG, /* through gpugrade-clang (grader/clang), with our own headers; nothing of
                       NVIDIA's is used */
};

struct compiler {
    enum compiler_kind kind; /* never COMPILER_AUTO */
    char name[64];           /* "nvcc 13.0", "clang 19.1.7" */
    char program[4096];      /* absolute: nvcc, or our gpugrade-clang */
    char folder[4096];       /* the toolkit (bin, include), or our headers of CUDA */
    char clang[4096];        /* absolute: clang++; "" for nvcc */
};

struct toolchain {
    const struct sandbox *sandbox;
    struct compiler compiler;
    struct compiler second; /* kind COMPILER_CLANG: a clang on PATH, which is looked for when it is
                                 needed, reads what nvcc refuses (second_reading.h); else nothing
                                 does */
    char cudart_folder[4096]; /* contains our libcudart.so.13 */
    char cache_folder[4096];
    bool builds_anew; /* always build programs and do not keep them: for examining the machine */
    struct oracle_watch *oracle_watch; /* sees the calls of loaded oracles; NULL: none */
};

/* Where a toolchain's parts are. */
struct toolchain_setup {
    const struct sandbox *sandbox;
    enum compiler_kind compiler;
    const char *helper_folder;  /* contains gpugrade-clang */
    const char *header_folder;  /* contains our cuda_runtime.h */
    const char *library_folder; /* contains our libcudart */
    const char *cache_folder;   /* NULL: $GPUGRADE_CACHE, $XDG_CACHE_HOME/gpugrade or
                                   ~/.cache/gpugrade */
};

/* Finds the compiler: nvcc in $CUDA_HOME, on $PATH, in /usr/local/cuda, /usr/local/cuda-* or
 * /opt/cuda; else the newest clang++ on $PATH. Errors: ERROR_ENVIRONMENT with what to install. */
enum error toolchain_init(const struct toolchain_setup *setup, struct toolchain *out_toolchain,
                          struct diagnostic *diagnostic);

/* The result of a build. */
struct built_program {
    struct program_build build; /* model/observation.h */
    const char *executable;     /* absolute path; NULL if it was not linked */
    struct fat_program code;    /* the PTX in it */
    const bool *is_given;       /* [code.module_count]: the module has the same bytes as one of the
                             harness's objects. NULL: all are the coursework's own */
    const char *source_folder; /* absolute: where its sources were when they were compiled, which is
                                  the path in the PTX; copies for macro_values are elsewhere. NULL:
                                  in the submission's source/ */
    double link_seconds;       /* of what its build took */
    /* kernels of the student's own sources only (the harness's are known by their objects) */
};

/* What is built. */
struct build_request {
    const struct rubric *rubric;
    size_t program;
    const char *source_folder;   /* the student's, read only in the sandbox */
    const char *work_folder;     /* private, of the grader, for objects and the executable; readable
                                    by the sandbox's user */
    const int64_t *macro_values; /* [override_count] of the program's overrides: copies of the
                                    sources are compiled, whose definitions have these values
                                    (size_rewrite.h); NULL: the sources as they are */
};

/* A build in progress. */
struct toolchain_job;

/* Starts building one program, unless it was built before. What the request points to must live
 * until the job is finished. If a source is missing, unreadable or not text, the job ends at once
 * with `failure` set. Errors: ERROR_ENVIRONMENT. */
enum error toolchain_start(const struct toolchain *toolchain, const struct build_request *request,
                           struct toolchain_job **out_job, struct diagnostic *diagnostic);

/* Waits for a job; everything in *out_program lives in the arena. Several jobs may run at once.
 * Frees the job. Errors: ERROR_ENVIRONMENT, ERROR_COURSEWORK (the harness does not compile). */
enum error toolchain_finish(struct toolchain_job *job, struct arena *arena,
                            struct built_program *out_program, struct diagnostic *diagnostic);

/* The PTX of one source of a program alone, without its host code. `text` is NULL if it does not
 * compile; `messages` are then the compiler's. */
struct device_text {
    const char *text; /* [length] and a NUL */
    size_t length;
    const struct tool_message *messages; /* [message_count] */
    size_t message_count;
};

/* Compiles the source of that name to PTX; the request has no macro values, and its work folder is
 * used by nothing else. Nothing is kept. Everything lives in the arena. Errors: ERROR_ENVIRONMENT.
 */
enum error toolchain_device_text(const struct toolchain *toolchain,
                                 const struct build_request *request, const char *source,
                                 struct arena *arena, struct device_text *out_text,
                                 struct diagnostic *diagnostic);

/* The reference solution's program, which is trusted: REFERENCE/solution with the harness. It is
 * built once for each request and kept in the cache; later calls start no compiler. The request has
 * no source folder; its work folder gets the executable in a folder of its own, reference-N (N: the
 * program) or, with macro values, reference-N-KEY, readable by the sandbox's user.
 * out_program->build is a success without messages; everything lives in the arena. Different
 * requests may be built at once. Errors: ERROR_ENVIRONMENT, ERROR_COURSEWORK (the coursework does
 * not build: the message is the compiler's; or a macro that has a value is defined nowhere). */
enum error toolchain_reference(const struct toolchain *toolchain,
                               const struct build_request *request, struct arena *arena,
                               struct built_program *out_program, struct diagnostic *diagnostic);

/* The same for the template as students get it, in template-N or template-N-KEY. It is also
 * ERROR_COURSEWORK if the template does not build as it is handed out. */
enum error toolchain_template(const struct toolchain *toolchain,
                              const struct build_request *request, struct arena *arena,
                              struct built_program *out_program, struct diagnostic *diagnostic);

/* What ptxas makes from a PTX module for one compute capability. */
struct assembled_module {
    const struct kernel_resources *kernels; /* [kernel_count] */
    size_t kernel_count;
    const void *image; /* [image_bytes]: machine code, a cubin; ptxas made it from a student's PTX,
                          so it is not trusted; NULL without ptxas */
    size_t image_bytes;
};

/* Assembles one PTX module for a compute capability, in the sandbox; all of *out_module lives in
 * the arena. Without ptxas resources are estimated, and there is no image. Errors: ERROR_FAILED
 * (the PTX does not assemble: the message is ptxas's),
 * ERROR_ENVIRONMENT (also for a GPU that is newer than ptxas). */
enum error toolchain_assemble(const struct toolchain *toolchain, struct arena *arena,
                              const char *ptx, size_t length, uint32_t compute_major,
                              uint32_t compute_minor, const char *work_folder,
                              struct assembled_module *out_module, struct diagnostic *diagnostic);

/* Builds (or takes from the cache) and loads reference/<coursework>/oracle.c. *out_oracle lives in
 * the arena, NULL if the rubric has no launch; what it points to is never unloaded. Call it through
 * model/oracle_watch.h. Errors: ERROR_ENVIRONMENT, ERROR_FAILED (it does not compile, or lacks a
 * function), ERROR_UNSUPPORTED (another ABI version). */
enum error toolchain_oracle(const struct toolchain *toolchain, struct arena *arena,
                            const struct rubric *rubric, const struct oracle **out_oracle,
                            struct diagnostic *diagnostic);

/* Demangles a C++ name without template and call arguments: "matrixMulTiled" for
 * _Z14matrixMulTiledILi16EEvPKfS1_Pfii. The name itself if it is not mangled. */
const char *toolchain_plain_name(struct arena *arena, const char *mangled);

/* Demangles the name of a variable and leaves out its scope: "tile_a" for
 * _ZZ14matrixMulTiledPKfS0_PfiiE6tile_a, a local of a kernel. If the end is cut off, what is left
 * of it: "til...". */
const char *toolchain_variable_name(struct arena *arena, const char *mangled);

/* What the reader of messages may look up. */
struct message_sources {
    const char *folder; /* removed from paths; "" or NULL: nothing is */
    /* Returns the text of a file by its name relative to `folder`, [*out_length], valid while
     * messages are read; NULL if it is not known. Without it, columns that only the source can give
     * are left out. */
    const char *(*text)(void *context, const char *file, size_t *out_length);
    void *context;
    const char *ptx; /* what ptxas read: its lines become lines of the source; or NULL */
    bool is_clang;   /* clang compiled, whose columns are bytes of the source; else nvcc, which
                        calls g++ */
};

/* Turns what nvcc or clang, the host compiler, ptxas and the linker print into messages. Lines that
 * are not diagnostics are skipped, and so are warnings that are not about the submission. `sources`
 * may be NULL. In compiler_messages.c. */
void toolchain_read_messages(struct arena *arena, const char *text, size_t length,
                             const struct message_sources *sources,
                             const struct tool_message **out_messages, size_t *out_count);

/* The flags by which clang prints messages in the form that is read, and the warnings that are
 * worth a student's time: mistakes that compile, of which right programs have none. Ended by NULL.
 * In clang_messages.c. */
extern const char *const clang_message_flags[];

/* The function or variable that a message of a linker or of ptxas is about: its plain name with
 * namespaces; NULL if it is about none. */
const char *toolchain_message_symbol(struct arena *arena, const char *message);

/* A message with mangled names in quotes demangled, and hexadecimal sizes ("0x10400 bytes, 0xc000
 * max") in decimal. */
const char *toolchain_readable_message(struct arena *arena, const char *text);

#endif
