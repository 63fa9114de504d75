/* shell_word.c: see shell_word.h. */
#include "base/shell_word.h"

#include "base/text.h"

#include <string.h>

const char *shell_word(struct arena *arena, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:,@%=";
    struct text text;

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        return word;
    }
    text_init(&text);
    text_append_char(&text, '\'');
    for (size_t i = 0; word[i] != '\0'; i++) {
        if (word[i] == '\'') {
            text_append(&text, "'\\''");
        } else {
            text_append_char(&text, word[i]);
        }
    }
    text_append_char(&text, '\'');
    const char *quoted = arena_strdup(arena, text.bytes);
    text_release(&text);
    return quoted;
}
