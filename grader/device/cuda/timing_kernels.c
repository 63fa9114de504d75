/* timing_kernels.c: see timing_kernels.h. */
#include "device/cuda/timing_kernels.h"

enum { BLOCKS_MAX = 8192 };

enum error timing_kernels_load(const struct driver *driver, struct timing_kernels *out_kernels,
                               struct diagnostic *diagnostic)
{
    struct timing_kernels kernels = {.module = NULL};
    const struct {
        CUfunction *function;
        const char *name;
    } rows[] = {
        {&kernels.fill, "gpugrade_fill"},
        {&kernels.compare_bits, "gpugrade_compare_bits"},
        {&kernels.compare_magnitudes, "gpugrade_compare_magnitudes"},
        {&kernels.fill_range, "gpugrade_fill_range"},
        {&kernels.compare_close, "gpugrade_compare_close"},
        {&kernels.stamp, "gpugrade_stamp"},
        {&kernels.gate, "gpugrade_gate"},
    };
    CUresult result = driver->module_load(&kernels.module, timing_kernels_ptx, 0, NULL, NULL);
    for (size_t i = 0; result == CUDA_SUCCESS && i < sizeof rows / sizeof rows[0]; i++) {
        result = driver->module_function(rows[i].function, kernels.module, rows[i].name);
    }
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver rejects the grader's own kernels (%s); install a driver "
                       "for CUDA 12 or later",
                       driver_error_name(driver, result));
        return ERROR_ENVIRONMENT;
    }
    *out_kernels = kernels;
    return ERROR_NONE;
}

CUresult timing_kernel_start(const struct driver *driver, CUfunction kernel, uint32_t blocks,
                             uint32_t threads, void *parameters, size_t bytes)
{
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parameters, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &bytes, CU_LAUNCH_PARAM_END};
    CUlaunchConfig config = {.gridDimX = blocks,
                             .gridDimY = 1,
                             .gridDimZ = 1,
                             .blockDimX = threads,
                             .blockDimY = 1,
                             .blockDimZ = 1};
    return driver->launch(&config, kernel, NULL, extra);
}

uint32_t timing_blocks(uint64_t elements)
{
    uint64_t blocks = (elements + TIMING_THREADS - 1) / TIMING_THREADS;
    return blocks < BLOCKS_MAX ? (uint32_t)blocks : BLOCKS_MAX;
}
