/* runtime_launch.c: makes launches and does them, with one message. The device has told where each
 * parameter lies in the parameter block and how long it is. */
#include "cudart/runtime.h"

#include <stdlib.h>
#include <string.h>

static uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)low | (uint64_t)high << 32;
}

/* Puts the arguments where the kernel expects them; false if there are none where some should be.
 */
static bool gather(const struct runtime_kernel *kernel, void **arguments, uint8_t *out_block)
{
    if (arguments == NULL && kernel->parameter_count > 0) {
        return false;
    }
    memset(out_block, 0, kernel->parameter_bytes);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        uint64_t offset = kernel->parameters[2 * i], bytes = kernel->parameters[2 * i + 1];

        if (arguments[i] == NULL || offset > kernel->parameter_bytes ||
            bytes > kernel->parameter_bytes - offset) {
            return false;
        }
        memcpy(out_block + offset, arguments[i], bytes);
    }
    return true;
}

cudaError_t runtime_prepare_launch(const void *function, void **arguments,
                                   struct runtime_launch *out)
{
    struct runtime_kernel *kernel = runtime_find_kernel(function);

    if (function == NULL || kernel == NULL) {
        return runtime_refuse(cudaErrorInvalidDeviceFunction, REFUSAL_FUNCTION);
    }
    cudaError_t error = runtime_resolve_kernel(kernel);
    if (error != cudaSuccess) {
        return error;
    }
    uint64_t *words = calloc(kernel->parameter_bytes / 8 + 1, sizeof(*words));
    if (words == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (!gather(kernel, arguments, (uint8_t *)words)) {
        free(words);
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    out->kernel = kernel;
    out->words = words;
    return cudaSuccess;
}

uint64_t runtime_active_blocks(const struct runtime_kernel *kernel, uint64_t threads,
                               uint64_t shared_bytes)
{
    struct message reply,
        request = {.type = CLIENT_OCCUPANCY, .words = {0, kernel->handle, threads, shared_bytes}};

    return runtime_request(&request, &reply) == cudaSuccess ? reply.words[0] : 0;
}

/* True if not all blocks of a cooperative launch fit on the device at once; geometry that nothing
 * can run is the device's to refuse. */
static bool is_too_large(const struct runtime_launch *launch)
{
    const struct device_properties *device = runtime_properties();
    const dim3 *grid = &launch->grid, *block = &launch->block;
    uint64_t blocks = (uint64_t)grid->x * grid->y;
    uint64_t threads = (uint64_t)block->x * block->y;

    if (block->z > 64 || threads > 1024 || grid->z > UINT16_MAX ||
        launch->shared_bytes > UINT32_MAX) {
        return false;
    }
    threads *= block->z;
    if (threads == 0 || threads > device->max_threads_per_block) {
        return false;
    }
    uint64_t each = runtime_active_blocks(launch->kernel, threads, launch->shared_bytes);
    uint64_t most = each * device->multiprocessors;

    return each > 0 && grid->z > 0 && blocks > most / grid->z;
}

cudaError_t runtime_launch(const struct runtime_launch *launch)
{
    const struct runtime_kernel *kernel = launch->kernel;
    uint64_t words[CLIENT_PARAMETERS_BYTES / 8 + 1];
    const dim3 *grid = &launch->grid, *threads = &launch->block;
    struct message reply,
        request = {
            .type = CLIENT_LAUNCH,
            .words = {0, kernel->handle, pair(grid->x, grid->y), pair(grid->z, threads->x),
                      pair(threads->y, threads->z), launch->shared_bytes, launch->is_cooperative},
            .payload = words,
            .payload_bytes = kernel->parameter_bytes,
        };

    if (kernel->parameter_bytes > CLIENT_PARAMETERS_BYTES) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    runtime_show_printed();
    if (launch->is_cooperative && is_too_large(launch)) {
        return runtime_refuse(cudaErrorCooperativeLaunchTooLarge, REFUSAL_COOPERATIVE);
    }
    /* Addresses may be replaced; a graph launches the same words again. */
    memcpy(words, launch->words, kernel->parameter_bytes);
    cudaError_t error = mirrors_push(words, kernel->parameter_bytes / 8);
    if (error == cudaSuccess) {
        runtime_set_stream(runtime_work_stream());
        error = runtime_request(&request, &reply);
        runtime_set_stream(0);
        runtime_note_printed(error == cudaSuccess && reply.words[0] != 0);
    }
    return error == cudaSuccess ? mirrors_launched() : error;
}
