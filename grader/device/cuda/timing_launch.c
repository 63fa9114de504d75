/* timing_launch.c: one launch of a contender on data of its own (drawn in cuda_timing.h). */
#include "device/cuda/cuda_timing.h"

#include "base/clock.h"
#include "base/rng.h"

#define GATE_NS UINT64_C(100000000) /* after which the gate opens by itself */
#define LATE_NS (GATE_NS / 10 * 9)  /* the GPU's clock is not the host's */

/* What the launch of a place is given. */
struct draw {
    uint32_t pattern; /* of its outputs */
    uint64_t seeds[TIMING_OPERANDS_MAX];
};

static struct draw draw_data(const struct timing_request *request, struct timing_place place)
{
    struct draw draw;
    struct rng data;
    rng_init(&data, request->seed, place.block, place.position, place.launch);
    draw.pattern = 0xfff80000u | (uint32_t)(rng_next(&data) >> 45);
    for (uint32_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        draw.seeds[i] = rng_next(&data);
    }
    return draw;
}

/* Stops because of the contender; false. */
static bool stop(struct cuda_timing *timing, enum timing_stop reason, CUresult cause)
{
    timing->stop = reason;
    timing->cause = cause;
    return false;
}

static bool run_own(struct cuda_timing *timing, CUfunction kernel, uint64_t elements,
                    void *parameters, size_t bytes)
{
    return timing_goes_on(timing, timing_kernel_start(&timing->device->driver, kernel,
                                                      timing_blocks(elements), TIMING_THREADS,
                                                      parameters, bytes));
}

/* Copies what an operand holds in each launch. */
static bool copy_input(struct cuda_timing *timing, const struct timing_operand *operand,
                       CUdeviceptr to, bool is_absolute)
{
    return timing_goes_on(timing,
                          timing->device->driver.enqueue_copy(
                              to, is_absolute ? operand->copy_of_absolute : operand->copy_of,
                              timing_operand_bytes(operand), NULL));
}

static bool fill_input(struct cuda_timing *timing, const struct draw *draw, uint32_t index,
                       CUdeviceptr to, bool is_absolute)
{
    const struct timing_operand *operand = &timing->request->operands[index];
    if (operand->copy_of != 0) {
        return copy_input(timing, operand, to, is_absolute);
    }
    if (operand->least != 0 || operand->most != 0) {
        struct timing_fill_range range = {
            to,          operand->elements, draw->seeds[index], operand->type,
            is_absolute, operand->least,    operand->most};
        return run_own(timing, timing->device->kernels.fill_range, range.elements, &range,
                       sizeof range);
    }
    struct timing_fill fill = {to, operand->elements, draw->seeds[index], operand->type,
                               is_absolute};
    return run_own(timing, timing->device->kernels.fill, fill.elements, &fill, sizeof fill);
}

bool timing_fill_input(struct cuda_timing *timing, struct timing_place place, uint32_t operand,
                       CUdeviceptr to, bool is_absolute)
{
    struct draw draw = draw_data(timing->request, place);
    return fill_input(timing, &draw, operand, to, is_absolute);
}

/* Fills the inputs of a contender. Constants are filled elsewhere and copied: a kernel does not
 * write to constants. */
static bool fill_inputs(struct cuda_timing *timing, uint32_t contender, const struct draw *draw,
                        bool is_absolute)
{
    const struct timing_request *request = timing->request;
    const struct driver *driver = &timing->device->driver;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        uint64_t address = request->contenders[contender].addresses[i];
        bool is_constant = timing_is_constant(timing, address);
        CUdeviceptr to = is_constant ? timing->scratch.stage : address;
        if (!timing_is_filled(&request->operands[i])) {
            continue;
        }
        if (!fill_input(timing, draw, i, to, is_absolute)) {
            return false;
        }
        if (is_constant &&
            !timing_goes_on(
                timing, driver->enqueue_copy(address, to,
                                             timing_operand_bytes(&request->operands[i]), NULL))) {
            return false;
        }
    }
    return true;
}

/* True if an earlier contender has the same output. */
static bool is_shared(const struct timing_request *request, uint32_t contender, uint32_t operand)
{
    for (uint32_t i = 0; i < contender; i++) {
        if (request->contenders[i].addresses[operand] ==
            request->contenders[contender].addresses[operand]) {
            return true;
        }
    }
    return false;
}

/* Fills an output at an address with a pattern, up to its last byte. */
static bool poison_output(struct cuda_timing *timing, const struct timing_operand *operand,
                          CUdeviceptr address, uint32_t pattern)
{
    const struct driver *driver = &timing->device->driver;
    const uint64_t bytes = timing_operand_bytes(operand), tail = bytes % 4;
    return (bytes < 4 ||
            timing_goes_on(timing, driver->enqueue_fill(address, pattern, bytes / 4, NULL))) &&
           (tail == 0 ||
            timing_goes_on(timing, driver->enqueue_fill_bytes(address + (bytes - tail),
                                                              (unsigned char)pattern, tail, NULL)));
}

bool timing_poison(struct cuda_timing *timing, uint32_t pattern)
{
    const struct timing_request *request = timing->request;
    for (uint32_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        for (uint32_t k = 0; k < request->contender_count && !timing_is_filled(operand); k++) {
            if (!is_shared(request, k, i) &&
                !poison_output(timing, operand, request->contenders[k].addresses[i],
                               operand->is_zeroed ? 0 : pattern)) {
                return false;
            }
        }
    }
    return true;
}

/* Fills the scratch memory of a contender with what nobody has written. */
static bool poison_scratch(struct cuda_timing *timing, uint32_t contender, uint32_t pattern)
{
    const struct timing_contender *what = &timing->request->contenders[contender];
    for (uint32_t i = 0; i < what->scratch_count; i++) {
        if (!timing_goes_on(
                timing, timing->device->driver.enqueue_fill(what->scratch[i].address, pattern,
                                                            what->scratch[i].bytes / 4, NULL))) {
            return false;
        }
    }
    return true;
}

/* Enqueues what stands before the first event. */
static bool prepare(struct cuda_timing *timing, uint32_t contender, struct timing_place place,
                    bool is_absolute)
{
    struct draw draw = draw_data(timing->request, place);
    return fill_inputs(timing, contender, &draw, is_absolute) &&
           timing_poison(timing, draw.pattern) && poison_scratch(timing, contender, draw.pattern) &&
           timing_goes_on(timing, timing->device->driver.enqueue_fill(
                                      timing->scratch.flush, 0, timing->scratch.flush_words, NULL));
}

static struct device_launch launch_of(const struct timing_step *step, const uint8_t *parameters)
{
    struct device_launch launch = {
        .module = step->module,
        .function = step->function,
        .dynamic_shared_bytes = step->dynamic_shared_bytes,
        .parameters = parameters,
        .is_cooperative = step->is_cooperative,
    };
    for (size_t i = 0; i < 3; i++) {
        launch.grid[i] = step->grid[i];
        launch.block[i] = step->block[i];
    }
    return launch;
}

struct device_launch timing_device_launch(const struct timing_contender *contender)
{
    uint32_t first = 0;
    while (first + 1 < contender->step_count && contender->steps[first].kind != TIMING_LAUNCH) {
        first++;
    }
    return launch_of(&contender->steps[first], contender->parameters);
}

bool timing_is_warm(const struct cuda_timing *timing, const struct timing_contender *contender)
{
    for (uint32_t i = 0; i < contender->step_count; i++) {
        const struct timing_step *step = &contender->steps[i];
        if (step->kind == TIMING_LAUNCH &&
            !cuda_find_function(timing->device, step->module, step->function)->is_warm) {
            return false;
        }
    }
    return true;
}

static void note_warm(struct cuda_timing *timing, const struct timing_contender *contender)
{
    for (uint32_t i = 0; i < contender->step_count; i++) {
        const struct timing_step *step = &contender->steps[i];
        if (step->kind == TIMING_LAUNCH) {
            cuda_find_function(timing->device, step->module, step->function)->is_warm = true;
        }
    }
}

/* Enqueues a step; `at` is where the parameters of the launches before it end. */
static CUresult enqueue_step(struct cuda_timing *timing, const struct timing_contender *contender,
                             const struct timing_step *step, uint32_t *at)
{
    struct cuda_device *device = timing->device;
    if (step->kind == TIMING_COPY) {
        gpu_textures_before_read(&device->textures, step->from, step->bytes);
        gpu_textures_before_write(&device->textures, step->to, step->bytes);
        return device->driver.enqueue_copy(step->to, step->from, step->bytes, NULL);
    }
    if (step->kind == TIMING_SET) {
        gpu_textures_before_write(&device->textures, step->to, step->bytes);
        return device->driver.enqueue_fill_bytes(step->to, (unsigned char)step->value, step->bytes,
                                                 NULL);
    }
    *at = timing_parameters_at(*at);
    struct device_launch launch = launch_of(step, contender->parameters + *at);
    *at += step->parameter_bytes;
    return cuda_start(device, cuda_find_function(device, step->module, step->function), &launch);
}

/* Enqueues the steps between their events. */
static bool enqueue(struct cuda_timing *timing, const struct timing_contender *contender)
{
    struct cuda_device *device = timing->device;
    uint32_t at = 0;
    if (!timing_goes_on(timing, device->driver.record_event(timing->start, NULL))) {
        return false;
    }
    for (uint32_t i = 0; i < contender->step_count; i++) {
        CUresult started = enqueue_step(timing, contender, &contender->steps[i], &at);
        if (started != CUDA_SUCCESS) {
            return stop(timing, TIMING_REFUSED, started);
        }
    }
    CUresult recorded = device->driver.record_event(timing->end, NULL);
    return recorded == CUDA_SUCCESS || stop(timing, TIMING_DIED, recorded);
}

/* Lets the GPU go on with what is enqueued. */
static void open_gate(struct cuda_timing *timing)
{
    __atomic_store_n(timing->flag, timing->ticket, __ATOMIC_RELEASE);
}

static bool close_gate(struct cuda_timing *timing)
{
    const struct cuda_device *device = timing->device;
    struct timing_gate gate = {timing->flag_address, timing->ticket, GATE_NS};
    return timing_goes_on(timing, timing_kernel_start(&device->driver, device->kernels.gate, 1, 1,
                                                      &gate, sizeof gate));
}

/* Waits for the launch and reads its time. */
static bool finish(struct cuda_timing *timing, double *out_ns)
{
    struct cuda_device *device = timing->device;
    float milliseconds = 0;
    CUresult ended = cuda_wait(device, timing->start);
    if (ended == CUDA_SUCCESS) {
        ended = cuda_wait(device, timing->end);
    }
    if (ended != CUDA_SUCCESS) {
        return stop(timing, TIMING_DIED, ended);
    }
    if (timing->contender == timing->request->judged) {
        device->driver.reset_persisting(); /* where there are none, there is nothing to reset */
    }
    if (!timing_goes_on(timing,
                        device->driver.elapsed_time(&milliseconds, timing->start, timing->end))) {
        return false;
    }
    *out_ns = (double)milliseconds * 1e6;
    return true;
}

bool timing_launch(struct cuda_timing *timing, uint32_t contender, struct timing_place place,
                   bool is_absolute, double *out_ns)
{
    struct cuda_device *device = timing->device;
    const struct timing_contender *what = &timing->request->contenders[contender];
    const bool is_judged = contender == timing->request->judged;
    const bool is_warm = timing_is_warm(timing, what);
    gpu_watchdog_arm(&device->watchdog, device->config.launch_deadline_ns);
    timing->contender = contender;
    gpu_textures_forget(&device->textures); /* all memory is written anew below */
    if (!timing_put_back(timing, is_judged)) {
        return false;
    }
    timing->ticket++;
    uint64_t closed_ns = clock_now_ns();
    bool is_enqueued = (!is_warm || close_gate(timing)) &&
                       prepare(timing, contender, place, is_absolute) && enqueue(timing, what);
    open_gate(timing);
    timing->is_delayed = is_warm && clock_now_ns() - closed_ns >= LATE_NS;
    if (!is_enqueued || !finish(timing, out_ns)) {
        return false;
    }
    note_warm(timing, what);
    return true;
}
