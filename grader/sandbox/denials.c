/* denials.c: see denials.h. */
#include "sandbox/denials.h"

#include <assert.h>

static const struct {
    const char *word, *name;
    unsigned where;
    enum denial_outside outside;
    const char *tried;
} rows[] = {
#define DENIAL(name, text, where, control, tried) {#name, text, where, OUTSIDE_##control, tried},
#include "sandbox/denials.def"
#undef DENIAL
};

const char *denial_word(enum denial denial)
{
    assert((unsigned)denial < DENIAL_COUNT);
    return rows[denial].word;
}

const char *denial_name(enum denial denial)
{
    assert((unsigned)denial < DENIAL_COUNT);
    return rows[denial].name;
}

const char *denial_tried(enum denial denial)
{
    assert((unsigned)denial < DENIAL_COUNT);
    return rows[denial].tried;
}

enum denial_outside denial_outside(enum denial denial)
{
    assert((unsigned)denial < DENIAL_COUNT);
    return rows[denial].outside;
}

/* The flags that are true of a sandbox. */
static unsigned promises(const struct sandbox *sandbox)
{
    unsigned flags = sandbox->bound == SANDBOX_PER_PROCESS ? 0 : HOLDS_CGROUP;

    switch (sandbox->tier) {
    case SANDBOX_A:
        return flags | HOLDS_A;
    case SANDBOX_B:
        flags |= HOLDS_B | (sandbox->uses_slots ? HOLDS_B_USER : 0);
        return flags | (sandbox->landlock_abi > 0 ? HOLDS_B_FILES : 0);
    case SANDBOX_C:
        return flags | HOLDS_C | (sandbox->uses_slots ? HOLDS_C_USER : 0);
    case SANDBOX_AUTO:
        break;
    }
    return flags;
}

bool denial_must_hold(enum denial denial, const struct sandbox *sandbox)
{
    assert((unsigned)denial < DENIAL_COUNT);
    return (rows[denial].where & promises(sandbox)) != 0;
}
