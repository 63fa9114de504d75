/* harness_headers.h: the headers that gpugrade brings for programs of courseworks, compiled in, so
 * that no installed folder has to be found: what libwb's labs need, what harnesses have in common,
 * the marks of judged calls. They lie beside every harness, and every compiler of a student's
 * source finds them.
 */
#ifndef MODEL_HARNESS_HEADERS_H
#define MODEL_HARNESS_HEADERS_H

#include "base/diagnostic.h"

#include <stdbool.h>

enum { HARNESS_HEADERS = 3 };

struct harness_header {
    const char *name; /* "wb.h" */
    const char *text;
};

/* One that includes another comes before it. */
extern const struct harness_header harness_headers[HARNESS_HEADERS];

/* True if a text includes the header. */
bool harness_header_is_in(const struct harness_header *header, const char *text);

/* Writes all of them into a folder that exists. Errors: ERROR_IO. */
enum error harness_headers_write(const char *folder, struct diagnostic *diagnostic);

/* Their texts. */
extern const char wb_text[], harness_text[], gpugrade_text[];

#endif
