/* size_rewrite.h: changes the values of macros in a source, so that a program with fixed sizes can
 * be built for the sizes of a case. Pure: text in, text out.
 *
 * A name is defined, outside comments and literals, by
 *   - a directive `#define NAME ...` without parameters, anywhere, also in a part that #if
 *     excludes, also without a replacement;
 *   - a declaration with an initial value outside functions, `const int NAME = 1024;`, also with
 *     several declarators, `constexpr int NAME{1024}`, `NAME(1024)`, or an enumerator.
 * An assignment, a use, a parameter, also of a template, and the counter of a loop are not
 * definitions. Definitions in functions stay: a local variable is not the program's size of the
 * same name. If the value is a number in parentheses and casts, only the number is replaced and
 * keeps its suffix: 1024u becomes 96u. Any other value is replaced as a whole, calls and lambdas
 * too, but not text or lists. Where `auto` takes its type from the value, the type stays: the old
 * value is still written, in a cast or a condition, but never used. Values below 0 get parentheses.
 * Lines keep their numbers, and columns too, except after a value that is longer than the old one.
 */
#ifndef GPUGRADE_TOOLCHAIN_SIZE_REWRITE_H
#define GPUGRADE_TOOLCHAIN_SIZE_REWRITE_H

#include "base/arena.h"
#include "model/rubric.h"

/* How a name is defined; a kind further down counts more. */
enum macro_location_kind {
    MACRO_UNSEEN,
    MACRO_FIXED,   /* its value cannot be replaced, or it has none, or it is local */
    MACRO_OUTSIDE, /* outside all functions, or with #define */
};

/* The value of a definition: [length] bytes of the text that contains it. */
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
    const char *second;               /* the name that it stands for (macro_alias.h), or NULL */
};

/* Looks for definitions in a source. An entry of locations [override_count] changes if the source
 * defines the name in a way that counts more, or defines it again. Start with zeroed locations and
 * call this for each file of a program. Values live in the arena and are valid as long as the text;
 * `second` stays. */
void macro_survey(struct arena *arena, const char *text, size_t length,
                  const struct rubric_override *overrides, size_t override_count,
                  struct macro_location *locations);

struct macro_values {
    const struct rubric_override *overrides; /* [count] */
    size_t count;
    const int64_t *values;                  /* [count] */
    const struct macro_location *locations; /* [count], of the whole program */
};

/* Rewrites a source. The name that an override stands for gets the same value, unless another
 * override for the same name has a different value. The result lives in the arena, ends with a zero
 * byte and is `text` itself if nothing changes. */
const char *size_rewrite(struct arena *arena, const char *text, size_t length,
                         const struct macro_values *values, size_t *out_length);

#endif
