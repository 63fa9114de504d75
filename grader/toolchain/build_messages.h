/* build_messages.h: what the tools printed during a build, as messages about the submission. */
#ifndef GPUGRADE_TOOLCHAIN_BUILD_MESSAGES_H
#define GPUGRADE_TOOLCHAIN_BUILD_MESSAGES_H

#include "base/text.h"
#include "toolchain/source_copies.h"
#include "toolchain/toolchain.h"

struct build_place {
    const char *named_folder;           /* where messages say that the sources lie */
    const char *compiled_folder;        /* where what was compiled can be read */
    const struct source_copies *copies; /* if those are copies, else NULL */
    const char *original_folder;        /* with copies: the submission's own files */
};

/* Reads messages, errors first; everything lives in the arena. */
void build_messages_read(struct arena *arena, const struct build_place *place,
                         const struct text *printed, struct tool_message **out_messages,
                         size_t *out_count);

/* The same for a build that failed: if no message is known for an error, the last line that was
 * printed is one. */
void build_messages_read_failure(struct arena *arena, const struct build_place *place,
                                 const struct text *printed, struct tool_message **out_messages,
                                 size_t *out_count);

#endif
