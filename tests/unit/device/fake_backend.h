/* fake_backend.h: a device of 1 MiB that runs one kernel, for tests of the server.
 *
 * Each module has the kernel "fill" (pointer, int) and the variable "block width" (4 bytes). A
 * launch adds 1 to the first word behind the pointer, and ends as `fake_result` says. As a "real
 * GPU" it also takes machine code, measures times (`fake_timing`) and knows how many blocks fit
 * (`fake_fitting`).
 */
#ifndef GPUGRADE_TESTS_FAKE_BACKEND_H
#define GPUGRADE_TESTS_FAKE_BACKEND_H

#include "device/server.h"
#include "occupancy/gpu_model_record.h"

#include <string.h>

enum { FAKE_BYTES = 1 << 20, FAKE_BLOCKS = 64, FAKE_PARAMETER_BYTES = 12 };

static struct {
    uint8_t bytes[FAKE_BYTES];
    uint8_t kept[FAKE_BYTES];
    struct device_allocation blocks[FAKE_BLOCKS];
    size_t block_count;
    struct device_allocation freed; /* the last one */
    uint64_t next;
    uint64_t limit;
    uint64_t variables[FAKE_BLOCKS]; /* of the modules */
    uint32_t module_count;
    uint32_t launches;
    char gpu[64];                /* that was asked for */
    size_t image_bytes;          /* of the module that was loaded last */
    uint32_t measured;           /* launches_per_span of the last timing */
    struct device_limits limits; /* of the last timing */
} fake;

static struct device_launch_result fake_result;
static uint64_t fake_work_limit; /* of the last launch */

enum { FAKE_TOTAL_WORK = 2000 }; /* that fake_configure allows */
static struct device_timing_result fake_timing;
static uint32_t fake_fitting; /* 0: it does not say */
static size_t fake_gpu_count; /* that are listed */

static enum error fake_open(const struct device_config *config, void **out_state,
                            struct diagnostic *diagnostic)
{
    (void)diagnostic;
    memset(&fake, 0, sizeof(fake));
    memset(&fake_result, 0, sizeof(fake_result));
    fake.next = DEVICE_WINDOW_START;
    fake.limit = config->memory_limit_bytes;
    if (config->gpu != NULL) {
        strncpy(fake.gpu, config->gpu, sizeof(fake.gpu) - 1);
    }
    *out_state = &fake;
    return ERROR_NONE;
}

static void fake_close(void *state)
{
    (void)state;
}

static enum error fake_allocate(void *state, uint64_t bytes, uint64_t *out_address,
                                struct diagnostic *diagnostic)
{
    (void)state;
    (void)diagnostic;
    if (bytes > fake.limit || fake.next - DEVICE_WINDOW_START + bytes > FAKE_BYTES ||
        fake.block_count == FAKE_BLOCKS) {
        return ERROR_LIMIT;
    }
    *out_address = fake.next;
    fake.blocks[fake.block_count++] = (struct device_allocation){fake.next, bytes, false, false};
    fake.next += (bytes + 511) / 512 * 512;
    return ERROR_NONE;
}

static enum error fake_allocate_again(void *state, uint64_t bytes, uint64_t address,
                                      struct diagnostic *diagnostic)
{
    (void)state;
    (void)diagnostic;
    if (fake.freed.address != address || fake.freed.bytes != bytes) {
        return ERROR_LIMIT;
    }
    fake.blocks[fake.block_count++] = fake.freed;
    fake.freed = (struct device_allocation){.address = 0};
    return ERROR_NONE;
}

static enum error fake_load(void *state, const char *ptx, size_t length, uint32_t *out_module,
                            struct diagnostic *diagnostic)
{
    uint64_t address = 0;

    (void)ptx;
    if (length == 0) {
        diagnostic_set(diagnostic, BLAME_STUDENT, "no PTX");
        return ERROR_SYNTAX;
    }
    fake_allocate(state, 4, &address, NULL);
    fake.blocks[fake.block_count - 1].is_module_variable = true;
    fake.variables[fake.module_count] = address;
    fake.image_bytes = 0;
    *out_module = fake.module_count++;
    return ERROR_NONE;
}

static size_t fake_function_count(void *state, uint32_t module)
{
    (void)state;
    return module < fake.module_count ? 1 : 0;
}

static bool fake_function_info(void *state, uint32_t module, uint32_t function,
                               struct device_function_info *out_info)
{
    static const struct device_parameter parameters[] = {{0, 8}, {8, 4}};

    (void)state;
    if (module >= fake.module_count || function != 0) {
        return false;
    }
    *out_info = (struct device_function_info){
        .name = "fill",
        .parameter_count = 2,
        .parameters = parameters,
        .parameter_bytes = FAKE_PARAMETER_BYTES,
        .static_shared_bytes = 1024,
        .max_threads = 512,
    };
    return true;
}

static bool fake_find(void *state, uint64_t address, struct device_allocation *out_allocation)
{
    (void)state;
    for (size_t i = 0; i < fake.block_count; i++) {
        if (address - fake.blocks[i].address < fake.blocks[i].bytes) {
            *out_allocation = fake.blocks[i];
            return true;
        }
    }
    return false;
}

static bool fake_variable(void *state, uint32_t module, const char *name,
                          struct device_allocation *out_variable)
{
    return module < fake.module_count && strcmp(name, "edge") == 0 &&
           fake_find(state, fake.variables[module], out_variable);
}

static void fake_initialise(void *state)
{
    (void)state;
    for (size_t i = 0; i < fake.block_count; i++) {
        if (fake.blocks[i].is_module_variable) {
            memset(fake.bytes + (fake.blocks[i].address - DEVICE_WINDOW_START), 0,
                   fake.blocks[i].bytes);
        }
    }
}

static bool fake_release(void *state, uint64_t address)
{
    (void)state;
    for (size_t i = 0; i < fake.block_count; i++) {
        if (fake.blocks[i].address == address && !fake.blocks[i].is_module_variable) {
            fake.freed = fake.blocks[i];
            fake.blocks[i] = fake.blocks[--fake.block_count];
            return true;
        }
    }
    return false;
}

static uint8_t *fake_at(uint64_t address, uint64_t length)
{
    struct device_allocation found;

    if (!fake_find(NULL, address, &found) || length > found.bytes ||
        address - found.address > found.bytes - length) {
        return NULL;
    }
    return fake.bytes + (address - DEVICE_WINDOW_START);
}

static bool fake_read(void *state, uint64_t address, void *out_bytes, size_t length)
{
    const uint8_t *bytes = fake_at(address, length);

    (void)state;
    if (bytes != NULL) {
        memcpy(out_bytes, bytes, length);
    }
    return bytes != NULL;
}

static bool fake_write(void *state, uint64_t address, const void *bytes, size_t length)
{
    uint8_t *to = fake_at(address, length);

    (void)state;
    if (to != NULL) {
        memcpy(to, bytes, length);
    }
    return to != NULL;
}

static bool fake_fill(void *state, uint64_t address, uint64_t length, uint32_t pattern,
                      size_t pattern_bytes)
{
    uint8_t *to = fake_at(address, length);

    (void)state;
    for (uint64_t i = 0; i < length && to != NULL; i++) {
        to[i] = (uint8_t)(pattern >> (8 * (i % pattern_bytes)));
    }
    return to != NULL;
}

static bool fake_copy(void *state, uint64_t to, uint64_t from, uint64_t length)
{
    uint8_t *target = fake_at(to, length);
    const uint8_t *source = fake_at(from, length);

    (void)state;
    if (target == NULL || source == NULL) {
        return false;
    }
    memmove(target, source, length);
    return true;
}

static enum error fake_snapshot(void *state, struct diagnostic *diagnostic)
{
    (void)state;
    (void)diagnostic;
    memcpy(fake.kept, fake.bytes, sizeof(fake.kept));
    return ERROR_NONE;
}

static void fake_restore(void *state)
{
    (void)state;
    memcpy(fake.bytes, fake.kept, sizeof(fake.bytes));
}

static void fake_discard(void *state)
{
    (void)state;
}

static void fake_launch(void *state, const struct device_launch *launch,
                        struct device_launch_result *out_result)
{
    uint64_t address;
    uint32_t word = 0;

    memcpy(&address, launch->parameters, sizeof(address));
    if (fake_read(state, address, &word, sizeof(word))) {
        word++;
        fake_write(state, address, &word, sizeof(word));
    }
    fake.launches++;
    *out_result = fake_result;
    fake_work_limit = launch->work_limit;
}

static enum error fake_load_image(void *state, const char *ptx, size_t length, const void *image,
                                  size_t image_bytes, uint32_t *out_module,
                                  struct diagnostic *diagnostic)
{
    enum error error = fake_load(state, ptx, length, out_module, diagnostic);

    (void)image;
    fake.image_bytes = image_bytes;
    return error;
}

static enum error fake_time(void *state, const struct timing_request *request,
                            const struct device_limits *limits,
                            struct device_timing_result *out_result, struct diagnostic *diagnostic)
{
    (void)state;
    (void)diagnostic;
    fake.measured = request->launches_per_span;
    fake.limits = *limits;
    *out_result = fake_timing;
    return ERROR_NONE;
}

static bool fake_active_blocks(void *state, uint32_t module, uint32_t function,
                               uint32_t block_threads, uint64_t dynamic_shared_bytes,
                               uint32_t *out_blocks)
{
    (void)state;
    (void)module;
    (void)function;
    (void)block_threads;
    *out_blocks = dynamic_shared_bytes > 1000 ? 0 : fake_fitting;
    return fake_fitting > 0;
}

/* Of the fake as a real GPU. */
static const struct gpu_model *fake_gpu_model(const void *state)
{
    static struct gpu_model model;

    (void)state;
    if (model.multiprocessors == 0 && gpu_model_find("H200", &model, NULL) == ERROR_NONE) {
        model.multiprocessors = 7;
    }
    return &model;
}

static enum error fake_list_gpus(struct text *out_records, size_t *out_count,
                                 struct diagnostic *diagnostic)
{
    struct control_gpu gpu = {.uuid = "GPU-1", .driver_version = 13000};

    if (fake_gpu_count == 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "there is no GPU here");
        return ERROR_ENVIRONMENT;
    }
    gpu_model_pack(fake_gpu_model(NULL), gpu.model);
    for (size_t i = 0; i < fake_gpu_count; i++) {
        control_gpu_pack(&gpu, out_records);
    }
    *out_count = fake_gpu_count;
    return ERROR_NONE;
}

/* What every device can do. */
#define FAKE_ENTRIES                                                                               \
    .open = fake_open, .close = fake_close, .load_module = fake_load,                              \
    .function_count = fake_function_count, .function_info = fake_function_info,                    \
    .variable = fake_variable, .initialise = fake_initialise, .allocate = fake_allocate,           \
    .allocate_again = fake_allocate_again, .release = fake_release, .find = fake_find,             \
    .read = fake_read, .write = fake_write, .fill = fake_fill, .copy = fake_copy,                  \
    .snapshot = fake_snapshot, .restore = fake_restore, .discard = fake_discard,                   \
    .launch = fake_launch

static const struct device_backend fake_backend = {.name = "fake", FAKE_ENTRIES};

static const struct device_backend fake_gpu_backend = {
    .name = "fake gpu",
    FAKE_ENTRIES,
    .time = fake_time,
    .active_blocks = fake_active_blocks,
    .load_image = fake_load_image,
};

static const struct server_devices fake_devices = {
    .emulated = &fake_backend,
    .gpu = &fake_gpu_backend,
    .gpu_model = fake_gpu_model,
    .list_gpus = fake_list_gpus,
};

/* The first message, with the record of a model in `record` as its payload. */
static struct message fake_configure(const char *name, uint64_t section, uint64_t section_bytes,
                                     uint8_t record[GPU_MODEL_RECORD_BYTES])
{
    struct gpu_model model = {.name = ""};

    gpu_model_find(name, &model, NULL);
    gpu_model_pack(&model, record);
    return (struct message){
        .type = CONTROL_CONFIGURE,
        .words = {1 << 19, UINT64_C(1000000000), 1, section, section_bytes, 0, 0, 0, 0,
                  FAKE_TOTAL_WORK},
        .payload = record,
        .payload_bytes = GPU_MODEL_RECORD_BYTES,
    };
}

#endif
