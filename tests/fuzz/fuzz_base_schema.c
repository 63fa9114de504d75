/* fuzz_base_schema.c: any bytes as a schema, a newline, and a document held to it; and as a
 * document held to schemas that refer to themselves. What is told has its place in the document. */
#include "base/json_schema.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

enum { LENGTH_MAX = 1 << 16 };

/* Every keyword that goes down, and back to the top. */
static const char own[] =
    "{\"type\": [\"object\", \"array\", \"string\", \"number\"], \"maxLength\": 40, \"minimum\": 0,"
    " \"properties\": {\"a\": {\"$ref\": \"#/$defs/pair\"}, \"b\": false}, \"uniqueItems\": true,"
    " \"patternProperties\": {\"^x+$\": {\"$ref\": \"#\"}}, \"propertyNames\": {\"pattern\": "
    "\"^[a-z]*$\"},"
    " \"additionalProperties\": {\"anyOf\": [{\"$ref\": \"#\"}, {\"type\": \"null\"}]},"
    " \"items\": {\"oneOf\": [{\"$ref\": \"#/$defs/pair\"}, {\"type\": \"string\"}, {\"minimum\": "
    "3}]},"
    " \"$defs\": {\"pair\": {\"prefixItems\": [{\"$ref\": \"#\"}, true], \"maxItems\": 2,"
    " \"if\": {\"required\": [\"n\"]}, \"then\": {\"minProperties\": 2}, \"not\": {\"const\": "
    "[1]}}}}";

static struct json_document *parse(const char *bytes, size_t length)
{
    struct json_document *document = NULL;

    return json_parse(bytes, length, "fuzz", BLAME_USAGE, &document, NULL) == ERROR_NONE ? document
                                                                                         : NULL;
}

/* A pointer is made of steps, and a message stands on one line unless the document breaks it. */
static void look_at(const struct json_document *document, const struct json_mistakes *mistakes)
{
    struct diagnostic diagnostic;

    if (mistakes->count > mistakes->total || (mistakes->count == 0) != (mistakes->total == 0)) {
        abort();
    }
    for (size_t i = 0; i < mistakes->count; i++) {
        const struct json_mistake *mistake = &mistakes->first[i];
        if (mistake->message[0] == '\0' ||
            (mistake->pointer[0] != '\0' && mistake->pointer[0] != '/') ||
            !json_holds(document, mistake->value)) {
            abort();
        }
        json_diagnostic(document, mistake->value, mistake->at_key, &diagnostic, "%s",
                        mistake->message);
        if (diagnostic.line < 1 || diagnostic.column < 1) {
            abort();
        }
    }
}

static void hold(const struct json_document *source, const struct json_document *document)
{
    struct arena *arena = arena_new();
    const struct json_schema *schema = NULL;
    struct json_mistakes mistakes;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    if (json_schema_compile(arena, source, &schema, &diagnostic) != ERROR_NONE) {
        if (diagnostic.message[0] == '\0' || diagnostic.line < 1) {
            abort();
        }
    } else if (document != NULL) {
        enum error error =
            json_schema_check(arena, schema, json_root(document), &mistakes, &diagnostic);
        if (error == ERROR_NONE) {
            look_at(document, &mistakes);
        } else if (error != ERROR_LIMIT) {
            abort();
        }
    }
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *text = (const char *)bytes;

    if (length > LENGTH_MAX) {
        return 0;
    }
    const char *newline = length == 0 ? NULL : memchr(text, '\n', length);
    size_t first = newline == NULL ? length : (size_t)(newline - text);
    struct json_document *source = parse(text, first);
    struct json_document *document =
        newline == NULL ? NULL : parse(newline + 1, length - first - 1);
    struct json_document *known = parse(own, strlen(own));

    if (known == NULL) {
        abort();
    }
    if (source != NULL) {
        hold(source, document);
        hold(known, source);
    }
    if (document != NULL) {
        hold(known, document);
    }
    json_document_free(known);
    json_document_free(document);
    json_document_free(source);
    return 0;
}
