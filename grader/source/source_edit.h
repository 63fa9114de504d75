/* source_edit.h: changes of a source, made as whole lines (model/line_fix.h) and applied to a copy.
 *
 * Each change of a line is made in what the changes before it gave. One that lies right of them
 * moves by as much as they have lengthened the line; one that they touch is refused. */
#ifndef GPUGRADE_SOURCE_SOURCE_EDIT_H
#define GPUGRADE_SOURCE_SOURCE_EDIT_H

#include "base/arena.h"
#include "model/line_fix.h"
#include "model/report.h"

#include <stdbool.h>

/* Columns [from, to) of a line of a file, from 0 and in bytes, become `text` [length]. */
struct line_edit {
    const char *file;
    int line;
    size_t from, to;
    const char *text;
    size_t length;
};

/* True if a line is short, well-formed UTF-8 and free of control characters but tabs. */
bool line_can_be_shown(const char *bytes, size_t length);

/* Adds a change of a line that is `before` [length], without its end. False if there is no room, if
 * it lies past the end, or if what it gives cannot be shown; nothing changes then. */
bool line_fixes_replace(struct arena *arena, struct line_fixes *fixes, const struct line_edit *edit,
                        const char *before, size_t length);

/* Adds a line of its own; NULL for before: `after` is new and follows that line; NULL for after: it
 * is removed. False if there is no room, or it cannot be shown. */
bool line_fixes_add(struct line_fixes *fixes, const struct line_fix *fix);

/* The text of a file with the changes that are of it; NULL if one is of a line that the file does
 * not have, or that is not what it was. Line ends stay as they are; a new line gets that of the
 * line before it. */
const char *line_fixes_apply(struct arena *arena, const struct line_fixes *fixes,
                             const struct source_file *file, size_t *out_length);

/* True if both change the same lines to the same. */
bool line_fixes_equal(const struct line_fixes *left, const struct line_fixes *right);

#endif
