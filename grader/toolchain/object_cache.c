/* object_cache.c: see object_cache.h. */
#include "toolchain/object_cache.h"

#include "base/file.h"
#include "model/harness_headers.h"
#include "toolchain/compiler_identity.h"
#include "toolchain/compiler_run.h"

#include <stdio.h>
#include <stdlib.h>

#define OBJECT_BYTES_MAX ((size_t)64 << 20)
#define SOURCE_BYTES_MAX ((size_t)16 << 20)

enum error object_cache_add_file(struct text *text, struct arena *arena, const char *folder,
                                 const char *name, enum blame blame, struct diagnostic *diagnostic)
{
    char *bytes;
    size_t length;
    char hash[65];
    const char *path = arena_printf(arena, "%s/%s", folder, name);

    enum error error = file_read(arena, path, SOURCE_BYTES_MAX, blame, &bytes, &length, diagnostic);
    if (error != ERROR_NONE) {
        return blame == BLAME_RUBRIC ? ERROR_COURSEWORK : ERROR_ENVIRONMENT;
    }
    /* The hash, so that the contents cannot be confused with what stands around. */
    hash_bytes(bytes, length, hash);
    text_printf(text, "%s %s\n", name, hash);
    return ERROR_NONE;
}

enum error object_cache_key(const struct toolchain *toolchain, const struct rubric *rubric,
                            const struct rubric_program *program, const char *name,
                            const char *const *command, char out_key[65],
                            struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct text text;
    enum error error = ERROR_NONE;

    text_init(&text);
    text_printf(&text, "%s\n%s\n", name,
                compiler_identity(arena, compiler_linker(&toolchain->compiler)));
    compiler_identities(toolchain, arena, &text);
    for (size_t i = 0; command[i] != NULL; i++) {
        text_printf(&text, "%s\n", command[i]);
    }
    for (size_t i = 0; i < program->harness_count && error == ERROR_NONE; i++) {
        error = object_cache_add_file(&text, arena, rubric->reference_folder, program->harness[i],
                                      BLAME_RUBRIC, diagnostic);
    }
    for (size_t i = 0; i < program->given_count && error == ERROR_NONE; i++) {
        error = object_cache_add_file(&text, arena, rubric->template_folder, program->given[i],
                                      BLAME_RUBRIC, diagnostic);
    }
    for (size_t i = 0; i < HARNESS_HEADERS; i++) {
        text_append(&text, harness_headers[i].text);
    }
    if (error == ERROR_NONE) {
        hash_bytes(text.bytes, text.length, out_key);
    }
    text_release(&text);
    arena_free(arena);
    return error;
}

static bool object_path(const struct toolchain *toolchain, const char *key, char *out_path,
                        size_t capacity)
{
    int length = snprintf(out_path, capacity, "%s/object-%s.o", toolchain->cache_folder, key);

    return length > 0 && (size_t)length < capacity;
}

bool object_cache_take(const struct toolchain *toolchain, const char *key, const char *path)
{
    char kept[4200];

    return object_path(toolchain, key, kept, sizeof kept) &&
           file_copy(kept, path, 0644, OBJECT_BYTES_MAX, NULL) == ERROR_NONE;
}

void object_cache_keep(const struct toolchain *toolchain, const char *key, const char *path)
{
    char kept[4200];
    struct arena *arena = arena_new();
    char *bytes;
    size_t length;

    if (object_path(toolchain, key, kept, sizeof kept) &&
        file_read(arena, path, OBJECT_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length, NULL) ==
            ERROR_NONE) {
        file_write_mode(kept, 0644, bytes, length, NULL);
    }
    arena_free(arena);
}
