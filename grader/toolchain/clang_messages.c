/* clang_messages.c: the messages of clang; see compiler_messages.c.
 *
 *   In file included from FILE:LINE:            any number of them
 *   FILE:LINE:COLUMN: error: TEXT [-Wname]
 *      12 |     the source line                  below clang 17 as it is, without "12 |"
 *         |     ^~~~~
 *         |     what should stand there
 *   fix-it:"FILE":{12:5-12:10}:"what should stand there"
 *   FILE:LINE:COLUMN: note: TEXT                any number of them, with lines of their own
 *   1 error generated when compiling for sm_75.
 *
 * It must be run with clang_message_flags. Columns are bytes, from 1. What notes say of the
 * submission's own lines is kept, and why the best candidate for a call does not fit; their other
 * places lie in headers. An error in a header is reported at the line of the submission that it was
 * instantiated from, or that included it. An error that names what is not declared is reported once
 * for each name; its other places only add to the fix.
 */
#include "toolchain/message_reader.h"

#include "base/text.h"
#include "model/verdict.h"

#include <string.h>

enum { DISPLAY_LINES = 3, WARNING_REACH = 3, EDIT_BYTES_MAX = 200 };

/* clang warns by itself of `=` in conditions, `==` as a statement, empty bodies, constant indices
 * out of bounds, formats of printf, sizeof of a pointer, `(16, 16)` for a dim3. */
const char *const clang_message_flags[] = {
    "-fno-color-diagnostics",
    "-fdiagnostics-parseable-fixits",
    "-ferror-limit=50",
    "-Wuninitialized",
    "-Wsometimes-uninitialized",
    "-Wtautological-overlap-compare",
    "-Wtautological-unsigned-zero-compare", /* `j >= 0` of an unsigned j */
    "-Wfor-loop-analysis",                  /* a loop that steps another variable */
    "-Wmisleading-indentation",
    "-Wself-assign",
    "-Wno-implicit-const-int-float-conversion", /* RAND_MAX as float */
    NULL,
};

/* What stands below the first line of a message. */
struct details {
    struct tool_message *message; /* gets the fixes: an earlier one that says the same of the same
                                     name, or the message itself; NULL: none does */
    bool is_repeat;
    bool is_refused;      /* a part of its fix does not fit: then there is none */
    bool in_reason;       /* in the note of the candidate that is reported */
    struct slice reason;  /* why it does not fit; empty: there is none */
    struct slice file;    /* the last place in the submission that it was instantiated from */
    int line, column;     /* 0: none */
    size_t display_lines; /* how many more may show the source as it is */
};

/* Lines *****************************************************************************************/

/* "   12 |     text" and "      |     ^~~~" */
static bool has_gutter(struct slice line)
{
    struct slice text = slice_trimmed(line);
    int unused;

    slice_take_number(&text, &unused);
    return slice_starts_with(slice_trimmed(text), "|");
}

/* "2 warnings and 1 error generated when compiling for sm_75." */
static bool is_summary(struct slice line)
{
    int unused;

    return slice_take_number(&line, &unused) && slice_find(line, " generated") != SIZE_MAX;
}

/* Leaves out " [-Wname]" at the end. */
static struct slice without_option(struct slice text)
{
    size_t open = text.length;

    if (text.length == 0 || text.bytes[text.length - 1] != ']') {
        return text;
    }
    while (open > 0 && text.bytes[open - 1] != '[') {
        open--;
    }
    bool is_option = open > 1 && slice_starts_with(slice_from(text, open), "-");
    return is_option ? slice_trimmed((struct slice){text.bytes, open - 1}) : text;
}

/* A text as a student knows its names: 'threadIdx' for '__cuda_builtin_threadIdx_t'. */
static struct slice readable(struct arena *arena, struct slice text)
{
    static const char prefix[] = "__cuda_builtin_";
    struct text made;

    if (slice_find(text, prefix) == SIZE_MAX) {
        return text;
    }
    text_init(&made);
    for (size_t at = slice_find(text, prefix); at != SIZE_MAX; at = slice_find(text, prefix)) {
        text_append_bytes(&made, text.bytes, at);
        text = slice_from(text, at + strlen(prefix));
        size_t end = slice_find(text, "_t");
        if (end != SIZE_MAX) {
            text_append_bytes(&made, text.bytes, end);
            text = slice_from(text, end + strlen("_t"));
        }
    }
    text_append_bytes(&made, text.bytes, text.length);
    const struct slice copy = {arena_strndup(arena, made.bytes, made.length), made.length};
    text_release(&made);
    return copy;
}

/* Fixes *****************************************************************************************/

/* Takes a text in quotes: clang writes \n, \t, \", \\ and others as three octal digits. */
static bool take_quoted(struct arena *arena, struct slice *rest, struct slice *out_text)
{
    char *bytes = arena_alloc(arena, EDIT_BYTES_MAX + 1);
    size_t count = 0, at = 1;

    if (!slice_starts_with(*rest, "\"")) {
        return false;
    }
    while (at < rest->length && rest->bytes[at] != '"' && count < EDIT_BYTES_MAX) {
        const char *byte = rest->bytes + at;
        size_t left = rest->length - at;
        bool is_escape = *byte == '\\' && left > 1;
        bool is_octal = is_escape && left > 3 && byte[1] >= '0' && byte[1] <= '3' &&
                        byte[2] >= '0' && byte[2] <= '7' && byte[3] >= '0' && byte[3] <= '7';
        bytes[count++] = is_octal
                             ? (char)((byte[1] - '0') << 6 | (byte[2] - '0') << 3 | (byte[3] - '0'))
                         : !is_escape     ? *byte
                         : byte[1] == 'n' ? '\n'
                         : byte[1] == 't' ? '\t'
                                          : byte[1];
        at += is_octal ? 4 : is_escape ? 2 : 1;
    }
    if (at >= rest->length || rest->bytes[at] != '"') {
        return false;
    }
    *out_text = (struct slice){bytes, count};
    *rest = slice_from(*rest, at + 1);
    return true;
}

/* Takes "LINE:COLUMN" and what stands before it. */
static bool take_position(struct slice *rest, const char *before, int *out_line, int *out_column)
{
    if (!slice_starts_with(*rest, before)) {
        return false;
    }
    *rest = slice_from(*rest, strlen(before));
    if (!slice_take_number(rest, out_line) || !slice_starts_with(*rest, ":")) {
        return false;
    }
    *rest = slice_from(*rest, 1);
    return slice_take_number(rest, out_column);
}

/* fix-it:"FILE":{LINE:COLUMN-LINE:COLUMN}:"TEXT"; false if it is none, or spans lines. */
static bool read_edit(struct message_reader *reader, struct slice line, struct source_edit *out)
{
    static const char start[] = "fix-it:";
    struct slice rest = slice_from(line, strlen(start));
    struct slice file;
    int end_line = 0;

    if (!take_quoted(reader->arena, &rest, &file) ||
        !take_position(&rest, ":{", &out->line, &out->from) ||
        !take_position(&rest, "-", &end_line, &out->to) || !slice_starts_with(rest, "}:")) {
        return false;
    }
    rest = slice_from(rest, strlen("}:"));
    out->file = message_file(reader, file);
    return take_quoted(reader->arena, &rest, &out->text) && end_line == out->line;
}

/* True for a semicolon within a line: what is missing there seldom is one. */
static bool is_doubtful(struct message_reader *reader, const struct source_edit *edit)
{
    struct slice source;

    if (edit->text.length != 1 || edit->text.bytes[0] != ';' ||
        !message_source_line(reader, edit->file, edit->line, &source) ||
        (size_t)edit->from > source.length) {
        return false;
    }
    struct slice rest = slice_trimmed(slice_from(source, (size_t)edit->from - 1));
    return rest.length > 0 && !slice_starts_with(rest, "}") && !slice_starts_with(rest, "//") &&
           !slice_starts_with(rest, "/*");
}

static void read_fix(struct message_reader *reader, struct slice line, struct details *details)
{
    struct tool_message *message = details->message;
    struct source_edit edit;

    if (message == NULL || !message->is_error || details->is_refused) {
        return;
    }
    bool fits = read_edit(reader, line, &edit) && edit.from > 0 && !is_doubtful(reader, &edit) &&
                line_fix_add(reader, message, &edit);
    if (!fits && !details->is_repeat) { /* half a fix is none */
        message->fix_count = 0;
        details->is_refused = true;
    }
}

/* Notes *****************************************************************************************/

static void add_note(struct message_reader *reader, struct tool_message *message, const char *file,
                     const struct message_head *head, struct slice text)
{
    struct cause_mark *notes = arena_array(reader->arena, MESSAGE_NOTES_MAX, sizeof *notes);

    bool is_known = message->line == head->line && strcmp(message->file, file) == 0;
    for (size_t i = 0; i < message->note_count; i++) {
        notes[i] = message->notes[i];
        is_known = is_known || (notes[i].line == head->line && strcmp(notes[i].file, file) == 0);
    }
    if (is_known || message->note_count == MESSAGE_NOTES_MAX) {
        return;
    }
    notes[message->note_count++] = (struct cause_mark){
        .file = file,
        .line = head->line,
        .column = head->column,
        .label = arena_strndup(reader->arena, text.bytes, text.length),
    };
    message->notes = notes;
}

/* "candidate function not viable: REASON", "candidate template ignored: REASON" */
static bool candidate_reason(struct slice text, struct slice *out_reason)
{
    size_t colon = slice_find(text, ": ");

    if (!slice_starts_with(text, "candidate ") || colon == SIZE_MAX) {
        return false;
    }
    *out_reason = slice_from(text, colon + strlen(": "));
    return true;
}

static void read_note(struct message_reader *reader, const struct message_head *head,
                      struct details *details)
{
    const char *file = message_file(reader, head->file);
    bool is_own = message_file_is_own(file);
    bool is_from = slice_find(head->text, " requested here") != SIZE_MAX;
    struct slice reason;
    bool is_candidate = candidate_reason(head->text, &reason);

    details->in_reason = is_candidate && details->reason.length == 0;
    if (details->in_reason) {
        details->reason = reason;
    }
    if (is_own && is_from && details->line == 0) {
        details->file = head->file;
        details->line = head->line;
        details->column = head->column;
    }
    if (is_own && details->message != NULL && !details->is_repeat) {
        struct slice text = is_candidate ? slice_of("declared here") : head->text;
        add_note(reader, details->message, file, head, readable(reader->arena, text));
    }
}

/* One message ***********************************************************************************/

/* True if the text of a message quotes what stands at its place: 'idx' at "idx < n". */
static bool names_its_place(struct message_reader *reader, const struct tool_message *message)
{
    const char *open = strchr(message->message, '\'');
    const char *close = open == NULL ? NULL : strchr(open + 1, '\'');
    struct slice source;

    if (close == NULL || close == open + 1 || message->column < 1 ||
        !message_source_line(reader, message->file, message->line, &source) ||
        (size_t)message->column > source.length) {
        return false;
    }
    source = slice_from(source, (size_t)message->column - 1);
    size_t length = (size_t)(close - open - 1);
    return source.length >= length && memcmp(source.bytes, open + 1, length) == 0;
}

/* The earlier message that says the same: at the same place, where the host's code and the device's
 * are read one after the other, or of the same name. NULL: none does. */
static struct tool_message *find_same(struct message_reader *reader, size_t index,
                                      bool *out_is_there)
{
    const struct tool_message *message = &reader->messages[index];
    const bool is_of_name = message->is_error && names_its_place(reader, message);

    for (size_t i = 0; i < index; i++) {
        struct tool_message *other = &reader->messages[i];
        *out_is_there = other->line == message->line && other->column == message->column &&
                        strcmp(other->file, message->file) == 0;
        if ((*out_is_there || is_of_name) && other->is_error == message->is_error &&
            strncmp(other->message, message->message, strlen(message->message)) == 0 &&
            (*out_is_there || (strcmp(other->message, message->message) == 0 &&
                               strcmp(other->file, message->file) == 0))) {
            return other;
        }
    }
    return NULL;
}

/* Reads what stands below a message, up to the next one. */
static void read_details(struct message_reader *reader, struct details *details)
{
    struct slice rest = reader->rest;
    struct message_head head;
    struct slice line;

    details->display_lines = DISPLAY_LINES;
    while (slice_take_line(&rest, &line)) {
        struct slice text = slice_trimmed(line);
        if (slice_starts_with(text, "fix-it:")) {
            bool is_of_note = details->reason.length > 0;
            if (!is_of_note || (details->in_reason && !details->is_repeat)) {
                read_fix(reader, text, details);
            }
        } else if (has_gutter(line)) {
            ; /* the source, as it is known */
        } else if (message_take_head(text, &head)) {
            if (head.kind != HEAD_NOTE) {
                break;
            }
            read_note(reader, &head, details);
            details->display_lines = DISPLAY_LINES;
        } else if (details->display_lines == 0 || is_summary(text) ||
                   slice_starts_with(text, "In file included from ")) {
            break;
        } else {
            details->display_lines--;
        }
        reader->rest = rest;
    }
}

/* A message in a header: its place in the submission. */
static void place_in_submission(struct message_reader *reader, const struct details *details,
                                struct tool_message *message)
{
    const char *slash = strrchr(message->file, '/');
    const char *name = slash == NULL ? message->file : slash + 1;

    if (details->line == 0 && reader->include_line == 0) {
        return;
    }
    message->message = arena_printf(reader->arena, "%s (in %s)", message->message, name);
    message->file = message_file(reader, details->line > 0 ? details->file : reader->include_file);
    message->line = details->line > 0 ? details->line : reader->include_line;
    message->column = details->line > 0 ? details->column : 0;
}

/* A parser often warns of what it stumbles over next: a warning at the place of the error says what
 * is wrong there, one just above it is marked. */
static void add_warning_before(struct message_reader *reader, size_t index)
{
    struct tool_message *error = &reader->messages[index];
    const struct tool_message *warning = index > 0 ? &reader->messages[index - 1] : NULL;

    if (warning == NULL || warning->is_error || strcmp(warning->file, error->file) != 0 ||
        warning->line > error->line || warning->line < error->line - WARNING_REACH) {
        return;
    }
    if (warning->line == error->line && warning->column == error->column) {
        error->message = warning->message;
        return;
    }
    const struct message_head head = {.line = warning->line, .column = warning->column};
    add_note(reader, error, error->file, &head, slice_of(warning->message));
}

static void complete(struct message_reader *reader, size_t index)
{
    struct tool_message *message = &reader->messages[index];
    bool is_there = false;
    struct tool_message *same = find_same(reader, index, &is_there);
    struct details details = {
        .message = same == NULL ? message
                   : is_there   ? NULL
                                : same,
        .is_repeat = same != NULL,
    };

    read_details(reader, &details);
    if (same != NULL) {
        reader->count = index;
        return;
    }
    if (details.reason.length > 0) {
        struct slice reason = readable(reader->arena, details.reason);
        message->message = arena_printf(reader->arena, "%s: %.*s", message->message,
                                        (int)reason.length, reason.bytes);
    }
    if (!message_file_is_own(message->file)) {
        place_in_submission(reader, &details, message);
    }
    if (message->is_error) {
        add_warning_before(reader, index);
    }
}

bool read_clang_message(struct message_reader *reader, struct slice line)
{
    struct message_head head;

    if (!message_take_head(line, &head)) {
        return false;
    }
    struct slice text = readable(reader->arena, without_option(head.text));
    if (head.kind != HEAD_NOTE && !slice_starts_with(text, "too many errors emitted")) {
        struct tool_message *message =
            message_add(reader, head.kind == HEAD_ERROR, message_file(reader, head.file), text);
        message->line = head.line;
        message->column = head.column;
        complete(reader, reader->count - 1);
    }
    reader->include_line = 0;
    return true;
}
