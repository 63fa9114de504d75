/* ptx_names.h: what names mean, in nested scopes.
 *
 * A stack of declarations with a hash table over it: a lookup finds the newest declaration of a
 * name. A scope is the height of the stack at its start; leaving it pops what was declared since.
 * Adding and finding take constant time on average, however many names there are.
 *
 * Names are not copied: they lie in the text while it is parsed.
 */
#ifndef GPUGRADE_PTX_PTX_NAMES_H
#define GPUGRADE_PTX_PTX_NAMES_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum ptx_name_kind {
    PTX_NAME_REGISTER, /* index in the function's registers */
    PTX_NAME_RANGE,    /* "%r<9>": index in the body's ranges */
    PTX_NAME_VECTOR,   /* ".reg .v4 .f32 v": index in the body's ranges, for "v.x" to "v.w" */
    PTX_NAME_MODULE_VARIABLE,
    PTX_NAME_FUNCTION_VARIABLE,
    PTX_NAME_PARAMETER,
    PTX_NAME_RETURN,
    PTX_NAME_FUNCTION,
    PTX_NAME_LABEL,     /* index of an instruction */
    PTX_NAME_TABLE,     /* .branchtargets: index in the body's tables */
    PTX_NAME_PROTOTYPE, /* .callprototype or .calltargets */
    PTX_NAME_MNEMONIC,  /* index in the parser's templates */
};

struct ptx_name {
    const char *text; /* [length] */
    size_t length;
    uint64_t hash;
    uint32_t kind; /* enum ptx_name_kind */
    uint32_t index;
    uint32_t older; /* next in the bucket, plus 1; 0: none */
};

struct ptx_names {
    struct arena *arena;
    struct ptx_name *stack; /* [count] */
    size_t count;
    size_t capacity;
    uint32_t *buckets; /* [bucket_count], a power of two; newest entry plus 1, 0: none */
    size_t bucket_count;
};

/* Starts empty; memory comes from the arena. */
void ptx_names_init(struct ptx_names *names, struct arena *arena);

/* Declares a name on top of the stack. */
void ptx_names_add(struct ptx_names *names, const char *text, size_t length,
                   enum ptx_name_kind kind, size_t index);

/* The newest declaration of a name, NULL if there is none; valid until the next one is added. */
const struct ptx_name *ptx_names_find(const struct ptx_names *names, const char *text,
                                      size_t length);

/* Forgets what was declared since the stack had `height` entries. */
void ptx_names_drop(struct ptx_names *names, size_t height);

#endif
