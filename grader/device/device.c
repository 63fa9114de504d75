/* device.c: hands each call of device.h to the backend that the device was opened with. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

struct device {
    const struct device_backend *backend;
    void *state;
};

enum error device_open(const struct device_backend *backend, const struct device_config *config,
                       struct device **out_device, struct diagnostic *diagnostic)
{
    struct device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no memory for a device");
        return ERROR_ENVIRONMENT;
    }
    device->backend = backend;
    enum error error = backend->open(config, &device->state, diagnostic);
    if (error != ERROR_NONE) {
        free(device);
        return error;
    }
    *out_device = device;
    return ERROR_NONE;
}

void device_close(struct device *device)
{
    if (device != NULL) {
        device->backend->close(device->state);
        free(device);
    }
}

void *device_state(struct device *device)
{
    return device->state;
}

enum error device_load_module(struct device *device, const char *ptx, size_t length,
                              uint32_t *out_module, struct diagnostic *diagnostic)
{
    return device->backend->load_module(device->state, ptx, length, out_module, diagnostic);
}

size_t device_function_count(struct device *device, uint32_t module)
{
    return device->backend->function_count(device->state, module);
}

bool device_function_info(struct device *device, uint32_t module, uint32_t function,
                          struct device_function_info *out_info)
{
    return device->backend->function_info(device->state, module, function, out_info);
}

bool device_variable(struct device *device, uint32_t module, const char *name,
                     struct device_allocation *out_variable)
{
    return device->backend->variable(device->state, module, name, out_variable);
}

void device_initialise(struct device *device)
{
    device->backend->initialise(device->state);
}

enum error device_allocate(struct device *device, uint64_t bytes, uint64_t *out_address,
                           struct diagnostic *diagnostic)
{
    return device->backend->allocate(device->state, bytes, out_address, diagnostic);
}

enum error device_allocate_again(struct device *device, uint64_t bytes, uint64_t address,
                                 struct diagnostic *diagnostic)
{
    return device->backend->allocate_again(device->state, bytes, address, diagnostic);
}

bool device_release(struct device *device, uint64_t address)
{
    return device->backend->release(device->state, address);
}

bool device_find(struct device *device, uint64_t address, struct device_allocation *out_allocation)
{
    return device->backend->find(device->state, address, out_allocation);
}

bool device_read(struct device *device, uint64_t address, void *out_bytes, size_t length)
{
    return device->backend->read(device->state, address, out_bytes, length);
}

bool device_write(struct device *device, uint64_t address, const void *bytes, size_t length)
{
    return device->backend->write(device->state, address, bytes, length);
}

bool device_copy(struct device *device, uint64_t to, uint64_t from, uint64_t length)
{
    return device->backend->copy(device->state, to, from, length);
}

bool device_fill(struct device *device, uint64_t address, uint64_t length, uint32_t pattern,
                 size_t pattern_bytes)
{
    return device->backend->fill(device->state, address, length, pattern, pattern_bytes);
}

void device_forget(struct device *device, uint64_t address)
{
    if (device->backend->forget != NULL) {
        device->backend->forget(device->state, address);
    }
}

bool device_unwritten(struct device *device, uint64_t address, uint64_t length,
                      uint64_t element_bytes, uint64_t *out_address)
{
    return device->backend->unwritten != NULL &&
           device->backend->unwritten(device->state, address, length, element_bytes, out_address);
}

enum error device_snapshot(struct device *device, struct diagnostic *diagnostic)
{
    return device->backend->snapshot(device->state, diagnostic);
}

void device_restore(struct device *device)
{
    device->backend->restore(device->state);
}

void device_discard(struct device *device)
{
    device->backend->discard(device->state);
}

void device_launch(struct device *device, const struct device_launch *launch,
                   struct device_launch_result *out_result)
{
    device->backend->launch(device->state, launch, out_result);
}

enum error device_load_image(struct device *device, const char *ptx, size_t length,
                             const void *image, size_t image_bytes, uint32_t *out_module,
                             struct diagnostic *diagnostic)
{
    if (device->backend->load_image == NULL || image_bytes == 0) {
        return device_load_module(device, ptx, length, out_module, diagnostic);
    }
    return device->backend->load_image(device->state, ptx, length, image, image_bytes, out_module,
                                       diagnostic);
}

bool device_active_blocks(struct device *device, uint32_t module, uint32_t function,
                          uint32_t block_threads, uint64_t dynamic_shared_bytes,
                          uint32_t *out_blocks)
{
    return device->backend->active_blocks != NULL &&
           device->backend->active_blocks(device->state, module, function, block_threads,
                                          dynamic_shared_bytes, out_blocks);
}

enum error device_measure(struct device *device, const struct timing_request *request,
                          const struct device_limits *limits,
                          struct device_timing_result *out_result, struct diagnostic *diagnostic)
{
    if (device->backend->time == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the %s device cannot measure times",
                       device->backend->name);
        return ERROR_UNSUPPORTED;
    }
    return device->backend->time(device->state, request, limits, out_result, diagnostic);
}

enum error device_trace_block(struct device *device, const struct device_launch *launch,
                              uint64_t address, uint64_t bytes, struct device_trace *out_trace,
                              struct diagnostic *diagnostic)
{
    if (device->backend->trace == NULL) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the %s device cannot log accesses",
                       device->backend->name);
        return ERROR_UNSUPPORTED;
    }
    return device->backend->trace(device->state, launch, address, bytes, out_trace, diagnostic);
}

void device_follow(struct device *device, bool is_on)
{
    if (device->backend->follow != NULL) {
        device->backend->follow(device->state, is_on);
    }
}

void device_find_origin(struct device *device, uint64_t address, uint64_t bytes,
                        struct device_origin *out_origin)
{
    memset(out_origin, 0, sizeof *out_origin);
    out_origin->unloaded = bytes;
    if (device->backend->origin != NULL) {
        device->backend->origin(device->state, address, bytes, out_origin);
    }
}

size_t device_find_terms(struct device *device, uint64_t address, uint64_t bytes,
                         struct device_term *out_terms, size_t room)
{
    return device->backend->terms == NULL
               ? SIZE_MAX
               : device->backend->terms(device->state, address, bytes, out_terms, room);
}

enum term_fate device_find_fate(struct device *device, uint64_t address,
                                struct device_place *out_place)
{
    memset(out_place, 0, sizeof *out_place);
    return device->backend->fate == NULL ? TERM_LOADED
                                         : device->backend->fate(device->state, address, out_place);
}

void device_watch_steps(struct device *device, uint32_t module, uint32_t function,
                        const struct device_step_wish *wish)
{
    if (device->backend->watch_steps != NULL) {
        device->backend->watch_steps(device->state, module, function, wish);
    }
}

void device_steps(struct device *device, struct device_steps *out_steps)
{
    *out_steps = (struct device_steps){.is_there = false};
    if (device->backend->steps != NULL) {
        device->backend->steps(device->state, out_steps);
    }
}
