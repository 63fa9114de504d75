/* compiler_identity.c: see compiler_identity.h. */
#include "toolchain/compiler_identity.h"

#include <fts.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

const char *compiler_identity(struct arena *arena, const char *path)
{
    struct stat status = {.st_size = 0};

    /* Behind a path there may be a link that changes; stat follows it. */
    if (stat(path, &status) != 0) {
        return path;
    }
    return arena_printf(arena, "%s %lld %lld.%09ld", path, (long long)status.st_size,
                        (long long)status.st_mtim.tv_sec, (long)status.st_mtim.tv_nsec);
}

static int compare_entries(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

size_t compiler_headers(const char *folder, struct arena *arena, const char ***out_names)
{
    char *const roots[] = {arena_strdup(arena, folder), NULL};
    const char **names = NULL;
    size_t count = 0;
    size_t capacity = 0;
    FTSENT *entry;
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);

    while (tree != NULL && (entry = fts_read(tree)) != NULL) {
        if (entry->fts_info == FTS_F) {
            arena_grow(arena, &names, &capacity, count + 1, sizeof *names);
            names[count++] = arena_strdup(arena, entry->fts_path + strlen(folder) + 1);
        }
    }
    if (tree != NULL) {
        fts_close(tree);
    }
    *out_names = names;
    return count;
}

void compiler_identities(const struct toolchain *toolchain, struct arena *arena, struct text *text)
{
    static const char *const toolkit_files[] = {"bin/ptxas", "include/cuda_runtime.h"};
    const struct compiler *compiler = &toolchain->compiler;
    const char **names = (const char **)(uintptr_t)toolkit_files;
    size_t count = sizeof toolkit_files / sizeof toolkit_files[0];

    text_printf(text, "%s\n%s\n", compiler->name, compiler_identity(arena, compiler->program));
    if (compiler->kind == COMPILER_CLANG) {
        text_printf(text, "%s\n", compiler_identity(arena, compiler->clang));
        count = compiler_headers(compiler->folder, arena, &names);
    }
    for (size_t i = 0; i < count; i++) {
        const char *path = arena_printf(arena, "%s/%s", compiler->folder, names[i]);
        text_printf(text, "%s\n", compiler_identity(arena, path));
    }
}
