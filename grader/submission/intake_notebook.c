/* intake_notebook.c: see intake_notebook.h. The JSON is read once from front to back, and no tree
 * of it is made: that of a hostile file would need a hundred times its bytes. Nothing recurses. */
#include "submission/intake_notebook.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the reader is; `at` is NULL after the first thing that is no JSON. */
struct notebook {
    const char *at, *end;
};

static char peek(struct notebook *notebook)
{
    while (notebook->at != NULL && notebook->at < notebook->end &&
           strchr(" \t\r\n", *notebook->at) != NULL && *notebook->at != '\0') {
        notebook->at++;
    }
    return notebook->at != NULL && notebook->at < notebook->end ? *notebook->at : '\0';
}

static bool take(struct notebook *notebook, char wanted)
{
    if (peek(notebook) != wanted || wanted == '\0') {
        return false;
    }
    notebook->at++;
    return true;
}

static unsigned hex_digits(struct notebook *notebook)
{
    unsigned value = 0;

    for (int i = 0; i < 4; i++) {
        char digit = notebook->at < notebook->end ? *notebook->at++ : '\0';
        const char *found = digit == '\0' ? NULL : strchr("0123456789abcdef", digit | 0x20);
        value = value * 16 + (found == NULL ? 0 : (unsigned)(found - "0123456789abcdef"));
    }
    return value;
}

static void append_code_point(struct text *out, unsigned code)
{
    if (code == 0 || (code >= 0xD800 && code < 0xE000)) {
        text_append_char(out, '?');
    } else if (code < 0x80) {
        text_append_char(out, (char)code);
    } else if (code < 0x800) {
        text_append_char(out, (char)(0xC0 | code >> 6));
        text_append_char(out, (char)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        text_append_char(out, (char)(0xE0 | code >> 12));
        text_append_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        text_append_char(out, (char)(0x80 | (code & 0x3F)));
    } else {
        text_append_char(out, (char)(0xF0 | code >> 18));
        text_append_char(out, (char)(0x80 | (code >> 12 & 0x3F)));
        text_append_char(out, (char)(0x80 | (code >> 6 & 0x3F)));
        text_append_char(out, (char)(0x80 | (code & 0x3F)));
    }
}

/* What comes after a backslash. */
static void read_escape(struct notebook *notebook, struct text *out)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char letter = notebook->at < notebook->end ? *notebook->at++ : '\0';
    const char *found = letter == '\0' ? NULL : strchr(letters, letter);

    if (letter == 'u') {
        unsigned code = hex_digits(notebook);
        bool is_pair = code >= 0xD800 && code < 0xDC00 && notebook->end - notebook->at >= 6 &&
                       notebook->at[0] == '\\' && notebook->at[1] == 'u';
        if (is_pair) {
            notebook->at += 2;
            code = 0x10000 + ((code - 0xD800) << 10) + ((hex_digits(notebook) - 0xDC00) & 0x3FF);
        }
        append_code_point(out, code);
    } else {
        text_append_char(out, found != NULL    ? meant[found - letters]
                              : letter == '\0' ? '?'
                                               : letter);
    }
}

/* Appends a string; `out` NULL: skips it. */
static bool read_string(struct notebook *notebook, struct text *out)
{
    struct text skipped;

    if (!take(notebook, '"')) {
        notebook->at = NULL;
        return false;
    }
    text_init(&skipped);
    while (notebook->at < notebook->end && *notebook->at != '"') {
        char c = *notebook->at++;
        if (c == '\\') {
            read_escape(notebook, out != NULL ? out : &skipped);
            text_clear(&skipped);
        } else if (out != NULL) {
            text_append_char(out, c == '\0' ? '?' : c);
        }
    }
    text_release(&skipped);
    bool is_whole = notebook->at < notebook->end;
    notebook->at = is_whole ? notebook->at + 1 : NULL;
    return is_whole;
}

/* Passes a value of any kind. */
static void skip_value(struct notebook *notebook)
{
    size_t depth = 0;

    do {
        char c = peek(notebook);
        if (c == '\0') {
            notebook->at = NULL;
        } else if (c == '"') {
            read_string(notebook, NULL);
        } else {
            depth += c == '{' || c == '[';
            depth -= (c == '}' || c == ']') && depth > 0;
            notebook->at++;
            if (depth == 0 && strchr("{}[],:", c) == NULL) { /* a number or a word */
                while (notebook->at < notebook->end &&
                       strchr("{}[],: \t\r\n\"", *notebook->at) == NULL) {
                    notebook->at++;
                }
            }
        }
    } while (notebook->at != NULL && depth > 0);
}

/* A string, or an array of strings that belong together. */
static void read_source(struct notebook *notebook, struct text *out)
{
    if (!take(notebook, '[')) {
        if (peek(notebook) == '"') {
            read_string(notebook, out);
        } else {
            skip_value(notebook);
        }
        return;
    }
    while (notebook->at != NULL && !take(notebook, ']')) {
        if (peek(notebook) == '"') {
            read_string(notebook, out);
        } else {
            skip_value(notebook);
        }
        take(notebook, ',');
    }
}

/* Goes to the next key of an object, whose brace was taken; false at its end. */
static bool next_key(struct notebook *notebook, struct text *out_key)
{
    text_clear(out_key);
    take(notebook, ',');
    if (notebook->at == NULL || take(notebook, '}') || !read_string(notebook, out_key)) {
        return false;
    }
    if (!take(notebook, ':')) {
        notebook->at = NULL;
        return false;
    }
    return true;
}

/* What a magic asks for. */
struct magic {
    bool is_magic;
    bool appends;
    const char *name; /* NULL: none is given */
};

static bool starts_word(const char *line, const char *word)
{
    size_t length = strlen(word);

    return strncmp(line, word, length) == 0 && strchr(" \t", line[length]) != NULL;
}

/* The next word of a line, without quotes; NULL: none. */
static const char *next_word(struct arena *arena, const char **line)
{
    const char *at = *line + strspn(*line, " \t");
    char quote = *at == '"' || *at == '\'' ? *at : '\0';
    size_t length = quote != '\0' ? strcspn(at + 1, (char[]){quote, '\0'}) : strcspn(at, " \t");

    if (*at == '\0') {
        return NULL;
    }
    *line = at + length + (quote != '\0' ? 1 + (at[1 + length] != '\0') : 0);
    return arena_strndup(arena, at + (quote != '\0'), length);
}

/* Reads the first line of a cell, without its end. */
static struct magic read_magic(struct arena *arena, const char *line)
{
    struct magic magic = {.is_magic = false};
    bool is_write = starts_word(line, "%%writefile") || starts_word(line, "%%file");
    bool is_cuda = strncmp(line, "%%cu", 4) == 0;
    const char *word;

    if (!is_write && !is_cuda) {
        return magic;
    }
    line += strcspn(line, " \t");
    while ((word = next_word(arena, &line)) != NULL) {
        bool names = strcmp(word, "-n") == 0 || strcmp(word, "--name") == 0;
        if (is_write && (strcmp(word, "-a") == 0 || strcmp(word, "--append") == 0)) {
            magic.appends = true;
        } else if (is_cuda && names) {
            magic.name = next_word(arena, &line);
        } else if (is_cuda && text_starts_with(word, "--name=")) {
            magic.name = word + strlen("--name=");
        } else if (is_write && word[0] != '-') {
            magic.name = word;
        }
    }
    magic.is_magic = is_cuda || magic.name != NULL;
    return magic;
}

/* A name within the submission. */
static const char *inner_name(const char *name)
{
    bool leads_out = name[0] == '/' || name[0] == '~' || strstr(name, "..") != NULL ||
                     strchr(name, '\\') != NULL || strchr(name, ':') != NULL;
    const char *last = name;

    for (const char *c = name; leads_out && *c != '\0'; c++) {
        last = *c == '/' || *c == '\\' || *c == ':' ? c + 1 : last;
    }
    return last;
}

/* The files of one notebook. */
struct written {
    struct arena *arena;
    const char **names;     /* [count]; "": a cell without a name */
    struct text *bytes;     /* [count] */
    size_t count, capacity; /* capacity: of the names */
    size_t text_capacity;
    size_t cells; /* that wrote something */
};

static void write_cell(struct written *written, const struct magic *magic, const char *bytes)
{
    const char *name = magic->name == NULL ? "" : inner_name(magic->name);
    size_t i = 0;

    while (i < written->count && (name[0] == '\0' || strcmp(written->names[i], name) != 0)) {
        i++;
    }
    if (i == written->count) {
        arena_grow(written->arena, &written->names, &written->capacity, i + 1,
                   sizeof *written->names);
        arena_grow(written->arena, &written->bytes, &written->text_capacity, i + 1,
                   sizeof *written->bytes);
        written->names[i] = name;
        text_init(&written->bytes[i]);
        written->count++;
    }
    if (!magic->appends) {
        text_clear(&written->bytes[i]);
    }
    text_append(&written->bytes[i], bytes);
    written->cells++;
}

static void read_cell(struct notebook *notebook, struct written *written)
{
    struct text key, kind, source;

    text_init(&key);
    text_init(&kind);
    text_init(&source);
    while (next_key(notebook, &key)) {
        if (strcmp(key.bytes, "source") == 0) {
            text_clear(&source);
            read_source(notebook, &source);
        } else if (strcmp(key.bytes, "cell_type") == 0 && peek(notebook) == '"') {
            text_clear(&kind);
            read_string(notebook, &kind);
        } else {
            skip_value(notebook);
        }
    }
    const char *start = source.bytes + strspn(source.bytes, " \t\r\n");
    size_t line = strcspn(start, "\r\n");
    const struct magic magic =
        read_magic(written->arena, arena_strndup(written->arena, start, line));
    bool is_whole = notebook->at != NULL;
    if (is_whole && strcmp(kind.bytes, "code") == 0 && magic.is_magic &&
        written->cells < INTAKE_FILES_MAX) {
        const char *rest = start + line;
        rest += *rest == '\r';
        rest += *rest == '\n';
        write_cell(written, &magic, rest);
    }
    text_release(&key);
    text_release(&kind);
    text_release(&source);
}

static void read_cells(struct notebook *notebook, struct written *written)
{
    if (!take(notebook, '[')) {
        skip_value(notebook);
        return;
    }
    while (notebook->at != NULL && !take(notebook, ']')) {
        if (take(notebook, '{')) {
            read_cell(notebook, written);
        } else {
            skip_value(notebook);
        }
        take(notebook, ',');
    }
}

static void read_notebook(const struct intake_file *file, struct written *written)
{
    struct notebook notebook = {file->bytes, file->bytes + file->length};
    struct text key;

    if (!take(&notebook, '{')) {
        return;
    }
    text_init(&key);
    while (next_key(&notebook, &key)) {
        if (strcmp(key.bytes, "cells") == 0) {
            read_cells(&notebook, written);
        } else {
            skip_value(&notebook);
        }
    }
    text_release(&key);
}

static bool is_there(const struct intake_list *list, const char *name)
{
    for (size_t i = 0; i < list->file_count; i++) {
        if (strcasecmp(list->files[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds what a notebook writes, beside it. *out_added: whether there was anything. */
static enum error add_written(struct intake_list *list, const char *notebook,
                              const struct written *written, bool *out_added,
                              struct diagnostic *diagnostic)
{
    const char *slash = strrchr(notebook, '/');
    int folder = slash == NULL ? 0 : (int)(slash + 1 - notebook);
    int stem = (int)(strlen(notebook) - strlen(".ipynb"));
    size_t unnamed = 0;

    *out_added = false;
    for (size_t i = 0; i < written->count; i++) {
        const char *given = written->names[i];
        const struct text *bytes = &written->bytes[i];
        const char *name = NULL;
        const char *raw =
            given[0] != '\0' ? arena_printf(list->arena, "%.*s%s", folder, notebook, given)
            : unnamed++ == 0 ? arena_printf(list->arena, "%.*s.cu", stem, notebook)
                             : arena_printf(list->arena, "%.*s_%zu.cu", stem, notebook, unnamed);
        if (intake_list_name(list, raw, strlen(raw), &name, NULL) != ERROR_NONE || name == NULL ||
            is_there(list, name)) {
            continue;
        }
        enum error error =
            intake_list_file(list, name, arena_strndup(list->arena, bytes->bytes, bytes->length),
                             bytes->length, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        list->files[list->file_count - 1].notebook = notebook;
        *out_added = true;
    }
    return ERROR_NONE;
}

enum error intake_notebooks_unpack(struct intake_list *list, struct diagnostic *diagnostic)
{
    size_t handed_in = list->file_count, kept = 0;
    bool *is_replaced = arena_array(list->arena, handed_in, sizeof *is_replaced);

    for (size_t i = 0; i < handed_in; i++) {
        const struct intake_file file = list->files[i];
        struct written written = {.arena = list->arena};
        size_t length = strlen(file.name);
        bool added = false;
        if (length > 6 && strcasecmp(file.name + length - 6, ".ipynb") == 0) {
            read_notebook(&file, &written);
            enum error error = add_written(list, file.name, &written, &added, diagnostic);
            for (size_t k = 0; k < written.count; k++) {
                text_release(&written.bytes[k]);
            }
            if (error != ERROR_NONE) {
                return error;
            }
        }
        is_replaced[i] = added;
    }
    for (size_t i = 0; i < list->file_count; i++) {
        if (i >= handed_in || !is_replaced[i]) {
            list->files[kept++] = list->files[i];
        }
    }
    list->file_count = kept;
    return ERROR_NONE;
}
