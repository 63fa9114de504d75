/* harness_headers.c: see harness_headers.h. */
#include "model/harness_headers.h"

#include "base/arena.h"
#include "base/file.h"

#include <string.h>

const struct harness_header harness_headers[HARNESS_HEADERS] = {
    {"wb.h", wb_text},
    {"harness.cuh", harness_text},
    {"gpugrade.h", gpugrade_text},
};

bool harness_header_is_in(const struct harness_header *header, const char *text)
{
    const size_t length = strlen(header->name);
    const char *found = text;

    while ((found = strstr(found, header->name)) != NULL) {
        bool is_quoted = found > text && found[-1] == '"' && found[length] == '"';
        bool is_bracketed = found > text && found[-1] == '<' && found[length] == '>';
        if (is_quoted || is_bracketed) {
            return true;
        }
        found += length;
    }
    return false;
}

enum error harness_headers_write(const char *folder, struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < HARNESS_HEADERS && error == ERROR_NONE; i++) {
        const struct harness_header *header = &harness_headers[i];
        error = file_write_mode(arena_printf(arena, "%s/%s", folder, header->name), 0644,
                                header->text, strlen(header->text), diagnostic);
    }
    arena_free(arena);
    return error;
}
