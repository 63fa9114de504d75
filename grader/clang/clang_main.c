/* clang_main.c: gpugrade-clang, a compiler of CUDA C++ that takes nvcc's options and needs nothing
 * of NVIDIA's.
 *
 *   gpugrade-clang -clang=CLANG++ -headers=FOLDER [-precompiled=FOLDER] [-runtime=LIBCUDART]
 *                  [nvcc's options] [-c|-fsyntax-only] SOURCE... -o OUTPUT
 *   gpugrade-clang -clang=CLANG++ -headers=FOLDER -precompiled=FOLDER [options] -precompile
 *
 * NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS hold more options, as for nvcc; a sandbox has neither.
 * Its status is that of the pass that failed, 2 for arguments that it does not take.
 */
#include "base/file.h"
#include "base/text.h"
#include "clang/clang_passes.h"
#include "clang/nvcc_spellings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_USAGE = 2, STATUS_FAILED = 1 };

/* An input that a pass makes an object of. */
static bool is_source(const char *input)
{
    return !text_ends_with(input, ".o") && !text_ends_with(input, ".a") &&
           !text_ends_with(input, ".so");
}

static enum error compile_all(struct arena *arena, struct compile_plan *plan, const char *folder,
                              int *out_status, struct diagnostic *diagnostic)
{
    struct arguments objects = {.count = 0};
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < plan->inputs.count && error == ERROR_NONE && *out_status == 0; i++) {
        const char *input = plan->inputs.items[i];
        const char *scratch = arena_printf(arena, "%s/%zu", folder, i);
        const char *object =
            plan->compiles_only ? plan->output : arena_printf(arena, "%s/object.o", scratch);
        struct compile_plan own = *plan;
        if (!is_source(input)) {
            arguments_add(arena, &objects, input);
            continue;
        }
        arguments_add(arena, &objects, object);
        error = folder_make(scratch, 0700, diagnostic);
        if (error == ERROR_NONE) {
            error = nvcc_spellings_show(arena, &own, input, scratch, diagnostic);
        }
        if (error == ERROR_NONE && plan->only_reads) {
            error = clang_read(arena, &own, input, out_status, diagnostic);
        } else if (error == ERROR_NONE && plan->makes_ptx) {
            error = clang_make_ptx(arena, &own, input, object, scratch, out_status, diagnostic);
        } else if (error == ERROR_NONE) {
            error = clang_compile(arena, &own, input, object, scratch, out_status, diagnostic);
        }
    }
    if (error == ERROR_NONE && *out_status == 0 && !plan->compiles_only && !plan->only_reads) {
        error = clang_link(arena, plan, &objects, out_status, diagnostic);
    }
    return error;
}

static enum error execute(struct arena *arena, struct compile_plan *plan, int *out_status,
                          struct diagnostic *diagnostic)
{
    char *folder = NULL;

    enum error error = folder_make_temporary(arena, &folder, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = clang_show_headers(arena, plan, folder, diagnostic);
    if (error == ERROR_NONE) {
        error = plan->precompiles ? clang_precompile(arena, plan, out_status, diagnostic)
                                  : compile_all(arena, plan, folder, out_status, diagnostic);
    }
    folder_remove(folder);
    return error;
}

/* Adds the words of a variable of the environment, which nvcc takes for options, too. */
static void add_words(struct arena *arena, struct arguments *arguments, const char *variable)
{
    static const char blanks[] = " \t\n";
    const char *words = getenv(variable);

    while (words != NULL && *(words += strspn(words, blanks)) != '\0') {
        size_t length = strcspn(words, blanks);
        arguments_add(arena, arguments, arena_strndup(arena, words, length));
        words += length;
    }
}

int main(int count, char **given)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct arguments arguments = {.count = 0};
    struct compile_plan plan;
    int status = 0;

    add_words(arena, &arguments, "NVCC_PREPEND_FLAGS");
    for (int i = 1; i < count; i++) {
        arguments_add(arena, &arguments, given[i]);
    }
    add_words(arena, &arguments, "NVCC_APPEND_FLAGS");
    enum error error = nvcc_options_read(arena, (int)arguments.count, (char **)arguments.items,
                                         &plan, &diagnostic);
    bool is_refused = error != ERROR_NONE;

    if (error == ERROR_NONE && !plan.precompiles && arguments.count > (size_t)(count - 1)) {
        plan.precompiled = NULL; /* the headers were precompiled without these options */
    }
    if (error == ERROR_NONE) {
        error = execute(arena, &plan, &status, &diagnostic);
    }
    if (error != ERROR_NONE) {
        fprintf(stderr, "gpugrade-clang: fatal error: %s\n", diagnostic.message);
        status = is_refused ? STATUS_USAGE : STATUS_FAILED;
    }
    arena_free(arena);
    return status;
}
