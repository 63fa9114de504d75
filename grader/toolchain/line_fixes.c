/* line_fixes.c: changes that compilers propose, as lines of a submission; see message_reader.h. */
#include "toolchain/message_reader.h"

#include "base/text.h"
#include "source/source_edit.h"

#include <string.h>

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
    return line_can_be_shown(out_line->bytes, out_line->length);
}

static void set_fixes(struct message_reader *reader, struct tool_message *message,
                      const struct line_fixes *fixes)
{
    struct line_fixes *kept = arena_alloc(reader->arena, sizeof *kept);

    *kept = *fixes;
    message->fixes = kept->lines;
    message->fix_count = kept->count;
}

bool line_fix_add(struct message_reader *reader, struct tool_message *message,
                  const struct source_edit *edit)
{
    struct line_fixes fixes = {.count = message->fix_count};
    struct slice source;

    for (size_t i = 0; i < fixes.count; i++) {
        fixes.lines[i] = message->fixes[i];
    }
    if (edit->from < 1 || edit->to < edit->from ||
        !find_line(reader, edit->file, edit->line, &source)) {
        return false;
    }
    const struct line_edit change = {.file = edit->file,
                                     .line = edit->line,
                                     .from = (size_t)edit->from - 1,
                                     .to = (size_t)edit->to - 1,
                                     .text = edit->text.bytes,
                                     .length = edit->text.length};
    bool is_added = line_fixes_replace(reader->arena, &fixes, &change, source.bytes, source.length);
    if (is_added) {
        set_fixes(reader, message, &fixes);
    }
    return is_added;
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
    struct line_fixes fixes = {.count = 0};
    const struct line_edit edit = {error->file,   error->line, 0,
                                   source.length, made.bytes,  made.length};
    bool is_changed = line_fixes_replace(reader->arena, &fixes, &edit, source.bytes, source.length);
    text_release(&made);
    set_fixes(reader, error, &fixes);
    if (is_changed) {
        error->column = error->column > 0 ? error->column : first_change(&fixes.lines[0]);
    }
}
