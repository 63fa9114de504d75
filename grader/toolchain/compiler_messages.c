/* compiler_messages.c: what compilers, assembler and linker print, as messages; see toolchain.h.
 *
 *   nvcc's front end   FILE(LINE): error: TEXT          front_end_messages.c
 *   host compiler      FILE:LINE:COLUMN: error: TEXT    here
 *   clang              FILE:LINE:COLUMN: error: TEXT    clang_messages.c
 *   ptxas              ptxas FILE, line LINE; error   : TEXT
 *   linker             ld: PLACE: undefined reference to `NAME'      both in linker_messages.c
 *   any tool           TOOL fatal   : TEXT, TOOL: fatal error: TEXT
 *
 * The text is foreign: every line may be anything. Each form has a reader, tried in the order of
 * the table `forms`; a line that none knows is skipped. A place outside of the submission is no
 * place, and a warning without one is about nothing that a student wrote.
 */
#include "toolchain/message_reader.h"

#include <string.h>

enum { MESSAGES_MAX = 1000 }; /* of errors, and of warnings */

/* The host compiler ****************************************************************************/

/* "In file included from FILE:LINE," and "                 from FILE:LINE:" before a message, and
 * "FILE:LINE:COLUMN:   required from here": keeps the last place in the submission. */
bool read_include_chain(struct message_reader *reader, struct slice line)
{
    size_t from = slice_find(line, "from ");
    bool is_chain =
        slice_starts_with(line, "In file included from ") ||
        (from != SIZE_MAX && slice_trimmed((struct slice){line.bytes, from}).length == 0);
    bool is_required = slice_find(line, "required from here") != SIZE_MAX;
    int number;

    if (!is_chain && !is_required) {
        return false;
    }
    struct slice place = is_required ? line : slice_from(line, from + strlen("from "));
    size_t colon = slice_find(place, ":");
    struct slice digits = slice_from(place, colon == SIZE_MAX ? place.length : colon + 1);
    if (slice_take_number(&digits, &number)) {
        struct slice name = {place.bytes, colon};
        if (message_file_is_own(message_file(reader, name))) {
            reader->include_file = name;
            reader->include_line = number;
        }
    }
    return true;
}

/* g++ counts the columns of a screen: tabs are up to 8. What it compiles is not the source but what
 * the front end made of it, except for directives, so only there the column is the source's. */
static int directive_column(struct message_reader *reader, const struct tool_message *message,
                            int column)
{
    struct slice source;
    int on_screen = 1;

    if (!message_source_line(reader, message->file, message->line, &source) ||
        !slice_starts_with(slice_trimmed(source), "#")) {
        return 0;
    }
    for (size_t i = 0; i < source.length; i++) {
        if (on_screen == column) {
            return (int)i + 1;
        }
        if ((unsigned char)source.bytes[i] >= 0x80) {
            return 0;
        }
        on_screen = source.bytes[i] == '\t' ? (on_screen - 1) / 8 * 8 + 9 : on_screen + 1;
    }
    return 0;
}

/* FILE:LINE:COLUMN: error: TEXT, also without the column. */
bool read_host_compiler_message(struct message_reader *reader, struct slice line)
{
    struct message_head head;

    if (!message_take_head(line, &head) || head.kind == HEAD_NOTE) {
        return false;
    }
    struct tool_message *message =
        message_add(reader, head.kind == HEAD_ERROR, message_file(reader, head.file), head.text);
    message->line = head.line;
    message->column = directive_column(reader, message, head.column);
    if (!message_file_is_own(message->file) && reader->include_line > 0) {
        message->file = message_file(reader, reader->include_file);
        message->line = reader->include_line;
        message->column = 0;
    }
    reader->include_line = 0;
    return true;
}

/* Tools that say what they are *****************************************************************/

/* "TOOL error   : TEXT", "TOOL: fatal error: TEXT". */
static bool read_tool_message(struct message_reader *reader, struct slice line)
{
    static const char *const tools[] = {"nvcc ",     "nvcc: ", "fatbinary ", "cicc ",
                                        "cc1plus: ", "g++: ",  "cudafe++ "};
    bool is_error;

    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        struct slice text =
            slice_from(line, slice_starts_with(line, tools[i]) ? strlen(tools[i]) : 0);
        if (text.length < line.length && slice_take_severity(&text, &is_error)) {
            message_add(reader, is_error, "", text);
            return true;
        }
    }
    return false;
}

/* The whole text *******************************************************************************/

/* "clang", "clang++-19" in front of ": ": leaves it out. */
static bool take_driver(struct slice *line)
{
    size_t colon = slice_find(*line, ": ");

    if (!slice_starts_with(*line, "clang") || colon == SIZE_MAX ||
        slice_find((struct slice){line->bytes, colon}, " ") != SIZE_MAX) {
        return false;
    }
    *line = slice_trimmed(slice_from(*line, colon + 1));
    return true;
}

/* "clang: error: TEXT"; behind another error it only says that there was one. If the code generator
 * gave up, "fatal error: error in backend: TEXT" stands before such a line. */
static bool read_driver_message(struct message_reader *reader, struct slice line)
{
    bool is_error;

    if ((!take_driver(&line) && !slice_starts_with(line, "fatal error: error in backend: ")) ||
        !slice_take_severity(&line, &is_error)) {
        return false;
    }
    if (!is_error || reader->count == 0 || !reader->messages[0].is_error) {
        message_add(reader, is_error, "", line);
    }
    return true;
}

/* Leaves out places outside of the submission, and what is worth nothing without one. */
static bool is_worth_reporting(struct tool_message *message)
{
    if (!message_file_is_own(message->file)) {
        message->file = "";
        message->line = 0;
        message->column = 0;
    }
    return message->is_error || message->line > 0;
}

static bool is_same(const struct tool_message *left, const struct tool_message *right)
{
    return left->is_error == right->is_error && left->line == right->line &&
           left->column == right->column && strcmp(left->file, right->file) == 0 &&
           strcmp(left->message, right->message) == 0;
}

/* A source is compiled twice, for the host and for the device, and says some things twice. */
static bool is_new(const struct tool_message *messages, size_t count,
                   const struct tool_message *message)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same(&messages[i], message)) {
            return false;
        }
    }
    return true;
}

/* Takes out new messages for which there is no room: warnings cost no error. How many these are. */
static size_t keep_what_fits(struct message_reader *reader, size_t before, size_t rooms[2])
{
    size_t count = reader->count;

    reader->count = before;
    for (size_t i = before; i < count; i++) {
        size_t *room = &rooms[reader->messages[i].is_error ? 1 : 0];
        if (*room > 0) {
            --*room;
            reader->messages[reader->count++] = reader->messages[i];
        }
    }
    return count - reader->count;
}

void toolchain_read_messages(struct arena *arena, const char *text, size_t length,
                             const struct message_sources *sources,
                             const struct tool_message **out_messages, size_t *out_count)
{
    typedef bool (*form_reader)(struct message_reader *, struct slice);
    static const form_reader of_nvcc[] = {
        read_front_end_message,
        read_host_compiler_message,
        read_assembler_message,
        read_tool_message,
        read_linker_message,
        read_include_chain,
        NULL,
    };
    static const form_reader of_clang[] = {
        read_clang_message, read_driver_message, read_linker_message, read_include_chain, NULL,
    };
    static const struct message_sources none = {.folder = ""};
    struct message_reader reader = {
        .arena = arena,
        .rest = {text, length},
        .sources = sources == NULL ? &none : sources,
    };
    const form_reader *forms = reader.sources->is_clang ? of_clang : of_nvcc;
    struct slice line;

    size_t rooms[2] = {MESSAGES_MAX, MESSAGES_MAX}; /* for warnings, for errors */
    size_t left_out = 0;

    while (slice_take_line(&reader.rest, &line)) {
        size_t before = reader.count;
        for (size_t i = 0; forms[i] != NULL; i++) {
            if (forms[i](&reader, slice_trimmed(line))) {
                break;
            }
        }
        left_out += keep_what_fits(&reader, before, rooms);
    }
    /* Errors first, otherwise in their order. */
    struct tool_message *sorted = arena_array(arena, reader.count + 1, sizeof *sorted);
    size_t count = 0;
    for (int errors = 1; errors >= 0; errors--) {
        for (size_t i = 0; i < reader.count; i++) {
            struct tool_message *message = &reader.messages[i];
            if (message->is_error == (errors == 1) && is_worth_reporting(message) &&
                is_new(sorted, count, message)) {
                fix_look_alikes(&reader, message);
                sorted[count++] = *message;
            }
        }
    }
    if (left_out > 0) {
        sorted[count++] = (struct tool_message){
            .file = "",
            .message = arena_printf(arena, "%zu more messages are not listed", left_out),
        };
    }
    *out_messages = sorted;
    *out_count = count;
}
