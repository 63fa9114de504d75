/* fuzz_toolchain_messages.c: the first line is the folder prefix, the rest what tools print, and
 * also every source and the PTX. */
#include "base/text.h"
#include "toolchain/toolchain.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *any_text(void *context, const char *file, size_t *out_length)
{
    (void)file;
    *out_length = strlen(context);
    return context;
}

static void check(const struct tool_message *message)
{
    if (message->line < 0 || message->column < 0 || message->file == NULL ||
        message->message == NULL || message->note_count > MESSAGE_NOTES_MAX ||
        message->fix_count > FIX_LINES_MAX) {
        __builtin_trap();
    }
    for (size_t i = 0; i < message->fix_count; i++) {
        const struct line_fix *fix = &message->fixes[i];
        if (fix->line < 1 || strcmp(fix->before, fix->after) == 0 ||
            !text_is_utf8(fix->after, strlen(fix->after)) || strchr(fix->after, '\n') != NULL) {
            __builtin_trap();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    const char *text = (const char *)data;
    const char *newline = size > 0 ? memchr(text, '\n', size) : NULL;
    size_t first = newline == NULL ? 0 : (size_t)(newline - text) + 1;
    const char *prefix = arena_strndup(arena, text, first > 0 ? first - 1 : 0);
    char *copy = arena_strndup(arena, text, size);

    for (int is_clang = 0; is_clang < 2; is_clang++) {
        const struct message_sources sources = {prefix, any_text, copy, copy, is_clang == 1};
        const struct tool_message *messages;
        size_t count;
        toolchain_read_messages(arena, text + first, size - first, &sources, &messages, &count);
        for (size_t i = 0; i < count; i++) {
            check(&messages[i]);
            toolchain_plain_name(arena, messages[i].message);
            toolchain_message_symbol(arena, messages[i].message);
        }
    }
    arena_free(arena);
    return 0;
}
