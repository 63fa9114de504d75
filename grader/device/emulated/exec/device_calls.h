/* device_calls.h: functions of the device runtime that kernels call: vprintf, __assertfail, malloc
 * and free; cudaGraphSetConditional is in lower_calls.c. Any other function without a body, unless
 * libdevice has it (libdevice.h), is reported by name when it is reached.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_DEVICE_CALLS_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_DEVICE_CALLS_H

#include "base/arena.h"
#include "device/emulated/machine.h"

#include <pthread.h>

/* A function that is known, in the form in which nvcc declares it. */
struct device_call {
    const char *name;
    uint16_t code; /* enum op_code */
    bool is_control;
    bool uses_heap;
    uint8_t parameter_count;
    uint8_t parameters[5]; /* bytes of each */
    uint8_t result;        /* bytes; 0: none */
};

/* The function that a declaration names; NULL if it is not known. */
const struct device_call *device_call_find(const struct ptx_function *function);

/* Texts of findings that come from the memory of the device; they live as long as the launch. */
struct launch_texts {
    pthread_mutex_t lock;
    struct arena *arena;
};

/* Handlers. */
void print_run(struct warp *warp, const struct op *op, uint32_t mask);
void assert_fail_run(struct warp *warp, const struct op *op, uint32_t mask);
void malloc_run(struct warp *warp, const struct op *op, uint32_t mask);
void free_run(struct warp *warp, const struct op *op, uint32_t mask);
void unknown_call_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
