/* message_reader.c: what the readers of compilers' messages share: parts of the text, lines of the
 * submission's files, messages; see message_reader.h. */
#include "toolchain/message_reader.h"

#include <string.h>

enum {
    NUMBER_MAX = 1000000000,
    PIECE_SHIFT = 12, /* of a text, for finding lines */
    PIECE_BYTES = 1 << PIECE_SHIFT,
    LINE_BYTES_MAX = 4096,
};

struct slice slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

struct slice slice_from(struct slice slice, size_t start)
{
    return (struct slice){slice.bytes + start, slice.length - start};
}

bool slice_starts_with(struct slice slice, const char *word)
{
    size_t length = strlen(word);

    return slice.length >= length && memcmp(slice.bytes, word, length) == 0;
}

size_t slice_find(struct slice slice, const char *word)
{
    const char *found = memmem(slice.bytes, slice.length, word, strlen(word));

    return found == NULL ? SIZE_MAX : (size_t)(found - slice.bytes);
}

struct slice slice_trimmed(struct slice slice)
{
    while (slice.length > 0 && (slice.bytes[0] == ' ' || slice.bytes[0] == '\t')) {
        slice = slice_from(slice, 1);
    }
    while (slice.length > 0 && strchr(" \t\r", slice.bytes[slice.length - 1]) != NULL) {
        slice.length--;
    }
    return slice;
}

bool slice_take_number(struct slice *slice, int *out_number)
{
    int number = 0;
    size_t digits = 0;

    while (digits < slice->length && slice->bytes[digits] >= '0' && slice->bytes[digits] <= '9') {
        number = number * 10 + (slice->bytes[digits] - '0');
        if (number > NUMBER_MAX / 10) {
            return false;
        }
        digits++;
    }
    *slice = slice_from(*slice, digits);
    *out_number = number;
    return digits > 0;
}

bool slice_take_line(struct slice *rest, struct slice *out_line)
{
    if (rest->length == 0) {
        return false;
    }
    size_t end = slice_find(*rest, "\n");
    out_line->bytes = rest->bytes;
    out_line->length = end == SIZE_MAX ? rest->length : end;
    *rest = slice_from(*rest, end == SIZE_MAX ? rest->length : end + 1);
    return true;
}

bool slice_take_severity(struct slice *slice, bool *out_is_error)
{
    static const struct {
        const char *word;
        bool is_error;
    } severities[] = {
        {"error", true},          {"fatal error", true}, {"catastrophic error", true},
        {"internal error", true}, {"fatal", true},       {"warning", false},
    };

    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++) {
        if (!slice_starts_with(*slice, severities[i].word)) {
            continue;
        }
        struct slice after = slice_trimmed(slice_from(*slice, strlen(severities[i].word)));
        if (slice_starts_with(after, "#")) { /* the number of a message, "#940-D" */
            size_t colon = slice_find(after, ":");
            after = slice_from(after, colon == SIZE_MAX ? after.length : colon);
        }
        if (slice_starts_with(after, ":")) {
            *slice = slice_trimmed(slice_from(after, 1));
            *out_is_error = severities[i].is_error;
            return true;
        }
    }
    return false;
}

bool message_take_head(struct slice line, struct message_head *out_head)
{
    for (size_t i = 1; i < line.length; i++) {
        struct slice after = slice_from(line, i + 1);
        struct message_head head = {.file = {line.bytes, i}};
        bool is_error = false;
        if (line.bytes[i] != ':' || !slice_take_number(&after, &head.line) ||
            !slice_starts_with(after, ":")) {
            continue;
        }
        after = slice_from(after, 1);
        if (slice_take_number(&after, &head.column) && slice_starts_with(after, ":")) {
            after = slice_from(after, 1);
        }
        after = slice_trimmed(after);
        bool is_note = slice_starts_with(after, "note:");
        if (is_note || slice_take_severity(&after, &is_error)) {
            head.kind = is_note ? HEAD_NOTE : is_error ? HEAD_ERROR : HEAD_WARNING;
            head.text = is_note ? slice_trimmed(slice_from(after, strlen("note:"))) : after;
            *out_head = head;
            return true;
        }
    }
    return false;
}

const char *message_file(const struct message_reader *reader, struct slice file)
{
    const char *folder = reader->sources->folder;

    if (folder != NULL && folder[0] != '\0' && slice_starts_with(file, folder)) {
        file = slice_from(file, strlen(folder));
        while (slice_starts_with(file, "/")) {
            file = slice_from(file, 1);
        }
    }
    while (slice_starts_with(file, "./")) {
        file = slice_from(file, 2);
    }
    return arena_strndup(reader->arena, file.bytes, file.length);
}

bool message_file_is_own(const char *file)
{
    return file[0] != '\0' && file[0] != '/' && file[0] != '<';
}

/* Counts the ends of lines of a text. */
static struct message_text *text_new(struct arena *arena, struct slice text)
{
    struct message_text *made = arena_array(arena, 1, sizeof *made);
    size_t count = (text.length >> PIECE_SHIFT) + 1;
    uint32_t ends = 0;

    made->text = text;
    made->line_ends = arena_array(arena, count, sizeof *made->line_ends);
    for (size_t i = 0, next = 0; i < text.length; i++) {
        if ((i & (PIECE_BYTES - 1)) == 0) {
            made->line_ends[next++] = ends;
        }
        ends += text.bytes[i] == '\n' ? 1 : 0;
        if (strchr(" \t\r\n", text.bytes[i]) == NULL) {
            made->last_line = (int)ends + 1;
        }
    }
    return made;
}

/* The text of a file of the submission; NULL if it is not known. */
static struct message_text *find_text(struct message_reader *reader, const char *file)
{
    size_t length = 0, at = 0;
    const char *bytes = reader->sources->text == NULL || !message_file_is_own(file)
                            ? NULL
                            : reader->sources->text(reader->sources->context, file, &length);

    if (bytes == NULL) {
        return NULL;
    }
    while (at < reader->text_count && reader->texts[at]->text.bytes != bytes) {
        at++;
    }
    if (at == reader->text_count) {
        arena_grow(reader->arena, &reader->texts, &reader->text_capacity, at + 1,
                   sizeof *reader->texts);
        reader->texts[reader->text_count++] =
            text_new(reader->arena, (struct slice){bytes, length});
    }
    struct message_text *found = reader->texts[at];
    reader->texts[at] = reader->texts[0];
    reader->texts[0] = found;
    return found;
}

/* Where a line starts; the length of the text if there is no such line. */
static size_t line_start(const struct message_text *text, int line)
{
    size_t low = 0, high = (text->text.length >> PIECE_SHIFT) + 1;
    uint32_t before = (uint32_t)line - 1; /* ends of lines before it */

    if (before == 0) {
        return 0;
    }
    while (high - low > 1) { /* the last piece before which there are fewer */
        size_t middle = low + (high - low) / 2;
        if (middle << PIECE_SHIFT < text->text.length && text->line_ends[middle] < before) {
            low = middle;
        } else {
            high = middle;
        }
    }
    struct slice rest = slice_from(text->text, low << PIECE_SHIFT);
    struct slice skipped;
    for (uint32_t ends = text->line_ends[low]; ends < before; ends++) {
        if (!slice_take_line(&rest, &skipped)) {
            break;
        }
    }
    return text->text.length - rest.length;
}

bool message_source_line(struct message_reader *reader, const char *file, int line,
                         struct slice *out_line)
{
    struct message_text *text = line < 1 ? NULL : find_text(reader, file);

    if (text == NULL) {
        return false;
    }
    struct slice rest = slice_from(text->text, line_start(text, line));
    rest.length = rest.length < LINE_BYTES_MAX + 1 ? rest.length : LINE_BYTES_MAX + 1;
    return slice_take_line(&rest, out_line) && out_line->length <= LINE_BYTES_MAX;
}

int message_last_line(struct message_reader *reader, const char *file)
{
    const struct message_text *text = find_text(reader, file);

    return text == NULL ? 0 : text->last_line;
}

struct tool_message *message_add(struct message_reader *reader, bool is_error, const char *file,
                                 struct slice text)
{
    arena_grow(reader->arena, &reader->messages, &reader->capacity, reader->count + 1,
               sizeof *reader->messages);
    struct tool_message *message = &reader->messages[reader->count++];
    *message = (struct tool_message){
        .is_error = is_error,
        .file = file,
        .message = arena_strndup(reader->arena, text.bytes, text.length),
    };
    return message;
}
