/* occupancy_card.h: why that many blocks of a kernel fit on a multiprocessor, and what would change
 * it.
 *
 * A cliff is the smallest change of one resource at which a different number of blocks fits, with
 * everything else unchanged: a few more registers per thread, or fewer bytes of shared memory per
 * block.
 */
#ifndef GPUGRADE_OCCUPANCY_OCCUPANCY_CARD_H
#define GPUGRADE_OCCUPANCY_OCCUPANCY_CARD_H

#include "occupancy/occupancy.h"

enum { REGISTERS_PER_THREAD_MAX = 255 }; /* since compute capability 3.5 */

struct occupancy_cliff {
    uint64_t change; /* registers per thread, or bytes per block; 0: none in this direction */
    uint32_t blocks; /* that fit then */
};

struct occupancy_card {
    uint32_t threads;      /* of a block */
    uint32_t registers;    /* of a thread */
    uint64_t shared_bytes; /* of a block, static and dynamic */
    struct occupancy_result fits;
    double occupancy; /* resident warps over the most that a multiprocessor holds */
    struct occupancy_cliff more_registers, fewer_registers;
    struct occupancy_cliff more_shared, less_shared;
};

/* How many blocks fit with these registers per thread and bytes per block; false if that cannot be
 * computed. */
typedef bool (*occupancy_fit)(void *context, uint32_t registers, uint64_t shared_bytes,
                              struct occupancy_result *out_fits);

/* Fills a card, except for threads and occupancy, by calling `fit`, which must never give more
 * blocks for more registers or bytes. Cliffs are looked for up to REGISTERS_PER_THREAD_MAX
 * registers and `shared_max_bytes`. False if `fit` fails for the kernel as it is. */
bool occupancy_card_explore(occupancy_fit fit, void *context, uint32_t registers,
                            uint64_t shared_bytes, uint64_t shared_max_bytes,
                            struct occupancy_card *out_card);

/* The card of a kernel on a model. Static and dynamic shared memory count together, up to what the
 * model allows a block with opt-in. False if the calculator rejects the sizes. */
bool occupancy_card_make(const struct gpu_model *model, const struct kernel_usage *usage,
                         uint32_t block_threads, uint64_t dynamic_shared_bytes,
                         struct occupancy_card *out_card);

#endif
