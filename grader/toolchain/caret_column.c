/* caret_column.c: from the caret below a line of nvcc's front end to a column of the source.
 *
 *     source   int a = WIDTH * q; // note        nvcc shows   int a = 16 * q;
 *                                                                      ^
 * The line is shown with macros expanded, tabs as one blank and comments as blanks, and the caret
 * counts characters. So the column is taken where the text before the caret is the source's, or the
 * text from the caret to the end, or the word at the caret stands exactly once in both.
 */
#include "toolchain/message_reader.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* The source line as it would be shown without macros. */
static struct slice without_comments(struct arena *arena, struct slice source)
{
    char *copy = arena_strndup(arena, source.bytes, source.length);
    size_t length = source.length;
    char quote = '\0';

    for (size_t i = 0; i < length; i++) {
        char next = i + 1 < length ? copy[i + 1] : '\0';
        if (copy[i] == '\t') {
            copy[i] = ' ';
        } else if (quote != '\0') {
            quote = copy[i] == quote ? '\0' : quote;
            i += copy[i] == '\\' ? 1 : 0;
        } else if (copy[i] == '"' || copy[i] == '\'') {
            quote = copy[i];
        } else if (copy[i] == '/' && next == '/') {
            length = i;
        } else if (copy[i] == '/' && next == '*') {
            const char *end = memmem(copy + i + 2, length - i - 2, "*/", 2);
            size_t behind = end == NULL ? length : (size_t)(end - copy) + 2;
            memset(copy + i, ' ', behind - i);
            i = behind - 1;
        } else if (copy[i] == '*' && next == '/') { /* of a comment that began above */
            memset(copy, ' ', i + 2);
            i++;
        }
    }
    while (length > 0 && isspace((unsigned char)copy[length - 1])) {
        length--;
    }
    return (struct slice){copy, length};
}

/* The byte at which a character starts; SIZE_MAX behind the end. */
static size_t byte_of(struct slice text, size_t character)
{
    size_t at = 0;

    for (size_t i = 0; i < character; i++) {
        uint32_t unused;
        size_t length =
            at < text.length ? text_character(text.bytes + at, text.length - at, &unused) : 0;
        if (at >= text.length) {
            return SIZE_MAX;
        }
        at += length > 0 ? length : 1;
    }
    return at;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* How often a word stands in a text, and where it stood last. */
static size_t count_word(struct slice text, struct slice word, size_t *out_at)
{
    size_t count = 0;

    for (size_t i = 0; i + word.length <= text.length; i++) {
        bool is_whole = (i == 0 || !is_word(text.bytes[i - 1])) &&
                        (i + word.length == text.length || !is_word(text.bytes[i + word.length]));
        if (is_whole && memcmp(text.bytes + i, word.bytes, word.length) == 0) {
            *out_at = i;
            count++;
        }
    }
    return count;
}

int caret_column(struct arena *arena, struct slice shown, size_t caret, struct slice source)
{
    struct slice plain = without_comments(arena, source);
    size_t at = byte_of(shown, caret);
    size_t place = 0;

    if (at == SIZE_MAX) {
        return 0;
    }
    while (shown.length > at && isspace((unsigned char)shown.bytes[shown.length - 1])) {
        shown.length--;
    }
    struct slice tail = slice_from(shown, at);
    if (at <= plain.length && memcmp(shown.bytes, plain.bytes, at) == 0 &&
        (tail.length == 0 ? plain.length == at
                          : plain.length > at && plain.bytes[at] == tail.bytes[0])) {
        return (int)at + 1;
    }
    if (tail.length > 0 && tail.length <= plain.length &&
        memcmp(plain.bytes + plain.length - tail.length, tail.bytes, tail.length) == 0) {
        return (int)(plain.length - tail.length) + 1;
    }
    struct slice word = {tail.bytes, 0};
    while (word.length < tail.length && is_word(tail.bytes[word.length])) {
        word.length++;
    }
    if (word.length > 0 && count_word(shown, word, &place) == 1 &&
        count_word(plain, word, &place) == 1) {
        return (int)place + 1;
    }
    return 0;
}
