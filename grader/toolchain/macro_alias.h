/* macro_alias.h: finds the names that the overrides of a program stand for.
 *
 *     #define TILE_WIDTH 16
 *     #define BLOCK_SIZE TILE_WIDTH
 *
 * Whoever writes this may use either name anywhere, and changes both with the one number. So must a
 * case that overrides BLOCK_SIZE: TILE_WIDTH is its second name and gets its value, too. A value
 * that is one name leads on, through others if need be, to the name that ends it. That one is a
 * second name only if
 *   - it is defined once in all that the program reaches, outside of functions, by numbers alone,
 *     and so is each name between, by the next;
 *   - it is itself no override;
 *   - nothing else that is looked at is computed from it: with `#define A_WIDTH (2 * N)` too, N
 *     decides more than one override does;
 *   - it is not about warps, whose width the hardware has decided.
 * Several overrides may stand for the same name, `A_WIDTH N` and `B_HEIGHT N`. It gets their value
 * in the cases in which they have the same one; else it stays (size_rewrite.h).
 */
#ifndef GPUGRADE_TOOLCHAIN_MACRO_ALIAS_H
#define GPUGRADE_TOOLCHAIN_MACRO_ALIAS_H

#include "toolchain/size_rewrite.h"
#include "toolchain/source_tree.h"

/* Looks for overrides in all that a program reaches. For each of them, [count], *locations gets the
 * definition that counts most and files, unless it is NULL, the name of its file, "" if it is not
 * seen. Both begin as zeros. All in the arena. */
void macro_alias_survey(struct arena *arena, const struct source_tree *tree,
                        const struct rubric_override *overrides, size_t count,
                        struct macro_location *locations, const char **files);

/* Sets `second` in the locations, [count], of a survey. */
void macro_alias_find(struct arena *arena, const struct source_tree *tree,
                      const struct rubric_override *overrides, size_t count,
                      struct macro_location *locations);

#endif
