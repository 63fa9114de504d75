/* nvcc_messages.c: what compilers, assembler and linker print, as messages; see toolchain.h.
 *
 *   nvcc's front end   FILE(LINE): error: TEXT          then lines of more text, the source line
 *                                                        with two blanks before it, a caret line
 *   host compiler      FILE:LINE:COLUMN: error: TEXT
 *   ptxas              ptxas FILE, line LINE; error   : TEXT
 *   any tool           TOOL fatal   : TEXT, TOOL: fatal error: TEXT
 *   linker             ld: PLACE: undefined reference to `NAME'
 *
 * The text is foreign: every line may be anything. Each form has a reader, tried in the order of
 * the table `forms`; a line that none knows is skipped.
 */
#include "toolchain/toolchain.h"

#include "base/text.h"

#include <string.h>

enum { NUMBER_MAX = 1000000000, MESSAGES_MAX = 1000 };

/* A part of the foreign text. */
struct slice {
    const char *bytes;
    size_t length;
};

struct reader {
    struct arena *arena;
    struct slice rest; /* what follows the current line */
    const char *prefix;
    struct tool_message *messages;
    size_t count, capacity;
};

static struct slice slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

static struct slice slice_from(struct slice slice, size_t start)
{
    return (struct slice){slice.bytes + start, slice.length - start};
}

static bool starts_with(struct slice slice, const char *word)
{
    size_t length = strlen(word);

    return slice.length >= length && memcmp(slice.bytes, word, length) == 0;
}

/* Position of the first occurrence of a word, or SIZE_MAX. */
static size_t find(struct slice slice, const char *word)
{
    const char *found = memmem(slice.bytes, slice.length, word, strlen(word));

    return found == NULL ? SIZE_MAX : (size_t)(found - slice.bytes);
}

static struct slice trimmed(struct slice slice)
{
    while (slice.length > 0 && (slice.bytes[0] == ' ' || slice.bytes[0] == '\t')) {
        slice = slice_from(slice, 1);
    }
    while (slice.length > 0 && strchr(" \t\r", slice.bytes[slice.length - 1]) != NULL) {
        slice.length--;
    }
    return slice;
}

/* Takes a decimal number from the front; false if there is none or it is absurd. */
static bool take_number(struct slice *slice, int *out_number)
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

static bool take_line(struct slice *rest, struct slice *out_line)
{
    if (rest->length == 0) {
        return false;
    }
    size_t end = find(*rest, "\n");
    out_line->bytes = rest->bytes;
    out_line->length = end == SIZE_MAX ? rest->length : end;
    *rest = slice_from(*rest, end == SIZE_MAX ? rest->length : end + 1);
    return true;
}

/* Takes "error", "fatal error", "warning #940-D" and the like with the colon after it. */
static bool take_severity(struct slice *slice, bool *out_is_error)
{
    static const struct {
        const char *word;
        bool is_error;
    } severities[] = {
        {"error", true},          {"fatal error", true}, {"catastrophic error", true},
        {"internal error", true}, {"fatal", true},       {"warning", false},
    };

    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++) {
        if (!starts_with(*slice, severities[i].word)) {
            continue;
        }
        struct slice after = trimmed(slice_from(*slice, strlen(severities[i].word)));
        if (starts_with(after, "#")) { /* the number of a message, "#940-D" */
            size_t colon = find(after, ":");
            after = slice_from(after, colon == SIZE_MAX ? after.length : colon);
        }
        if (starts_with(after, ":")) {
            *slice = trimmed(slice_from(after, 1));
            *out_is_error = severities[i].is_error;
            return true;
        }
    }
    return false;
}

static const char *file_of(const struct reader *reader, struct slice file)
{
    if (reader->prefix[0] != '\0' && starts_with(file, reader->prefix)) {
        file = slice_from(file, strlen(reader->prefix));
        while (starts_with(file, "/")) {
            file = slice_from(file, 1);
        }
    }
    while (starts_with(file, "./")) {
        file = slice_from(file, 2);
    }
    return arena_strndup(reader->arena, file.bytes, file.length);
}

static struct tool_message *push(struct reader *reader, bool is_error, const char *file,
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

/* Blanks and one caret: returns the caret's position, else SIZE_MAX. */
static size_t caret_position(struct slice line)
{
    size_t i = 0;

    while (i < line.length && line.bytes[i] == ' ') {
        i++;
    }
    return i < line.length && line.bytes[i] == '^' && trimmed(line).length == 1 ? i : SIZE_MAX;
}

/* Reads the lines below a message of the front end up to an empty one: more text, then the source
 * line and the caret. The column is certain only if the source line is shown as it is, that is
 * with two blanks before it and without tabs. */
static void read_front_end_tail(struct reader *reader, struct tool_message *message)
{
    enum { TAIL_MAX = 64, SOURCE_INDENT = 2 };
    struct slice lines[TAIL_MAX];
    size_t count = 0;
    struct slice rest = reader->rest;
    struct slice line;

    while (count < TAIL_MAX && take_line(&rest, &line) && starts_with(line, " ")) {
        lines[count++] = line;
        reader->rest = rest;
        size_t caret = caret_position(line);
        if (caret == SIZE_MAX || count < 2) {
            continue;
        }
        struct slice source = lines[count - 2];
        if (caret >= SOURCE_INDENT && starts_with(source, "  ") && find(source, "\t") == SIZE_MAX) {
            message->column = (int)(caret - SOURCE_INDENT) + 1;
        }
        count -= 2;
        break;
    }
    for (size_t i = 0; i < count; i++) {
        struct slice more = trimmed(lines[i]);
        message->message =
            arena_printf(reader->arena, "%s %.*s", message->message, (int)more.length, more.bytes);
    }
}

/* FILE(LINE): error: TEXT. The file's name may hold a parenthesis, so each one is tried. */
static bool read_front_end(struct reader *reader, struct slice line)
{
    for (size_t i = 1; i < line.length; i++) {
        struct slice after = slice_from(line, i + 1);
        int number;
        bool is_error;
        if (line.bytes[i] != '(' || !take_number(&after, &number) || !starts_with(after, "): ")) {
            continue;
        }
        after = slice_from(after, 3);
        if (!take_severity(&after, &is_error)) {
            continue;
        }
        struct tool_message *message =
            push(reader, is_error, file_of(reader, (struct slice){line.bytes, i}), after);
        message->line = number;
        read_front_end_tail(reader, message);
        return true;
    }
    return false;
}

/* FILE:LINE:COLUMN: error: TEXT, also without the column. */
static bool read_host_compiler(struct reader *reader, struct slice line)
{
    for (size_t i = 1; i < line.length; i++) {
        struct slice after = slice_from(line, i + 1);
        int number;
        int column = 0;
        bool is_error;
        if (line.bytes[i] != ':' || !take_number(&after, &number) || !starts_with(after, ":")) {
            continue;
        }
        after = slice_from(after, 1);
        if (take_number(&after, &column) && starts_with(after, ":")) {
            after = slice_from(after, 1);
        }
        after = trimmed(after);
        if (!take_severity(&after, &is_error)) {
            continue;
        }
        struct tool_message *message =
            push(reader, is_error, file_of(reader, (struct slice){line.bytes, i}), after);
        message->line = number;
        message->column = column;
        return true;
    }
    return false;
}

/* ptxas FILE, line LINE; error   : TEXT. The line is one of the PTX, so the place is dropped. */
static bool read_assembler(struct reader *reader, struct slice line)
{
    bool is_error;
    size_t place = find(line, ", line ");

    if (!starts_with(line, "ptxas ") || place == SIZE_MAX) {
        return false;
    }
    size_t end = find(line, "; ");
    if (end == SIZE_MAX || end < place) {
        return false;
    }
    struct slice text = slice_from(line, end + 2);
    if (!take_severity(&text, &is_error)) {
        return false;
    }
    push(reader, is_error, "", text);
    return true;
}

/* TOOL error   : TEXT, TOOL: fatal error: TEXT. */
static bool read_tool(struct reader *reader, struct slice line)
{
    static const char *const tools[] = {"ptxas ", "nvcc ",     "nvcc: ", "fatbinary ", "nvlink ",
                                        "cicc ",  "cc1plus: ", "g++: ",  "cudafe++ "};
    bool is_error;

    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        struct slice text = slice_from(line, starts_with(line, tools[i]) ? strlen(tools[i]) : 0);
        if (text.length < line.length && take_severity(&text, &is_error)) {
            push(reader, is_error, "", text);
            return true;
        }
    }
    return false;
}

/* The linker names a place in an object or a generated file, of no use to a student: only what is
 * missing counts, and once. */
static bool read_linker(struct reader *reader, struct slice line)
{
    static const char *const phrases[] = {"undefined reference to `", "multiple definition of `"};

    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        size_t start = find(line, phrases[i]);
        if (start == SIZE_MAX) {
            continue;
        }
        struct slice text = slice_from(line, start);
        size_t end = find(text, "';");
        text.length = end == SIZE_MAX ? trimmed(text).length : end + 1;
        for (size_t j = 0; j < reader->count; j++) {
            struct slice known = slice_of(reader->messages[j].message);
            if (known.length == text.length && memcmp(known.bytes, text.bytes, text.length) == 0) {
                return true;
            }
        }
        push(reader, true, "", text);
        return true;
    }
    size_t missing = find(line, "ld: cannot find ");
    if (missing != SIZE_MAX) {
        push(reader, true, "", slice_from(line, missing + strlen("ld: ")));
        return true;
    }
    return false;
}

void toolchain_read_messages(struct arena *arena, const char *text, size_t length,
                             const char *folder_prefix, const struct tool_message **out_messages,
                             size_t *out_count)
{
    static bool (*const forms[])(struct reader *, struct slice) = {
        read_front_end, read_host_compiler, read_assembler, read_tool, read_linker,
    };
    struct reader reader = {
        .arena = arena,
        .rest = {text, length},
        .prefix = folder_prefix == NULL ? "" : folder_prefix,
    };
    struct slice line;

    while (reader.count < MESSAGES_MAX && take_line(&reader.rest, &line)) {
        for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
            if (forms[i](&reader, trimmed(line))) {
                break;
            }
        }
    }
    /* Errors first, otherwise in their order. */
    struct tool_message *sorted = arena_array(arena, reader.count + 1, sizeof *sorted);
    size_t count = 0;
    for (int errors = 1; errors >= 0; errors--) {
        for (size_t i = 0; i < reader.count; i++) {
            if (reader.messages[i].is_error == (errors == 1)) {
                sorted[count++] = reader.messages[i];
            }
        }
    }
    *out_messages = sorted;
    *out_count = count;
}
