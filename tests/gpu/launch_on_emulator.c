/* launch_on_emulator.c: runs the launches of a list on the emulated device and counts.
 *
 *   launch_on_emulator KERNELS.ptx LAUNCHES.txt
 *
 * Prints a line for each launch, in the columns of counters.txt: name, hash of the output, then
 * requests and sectors of global loads and of global stores, requests and wavefronts of shared
 * loads and of shared stores. A launch with findings, or that does not end well, gives status 1.
 */
#include "device/device.h"
#include "device/emulated/emulated_device.h"
#include "launch_list.h"

#include <stdlib.h>
#include <string.h>

static void demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "launch_on_emulator: %s failed\n", what);
        exit(3);
    }
}

static uint32_t find_kernel(struct device *device, uint32_t module, const char *name,
                            struct device_function_info *out_info)
{
    for (uint32_t i = 0; i < device_function_count(device, module); i++) {
        if (device_function_info(device, module, i, out_info) &&
            strcmp(out_info->name, name) == 0) {
            return i;
        }
    }
    demand(false, name);
    return 0;
}

struct traffic {
    uint64_t requests, units; /* sectors or wavefronts */
};

static struct traffic sum_counts(const struct device_launch_result *result, uint32_t space,
                                 uint32_t access)
{
    struct traffic sum = {0, 0};
    for (size_t i = 0; i < result->count_count; i++) {
        const struct count_record *record = &result->counts[i];
        if (record->kind == COUNT_RECORD_ACCESS && record->space == space &&
            record->access == access) {
            sum.requests += record->requests;
            sum.units += space == COUNT_SPACE_GLOBAL ? record->sectors : record->wavefronts;
        }
    }
    return sum;
}

static void print_counts(const struct device_launch_result *result)
{
    static const uint32_t spaces[] = {COUNT_SPACE_GLOBAL, COUNT_SPACE_SHARED};
    static const uint32_t accesses[] = {FINDING_RECORD_READ, FINDING_RECORD_WRITE};
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            struct traffic sum = sum_counts(result, spaces[i], accesses[j]);
            printf(" %llu %llu", (unsigned long long)sum.requests, (unsigned long long)sum.units);
        }
    }
    printf("\n");
}

/* Puts the value of parameter `index` into the parameter block. */
static void set_parameter(uint8_t *block, const struct device_function_info *info, size_t index,
                          const void *value, size_t bytes)
{
    demand(index < info->parameter_count && info->parameters[index].bytes == bytes, info->name);
    memcpy(block + info->parameters[index].offset, value, bytes);
}

/* Allocates an array and fills it if it is an input. */
static uint64_t make_array(struct device *device, const struct launch_argument *argument)
{
    struct diagnostic diagnostic = {0};
    uint64_t address = 0;
    uint8_t *bytes = calloc(1, argument->bytes);
    demand(bytes != NULL, "memory");
    if (argument->kind == ARGUMENT_IN) {
        launch_fill_input(argument, bytes);
    }
    demand(device_allocate(device, argument->bytes, &address, &diagnostic) == ERROR_NONE,
           "an allocation");
    demand(device_write(device, address, bytes, argument->bytes), "an upload");
    free(bytes);
    return address;
}

static uint64_t hash_array(struct device *device, uint64_t address, size_t length, uint64_t hash)
{
    uint8_t *bytes = malloc(length);
    demand(bytes != NULL && device_read(device, address, bytes, length), "a download");
    hash = launch_hash(hash, bytes, length);
    free(bytes);
    return hash;
}

static bool run_item(struct device *device, uint32_t module, const struct launch_item *item)
{
    struct device_function_info info;
    struct device_launch launch = {
        .module = module,
        .function = find_kernel(device, module, item->kernel, &info),
        .dynamic_shared_bytes = item->dynamic_bytes,
    };
    struct device_launch_result result;
    uint64_t arrays[LAUNCH_ARGUMENTS_MAX] = {0};
    uint64_t hash = LAUNCH_HASH_START;
    uint8_t *block = calloc(1, info.parameter_bytes + 1);
    demand(block != NULL && item->argument_count == info.parameter_count, item->name);
    memcpy(launch.grid, item->grid, sizeof launch.grid);
    memcpy(launch.block, item->block, sizeof launch.block);
    launch.parameters = block;
    for (size_t i = 0; i < item->argument_count; i++) {
        const struct launch_argument *argument = &item->arguments[i];
        if (argument->kind == ARGUMENT_INT) {
            set_parameter(block, &info, i, &argument->value, sizeof argument->value);
        } else {
            arrays[i] = make_array(device, argument);
            set_parameter(block, &info, i, &arrays[i], sizeof arrays[i]);
        }
    }
    device_launch(device, &launch, &result);
    for (size_t i = 0; i < item->argument_count; i++) {
        const struct launch_argument *argument = &item->arguments[i];
        if (argument->kind == ARGUMENT_OUT) {
            hash = hash_array(device, arrays[i], argument->bytes, hash);
        }
        demand(argument->kind == ARGUMENT_INT || device_release(device, arrays[i]), "a release");
    }
    printf("%s %016llx", item->name, (unsigned long long)hash);
    print_counts(&result);
    free(block);
    return result.status == LAUNCH_DONE && result.finding_count == 0;
}

int main(int argument_count, char **arguments)
{
    struct device_config config = {.memory_limit_bytes = UINT64_C(1) << 28,
                                   .launch_deadline_ns = UINT64_C(30000000000)};
    struct diagnostic diagnostic = {0};
    struct device *device = NULL;
    struct launch_item item;
    uint32_t module = 0;
    bool is_clean = true;
    if (argument_count != 3) {
        fprintf(stderr, "usage: %s KERNELS.ptx LAUNCHES.txt\n", arguments[0]);
        return 2;
    }
    demand(gpu_model_find("H200", &config.model, &diagnostic) == ERROR_NONE, "the GPU model");
    demand(device_open(&device_emulated, &config, &device, &diagnostic) == ERROR_NONE,
           "the device");
    char *ptx = launch_read_file(arguments[1]);
    if (device_load_module(device, ptx, strlen(ptx), &module, &diagnostic) != ERROR_NONE) {
        fprintf(stderr, "%s:%d: %s\n", arguments[1], diagnostic.line, diagnostic.message);
        return 3;
    }
    FILE *list = fopen(arguments[2], "re");
    demand(list != NULL, arguments[2]);
    while (launch_list_next(list, &item)) {
        if (!run_item(device, module, &item)) {
            fprintf(stderr, "%s: there are findings, or it did not end\n", item.name);
            is_clean = false;
        }
    }
    fclose(list);
    device_close(device);
    free(ptx);
    return is_clean ? 0 : 1;
}
