/* line_fixes.c: changes that compilers propose, as lines of the submission; see message_reader.h.
 *
 * Each change of a line is made in what the changes before it gave. One that lies right of them
 * moves by as much as they have lengthened the line; one that they touch is refused. */
#include "toolchain/message_reader.h"

#include "base/text.h"

#include <string.h>

enum { LINE_SHOWN_MAX = 400 }; /* bytes */

static bool can_be_shown(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
            return false;
        }
    }
    return text.length <= LINE_SHOWN_MAX && text_is_utf8(text.bytes, text.length);
}

/* The line of the submission, without the carriage return at its end. */
static bool find_line(struct message_reader *reader, const char *file, int line,
                      struct slice *out_line)
{
    if (!message_source_line(reader, file, line, out_line)) {
        return false;
    }
    while (out_line->length > 0 && out_line->bytes[out_line->length - 1] == '\r') {
        out_line->length--;
    }
    return can_be_shown(*out_line);
}

/* The index of a line's fix; the count of fixes if it has none. */
static size_t find_fix(const struct tool_message *message, const char *file, int line)
{
    size_t i = 0;

    while (i < message->fix_count &&
           (message->fixes[i].line != line || strcmp(message->fixes[i].file, file) != 0)) {
        i++;
    }
    return i;
}

/* Where columns [from, to) of a line, from 0, are after the changes that were made in it; false if
 * these touch them. */
static bool move_columns(const char *before, const char *after, size_t *from, size_t *to)
{
    size_t length = strlen(before), length_after = strlen(after);
    size_t shorter = length < length_after ? length : length_after;
    size_t front = 0, back = 0;

    while (front < shorter && before[front] == after[front]) {
        front++;
    }
    while (front + back < shorter && before[length - 1 - back] == after[length_after - 1 - back]) {
        back++;
    }
    if (*to <= front) {
        return true;
    }
    if (*from < length - back) {
        return false;
    }
    *from = *from + length_after - length;
    *to = *to + length_after - length;
    return true;
}

/* Puts a line into the fixes of a message; false if there is no room. */
static bool put_fix(struct message_reader *reader, struct tool_message *message,
                    const struct line_fix *fix)
{
    struct line_fix *fixes = arena_array(reader->arena, FIX_LINES_MAX, sizeof *fixes);

    for (size_t i = 0; i < message->fix_count; i++) {
        fixes[i] = message->fixes[i];
    }
    size_t index = find_fix(message, fix->file, fix->line);
    if (index == FIX_LINES_MAX) {
        return false;
    }
    fixes[index] = *fix;
    message->fix_count += index == message->fix_count ? 1 : 0;
    message->fixes = fixes;
    return true;
}

bool line_fix_add(struct message_reader *reader, struct tool_message *message,
                  const struct source_edit *edit)
{
    struct slice source;
    struct text made;

    if (edit->from < 1 || edit->to < edit->from ||
        !find_line(reader, edit->file, edit->line, &source) ||
        (size_t)edit->to > source.length + 1) {
        return false;
    }
    const char *before = arena_strndup(reader->arena, source.bytes, source.length);
    size_t index = find_fix(message, edit->file, edit->line);
    const struct line_fix *known = index < message->fix_count ? &message->fixes[index] : NULL;
    const char *line = known == NULL ? before : known->after;
    size_t from = (size_t)edit->from - 1, to = (size_t)edit->to - 1;
    if (known != NULL && !move_columns(before, line, &from, &to)) {
        return false;
    }
    text_init(&made);
    text_append_bytes(&made, line, from);
    text_append_bytes(&made, edit->text.bytes, edit->text.length);
    text_append(&made, line + to);
    const struct slice result = {arena_strndup(reader->arena, made.bytes, made.length),
                                 made.length};
    text_release(&made);
    const struct line_fix fix = {edit->file, edit->line, before, result.bytes};
    return can_be_shown(result) && strcmp(before, result.bytes) != 0 &&
           put_fix(reader, message, &fix);
}

/* Characters that look like others ************************************************************/

/* What a character looks like in C++; NULL if it is no such character, "" if nothing is seen. */
static const char *look_alike(uint32_t character, char room[2])
{
    static const struct {
        uint32_t first, last;
        const char *text;
    } rows[] = {
        {0x00a0, 0x00a0, " "},  /* no-break space */
        {0x00d7, 0x00d7, "*"},  /* multiplication sign */
        {0x2000, 0x200a, " "},  /* spaces of several widths */
        {0x200b, 0x200d, ""},   /* of no width */
        {0x2010, 0x2015, "-"},  /* hyphens and dashes */
        {0x2018, 0x201b, "'"},  /* single quotes */
        {0x201c, 0x201f, "\""}, /* double quotes */
        {0x202f, 0x202f, " "},  {0x2212, 0x2212, "-"}, {0x3000, 0x3000, " "}, {0xfeff, 0xfeff, ""},
    };

    if (character >= 0xff01 && character <= 0xff5e) { /* of full width */
        room[0] = (char)(character - 0xff01 + '!');
        room[1] = '\0';
        return room;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (character >= rows[i].first && character <= rows[i].last) {
            return rows[i].text;
        }
    }
    return NULL;
}

/* True if one of such characters is in a text. */
static bool has_look_alike(struct slice text)
{
    char room[2];

    for (size_t i = 0; i < text.length;) {
        uint32_t character;
        size_t length = text_character(text.bytes + i, text.length - i, &character);
        if (length > 1 && look_alike(character, room) != NULL) {
            return true;
        }
        i += length > 0 ? length : 1;
    }
    return false;
}

/* Writes a line with what its characters look like, but for comments, and strings in right quotes.
 */
static void append_plain(struct slice line, struct text *out)
{
    bool is_string = false;
    char room[2];

    for (size_t i = 0; i < line.length;) {
        uint32_t character;
        struct slice rest = slice_from(line, i);
        size_t length = text_character(rest.bytes, rest.length, &character);
        const char *plain = is_string ? NULL : look_alike(character, room);
        if (!is_string && slice_starts_with(rest, "//")) {
            text_append_bytes(out, rest.bytes, rest.length);
            return;
        }
        is_string = is_string != (character == '"');
        length = length > 0 ? length : 1;
        if (plain != NULL) {
            text_append(out, plain);
        } else {
            text_append_bytes(out, rest.bytes, length);
        }
        i += length;
    }
}

/* The column from which on a line is another one. */
static int first_change(const struct line_fix *fix)
{
    int column = 1;

    while (fix->before[column - 1] == fix->after[column - 1]) {
        column++;
    }
    while (column > 1 && ((unsigned char)fix->before[column - 1] & 0xc0) == 0x80) {
        column--; /* where the character starts */
    }
    return column;
}

void fix_look_alikes(struct message_reader *reader, struct tool_message *error)
{
    struct slice source;
    struct text made;

    if (!error->is_error || error->line < 1 ||
        !find_line(reader, error->file, error->line, &source)) {
        return;
    }
    size_t column = error->column > 0 ? (size_t)error->column - 1 : source.length;
    struct slice at = slice_from(source, column < source.length ? column : source.length);
    uint32_t character;
    at.length = at.length > 0 ? text_character(at.bytes, at.length, &character) : 0;
    if (!has_look_alike(at) && !has_look_alike(slice_of(error->message))) {
        return;
    }
    text_init(&made);
    append_plain(source, &made);
    const struct line_fix fix = {
        .file = error->file,
        .line = error->line,
        .before = arena_strndup(reader->arena, source.bytes, source.length),
        .after = arena_strndup(reader->arena, made.bytes, made.length),
    };
    text_release(&made);
    error->fix_count = 0;
    if (strcmp(fix.before, fix.after) != 0) {
        put_fix(reader, error, &fix);
        error->column = error->column > 0 ? error->column : first_change(&fix);
    }
}
