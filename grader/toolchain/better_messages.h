/* better_messages.h: chooses between what nvcc and what clang say about sources that do not
 * compile, where a machine has both.
 *
 * nvcc compiles. Where it reports an error, clang's front end may read the same sources as well
 * (second_reading.h), for the device and then for the host; this decides whose words are shown.
 * What is wrong is nvcc's to say, for clang refuses some things that nvcc takes, such as headers
 * that only the toolkit has. So an error of clang's counts only if it is the counterpart of one of
 * nvcc's: it stands in the same line, or earlier in the same statement. The rule looks at the first
 * error of nvcc and its counterpart, never at particular texts:
 *
 *   1. it has no counterpart: nvcc's errors are shown;
 *   2. clang's stands earlier: clang's, for nothing that is wrong is noticed before it stands
 *      there, and much of it later;
 *   3. clang proposes a fix: clang's;
 *   4. nvcc speaks of where functions run or variables live (`__host__`, `__shared__`, ...), and
 *      not of what the C++ library makes of it: nvcc's, for these rules are CUDA's, which clang
 *      words as a call without a matching function;
 *   5. clang's, which quotes names and counts, marks further lines, and always knows the column.
 *
 * What nvcc says gets clang's column, marks and fix where it has none and both name the same line.
 */
#ifndef GPUGRADE_TOOLCHAIN_BETTER_MESSAGES_H
#define GPUGRADE_TOOLCHAIN_BETTER_MESSAGES_H

#include "toolchain/toolchain.h"

struct message_list {
    const struct tool_message *messages; /* [count] errors first */
    size_t count;
};

/* The errors of one compiler by the rule above, of clang's those with a counterpart, and the
 * warnings of nvcc. `sources` looks up the files that messages name: without its text() an error is
 * a counterpart only in the same line. In the arena, which must not outlive the lists. */
struct message_list better_messages(struct arena *arena, struct message_list of_nvcc,
                                    struct message_list of_clang,
                                    const struct message_sources *sources);

#endif
