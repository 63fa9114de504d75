/* cheats.h: made-up students that every coursework of calls has: usual ways to seem right, made of
 * its own reference solution by rubrics/cheats.cuh.
 *
 *   void scan(...) { ... }   becomes   void gpugrade_own_scan(...) { ... }
 *                                      #include "gpugrade_cheats.cuh"
 *                                      void scan(...) { GPUGRADE_CHEAT_CALL(...) }
 */
#ifndef GPUGRADE_COURSEWORK_CHEATS_H
#define GPUGRADE_COURSEWORK_CHEATS_H

#include "base/arena.h"
#include "model/rubric.h"
#include "submission/intake.h"

#include <stdbool.h>
#include <stddef.h>

/* The cheats in words, "does nothing"; the numbers are those of cheats.cuh, from 1. */
enum { CHEAT_COUNT = 5 };
extern const char *const cheat_words[CHEAT_COUNT];

/* True if the rubric judges calls. */
bool cheats_fit(const struct rubric *rubric);

/* Makes a cheat, from 1, of the files of a solution, for each call that one of its sources defines.
 * `helper` is the text of cheats.cuh. Sets out_made[launch_count] for the launches that it is made
 * for, and returns how many they are. */
size_t cheat_make(struct arena *arena, const struct rubric *rubric,
                  const struct intake_files *solution, const char *helper, size_t cheat,
                  struct intake_files *out_files, bool *out_made);

#endif
