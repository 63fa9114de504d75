/* source_edit.c: see source_edit.h. */
#include "source/source_edit.h"

#include "base/text.h"

#include <string.h>

enum { LINE_SHOWN_MAX = 400 }; /* bytes */

bool line_can_be_shown(const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f) {
            return false;
        }
    }
    return length <= LINE_SHOWN_MAX && text_is_utf8(bytes, length);
}

/* The index of the change of a line; the count of fixes if it has none. */
static size_t find_fix(const struct line_fixes *fixes, const char *file, int line)
{
    size_t i = 0;

    while (i < fixes->count && (fixes->lines[i].before == NULL || fixes->lines[i].line != line ||
                                strcmp(fixes->lines[i].file, file) != 0)) {
        i++;
    }
    return i;
}

/* Where columns [from, to) of a line, from 0, are after the changes that were made in it; false if
 * these touch them. */
static bool move_columns(const char *before, const char *after, size_t *from, size_t *to)
{
    size_t length = strlen(before), length_after = strlen(after);
    size_t shorter = length < length_after ? length : length_after;
    size_t front = 0, back = 0;

    while (front < shorter && before[front] == after[front]) {
        front++;
    }
    while (front + back < shorter && before[length - 1 - back] == after[length_after - 1 - back]) {
        back++;
    }
    if (*to <= front) {
        return true;
    }
    if (*from < length - back) {
        return false;
    }
    *from = *from + length_after - length;
    *to = *to + length_after - length;
    return true;
}

bool line_fixes_replace(struct arena *arena, struct line_fixes *fixes, const struct line_edit *edit,
                        const char *before, size_t length)
{
    size_t from = edit->from, to = edit->to;
    size_t index = find_fix(fixes, edit->file, edit->line);
    struct text made;

    if (to < from || to > length || index == FIX_LINES_MAX || !line_can_be_shown(before, length)) {
        return false;
    }
    const char *old = arena_strndup(arena, before, length);
    const char *line = index < fixes->count ? fixes->lines[index].after : old;
    if (line == NULL || (line != old && !move_columns(old, line, &from, &to))) {
        return false;
    }
    text_init(&made);
    text_append_bytes(&made, line, from);
    text_append_bytes(&made, edit->text, edit->length);
    text_append(&made, line + to);
    const char *after = arena_strndup(arena, made.bytes, made.length);
    bool is_well = line_can_be_shown(made.bytes, made.length) && strcmp(old, after) != 0;
    text_release(&made);
    if (is_well) {
        fixes->lines[index] = (struct line_fix){edit->file, edit->line, old, after};
        fixes->count += index == fixes->count ? 1 : 0;
    }
    return is_well;
}

bool line_fixes_add(struct line_fixes *fixes, const struct line_fix *fix)
{
    bool has_room = fixes->count < FIX_LINES_MAX;
    bool is_new = fix->before == NULL || find_fix(fixes, fix->file, fix->line) == fixes->count;

    if (!has_room || !is_new ||
        (fix->before != NULL && !line_can_be_shown(fix->before, strlen(fix->before))) ||
        (fix->after != NULL && !line_can_be_shown(fix->after, strlen(fix->after)))) {
        return false;
    }
    fixes->lines[fixes->count++] = *fix;
    return true;
}

/* Appends a line as it becomes, and the new lines after it; returns how many changes that were,
 * SIZE_MAX if the line is not what a change was made for. */
static size_t append_line(const struct line_fixes *fixes, const char *file, int number,
                          const char *line, size_t length, struct text *out)
{
    size_t body = length;
    size_t count = 0;

    while (body > 0 && (line[body - 1] == '\n' || line[body - 1] == '\r')) {
        body--;
    }
    size_t index = find_fix(fixes, file, number);
    if (index == fixes->count) {
        text_append_bytes(out, line, length);
    } else {
        const struct line_fix *fix = &fixes->lines[index];
        if (strlen(fix->before) != body || memcmp(fix->before, line, body) != 0) {
            return SIZE_MAX;
        }
        if (fix->after != NULL) {
            text_append(out, fix->after);
            text_append_bytes(out, line + body, length - body);
        }
        count++;
    }
    for (size_t i = 0; i < fixes->count; i++) {
        const struct line_fix *fix = &fixes->lines[i];
        if (fix->before == NULL && fix->line == number && strcmp(fix->file, file) == 0) {
            text_append(out, body < length ? "" : "\n");
            text_append(out, fix->after);
            text_append_bytes(out, line + body, length - body);
            count++;
        }
    }
    return count;
}

const char *line_fixes_apply(struct arena *arena, const struct line_fixes *fixes,
                             const struct source_file *file, size_t *out_length)
{
    struct text made;
    size_t wanted = 0, done = 0;
    int number = 1;

    for (size_t i = 0; i < fixes->count; i++) {
        wanted += strcmp(fixes->lines[i].file, file->name) == 0 ? 1 : 0;
    }
    text_init(&made);
    for (size_t at = 0; at < file->length && done <= wanted; number++) {
        const char *end = memchr(file->text + at, '\n', file->length - at);
        size_t length =
            end == NULL ? file->length - at : (size_t)(end - (file->text + at)) + (size_t)1;
        size_t count = append_line(fixes, file->name, number, file->text + at, length, &made);
        done = count == SIZE_MAX ? SIZE_MAX : done + count;
        at += length;
    }
    const char *result = done == wanted ? arena_strndup(arena, made.bytes, made.length) : NULL;
    if (result != NULL) {
        *out_length = made.length;
    }
    text_release(&made);
    return result;
}

static bool same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

bool line_fixes_equal(const struct line_fixes *left, const struct line_fixes *right)
{
    for (size_t i = 0; i < left->count && left->count == right->count; i++) {
        const struct line_fix *one = &left->lines[i];
        const struct line_fix *other = &right->lines[i];
        if (one->line != other->line || strcmp(one->file, other->file) != 0 ||
            !same_text(one->before, other->before) || !same_text(one->after, other->after)) {
            return false;
        }
    }
    return left->count == right->count;
}
