/* diagnostic.h: what went wrong, and whose fault it is.
 *
 * Every function of the grader that can fail for more than one reason returns `enum error` and
 * takes a `struct diagnostic *` as its last parameter. On success the diagnostic is untouched. A
 * message is lower case, without a full stop, says what was expected and what was found, and names
 * the next step. The part that prints it (cli/) adds who is at fault.
 */
#ifndef GPUGRADE_BASE_DIAGNOSTIC_H
#define GPUGRADE_BASE_DIAGNOSTIC_H

#include <stdarg.h>
#include <stdbool.h>

enum error {
#define ERROR(name, text) ERROR_##name,
#include "base/errors.def"
#undef ERROR
    ERROR_COUNT
};

/* Whose fault a failure is. It decides the exit code of the command line. */
enum blame {
    BLAME_NONE,
    BLAME_USAGE,       /* the command line: exit 2 */
    BLAME_STUDENT,     /* the submission: a criterion fails */
    BLAME_RUBRIC,      /* the rubric or the coursework: exit 2 */
    BLAME_GRADER,      /* a bug in gpugrade: exit 3 */
    BLAME_ENVIRONMENT, /* the machine: exit 3 */
};

struct diagnostic {
    enum blame blame;
    char file[256]; /* "" where there is none */
    int line;       /* from 1; 0 where unknown */
    int column;     /* from 1, in bytes; 0 where unknown */
    char message[1024];
};

/* Returns the text of errors.def for an error; "unknown error" for a value outside the table. */
const char *error_text(enum error error);

/* Returns a word for who is at fault: "student", "rubric", ...; "" for BLAME_NONE. */
const char *blame_text(enum blame blame);

/* Fills a diagnostic without a place. `out` may be NULL, then nothing happens. A message that is
 * too long is cut at a character border. */
void diagnostic_set(struct diagnostic *out, enum blame blame, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills a diagnostic with a place. `file` may be NULL. */
void diagnostic_set_at(struct diagnostic *out, enum blame blame, const char *file, int line,
                       int column, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
