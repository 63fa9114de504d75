/* cuda_timing.c: the entry `time` of the backend; see cuda_timing.h. */
#include "device/cuda/cuda_timing.h"

#include "base/rng.h"

#include <string.h>

/* What a clock may be, in MHz; what is not between was not read right. */
static const double clock_least_mhz = 50;
static const double clock_most_mhz = 10000;

/* Cycles that multiprocessors counted, and in what time. */
struct clock_sum {
    double cycles, nanoseconds;
};

enum { PATTERN_AT_END = 0x7ff87ff8 };

/* Reads the clocks of the multiprocessors, after everything before, into out_clocks
 * [TIMING_SLOTS]. */
static bool stamp(struct cuda_timing *timing, struct timing_clocks *out_clocks)
{
    const struct cuda_device *device = timing->device;
    const struct driver *driver = &device->driver;
    struct timing_stamp parameters = {timing->scratch.stamp, TIMING_SLOTS};
    size_t bytes = TIMING_SLOTS * sizeof *out_clocks;
    uint32_t multiprocessors = device->model.multiprocessors;
    return timing_goes_on(timing,
                          driver->enqueue_fill(timing->scratch.stamp, 0, bytes / 4, NULL)) &&
           timing_goes_on(timing, timing_kernel_start(driver, device->kernels.stamp,
                                                      multiprocessors != 0 ? multiprocessors : 1, 1,
                                                      &parameters, sizeof parameters)) &&
           timing_goes_on(timing, driver->download(out_clocks, timing->scratch.stamp, bytes));
}

/* Adds what passed between the two stamps on each multiprocessor that both have read. */
static void add_clocks(const struct cuda_timing *timing, struct clock_sum *sum)
{
    for (size_t i = 0; i < TIMING_SLOTS; i++) {
        const struct timing_clocks *before = &timing->clocks[0][i];
        const struct timing_clocks *after = &timing->clocks[1][i];
        if (before->nanoseconds != 0 && after->nanoseconds > before->nanoseconds &&
            after->cycles > before->cycles) {
            sum->cycles += (double)(after->cycles - before->cycles);
            sum->nanoseconds += (double)(after->nanoseconds - before->nanoseconds);
        }
    }
}

static double clock_mhz(const struct clock_sum *sum)
{
    double mhz = sum->nanoseconds > 0 ? 1000 * sum->cycles / sum->nanoseconds : 0;
    return mhz >= clock_least_mhz && mhz <= clock_most_mhz ? mhz : 0;
}

/* Runs a span; the stamps leave its comparison out. */
static bool run_span(struct cuda_timing *timing, struct timing_sample *sample)
{
    const struct timing_request *request = timing->request;
    struct timing_place place = {sample->block, sample->position, 0};
    uint64_t last = request->launches_per_span - 1;
    uint64_t compared = UINT64_MAX;
    bool is_running = false;
    struct clock_sum clocks = {0, 0};
    if (sample->contender == request->judged) {
        struct rng rng;
        rng_init(&rng, request->seed, place.block, place.position, UINT64_MAX);
        compared = (uint64_t)rng_range(&rng, 0, (int64_t)last);
    }
    for (; place.launch <= last; place.launch++) {
        double ns = 0;
        if (!is_running && !stamp(timing, timing->clocks[0])) {
            return false;
        }
        if (!timing_launch(timing, sample->contender, place, false, &ns)) {
            return false;
        }
        sample->nanoseconds += ns;
        sample->is_delayed = sample->is_delayed || timing->is_delayed;
        is_running = place.launch != compared && place.launch != last;
        if (!is_running) {
            if (!stamp(timing, timing->clocks[1])) {
                return false;
            }
            add_clocks(timing, &clocks);
        }
        if (place.launch == compared && !timing_compare(timing, place, sample)) {
            return false;
        }
    }
    sample->clock_mhz = clock_mhz(&clocks);
    return true;
}

/* Copies, each of several times what the L2 cache holds; the fastest counts, as the others may have
 * shared the memory. */
enum { CEILING_COPIES = 5, CEILING_CACHES = 4 };

/* One copy of `bytes` within memory; its time, 0 if the driver does not say. */
static double copy_ns(const struct cuda_timing *timing, CUdeviceptr memory, uint64_t bytes)
{
    const struct driver *driver = &timing->device->driver;
    float milliseconds = 0;
    const bool is_timed =
        driver->record_event(timing->start, NULL) == CUDA_SUCCESS &&
        driver->enqueue_copy(memory + bytes, memory, bytes, NULL) == CUDA_SUCCESS &&
        driver->record_event(timing->end, NULL) == CUDA_SUCCESS &&
        cuda_wait(timing->device, timing->end) == CUDA_SUCCESS &&
        driver->elapsed_time(&milliseconds, timing->start, timing->end) == CUDA_SUCCESS;
    return is_timed ? (double)milliseconds * 1e6 : 0;
}

/* Measures once what copying reaches; without room for it that stays unknown. */
static void measure_copies(const struct cuda_timing *timing)
{
    struct cuda_device *device = timing->device;
    const uint64_t bytes =
        (CEILING_CACHES * (uint64_t)device->model.l2_bytes / GPU_ALIGNMENT + 1) * GPU_ALIGNMENT;
    CUdeviceptr memory = 0;
    if (device->copy_bandwidth > 0 ||
        device->driver.allocate_memory(&memory, 2 * bytes) != CUDA_SUCCESS) {
        return;
    }
    for (int i = 0; i < CEILING_COPIES; i++) {
        const double nanoseconds = copy_ns(timing, memory, bytes);
        if (nanoseconds > 0 && 2e9 * (double)bytes / nanoseconds > device->copy_bandwidth) {
            device->copy_bandwidth = 2e9 * (double)bytes / nanoseconds;
        }
    }
    device->driver.free_memory(memory);
}

/* Draws the order of the contenders in a block: a permutation, then its mirror image. */
static void draw_order(const struct timing_request *request, uint32_t block,
                       uint32_t out_order[2 * TIMING_CONTENDERS_MAX])
{
    uint32_t count = request->contender_count;
    struct rng rng;
    rng_init(&rng, request->seed, block, UINT64_MAX, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = (uint32_t)rng_range(&rng, 0, i);
        out_order[i] = out_order[k];
        out_order[k] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        out_order[2 * count - 1 - i] = out_order[i];
    }
}

/* Runs each kernel that was not timed before once, on data of its own. */
static bool warm_up(struct cuda_timing *timing)
{
    const struct timing_request *request = timing->request;
    for (uint32_t i = 0; i < request->contender_count; i++) {
        const struct timing_contender *contender = &request->contenders[i];
        struct timing_place place = {TIMING_BLOCKS_MAX, i, 0};
        double ns;
        if (!timing_is_warm(timing, contender) && !timing_launch(timing, i, place, false, &ns)) {
            return false;
        }
    }
    return true;
}

/* Takes all samples; returns how many there are. */
static size_t take_samples(struct cuda_timing *timing)
{
    const struct timing_request *request = timing->request;
    struct timing_sample *samples = timing->device->samples;
    uint32_t positions = 2 * request->contender_count;
    size_t count = 0;
    if (!warm_up(timing)) {
        return 0;
    }
    for (uint32_t block = 0; block < request->block_count; block++) {
        uint32_t order[2 * TIMING_CONTENDERS_MAX];
        draw_order(request, block, order);
        for (uint32_t position = 0; position < positions; position++) {
            struct timing_sample *sample = &samples[count++];
            *sample = (struct timing_sample){.block = block,
                                             .contender = order[position],
                                             .position = position,
                                             .first_wrong = UINT64_MAX};
            if (!run_span(timing, sample)) {
                return 0;
            }
        }
    }
    return count;
}

/* Leaves no output and no changed variable behind; waits for what was printed. */
static void clean_up(struct cuda_timing *timing)
{
    if (timing->stop == TIMING_GOES_ON || timing->stop == TIMING_REFUSED) {
        enum timing_stop stop = timing->stop;
        timing->stop = TIMING_GOES_ON;
        if (timing_put_back(timing, false) && timing_put_back(timing, true) &&
            timing_poison(timing, PATTERN_AT_END) &&
            timing_goes_on(timing, cuda_wait(timing->device, NULL))) {
            timing->stop = stop;
        }
    }
}

/* Says how the timing ended. Errors: ERROR_ENVIRONMENT. */
static enum error report(struct cuda_timing *timing, struct device_timing_result *out_result,
                         struct diagnostic *diagnostic)
{
    struct cuda_device *device = timing->device;
    uint32_t contender =
        timing->stop == TIMING_GOES_ON ? timing->request->judged : timing->contender;
    struct device_launch launch = timing_device_launch(&timing->request->contenders[contender]);
    struct device_launch_result result = {.status = LAUNCH_DONE, .findings = device->findings};
    if (timing->stop == TIMING_BROKEN) {
        device->is_dead = true;
        device->death = LAUNCH_FAULT;
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s rejects a step of the timing (%s); see what nvidia-smi says",
                       device->model.device_name,
                       driver_error_name(&device->driver, timing->cause));
        return ERROR_ENVIRONMENT;
    }
    if (timing->stop == TIMING_DIED) {
        cuda_report_death(device, &launch, timing->cause, &result);
    } else if (timing->stop == TIMING_REFUSED) {
        cuda_report_refusal(device, &launch, timing->cause, &result);
    } else {
        cuda_report_overruns(device, &launch, &result);
    }
    *out_result = (struct device_timing_result){
        .status = result.status,
        .contender = contender,
        .samples = device->samples,
        .findings = result.findings,
        .finding_count = result.finding_count,
        .copy_bandwidth = device->copy_bandwidth,
    };
    return ERROR_NONE;
}

/* What there must be before the first timing of a device. */
static enum error prepare_device(struct cuda_device *device, struct diagnostic *diagnostic)
{
    if (device->samples == NULL) {
        device->samples = arena_array(device->arena, TIMING_SAMPLES_MAX, sizeof *device->samples);
    }
    if (device->kernels.module != NULL) {
        return ERROR_NONE;
    }
    return timing_kernels_load(&device->driver, &device->kernels, diagnostic);
}

enum error cuda_time(void *state, const struct timing_request *request,
                     const struct device_limits *limits, struct device_timing_result *out_result,
                     struct diagnostic *diagnostic)
{
    struct cuda_device *device = state;
    struct cuda_timing timing = {.device = device, .request = request};
    size_t sample_count = 0;
    if (device->is_dead) {
        *out_result = (struct device_timing_result){.status = device->death};
        return ERROR_NONE;
    }
    enum error error = timing_check(device, request, diagnostic);
    if (error == ERROR_NONE) {
        error = prepare_device(device, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    gpu_watchdog_arm(&device->watchdog, device->config.launch_deadline_ns);
    cuda_set_limits(device, limits);
    error = timing_scratch_init(&timing, diagnostic);
    if (error == ERROR_NONE) {
        measure_copies(&timing);
        print_capture_begin(&device->capture);
        sample_count = take_samples(&timing);
        clean_up(&timing);
        print_capture_end(&device->capture, device->texts);
        error = report(&timing, out_result, diagnostic);
    }
    if (error == ERROR_NONE) {
        out_result->sample_count = sample_count;
    }
    timing_scratch_release(&timing);
    gpu_watchdog_disarm(&device->watchdog);
    return error;
}
