/* linker_messages.c: messages of ptxas, nvlink and ld; see compiler_messages.c.
 *
 *   ptxas FILE, line LINE; error   : TEXT     LINE of the PTX; the .loc before it is the source's
 *   ptxas fatal   : Unresolved extern function '_Z7productff'
 *   nvlink error   : Multiple definition of '_Z6twice2i' in 'b.o', first defined in 'a.o'
 *   ld: FILE:(.text+0x0): undefined reference to `launchTiled(float*, int)'
 *   FILE:(.text+0x0): relocation truncated to fit: TYPE against symbol `NAME' defined in ...
 *
 * Places in objects and generated files are of no use to a student and left out; what is named is
 * the message's symbol. Mangled names are made readable, and numbers decimal.
 */
#include "base/text.h"
#include "toolchain/message_reader.h"

#include <stdlib.h>
#include <string.h>

/* Names ****************************************************************************************/

/* "f" for "void ns::f<3>(int)", with what it lies in: "ns::f". */
static const char *plain_symbol(struct arena *arena, struct slice name)
{
    struct text plain;
    size_t depth = 0;

    text_init(&plain);
    for (size_t i = 0; i < name.length; i++) {
        char c = name.bytes[i];
        if (c == '<') {
            depth++;
        } else if (c == '>') {
            depth -= depth > 0 ? 1 : 0;
        } else if (depth == 0 && c == '(') {
            break;
        } else if (depth == 0 && c == ' ') {
            text_clear(&plain); /* a return type */
        } else if (depth == 0) {
            text_append_char(&plain, c);
        }
    }
    const char *copy = arena_strndup(arena, plain.bytes, plain.length);
    text_release(&plain);
    return copy;
}

const char *toolchain_message_symbol(struct arena *arena, const char *message)
{
    static const char *const phrases[] = {
        "undefined reference to `", "multiple definition of `", "function '", "variable '",
        "Undefined reference to '", "Multiple definition of '",
    };

    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        const char *start = strstr(message, phrases[i]);
        const char *end = start == NULL ? NULL : strchr(start + strlen(phrases[i]), '\'');
        if (end == NULL) {
            continue;
        }
        start += strlen(phrases[i]);
        const char *name = arena_strndup(arena, start, (size_t)(end - start));
        return strncmp(name, "_Z", 2) == 0 ? toolchain_plain_name(arena, name)
                                           : plain_symbol(arena, slice_of(name));
    }
    return NULL;
}

/* The length of a mangled name in quotes at the front, 0 if there is none. */
static size_t mangled_length(struct slice text)
{
    size_t length = 1;

    if (!slice_starts_with(text, "'_Z")) {
        return 0;
    }
    while (length < text.length && text.bytes[length] != '\'') {
        length++;
    }
    return length < text.length ? length - 1 : 0;
}

const char *toolchain_readable_message(struct arena *arena, const char *text)
{
    struct slice message = slice_of(text);
    struct text readable;

    text_init(&readable);
    for (size_t i = 0; i < message.length;) {
        struct slice rest = slice_from(message, i);
        size_t mangled = mangled_length(rest);
        if (mangled > 0) {
            const char *name = arena_strndup(arena, rest.bytes + 1, mangled);
            text_printf(&readable, "'%s'", toolchain_plain_name(arena, name));
            i += mangled + 2;
        } else if (slice_starts_with(rest, "0x")) {
            const char *digits =
                arena_strndup(arena, rest.bytes, rest.length < 18 ? rest.length : 18);
            char *end = NULL;
            unsigned long long value = strtoull(digits, &end, 16);
            bool is_size = strncmp(end, " bytes", 6) == 0 || strncmp(end, " max", 4) == 0;
            size_t length = (size_t)(end - digits);
            if (is_size) {
                text_printf(&readable, "%llu", value);
            } else {
                text_append_bytes(&readable, rest.bytes, length);
            }
            i += length;
        } else {
            text_append_char(&readable, rest.bytes[0]);
            i++;
        }
    }
    const char *copy = arena_strndup(arena, readable.bytes, readable.length);
    text_release(&readable);
    return copy;
}

static struct tool_message *add_readable(struct message_reader *reader, bool is_error,
                                         struct slice text)
{
    struct tool_message *message = message_add(reader, is_error, "", text);

    message->symbol = toolchain_message_symbol(reader->arena, message->message);
    message->message = toolchain_readable_message(reader->arena, message->message);
    return message;
}

/* ptxas and nvlink *****************************************************************************/

/* The name in `.file INDEX "NAME"`; empty if there is none. */
static struct slice ptx_file(struct slice ptx, int index)
{
    struct slice line;

    while (slice_take_line(&ptx, &line)) {
        struct slice text = slice_trimmed(line);
        int number;
        if (!slice_starts_with(text, ".file")) {
            continue;
        }
        text = slice_trimmed(slice_from(text, strlen(".file")));
        size_t open = slice_find(text, "\"");
        if (slice_take_number(&text, &number) && number == index && open != SIZE_MAX) {
            struct slice name = slice_trimmed(text);
            name = slice_from(name, slice_starts_with(name, "\"") ? 1 : 0);
            size_t end = slice_find(name, "\"");
            name.length = end == SIZE_MAX ? 0 : end;
            return name;
        }
    }
    return (struct slice){"", 0};
}

/* What stands behind the last slash. */
static struct slice last_component(struct slice path)
{
    for (size_t i = path.length; i > 0; i--) {
        if (path.bytes[i - 1] == '/') {
            return slice_from(path, i);
        }
    }
    return path;
}

/* Places a message at the source of a line of the PTX: the last .loc before it in its function. The
 * PTX names files by their whole path, which without a folder to cut is left out. */
static void place_ptx_line(struct message_reader *reader, int ptx_line,
                           struct tool_message *message)
{
    struct slice rest =
        reader->sources->ptx == NULL ? (struct slice){"", 0} : slice_of(reader->sources->ptx);
    struct slice line;
    int file = 0;
    int number = 0;
    int column = 0;

    for (int i = 1; i <= ptx_line && slice_take_line(&rest, &line); i++) {
        struct slice text = slice_trimmed(line);
        int parts[3] = {0, 0, 0};
        if (slice_starts_with(text, "}")) {
            file = 0;
        }
        if (!slice_starts_with(text, ".loc")) {
            continue;
        }
        text = slice_from(text, strlen(".loc"));
        for (size_t j = 0; j < 3; j++) {
            text = slice_trimmed(text);
            slice_take_number(&text, &parts[j]);
        }
        file = parts[0];
        number = parts[1];
        column = parts[2];
    }
    struct slice name = file > 0 && number > 0 ? ptx_file(slice_of(reader->sources->ptx), file)
                                               : (struct slice){"", 0};
    if (name.length > 0) {
        bool has_folder = reader->sources->folder != NULL && reader->sources->folder[0] != '\0';
        message->file = message_file(reader, has_folder ? name : last_component(name));
        message->line = number;
        message->column = column;
    }
}

/* True for what only says that there were errors. */
static bool is_summary(const struct message_reader *reader, struct slice text)
{
    return reader->count > 0 && (slice_starts_with(text, "Ptx assembly aborted") ||
                                 slice_starts_with(text, "merge_elf failed"));
}

bool read_assembler_message(struct message_reader *reader, struct slice line)
{
    bool is_ptxas = slice_starts_with(line, "ptxas ");
    size_t place = slice_find(line, ", line ");
    size_t end = slice_find(line, "; ");
    bool is_error;
    int number = 0;

    if (!is_ptxas && !slice_starts_with(line, "nvlink ")) {
        return false;
    }
    struct slice text = slice_from(line, strlen(is_ptxas ? "ptxas " : "nvlink "));
    if (is_ptxas && place != SIZE_MAX && end != SIZE_MAX && place < end) {
        struct slice digits = slice_from(line, place + strlen(", line "));
        slice_take_number(&digits, &number);
        text = slice_from(line, end + 2);
    }
    if (!slice_take_severity(&text, &is_error)) {
        return false;
    }
    if (is_summary(reader, text)) {
        return true;
    }
    struct tool_message *message = add_readable(reader, is_error, text);
    if (reader->count == 1) { /* a long text to search, and the first message counts */
        place_ptx_line(reader, number, message);
    }
    return true;
}

/* ld *******************************************************************************************/

static bool is_known(const struct message_reader *reader, struct slice text)
{
    for (size_t i = 0; i < reader->count; i++) {
        struct slice known = slice_of(reader->messages[i].message);
        if (known.length == text.length && memcmp(known.bytes, text.bytes, text.length) == 0) {
            return true;
        }
    }
    return false;
}

/* An array that is too large gives this for everything that lies behind it: once is enough. */
static bool is_truncation_again(const struct message_reader *reader, struct slice text)
{
    static const char phrase[] = "relocation truncated to fit";

    for (size_t i = 0; i < reader->count && slice_starts_with(text, phrase); i++) {
        if (strncmp(reader->messages[i].message, phrase, sizeof phrase - 1) == 0) {
            return true;
        }
    }
    return false;
}

bool read_linker_message(struct message_reader *reader, struct slice line)
{
    static const struct {
        const char *phrase;
        size_t skipped;  /* bytes of it that are left out */
        const char *end; /* where what counts ends, and how much of it belongs to it */
        size_t kept;
    } phrases[] = {
        {"undefined reference to `", 0, "';", 1},
        {"multiple definition of `", 0, "';", 1},
        {"relocation truncated to fit: ", 0, " defined in ", 0},
        {"ld: cannot find ", 4, NULL, 0},
        {"ld: final link failed: ", 4, NULL, 0},
        {"ld: section ", 4, NULL, 0},
    };

    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        size_t start = slice_find(line, phrases[i].phrase);
        if (start == SIZE_MAX) {
            continue;
        }
        struct slice text = slice_from(line, start + phrases[i].skipped);
        size_t end = phrases[i].end == NULL ? SIZE_MAX : slice_find(text, phrases[i].end);
        text.length = end == SIZE_MAX ? slice_trimmed(text).length : end + phrases[i].kept;
        if (!is_known(reader, text) && !is_truncation_again(reader, text)) {
            add_readable(reader, true, text);
        }
        return true;
    }
    return false;
}
