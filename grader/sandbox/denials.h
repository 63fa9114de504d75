/* denials.h: what a program in the sandbox must not be able to do, and where that must hold.
 *
 * The rows are denials.def. The doctor has gpugrade-sandbox-probe try each of them:
 *
 *     gpugrade-sandbox-probe NAME [KEY=VALUE...]    prints "held ...", "open ..." or "broken ..."
 *
 * with facts about what lies outside the sandbox: paths, ports, a process.
 */
#ifndef GPUGRADE_SANDBOX_DENIALS_H
#define GPUGRADE_SANDBOX_DENIALS_H

#include "sandbox/sandbox.h"

#include <stdbool.h>

enum denial {
#define DENIAL(name, text, where, control, tried) DENIAL_##name,
#include "sandbox/denials.def"
#undef DENIAL
    DENIAL_COUNT
};

enum denial_where {
    HOLDS_A = 1,
    HOLDS_B = 2,
    HOLDS_C = 4,
    HOLDS_B_USER = 8,   /* in B if programs have users of their own */
    HOLDS_B_FILES = 16, /* in B if Landlock restricts files */
    HOLDS_C_USER = 32,  /* in C if programs have users of their own */
    HOLDS_CGROUP = 64,  /* in every tier if memory is bounded by a cgroup */
};

/* What must happen to the same attempt outside the sandbox. */
enum denial_outside { OUTSIDE_MUST, OUTSIDE_MAY, OUTSIDE_NONE };

/* The columns of a row. */
const char *denial_word(enum denial denial); /* "TCP", for the sandbox probe */
const char *denial_name(enum denial denial);
const char *denial_tried(enum denial denial);
enum denial_outside denial_outside(enum denial denial);

/* True if the denial must hold in this sandbox. */
bool denial_must_hold(enum denial denial, const struct sandbox *sandbox);

#endif
