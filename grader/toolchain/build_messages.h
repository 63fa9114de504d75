/* build_messages.h: turns what the tools printed during a build into messages about the submission.
 */
#ifndef GPUGRADE_TOOLCHAIN_BUILD_MESSAGES_H
#define GPUGRADE_TOOLCHAIN_BUILD_MESSAGES_H

#include "base/text.h"
#include "toolchain/better_messages.h"
#include "toolchain/source_copies.h"
#include "toolchain/toolchain.h"

struct build_place {
    const char *named_folder;           /* the folder of the sources in the messages */
    const char *compiled_folder;        /* where the compiled files can be read */
    const struct source_copies *copies; /* if the compiled files are copies, else NULL */
    const char *original_folder;        /* with copies: the submission's own files */
    bool is_clang;                      /* clang compiled; see struct message_sources */
};

/* Reads messages, errors first; everything lives in the arena. */
void build_messages_read(struct arena *arena, const struct build_place *place,
                         const struct text *printed, struct tool_message **out_messages,
                         size_t *out_count);

/* The same for a build that failed: if no error message is recognised, the last printed line
 * becomes one. */
void build_messages_read_failure(struct arena *arena, const struct build_place *place,
                                 const struct text *printed, struct tool_message **out_messages,
                                 size_t *out_count);

/* Chooses between messages of nvcc about sources in a folder, and of clang about the same ones. */
struct message_list build_messages_choose(struct arena *arena, const char *source_folder,
                                          struct message_list of_nvcc,
                                          struct message_list of_clang);

#endif
