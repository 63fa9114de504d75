/* fuzz_report_score.c: any bytes as a score file. A report that was read is what emitters get, so
 * every format is made of it, as `gpugrade convert` does; and the promise of score_read.h holds for
 * it: written as a score and read again, it gives the same bytes in every format. */
#include "report/platform/emit.h"
#include "report/score/report_json.h"
#include "report/score/score_read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void emit_both(const struct emit_format *format, const struct emit_options *options,
                      const struct report *report, const struct report *again)
{
    struct arena *arena = arena_new();
    struct text first, second;

    text_init(&first);
    text_init(&second);
    emit_report(format, report, options, arena, &first);
    emit_report(format, again, options, arena, &second);
    if (first.length != second.length || memcmp(first.bytes, second.bytes, first.length) != 0) {
        abort();
    }
    text_release(&second);
    text_release(&first);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const struct emit_options options = {.path_prefix = "hw3/", .time = 1700000000};
    struct arena *arena = arena_new();
    struct report report, again;
    struct diagnostic diagnostic = {0};
    struct text score;
    enum error error = score_read(arena, (const char *)bytes, length, "fuzz", &report, &diagnostic);

    text_init(&score);
    if (error != ERROR_NONE && diagnostic.message[0] == '\0') {
        abort();
    }
    if (error == ERROR_NONE) {
        report_json(&report, &score);
        if (score_read(arena, score.bytes, score.length, "again", &again, &diagnostic) !=
            ERROR_NONE) {
            abort();
        }
        for (size_t i = 0; i < emit_format_count; i++) {
            emit_both(&emit_formats[i], &options, &report, &again);
        }
    }
    text_release(&score);
    arena_free(arena);
    return 0;
}
