/* cuda_state.h: the state of an open GPU, shared by cuda_device.c and cuda_launch.c. */
#ifndef GPUGRADE_DEVICE_CUDA_CUDA_STATE_H
#define GPUGRADE_DEVICE_CUDA_CUDA_STATE_H

#include "device/cuda/gpu_memory.h"
#include "device/cuda/gpu_properties.h"
#include "device/cuda/print_capture.h"
#include "device/device.h"
#include "ptx/ptx.h"

enum { CUDA_FINDINGS_MAX = 64 }; /* of a launch */

struct cuda_function {
    CUfunction handle;
    struct device_function_info info;
    uint32_t dynamic_limit; /* what a launch may ask for without raising it */
};

struct cuda_variable {
    const char *name;
    struct device_allocation allocation;
    void *initial; /* [allocation.bytes] as the module was loaded */
};

struct cuda_module {
    CUmodule handle;
    struct cuda_variable *variables; /* [variable_count] */
    size_t variable_count;
    struct cuda_function *functions; /* [function_count] */
    size_t function_count;
};

struct cuda_device {
    struct driver driver;
    CUdevice gpu;
    bool has_context;
    struct device_config config;
    struct gpu_model model;
    char uuid[GPU_UUID_BYTES];
    struct gpu_memory memory;
    struct print_capture capture;
    bool has_capture;
    struct arena *arena;
    struct cuda_module *modules; /* [module_count] */
    size_t module_count, module_capacity;
    struct device_limits limits; /* as last told to the driver; 0: its own */
    bool is_dead;
    enum launch_status death;                          /* of the launch that killed the context */
    struct finding_record findings[CUDA_FINDINGS_MAX]; /* of the last launch */
    struct text texts[CAPTURE_STREAMS];                /* that the last launch printed */
};

/* The entry `launch` of the backend. */
void cuda_launch(void *state, const struct device_launch *launch,
                 struct device_launch_result *out_result);

#endif
