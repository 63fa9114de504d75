/* schema_verdicts.c: holds documents to a schema, for compare_validators.py.
 *
 * usage: schema_verdicts SCHEMA.json DOCUMENTS.jsonl
 *
 * Prints a line for each line of the second file: "ok", or "FAIL" and the first mistake, whose text
 * from the document is made printable: it may hold a line feed. A schema that is refused is told
 * on standard error, with status 2.
 */
#include "base/file.h"
#include "base/json_schema.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static bool read_whole(struct arena *arena, const char *path, char **out_bytes, size_t *out_length)
{
    struct diagnostic diagnostic;

    if (file_read(arena, path, 256 << 20, BLAME_USAGE, out_bytes, out_length, &diagnostic) !=
        ERROR_NONE) {
        fprintf(stderr, "%s: %s\n", path, diagnostic.message);
        return false;
    }
    return true;
}

static void judge(const struct json_schema *schema, const char *line, size_t length)
{
    struct arena *arena = arena_new();
    struct json_document *document = NULL;
    struct json_mistakes mistakes = {.count = 0};
    struct diagnostic diagnostic;
    struct text printable;

    text_init(&printable);
    if (json_parse(line, length, "line", BLAME_USAGE, &document, &diagnostic) != ERROR_NONE ||
        json_schema_check(arena, schema, json_root(document), &mistakes, &diagnostic) !=
            ERROR_NONE) {
        printf("ERROR %s\n", diagnostic.message);
    } else if (mistakes.total == 0) {
        printf("ok\n");
    } else {
        const char *texts[] = {mistakes.first[0].pointer, ": ", mistakes.first[0].message};
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            text_append_printable(&printable, texts[i], strlen(texts[i]), false);
        }
        printf("FAIL %s\n", printable.bytes);
    }
    text_release(&printable);
    json_document_free(document);
    arena_free(arena);
}

int main(int argument_count, char **arguments)
{
    struct arena *arena = arena_new();
    struct json_document *document = NULL;
    const struct json_schema *schema = NULL;
    struct diagnostic diagnostic;
    char *bytes = NULL, *lines = NULL;
    size_t length = 0, lines_length = 0;
    int status = 2;

    if (argument_count != 3 || !read_whole(arena, arguments[1], &bytes, &length) ||
        !read_whole(arena, arguments[2], &lines, &lines_length)) {
        fprintf(stderr, "usage: schema_verdicts SCHEMA.json DOCUMENTS.jsonl\n");
    } else if (json_parse(bytes, length, arguments[1], BLAME_GRADER, &document, &diagnostic) !=
                   ERROR_NONE ||
               json_schema_compile(arena, document, &schema, &diagnostic) != ERROR_NONE) {
        fprintf(stderr, "%s:%d:%d: %s\n", arguments[1], diagnostic.line, diagnostic.column,
                diagnostic.message);
    } else {
        for (char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
            judge(schema, lines, (size_t)(end - lines));
        }
        status = 0;
    }
    json_document_free(document);
    arena_free(arena);
    return status;
}
