/* shared_linkage.c: see shared_linkage.h.
 *
 *   @NAME = internal addrspace(3) global TYPE undef, align N
 *
 * A global variable has one line, which starts with @.
 */
#include "clang/shared_linkage.h"

#include "base/file.h"

#include <string.h>

#define IR_BYTES_MAX ((size_t)256 << 20)

/* The length of "internal " in a line [length] that defines a shared variable; 0 for other lines.
 * *out_start is where it starts. */
static size_t find_linkage(const char *line, size_t length, size_t *out_start)
{
    static const char linkage[] = " = internal ";
    static const char space[] = "addrspace(3) global ";
    const char *found =
        length > 0 && line[0] == '@' ? memmem(line, length, linkage, sizeof linkage - 1) : NULL;

    if (found == NULL ||
        memmem(found, (size_t)(line + length - found), space, sizeof space - 1) == NULL) {
        return 0;
    }
    *out_start = (size_t)(found - line) + strlen(" = ");
    return strlen("internal ");
}

void shared_linkage_rewrite(char *text, size_t *length)
{
    size_t kept = 0;

    for (size_t at = 0; at < *length;) {
        const char *newline = memchr(text + at, '\n', *length - at);
        size_t end = newline == NULL ? *length : (size_t)(newline + 1 - text);
        size_t start = 0;
        size_t dropped = find_linkage(text + at, end - at, &start);
        memmove(text + kept, text + at, start);
        memmove(text + kept + start, text + at + start + dropped, end - at - start - dropped);
        kept += end - at - dropped;
        at = end;
    }
    *length = kept;
}

enum error shared_linkage_externalize(struct arena *arena, const char *from, const char *to,
                                      struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    enum error error =
        file_read(arena, from, IR_BYTES_MAX, BLAME_ENVIRONMENT, &text, &length, diagnostic);

    if (error == ERROR_NONE) {
        shared_linkage_rewrite(text, &length);
        error = file_write_atomic(to, text, length, diagnostic);
    }
    return error;
}
