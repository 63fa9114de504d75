/* spelling_fixes.c: a semicolon that is missing, and a name that nothing declares. */
#include "diagnosis/fixes/fix_maker.h"

#include "base/near_word.h"

#include <string.h>

/* A ; at the end of the line before the one where the compiler misses it, or of its own. */
static void add_semicolon(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    size_t line = source_line_start(&file->tokens, file->tokens.tokens[maker->at].line);
    size_t next = maker->at;

    while (next < file->tokens.count &&
           file->tokens.tokens[next].line == file->tokens.tokens[maker->at].line) {
        next++;
    }
    const size_t ends[] = {line, next};
    for (size_t i = 0; i < 2; i++) {
        struct fix_draft draft = {.maker = maker};
        size_t last = ends[i] - 1;
        if (ends[i] > 0 && !fix_sign_is(file, last, ";") && !fix_sign_is(file, last, "{") &&
            !fix_sign_is(file, last, "}")) {
            fix_replace(&draft, file, last, last + 1,
                        arena_printf(maker->arena, "%s;", fix_text(maker, file, last, last + 1)));
            fix_draft_offer(&draft);
        }
    }
}

/* Names of CUDA that students write most. */
static const char *const known_names[] = {"__syncthreads",
                                          "__syncwarp",
                                          "__shfl_down_sync",
                                          "__shared__",
                                          "threadIdx",
                                          "blockIdx",
                                          "blockDim",
                                          "gridDim",
                                          "atomicAdd",
                                          "cudaMalloc",
                                          "cudaMemcpy",
                                          "cudaMemset",
                                          "cudaFree",
                                          "cudaSuccess",
                                          "cudaDeviceSynchronize",
                                          "cudaMemcpyHostToDevice",
                                          "sqrtf",
                                          "rsqrtf",
                                          "fmaxf",
                                          "fminf",
                                          "printf",
                                          "cudaGetLastError",
                                          "cudaMemcpyDeviceToHost"};

/* The name at the place becomes the one of the file, or of CUDA, that is most like it. */
static void correct_name(struct fix_maker *maker)
{
    const struct program_file *file = maker->file;
    struct fix_draft draft = {.maker = maker};
    size_t at = maker->at;

    if (!fix_is_name(file, at)) {
        return;
    }
    struct near_word near = near_word_start(fix_text(maker, file, at, at + 1));
    for (size_t i = 0; i < sizeof known_names / sizeof known_names[0]; i++) {
        near_word_offer(&near, known_names[i]);
    }
    for (size_t i = 0; i < file->functions.count; i++) {
        const struct source_function *function = &file->functions.items[i];
        size_t end = function == maker->function ? at : function->name + 1;
        size_t first = function == maker->function ? function->start : function->name;
        enum { NAMES_MAX = 400 };
        end = end - first > NAMES_MAX ? first + NAMES_MAX : end;
        for (size_t j = first; j < end; j++) {
            if (fix_is_name(file, j) && !fix_same_token(file, j, at)) {
                near_word_offer(&near, fix_text(maker, file, j, j + 1));
            }
        }
    }
    if (near.best != NULL) {
        fix_replace(&draft, file, at, at + 1, near.best);
        fix_draft_offer(&draft);
    }
}

void fix_spelling(struct fix_maker *maker)
{
    if (maker->file != NULL && fix_file(maker, maker->request->diagnostic->file) == maker->file) {
        correct_name(maker);
        add_semicolon(maker);
    }
}
