/* build_hint.h: the next step after a build that failed, by what the tools said. */
#ifndef GPUGRADE_CRITERIA_BUILD_HINT_H
#define GPUGRADE_CRITERIA_BUILD_HINT_H

#include "model/observation.h"

/* `message` is the one that is told; "" for none. */
const char *build_hint(enum code code, const struct program_end *end, const char *message);

#endif
