/* better_messages.h: chooses between what nvcc and what clang say about sources that do not
 * compile, where a machine has both.
 *
 * nvcc compiles. Where it reports an error, clang's front end may read the same sources as well
 * (-fsyntax-only), for the device and then for the host; this decides whose errors are shown. The
 * rule looks at the first error of each, never at particular texts:
 *
 *   1. clang finds no error, or the two name different files: nvcc's, which is what compiles;
 *   2. one of them has no line: the other's;
 *   3. different lines: those of the earlier one, for nothing that is wrong is noticed before it
 *      stands there, and much of it later;
 *   4. clang proposes a fix: clang's;
 *   5. nvcc speaks of where functions run or variables live (`__host__`, `__shared__`, ...), and
 *      not of what the C++ library makes of it: nvcc's, for these rules are CUDA's, which clang
 *      words as a call without a matching function;
 *   6. clang's, which quotes names and counts, marks further lines, and always knows the column.
 *
 * What nvcc says gets clang's column, marks and fix where it has none and both name the same line.
 */
#ifndef GPUGRADE_TOOLCHAIN_BETTER_MESSAGES_H
#define GPUGRADE_TOOLCHAIN_BETTER_MESSAGES_H

#include "model/observation.h"

struct message_list {
    const struct tool_message *messages; /* [count] errors first */
    size_t count;
};

/* The errors of one compiler by the rule above, and the warnings of nvcc. In the arena, which must
 * not outlive the lists. */
struct message_list better_messages(struct arena *arena, struct message_list of_nvcc,
                                    struct message_list of_clang);

#endif
