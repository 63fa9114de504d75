/* thread_value.h: what an expression in a function is for one thread of a launch.
 *
 * It knows integers: coordinates of the thread, arguments of the launch, constants (#define, enum,
 * const) and variables that are set once. What it does not surely know has no value: other calls
 * and types, memory, counters of loops, names that a build replaces.
 */
#ifndef GPUGRADE_SOURCE_THREAD_VALUE_H
#define GPUGRADE_SOURCE_THREAD_VALUE_H

#include "model/finding.h"
#include "source/source_declaration.h"
#include "source/source_index.h"

/* What a value was made of, as far as it was looked at: also of which axes, x first. */
enum value_use {
    VALUE_OF_THREAD = 1,
    VALUE_OF_BLOCK = 2,
    VALUE_OF_THREAD_X = 1 << 2,
    VALUE_OF_BLOCK_X = 1 << 5,
    VALUE_OF_COUNTER = 1 << 8 /* a value of value_scene.bound */
};

enum { VALUE_STEPS = 1 << 20, BOUND_NAMES_MAX = 4, KNOWN_NAMES = 8 };

/* The value of a name outside of the function, which is the same for all threads. */
struct known_name {
    const char *text; /* [length]; NULL: nothing yet */
    size_t length;
    int64_t value;
    unsigned bytes;
    bool is_signed;
};

/* A variable that is set once or a counter, and what it is meant to be. */
struct bound_name {
    size_t name; /* where it is set: source_set.name */
    int64_t value;
};

/* A thread in a function of a program. */
struct value_scene {
    struct arena *arena;
    const struct program_source *source;
    const struct rubric_program *program; /* what its builds define and replace; NULL: nothing */
    const int64_t *replaced; /* [override_count]: the values of program->overrides; NULL: unknown */
    struct declaration_search search;    /* its steps bound the work for all values: VALUE_STEPS */
    const uint32_t *thread, *block;      /* [3]; NULL: unknown */
    const struct finding_values *values; /* NULL: unknown; known 0: no arguments */
    struct bound_name bound[BOUND_NAMES_MAX]; /* [bound_count] */
    size_t bound_count;
    struct bound_name
        constants[BOUND_NAMES_MAX]; /* [constant_count] of the function's template: the
                                                     tokens that declare them */
    size_t constant_count;
    struct known_name names[KNOWN_NAMES]; /* zeros at first */
    unsigned uses;                        /* enum value_use, added to */
    unsigned depth;                       /* 0 */
};

/* False if the value of the tokens is not known. */
bool thread_value(struct value_scene *scene, struct token_range range, int64_t *out_value);

#endif
