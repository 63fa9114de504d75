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
        bool is_command = text_command_start(plain.bytes + at, line) < line;
        if (is_command || (blanks < line && strchr("{[", plain.bytes[at + blanks]) != NULL)) {
            text_append(out, "| ");
        }
        text_append_bytes(out, plain.bytes + at, line);
        text_append_char(out, '\n');
        at += line + 1;
    }
    text_release(&plain);
}

/* Appends a string in which each `mark` is torn apart by a blank behind its first `head` bytes. */
static void append_torn(const char *string, const char *mark, size_t head, struct text *out)
{
    for (const char *found = strstr(string, mark); found != NULL; found = strstr(string, mark)) {
        text_append_bytes(out, string, (size_t)(found - string) + head);
        text_append_char(out, ' ');
        string = found + head;
    }
    text_append(out, string);
}

/* Jenkins takes a line with this mark for a file of the machine that it shows. */
static const char attachment[] = "[[ATTACHMENT";

void escape_xml(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}};
    struct text content;

    text_init(&content);
    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], &content);
    append_torn(content.bytes, attachment, 1, out);
    text_release(&content);
}

void escape_xml_attribute(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {
        {'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
        {'"', "&quot;"}, {'\n', "&#10;"}, {'\t', "&#9;"},
    };
    struct text value;

    text_init(&value);
    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], &value);
    append_torn(value.bytes, attachment, 1, out);
    text_release(&value);
}

/* True if VPL may take a line that starts like this for more than text. */
static bool is_vpl_mark(const char *line)
{
    static const char *const starts[] = {
        "-", ">", "<", "::", "Grade", "Comment", "http:", "https:"};

    line += strspn(line, " ");
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (strncasecmp(line, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

void escape_vpl_line(const char *bytes, size_t length, struct text *out)
{
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, false);
    if (is_vpl_mark(plain.bytes)) {
        text_append(out, "| ");
    }
    append_torn(plain.bytes, ":=>>", 2, out);
    text_release(&plain);
}

void escape_uri_path(const char *bytes, size_t length, struct text *out)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)bytes[i];
        bool is_alphabetic = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (is_alphabetic || (c >= '0' && c <= '9') || (c != '\0' && strchr("-._~/", c) != NULL)) {
            text_append_char(out, (char)c);
        } else {
            text_printf(out, "%%%02X", c);
        }
    }
}

void escape_sarif_message(const char *bytes, size_t length, struct text *out)
{
    static const struct replacement list[] = {{'{', "{{"}, {'}', "}}"}};
    struct text message;

    text_init(&message);
    replace_all(bytes, length, true, list, sizeof list / sizeof list[0], &message);
    append_torn(message.bytes, "](", 1, out);
    text_release(&message);
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

/* True if the code would run into its fence, or lose its blanks. */
static bool needs_padding(const struct text *code)
{
    char first = code->bytes[0];
    char last = code->bytes[code->length - 1];

    return first == '`' || last == '`' || (first == ' ' && last == ' ');
}

void escape_markdown_code(const char *bytes, size_t length, struct text *out)
{
    struct text plain;

    text_init(&plain);
    text_append_printable(&plain, bytes, length, false);
    if (plain.length > 0) {
        size_t fence = longest_run(&plain) + 1;
        const char *padding = needs_padding(&plain) ? " " : "";
        text_append_repeated(out, '`', fence);
        text_append(out, padding);
        text_append_bytes(out, plain.bytes, plain.length);
        text_append(out, padding);
        text_append_repeated(out, '`', fence);
    }
    text_release(&plain);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True for a name of a commit, which platforms link. */
static bool is_hash(const char *word, size_t length)
{
    enum { HASH_MIN = 7 };
    size_t digits = 0;

    for (size_t i = 0; i < length; i++) {
        bool is_hex = is_digit(word[i]) || (word[i] >= 'a' && word[i] <= 'f');
        digits += is_digit(word[i]) ? 1 : 0;
        if (!is_hex) {
            return false;
        }
    }
    return length >= HASH_MIN && digits < length;
}

/* True if a character means nothing beside its neighbours ('\0' at an end of the word). Each
 * platform has words that it acts on: @user, #1, !1, %1, GH-1, a://b, a.b, :smile:, <b>, [a](b). */
static bool is_quiet_at(char before, char c, char after)
{
    bool is_word = is_letter(after) || is_digit(after);

    switch (c) {
    case '.':
        return !is_letter(after);
    case ':':
        return after == '\0' || is_digit(after) || strchr(")'\",;.", after) != NULL;
    case '!':
    case '%':
        return !is_word;
    case '/':
        return before != '/' && after != '/';
    case '-':
        return !(is_letter(before) && is_digit(after));
    default:
        return is_letter(c) || is_digit(c) || strchr(",;()'\"+=?", c) != NULL;
    }
}

/* True for "www", in any case, at the start of a word. */
static bool is_web(const char *word, size_t length)
{
    return length >= 3 && strspn(word, "wW") >= 3;
}

static bool is_quiet(const char *word, size_t length)
{
    if (is_hash(word, length) || is_web(word, length)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char before = i > 0 ? word[i - 1] : '\0';
        char after = i + 1 < length ? word[i + 1] : '\0';
        if (!is_quiet_at(before, word[i], after)) {
            return false;
        }
    }
    return true;
}

/* Prose on its way: words that need it are gathered into one code span. */
struct prose {
    struct text *out;
    struct text code; /* what is gathered */
    size_t start;     /* length of `out` where the prose began */
    bool ends_in_code;
};

static void prose_flush(struct prose *prose)
{
    escape_markdown_code(prose->code.bytes, prose->code.length, prose->out);
    prose->ends_in_code = prose->ends_in_code || prose->code.length > 0;
    text_clear(&prose->code);
}

/* A blank where there was one, and between two code spans, whose fences must not meet. */
static void prose_blank(struct prose *prose, bool is_due)
{
    if (is_due && prose->out->length > prose->start) {
        text_append_char(prose->out, ' ');
    }
}

static void prose_add_code(struct prose *prose, const char *code, size_t length, bool blank)
{
    if (prose->code.length > 0 && blank) {
        text_append_char(&prose->code, ' ');
    } else {
        prose_flush(prose);
        prose_blank(prose, blank || prose->ends_in_code);
    }
    text_append_bytes(&prose->code, code, length);
}

/* At the start of a line a number could open a list, and some signs a list, a heading or an order
 * to the platform: the first sign gets a backslash. */
static void prose_add_word(struct prose *prose, const char *word, size_t length, bool blank)
{
    size_t at = 0;

    prose_flush(prose);
    prose_blank(prose, blank);
    if (prose->out->length == prose->start) {
        while (at < length && is_digit(word[at])) {
            at++;
        }
        text_append_bytes(prose->out, word, at);
        bool opens = at < length && strchr(at > 0 ? ".)" : "+-=/:%", word[at]) != NULL;
        text_append(prose->out, opens ? "\\" : "");
    }
    text_append_bytes(prose->out, word + at, length - at);
    prose->ends_in_code = false;
}

/* The length of the next word; the launch of a kernel, f<<<grid, block>>>, is one, and so is a
 * backquote. */
static size_t word_length(const char *at)
{
    enum { LAUNCH_BYTES_MAX = 200 };
    size_t length = *at == '`' ? 1 : strcspn(at, " `");
    const char *open = memmem(at, length, "<<<", 3);

    if (open != NULL) {
        size_t rest = strnlen(open, LAUNCH_BYTES_MAX);
        const char *close = memmem(open, rest, ">>>", 3);
        const char *quote = memchr(open, '`', rest);
        if (close != NULL && (quote == NULL || close < quote)) {
            return (size_t)(close - at) + 3;
        }
    }
    return length;
}

/* The length of a word without the comma or full stop that the sentence goes on behind. */
static size_t bare_length(const char *word, size_t length)
{
    char after = word[length];
    bool is_last = after == ' ' || after == '\0';

    return length > 1 && is_last && strchr(",.", word[length - 1]) != NULL ? length - 1 : length;
}

/* Adds one word, as code if it needs that. */
static void prose_add(struct prose *prose, const char *word, size_t length, bool blank)
{
    size_t bare = bare_length(word, length);

    if (is_quiet(word, length) && is_quiet(word, bare)) {
        prose_add_word(prose, word, length, blank);
        return;
    }
    prose_add_code(prose, word, bare, blank);
    if (bare < length) {
        prose_flush(prose);
        text_append_char(prose->out, word[bare]);
        prose->ends_in_code = false;
    }
}

void escape_markdown_prose(const char *bytes, size_t length, struct text *out)
{
    struct prose prose = {.out = out, .start = out->length};
    struct text plain;
    bool blank = false;

    text_init(&plain);
    text_init(&prose.code);
    text_append_printable(&plain, bytes, length, false);
    for (const char *at = plain.bytes; *at != '\0';) {
        size_t blanks = strspn(at, " ");
        const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
        if (blanks > 0) {
            blank = true;
            at += blanks;
        } else if (end != NULL && end > at + 1) {
            prose_flush(&prose);
            prose_add_code(&prose, at + 1, (size_t)(end - at) - 1, blank);
            prose_flush(&prose);
            blank = false;
            at = end + 1;
        } else {
            size_t word = word_length(at);
            prose_add(&prose, at, word, blank);
            blank = false;
            at += word;
        }
    }
    prose_flush(&prose);
    text_release(&prose.code);
    text_release(&plain);
}

void escape_untagged(const char *bytes, size_t length, struct text *out)
{
    struct text plain;
    bool is_launch = false; /* behind "<<< " */

    text_init(&plain);
    text_append_printable(&plain, bytes, length, false);
    for (size_t i = 0; i < plain.length; i++) {
        const char *at = plain.bytes + i;
        if (is_launch && strncmp(at, ">>>", 3) == 0) {
            text_append(out, at[-1] == ' ' ? "" : " ");
            is_launch = false;
        }
        text_append_char(out, *at);
        if (*at == '<' && (is_letter(at[1]) || (at[1] != '\0' && strchr("!/?", at[1]) != NULL))) {
            text_append_char(out, ' ');
            is_launch = i >= 2 && strncmp(at - 2, "<<<", 3) == 0;
        }
    }
    text_release(&plain);
}
