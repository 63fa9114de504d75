/* gradescope_metadata.h: submission_metadata.yml of a Gradescope export.
 *
 *     submission_409194023:
 *       :submitters:
 *       - :name: Jane Doe
 *         :sid: '123456789'
 *         :email: jane@example.edu
 *       :created_at: 2026-04-26 17:34:00.861687000 Z
 *       :results: ...
 *
 * This is not a full YAML reader: it finds the mapping above by its indentation and skips
 * everything else, however nested. What students can put there (the output of tests) is indented
 * more deeply.
 */
#ifndef GPUGRADE_BATCH_GRADESCOPE_METADATA_H
#define GPUGRADE_BATCH_GRADESCOPE_METADATA_H

#include "base/arena.h"
#include "base/diagnostic.h"

#include <stddef.h>
#include <stdint.h>

struct gradescope_submitter {
    const char *name; /* "" if it is not given; also the next two */
    const char *sid;
    const char *email;
};

struct gradescope_submission {
    const char *folder;                            /* "submission_409194023" */
    const struct gradescope_submitter *submitters; /* [submitter_count] */
    size_t submitter_count;
    int64_t created; /* seconds since 1970; 0: not given */
};

struct gradescope_metadata {
    const struct gradescope_submission *submissions; /* [count] */
    size_t count;
};

/* Errors: ERROR_SYNTAX (not UTF-8, no submission), blames usage. */
enum error gradescope_metadata_read(struct arena *arena, const char *bytes, size_t length,
                                    const char *file, struct gradescope_metadata *out_metadata,
                                    struct diagnostic *diagnostic);

#endif
