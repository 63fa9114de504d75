/* test_ptx_nvcc.c: a program that nvcc builds here, read back from the executable: every kernel of
 * ordinary CUDA code parses, and no instruction of it is unknown. Skipped where there is no nvcc.
 */
#include "ptx/fat_binary.h"
#include "ptx/ptx.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define SOURCE GPUGRADE_SOURCE_DIR "/tests/unit/ptx/data/ordinary.cu"

enum { EXECUTABLE_BYTES_MAX = 64 << 20 };

static const char *find_nvcc(struct arena *arena)
{
    const char *home = getenv("CUDA_HOME");
    const char *nvcc = arena_printf(arena, "%s/bin/nvcc", home != NULL ? home : "/usr/local/cuda");

    return file_exists(nvcc) ? nvcc : NULL;
}

/* Builds the program and gives the status of nvcc; `compression` is one of its flags. */
static int build(const char *nvcc, const char *compression, const char *program)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const char *const arguments[] = {nvcc,
                                     "-cudart",
                                     "shared",
                                     "-lineinfo",
                                     compression,
                                     "-gencode",
                                     "arch=compute_75,code=compute_75",
                                     "-w",
                                     "-o",
                                     program,
                                     SOURCE,
                                     NULL};
    const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    struct process_spec spec = {.path = nvcc,
                                .arguments = arguments,
                                .environment = environment,
                                .descriptors = {nothing, 2, 2},
                                .descriptor_count = 3};
    struct process process;
    struct diagnostic diagnostic = {0};
    int status = -1;

    if (process_start(&spec, &process, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    assert_true(process_wait(&process, clock_now_ns() + 120 * CLOCK_NS_PER_S, &status));
    close(nothing);
    return status;
}

static void check_module(struct arena *arena, const struct fat_module *fat)
{
    static const char *const kernels[] = {"_Z7dynamicPfi", "_Z7controlPfPdPi4pairPFffEi",
                                          "_Z8togetherPfPiPjPy", "_Z7numericPfP6__halfP7__half2",
                                          "_Z5tiledIfEvPKT_S2_PS0_ii"};
    const struct ptx_module *module;
    struct diagnostic diagnostic = {0};

    assert_int_equal(fat->arch, 75);
    if (ptx_parse(arena, fat->text, fat->length, &module, &diagnostic) != ERROR_NONE) {
        fail_msg("line %d: %s", diagnostic.line, diagnostic.message);
    }
    assert_int_equal(module->target, 75);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct ptx_function *kernel = ptx_find_function(module, kernels[i]);

        assert_non_null(kernel);
        assert_true(kernel->is_entry);
        assert_true(kernel->location > 0);
        const struct ptx_location *place = &module->locations[kernel->location];
        assert_non_null(strstr(module->files[place->file], "ordinary.cu"));
    }
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = &module->functions[i];

        for (size_t k = 0; k < function->instruction_count; k++) {
            if (function->instructions[k].opcode == PTX_OP_UNKNOWN) {
                fail_msg("unknown: %s", function->instructions[k].text);
            }
        }
    }
}

static void check_program(const char *compression)
{
    struct arena *arena = arena_new();
    const char *nvcc = find_nvcc(arena);
    struct fat_program program;
    struct diagnostic diagnostic = {0};
    char *folder;
    char *bytes;
    size_t length;

    if (nvcc == NULL) {
        arena_free(arena);
        skip();
    }
    assert_int_equal(folder_make_temporary(arena, &folder, &diagnostic), ERROR_NONE);
    const char *path = arena_printf(arena, "%s/program", folder);
    build(nvcc, compression, path);
    assert_int_equal(
        file_read(arena, path, EXECUTABLE_BYTES_MAX, BLAME_STUDENT, &bytes, &length, &diagnostic),
        ERROR_NONE);
    folder_remove(folder);
    if (fat_program_read(arena, bytes, length, &program, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    assert_int_equal(program.module_count, 1);
    assert_false(program.has_relocatable);
    check_module(arena, &program.modules[0]);
    arena_free(arena);
}

static void test_without_compression(void **state)
{
    (void)state;
    check_program("-no-compress");
}

static void test_with_default_compression(void **state)
{
    (void)state;
    check_program("--compress-mode=default");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_compression),
        cmocka_unit_test(test_with_default_compression),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
