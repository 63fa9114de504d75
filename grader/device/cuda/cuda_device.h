/* cuda_device.h: the real GPU as a device, beyond what device.h asks for.
 *
 * One process opens one GPU, in the GPU's primary context. A fault or a deadline kills the context:
 * the launch that caused it reports what happened, every later call fails or returns the same
 * status, and the process is of no further use. Closing the device then leaves the context alone;
 * the process must end with _exit(), because the driver would wait for a kernel that never ends. If
 * a driver call of a launch or a timing has not returned 2 s after the deadline, the process ends
 * itself with DEVICE_EXIT_HUNG (gpu_watchdog.h).
 */
#ifndef GPUGRADE_DEVICE_CUDA_CUDA_DEVICE_H
#define GPUGRADE_DEVICE_CUDA_CUDA_DEVICE_H

#include "device/device.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Like device_cuda.open, with another driver library than DRIVER_LIBRARY: for tests. Errors:
 * ERROR_ENVIRONMENT, ERROR_NOT_FOUND (no such GPU). */
enum error cuda_open(const char *library, const struct device_config *config, void **out_state,
                     struct diagnostic *diagnostic);

/* Like device_cuda.load_module, with the machine code that ptxas made of the text for this GPU
 * (`image`, `image_bytes` of it); NULL: the driver assembles the text. */
enum error cuda_load_module(void *state, const char *ptx, size_t length, const void *image,
                            size_t image_bytes, uint32_t *out_module,
                            struct diagnostic *diagnostic);

/* The properties of the GPU that is open, and its UUID ("GPU-6f0c..."). */
const struct gpu_model *cuda_model(const void *state);
const char *cuda_uuid(const void *state);

/* Blocks of a kernel that fit on a multiprocessor at once, as the driver computes it; false if
 * there is no such kernel. */
bool cuda_active_blocks(void *state, uint32_t module, uint32_t function, uint32_t block_threads,
                        uint64_t dynamic_shared_bytes, uint32_t *out_blocks);

#endif
