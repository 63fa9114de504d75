/* shuffle.h: another order of the numbers below `count`, for each seed one of many. */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_SHUFFLE_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_SHUFFLE_H

#include <stdint.h>

/* What stands at place `index` < `count`; a seed of 0 leaves all in order. */
uint64_t shuffle_index(uint64_t seed, uint64_t index, uint64_t count);

/* A seed made from one and a number; 0 stays 0, nothing else becomes 0. */
uint64_t shuffle_seed(uint64_t seed, uint64_t number);

#endif
