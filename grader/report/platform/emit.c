/* emit.c: the table of formats; see emit.h. */
#include "report/platform/emit.h"

#include "report/left_out.h"
#include "report/report_student.h"

#include <string.h>

const struct emit_format emit_formats[] = {
#define FORMAT(name, audience, use, function, help)                                                \
    {name, EMIT_FOR_##audience, EMIT_##use, function, help},
#include "report/platform/formats.def"
#undef FORMAT
};
const size_t emit_format_count = sizeof emit_formats / sizeof emit_formats[0];

const struct emit_format *emit_format_find(const char *name)
{
    for (size_t i = 0; i < emit_format_count; i++) {
        if (strcmp(emit_formats[i].name, name) == 0) {
            return &emit_formats[i];
        }
    }
    return NULL;
}

void emit_report(const struct emit_format *format, const struct report *report,
                 const struct emit_options *options, struct arena *arena, struct text *out)
{
    struct report shown = *report;

    if (format->audience == EMIT_FOR_STUDENT) {
        report_for_student(report, arena, &shown);
    }
    left_out_as_diagnostic(&shown, arena);
    format->emit(&shown, options, out);
}
