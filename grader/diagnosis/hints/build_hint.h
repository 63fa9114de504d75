/* build_hint.h: the next step after a failed build, from the messages of the tools. */
#ifndef GPUGRADE_DIAGNOSIS_HINTS_BUILD_HINT_H
#define GPUGRADE_DIAGNOSIS_HINTS_BUILD_HINT_H

#include "criteria/criteria_input.h"

/* `message` is the one that is shown; "" for none. */
const char *build_hint(enum code code, const struct program_end *end, const char *message);

/* The same for a cause whose subject is a SUBJECT_BUILD: also says where a missing symbol is
 * defined, and with which macro values the program was built. In the arena. */
const char *build_next_step(const struct criteria_input *input, struct arena *arena,
                            const struct cause *cause);

#endif
