/* ir_rewrite.c: see ir_rewrite.h.
 *
 *   @NAME = internal addrspace(3) global TYPE undef, align N
 *   define internal noundef i32 @NAME(ptr noundef %0) {
 *     %1 = call noundef float @NAME(float noundef %0)
 *
 * A global variable has one line, which starts with @, and so have the head of a function and an
 * instruction. The bytes of a string are in lines of the first kind.
 */
#include "clang/ir_rewrite.h"

#include "base/file.h"

#include <string.h>

#define IR_BYTES_MAX ((size_t)256 << 20)

/* One line of the module, with its newline. */
struct line {
    const char *text; /* [length] */
    size_t length;
};

static bool starts_with(const struct line *line, const char *start)
{
    size_t length = strlen(start);

    return line->length >= length && memcmp(line->text, start, length) == 0;
}

/* Finds a word from `from` on; the line's length if there is none. */
static size_t find(const struct line *line, size_t from, const char *word)
{
    const char *found = memmem(line->text + from, line->length - from, word, strlen(word));

    return found == NULL ? line->length : (size_t)(found - line->text);
}

/* The word that a line is to lose wherever it stands; NULL: none. */
static const char *word_to_drop(const struct line *line)
{
    if (starts_with(line, "@")) {
        size_t linkage = find(line, 0, " = internal ");
        bool is_shared = find(line, linkage, "addrspace(3) global ") < line->length;
        return is_shared ? " internal" : NULL;
    }
    return starts_with(line, "define ") || starts_with(line, "declare ") || starts_with(line, "  ")
               ? " noundef"
               : NULL;
}

/* Copies a line without a word to `to`, which may be where it lies. Returns the copy's length. */
static size_t copy_without(const struct line *line, const char *word, char *to)
{
    size_t copied = 0;

    for (size_t at = 0; at < line->length;) {
        size_t found = word == NULL ? line->length : find(line, at, word);
        memmove(to + copied, line->text + at, found - at);
        copied += found - at;
        at = found < line->length ? found + strlen(word) : found;
    }
    return copied;
}

void ir_rewrite(char *text, size_t *length)
{
    size_t kept = 0;

    for (size_t at = 0; at < *length;) {
        const char *newline = memchr(text + at, '\n', *length - at);
        size_t end = newline == NULL ? *length : (size_t)(newline + 1 - text);
        struct line line = {text + at, end - at};
        kept += copy_without(&line, word_to_drop(&line), text + kept);
        at = end;
    }
    *length = kept;
}

enum error ir_rewrite_file(struct arena *arena, const char *from, const char *to,
                           struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    enum error error =
        file_read(arena, from, IR_BYTES_MAX, BLAME_ENVIRONMENT, &text, &length, diagnostic);

    if (error == ERROR_NONE) {
        ir_rewrite(text, &length);
        error = file_write_mode(to, 0600, text, length, diagnostic);
    }
    return error;
}
