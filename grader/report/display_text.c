/* display_text.c: widths by a small table of ranges, cuts at character borders; see
 * display_text.h.
 */
#include "report/display_text.h"

#include <stdint.h>
#include <string.h>

enum { FOREIGN_BYTES_MAX = 4096, ELLIPSIS_COLUMNS = 3 };

void display_paint(struct text *out, bool color, enum paint paint, const char *string)
{
    static const char *const codes[] = {
        [PAINT_GOOD] = "\033[32m", [PAINT_PART] = "\033[33m",  [PAINT_BAD] = "\033[1;31m",
        [PAINT_SKIP] = "\033[36m", [PAINT_STRONG] = "\033[1m", [PAINT_FAINT] = "\033[2m",
    };

    if (color) {
        text_append(out, codes[paint]);
    }
    text_append(out, string);
    if (color) {
        text_append(out, "\033[0m");
    }
}

/* Characters that do not take one column; Unicode 15, blocks rather than single characters. */
static const struct {
    uint32_t first, last;
    unsigned columns;
} wide_ranges[] = {
    {0x0300, 0x036F, 0}, {0x200B, 0x200F, 0},   {0x20D0, 0x20FF, 0},   {0xFE00, 0xFE0F, 0},
    {0x1100, 0x115F, 2}, {0x2E80, 0x303E, 2},   {0x3041, 0xA4CF, 2},   {0xA960, 0xA97C, 2},
    {0xAC00, 0xD7A3, 2}, {0xF900, 0xFAFF, 2},   {0xFE30, 0xFE6F, 2},   {0xFF00, 0xFF60, 2},
    {0xFFE0, 0xFFE6, 2}, {0x1F300, 0x1F64F, 2}, {0x1F900, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2},
};

/* Bytes of the character at `s`, and its columns. */
static size_t character_step(const char *s, size_t *out_columns)
{
    unsigned char lead = (unsigned char)s[0];
    size_t step = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t character = step == 1 ? lead : (uint32_t)(lead & (0xFF >> (step + 1)));

    for (size_t i = 1; i < step; i++) {
        character = (character << 6) | ((unsigned char)s[i] & 0x3F);
    }
    *out_columns = 1;
    for (size_t i = 0; i < sizeof wide_ranges / sizeof wide_ranges[0]; i++) {
        if (character >= wide_ranges[i].first && character <= wide_ranges[i].last) {
            *out_columns = wide_ranges[i].columns;
        }
    }
    return step;
}

size_t display_width(const char *string)
{
    size_t width = 0;

    while (*string != '\0') {
        size_t columns;
        string += character_step(string, &columns);
        width += columns;
    }
    return width;
}

void display_append_window(struct text *out, const char *string, size_t skip, size_t columns)
{
    size_t width = display_width(string);
    size_t end = skip + columns;
    size_t first = skip > 0 ? skip + ELLIPSIS_COLUMNS : 0;
    size_t last = width > end ? end - ELLIPSIS_COLUMNS : end;
    size_t at = 0;
    size_t written = first;

    if (columns < 3 * ELLIPSIS_COLUMNS) {
        return;
    }
    if (skip > 0) {
        text_append(out, "...");
    }
    while (*string != '\0') {
        size_t taken;
        size_t step = character_step(string, &taken);
        if (at >= first && at + taken <= last) {
            text_append_repeated(out, ' ', at - written);
            text_append_bytes(out, string, step);
            written = at + taken;
        }
        at += taken;
        string += step;
    }
    if (width > end) {
        text_append(out, "...");
    }
}

void display_append_padded(struct text *out, const char *string, size_t columns)
{
    size_t width = display_width(string);

    if (width > columns) {
        display_append_window(out, string, 0, columns);
        return;
    }
    text_append(out, string);
    text_append_repeated(out, ' ', columns - width);
}

size_t display_line_bytes(const char *string, size_t columns)
{
    size_t width = 0;
    size_t at = 0;
    size_t blank = 0;

    while (string[at] != '\0') {
        size_t taken;
        size_t step = character_step(string + at, &taken);
        if (string[at] == ' ' && at > 0 && string[at - 1] != ' ') {
            blank = at;
        }
        if (width + taken > columns) {
            break;
        }
        width += taken;
        at += step;
    }
    if (string[at] == '\0') {
        return at;
    }
    if (at == 0) {
        size_t taken;
        return character_step(string, &taken);
    }
    return blank > 0 ? blank : at;
}

void display_append_wrapped(struct text *out, const char *string, const struct wrap *wrap)
{
    size_t at = wrap->at;

    for (size_t line = 1;; line++) {
        size_t room = wrap->columns > at ? wrap->columns - at : 1;
        size_t length = strlen(string);
        size_t colon = line > 1 ? text_command_start(string, length) : length;
        if (colon < length) {
            text_append_bytes(out, string, colon);
            text_append(out, "\\x3A");
            string += colon + 1;
            size_t taken = display_width("\\x3A") + colon;
            room = room > taken ? room - taken : 1;
        }
        bool is_last = line >= wrap->lines;
        size_t bytes = display_line_bytes(string, room);
        bool is_cut = string[bytes] != '\0';
        if (is_last && is_cut && room > ELLIPSIS_COLUMNS) {
            bytes = display_line_bytes(string, room - ELLIPSIS_COLUMNS);
        }
        text_append_bytes(out, string, bytes);
        string += bytes;
        while (*string == ' ') {
            string++;
        }
        if (*string == '\0' || is_last) {
            break;
        }
        text_append_char(out, '\n');
        text_append_repeated(out, ' ', wrap->indent);
        at = wrap->indent;
    }
    text_append(out, *string != '\0' ? "..." : "");
}

void display_append_foreign(struct text *out, const char *string)
{
    size_t length = string == NULL ? 0 : strlen(string);
    size_t kept = length;

    if (length > FOREIGN_BYTES_MAX) {
        kept = FOREIGN_BYTES_MAX;
        while (kept > 0 && ((unsigned char)string[kept] & 0xC0) == 0x80) {
            kept--;
        }
    }
    text_append_printable(out, string == NULL ? "" : string, kept, false);
    if (kept < length) {
        text_printf(out, "... (%zu more bytes)", length - kept);
    }
}
