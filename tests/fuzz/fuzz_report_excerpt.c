/* fuzz_report_excerpt.c: any text of a student, any place in it.
 *
 * Bytes 0..3: line, column, width of the screen, tab of marks; the rest is the source.
 */
#include "report/terminal/source_excerpt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    enum { HEAD_BYTES = 4 };

    if (length < HEAD_BYTES) {
        return 0;
    }
    char *source_text = malloc(length - HEAD_BYTES + 1);
    if (source_text == NULL) {
        return 0;
    }
    memcpy(source_text, bytes + HEAD_BYTES, length - HEAD_BYTES);
    source_text[length - HEAD_BYTES] = '\0';
    struct source_file source = {"a.cu", source_text, length - HEAD_BYTES};
    struct diagnostic_mark marks[] = {
        {"a.cu", bytes[0], bytes[1], bytes[2], true, "here"},
        {"a.cu", bytes[0], bytes[3], 0, false, ""},
        {"a.cu", bytes[3] % 4, 0, 0, false, "whole line"},
    };
    struct terminal_style style = {bytes[2] % 2 == 0, bytes[2], false};
    struct text text;

    text_init(&text);
    const struct line_fix fix = {"a.cu", bytes[1], source_text,
                                 source_text + (length > HEAD_BYTES ? 1 : 0)};
    const struct report_diagnostic told = {
        .marks = marks, .mark_count = 3, .fixes = &fix, .fix_count = 1};
    source_excerpt(&source, marks, 3, excerpt_margin(&told), &style, &text);
    fix_excerpt(&fix, 1, excerpt_margin(&told), &style, &text);
    if (!text_is_utf8(text.length > 0 ? text.bytes : "", text.length)) {
        abort();
    }
    text_release(&text);
    free(source_text);
    return 0;
}
