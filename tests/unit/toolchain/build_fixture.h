/* build_fixture.h: a small coursework in a folder of its own, the sandbox and a compiler, for
 * tests that build it. Without a CUDA toolkit, or clang, need() skips the test visibly. */
#ifndef GPUGRADE_TESTS_BUILD_FIXTURE_H
#define GPUGRADE_TESTS_BUILD_FIXTURE_H

#include "base/clock.h"
#include "base/file.h"
#include "base/sanitized.h"
#include "toolchain/compiler_find.h"
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char given_text[] = "void launch(float *p);\n";
static const char harness_text[] = "#include \"given.h\"\n"
                                   "#ifdef BROKEN\n"
                                   "this is no code\n"
                                   "#endif\n"
                                   "int main(void) { launch(nullptr); return VALUE; }\n";
static const char good_text[] = "#include \"given.h\"\n"
                                "__global__ void __launch_bounds__(128, 2) fill(float *p)\n"
                                "{\n"
                                "    __shared__ float tile[64];\n"
                                "    tile[threadIdx.x] = p[threadIdx.x];\n"
                                "    __syncthreads();\n"
                                "    p[threadIdx.x] = tile[63 - threadIdx.x];\n"
                                "}\n"
                                "void launch(float *p) { fill<<<1, 64>>>(p); }\n";

struct site {
    bool available;
    struct arena *arena;
    struct sandbox sandbox;
    struct toolchain toolchain;
    char *folder;
    const char *source_folder;
    struct rubric rubric;
    struct rubric_program program;
    struct define defines[2];
    struct built_program built;
    struct diagnostic diagnostic;
    int builds;
};

static const char *const sources[] = {"exercise.cu"};
static const char *const given[] = {"given.h"};
static const char *const harness[] = {"main.cu"};

static inline void write_file(struct site *site, const char *folder, const char *name,
                              const char *text)
{
    const char *path = arena_printf(site->arena, "%s/%s", folder, name);

    assert_int_equal(file_write_atomic(path, text, strlen(text), NULL), ERROR_NONE);
}

static inline const char *make(struct site *site, const char *name)
{
    const char *path = arena_printf(site->arena, "%s/%s", site->folder, name);

    assert_int_equal(folder_make(path, 0755, NULL), ERROR_NONE);
    return path;
}

/* Finds the sandbox and the compiler; COMPILER_AUTO wants nvcc, and clang for its words. clang's programs are linked to our libcudart, nvcc's to the
 * toolkit's own. */
static inline bool find_tools(struct site *site, enum compiler_kind compiler)
{
    struct toolchain *toolchain = &site->toolchain;

    if (sandbox_init(SANDBOX_AUTO, GPUGRADE_BINARY_DIR "/bin", &site->sandbox, &site->diagnostic) !=
            ERROR_NONE ||
        toolchain_init(
            &(struct toolchain_setup){.sandbox = &site->sandbox,
                                      .compiler = compiler,
                                      .helper_folder = GPUGRADE_BINARY_DIR "/bin",
                                      .header_folder = GPUGRADE_SOURCE_DIR "/grader/cuda_headers",
                                      .library_folder = GPUGRADE_BINARY_DIR "/lib",
                                      .cache_folder = make(site, "cache")},
            toolchain, &site->diagnostic) != ERROR_NONE) {
        print_message("skipped: %s\n", site->diagnostic.message);
        return false;
    }
    if (compiler == COMPILER_AUTO) {
        struct compiler clang = toolchain->second;
        if (toolchain->compiler.kind != COMPILER_NVCC ||
            !compiler_find_clang(toolchain->cache_folder, &clang)) {
            print_message("skipped: there are not both nvcc and clang\n");
            return false;
        }
    }
    if (compiler != COMPILER_NVCC) {
        if (IS_SANITIZED) {
            print_message("skipped: a sanitizer in gpugrade-clang needs more memory than it may "
                          "have in the sandbox\n");
        }
        if (IS_SANITIZED || compiler == COMPILER_CLANG) {
            return !IS_SANITIZED;
        }
    }
    /* What serves programs is a file, not a link to one. */
    const char *served = make(site, "cudart");
    char *own = realpath(
        arena_printf(site->arena, "%s/lib64/libcudart.so", toolchain->compiler.folder), NULL);
    assert_non_null(own);
    snprintf(toolchain->cudart_folder, sizeof toolchain->cudart_folder, "%s", served);
    assert_int_equal(file_copy(own, arena_printf(site->arena, "%s/" CUDART_SONAME, served), 0755,
                               UINT64_C(64) << 20, NULL),
                     ERROR_NONE);
    assert_int_equal(symlink(CUDART_SONAME, arena_printf(site->arena, "%s/libcudart.so", served)),
                     0);
    free(own);
    return true;
}

static inline int set_up_compiler(void **state, enum compiler_kind compiler)
{
    static struct site site;

    memset(&site, 0, sizeof site);
    site.arena = arena_new();
    assert_int_equal(folder_make_temporary(site.arena, &site.folder, NULL), ERROR_NONE);
    assert_int_equal(chmod(site.folder, 0711), 0);
    site.available = find_tools(&site, compiler);
    site.source_folder = make(&site, "source");
    site.defines[0] = (struct define){"VALUE", "0"};
    site.program = (struct rubric_program){
        .sources = sources,
        .source_count = 1,
        .given = given,
        .given_count = 1,
        .harness = harness,
        .harness_count = 1,
        .defines = site.defines,
        .define_count = 1,
    };
    site.rubric = (struct rubric){
        .reference_folder = make(&site, "coursework/reference/x"),
        .template_folder = make(&site, "template"),
        .include_folder = GPUGRADE_SOURCE_DIR "/grader",
        .programs = &site.program,
        .program_count = 1,
        .limits = {.compile_wall_ns = 600 * CLOCK_NS_PER_S,
                   .compile_memory_bytes = UINT64_C(2) << 30},
    };
    write_file(&site, site.rubric.reference_folder, "main.cu", harness_text);
    write_file(&site, site.rubric.template_folder, "given.h", given_text);
    write_file(&site, site.source_folder, "given.h", given_text);
    *state = &site;
    return 0;
}

static inline int set_up(void **state)
{
    return set_up_compiler(state, COMPILER_NVCC);
}

static inline int tear_down(void **state)
{
    struct site *site = *state;

    assert_true(folder_remove(site->folder));
    arena_free(site->arena);
    return 0;
}

static inline struct site *need(void **state)
{
    struct site *site = *state;

    if (!site->available) {
        skip();
    }
    return site;
}

/* A source whose kernel takes more than 40 registers if it may. */
static inline const char *hungry_text(void)
{
    return "#include \"given.h\"\n"
           "__global__ void fill(float *p)\n"
           "{\n"
           "    float a[80];\n"
           "#pragma unroll\n"
           "    for (int i = 0; i < 80; i++)\n"
           "        a[i] = p[i * 64 + threadIdx.x];\n"
           "    __syncthreads();\n"
           "#pragma unroll\n"
           "    for (int i = 0; i < 80; i++)\n"
           "        p[i * 64 + threadIdx.x] = a[79 - i] * a[i];\n"
           "}\n"
           "void launch(float *p) { fill<<<1, 64>>>(p); }\n";
}

/* Builds a text as the student's source. */
static inline enum error build_text(struct site *site, const char *text)
{
    struct toolchain_job *job;
    char name[32];

    if (text != NULL) {
        write_file(site, site->source_folder, "exercise.cu", text);
    }
    snprintf(name, sizeof name, "build-%d", site->builds++);
    const struct build_request request = {
        .rubric = &site->rubric,
        .source_folder = site->source_folder,
        .work_folder = make(site, name),
    };
    enum error error = toolchain_start(&site->toolchain, &request, &job, &site->diagnostic);
    if (error == ERROR_NONE) {
        error = toolchain_finish(job, site->arena, &site->built, &site->diagnostic);
    }
    if (error == ERROR_ENVIRONMENT) {
        print_error("%s\n", site->diagnostic.message);
    }
    return error;
}

static inline const struct tool_message *first_message(const struct site *site)
{
    assert_true(site->built.build.message_count > 0);
    return &site->built.build.messages[0];
}

#endif
