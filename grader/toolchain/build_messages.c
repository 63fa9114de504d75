/* build_messages.c: see build_messages.h. */
#include "toolchain/build_messages.h"

#include "base/file.h"
#include "model/verdict.h"
#include "toolchain/compatibility_text.h"
#include "toolchain/message_reader.h"

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

/* Where the name begins in a path to something temporary of a compiler's: `path` itself if it is
 * none. Folders of runs and of temporary files, then nvcc's mark of its own: the process differs in
 * each run. */
static size_t name_of_temporary(const char *path, size_t length, size_t name)
{
    static const char mark[] = "tmpxft_";
    static const char made[] = "/gpugrade-";
    bool is_temporary =
        text_starts_with(path, "/tmp/") || memmem(path, name, made, sizeof made - 1) != NULL;
    const char *rest = path + name;

    if (length - name <= sizeof mark || !text_starts_with(rest, mark)) {
        return is_temporary ? name : 0;
    }
    const char *dash = memchr(rest, '-', length - name);
    const char *end = dash == NULL ? NULL : memchr(dash, '_', (size_t)(path + length - dash));
    return end == NULL ? name : (size_t)(end + 1 - path);
}

/* True for the names that gcc gives: "ccAbCdEf.s". */
static bool is_of_gcc(const char *name, size_t length)
{
    enum { DRAWN = 8 };

    return length > DRAWN && text_starts_with(name, "cc") && name[DRAWN] == '.';
}

/* Takes paths and names of temporary files out of a text: they are of no use to who reads it, and
 * differ from run to run. "" stays "". */
static const char *without_temporary_names(struct arena *arena, const char *message)
{
    static const char ends[] = " \t\n:;,'`\"()<>";
    struct text text;

    if (strstr(message, "/tmp/") == NULL && strstr(message, "/gpugrade-") == NULL &&
        strstr(message, "tmpxft_") == NULL) {
        return message;
    }
    text_init(&text);
    for (const char *at = message; *at != '\0';) {
        size_t length = strcspn(at, ends);
        size_t name = 0;
        for (size_t i = 0; i < length; i++) {
            name = at[i] == '/' ? i + 1 : name;
        }
        size_t from = name_of_temporary(at, length, name);
        if (from > 0 && is_of_gcc(at + from, length - from)) {
            text_append(&text, "temporary");
            from += strlen("ccXXXXXX");
        }
        text_append_bytes(&text, at + from, length - from);
        at += length;
        text_append_bytes(&text, at, *at != '\0' ? 1 : 0);
        at += *at != '\0' ? 1 : 0;
    }
    const char *result = arena_strndup(arena, text.bytes, text.length);
    text_release(&text);
    return result;
}

/* Hides the temporary files of the compilers; a place in one is no place. */
static void hide_temporary_files(struct arena *arena, struct tool_message *message)
{
    message->message = without_temporary_names(arena, message->message);
    if (without_temporary_names(arena, message->file) != message->file) {
        message->file = "";
        message->line = 0;
        message->column = 0;
        message->note_count = 0;
        message->fix_count = 0;
    }
}

/* True if a line of the submission is the text, but for blanks at its end. */
static bool is_line(struct message_reader *originals, const char *file, int line, const char *text)
{
    const size_t length = strlen(text);
    struct slice own;

    return message_source_line(originals, file, line, &own) && own.length >= length &&
           memcmp(own.bytes, text, length) == 0 &&
           slice_trimmed(slice_from(own, length)).length == 0;
}

/* What was read in copies, as the submission's own files have it: no fix of a line that is another
 * one there, and no column of a note in it. */
static void place_in_originals(struct message_reader *copies, struct message_reader *originals,
                               struct tool_message *message)
{
    struct cause_mark *notes = arena_array(copies->arena, message->note_count, sizeof *notes);

    for (size_t i = 0; i < message->fix_count; i++) {
        const struct line_fix *fix = &message->fixes[i];
        message->fix_count =
            is_line(originals, fix->file, fix->line, fix->before) ? message->fix_count : 0;
    }
    for (size_t i = 0; i < message->note_count; i++) {
        struct slice copy;
        notes[i] = message->notes[i];
        bool is_same = message_source_line(copies, notes[i].file, notes[i].line, &copy) &&
                       is_line(originals, notes[i].file, notes[i].line,
                               arena_strndup(copies->arena, copy.bytes, copy.length));
        notes[i].column = is_same ? notes[i].column : 0;
    }
    message->notes = notes;
}

/* Turns places in copies into places in the submission's own files. */
static void leave_copies(struct arena *arena, const struct build_place *place,
                         const struct message_sources *sources, struct tool_message *messages,
                         size_t count)
{
    struct source_shelf shelf = {.arena = arena, .folder = place->original_folder};
    const struct message_sources own = {.text = shelf_text, .context = &shelf};
    struct message_reader copies = {.arena = arena, .sources = sources};
    struct message_reader originals = {.arena = arena, .sources = &own};

    source_copies_place_messages(arena, place->copies, place->original_folder, messages, count);
    for (size_t i = 0; i < count; i++) {
        if (messages[i].fix_count + messages[i].note_count > 0) {
            place_in_originals(&copies, &originals, &messages[i]);
        }
    }
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
        .is_clang = place->is_clang,
    };
    const struct tool_message *read = NULL;
    size_t count = 0;

    toolchain_read_messages(arena, printed->bytes, printed->length, &sources, &read, &count);
    struct tool_message *messages = arena_array(arena, count + 1, sizeof *messages);
    for (size_t i = 0; i < count; i++) {
        messages[i] = read[i];
        restore_names(arena, &messages[i]);
        hide_temporary_files(arena, &messages[i]);
    }
    if (place->copies != NULL) {
        leave_copies(arena, place, &sources, messages, count);
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
        .message = end > start
                       ? without_temporary_names(
                             arena, arena_strndup(arena, printed->bytes + start, end - start))
                       : "the compiler ended without a message",
    };
    for (size_t i = 0; i < count; i++) {
        messages[i + 1] = read[i];
    }
    *out_messages = messages;
    *out_count = count + 1;
}

struct message_list build_messages_choose(struct arena *arena, const char *source_folder,
                                          struct message_list of_nvcc, struct message_list of_clang)
{
    struct source_shelf shelf = {.arena = arena, .folder = source_folder};
    const struct message_sources sources = {.text = shelf_text, .context = &shelf};

    return better_messages(arena, of_nvcc, of_clang, &sources);
}
