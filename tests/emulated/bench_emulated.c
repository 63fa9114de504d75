/* bench_emulated.c: times a kernel on the emulated device; not a test.
 *
 *   bench_emulated FILE.ptx KERNEL GRID_X GRID_Y BLOCK_X BLOCK_Y SHARED_BYTES THREADS VARIANT
 *                  [bBYTES | iNUMBER ...]
 *
 * KERNEL is the number of the kernel in the file. A parameter bBYTES is a pointer to so many bytes
 * of device memory, iNUMBER an int. VARIANT: baseline, avx2, avx512 or best.
 */
#include "base/clock.h"
#include "device/device.h"
#include "device/emulated/emulated_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PARAMETER = 10, PARAMETER_BYTES_MAX = 4096 };

static const char *variant;

static enum error open_variant(const struct device_config *config, void **out_state,
                               struct diagnostic *diagnostic)
{
    return emulated_open(config, variant, out_state, diagnostic);
}

static char *read_text(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    fseek(file, 0, SEEK_END);
    *out_length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, *out_length + 1);
    *out_length = text == NULL ? 0 : fread(text, 1, *out_length, file);
    fclose(file);
    return text;
}

/* Fills the block of parameters from the command line. */
static bool fill_parameters(struct device *device, const struct device_function_info *info,
                            char **arguments, int count, uint8_t *out_parameters)
{
    for (int i = 0; i < count && (uint32_t)i < info->parameter_count; i++) {
        uint64_t value = strtoull(arguments[i] + 1, NULL, 10);
        struct diagnostic diagnostic = {0};
        if (arguments[i][0] == 'b') {
            if (device_allocate(device, value, &value, &diagnostic) != ERROR_NONE) {
                return false;
            }
            struct device_allocation block;
            device_find(device, value, &block);
            device_fill(device, value, block.bytes, 0x3f800000, 4);
        }
        if (info->parameters[i].offset + info->parameters[i].bytes > PARAMETER_BYTES_MAX) {
            return false;
        }
        memcpy(out_parameters + info->parameters[i].offset, &value, info->parameters[i].bytes);
    }
    return true;
}

static void show(const struct device_launch_result *result, uint64_t ns)
{
    printf("status %d, %zu findings, %.3f s, %.3e lane-instructions, %.2f ns each warp's\n",
           (int)result->status, result->finding_count, (double)ns / 1e9,
           (double)result->counters.lane_instructions,
           (double)ns / (double)(result->counters.warp_instructions + 1));
    for (size_t i = 0; i < result->finding_count && i < 10; i++) {
        const struct finding_record *record = &result->findings[i];
        printf("  kind %" PRIu32 " x %" PRIu64 " line %" PRIu32 " thread %" PRIu32 " %s\n",
               record->kind, record->count, record->places[0].line, record->places[0].thread[0],
               record->text);
    }
}

int main(int argc, char **argv)
{
    struct diagnostic diagnostic = {0};
    if (argc < FIRST_PARAMETER) {
        fprintf(stderr, "usage: see the top of bench_emulated.c\n");
        return 2;
    }
    variant = strcmp(argv[9], "best") == 0 ? NULL : argv[9];
    struct device_backend backend = device_emulated;
    backend.open = open_variant;
    struct device_config config = {.memory_limit_bytes = UINT64_C(1) << 32,
                                   .launch_deadline_ns = UINT64_C(100000000000),
                                   .threads = (uint32_t)strtoul(argv[8], NULL, 10)};
    struct device *device;
    size_t length = 0;
    char *text = read_text(argv[1], &length);
    struct device_launch launch = {
        .function = (uint32_t)strtoul(argv[2], NULL, 10), .grid[2] = 1, .block[2] = 1};
    struct device_function_info info;
    uint8_t parameters[PARAMETER_BYTES_MAX] = {0};
    for (unsigned i = 0; i < 2; i++) {
        launch.grid[i] = (uint32_t)strtoul(argv[3 + i], NULL, 10);
        launch.block[i] = (uint32_t)strtoul(argv[5 + i], NULL, 10);
    }
    launch.dynamic_shared_bytes = (uint32_t)strtoul(argv[7], NULL, 10);
    launch.parameters = parameters;
    if (text == NULL || device_open(&backend, &config, &device, &diagnostic) != ERROR_NONE ||
        device_load_module(device, text, length, &launch.module, &diagnostic) != ERROR_NONE ||
        !device_function_info(device, launch.module, launch.function, &info) ||
        !fill_parameters(device, &info, argv + FIRST_PARAMETER, argc - FIRST_PARAMETER,
                         parameters)) {
        fprintf(stderr, "line %d: %s\n", diagnostic.line, diagnostic.message);
        return 1;
    }
    struct device_launch_result result;
    uint64_t start = clock_now_ns();
    device_launch(device, &launch, &result);
    show(&result, clock_now_ns() - start);
    device_close(device);
    free(text);
    return 0;
}
