/* build_hint.c: see build_hint.h. */
#include "diagnosis/hints/build_hint.h"

#include "criteria/preconditions/whole_program.h"
#include "diagnosis/hints/missing_symbol.h"

#include <string.h>

/* A compiler that ran into a limit told nothing that helps: only which limit it was does. */
static const char *limit_hint(enum ending ending)
{
    static const struct {
        enum ending ending;
        const char *hint;
    } rows[] = {
        {ENDING_WALL_LIMIT,
         "look for templates or constexpr functions that call themselves without "
         "end, and for #pragma unroll at a long loop"},
        {ENDING_CPU_LIMIT, "look for templates or constexpr functions that call themselves without "
                           "end, and for #pragma unroll at a long loop"},
        {ENDING_MEMORY_LIMIT, "look for large arrays with initial values, and for templates that "
                              "call themselves without end"},
        {ENDING_FILE_LIMIT, "look for large arrays with initial values: they become part of the "
                            "program"},
        {ENDING_OUTPUT_LIMIT, "compile it by hand and fix the first message first"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].ending == ending) {
            return rows[i].hint;
        }
    }
    return "compile it by hand; if it compiles there, tell your instructor";
}

const char *build_hint(enum code code, const struct program_end *end, const char *message)
{
    static const struct {
        enum code code;
        const char *phrase;
        const char *hint;
    } rows[] = {
        {CODE_LINK_ERROR, "ultiple definition of ",
         "define it once: a second one needs another name, and what stands in a header must be "
         "static or inline"},
        {CODE_LINK_ERROR, "Unresolved extern ",
         "write its body in this file: device code is not linked with that of other files"},
        {CODE_LINK_ERROR, "relocation truncated ",
         "the global arrays of the program are too large together: make them smaller, or ask for "
         "the memory at run time"},
        {CODE_LINK_ERROR, "ndefined reference to ",
         "define it with exactly the name and the parameters that the given header has"},
        {CODE_LINK_ERROR, "", "read what the linker says"},
        {CODE_COMPILE_ERROR, "too much shared data",
         "make the __shared__ arrays of that kernel smaller"},
        {CODE_COMPILE_ERROR, "constant data", "make the __constant__ arrays smaller"},
        {CODE_COMPILE_ERROR, "No such file or directory",
         "check the name in #include, and hand in that file too"},
        {CODE_COMPILE_ERROR, "#include nested depth",
         "a file includes itself: put #pragma once at the start of each header"},
        {CODE_COMPILE_ERROR, "excessive recursion at instantiation",
         "the template calls itself without end: write the case that ends it"},
        {CODE_COMPILE_ERROR, "", "fix the first message first: later ones often follow from it"},
        {CODE_DEVICE_CRASHED, "",
         "write it in a plainer way, and tell your instructor: this is a mistake of gpugrade"},
        {CODE_UNKNOWN_INSTRUCTION, "",
         "write it in plain CUDA; if the exercise asks for just this, tell your instructor"},
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
    const char *hint = build_hint(cause->code, &build->end, cause->message);
    const char *values = built_macro_values(input, arena, subject->program);
    return values[0] == '\0' ? hint
                             : arena_printf(arena, "%s%sit was built with %s", hint,
                                            hint[0] != '\0' ? "; " : "", values);
}
