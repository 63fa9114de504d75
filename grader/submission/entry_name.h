/* entry_name.h: checks the names of a submission's files and folders, in a folder or an archive.
 *
 * A name is good if it means the same place inside the submission on every machine, and looks like
 * what it is on a screen. Call these functions in this order: clean, fault, is_left_out. The helper
 * that unpacks archives uses them too.
 */
#ifndef GPUGRADE_SUBMISSION_ENTRY_NAME_H
#define GPUGRADE_SUBMISSION_ENTRY_NAME_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ENTRY_NAME_BYTES_MAX = 1024, /* of a whole name */
    ENTRY_PART_BYTES_MAX = 255,  /* of the part between two slashes */
    ENTRY_DEPTH_MAX = 9,         /* parts of a name: folders may be nested 8 deep */
};

/* Appends a name without redundant parts ("./a//b/" becomes "a/b", "." becomes ""). A name that
 * entry_name_fault() refuses is still refused after that. */
void entry_name_clean(const char *name, size_t length, struct text *out_name);

/* Says why a cleaned name is refused ("leads out of the submission"); NULL: it is good. The empty
 * name is good: it is the submission itself. */
const char *entry_name_fault(const char *name, size_t length);

/* True for what does not belong to a submission: hidden files and folders (.git, .DS_Store) and
 * what macOS adds to an archive (__MACOSX), with everything in them. */
bool entry_name_is_left_out(const char *name);

/* Appends a name in single quotes for a message: printable, and not longer than a line. */
void entry_name_quote(const char *name, size_t length, struct text *out);

/* Appends a key for comparing names: two names with the same key are the same file on Windows or
 * macOS (upper and lower case, composed and decomposed letters, dots and blanks at the end). */
void entry_name_key(const char *name, struct text *out_key);

#endif
