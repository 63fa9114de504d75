/* bench_emulated.c: times a kernel on the emulated device, with the checks of global memory
 * (races, reads of what nothing has written), with all others, and without; not a test.
 *
 *   bench_emulated FILE.ptx KERNEL GRID_X GRID_Y BLOCK_X BLOCK_Y THREADS VARIANT ROUNDS
 *                  [bBYTES | rBYTES | iNUMBER ...]
 *
 * KERNEL is a name. THREADS: of the host. VARIANT: stepwise, baseline, avx2, avx512 or best. A parameter
 * bBYTES is a pointer to so many bytes of device memory that hold 1.0f, rBYTES one to random
 * numbers below BYTES / 4, iNUMBER an int. The launches run while a snapshot is held, as probes do;
 * each round runs all kinds in turn, so a machine that changes its speed changes all. Speed is
 * told by the processor time of all threads, which is that of one core and does not depend on what
 * else the machine does; so is what a unit of work costs (launch_work.h). With 0 rounds the kernel
 * runs once, with all checks, and the memory that the process took meanwhile is told, for each byte
 * of device memory.
 */
#include "base/clock.h"
#include "base/rng.h"
#include "device/device.h"
#include "device/emulated/emulated_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_PARAMETER = 10, PARAMETER_BYTES_MAX = 4096, ROUNDS_MAX = 99, HOST_BYTES = 1 << 20 };

static const char *variant;

/* A device with the kernel on it. */
struct bench {
    struct device *device;
    struct device_launch launch;
    uint8_t parameters[PARAMETER_BYTES_MAX];
    uint64_t allocated_bytes;
    double seconds[ROUNDS_MAX];     /* of the wall clock */
    double cpu_seconds[ROUNDS_MAX]; /* of all threads together */
    struct device_launch_result result;
};

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

static bool fill_random(struct device *device, uint64_t address, uint64_t bytes)
{
    static uint32_t numbers[HOST_BYTES / 4];
    struct rng rng;
    rng_init(&rng, 1, 2, 3, 4);
    for (uint64_t done = 0; done < bytes; done += HOST_BYTES) {
        uint64_t piece = bytes - done < HOST_BYTES ? bytes - done : HOST_BYTES;
        for (uint64_t i = 0; i < piece / 4; i++) {
            numbers[i] = (uint32_t)(rng_next(&rng) % (bytes / 4));
        }
        if (!device_write(device, address + done, numbers, piece)) {
            return false;
        }
    }
    return true;
}

/* Makes the value of one parameter. */
static bool make_parameter(struct bench *bench, const char *text, uint64_t *out_value)
{
    struct diagnostic diagnostic = {0};
    uint64_t bytes = strtoull(text + 1, NULL, 10);
    *out_value = bytes;
    if (text[0] == 'i') {
        return true;
    }
    if (device_allocate(bench->device, bytes, out_value, &diagnostic) != ERROR_NONE) {
        fprintf(stderr, "%s\n", diagnostic.message);
        return false;
    }
    bench->allocated_bytes += bytes;
    return text[0] == 'r' ? fill_random(bench->device, *out_value, bytes)
                          : device_fill(bench->device, *out_value, bytes, 0x3f800000, 4);
}

static bool find_kernel(struct bench *bench, const char *name,
                        struct device_function_info *out_info)
{
    size_t count = device_function_count(bench->device, bench->launch.module);
    for (uint32_t i = 0; i < count; i++) {
        device_function_info(bench->device, bench->launch.module, i, out_info);
        if (strstr(out_info->name, name) != NULL) {
            bench->launch.function = i;
            return true;
        }
    }
    fprintf(stderr, "there is no kernel %s\n", name);
    return false;
}

/* How much is checked. */
enum checks { CHECK_NOTHING, CHECK_USUAL, CHECK_GLOBAL_MEMORY };

static bool bench_open(struct bench *bench, char **arguments, int count, enum checks checks)
{
    struct diagnostic diagnostic = {0};
    static struct device_backend backend;
    struct device_config config = {.model = {.multiprocessors = 132},
                                   .memory_limit_bytes = UINT64_C(1) << 32,
                                   .launch_deadline_ns = UINT64_C(100000000000),
                                   .threads = (uint32_t)strtoul(arguments[7], NULL, 10),
                                   .checks_global_races = checks == CHECK_GLOBAL_MEMORY,
                                   .checks_unwritten = checks == CHECK_GLOBAL_MEMORY,
                                   .is_unwatched = checks == CHECK_NOTHING};
    struct device_function_info info;
    size_t length = 0;
    char *text = read_text(arguments[1], &length);
    *bench = (struct bench){.launch = {.grid[2] = 1, .block[2] = 1}};
    for (unsigned i = 0; i < 2; i++) {
        bench->launch.grid[i] = (uint32_t)strtoul(arguments[3 + i], NULL, 10);
        bench->launch.block[i] = (uint32_t)strtoul(arguments[5 + i], NULL, 10);
    }
    backend = device_emulated;
    backend.open = open_variant;
    bool is_loaded =
        text != NULL && device_open(&backend, &config, &bench->device, &diagnostic) == ERROR_NONE &&
        device_load_module(bench->device, text, length, &bench->launch.module, &diagnostic) ==
            ERROR_NONE;
    free(text);
    if (!is_loaded) {
        fprintf(stderr, "%s, line %d: %s\n", arguments[1], diagnostic.line, diagnostic.message);
        return false;
    }
    if (!find_kernel(bench, arguments[2], &info)) {
        return false;
    }
    for (int i = FIRST_PARAMETER; i < count; i++) {
        uint64_t value = 0;
        uint32_t index = (uint32_t)(i - FIRST_PARAMETER);
        if (index >= info.parameter_count || !make_parameter(bench, arguments[i], &value)) {
            return false;
        }
        memcpy(bench->parameters + info.parameters[index].offset, &value,
               info.parameters[index].bytes);
    }
    bench->launch.parameters = bench->parameters;
    return device_snapshot(bench->device, &diagnostic) == ERROR_NONE;
}

static double cpu_seconds(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void bench_run(struct bench *bench, unsigned round)
{
    uint64_t start = clock_now_ns();
    double cpu_start = cpu_seconds();
    device_launch(bench->device, &bench->launch, &bench->result);
    bench->cpu_seconds[round] = cpu_seconds() - cpu_start;
    bench->seconds[round] = (double)(clock_now_ns() - start) / 1e9;
    device_restore(bench->device);
}

static int compare_seconds(const void *left, const void *right)
{
    const double *a = left;
    const double *b = right;
    return (*a > *b) - (*a < *b);
}

static double median(double seconds[], unsigned rounds)
{
    qsort(seconds, rounds, sizeof seconds[0], compare_seconds);
    return seconds[rounds / 2];
}

static double bench_show(struct bench *bench, const char *name, unsigned rounds)
{
    double cpu = median(bench->cpu_seconds, rounds);
    printf("  %-10s %8.4f s, %8.4f s of one core: %5.2fe9 lane-instructions per second and core, "
           "%.2f ns for each unit of work",
           name, median(bench->seconds, rounds), cpu,
           (double)bench->result.counters.lane_instructions / cpu / 1e9,
           cpu * 1e9 / (double)bench->result.counters.work);
    if (bench->result.status != LAUNCH_DONE || bench->result.finding_count != 0) {
        printf(" (status %d, %zu findings)", (int)bench->result.status,
               bench->result.finding_count);
    }
    printf("\n");
    return cpu;
}

/* The most memory that this process ever had, in bytes. */
static double peak_bytes(void)
{
    char line[256];
    double kilobytes = 0.0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmHWM:", 6) == 0) {
            kilobytes = strtod(line + 6, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kilobytes * 1024.0;
}

int main(int argc, char **argv)
{
    static struct bench racing, watched, unwatched;
    if (argc < FIRST_PARAMETER) {
        fprintf(stderr, "usage: see the top of bench_emulated.c\n");
        return 2;
    }
    variant = strcmp(argv[8], "best") == 0 ? NULL : argv[8];
    unsigned rounds = (unsigned)strtoul(argv[9], NULL, 10);
    double before = peak_bytes();
    if (rounds > ROUNDS_MAX || !bench_open(&watched, argv, argc, CHECK_USUAL)) {
        return 1;
    }
    if (rounds == 0) {
        bench_run(&watched, 0);
        bench_show(&watched, "checked", 1);
        printf("  memory     %.2f bytes for each of %" PRIu64 "\n",
               (peak_bytes() - before) / (double)watched.allocated_bytes, watched.allocated_bytes);
        device_close(watched.device);
        return 0;
    }
    if (!bench_open(&unwatched, argv, argc, CHECK_NOTHING) ||
        !bench_open(&racing, argv, argc, CHECK_GLOBAL_MEMORY)) {
        return 1;
    }
    for (unsigned round = 0; round < rounds; round++) {
        bench_run(&racing, round);
        bench_run(&watched, round);
        bench_run(&unwatched, round);
    }
    double checked = bench_show(&watched, "checked", rounds);
    double bare = bench_show(&unwatched, "unchecked", rounds);
    double all = bench_show(&racing, "global", rounds);
    printf("  ratio      %8.2f, global %.2f of it\n", checked / bare, all / checked);
    device_close(racing.device);
    device_close(watched.device);
    device_close(unwatched.device);
    return 0;
}
