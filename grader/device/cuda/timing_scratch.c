/* timing_scratch.c: the memory that a timing needs beside the operands, and what the trusted
 * variables held as the request came. */
#include "device/cuda/cuda_timing.h"

#include <inttypes.h>
#include <stdlib.h>

/* Lays the scratch memory out from address 0 on; returns its size. */
static uint64_t lay_out(const struct cuda_timing *timing, struct timing_scratch *out_scratch)
{
    const struct timing_request *request = timing->request;
    struct timing_scratch scratch = {.flush = 0};
    uint64_t stage_bytes = 0;
    uint64_t fresh_bytes = 0;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        uint64_t bytes = timing_room_bytes(operand);
        scratch.output_bytes += timing_is_compared(operand) ? bytes : 0;
        fresh_bytes = !operand->is_output && bytes > fresh_bytes ? bytes : fresh_bytes;
        for (uint32_t k = 0; k < request->contender_count; k++) {
            if (bytes > stage_bytes &&
                timing_is_constant(timing, request->contenders[k].addresses[i])) {
                stage_bytes = bytes;
            }
        }
    }
    scratch.flush_words =
        (2 * (uint64_t)timing->device->model.l2_bytes / GPU_ALIGNMENT + 1) * GPU_ALIGNMENT / 4;
    scratch.seen = scratch.flush_words * 4;
    scratch.expected = scratch.seen + scratch.output_bytes;
    scratch.stage = scratch.expected + scratch.output_bytes;
    scratch.fresh = scratch.stage + stage_bytes;
    scratch.stamp = scratch.fresh + fresh_bytes;
    scratch.result = scratch.stamp + TIMING_SLOTS * sizeof(struct timing_clocks);
    *out_scratch = scratch;
    return scratch.result + GPU_ALIGNMENT;
}

static CUresult make_scratch(struct cuda_timing *timing)
{
    struct timing_scratch scratch;
    uint64_t bytes = lay_out(timing, &scratch);
    CUdeviceptr start = 0;
    CUresult result = timing->device->driver.allocate_memory(&start, bytes);
    if (result == CUDA_SUCCESS) {
        scratch.flush += start;
        scratch.seen += start;
        scratch.expected += start;
        scratch.stage += start;
        scratch.fresh += start;
        scratch.stamp += start;
        scratch.result += start;
        timing->scratch = scratch;
    }
    return result;
}

static CUresult make_gate_and_events(struct cuda_timing *timing)
{
    const struct driver *driver = &timing->device->driver;
    void *flag = NULL;
    CUresult result = driver->allocate_host(&flag, sizeof *timing->flag, CU_MEMHOSTALLOC_DEVICEMAP);
    if (result == CUDA_SUCCESS) {
        timing->flag = flag;
        *timing->flag = 0;
        result = driver->host_pointer(&timing->flag_address, flag, 0);
    }
    if (result == CUDA_SUCCESS) {
        result = driver->create_event(&timing->start, CU_EVENT_DEFAULT);
    }
    if (result == CUDA_SUCCESS) {
        result = driver->create_event(&timing->end, CU_EVENT_DEFAULT);
    }
    return result;
}

/* True if an operand of any contender lies in a variable: it holds data, no state. */
static bool holds_operand(const struct timing_request *request,
                          const struct device_allocation *variable)
{
    for (uint32_t i = 0; i < request->contender_count; i++) {
        for (uint32_t k = 0; k < request->operand_count; k++) {
            if (request->contenders[i].addresses[k] - variable->address < variable->bytes) {
                return true;
            }
        }
    }
    return false;
}

/* True if a trusted contender, or the judged one, launches kernels of this module. */
static bool is_used(const struct timing_request *request, size_t module, bool by_judged)
{
    for (uint32_t i = 0; i < request->contender_count; i++) {
        const struct timing_contender *contender = &request->contenders[i];
        for (uint32_t k = 0; k < contender->step_count; k++) {
            const struct timing_step *step = &contender->steps[k];
            if (step->kind == TIMING_LAUNCH && step->module == module &&
                (i == request->judged) == by_judged) {
                return true;
            }
        }
    }
    return false;
}

/* Keeps what a variable holds; false if it cannot be read. */
static bool keep_variable(struct cuda_timing *timing, const struct cuda_variable *variable,
                          bool is_judged)
{
    uint64_t bytes = variable->allocation.bytes;
    struct timing_variable *kept = &timing->variables[timing->variable_count];
    *kept = (struct timing_variable){is_judged, variable, malloc(bytes)};
    if (kept->bytes == NULL) {
        return false;
    }
    timing->variable_count++;
    return gpu_memory_read(&timing->device->memory, variable->allocation.address, kept->bytes,
                           bytes);
}

static bool keep_variables(struct cuda_timing *timing)
{
    const struct cuda_device *device = timing->device;
    size_t count = 1;
    bool is_kept = true;
    for (size_t i = 0; i < device->module_count; i++) {
        count += device->modules[i].variable_count;
    }
    timing->variables = calloc(count, sizeof *timing->variables);
    for (size_t i = 0; i < device->module_count; i++) {
        const struct cuda_module *module = &device->modules[i];
        bool is_trusted = is_used(timing->request, i, false);
        bool is_judged = timing->request->restores_judged && is_used(timing->request, i, true);
        for (size_t k = 0; k < module->variable_count && (is_trusted || is_judged); k++) {
            if (!holds_operand(timing->request, &module->variables[k].allocation)) {
                is_kept = is_kept && timing->variables != NULL &&
                          keep_variable(timing, &module->variables[k], !is_trusted);
            }
        }
    }
    return is_kept;
}

bool timing_put_back(struct cuda_timing *timing, bool is_judged)
{
    for (size_t i = 0; i < timing->variable_count; i++) {
        const struct timing_variable *kept = &timing->variables[i];
        if (kept->is_judged != is_judged) {
            continue;
        }
        const struct device_allocation *allocation = &kept->variable->allocation;
        if (!timing_goes_on(timing, timing->device->driver.upload(allocation->address, kept->bytes,
                                                                  allocation->bytes))) {
            return false;
        }
    }
    return true;
}

enum error timing_scratch_init(struct cuda_timing *timing, struct diagnostic *diagnostic)
{
    CUresult result = make_scratch(timing);
    if (result == CUDA_SUCCESS) {
        result = make_gate_and_events(timing);
    }
    bool is_kept = result == CUDA_SUCCESS && keep_variables(timing);
    for (size_t i = 0; i < 2; i++) {
        timing->clocks[i] = calloc(TIMING_SLOTS, sizeof *timing->clocks[i]);
        is_kept = is_kept && timing->clocks[i] != NULL;
    }
    if (!is_kept) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the GPU or this machine has no room for a timing: the program uses %" PRIu64
                       " bytes (%s)",
                       timing->device->memory.living_bytes,
                       driver_error_name(&timing->device->driver, result));
        return ERROR_LIMIT;
    }
    return ERROR_NONE;
}

void timing_scratch_release(struct cuda_timing *timing)
{
    const struct driver *driver = &timing->device->driver;
    if (!timing->device->is_dead) {
        if (timing->scratch.flush != 0) {
            driver->free_memory(timing->scratch.flush);
        }
        if (timing->flag != NULL) {
            driver->free_host(timing->flag);
        }
        if (timing->start != NULL) {
            driver->destroy_event(timing->start);
        }
        if (timing->end != NULL) {
            driver->destroy_event(timing->end);
        }
    }
    for (size_t i = 0; i < timing->variable_count; i++) {
        free(timing->variables[i].bytes);
    }
    free(timing->variables);
    free(timing->clocks[0]);
    free(timing->clocks[1]);
}
