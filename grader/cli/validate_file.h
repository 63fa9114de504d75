/* validate_file.h: one file, and what it is held to; for command_validate.c.
 *
 *     bytes --form--> documents --json_schema--> mistakes, by line
 *                                \--rubrics----> and what only the reader of rubrics sees
 */
#ifndef GPUGRADE_CLI_VALIDATE_FILE_H
#define GPUGRADE_CLI_VALIDATE_FILE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"

#include <stddef.h>

/* What a file holds. */
enum schema_form {
    FORM_JSON,
    FORM_LINES, /* each line is a document; the first one says of what */
    FORM_LAST,  /* the last line of what a program printed, and a presentation in the line before */
    FORM_BASE64, /* one line, "result=" may stand before it; JSON as it is is taken as well */
};

/* One row of schemas.def. */
struct schema_row {
    const char *name;
    const char *file;
    const char *tag;
    enum schema_form form;
    size_t limit_bytes;
    const char *what;
};

/* NULL: no such schema. */
const struct schema_row *schema_find(const char *name);

/* A file that was read. */
struct validated {
    struct arena *arena;
    const char *root;  /* of rubrics/ */
    const char *shown; /* how the file is called in messages */
    const char *path;  /* NULL: standard input */
    const char *bytes; /* [length] */
    size_t length;
};

/* What came of it. */
struct verdict_lines {
    struct text
        text;        /* "FILE:12:5: /score: expected a number, got null", a line for each mistake */
    size_t mistakes; /* 0: the file is good */
};

/* Finds out what a file is, by its member "schema", by "$schema" for SARIF, or by being a rubric in
 * all but name. Errors, of usage: ERROR_SYNTAX (no JSON, then the place is told), ERROR_NOT_FOUND
 * (the file does not say, or names a schema that is not known). */
enum error schema_recognise(const struct validated *file, const struct schema_row **out_row,
                            struct diagnostic *diagnostic);

/* Holds a file to a schema, and a rubric also to all that the reader of rubrics asks, with what it
 * extends. out->text is the caller's to release, on success. Errors: ERROR_ENVIRONMENT (a schema is
 * missing), ERROR_INTERNAL (it cannot be used). */
enum error validate_file(const struct validated *file, const struct schema_row *row,
                         struct verdict_lines *out, struct diagnostic *diagnostic);

#endif
