/* index_guard.h: the condition in front of an access outside of an array that let it happen, with
 * the values that it compares. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_INDEX_GUARD_H
#define GPUGRADE_DIAGNOSIS_LOCATION_INDEX_GUARD_H

#include "model/verdict.h"
#include "source/access_guards.h"
#include "source/thread_value.h"

/* An access, and what is known of it. */
struct guarded_access {
    struct value_scene *scene; /* with its thread, its block and the counters that are known */
    const struct source_tokens *tokens;
    size_t at;                /* where it is */
    struct token_range index; /* what it is indexed with */
    const char *thread;       /* "thread (0,1) of block (1,0)" */
    bool is_past, is_before;  /* past the end, before the start; neither: not known */
    bool is_next;             /* right past the end */
};

/* Tokens [first, end) as they are in the source; of a long text its start and "..."; NULL if they
 * are in several lines. */
const char *source_text(struct arena *arena, const struct source_tokens *tokens, size_t first,
                        size_t end);

enum { EXTENTS_MAX = 4 };

/* The extents of an array, the first of which may be 0. */
struct array_extents {
    int64_t sizes[EXTENTS_MAX];
    size_t count;
};

/* Gives the scene the value of what it does not know in the index, such as a counter of a loop: the
 * one with which the access is to that element, as if the array had one dimension. False if the
 * index has another value, or none is certain. */
bool index_guard_solve(struct guarded_access *access, size_t array,
                       const struct array_extents *extents, int64_t element);

/* "`i <= n` lets `i` = 8 in: `n` is 8". False if no condition is certain to say anything, or one
 * that is known would have kept the access out. `only`: the variable that the index is made of, so
 * that whatever bounds it is meant; 0: there are several. */
bool index_guard_find(struct guarded_access *access, size_t only, struct cause_mark *out_mark);

#endif
