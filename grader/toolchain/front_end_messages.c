/* front_end_messages.c: the messages of nvcc's front end; see compiler_messages.c.
 *
 *   FILE(LINE): error: TEXT              or "At end of source: error: TEXT"
 *               more text
 *     the source line                    two blanks before it; macros are expanded
 *     ^
 *   FILE(LINE): note #1234-D: TEXT       any number of them, with lines of their own
 *             detected during ... at line 7 of FILE
 *   an empty line
 *
 * An error in a system's header is told at the line of the submission that it was instantiated
 * from.
 */
#include "toolchain/message_reader.h"

#include <stdio.h>
#include <string.h>

enum { SOURCE_INDENT = 2, CONTEXT_INDENT = 10, NO_CARET = -1, MORE_MAX = 1000, CUT_LENGTH = 4 };

/* What stands below the first line of a message. */
struct tail {
    struct slice shown; /* the source line */
    int caret;          /* character of it, from 0; NO_CARET: none */
    size_t more_length;
    char more[MORE_MAX + CUT_LENGTH +
              1]; /* text that belongs to the message, with a blank before it; or "" */
    const char *from_file;
    int from_line; /* the last place in the submission that it was detected from; 0: none */
    bool is_cut;   /* there was more text */
    bool in_note;
    bool in_context; /* behind "detected during" */
};

/* Blanks and one caret: returns the caret's position, else SIZE_MAX. */
static size_t caret_position(struct slice line)
{
    size_t i = 0;

    while (i < line.length && line.bytes[i] == ' ') {
        i++;
    }
    return i < line.length && line.bytes[i] == '^' && slice_trimmed(line).length == 1 ? i
                                                                                      : SIZE_MAX;
}

static size_t indent_of(struct slice line)
{
    size_t i = 0;

    while (i < line.length && line.bytes[i] == ' ') {
        i++;
    }
    return i;
}

/* "... at line 7 of FILE": the place, if it lies in the submission. Without a file it is that of
 * the message. */
static void note_origin(const struct message_reader *reader, struct slice line,
                        const struct tool_message *message, struct tail *tail)
{
    size_t at = slice_find(line, " at line ");
    int number;

    if (at == SIZE_MAX) {
        return;
    }
    struct slice rest = slice_from(line, at + strlen(" at line "));
    if (!slice_take_number(&rest, &number)) {
        return;
    }
    const char *file = slice_starts_with(rest, " of ")
                           ? message_file(reader, slice_trimmed(slice_from(rest, strlen(" of "))))
                           : message->file;
    if (message_file_is_own(file)) {
        tail->from_file = file;
        tail->from_line = number;
    }
}

/* Adds a blank and words to the text that belongs to the message; once some do not fit, only "..."
 * follows. */
static void append_more(struct tail *tail, struct slice words, const char *rest)
{
    size_t needed = 1 + words.length + strlen(rest);

    if (tail->is_cut) {
        return;
    }
    tail->is_cut = tail->more_length + needed > MORE_MAX;
    char *end = tail->more + tail->more_length;
    int length = tail->is_cut
                     ? snprintf(end, 1 + CUT_LENGTH, " ...")
                     : snprintf(end, needed + 1, " %.*s%s", (int)words.length, words.bytes, rest);
    tail->more_length += length > 0 ? (size_t)length : 0;
}

/* "FILE(LINE): note ...: TEXT"; of the notes only those that name a partner are kept. */
static bool read_note(struct slice line, struct tail *tail)
{
    static const char partner[] = "to match this ";
    size_t note = slice_find(line, "): note ");
    size_t text = slice_find(line, partner);
    size_t open = note;
    int number;

    if (note == SIZE_MAX || slice_starts_with(line, " ")) {
        return false;
    }
    while (open > 0 && line.bytes[open] != '(') {
        open--;
    }
    struct slice digits = slice_from(line, open + 1);
    if (text != SIZE_MAX && slice_take_number(&digits, &number)) {
        char place[32];
        snprintf(place, sizeof place, " in line %d", number);
        append_more(tail, slice_trimmed(slice_from(line, text)), place);
    }
    tail->in_note = true;
    return true;
}

/* One line below the message; `next` is what follows it. */
static void read_tail_line(const struct message_reader *reader, struct slice line,
                           struct slice next, const struct tool_message *message, struct tail *tail)
{
    struct slice below;
    bool is_source = slice_take_line(&next, &below) && caret_position(below) != SIZE_MAX;

    if (slice_starts_with(slice_trimmed(line), "detected during")) {
        bool is_one_line = slice_find(line, " at line ") != SIZE_MAX;
        tail->in_context = true;
        tail->in_note = false;
        if (is_one_line && message_file_is_own(message->file)) {
            append_more(tail, slice_trimmed(line), "");
        }
    }
    if (tail->in_context) {
        note_origin(reader, line, message, tail);
    } else if (is_source && !tail->in_note && tail->caret == NO_CARET) {
        tail->shown =
            slice_from(line, indent_of(line) >= SOURCE_INDENT ? SOURCE_INDENT : indent_of(line));
        tail->caret = (int)caret_position(below) - SOURCE_INDENT;
    } else if (!is_source && !tail->in_note && caret_position(line) == SIZE_MAX &&
               tail->caret == NO_CARET && indent_of(line) >= CONTEXT_INDENT) {
        append_more(tail, slice_trimmed(line), "");
    }
}

static void read_tail(struct message_reader *reader, const struct tool_message *message,
                      struct tail *out_tail)
{
    struct slice rest = reader->rest;
    struct slice line;

    *out_tail = (struct tail){.caret = NO_CARET, .from_file = ""};
    while (slice_take_line(&rest, &line)) {
        if (slice_starts_with(line, " ")) {
            read_tail_line(reader, line, rest, message, out_tail);
        } else if (!read_note(line, out_tail)) {
            break;
        }
        reader->rest = rest;
    }
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* Reads what stands below a message and completes it. */
static void complete(struct message_reader *reader, size_t index)
{
    struct tool_message *message = &reader->messages[index];
    struct slice source;
    struct tail tail;

    read_tail(reader, message, &tail);
    message->message = arena_printf(reader->arena, "%s%s", message->message, tail.more);
    if (!message_file_is_own(message->file) && tail.from_line > 0) {
        message->message =
            arena_printf(reader->arena, "%s (in %s)", message->message, last_name(message->file));
        message->file = tail.from_file;
        message->line = tail.from_line;
    } else if (tail.caret >= 0 &&
               message_source_line(reader, message->file, message->line, &source)) {
        message->column = caret_column(reader->arena, tail.shown, (size_t)tail.caret, source);
    }
}

/* The file that the front end names when it is done: ... in the compilation of "FILE". */
static const char *compiled_file(struct message_reader *reader)
{
    static const char phrase[] = "detected in the compilation of \"";
    struct slice *last = &reader->compiled_in;

    /* Found once, it is what follows until the text has come there. */
    if (last->bytes == NULL || (last->length > 0 && last->bytes < reader->rest.bytes)) {
        size_t at = slice_find(reader->rest, phrase);
        *last = slice_from(reader->rest, at == SIZE_MAX ? reader->rest.length : at);
    }
    if (last->length == 0) {
        return "";
    }
    struct slice name = slice_from(*last, strlen(phrase));
    size_t end = slice_find(name, "\"");
    name.length = end == SIZE_MAX ? 0 : end;
    return message_file(reader, name);
}

static bool read_end_of_source(struct message_reader *reader, struct slice line)
{
    static const char start[] = "At end of source: ";
    struct slice text = slice_from(line, slice_starts_with(line, start) ? strlen(start) : 0);
    bool is_error;

    if (text.length == line.length || !slice_take_severity(&text, &is_error)) {
        return false;
    }
    const char *file = compiled_file(reader);
    struct tool_message *message = message_add(reader, is_error, file, text);
    message->message = arena_printf(reader->arena, "%s at the end of the file", message->message);
    message->line = message_last_line(reader, file);
    complete(reader, reader->count - 1);
    return true;
}

/* FILE(LINE): error: TEXT. The file's name may hold a parenthesis, so each one is tried. */
bool read_front_end_message(struct message_reader *reader, struct slice line)
{
    for (size_t i = 1; i < line.length; i++) {
        struct slice after = slice_from(line, i + 1);
        int number;
        bool is_error;
        if (line.bytes[i] != '(' || !slice_take_number(&after, &number) ||
            !slice_starts_with(after, "): ")) {
            continue;
        }
        after = slice_from(after, 3);
        if (!slice_take_severity(&after, &is_error)) {
            continue;
        }
        struct tool_message *message = message_add(
            reader, is_error, message_file(reader, (struct slice){line.bytes, i}), after);
        message->line = number;
        complete(reader, reader->count - 1);
        return true;
    }
    return read_end_of_source(reader, line);
}
