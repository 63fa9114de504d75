/* cuda_launch.c: a launch on a real GPU, from its start to what it left behind.
 *
 *   limits -> start -> wait, with a deadline -> printed text -> guards -> status and findings
 *
 * All work is on the default stream, so the launch is over when the stream is idle; it is asked now
 * and then, because a call that waits could not be ended. A kernel that the driver ended, or that
 * did not end in time, kills the context (cuda_device.h). The driver says what happened, not where:
 * places of findings here have neither line nor thread, but for assertions.
 */
#include "device/cuda/cuda_device.h"

#include "base/clock.h"
#include "device/cuda/cuda_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SPIN_NS = 200 * 1000,  /* short kernels are waited for without sleeping */
    PAUSE_NS = 100 * 1000, /* between two questions to the driver */
    PRINT_DEFAULT_BYTES = 1 << 20
};

/* What an error of a kernel means. */
struct death_row {
    CUresult result;
    enum finding_record_kind kind;
};

static const struct death_row death_rows[] = {
    {CUDA_ERROR_ILLEGAL_ADDRESS, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS},
    {CUDA_ERROR_MISALIGNED_ADDRESS, FINDING_RECORD_MISALIGNED},
    {CUDA_ERROR_ASSERT, FINDING_RECORD_ASSERT},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, FINDING_RECORD_STACK_OVERFLOW},
    {CUDA_ERROR_INVALID_PC, FINDING_RECORD_BAD_CALL},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, FINDING_RECORD_TRAP},
};

/* The finding of an error; whatever else ends a kernel counts as a trap. */
static enum finding_record_kind kind_of_death(CUresult result)
{
    for (size_t i = 0; i < sizeof death_rows / sizeof death_rows[0]; i++) {
        if (death_rows[i].result == result) {
            return death_rows[i].kind;
        }
    }
    return FINDING_RECORD_TRAP;
}

struct cuda_function *cuda_find_function(const struct cuda_device *device, uint32_t module,
                                         uint32_t function)
{
    if (module >= device->module_count || function >= device->modules[module].function_count) {
        return NULL;
    }
    return &device->modules[module].functions[function];
}

/* The driver keeps the old limits where a kernel that prints or allocates has already run, as
 * cudaDeviceSetLimit does. */
void cuda_set_limits(struct cuda_device *device, const struct device_limits *limits)
{
    const struct {
        CUlimit name;
        uint64_t *known;
        uint64_t wanted;
    } rows[] = {
        {CU_LIMIT_STACK_SIZE, &device->limits.stack_bytes, limits->stack_bytes},
        {CU_LIMIT_PRINTF_FIFO_SIZE, &device->limits.print_bytes, limits->print_bytes},
        {CU_LIMIT_MALLOC_HEAP_SIZE, &device->limits.heap_bytes, limits->heap_bytes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].wanted != 0 && rows[i].wanted != *rows[i].known) {
            device->driver.context_limit(rows[i].name, rows[i].wanted);
            *rows[i].known = rows[i].wanted;
        }
    }
}

CUresult cuda_start(struct cuda_device *device, struct cuda_function *function,
                    const struct device_launch *launch)
{
    if (launch->dynamic_shared_bytes > function->dynamic_limit) {
        CUresult result = device->driver.set_function_attribute(
            function->handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            (int)launch->dynamic_shared_bytes);
        if (result != CUDA_SUCCESS) {
            return result;
        }
        function->dynamic_limit = launch->dynamic_shared_bytes;
    }
    size_t parameter_bytes = function->info.parameter_bytes;
    const void *parameters = launch->parameters;
    CUresult bound = gpu_textures_bind(&device->textures, &parameters, parameter_bytes);
    if (bound != CUDA_SUCCESS) {
        return bound;
    }
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)parameters,
                     CU_LAUNCH_PARAM_BUFFER_SIZE, &parameter_bytes, CU_LAUNCH_PARAM_END};
    CUlaunchAttribute together = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
                                  .value = {.cooperative = 1}};
    CUlaunchConfig config = {
        .gridDimX = launch->grid[0],
        .gridDimY = launch->grid[1],
        .gridDimZ = launch->grid[2],
        .blockDimX = launch->block[0],
        .blockDimY = launch->block[1],
        .blockDimZ = launch->block[2],
        .sharedMemBytes = launch->dynamic_shared_bytes,
        .attrs = &together,
        .numAttrs = launch->is_cooperative ? 1 : 0,
    };
    CUresult started =
        device->driver.launch(&config, function->handle, NULL, parameter_bytes != 0 ? extra : NULL);
    if (started == CUDA_SUCCESS) {
        gpu_textures_after_launch(&device->textures);
    }
    return started;
}

CUresult cuda_wait(const struct cuda_device *device, CUevent event)
{
    const struct device_config *config = &device->config;
    const struct driver *driver = &device->driver;
    uint64_t started_ns = clock_now_ns();
    for (;;) {
        CUresult result = event != NULL ? driver->query_event(event) : driver->query(NULL);
        uint64_t waited_ns = clock_now_ns() - started_ns;
        if (result != CUDA_ERROR_NOT_READY) {
            /* what a kernel printed is written by a call that waits */
            return result == CUDA_SUCCESS && event == NULL ? driver->synchronize() : result;
        }
        if (waited_ns >= config->launch_deadline_ns) {
            return result;
        }
        if (waited_ns >= SPIN_NS) {
            if (config->is_unwanted != NULL && config->is_unwanted(config->unwanted_context)) {
                return result;
            }
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        }
    }
}

static struct finding_record *add_finding(struct cuda_device *device,
                                          const struct device_launch *launch,
                                          enum finding_record_kind kind,
                                          struct device_launch_result *result)
{
    struct finding_record *finding = &device->findings[result->finding_count++];
    *finding = (struct finding_record){
        .kind = (uint32_t)kind,
        .module = launch->module,
        .function = launch->function,
        .place_count = 1,
        .count = 1,
    };
    return finding;
}

/* Reads "name: [1,2,3]"; false if that is not there, and then part of it may have been read. */
static bool read_index(const char *text, const char *name, uint32_t out_index[3])
{
    const char *at = strstr(text, name);
    const char *expected = "[,,";
    if (at == NULL) {
        return false;
    }
    at += strlen(name);
    for (size_t i = 0; i < 3; i++) {
        char *end;
        if (*at != expected[i]) {
            return false;
        }
        out_index[i] = (uint32_t)strtoul(at + 1, &end, 10);
        at = end;
    }
    return *at == ']';
}

/* Takes block, thread and expression from the first line that the driver prints for an assertion:
 * "file:12: void kernel(): block: [0,0,0], thread: [1,0,0] Assertion `x > 0` failed." */
static void read_assertion(const char *complaint, struct finding_record *finding)
{
    struct finding_record_place *place = &finding->places[0];
    const char *expression = strstr(complaint, "Assertion `");
    if (expression == NULL || !read_index(complaint, " block: ", place->block) ||
        !read_index(complaint, " thread: ", place->thread)) {
        return;
    }
    expression += strlen("Assertion `");
    const char *end = strstr(expression, "` failed");
    if (end != NULL) {
        snprintf(finding->text, sizeof finding->text, "%.*s", (int)(end - expression), expression);
    }
}

/* A kernel that ended in an error leaves a dead context, and a finding. */
void cuda_report_death(struct cuda_device *device, const struct device_launch *launch,
                       CUresult death, struct device_launch_result *result)
{
    device->is_dead = true;
    result->status = LAUNCH_FAULT;
    if (death == CUDA_ERROR_NOT_READY || death == CUDA_ERROR_LAUNCH_TIMEOUT) {
        result->status = LAUNCH_DEADLINE;
    } else {
        struct finding_record *finding = add_finding(device, launch, kind_of_death(death), result);
        if (finding->kind == FINDING_RECORD_ASSERT) {
            read_assertion(device->texts[1].bytes, finding);
        } else if (finding->kind == FINDING_RECORD_TRAP) {
            snprintf(finding->text, sizeof finding->text, "%s",
                     driver_error_name(&device->driver, death));
        }
    }
    device->death = result->status;
}

/* A launch that the driver does not even start: the caller has checked it, so it is something that
 * this GPU cannot do. */
void cuda_report_refusal(struct cuda_device *device, const struct device_launch *launch,
                         CUresult refusal, struct device_launch_result *result)
{
    struct finding_record *finding =
        add_finding(device, launch, FINDING_RECORD_LAUNCH_REFUSED, result);
    snprintf(finding->text, sizeof finding->text, "%s",
             driver_error_name(&device->driver, refusal));
    result->status = LAUNCH_UNSUPPORTED;
}

void cuda_report_overruns(struct cuda_device *device, const struct device_launch *launch,
                          struct device_launch_result *result)
{
    struct gpu_overrun overrun;
    size_t cursor = 0;
    while (gpu_memory_check_guards(&device->memory, &cursor, &overrun)) {
        if (result->finding_count == CUDA_FINDINGS_MAX) {
            struct finding_record *rest = &device->findings[CUDA_FINDINGS_MAX - 1];
            rest->count = rest->place_count == 0 ? rest->count + 1 : 2;
            rest->place_count = 0;
            continue;
        }
        struct finding_record *finding =
            add_finding(device, launch, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, result);
        finding->address = overrun.address;
        finding->count = overrun.bytes;
        finding->access_bytes = 1;
        finding->distance_bytes = overrun.distance;
        finding->object_bytes = overrun.block.end - overrun.block.start;
        finding->places[0].access = FINDING_RECORD_WRITE;
    }
}

/* The last `limit` bytes of what was printed, from the beginning of a line. */
static void take_printed(const struct text *text, uint64_t limit, const char **out_bytes,
                         size_t *out_length)
{
    size_t from = text->length > limit ? text->length - (size_t)limit : 0;
    if (from > 0) {
        const char *line = memchr(text->bytes + from - 1, '\n', text->length - from + 1);
        from = line == NULL ? from : (size_t)(line - text->bytes) + 1;
    }
    *out_bytes = text->bytes + from;
    *out_length = text->length - from;
}

void cuda_launch(void *state, const struct device_launch *launch,
                 struct device_launch_result *out_result)
{
    struct cuda_device *device = state;
    struct device_launch_result result = {
        .status = device->death, .findings = device->findings, .printed = "", .complaints = ""};
    if (device->is_dead) {
        *out_result = result;
        return;
    }
    struct cuda_function *function = &device->modules[launch->module].functions[launch->function];
    gpu_watchdog_arm(&device->watchdog, device->config.launch_deadline_ns);
    cuda_set_limits(device, &launch->limits);
    print_capture_begin(&device->capture);
    CUresult started = cuda_start(device, function, launch);
    CUresult ended = started == CUDA_SUCCESS ? cuda_wait(device, NULL) : started;
    print_capture_end(&device->capture, device->texts);
    result.status = LAUNCH_DONE;
    if (started != CUDA_SUCCESS) {
        cuda_report_refusal(device, launch, started, &result);
    } else if (ended != CUDA_SUCCESS) {
        cuda_report_death(device, launch, ended, &result);
    } else {
        cuda_report_overruns(device, launch, &result);
    }
    gpu_watchdog_disarm(&device->watchdog);
    uint64_t limit = launch->limits.print_bytes != 0 ? launch->limits.print_bytes
                                                     : (uint64_t)PRINT_DEFAULT_BYTES;
    take_printed(&device->texts[0], limit, &result.printed, &result.printed_bytes);
    take_printed(&device->texts[1], limit, &result.complaints, &result.complaint_bytes);
    *out_result = result;
}
