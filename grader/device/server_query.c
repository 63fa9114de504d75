/* server_query.c: what the program may ask about the device and its kernels.
 *
 * Registers are known to ptxas, and to a real GPU, whose number counts: as long as the grader has
 * not told what it knows of a module, a question that needs them is held and the grader asked
 * (SERVER_STEP_RESOURCES). How many blocks fit a real GPU says itself, without anybody's registers,
 * unless the answer is for those of the program's first build: then the calculator says it on every
 * device.
 */
#include "device/server_state.h"

#include <string.h>

/* The binary version that the attributes report is the model's; the PTX is compute_75. */
enum { PTX_VERSION = 75 };

enum server_step server_hello(struct server *server, const struct message *request,
                              struct message *reply)
{
    const struct gpu_model *model = &server->config.model;
    struct device_properties properties = {
        .compute_major = model->compute_major,
        .compute_minor = model->compute_minor,
        .multiprocessors = model->multiprocessors,
        .max_threads_per_multiprocessor = model->max_threads_per_multiprocessor,
        .max_threads_per_block = model->max_threads_per_block,
        .max_blocks_per_multiprocessor = model->max_blocks_per_multiprocessor,
        .registers_per_multiprocessor = model->registers_per_multiprocessor,
        .registers_per_block = model->registers_per_block,
        .shared_per_multiprocessor_bytes = model->shared_per_multiprocessor_bytes,
        .shared_per_block_bytes = model->shared_per_block_bytes,
        .shared_per_block_optin_bytes = model->shared_per_block_optin_bytes,
        .shared_reserved_per_block_bytes = model->shared_reserved_per_block_bytes,
        .global_memory_bytes = model->global_memory_bytes,
        .l2_bytes = model->l2_bytes,
        .constant_bytes = model->constant_bytes,
        .clock_khz = model->clock_khz,
        .memory_clock_khz = model->memory_clock_khz,
        .memory_bus_bits = model->memory_bus_bits,
        .warp_size = model->warp_size,
        .max_grid_x = model->max_grid[0],
        .max_grid_y = model->max_grid[1],
        .max_grid_z = model->max_grid[2],
        .max_block_x = model->max_block[0],
        .max_block_y = model->max_block[1],
        .max_block_z = model->max_block[2],
    };

    if (request->words[1] != CLIENT_PROTOCOL) {
        return server_refuse(server, request, reply, CUDA_STATUS_INSUFFICIENT_DRIVER,
                             "the program is linked with another build of the stand-in runtime");
    }
    memcpy(properties.name, model->device_name,
           strnlen(model->device_name, sizeof(properties.name) - 1));
    text_clear(&server->bytes);
    device_properties_pack(&properties, &server->bytes);
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return SERVER_STEP_REPLY;
}

/* The most threads, in whole warps, of a block with so many registers a thread. */
static uint32_t threads_by_registers(const struct gpu_model *model, uint32_t registers)
{
    uint32_t given = (registers + 7) / 8 * 8;
    uint32_t most = model->max_threads_per_block;

    if (given > 0 && model->registers_per_block / given / 32 * 32 < most) {
        most = model->registers_per_block / given / 32 * 32;
    }
    return most;
}

/* The registers that answers are about: those of the first build, unless they would let a program
 * launch blocks for which the kernel's own are too many. */
static uint32_t answered_registers(const struct server *server, const struct server_kernel *kernel)
{
    const struct gpu_model *model = &server->config.model;
    uint32_t first = kernel->first_registers;

    if (first == 0 ||
        threads_by_registers(model, first) > threads_by_registers(model, kernel->registers)) {
        return kernel->registers;
    }
    return first;
}

/* A question about one kernel. */
struct kernel_question {
    uint32_t module, function;
    struct server_kernel *kernel;
    struct device_function_info info;
    struct kernel_usage usage;
};

/* Finds the kernel that words[1] names and what it needs; anything but SERVER_STEP_REPLY with
 * status 0 ends the request. Registers are not needed if the device itself is asked. */
static enum server_step open_question(struct server *server, const struct message *request,
                                      struct message *reply, bool needs_registers,
                                      struct kernel_question *out)
{
    out->module = (uint32_t)(request->words[1] >> 32);
    out->function = (uint32_t)request->words[1];
    if (!server_find_kernel(server, request->words[1], &out->kernel, &out->info)) {
        return server_break(server, "a query about a kernel that does not exist");
    }
    if (needs_registers && !server->modules[out->module].has_resources &&
        !server->resources_refused) {
        server->wanted_module = out->module;
        return SERVER_STEP_RESOURCES;
    }
    if (needs_registers && !out->kernel->has_registers) {
        return server_refuse(server, request, reply, CUDA_STATUS_UNKNOWN,
                             "the registers of this kernel could not be determined");
    }
    out->usage = (struct kernel_usage){
        .registers = answered_registers(server, out->kernel),
        .static_shared_bytes = out->info.static_shared_bytes,
        .max_threads_per_block = out->info.max_threads,
        .optin_shared = out->kernel->is_shared_set,
        .max_dynamic_shared_bytes =
            out->kernel->is_shared_set ? out->kernel->shared_limit_bytes : 0,
    };
    return SERVER_STEP_REPLY;
}

/* Blocks of `threads` that fit on a multiprocessor with so much dynamic shared memory, as a real
 * GPU says of the kernel's own registers or else as the calculator does; false if the kernel cannot
 * run so. */
static bool active_blocks(struct server *server, const struct kernel_question *question,
                          uint32_t threads, uint64_t dynamic_bytes, uint32_t *out_blocks)
{
    bool is_own = question->usage.registers == question->kernel->registers;
    struct occupancy_result result;

    if (is_own && device_active_blocks(server->device, question->module, question->function,
                                       threads, dynamic_bytes, out_blocks)) {
        return true;
    }
    if ((is_own && server->is_gpu) ||
        occupancy_active_blocks(&server->config.model, &question->usage, threads, dynamic_bytes,
                                &result, NULL) != ERROR_NONE) {
        return false;
    }
    *out_blocks = result.active_blocks;
    return true;
}

enum server_step server_occupancy(struct server *server, const struct message *request,
                                  struct message *reply)
{
    uint64_t threads = request->words[2], dynamic_bytes = request->words[3];
    struct kernel_question question;
    uint32_t blocks = 0;
    enum server_step step = open_question(server, request, reply, !server->is_gpu, &question);

    if (step != SERVER_STEP_REPLY || reply->status != 0) {
        return step;
    }
    if (threads == 0 || threads > server->config.model.max_threads_per_block ||
        dynamic_bytes > UINT32_MAX ||
        !active_blocks(server, &question, (uint32_t)threads, dynamic_bytes, &blocks)) {
        return server_refuse(
            server, request, reply, CUDA_STATUS_INVALID_VALUE,
            "the occupancy of blocks of %llu threads; only 1 to %u threads are allowed",
            (unsigned long long)threads, server->config.model.max_threads_per_block);
    }
    reply->words[0] = blocks;
    return SERVER_STEP_REPLY;
}

/* True if at least `wanted` blocks fit. */
static bool fits(struct server *server, const struct kernel_question *question, uint32_t threads,
                 uint64_t dynamic_bytes, uint64_t wanted)
{
    uint32_t blocks = 0;

    return active_blocks(server, question, threads, dynamic_bytes, &blocks) && blocks >= wanted;
}

enum server_step server_occupancy_shared(struct server *server, const struct message *request,
                                         struct message *reply)
{
    uint64_t threads = request->words[2], blocks = request->words[3];
    struct kernel_question question;
    enum server_step step = open_question(server, request, reply, !server->is_gpu, &question);

    if (step != SERVER_STEP_REPLY || reply->status != 0) {
        return step;
    }
    if (threads == 0 || threads > server->config.model.max_threads_per_block || blocks == 0 ||
        !fits(server, &question, (uint32_t)threads, 0, blocks)) {
        return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                             "%llu blocks of %llu threads do not fit on a multiprocessor",
                             (unsigned long long)blocks, (unsigned long long)threads);
    }
    /* More shared memory never lets more blocks fit, so the largest amount is found by halving. */
    uint64_t low = 0, high = server_shared_limit(server, question.kernel, &question.info);
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;

        if (fits(server, &question, (uint32_t)threads, middle, blocks)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    reply->words[0] = low;
    return SERVER_STEP_REPLY;
}

/* The most threads that a block of a kernel may have: its launch bounds, or as many whole warps as
 * its registers allow. */
static uint32_t most_threads(const struct server *server, const struct kernel_question *question)
{
    uint32_t most = threads_by_registers(&server->config.model, question->usage.registers);
    uint32_t bound = question->info.max_threads;

    return bound != 0 && bound < most ? bound : most;
}

enum server_step server_attributes(struct server *server, const struct message *request,
                                   struct message *reply)
{
    const struct gpu_model *model = &server->config.model;
    struct kernel_question question;
    enum server_step step = open_question(server, request, reply, true, &question);

    if (step != SERVER_STEP_REPLY || reply->status != 0) {
        return step;
    }
    reply->words[0] = question.info.static_shared_bytes;
    reply->words[1] = question.kernel->constant_bytes;
    reply->words[2] = question.kernel->local_bytes;
    reply->words[3] = most_threads(server, &question);
    reply->words[4] = question.usage.registers;
    reply->words[5] = PTX_VERSION;
    reply->words[6] = model->compute_major * 10 + model->compute_minor;
    reply->words[7] = server_shared_limit(server, question.kernel, &question.info);
    return SERVER_STEP_REPLY;
}

enum server_step server_set_shared(struct server *server, const struct message *request,
                                   struct message *reply)
{
    struct device_function_info info;
    struct server_kernel *kernel;
    uint64_t bytes = request->words[2];
    uint64_t optin = server->config.model.shared_per_block_optin_bytes;

    if (!server_find_kernel(server, request->words[1], &kernel, &info)) {
        return server_break(server, "an attribute of a kernel that does not exist");
    }
    if (bytes > optin || info.static_shared_bytes > optin - bytes) {
        return server_refuse(server, request, reply, CUDA_STATUS_INVALID_VALUE,
                             "%llu bytes of dynamic and %u of static shared memory; at most %llu "
                             "together are allowed",
                             (unsigned long long)bytes, info.static_shared_bytes,
                             (unsigned long long)optin);
    }
    kernel->is_shared_set = true;
    kernel->shared_limit_bytes = bytes;
    return SERVER_STEP_REPLY;
}
