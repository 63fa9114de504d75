/* block_steps.h: what one block of one launch did, step by step, for a page that replays it.
 *
 * A step is what the lanes of one warp do together: an access, the arrival at a barrier, a branch
 * at which they part, the end. Steps are in the order in which the emulated device ran them, one of
 * those that CUDA allows. Values are not recorded.
 */
#ifndef GPUGRADE_MODEL_BLOCK_STEPS_H
#define GPUGRADE_MODEL_BLOCK_STEPS_H

#include "model/finding.h"
#include "model/trace.h"

/* Which block is wanted. */
struct step_request {
    const char *kernel; /* plain name, or a pattern (kernel_pattern.h); NULL: any that is judged */
    bool has_block;     /* false: the one with the first finding, or else the first */
    uint32_t block[3];
};

enum step_kind { STEP_READ, STEP_WRITE, STEP_ATOMIC, STEP_BARRIER, STEP_BRANCH, STEP_EXIT };
enum { STEP_BARRIER_PASSED = 16 };

struct block_step {
    uint8_t kind;   /* enum step_kind */
    uint8_t space;  /* enum trace_space */
    uint8_t bytes;  /* of an access: of each lane */
    bool releases;  /* BARRIER and EXIT: those who wait at the barrier go on now */
    uint32_t warp;  /* in the block */
    uint32_t line;  /* index in block_steps.lines */
    uint32_t lanes; /* a bit each */
    uint32_t other; /* BRANCH: all that came to it, `lanes` took it; access: lanes whose address is
                       not valid; BARRIER, and EXIT that releases one: its number, with
                       STEP_BARRIER_PASSED if the lanes arrive but do not wait */
    uint64_t first; /* access: the address of the lowest lane, or its offset in shared memory */
    int64_t distance;    /* ... and how far it is from a lane to the next, if `list` is NULL */
    const int64_t *list; /* [lanes, lowest first] distances from `first`; NULL: they are even */
};

/* A variable in shared memory, or an allocation. */
struct step_memory {
    uint8_t space;    /* enum trace_space */
    const char *name; /* as in the source, or in the rubric; "" where unknown */
    uint64_t start, bytes;
    uint64_t element_bytes; /* 0: unknown */
};

struct block_steps {
    const char *kernel;    /* plain name */
    const char *case_name; /* what the launch was for: "A 32x48, B 48x16"; "": a plain run */
    uint32_t grid[3], block[3], block_index[3];
    bool was_chosen;                /* the user named the block */
    bool has_finding;               /* the launch had one */
    bool is_wrong;                  /* the block is that of a wrong element */
    uint64_t shared_bytes;          /* of a block */
    uint64_t total;                 /* steps of the block, those that are left out included */
    const struct block_step *steps; /* [step_count] the first of them */
    size_t step_count;
    const struct trace_line *lines; /* [line_count] */
    size_t line_count;
    const struct step_memory *memories; /* [memory_count] */
    size_t memory_count;
    const struct finding *findings; /* [finding_count] of the run that was logged */
    size_t finding_count;
};

#endif
