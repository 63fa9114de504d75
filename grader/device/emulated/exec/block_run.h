/* block_run.h: one block: its memory, and its warps in turn. */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_BLOCK_RUN_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_BLOCK_RUN_H

#include "device/emulated/machine.h"

/* Makes the memory for the blocks of a launch, one at a time. Aborts without memory. */
struct block *block_new(struct launch *launch, struct worker *worker);
void block_free(struct block *block); /* NULL is accepted */

/* Makes the block ready to run as block number `linear`: registers (except predicates), shared and
 * local memory are poisoned. */
void block_start(struct block *block, uint64_t linear);

/* Gives each warp one turn. True while the block has not ended. */
bool block_run_round(struct block *block);

/* Adds what the block counted to its worker. */
void block_finish(struct block *block);

#endif
