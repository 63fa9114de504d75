/* advice.h: the next step that a criterion chooses when it does not pass, and what it is about. The
 * sentence is in advice.def, or in codes.def if it goes with the code of the cause.
 *
 * Criteria choose advice, diagnosis words it (diagnosis/hints/advice_text.h).
 */
#ifndef GPUGRADE_MODEL_ADVICE_H
#define GPUGRADE_MODEL_ADVICE_H

enum advice_id {
    ADVICE_NONE,
    ADVICE_OF_CODE, /* the hint of the cause's code */
#define ADVICE(name, text) ADVICE_##name,
#include "model/advice.def"
#undef ADVICE
    ADVICE_COUNT
};

enum { ADVICE_NAMES = 2 };

struct advice {
    enum advice_id id;
    /* What stands for {1} and {2} in the sentence; NULL where it has none. They live as long as the
     * verdict. */
    const char *names[ADVICE_NAMES];
};

static inline struct advice advise(enum advice_id id)
{
    return (struct advice){.id = id};
}

static inline struct advice advise_on(enum advice_id id, const char *name)
{
    return (struct advice){.id = id, .names = {name}};
}

#endif
