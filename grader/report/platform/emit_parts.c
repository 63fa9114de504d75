/* emit_parts.c: see emit_parts.h. */
#include "report/platform/emit_parts.h"

#include "report/platform/plain_words.h"

#include <stdint.h>
#include <string.h>

void emit_append_shortened(struct text *out, const char *string, size_t limit)
{
    size_t length = strlen(string);
    size_t end = limit;

    if (length <= limit) {
        text_append_bytes(out, string, length);
        return;
    }
    while (end > 0 && ((unsigned char)string[end] & 0xC0) == 0x80) {
        end--;
    }
    text_append_bytes(out, string, end);
    text_printf(out, " ... (%zu more bytes)", length - end);
}

void emit_append_line(struct text *out, const char *string, size_t limit)
{
    struct text shortened;

    text_init(&shortened);
    emit_append_shortened(&shortened, text_or_empty(string), limit);
    text_append_printable(out, shortened.bytes, shortened.length, false);
    text_release(&shortened);
}

void emit_append_place(struct text *out, const struct emit_options *options, const char *file,
                       int line, int column)
{
    enum { PLACE_BYTES_MAX = 1000 };
    struct text place;

    text_init(&place);
    plain_append_place(&place, options, text_or_empty(file), line, column);
    emit_append_line(out, place.bytes, PLACE_BYTES_MAX);
    text_release(&place);
}

bool emit_is_inside(const char *file)
{
    size_t at = 0;

    if (text_or_empty(file)[0] == '\0' || file[0] == '/') {
        return false;
    }
    while (file[at] != '\0') {
        size_t length = strcspn(file + at, "/");
        if (length == 2 && strncmp(file + at, "..", 2) == 0) {
            return false;
        }
        at += length + (file[at + length] == '/' ? 1 : 0);
    }
    return true;
}

/* True if a note says that a verdict is a consequence: "so" does, "also" does where it says that
 * the criterion cannot be judged. */
static bool is_named(const struct report_diagnostic *diagnostic, const struct verdict *verdict)
{
    struct text title;
    bool is_named = false;

    text_init(&title);
    text_printf(&title, "\"%s\"", verdict->criterion->title);
    for (size_t i = 0; i < diagnostic->note_count; i++) {
        const struct diagnostic_note *note = &diagnostic->notes[i];
        bool tells = note->kind == NOTE_SO ||
                     (note->kind == NOTE_ALSO && text_ends_with(note->text, note_blocked_end));
        is_named = is_named || (tells && strstr(note->text, title.bytes) != NULL);
    }
    text_release(&title);
    return is_named;
}

size_t emit_dependency(const struct report *report, size_t index)
{
    size_t first = index;
    const struct report_diagnostic *diagnostic = plain_diagnostic(report, index, &first);

    if (diagnostic == NULL || first == index) {
        return SIZE_MAX;
    }
    bool is_consequence = is_named(diagnostic, &report->verdicts[index]) &&
                          !is_named(diagnostic, &report->verdicts[first]);
    return is_consequence ? first : SIZE_MAX;
}

const char *emit_why(const struct verdict *verdict)
{
    static const char *const words[] = {
        [STATUS_PASSED] = "",
        [STATUS_PARTIAL] = "it earned part of the points",
        [STATUS_FAILED] = "it did not pass",
        [STATUS_SKIPPED] = "it cannot be measured on this machine",
        [STATUS_ERROR] = "the grader or the machine failed; this is not the submission's fault",
        [STATUS_OPEN] = "a person gives these points",
    };
    const char *why = text_or_empty(verdict->cause.message);

    if (verdict->status == STATUS_PASSED) {
        return "";
    }
    if (why[0] == '\0') {
        why = plain_why(verdict);
    }
    return why[0] != '\0' ? why : words[verdict->status];
}

const char *emit_title(const struct verdict *verdict)
{
    const char *title = text_or_empty(verdict->criterion->title);

    return title[0] != '\0' ? title : verdict->criterion->id;
}
