/* index_guard.h: the condition in front of an access outside of an array that let it happen, with
 * the values that it compares. */
#ifndef GPUGRADE_DIAGNOSIS_LOCATION_INDEX_GUARD_H
#define GPUGRADE_DIAGNOSIS_LOCATION_INDEX_GUARD_H

#include "diagnosis/location/index_solve.h"
#include "model/verdict.h"
#include "source/access_guards.h"

/* An access, and what is known of it. */
struct guarded_access {
    struct value_scene *scene; /* with its thread, its block and the counters that are known */
    const struct source_tokens *tokens;
    size_t at;                  /* where it is */
    struct token_range index;   /* what it is indexed with */
    struct indexed_array array; /* .name 0: not known, or the index has no value */
    struct array_extents shape; /* of what it misses; .count 0: not known */
    const char *shape_name;
    const char *thread;      /* "thread (0,1) of block (1,0)" */
    bool is_past, is_before; /* past the end, before the start; neither: not known */
    bool is_next;            /* right past the end */
};

/* Tokens [first, end) as they are in the source; of a long text its start and "..."; NULL if they
 * are in several lines. */
const char *source_text(struct arena *arena, const struct source_tokens *tokens, size_t first,
                        size_t end);

/* "`i <= n` lets `i` = 8 in: `n` is 8". False if no condition is certain to say anything, or one
 * that is known would have kept the access out: then the scene loses what was solved. `only`: the
 * variable that the index is made of, so that whatever bounds it is meant; 0: there are several. */
bool index_guard_find(struct guarded_access *access, size_t only, struct cause_mark *out_mark);

#endif
