/* size_rewrite.h: gives the macros of a source other values, so that a program whose sizes are
 * fixed in it can be built for the sizes of a case. Pure: text in, text out.
 *
 * What defines a name is, outside of comments and literals,
 *   - a directive `#define NAME ...` without parameters, wherever it stands, also in a part that
 *     #if leaves out, also one without a replacement;
 *   - a declaration with an initial value outside of functions, `const int NAME = 1024;`, also one
 *     of several declarators, `constexpr int NAME{1024}`, `NAME(1024)`, an enumerator.
 * An assignment, a use, a parameter, a template's too, and the counter of a loop are none. What is
 * defined in a function stays: beside a size of the program, a local of its name is another thing.
 * A number in parentheses and casts is exchanged alone and keeps its suffix: 1024u becomes 96u.
 * Anything else is exchanged as a whole, calls and lambdas too, but no text and no list. Where
 * `auto` takes its type from the value, the type stays: the old value is still written, in a cast
 * or a choice, but never taken. Values below 0 stand in parentheses. Lines stay where they are, and
 * so do columns, but for those behind a value that needs more room than the old one.
 */
#ifndef GPUGRADE_TOOLCHAIN_SIZE_REWRITE_H
#define GPUGRADE_TOOLCHAIN_SIZE_REWRITE_H

#include "base/arena.h"
#include "model/rubric.h"

/* How a name is defined; what stands further down counts more. */
enum macro_location_kind {
    MACRO_UNSEEN,
    MACRO_FIXED,   /* its value cannot be exchanged, or it has none, or it is local */
    MACRO_OUTSIDE, /* of all functions, or with #define */
};

/* The value of a definition, [length] of the text that it stands in. */
struct macro_value {
    const char *text;
    size_t length;
    const struct macro_value *next; /* of another definition of the name */
};

struct macro_location {
    enum macro_location_kind kind;
    int line;                         /* of the first of this kind, from 1 */
    size_t count;                     /* definitions of this kind */
    const struct macro_value *value;  /* of the first; NULL: it has none */
    const struct macro_value *values; /* of all definitions, of all kinds */
    const char *second;               /* the name that it stands for, see macro_alias.h, or NULL */
};

/* Looks for definitions in a source. An entry of locations [override_count] is changed where the
 * source defines the name in a way that counts more, or once more; *locations begin as zeros, and
 * one file of a program after the other adds to them. Values live in the arena, and so long as the
 * text; `second` stays. */
void macro_survey(struct arena *arena, const char *text, size_t length,
                  const struct rubric_override *overrides, size_t override_count,
                  struct macro_location *locations);

struct macro_values {
    const struct rubric_override *overrides; /* [count] */
    size_t count;
    const int64_t *values;                  /* [count] */
    const struct macro_location *locations; /* [count], of the whole program */
};

/* Rewrites a source. What an override stands for is exchanged with it, unless another override that
 * stands for the same has another value. The result lives in the arena, ends with a zero byte and
 * is `text` itself if nothing changes. */
const char *size_rewrite(struct arena *arena, const char *text, size_t length,
                         const struct macro_values *values, size_t *out_length);

#endif
