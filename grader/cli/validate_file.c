/* validate_file.c: see validate_file.h. */
#include "cli/validate_file.h"

#include "base/base64.h"
#include "base/file.h"
#include "base/json_schema.h"
#include "coursework/review.h"
#include "rubric/rubric_load.h"

#include <stdlib.h>
#include <string.h>

enum {
    SCHEMA_BYTES_MAX = 4 << 20,
    DOCUMENT_MIB_MAX = 16, /* a parsed document takes about 60 times its bytes */
    MEBI = 1 << 20,
    SHOWN_LINES_MAX = 40,
};

static const struct schema_row rows[] = {
#define SCHEMA(name, file, tag, form, limit_bytes, what)                                           \
    {name, file, tag, FORM_##form, limit_bytes, what},
#include "cli/schemas.def"
#undef SCHEMA
};

/* A document of the file. */
struct piece {
    const char *bytes;
    size_t length;
    int lines_before;
    const char *note; /* behind the file's name: " (decoded)" */
};

struct validation {
    const struct validated *file;
    const struct schema_row *row;
    const struct json_schema *schema;
    struct verdict_lines *out;
    size_t shown;
};

const struct schema_row *schema_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static const struct schema_row *find_tag(const char *tag)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].tag[0] != '\0' && strcmp(rows[i].tag, tag) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static const char *string_member(const cJSON *object, const char *key)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

    return cJSON_IsString(member) ? member->valuestring : NULL;
}

/* What a document says that it is; NULL: nothing that is known. */
static const struct schema_row *recognise_root(const cJSON *root)
{
    const char *tag = string_member(root, "schema");
    const char *meta = string_member(root, "$schema");

    if (tag != NULL) {
        return find_tag(tag);
    }
    if (meta != NULL && strstr(meta, "sarif") != NULL) {
        return schema_find("sarif");
    }
    bool is_rubric =
        cJSON_HasObjectItem(root, "extends") ||
        (cJSON_HasObjectItem(root, "programs") && cJSON_HasObjectItem(root, "criteria"));
    return is_rubric ? schema_find("rubric") : NULL;
}

static void complain_unknown(const struct validated *file, const cJSON *root,
                             struct diagnostic *diagnostic)
{
    const char *tag = string_member(root, "schema");
    const char *meta = string_member(root, "$schema");

    if (tag != NULL) {
        diagnostic_set_at(
            diagnostic, BLAME_USAGE, file->shown, 0, 0,
            "its \"schema\" is '%.100s', which this version does not know; --schema NAME "
            "holds it to one that is known",
            tag);
    } else if (meta != NULL && strstr(meta, "json-schema.org") != NULL) {
        diagnostic_set_at(diagnostic, BLAME_USAGE, file->shown, 0, 0,
                          "this is a schema itself; gpugrade holds files to the schemas it ships");
    } else {
        diagnostic_set_at(diagnostic, BLAME_USAGE, file->shown, 0, 0,
                          "it has no \"schema\" that says what it is; name it: --schema NAME, as "
                          "'gpugrade help validate' lists them");
    }
}

/* Parses the first bytes of a file, if they are no more than a document may have. */
static enum error parse_bounded(const struct validated *file, size_t length,
                                struct json_document **out_document, struct diagnostic *diagnostic)
{
    if (length > (size_t)DOCUMENT_MIB_MAX * MEBI) {
        diagnostic_set_at(diagnostic, BLAME_USAGE, file->shown, 0, 0,
                          "expected at most %d MiB of JSON, got %zu bytes", (int)DOCUMENT_MIB_MAX,
                          length);
        return ERROR_LIMIT;
    }
    return json_parse(file->bytes, length, file->shown, BLAME_USAGE, out_document, diagnostic);
}

enum error schema_recognise(const struct validated *file, const struct schema_row **out_row,
                            struct diagnostic *diagnostic)
{
    struct json_document *document = NULL;
    const char *newline = memchr(file->bytes, '\n', file->length);
    size_t first = newline == NULL ? file->length : (size_t)(newline - file->bytes);
    enum error error = parse_bounded(file, file->length, &document, diagnostic);

    if (error != ERROR_NONE && newline != NULL) {
        /* lines of JSON, perhaps: then the first one says what they are */
        struct diagnostic ignored = {.blame = BLAME_USAGE};
        if (parse_bounded(file, first, &document, &ignored) != ERROR_NONE) {
            return error;
        }
        const struct schema_row *row = recognise_root(json_root(document));
        error = row != NULL && row->form == FORM_LINES ? ERROR_NONE : error;
    }
    if (error == ERROR_NONE) {
        const struct schema_row *row = recognise_root(json_root(document));
        if (row == NULL) {
            complain_unknown(file, json_root(document), diagnostic);
            error = ERROR_NOT_FOUND;
        } else {
            *out_row = row;
        }
    }
    json_document_free(document);
    return error;
}

/* Appends a line on one mistake. What begins like a command to a CI service does not begin so. */
static void add_line(struct validation *validation, const struct diagnostic *diagnostic,
                     const char *pointer, size_t count)
{
    struct text line;
    struct text *out = &validation->out->text;

    validation->out->mistakes += count;
    if (validation->shown == SHOWN_LINES_MAX) {
        return;
    }
    validation->shown++;
    text_init(&line);
    text_printf(&line, "%s%s:", diagnostic->file[0] == ':' ? "./" : "", diagnostic->file);
    if (diagnostic->line > 0) {
        text_printf(&line, "%d:%d:", diagnostic->line, diagnostic->column);
    }
    text_printf(&line, " %s%s%s", pointer, pointer[0] == '\0' ? "" : ": ", diagnostic->message);
    text_append_printable(out, line.bytes, line.length, false);
    text_append_char(out, '\n');
    text_release(&line);
}

/* One mistake with its place. */
struct placed {
    struct diagnostic diagnostic;
    const char *pointer;
};

static int compare_places(const void *a, const void *b)
{
    const struct diagnostic *left = &((const struct placed *)a)->diagnostic;
    const struct diagnostic *right = &((const struct placed *)b)->diagnostic;

    if (left->line != right->line) {
        return left->line < right->line ? -1 : 1;
    }
    if (left->column != right->column) {
        return left->column < right->column ? -1 : 1;
    }
    return strcmp(left->message, right->message);
}

/* Adds mistakes in the order of the text. */
static void add_mistakes(struct validation *validation, const struct json_document *document,
                         const struct json_mistakes *mistakes, int lines_before)
{
    struct placed placed[JSON_SCHEMA_MISTAKES_MAX] = {{.pointer = NULL}};

    for (size_t i = 0; i < mistakes->count; i++) {
        const struct json_mistake *mistake = &mistakes->first[i];
        json_diagnostic(document, mistake->value, mistake->at_key, &placed[i].diagnostic, "%s",
                        mistake->message);
        placed[i].diagnostic.line += lines_before;
        placed[i].pointer = mistake->pointer;
    }
    qsort(placed, mistakes->count, sizeof placed[0], compare_places);
    for (size_t i = 0; i < mistakes->count; i++) {
        add_line(validation, &placed[i].diagnostic, placed[i].pointer, 1);
    }
    validation->out->mistakes += mistakes->total - mistakes->count;
}

/* A mistake of the form, before any JSON. */
static enum error refuse_form(struct validation *validation, int line, const char *why)
{
    struct diagnostic refusal;

    diagnostic_set_at(&refusal, BLAME_USAGE, validation->file->shown, line, line > 0 ? 1 : 0, "%s",
                      why);
    add_line(validation, &refusal, "", 1);
    return ERROR_NONE;
}

/* Holds one document to the schema. */
static enum error check_piece(struct validation *validation, const struct piece *piece,
                              struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct json_document *document = NULL;
    struct json_mistakes mistakes;
    struct diagnostic refusal = {.blame = BLAME_USAGE};
    const char *name = arena_printf(arena, "%.200s%s", validation->file->shown, piece->note);

    if (piece->length > (size_t)DOCUMENT_MIB_MAX * MEBI) {
        arena_free(arena);
        return refuse_form(validation, piece->lines_before + 1,
                           arena_printf(validation->file->arena,
                                        "expected at most %d MiB of JSON, got %zu bytes",
                                        (int)DOCUMENT_MIB_MAX, piece->length));
    }
    enum error error =
        json_parse(piece->bytes, piece->length, name, BLAME_USAGE, &document, &refusal);

    if (error == ERROR_NONE) {
        error =
            json_schema_check(arena, validation->schema, json_root(document), &mistakes, &refusal);
    }
    if (error == ERROR_NONE) {
        add_mistakes(validation, document, &mistakes, piece->lines_before);
    } else if (error == ERROR_SYNTAX || error == ERROR_LIMIT) {
        refusal.line += refusal.line > 0 ? piece->lines_before : 0;
        if (refusal.file[0] == '\0') {
            diagnostic_set_at(&refusal, BLAME_USAGE, name, 0, 0, "%s",
                              arena_strdup(arena, refusal.message));
        }
        add_line(validation, &refusal, "", 1);
        error = ERROR_NONE;
    } else {
        *diagnostic = refusal;
    }
    json_document_free(document);
    arena_free(arena);
    return error;
}

/* Cuts off the next line; false at the end. */
static bool next_line(const struct validated *file, size_t *at, struct piece *out)
{
    if (*at >= file->length) {
        return false;
    }
    const char *start = file->bytes + *at;
    const char *newline = memchr(start, '\n', file->length - *at);
    int lines_before = out->bytes == NULL ? 0 : out->lines_before + 1;
    size_t length = newline == NULL ? file->length - *at : (size_t)(newline - start);

    *out = (struct piece){start, length, lines_before, ""};
    *at += length + 1;
    return true;
}

static enum error check_lines(struct validation *validation, struct diagnostic *diagnostic)
{
    static const char first[] = "\"type\":\"class\"";
    struct piece piece = {.bytes = NULL};
    enum error error = ERROR_NONE;
    size_t at = 0;

    if (validation->file->length == 0) {
        return refuse_form(validation, 0, "expected lines of JSON, got an empty file");
    }
    while (error == ERROR_NONE && next_line(validation->file, &at, &piece)) {
        if (piece.lines_before == 0 &&
            memmem(piece.bytes, piece.length, first, strlen(first)) == NULL) {
            refuse_form(validation, 1,
                        "the first line must be the one on the class (\"type\":\"class\")");
        }
        error = check_piece(validation, &piece, diagnostic);
    }
    return error;
}

/* The last line that a program printed. */
static enum error check_last(struct validation *validation, struct diagnostic *diagnostic)
{
    static const char presentation[] = "{\"_presentation\"";
    struct piece piece = {.bytes = NULL}, before = {.bytes = NULL};
    enum error error = ERROR_NONE;
    size_t at = 0;

    for (struct piece last = piece; next_line(validation->file, &at, &piece); last = piece) {
        before = last;
    }
    if (piece.bytes == NULL) {
        return refuse_form(validation, 0, "expected a last line of JSON, got an empty file");
    }
    if (text_starts_with(piece.bytes, presentation)) {
        return refuse_form(validation, piece.lines_before + 1,
                           "the last line must hold the scores: {\"scores\": {...}}");
    }
    if (before.bytes != NULL && before.length >= strlen(presentation) &&
        memcmp(before.bytes, presentation, strlen(presentation)) == 0) {
        error = check_piece(validation, &before, diagnostic);
    }
    return error != ERROR_NONE ? error : check_piece(validation, &piece, diagnostic);
}

static enum error check_base64(struct validation *validation, struct diagnostic *diagnostic)
{
    const struct validated *file = validation->file;
    static const char output[] = "result=";
    struct piece piece = {file->bytes, file->length, 0, " (decoded)"};
    struct text decoded;

    if (file->length > 0 && file->bytes[0] == '{') {
        piece.note = "";
        return check_piece(validation, &piece, diagnostic);
    }
    if (file->length >= strlen(output) && memcmp(file->bytes, output, strlen(output)) == 0) {
        piece.bytes += strlen(output);
        piece.length -= strlen(output);
    }
    while (piece.length > 0 && strchr("\r\n", piece.bytes[piece.length - 1]) != NULL) {
        piece.length--;
    }
    text_init(&decoded);
    enum error error = ERROR_NONE;
    if (piece.length == 0 || !base64_decode(&decoded, piece.bytes, piece.length)) {
        error = refuse_form(validation, 1, "expected one line of base64, or the JSON in it");
    } else {
        piece.bytes = decoded.bytes;
        piece.length = decoded.length;
        error = check_piece(validation, &piece, diagnostic);
    }
    text_release(&decoded);
    return error;
}

/* What a schema cannot see of a rubric: references, shapes, expressions, sums, what it extends. */
static enum error read_rubric(struct validation *validation)
{
    const struct validated *file = validation->file;
    struct diagnostic refusal = {.blame = BLAME_RUBRIC};
    const struct rubric *rubric = NULL;
    enum error error = file->path != NULL
                           ? rubric_load(file->arena, file->path, file->root, &rubric, &refusal)
                           : rubric_parse(file->arena, file->bytes, file->length, file->shown,
                                          file->root, &rubric, &refusal);

    if (error != ERROR_NONE) {
        add_line(validation, &refusal, "", 1);
        return ERROR_NONE;
    }
    struct text lines;
    text_init(&lines);
    struct review review = {.arena = file->arena, .out = &lines};
    review_rubric(&review, rubric);
    for (char *line = lines.bytes, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        if (text_starts_with(line, "FAIL ")) {
            refuse_form(validation, 0,
                        line + strlen("FAIL ") + strspn(line + strlen("FAIL "), " "));
        }
    }
    text_release(&lines);
    return ERROR_NONE;
}

static enum error compile_schema(struct validation *validation, struct json_document **out_document,
                                 struct diagnostic *diagnostic)
{
    struct arena *arena = validation->file->arena;
    const char *path =
        arena_printf(arena, "%s/rubrics/%s", validation->file->root, validation->row->file);
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, SCHEMA_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length, diagnostic);

    if (error != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    error = json_parse(bytes, length, path, BLAME_GRADER, out_document, diagnostic);
    if (error == ERROR_NONE) {
        error = json_schema_compile(arena, *out_document, &validation->schema, diagnostic);
    }
    return error == ERROR_NONE ? ERROR_NONE : ERROR_INTERNAL;
}

static enum error check_form(struct validation *validation, struct diagnostic *diagnostic)
{
    const struct validated *file = validation->file;
    const struct piece whole = {file->bytes, file->length, 0, ""};

    if (file->length > validation->row->limit_bytes) {
        return refuse_form(validation, 0,
                           arena_printf(file->arena, "expected at most %zu bytes, got %zu",
                                        validation->row->limit_bytes, file->length));
    }
    switch (validation->row->form) {
    case FORM_LINES:
        return check_lines(validation, diagnostic);
    case FORM_LAST:
        return check_last(validation, diagnostic);
    case FORM_BASE64:
        return check_base64(validation, diagnostic);
    default:
        return check_piece(validation, &whole, diagnostic);
    }
}

enum error validate_file(const struct validated *file, const struct schema_row *row,
                         struct verdict_lines *out, struct diagnostic *diagnostic)
{
    struct verdict_lines lines = {.mistakes = 0};
    struct validation validation = {.file = file, .row = row, .out = &lines};
    struct json_document *document = NULL;

    text_init(&lines.text);
    enum error error = compile_schema(&validation, &document, diagnostic);
    if (error == ERROR_NONE) {
        error = check_form(&validation, diagnostic);
    }
    if (error == ERROR_NONE && lines.mistakes == 0 && strcmp(row->name, "rubric") == 0) {
        error = read_rubric(&validation);
    }
    json_document_free(document);
    if (error != ERROR_NONE) {
        text_release(&lines.text);
        return error;
    }
    if (lines.mistakes > validation.shown) {
        text_printf(&lines.text, "and %zu more\n", lines.mistakes - validation.shown);
    }
    *out = lines;
    return ERROR_NONE;
}
