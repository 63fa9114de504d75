/* test_ptx_nvcc.c: a program that nvcc builds here, read back from the executable: every kernel of
 * ordinary CUDA code parses, and no instruction of it is unknown. Skipped where there is no nvcc.
 */
#include "../nvcc_run.h"
#include "ptx/fat_binary.h"
#include "ptx/ptx.h"

#include <string.h>

#define SOURCE GPUGRADE_SOURCE_DIR "/tests/unit/ptx/data/ordinary.cu"

enum { EXECUTABLE_BYTES_MAX = 64 << 20 };

/* Builds the program; `compression` is one of the flags. */
static void build(const char *nvcc, const char *compression, const char *program)
{
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

    nvcc_run(arguments);
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
    const char *nvcc = nvcc_find(arena);
    struct fat_program program;
    struct diagnostic diagnostic = {0};
    char *folder;
    size_t length;

    if (nvcc == NULL) {
        arena_free(arena);
        skip();
    }
    assert_int_equal(folder_make_temporary(arena, &folder, &diagnostic), ERROR_NONE);
    const char *path = arena_printf(arena, "%s/program", folder);
    build(nvcc, compression, path);
    char *bytes = nvcc_output(arena, path, EXECUTABLE_BYTES_MAX, &length);
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
