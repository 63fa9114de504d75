/* escape.c: see escape.h. Each function works on the printable form, where every byte below 0x80 is
 * a character of its own and the others mean nothing to any of the formats. */
#include "report/escape.h"

#include <string.h>

/* What stands for one byte. */
struct replacement {
    char byte;
    const char *text;
};

static const char *find_replacement(const struct replacement *list, size_t count, char byte)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].byte == byte) {
            return list[i].text;
        }
    }
    return NULL;
}

static void replace_all(const char *bytes, size_t length, bool keep_lines,
                        const struct replacement *list, size_t count, struct text *out)
{
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, keep_lines);
    for (size_t i = 0; i < plain.length; i++) {
        const char *text = find_replacement(list, count, plain.bytes[i]);
        if (text != NULL) {
            text_append(out, text);
        } else {
            text_append_char(out, plain.bytes[i]);
        }
    }
    text_release(&plain);
}

void escape_html(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
    };

    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], out);
}

/* True if a spreadsheet may take the text for a formula. */
static bool is_formula(const char *string)
{
    static const char *const starts[] = {
        "=",           "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
        "\xEF\xBC\xA0"}; /* U+FF1D, FF0B, FF0D, FF20 */

    string += strspn(string, " \t\n");
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (text_starts_with(string, starts[i])) {
            return true;
        }
    }
    return false;
}

void escape_csv_cell(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {{'"', "\"\""}};
    struct text cell;

    text_init(&cell);
    replace_all(bytes, length, true, list, 1, &cell);
    text_append_char(out, '"');
    if (is_formula(cell.bytes) || cell.bytes[0] == '\t') {
        text_append_char(out, '\'');
    }
    text_append_bytes(out, cell.bytes, cell.length);
    text_append_char(out, '"');
    text_release(&cell);
}

void escape_workflow_message(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}};

    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], out);
}

void escape_workflow_property(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {{'%', "%25"}, {':', "%3A"}, {',', "%2C"}};

    replace_all(bytes, length, false, list, sizeof list / sizeof list[0], out);
}

void escape_autolab_lines(const char *bytes, size_t length, struct text *out)
{
    struct text plain;
    size_t at = 0;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, true);
    while (at < plain.length) {
        size_t line = strcspn(plain.bytes + at, "\n");
        size_t blanks = strspn(plain.bytes + at, " \t");
        if (blanks < line && strchr("{[", plain.bytes[at + blanks]) != NULL) {
            text_append(out, "| ");
        }
        text_append_bytes(out, plain.bytes + at, line);
        text_append_char(out, '\n');
        at += line + 1;
    }
    text_release(&plain);
}

void escape_autolab_string(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {
        {'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\t', "\\t"}, {':', "\\u003a"}};

    text_append_char(out, '"');
    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], out);
    text_append_char(out, '"');
}

void escape_markdown(const char *bytes, size_t length, struct text *out)
{
    static const char special[] = "\\`*_{}[]()#+-.!|~\"':@=^$";
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, false);
    for (size_t i = 0; i < plain.length; i++) {
        char c = plain.bytes[i];
        if (c == '<' || c == '>' || c == '&') {
            text_append(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
            continue;
        }
        if (strchr(special, c) != NULL) {
            text_append_char(out, '\\');
        }
        text_append_char(out, c);
    }
    text_release(&plain);
}

/* The longest run of backquotes. */
static size_t longest_run(const struct text *text)
{
    size_t longest = 0;
    size_t run = 0;

    for (size_t i = 0; i < text->length; i++) {
        run = text->bytes[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

void escape_markdown_code(const char *bytes, size_t length, struct text *out)
{
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, false);
    if (plain.length > 0) {
        size_t fence = longest_run(&plain) + 1;
        text_append_repeated(out, '`', fence);
        text_append_char(out, ' ');
        text_append_bytes(out, plain.bytes, plain.length);
        text_append_char(out, ' ');
        text_append_repeated(out, '`', fence);
    }
    text_release(&plain);
}

void escape_markdown_block(const char *bytes, size_t length, struct text *out)
{
    enum { FENCE_MIN = 3 };
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, true);
    size_t fence = longest_run(&plain) + 1;
    fence = fence < FENCE_MIN ? FENCE_MIN : fence;
    text_append_repeated(out, '`', fence);
    text_append_char(out, '\n');
    text_append_bytes(out, plain.bytes, plain.length);
    if (plain.length > 0 && plain.bytes[plain.length - 1] != '\n') {
        text_append_char(out, '\n');
    }
    text_append_repeated(out, '`', fence);
    text_append_char(out, '\n');
    text_release(&plain);
}
