/* build_hint.c: see build_hint.h. */
#include "diagnosis/hints/build_hint.h"

#include "base/text.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/program_source.h"
#include "diagnosis/hints/missing_symbol.h"

#include <string.h>

/* A compiler that ran into a limit told nothing that helps: only which limit it was does. */
static const char *limit_hint(enum ending ending)
{
    static const struct {
        enum ending ending;
        const char *hint;
    } rows[] = {
        {ENDING_WALL_LIMIT, "look for templates or constexpr functions that recurse forever, and "
                            "for #pragma unroll on a long loop"},
        {ENDING_CPU_LIMIT, "look for templates or constexpr functions that recurse forever, and "
                           "for #pragma unroll on a long loop"},
        {ENDING_MEMORY_LIMIT,
         "look for large arrays with initial values, and for templates that recurse forever"},
        {ENDING_FILE_LIMIT,
         "look for large arrays with initial values: they are stored in the program"},
        {ENDING_OUTPUT_LIMIT, "compile it yourself and fix the first error first"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].ending == ending) {
            return rows[i].hint;
        }
    }
    return "compile it yourself with nvcc; if that works, tell your instructor";
}

static const char no_first_value[] =
    "shared memory has no first value: let the threads of the block write it, then call "
    "__syncthreads()";

static const char fixed_size[] =
    "an array in a kernel needs a size that is known when it is compiled: make it as large as it "
    "ever has to be, or use `extern __shared__ T name[]` and pass the bytes as the third value in "
    "<<< >>>";

static const char only_host[] =
    "a kernel calls only functions that are made for the GPU: write __device__ before the type of "
    "that function";

static const char no_launch_here[] =
    "a kernel cannot launch a kernel here: let the host launch one after the other, or make it a "
    "__device__ function that the kernel calls";

static const char texture_reference[] =
    "CUDA 12 has no texture references: make a texture object with cudaCreateTextureObject(), and "
    "pass it to the kernel as a cudaTextureObject_t";

static const char of_the_toolkit[] =
    "it comes with NVIDIA's toolkit, which clang does without: write this part in plain CUDA, or "
    "use a machine that has the toolkit";

const char *build_hint(enum code code, const struct program_end *end, const char *message)
{
    static const struct {
        enum code code;
        const char *phrase;
        const char *hint;
    } rows[] = {
        {CODE_LINK_ERROR, "ultiple definition of ",
         "define it only once: give the second one another name; a definition in a header must be "
         "static or inline"},
        {CODE_LINK_ERROR, "Unresolved extern ",
         "write its body in this file: device code is not linked across files"},
        {CODE_LINK_ERROR, "relocation truncated ",
         "the program's global arrays are too large in total: make them smaller, or allocate the "
         "memory at run time"},
        {CODE_LINK_ERROR, "ndefined reference to ",
         "define it with exactly the name and the parameters that the given header declares"},
        {CODE_LINK_ERROR, "", "read the linker's message"},
        {CODE_COMPILE_ERROR, "too much shared data",
         "make the __shared__ arrays of that kernel smaller"},
        {CODE_COMPILE_ERROR, "initializer not allowed for __shared__", no_first_value},
        {CODE_COMPILE_ERROR, "initialization is not supported for __shared__", no_first_value},
        {CODE_COMPILE_ERROR, "variable-length array", fixed_size},
        {CODE_COMPILE_ERROR, "variable length array", fixed_size},
        {CODE_COMPILE_ERROR, "calling a __host__ function", only_host},
        {CODE_COMPILE_ERROR, "reference to __host__ function", only_host},
        {CODE_COMPILE_ERROR, "kernel launch from __device__", no_launch_here},
        {CODE_COMPILE_ERROR, "reference to __global__ function", no_launch_here},
        {CODE_COMPILE_ERROR, "texture is not a template", texture_reference},
        {CODE_COMPILE_ERROR, "no template named 'texture'", texture_reference},
        {CODE_COMPILE_ERROR, "constant data", "make the __constant__ arrays smaller"},
        {CODE_COMPILE_ERROR, "'thrust/", of_the_toolkit},
        {CODE_COMPILE_ERROR, "'cub/", of_the_toolkit},
        {CODE_COMPILE_ERROR, "'cublas", of_the_toolkit},
        {CODE_COMPILE_ERROR, "'cufft", of_the_toolkit},
        {CODE_COMPILE_ERROR, "'cusparse", of_the_toolkit},
        {CODE_COMPILE_ERROR, "No such file or directory",
         "check the file name in #include, and hand in that file too"},
        {CODE_COMPILE_ERROR, "' file not found",
         "check the file name in #include, and hand in that file too"},
        {CODE_COMPILE_ERROR, "Symbol name with unsupported characters",
         "use only plain letters, digits and _ in the names of kernels and device functions"},
        {CODE_COMPILE_ERROR, "function definition is not allowed here",
         "close the function above with a } first: count its braces"},
        {CODE_COMPILE_ERROR, "expected '}'", "a } is missing: count the braces"},
        {CODE_COMPILE_ERROR, "expected a \"}\"", "a } is missing: count the braces"},
        {CODE_COMPILE_ERROR, "call to global function '",
         "launch a kernel with its grid and block: name<<<grid, block>>>(arguments)"},
        {CODE_COMPILE_ERROR, "__global__ function call must be configured",
         "launch a kernel with its grid and block: name<<<grid, block>>>(arguments)"},
        {CODE_COMPILE_ERROR, "#include nested depth",
         "a file includes itself: put #pragma once at the start of each header"},
        {CODE_COMPILE_ERROR, "#include nested too deeply",
         "a file includes itself: put #pragma once at the start of each header"},
        {CODE_COMPILE_ERROR, "recursive template instantiation exceeded",
         "the template recurses forever: write the case that ends the recursion"},
        {CODE_COMPILE_ERROR, "excessive recursion at instantiation",
         "the template recurses forever: write the case that ends the recursion"},
        {CODE_COMPILE_ERROR, "", "fix the first error first: later ones often follow from it"},
        {CODE_DEVICE_CRASHED, "",
         "this is a bug in gpugrade: write it in a simpler way, and tell your instructor"},
        {CODE_UNKNOWN_INSTRUCTION, "",
         "write it in plain CUDA; if the exercise asks for exactly this, tell your instructor"},
    };

    if (code == CODE_COMPILE_LIMIT) {
        return limit_hint(end->ending);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == code && strstr(message, rows[i].phrase) != NULL) {
            return rows[i].hint;
        }
    }
    return "";
}

/* The hint where a name is unknown in a file that includes neither a header of the exercise nor one
 * of its own, which may include it; "" otherwise. */
static const char *missing_header_hint(const struct criteria_input *input, struct arena *arena,
                                       const struct cause *cause)
{
    static const char *const unknown[] = {"incomplete type", "undeclared", "unknown type",
                                          "is undefined", "not been declared"};
    const struct rubric_program *program = &input->rubric->programs[cause->subject.program];
    bool is_unknown = false;
    struct program_source source;

    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        is_unknown = is_unknown || strstr(cause->message, unknown[i]) != NULL;
    }
    if (!is_unknown || program->given_count != 1 || cause->subject.message == NULL) {
        return "";
    }
    program_source_read(input, arena, cause->subject.program, &source);
    for (size_t i = 0; i < source.count; i++) {
        const struct source_tokens *tokens = &source.files[i].tokens;
        if (strcmp(tokens->file->name, text_or_empty(cause->subject.message->file)) == 0 &&
            tokens->include_count == 0) {
            return arena_printf(arena, "write `#include \"%s\"` at the top of the file",
                                program->given[0]);
        }
    }
    return "";
}

const char *build_next_step(const struct criteria_input *input, struct arena *arena,
                            const struct cause *cause)
{
    const struct subject *subject = &cause->subject;
    const struct program_build *build = &input->evidence->builds[subject->program];

    if (cause->code == CODE_LINK_ERROR && subject->message != NULL) {
        const char *missing = missing_symbol_hint(input, arena, subject->program, subject->message);
        if (missing[0] != '\0') { /* the values of macros do not matter to it */
            return missing;
        }
    }
    const char *hint =
        cause->code == CODE_COMPILE_ERROR ? missing_header_hint(input, arena, cause) : "";
    hint = hint[0] != '\0' ? hint : build_hint(cause->code, &build->end, cause->message);
    const char *values = built_macro_values(input, arena, subject->program);
    return values[0] == '\0' ? hint
                             : arena_printf(arena, "%s%sit was built with %s", hint,
                                            hint[0] != '\0' ? "; " : "", values);
}
