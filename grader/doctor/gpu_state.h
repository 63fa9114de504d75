/* gpu_state.h: parses what nvidia-smi --format=csv,noheader prints about GPUs. Pure. */
#ifndef GPUGRADE_DOCTOR_GPU_STATE_H
#define GPUGRADE_DOCTOR_GPU_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* The fields to ask for, in the order in which gpu_state_read takes them. */
#define GPU_STATE_FIELDS                                                                           \
    "uuid,persistence_mode,mig.mode.current,ecc.mode.current,clocks.sm,clocks.max.sm,"             \
    "temperature.gpu"

enum { GPU_STATE_TEXT_MAX = 64 };

struct gpu_state {
    char uuid[GPU_STATE_TEXT_MAX];        /* "GPU-6f0c..." */
    char persistence[GPU_STATE_TEXT_MAX]; /* "Enabled", "Disabled", "[N/A]" */
    char mig[GPU_STATE_TEXT_MAX];
    char ecc[GPU_STATE_TEXT_MAX];
    char clock[GPU_STATE_TEXT_MAX]; /* of the multiprocessors: "345 MHz" */
    char clock_max[GPU_STATE_TEXT_MAX];
    char temperature[GPU_STATE_TEXT_MAX]; /* degrees Celsius */
};

/* Reads the next GPU of a list and advances *rest; a line with other fields is skipped. False at
 * the end. */
bool gpu_state_read(const char **rest, struct gpu_state *out_state);

/* Counts the lines that start with the GPU's UUID in a list such as --query-compute-apps prints. */
size_t gpu_state_programs(const char *list, const char *uuid);

#endif
