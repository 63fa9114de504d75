/* launch_profile.h: what an observed launch cost, for reports that draw it: exact counts of the
 * emulated device for the largest visible shape, and the occupancy of its blocks. */
#ifndef GPUGRADE_MODEL_LAUNCH_PROFILE_H
#define GPUGRADE_MODEL_LAUNCH_PROFILE_H

#include "model/counts.h"

/* Loads from the allocation of one input. */
struct profile_operand {
    const char *name;       /* "A" */
    uint64_t bytes;         /* that active lanes loaded */
    uint64_t naive_bytes;   /* what the naive kernel loads for the same shape; 0: unknown */
    uint64_t sectors;       /* of 32 bytes that were touched */
    uint64_t least_sectors; /* the fewest for the same bytes of each request */
};

/* One resource that bounds how many blocks a multiprocessor holds. */
struct profile_limit {
    const char *resource; /* "registers", "shared memory", "warps", "blocks" */
    uint64_t per_block;   /* what a block takes, in the resource's unit */
    uint64_t available;   /* what a multiprocessor has */
    const char *unit;     /* "registers", "bytes", "warps", "blocks" */
    uint32_t blocks;      /* that fit by this resource alone */
    bool is_limit;        /* none fits fewer */
    const char *cliff;    /* "one more register per thread: 3 blocks"; "" where there is none */
};

/* What another block width would mean for a kernel that multiplies in tiles, its registers left as
 * they are. That of the launch is measured; for others loads shrink with the block width, and
 * threads and shared memory grow with its square. */
struct profile_tiles {
    uint32_t block_width;
    uint32_t threads;           /* of a block */
    double operations_per_load; /* of one element of an input; a multiply-add is two */
    uint64_t shared_bytes;      /* of a block */
    uint32_t active_blocks;     /* on a multiprocessor; 0: none fits */
    uint32_t active_warps;
    bool is_own; /* the block width of this launch */
};

enum { PROFILE_LIMITS_MAX = 6, PROFILE_TILES_MAX = 8 };

/* The work of a case, in units (work_limit.h). */
struct profile_work {
    const char *shape;
    uint64_t used;    /* by the launch, in its most costly probe */
    uint64_t said;    /* what a simple kernel needs, by the rubric; 0: not given */
    uint64_t allowed; /* what the launch could use */
};

struct launch_profile {
    size_t launch; /* index in the rubric */
    /* for lint: the case that comes closest to its limit, and the case in which `said` is the
     * largest multiple of `used`; `used` is 0 where the device counts no work */
    struct profile_work tightest, loosest;
    const char *shape; /* "A 96x192, B 192x288" */
    uint32_t threads_per_block;
    uint64_t warp_instructions; /* of all kernels of the launch or call; 0: not counted */
    struct profile_operand operands[RUBRIC_OPERANDS_MAX]; /* the inputs alone */
    size_t operand_count;
    const struct line_count *lines; /* [line_count] of the student's files, by file and line */
    size_t line_count;
    struct profile_limit limits[PROFILE_LIMITS_MAX];
    size_t limit_count;                          /* 0: resources unknown */
    uint32_t active_blocks;                      /* on a multiprocessor */
    uint32_t active_warps, multiprocessor_warps; /* occupancy is the first over the second */
    const char *gpu_model;
    struct profile_tiles tiles[PROFILE_TILES_MAX];
    size_t tile_count; /* 0: the kernel has no tiles, or its resources are unknown */
};

#endif
