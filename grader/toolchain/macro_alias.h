/* macro_alias.h: finds the names that the overrides of a program stand for.
 *
 *     #define TILE_WIDTH 16
 *     #define BLOCK_SIZE TILE_WIDTH
 *
 * A student who writes this may use either name anywhere, and the one number changes both. A case
 * that overrides BLOCK_SIZE must do the same: TILE_WIDTH is its second name and gets its value too.
 * If a value is just a name, it is followed, through other names if necessary, to the last one.
 * That one is a second name only if
 *   - it is defined once in all that the program reaches, outside functions, by numbers alone, and
 *     each name in between is defined once in the same way, by the next name;
 *   - it is not itself an override;
 *   - nothing else that is looked at is computed from it: with `#define A_WIDTH (2 * N)` too, N
 *     decides more than one override does;
 *   - it is not about warps, because the hardware decides their width.
 * Several overrides may stand for the same name, as in `A_WIDTH N` and `B_HEIGHT N`. The name gets
 * their value in cases in which they are equal; otherwise it keeps its own (size_rewrite.h).
 */
#ifndef GPUGRADE_TOOLCHAIN_MACRO_ALIAS_H
#define GPUGRADE_TOOLCHAIN_MACRO_ALIAS_H

#include "toolchain/size_rewrite.h"
#include "toolchain/source_tree.h"

/* Looks for overrides in all files that a program reaches. For each of them, [count], *locations
 * gets the definition that counts most, and files, unless it is NULL, the name of its file, "" if
 * it is not found. Both start zeroed. Everything lives in the arena. */
void macro_alias_survey(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_override *overrides, size_t count,
                        struct macro_location *locations, const char **files);

/* Sets `second` in the locations, [count], of a survey. */
void macro_alias_find(struct arena *arena, const struct source_tree *tree,
                      const struct rubric_override *overrides, size_t count,
                      struct macro_location *locations);

#endif
