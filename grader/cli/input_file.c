/* input_file.c: see input_file.h. */
#include "cli/input_file.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 16 };

const char *input_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static enum error read_standard_input(size_t limit_bytes, struct text *out,
                                      struct diagnostic *diagnostic)
{
    char block[BLOCK_BYTES];

    while (out->length <= limit_bytes) {
        ssize_t got = read(STDIN_FILENO, block, sizeof block);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            diagnostic_set(diagnostic, BLAME_USAGE, "standard input cannot be read: %s",
                           strerror(errno));
            return ERROR_IO;
        }
        if (got == 0) {
            return ERROR_NONE;
        }
        text_append_bytes(out, block, (size_t)got);
    }
    diagnostic_set(diagnostic, BLAME_USAGE, "standard input has more than %zu bytes", limit_bytes);
    return ERROR_LIMIT;
}

enum error input_file_read(struct arena *arena, const char *path, size_t limit_bytes,
                           char **out_bytes, size_t *out_length, struct diagnostic *diagnostic)
{
    struct text text;

    if (strcmp(path, "-") != 0) {
        return file_read(arena, path, limit_bytes, BLAME_USAGE, out_bytes, out_length, diagnostic);
    }
    text_init(&text);
    enum error error = read_standard_input(limit_bytes, &text, diagnostic);
    if (error == ERROR_NONE) {
        *out_bytes = arena_strndup(arena, text.bytes, text.length);
        *out_length = text.length;
    }
    text_release(&text);
    return error;
}
