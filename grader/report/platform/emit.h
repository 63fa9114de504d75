/* emit.h: the table of formats (formats.def). */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_H

#include "report/platform/emit_format.h"

/* All of formats.def, in its order. */
extern const struct emit_format emit_formats[];
extern const size_t emit_format_count;

/* NULL: no such format. */
const struct emit_format *emit_format_find(const char *name);

/* Appends the report in that format, without what its audience must not see. */
void emit_report(const struct emit_format *format, const struct report *report,
                 const struct emit_options *options, struct arena *arena, struct text *out);

#endif
