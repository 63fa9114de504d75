/* test_build_hint.c: the next step fits what the tools said. */
#include "diagnosis/hints/build_hint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void hints_fit_their_messages(void **state)
{
    static const struct {
        enum code code;
        enum ending ending;
        const char *message, *words;
    } rows[] = {
        {CODE_LINK_ERROR, ENDING_EXITED, "undefined reference to `f()'", "the parameters"},
        {CODE_LINK_ERROR, ENDING_EXITED, "multiple definition of `f()'", "define it only once"},
        {CODE_LINK_ERROR, ENDING_EXITED, "Multiple definition of 'f'", "define it only once"},
        {CODE_LINK_ERROR, ENDING_EXITED, "Unresolved extern function 'f'", "write its body"},
        {CODE_LINK_ERROR, ENDING_EXITED, "relocation truncated to fit: R", "global arrays"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "'k' uses too much shared data", "__shared__"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "texture is not a template", "cudaCreateTextureObject"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "no template named 'texture'",
         "has no texture references"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "expected a \";\"", "first error"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "'a.cuh' file not found", "the file name"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "'thrust/sort.h' file not found", "NVIDIA's toolkit"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "function definition is not allowed here", "braces"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "expected '}'", "braces"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "Symbol name with unsupported characters",
         "plain letters"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "expected a \"}\" at the end of the file", "braces"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "call to global function 'k' not configured",
         "<<<grid"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "a __global__ function call must be configured",
         "<<<grid"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "#include nested too deeply", "#pragma once"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "recursive template instantiation exceeded maximum depth of 1024", "recurses forever"},
        {CODE_COMPILE_ERROR, ENDING_EXITED, "initializer not allowed for __shared__ variable",
         "no first value"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "a variable length array cannot have static storage duration", "extern __shared__"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "cannot use variable-length arrays in __global__ functions", "extern __shared__"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "calling a __host__ function(\"f(int)\") from a __global__ function(\"k\") is not allowed",
         "write __device__"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "kernel launch from __device__ or __global__ functions requires separate compilation mode",
         "let the host launch"},
        {CODE_COMPILE_ERROR, ENDING_EXITED,
         "reference to __global__ function 'child' in __global__ function", "let the host launch"},
        {CODE_COMPILE_LIMIT, ENDING_WALL_LIMIT, "it took too long", "forever"},
        {CODE_COMPILE_LIMIT, ENDING_MEMORY_LIMIT, "out of memory", "large arrays"},
        {CODE_COMPILE_LIMIT, ENDING_SIGNALLED, "it was killed", "instructor"},
        {CODE_UNKNOWN_INSTRUCTION, ENDING_EXITED, "what is this", "in plain CUDA"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct program_end end = {.ending = rows[i].ending};
        const char *hint = build_hint(rows[i].code, &end, rows[i].message);
        assert_non_null(strstr(hint, rows[i].words));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hints_fit_their_messages)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
