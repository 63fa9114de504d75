/* limit_text.h: in plain words, which limit was hit and how far it went. */
#ifndef GPUGRADE_CRITERIA_PRECONDITIONS_LIMIT_TEXT_H
#define GPUGRADE_CRITERIA_PRECONDITIONS_LIMIT_TEXT_H

#include "base/arena.h"
#include "model/observation.h"

/* Says how `who` ("the program") ran into the limit that ended it: "the program was stopped at its
 * limit of 10 s of processor time". "" if it did not end by a limit. */
const char *limit_text(struct arena *arena, const char *who, const struct program_end *end);

/* A limit as it was set: "10 s", "0.25 s". */
const char *limit_seconds(struct arena *arena, uint64_t limit_ns);

/* "1 GiB", "64 MiB", "1.5 KiB", "300 bytes". */
const char *limit_bytes(struct arena *arena, uint64_t bytes);

/* What was reached, rounded, in the unit of its limit: "1.0 GiB", "72 MiB". */
const char *reached_bytes(struct arena *arena, uint64_t reached_bytes, uint64_t limit_bytes);

#endif
