/* entry_name.h: the names of a submission's files and folders, as a folder or an archive has them.
 *
 * A name is good if it means one place below the submission on every machine, and shows on a screen
 * as what it is. Whoever takes an entry asks in this order: cleaned, refused, left out.
 * The helper that unpacks archives uses this too.
 */
#ifndef GPUGRADE_SUBMISSION_ENTRY_NAME_H
#define GPUGRADE_SUBMISSION_ENTRY_NAME_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ENTRY_NAME_BYTES_MAX = 1024, /* of a whole name */
    ENTRY_PART_BYTES_MAX = 255,  /* of what stands between two slashes */
    ENTRY_DEPTH_MAX = 9,         /* parts of a name: folders may be nested 8 deep */
};

/* Appends a name without the parts that mean nothing ("./a//b/" is "a/b"; "." is ""). What
 * entry_name_fault() refuses stays refused. */
void entry_name_clean(const char *name, size_t length, struct text *out_name);

/* Says why a cleaned name is refused ("leads out of the submission"); NULL: it is good. The empty
 * name is good: it is the submission itself. */
const char *entry_name_fault(const char *name, size_t length);

/* True for what is no part of a submission: hidden files and folders (.git, .DS_Store) and what
 * macOS puts beside the files of an archive (__MACOSX), with everything in them. */
bool entry_name_is_left_out(const char *name);

/* Appends a name in single quotes for a message: printable, and not longer than a line. */
void entry_name_quote(const char *name, size_t length, struct text *out);

/* Appends what a name is compared by: two names with one key are the same file on Windows or macOS
 * (upper and lower case, composed and decomposed letters, dots and blanks at the end). */
void entry_name_key(const char *name, struct text *out_key);

#endif
