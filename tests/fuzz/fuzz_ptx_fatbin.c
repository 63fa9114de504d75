/* fuzz_ptx_fatbin.c: any bytes as an executable and as a section .nv_fatbin. */
#include "ptx/fat_binary.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check(const struct fat_program *program)
{
    for (size_t i = 0; i < program->module_count; i++) {
        const struct fat_module *module = &program->modules[i];

        if (module->text[module->length] != '\0' || module->offset >= program->section_bytes) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct arena *arena = arena_new();
    struct fat_program program;
    struct diagnostic diagnostic;
    uint8_t *copy = malloc(length > 0 ? length : 1);

    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, length);
    if (fat_program_read(arena, copy, length, &program, &diagnostic) == ERROR_NONE) {
        check(&program);
    }
    if (fat_section_read(arena, copy, length, &program, &diagnostic) == ERROR_NONE) {
        check(&program);
    }
    free(copy);
    arena_free(arena);
    return 0;
}
