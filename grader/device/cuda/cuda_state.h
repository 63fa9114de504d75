/* cuda_state.h: the state of an open GPU, shared by cuda_device.c, cuda_launch.c and the files of
 * cuda_timing.h. */
#ifndef GPUGRADE_DEVICE_CUDA_CUDA_STATE_H
#define GPUGRADE_DEVICE_CUDA_CUDA_STATE_H

#include "device/cuda/gpu_memory.h"
#include "device/cuda/gpu_properties.h"
#include "device/cuda/gpu_textures.h"
#include "device/cuda/gpu_watchdog.h"
#include "device/cuda/print_capture.h"
#include "device/cuda/timing_kernels.h"
#include "device/device.h"
#include "ptx/ptx.h"

enum { CUDA_FINDINGS_MAX = 64 }; /* of a launch */

struct cuda_function {
    CUfunction handle;
    struct device_function_info info;
    uint32_t dynamic_limit; /* what a launch may ask for without raising it */
    bool is_warm;           /* it ran in a timing before */
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
    struct gpu_textures textures;
    struct print_capture capture;
    bool has_capture;
    struct gpu_watchdog watchdog;
    bool has_watchdog;
    struct timing_kernels kernels; /* kernels.module: NULL until the first timing */
    struct timing_sample *samples; /* [TIMING_SAMPLES_MAX] of the last timing; NULL: none yet */
    double copy_bandwidth;         /* as device_timing_result has it */
    struct arena *arena;
    struct cuda_module *modules; /* [module_count] */
    size_t module_count, module_capacity;
    struct device_limits limits; /* as last set in the driver; 0: its defaults */
    bool is_dead;
    enum launch_status death;                          /* of the launch that killed the context */
    struct finding_record findings[CUDA_FINDINGS_MAX]; /* of the last launch */
    struct text texts[CAPTURE_STREAMS];                /* that the last launch printed */
};

/* The kernel of a module; NULL if there is none. */
struct cuda_function *cuda_find_function(const struct cuda_device *device, uint32_t module,
                                         uint32_t function);

/* The entries `launch` and `time` of the backend. */
void cuda_launch(void *state, const struct device_launch *launch,
                 struct device_launch_result *out_result);
enum error cuda_time(void *state, const struct timing_request *request,
                     const struct device_limits *limits, struct device_timing_result *out_result,
                     struct diagnostic *diagnostic);

/* The steps of a launch. Sets the changed limits in the driver; they apply to all kernels. */
void cuda_set_limits(struct cuda_device *device, const struct device_limits *limits);

/* Starts a kernel on the default stream; any result other than CUDA_SUCCESS is a refusal. */
CUresult cuda_start(struct cuda_device *device, struct cuda_function *function,
                    const struct device_launch *launch);

/* Waits until an event is reached (NULL: all work is done, and what kernels printed is written);
 * CUDA_ERROR_NOT_READY if that takes longer than the deadline of a launch, or is not wanted. */
CUresult cuda_wait(const struct cuda_device *device, CUevent event);

/* Report a launch that failed; each sets status and findings of *result. */
void cuda_report_death(struct cuda_device *device, const struct device_launch *launch,
                       CUresult death, struct device_launch_result *result);
void cuda_report_refusal(struct cuda_device *device, const struct device_launch *launch,
                         CUresult refusal, struct device_launch_result *result);

/* Adds findings for memory guards that were written to. */
void cuda_report_overruns(struct cuda_device *device, const struct device_launch *launch,
                          struct device_launch_result *result);

#endif
