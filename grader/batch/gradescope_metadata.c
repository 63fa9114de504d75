/* gradescope_metadata.c: a line at a time; see gradescope_metadata.h. */
#include "batch/gradescope_metadata.h"

#include "base/date.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A line: its indentation, whether a list item begins, and "key: value" in it. */
struct line {
    size_t indent;      /* of the key; behind a dash */
    size_t dash_indent; /* of the dash */
    bool is_item;
    const char *key; /* without colons and quotes; NULL: there is none */
    const char *value;
};

/* What is being read. */
struct reader {
    struct arena *arena;
    struct gradescope_submission *submissions;
    size_t count, capacity;
    struct gradescope_submitter *submitters; /* of the last submission */
    size_t submitter_count, submitter_capacity;
    size_t field_indent; /* of the last submission's fields; 0: none yet */
    size_t item_indent;  /* of the keys of a submitter */
    bool in_submitters;
};

/* Appends one character that "\xNN", "\uNNNN" or "\n" stands for; returns how much that took. */
static size_t unescape(const char *escape, struct text *out)
{
    static const char plain[] = "\"\\/ ";
    size_t digits = escape[0] == 'x' ? 2 : escape[0] == 'u' ? 4 : 0;
    char number[5] = "";

    if (digits == 0) {
        text_append_char(out, strchr(plain, escape[0]) != NULL ? escape[0] : ' ');
        return 1;
    }
    if (strspn(escape + 1, "0123456789abcdefABCDEF") < digits) {
        text_append_char(out, '?');
        return 1;
    }
    memcpy(number, escape + 1, digits);
    unsigned long code = strtoul(number, NULL, 16);
    bool is_lone = code < 0x20 || (code >= 0xD800 && code < 0xE000); /* no text */
    if (is_lone) {
        text_append_char(out, '?');
    } else if (code < 0x80) {
        text_append_char(out, (char)code);
    } else if (code < 0x800) {
        text_append_char(out, (char)(0xC0 | (code >> 6)));
        text_append_char(out, (char)(0x80 | (code & 0x3F)));
    } else {
        text_append_char(out, (char)(0xE0 | (code >> 12)));
        text_append_char(out, (char)(0x80 | ((code >> 6) & 0x3F)));
        text_append_char(out, (char)(0x80 | (code & 0x3F)));
    }
    return 1 + digits;
}

/* A scalar: plain, 'quoted' ('' is a quote) or "quoted" (with escapes). */
static const char *read_scalar(struct arena *arena, const char *text)
{
    struct text value;
    char quote = *text == '\'' || *text == '"' ? *text : '\0';

    if (quote == '\0') {
        bool is_nothing = strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
        return is_nothing ? "" : arena_strdup(arena, text);
    }
    text_init(&value);
    text++;
    while (*text != '\0') {
        if (*text == quote && !(quote == '\'' && text[1] == '\'')) {
            break;
        }
        if (quote == '"' && *text == '\\' && text[1] != '\0') {
            text += 1 + unescape(text + 1, &value);
            continue;
        }
        text += *text == quote; /* the first of two */
        text_append_char(&value, *text++);
    }
    const char *copy = arena_strdup(arena, value.bytes);
    text_release(&value);
    return copy;
}

/* Where the key ends: a colon with a blank or nothing behind; NULL if there is none. */
static const char *find_key_end(const char *text)
{
    const char *end = strchr(text + (*text == ':'), ':');

    while (end != NULL && end[1] != ' ' && end[1] != '\0') {
        end = strchr(end + 1, ':');
    }
    return end;
}

static struct line take_apart(struct arena *arena, char *text)
{
    struct line line = {.indent = strspn(text, " ")};
    size_t length = strlen(text);

    while (length > 0 && strchr(" \r", text[length - 1]) != NULL) {
        text[--length] = '\0';
    }
    text += line.indent < length ? line.indent : length;
    if (text[0] == '-' && text[1] == ' ') {
        size_t blanks = strspn(text + 1, " ");
        line.is_item = true;
        line.dash_indent = line.indent;
        line.indent += 1 + blanks;
        text += 1 + blanks;
    }
    const char *end = find_key_end(text);
    if (end != NULL && end > text) {
        const char *key = text + (*text == ':');
        line.key = read_scalar(arena, arena_strndup(arena, key, (size_t)(end - key)));
        line.value = end + 1 + strspn(end + 1, " ");
    }
    return line;
}

static void finish_submission(struct reader *reader)
{
    if (reader->count > 0) {
        struct gradescope_submission *last = &reader->submissions[reader->count - 1];
        last->submitters = reader->submitters;
        last->submitter_count = reader->submitter_count;
    }
    reader->submitters = NULL;
    reader->submitter_count = 0;
    reader->submitter_capacity = 0;
    reader->field_indent = 0;
    reader->in_submitters = false;
}

static void take_submission(struct reader *reader, const struct line *line)
{
    finish_submission(reader);
    arena_grow(reader->arena, &reader->submissions, &reader->capacity, reader->count + 1,
               sizeof *reader->submissions);
    reader->submissions[reader->count++] = (struct gradescope_submission){.folder = line->key};
}

static void take_field(struct reader *reader, const struct line *line)
{
    reader->in_submitters = strcmp(line->key, "submitters") == 0;
    if (strcmp(line->key, "created_at") == 0) {
        (void)date_read(read_scalar(reader->arena, line->value),
                        &reader->submissions[reader->count - 1].created);
    }
}

static void take_submitter(struct reader *reader, const struct line *line)
{
    if (line->is_item) {
        arena_grow(reader->arena, &reader->submitters, &reader->submitter_capacity,
                   reader->submitter_count + 1, sizeof *reader->submitters);
        reader->submitters[reader->submitter_count++] = (struct gradescope_submitter){"", "", ""};
        reader->item_indent = line->indent;
    }
    if (reader->submitter_count == 0 || line->indent != reader->item_indent) {
        return;
    }
    struct gradescope_submitter *submitter = &reader->submitters[reader->submitter_count - 1];
    const char *value = read_scalar(reader->arena, line->value);
    if (strcmp(line->key, "name") == 0) {
        submitter->name = value;
    } else if (strcmp(line->key, "sid") == 0) {
        submitter->sid = value;
    } else if (strcmp(line->key, "email") == 0) {
        submitter->email = value;
    }
}

static void take_line(struct reader *reader, const struct line *line)
{
    if (line->key == NULL) {
        return;
    }
    if (line->indent == 0) {
        take_submission(reader, line);
        return;
    }
    if (reader->count == 0) {
        return;
    }
    if (reader->field_indent == 0 && !line->is_item) {
        reader->field_indent = line->indent;
    }
    if (!line->is_item && line->indent == reader->field_indent) {
        take_field(reader, line);
    } else if (reader->in_submitters &&
               (!line->is_item || line->dash_indent >= reader->field_indent)) {
        take_submitter(reader, line);
    }
}

enum error gradescope_metadata_read(struct arena *arena, const char *bytes, size_t length,
                                    const char *file, struct gradescope_metadata *out_metadata,
                                    struct diagnostic *diagnostic)
{
    struct reader reader = {.arena = arena};

    if (!text_is_utf8(bytes, length)) {
        diagnostic_set_at(diagnostic, BLAME_USAGE, file, 0, 0,
                          "this is not UTF-8 text; export the submissions from Gradescope again");
        return ERROR_SYNTAX;
    }
    for (size_t at = 0; at < length;) {
        const char *end = memchr(bytes + at, '\n', length - at);
        size_t line_length = end != NULL ? (size_t)(end - bytes) - at : length - at;
        struct line line = take_apart(arena, arena_strndup(arena, bytes + at, line_length));
        take_line(&reader, &line);
        at += line_length + 1;
    }
    finish_submission(&reader);
    if (reader.count == 0) {
        diagnostic_set_at(
            diagnostic, BLAME_USAGE, file, 0, 0,
            "no submission is listed here; export the submissions from Gradescope again");
        return ERROR_SYNTAX;
    }
    *out_metadata =
        (struct gradescope_metadata){.submissions = reader.submissions, .count = reader.count};
    return ERROR_NONE;
}
