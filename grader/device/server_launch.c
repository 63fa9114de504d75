/* server_launch.c: launches of the program: their geometry is checked, then they run.
 *
 * A launch that no device could run never stops: it becomes an error of the runtime with the codes
 * that a CUDA 13.0 runtime gives, and a message in plain words. What a bad access, a trap or a
 * deadline leaves behind is the program's `fault`, which later calls report.
 */
#include "base/clock.h"
#include "device/server_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a finding of a launch means for the program that launched it. */
struct fault_row {
    enum finding_record_kind kind;
    enum cuda_status fault;
};

static const struct fault_row fault_rows[] = {
    {FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_USE_AFTER_FREE, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_NULL_POINTER, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_HOST_POINTER, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_SHARED_OUT_OF_BOUNDS, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_PARAM_OUT_OF_BOUNDS, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_WRITE_TO_CONSTANT, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_MISALIGNED, CUDA_STATUS_MISALIGNED_ADDRESS},
    {FINDING_RECORD_BARRIER_DEADLOCK, CUDA_STATUS_LAUNCH_TIMEOUT},
    {FINDING_RECORD_UNKNOWN_INSTRUCTION, CUDA_STATUS_NOT_SUPPORTED},
    {FINDING_RECORD_TRAP, CUDA_STATUS_LAUNCH_FAILURE},
    {FINDING_RECORD_ASSERT, CUDA_STATUS_ASSERT},
    {FINDING_RECORD_STACK_OVERFLOW, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_BAD_CALL, CUDA_STATUS_INVALID_PC},
    {FINDING_RECORD_BAD_FREE, CUDA_STATUS_LAUNCH_FAILURE},
    {FINDING_RECORD_BAD_TEXTURE, CUDA_STATUS_ILLEGAL_ADDRESS},
    {FINDING_RECORD_UNKNOWN_FUNCTION, CUDA_STATUS_NOT_SUPPORTED},
    {FINDING_RECORD_LAUNCH_REFUSED, CUDA_STATUS_NOT_SUPPORTED},
    {FINDING_RECORD_WAITS_FOREVER, CUDA_STATUS_LAUNCH_TIMEOUT},
};

static uint32_t fault_of_finding(uint32_t kind)
{
    for (size_t i = 0; i < sizeof(fault_rows) / sizeof(fault_rows[0]); i++) {
        if (fault_rows[i].kind == kind) {
            return fault_rows[i].fault;
        }
    }
    return CUDA_STATUS_SUCCESS;
}

/* The fault that a launch leaves: of its end if it did not come to one, else of its first bad
 * access. */
static uint32_t fault_of_result(const struct device_launch_result *result)
{
    if (result->status == LAUNCH_DEADLINE) {
        return CUDA_STATUS_LAUNCH_TIMEOUT;
    }
    if (result->status == LAUNCH_UNSUPPORTED) {
        return CUDA_STATUS_NOT_SUPPORTED;
    }
    for (size_t i = 0; i < result->finding_count; i++) {
        uint32_t fault = fault_of_finding(result->findings[i].kind);

        if (fault != CUDA_STATUS_SUCCESS) {
            return fault;
        }
    }
    return result->status == LAUNCH_FAULT ? CUDA_STATUS_LAUNCH_FAILURE : CUDA_STATUS_SUCCESS;
}

void server_allow_work(const struct server *server, struct device_launch *launch)
{
    uint64_t left = server->total_work > server->work ? server->total_work - server->work : 1;

    uint64_t of_call = server->call.is_open ? server->call.work : 0;

    launch->work_limit = server->launch_work > of_call ? server->launch_work - of_call
                         : server->launch_work > 0     ? 1
                                                       : 0;
    if (server->total_work != 0 && (launch->work_limit == 0 || left < launch->work_limit)) {
        launch->work_limit = left;
    }
}

void server_note_end(struct server *server, enum launch_status status)
{
    bool is_death = status == LAUNCH_FAULT || status == LAUNCH_DEADLINE;

    server->is_lost = server->is_lost || (server->is_gpu && is_death);
}

/* Why a launch was stopped, if the emulated device says where it was; else NULL. */
static const char *stop_reason(const struct device_launch_result *result)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        switch (result->findings[i].kind) {
        case FINDING_RECORD_STOPPED:
            return "the kernel did more work than allowed";
        case FINDING_RECORD_ENDLESS:
        case FINDING_RECORD_WAITS_FOREVER:
            return "a loop of the kernel never ends";
        default:
            break;
        }
    }
    return NULL;
}

/* What the log says of a launch that was stopped. */
static void log_stop(struct server *server, const struct device_launch *launch,
                     const struct device_launch_result *result)
{
    struct device_function_info info;
    struct control_call_error error = {.call = "launch",
                                       .cuda_error = CUDA_STATUS_LAUNCH_TIMEOUT,
                                       .site = server->origin.site,
                                       .count = 1};

    if (device_function_info(server->device, launch->module, launch->function, &info)) {
        snprintf(error.kernel, sizeof(error.kernel), "%s", info.name);
    }
    if (server_is_asked(server)) {
        error.cuda_error = CUDA_STATUS_NOT_READY;
        snprintf(error.message, sizeof(error.message),
                 "the kernel was still running when the program ended");
    } else if (stop_reason(result) != NULL) {
        snprintf(error.message, sizeof(error.message), "%s", stop_reason(result));
    } else {
        snprintf(error.message, sizeof(error.message), "the kernel was still running after %.1f s",
                 (double)server->config.launch_deadline_ns / 1e9);
    }
    server_log_error(&server->log, &error);
}

void server_let_stand_in(const struct server *server, struct device_launch *launch)
{
    const struct server_kernel *kernel = &server->modules[launch->module].kernels[launch->function];

    launch->function = kernel->has_stand_in ? kernel->stand_in : launch->function;
}

void server_execute(struct server *server, const struct device_launch *launch)
{
    struct device_launch_result result;
    uint64_t start_ns = clock_now_ns();

    memset(&result, 0, sizeof(result));
    struct device_launch allowed = *launch;
    const bool is_judged = server->call.is_open;
    server_allow_work(server, &allowed);
    if (is_judged) {
        allowed.order_seed = server->call.order_seed;
        allowed.asks_order = server->call.asks_order;
    }
    allowed.asks_touched = server_has_order(server);
    allowed.site = server->origin.site;
    server_let_stand_in(server, &allowed);
    device_launch(server->device, &allowed, &result);
    uint64_t taken_ns = clock_now_ns() - start_ns;
    server_keep_printed(server, &result);
    server->log.launches++;
    for (size_t i = 0; i < result.finding_count; i++) {
        struct finding_record finding = result.findings[i];

        server_set_sites(server, &finding);
        server_log_findings(is_judged ? &server->call.log : &server->log, &finding, 1);
    }
    if (is_judged) {
        server_call_launch(server, launch, &result);
    }
    server_order_launch(server, launch, &result);
    server_clock_launch(server, result.counters.lane_instructions, taken_ns);
    server->fault = fault_of_result(&result);
    if (result.status != LAUNCH_DEADLINE || !server_is_asked(server)) {
        server->work += result.counters.work; /* how far the last one came is chance */
    }
    server_note_end(server, result.status);
    if (result.status == LAUNCH_DEADLINE) {
        server->has_run_out = !server->is_gpu;
        log_stop(server, launch, &result);
    }
}

uint64_t server_shared_limit(const struct server *server, const struct server_kernel *kernel,
                             const struct device_function_info *info)
{
    uint64_t whole = server->config.model.shared_per_block_bytes;

    if (kernel->is_shared_set) {
        return kernel->shared_limit_bytes;
    }
    return whole > info->static_shared_bytes ? whole - info->static_shared_bytes : 0;
}

/* A launch that the device could not run; where there is one, `problem` says why. */
struct geometry_check {
    enum cuda_status status;
    char problem[200];
};

static bool is_bad_grid(const struct server *server, const uint32_t grid[3],
                        struct geometry_check *out_check)
{
    const uint32_t *most = server->config.model.max_grid;
    char *problem = out_check->problem;
    size_t capacity = sizeof(out_check->problem);

    out_check->status = CUDA_STATUS_INVALID_VALUE;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
        snprintf(problem, capacity, "a grid of %ux%ux%u blocks; each dimension must be at least 1",
                 grid[0], grid[1], grid[2]);
        return true;
    }
    if (grid[0] > most[0] || grid[1] > most[1] || grid[2] > most[2]) {
        snprintf(problem, capacity, "a grid of %ux%ux%u blocks; at most %ux%ux%u fit", grid[0],
                 grid[1], grid[2], most[0], most[1], most[2]);
        return true;
    }
    return false;
}

static bool is_bad_block(const struct server *server, const uint32_t block[3],
                         struct geometry_check *out_check)
{
    const struct gpu_model *model = &server->config.model;
    const uint32_t *most = model->max_block;
    char *problem = out_check->problem;
    size_t capacity = sizeof(out_check->problem);
    uint64_t threads;

    out_check->status = CUDA_STATUS_INVALID_VALUE;
    if (block[0] == 0 || block[1] == 0 || block[2] == 0) {
        snprintf(problem, capacity,
                 "a block of %ux%ux%u threads; each dimension must be at least 1", block[0],
                 block[1], block[2]);
        return true;
    }
    if (__builtin_mul_overflow((uint64_t)block[0] * block[1], (uint64_t)block[2], &threads)) {
        threads = UINT64_MAX;
    }
    if (threads > model->max_threads_per_block) {
        snprintf(problem, capacity, "a block of %" PRIu64 " threads (%ux%ux%u); at most %u fit",
                 threads, block[0], block[1], block[2], model->max_threads_per_block);
        return true;
    }
    if (block[0] > most[0] || block[1] > most[1] || block[2] > most[2]) {
        snprintf(problem, capacity,
                 "a block of %ux%ux%u threads; at most %u, %u and %u fit in x, y and z", block[0],
                 block[1], block[2], most[0], most[1], most[2]);
        return true;
    }
    return false;
}

static bool is_bad_for_kernel(const struct server *server, const struct server_kernel *kernel,
                              const struct device_function_info *info, const uint32_t block[3],
                              uint64_t dynamic_bytes, struct geometry_check *out_check)
{
    uint32_t threads = block[0] * block[1] * block[2];
    uint64_t most_bytes = server_shared_limit(server, kernel, info);
    char *problem = out_check->problem;
    size_t capacity = sizeof(out_check->problem);

    if (dynamic_bytes > most_bytes) {
        out_check->status = CUDA_STATUS_INVALID_VALUE;
        snprintf(problem, capacity,
                 "%" PRIu64 " bytes of dynamic shared memory; at most %" PRIu64
                 " are allowed in addition to %u static bytes%s",
                 dynamic_bytes, most_bytes, info->static_shared_bytes,
                 kernel->is_shared_set ? "" : ", unless cudaFuncSetAttribute raises the limit");
        return true;
    }
    out_check->status = CUDA_STATUS_LAUNCH_OUT_OF_RESOURCES;
    if (info->max_threads != 0 && threads > info->max_threads) {
        snprintf(problem, capacity,
                 "a block of %u threads; the kernel's __launch_bounds__ allow %u", threads,
                 info->max_threads);
        return true;
    }
    /* Registers are given out to whole warps, in units of 8 a thread. */
    uint64_t registers = (uint64_t)((threads + 31) / 32 * 32) * ((kernel->registers + 7) / 8 * 8);
    if (kernel->has_registers && registers > server->config.model.registers_per_block) {
        snprintf(problem, capacity,
                 "a block of %u threads with %u registers each; at most %u registers fit", threads,
                 kernel->registers, server->config.model.registers_per_block);
        return true;
    }
    return false;
}

/* True if an observed launch need not stop: it is like the last one that did. */
static bool passes(struct server_kernel *kernel, const struct device_launch *launch)
{
    bool is_alike = memcmp(kernel->grid, launch->grid, sizeof(kernel->grid)) == 0 &&
                    memcmp(kernel->block, launch->block, sizeof(kernel->block)) == 0 &&
                    kernel->dynamic_shared_bytes == launch->dynamic_shared_bytes;

    if (is_alike && kernel->passes > 0) {
        kernel->passes--;
        return true;
    }
    memcpy(kernel->grid, launch->grid, sizeof(kernel->grid));
    memcpy(kernel->block, launch->block, sizeof(kernel->block));
    kernel->dynamic_shared_bytes = launch->dynamic_shared_bytes;
    kernel->passes = 0;
    return false;
}

enum server_step server_launch(struct server *server, const struct message *request,
                               struct message *reply)
{
    const uint64_t *words = request->words;
    struct server_launch *held = &server->held;
    struct device_launch launch = {
        .module = (uint32_t)(words[1] >> 32),
        .function = (uint32_t)words[1],
        .grid = {(uint32_t)words[2], (uint32_t)(words[2] >> 32), (uint32_t)words[3]},
        .block = {(uint32_t)(words[3] >> 32), (uint32_t)words[4], (uint32_t)(words[4] >> 32)},
        .parameters = held->parameters,
        .is_cooperative = words[6] == 1,
        .limits = server->limits,
    };
    struct device_function_info info;
    struct server_kernel *kernel;
    struct geometry_check check;

    if (!server_find_kernel(server, words[1], &kernel, &info)) {
        return server_break(server, "a launch of a kernel that does not exist");
    }
    if (request->payload_bytes != info.parameter_bytes) {
        return server_break(server, "a launch with %zu bytes of parameters; the kernel takes %llu",
                            request->payload_bytes, (unsigned long long)info.parameter_bytes);
    }
    if (is_bad_grid(server, launch.grid, &check) || is_bad_block(server, launch.block, &check) ||
        is_bad_for_kernel(server, kernel, &info, launch.block, words[5], &check)) {
        return server_refuse(server, request, reply, check.status, "%s", check.problem);
    }
    launch.dynamic_shared_bytes = (uint32_t)words[5];
    held->launch = launch;
    memcpy(held->parameters, request->payload, request->payload_bytes);
    kernel->launches++;
    kernel->last_launch = server->log.launches + 1;
    if (server_call_records(server)) {
        server_call_keep_launch(server, &held->launch, request->payload_bytes);
        return SERVER_STEP_REPLY;
    }
    bool is_first = server->call.is_open && !server_call_knows(&server->call, &held->launch);
    if (is_first || (kernel->is_observed && !passes(kernel, &held->launch))) {
        return SERVER_STEP_LAUNCH;
    }
    server_execute(server, &held->launch);
    reply->words[0] = server_has_printed(server);
    return SERVER_STEP_REPLY;
}
