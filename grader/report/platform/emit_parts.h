/* emit_parts.h: what several formats share besides plain_words.h: texts that are bounded and on one
 * line, and which criterion depends on which. */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_PARTS_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_PARTS_H

#include "report/platform/emit_format.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends the characters of a string that fit into `limit` bytes, and how many bytes were left out:
 * "abc ... (17 more bytes)". Nothing is escaped. */
void emit_append_shortened(struct text *out, const char *string, size_t limit);

/* Appends the same on one line, printable. */
void emit_append_line(struct text *out, const char *string, size_t limit);

/* Appends "hw3/a.cu:31:13", as much of it as is known, on one line; nothing if there is no file. */
void emit_append_place(struct text *out, const struct emit_options *options, const char *file,
                       int line, int column);

/* True if a file's name stays inside the folder that it is relative to. A source can claim to be
 * another file (#line). */
bool emit_is_inside(const char *file);

/* The verdict that makes verdict `index` fail, according to its diagnostic; SIZE_MAX: none. */
size_t emit_dependency(const struct report *report, size_t index);

/* Why a verdict did not pass, in one sentence; "" only if it passed. */
const char *emit_why(const struct verdict *verdict);

/* The name to show for a criterion: its title, or its id if it has none. */
const char *emit_title(const struct verdict *verdict);

#endif
