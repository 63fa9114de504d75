/* fuzz_toolchain_messages.c: the first line is the folder prefix, the rest what tools print, and
 * also every source and the PTX. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    const char *text = (const char *)data;
    const char *newline = size > 0 ? memchr(text, '\n', size) : NULL;
    size_t first = newline == NULL ? 0 : (size_t)(newline - text) + 1;
    const char *prefix = arena_strndup(arena, text, first > 0 ? first - 1 : 0);
    const struct tool_message *messages;
    size_t count;

    char *copy = arena_strndup(arena, text, size);
    const struct message_sources sources = {prefix, any_text, copy, copy};
    toolchain_read_messages(arena, text + first, size - first, &sources, &messages, &count);
    for (size_t i = 0; i < count; i++) {
        if (messages[i].line < 0 || messages[i].column < 0 || messages[i].file == NULL ||
            messages[i].message == NULL) {
            __builtin_trap();
        }
        toolchain_plain_name(arena, messages[i].message);
        toolchain_message_symbol(arena, messages[i].message);
    }
    arena_free(arena);
    return 0;
}
