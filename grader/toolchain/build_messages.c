/* build_messages.c: see build_messages.h. */
#include "toolchain/build_messages.h"

#include "base/file.h"
#include "toolchain/compatibility_text.h"

#include <string.h>

#define SOURCE_BYTES_MAX ((size_t)8 << 20)

/* A folder in which messages look up sources; the text of the last one is kept. */
struct source_shelf {
    struct arena *arena;
    const char *folder;
    const char *name; /* NULL: none yet */
    const char *text; /* NULL: it cannot be read */
    size_t length;
};

/* Messages are foreign: only what lies in the folder is looked at. */
static const char *shelf_text(void *context, const char *file, size_t *out_length)
{
    struct source_shelf *shelf = context;

    if (shelf->name == NULL || strcmp(shelf->name, file) != 0) {
        const char *path = arena_printf(shelf->arena, "%s/%s", shelf->folder, file);
        char *bytes = NULL;
        bool is_inside = file[0] != '/' && strstr(file, "..") == NULL;
        bool is_read = is_inside && file_read(shelf->arena, path, SOURCE_BYTES_MAX, BLAME_STUDENT,
                                              &bytes, &shelf->length, NULL) == ERROR_NONE;
        shelf->name = file;
        shelf->text = is_read ? bytes : NULL;
    }
    *out_length = shelf->length;
    return shelf->text;
}

/* Names of the compatibility header become those that the student wrote. */
static void restore_names(struct arena *arena, struct tool_message *message)
{
    const char *prefix = strstr(message->message, COMPATIBILITY_PREFIX);
    struct text text;

    if (prefix == NULL) {
        return;
    }
    text_init(&text);
    for (const char *rest = message->message; rest != NULL;) {
        prefix = strstr(rest, COMPATIBILITY_PREFIX);
        text_append_bytes(&text, rest, prefix == NULL ? strlen(rest) : (size_t)(prefix - rest));
        rest = prefix == NULL ? NULL : prefix + strlen(COMPATIBILITY_PREFIX);
    }
    message->message = arena_strndup(arena, text.bytes, text.length);
    text_release(&text);
}

void build_messages_read(struct arena *arena, const struct build_place *place,
                         const struct text *printed, struct tool_message **out_messages,
                         size_t *out_count)
{
    struct source_shelf shelf = {.arena = arena, .folder = place->compiled_folder};
    const struct message_sources sources = {
        .folder = place->named_folder,
        .text = shelf_text,
        .context = &shelf,
    };
    const struct tool_message *read = NULL;
    size_t count = 0;

    toolchain_read_messages(arena, printed->bytes, printed->length, &sources, &read, &count);
    struct tool_message *messages = arena_array(arena, count + 1, sizeof *messages);
    for (size_t i = 0; i < count; i++) {
        messages[i] = read[i];
        restore_names(arena, &messages[i]);
    }
    if (place->copies != NULL) {
        source_copies_place_messages(arena, place->copies, place->original_folder, messages, count);
    }
    *out_messages = messages;
    *out_count = count;
}

void build_messages_read_failure(struct arena *arena, const struct build_place *place,
                                 const struct text *printed, struct tool_message **out_messages,
                                 size_t *out_count)
{
    struct tool_message *read = NULL;
    size_t count = 0;
    size_t end = printed->length;

    build_messages_read(arena, place, printed, &read, &count);
    *out_messages = read;
    *out_count = count;
    if (count > 0 && read[0].is_error) {
        return;
    }
    while (end > 0 && printed->bytes[end - 1] == '\n') {
        end--;
    }
    size_t start = end;
    while (start > 0 && printed->bytes[start - 1] != '\n') {
        start--;
    }
    struct tool_message *messages = arena_array(arena, count + 1, sizeof *messages);
    messages[0] = (struct tool_message){
        .is_error = true,
        .file = "",
        .message = end > start ? arena_strndup(arena, printed->bytes + start, end - start)
                               : "the compiler ended without a message",
    };
    for (size_t i = 0; i < count; i++) {
        messages[i + 1] = read[i];
    }
    *out_messages = messages;
    *out_count = count + 1;
}
