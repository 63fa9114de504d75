/* backend_on_gpu.c: holds the cuda backend to the emulated one.
 *
 *   backend_on_gpu KERNELS.ptx MATMUL.ptx [KERNELS.cubin]
 *
 * A scenario drives a device through device.h and writes down what it saw. It runs once on each
 * device, each time in a process of its own, since a fault ends the GPU's context; then both
 * transcripts must agree byte for byte. A scenario that can run on the GPU only has a transcript to
 * agree with in the table. KERNELS.ptx is backend_kernels.cu for compute_75 with -fmad=false, the
 * cubin the same, assembled by ptxas for this GPU. Ends with status 77 where there is no GPU.
 */
#include "backend_bench.h"
#include "base/clock.h"
#include "device/cuda/cuda_device.h"
#include "device/device.h"
#include "launch_list.h"
#include "timing_on_gpu.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TRANSCRIPT_BYTES = 1 << 20, WORDS = 4096, SCENARIO_SECONDS = 60 };

struct scenario {
    const char *name;
    void (*run)(struct bench *bench);
    const char *expected; /* NULL: what the emulated device gives */
};

void bench_demand(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "backend_on_gpu: %s failed\n", what);
        _exit(3);
    }
}

static const char *read_file(const char *path)
{
    return launch_read_file(path);
}

uint32_t bench_load(struct bench *bench, const char *text)
{
    struct diagnostic diagnostic = {.message = ""};
    uint32_t module = 0;
    enum error error = device_load_module(bench->device, text, strlen(text), &module, &diagnostic);
    bench_demand(error == ERROR_NONE, diagnostic.message);
    return module;
}

uint64_t bench_allocate(struct bench *bench, uint64_t bytes)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t address = 0;
    bench_demand(device_allocate(bench->device, bytes, &address, &diagnostic) == ERROR_NONE,
                 diagnostic.message);
    return address;
}

static void log_hash(struct bench *bench, const char *name, uint64_t address, size_t bytes)
{
    uint8_t *copy = malloc(bytes);
    bench_demand(copy != NULL && device_read(bench->device, address, copy, bytes), "device_read");
    fprintf(bench->log, "%s: %016" PRIx64 "\n", name, launch_hash(LAUNCH_HASH_START, copy, bytes));
    free(copy);
}

/* The 16 results of `arithmetic`, each with a hash of its own. */
static void log_results(struct bench *bench, const char *name, uint64_t address, size_t threads)
{
    enum { RESULTS = 16 };
    uint32_t *words = malloc(threads * RESULTS * sizeof *words);
    bench_demand(words != NULL &&
                     device_read(bench->device, address, words, threads * RESULTS * sizeof *words),
                 "device_read");
    for (size_t k = 0; k < RESULTS; k++) {
        uint64_t hash = LAUNCH_HASH_START;
        for (size_t i = 0; i < threads; i++) {
            hash = launch_hash(hash, &words[i * RESULTS + k], sizeof *words);
        }
        fprintf(bench->log, "%s, result %zu: %016" PRIx64 "\n", name, k, hash);
    }
    free(words);
}

static uint64_t random_words(uint64_t seed, uint32_t *out_words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        out_words[i] = (uint32_t)(seed >> 32);
    }
    return seed;
}

/* An array of small random floats, or of random words. */
static uint64_t random_array(struct bench *bench, size_t count, bool is_float, uint64_t seed)
{
    uint64_t address = bench_allocate(bench, count * sizeof(uint32_t));
    uint32_t *words = malloc(count * sizeof *words);
    bench_demand(words != NULL, "malloc");
    random_words(seed, words, count);
    for (size_t i = 0; i < count && is_float; i++) {
        float value = (float)(int32_t)words[i] / 2147483648.0f;
        memcpy(&words[i], &value, sizeof value);
    }
    bench_demand(device_write(bench->device, address, words, count * sizeof *words),
                 "device_write");
    free(words);
    return address;
}

uint32_t bench_find_kernel(struct bench *bench, uint32_t module, const char *name,
                           struct device_function_info *out_info)
{
    for (uint32_t i = 0; i < device_function_count(bench->device, module); i++) {
        if (device_function_info(bench->device, module, i, out_info) &&
            strstr(out_info->name, name) != NULL) {
            return i;
        }
    }
    bench_demand(false, name);
    return 0;
}

struct shape {
    uint32_t blocks, threads, dynamic_bytes;
    bool is_cooperative;
};

/* The kinds of findings that a real GPU gives. */
static const char *kind_word(uint32_t kind)
{
    switch (kind) {
    case FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS:
        return "out of bounds";
    case FINDING_RECORD_MISALIGNED:
        return "misaligned";
    case FINDING_RECORD_TRAP:
        return "trap";
    case FINDING_RECORD_ASSERT:
        return "assertion";
    default:
        return "another finding";
    }
}

/* Launches a kernel; the arguments are as many values of the parameters' sizes as it has, each
 * given by its address. */
static struct device_launch_result launch(struct bench *bench, const char *kernel,
                                          struct shape shape, const void *const *arguments)
{
    struct device_function_info info;
    uint8_t parameters[512] = {0};
    struct device_launch request = {
        .module = bench->module,
        .function = bench_find_kernel(bench, bench->module, kernel, &info),
        .grid = {shape.blocks, 1, 1},
        .block = {shape.threads, 1, 1},
        .dynamic_shared_bytes = shape.dynamic_bytes,
        .parameters = parameters,
        .is_cooperative = shape.is_cooperative,
    };
    struct device_launch_result result;
    bench_demand(info.parameter_bytes <= sizeof parameters, "a parameter block that fits");
    for (size_t i = 0; i < info.parameter_count; i++) {
        memcpy(parameters + info.parameters[i].offset, arguments[i], info.parameters[i].bytes);
    }
    device_launch(bench->device, &request, &result);
    return result;
}

static void log_launch(struct bench *bench, const char *kernel, struct shape shape,
                       const void *const *arguments)
{
    struct device_launch_result result = launch(bench, kernel, shape, arguments);
    fprintf(bench->log, "%s: status %d, printed %zu\n", kernel, (int)result.status,
            result.printed_bytes);
    fwrite(result.printed, 1, result.printed_bytes, bench->log);
    for (size_t i = 0; i < result.finding_count; i++) {
        fprintf(bench->log, "%s %s\n", kind_word(result.findings[i].kind), result.findings[i].text);
    }
}

static void run_memory(struct bench *bench)
{
    struct device *device = bench->device;
    struct device_allocation found;
    uint64_t a = bench_allocate(bench, 10007);
    uint64_t b = bench_allocate(bench, 5 << 20);
    uint8_t bytes[64];
    fprintf(bench->log, "aligned %d, apart %d, in the window %d\n", a % 512 == 0 && b % 512 == 0,
            b >= a + 10007 + 512, a >= DEVICE_WINDOW_START);
    log_hash(bench, "poison", a, 10007);
    log_hash(bench, "poison", b, 5 << 20);
    bench_demand(device_find(device, a + 10006, &found), "device_find");
    fprintf(bench->log, "found %" PRIu64 " bytes, at the start %d\n", found.bytes,
            found.address == a);
    fprintf(bench->log, "past the end %d %d, none %d\n", device_find(device, a + 10007, &found),
            device_read(device, a + 10000, bytes, 8), device_find(device, 12345, &found));
    fprintf(bench->log, "fills %d %d %d %d %d\n", device_fill(device, a, 10007, 0x5a, 1),
            device_fill(device, a + 1, 1001, 0xabcd, 2),
            device_fill(device, a + 2000, 4000, 0x01020304, 4),
            device_fill(device, a + 7003, 1002, 0xcafe1234, 4), device_fill(device, a, 8, 1, 3));
    log_hash(bench, "filled", a, 10007);
    fprintf(bench->log, "copies %d %d %d %d\n", device_copy(device, b + 77, a, 10007),
            device_copy(device, b + 100, b + 77, 9000), device_copy(device, b + 50, b + 99, 3000),
            device_copy(device, b + (5 << 20) - 10, a, 11));
    log_hash(bench, "copied", b, 5 << 20);
    fprintf(bench->log, "released %d %d %d, read after %d\n", device_release(device, a + 512),
            device_release(device, a), device_release(device, a), device_read(device, a, bytes, 1));
    for (int i = 0; i < 200; i++) {
        uint64_t c = bench_allocate(bench, 1000 + (uint64_t)i);
        bench_demand(device_fill(device, c, 1000, (uint32_t)i, 1) && device_release(device, c),
                     "churn");
    }
    log_hash(bench, "still there", b, 5 << 20);
}

static void run_limit(struct bench *bench)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t address = 0;
    uint64_t first = bench_allocate(bench, UINT64_C(1) << 27);
    fprintf(bench->log, "over the limit: %s",
            error_text(device_allocate(bench->device, UINT64_C(1) << 28, &address, &diagnostic)));
    fprintf(bench->log, ": %s\n", diagnostic.message);
    fprintf(bench->log, "huge: %s\n",
            error_text(device_allocate(bench->device, UINT64_MAX - 3, &address, &diagnostic)));
    fprintf(bench->log, "released %d, then %s\n", device_release(bench->device, first),
            error_text(device_allocate(bench->device, UINT64_C(1) << 27, &address, &diagnostic)));
}

static void run_variables(struct bench *bench)
{
    static const char *const names[] = {"counters", "coefficients",   "local_scale",
                                        "label",    "counter_behind", "nothing"};
    uint64_t out = bench_allocate(bench, 6 * sizeof(float));
    const void *arguments[] = {&out};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct device_allocation variable;
        if (!device_variable(bench->device, bench->module, names[i], &variable)) {
            fprintf(bench->log, "%s: none\n", names[i]);
            continue;
        }
        fprintf(bench->log, "%s: %" PRIu64 " bytes %d %d, released %d\n", names[i], variable.bytes,
                variable.is_module_variable, variable.is_constant,
                device_release(bench->device, variable.address));
        if (i < 4) {
            log_hash(bench, names[i], variable.address, variable.bytes);
        }
    }
    for (int i = 0; i < 3; i++) {
        static const float changed[4] = {7.5f, -0.25f, 1e10f, 3.0f};
        struct device_allocation variable;
        log_launch(bench, "use_variables", (struct shape){1, 1, 0, false}, arguments);
        log_hash(bench, "out", out, 6 * sizeof(float));
        if (i == 0) {
            bench_demand(device_variable(bench->device, bench->module, "coefficients", &variable) &&
                             device_write(bench->device, variable.address, changed, sizeof changed),
                         "a write to a constant");
        } else {
            device_initialise(bench->device);
        }
    }
}

static void run_descriptions(struct bench *bench)
{
    struct device_function_info info;
    for (uint32_t i = 0; i < device_function_count(bench->device, bench->module); i++) {
        bench_demand(device_function_info(bench->device, bench->module, i, &info), "function_info");
        /* a driver may tell the bytes of the variables rounded up to a multiple of 16 */
        fprintf(bench->log,
                "%s: %" PRIu32 " parameters, %" PRIu64 " bytes, static %" PRIu32
                ", threads %" PRIu32 "\n",
                info.name, info.parameter_count, info.parameter_bytes,
                (info.static_shared_bytes + 15) / 16 * 16, info.max_threads);
        for (uint32_t k = 0; k < info.parameter_count; k++) {
            fprintf(bench->log, " %" PRIu64 "+%" PRIu64, info.parameters[k].offset,
                    info.parameters[k].bytes);
        }
        fprintf(bench->log, "\n");
    }
}

static void run_kernels(struct bench *bench)
{
    uint64_t a = random_array(bench, WORDS, true, 1);
    uint64_t b = random_array(bench, WORDS, true, 2);
    uint64_t c = random_array(bench, WORDS, true, 3);
    int n = WORDS - 5;
    float scale = 1.0f / 3.0f;
    log_launch(bench, "add_scaled", (struct shape){WORDS / 256, 256, 0, false},
               (const void *[]){&a, &b, &c, &n, &scale});
    log_hash(bench, "c", c, WORDS * sizeof(float));
    uint64_t in = random_array(bench, 2 * WORDS, false, 4);
    uint64_t out = bench_allocate(bench, 16 * WORDS * sizeof(uint32_t));
    n = WORDS;
    log_launch(bench, "arithmetic", (struct shape){WORDS / 128, 128, 0, false},
               (const void *[]){&in, &out, &n});
    log_results(bench, "words", out, WORDS);
    n = WORDS / 2;
    log_launch(bench, "arithmetic", (struct shape){WORDS / 128, 128, 0, false},
               (const void *[]){&a, &out, &n});
    log_results(bench, "floats", out, WORDS / 2);
    log_launch(bench, "sum_blocks", (struct shape){8, 512, 512 * sizeof(int), false},
               (const void *[]){&in, &out});
    log_hash(bench, "sums", out, 8 * sizeof(int));
    int words = 30000;
    uint64_t long_in = random_array(bench, 30000, false, 5);
    log_launch(bench, "reverse", (struct shape){1, 1024, 120000, false},
               (const void *[]){&long_in, &out, &words});
    log_hash(bench, "reversed", out, 120000);
    words = 100;
    log_launch(bench, "reverse", (struct shape){1, 32, 400, false},
               (const void *[]){&long_in, &out, &words});
    log_hash(bench, "reversed again", out, 400);
}

static void run_parameters(struct bench *bench)
{
    struct {
        char first;
        double second;
        short third[3];
        uint64_t out;
        unsigned char last;
    } mixed = {.first = -3, .second = 1e40 / 7e30, .third = {100, -200, 300}, .last = 250};
    char lead = 100;
    short tail = -12345;
    mixed.out = bench_allocate(bench, 4 * sizeof(float));
    log_launch(bench, "read_parameters", (struct shape){1, 1, 0, false},
               (const void *[]){&lead, &mixed, &tail});
    log_hash(bench, "read", mixed.out, 4 * sizeof(float));
    log_launch(bench, "no_parameters", (struct shape){3, 7, 0, false}, NULL);
    struct device_allocation counters;
    bench_demand(device_variable(bench->device, bench->module, "counters", &counters), "counters");
    log_hash(bench, "counters", counters.address, counters.bytes);
}

static void run_cooperative(struct bench *bench)
{
    uint64_t out = bench_allocate(bench, 65 * sizeof(int));
    bench_demand(device_fill(bench->device, out, 65 * sizeof(int), 0, 4), "fill");
    for (int i = 0; i < 2; i++) {
        log_launch(bench, "meet", (struct shape){64, 1, 0, true}, (const void *[]){&out});
        log_hash(bench, "met", out, 65 * sizeof(int));
    }
}

static void run_printf(struct bench *bench)
{
    for (int count = 0; count <= 40; count += 20) {
        log_launch(bench, "print_lines", (struct shape){1, 1, 0, false}, (const void *[]){&count});
    }
}

static void run_matmul(struct bench *bench)
{
    enum { HEIGHT = 64, INNER = 96, WIDTH = 112 };
    uint64_t a = random_array(bench, HEIGHT * INNER, true, 7);
    uint64_t b = random_array(bench, INNER * WIDTH, true, 8);
    uint64_t c = bench_allocate(bench, HEIGHT * WIDTH * sizeof(float));
    struct device_function_info info;
    uint32_t module = bench_load(bench, bench->matmul);
    struct device_launch request = {
        .module = module,
        .function = bench_find_kernel(bench, module, "matrixMulTiled", &info),
        .grid = {WIDTH / 16, HEIGHT / 16, 1},
        .block = {16, 16, 1},
        .parameters = (const uint64_t[]){a, b, c, INNER | (uint64_t)WIDTH << 32},
    };
    struct device_launch_result result;
    device_launch(bench->device, &request, &result);
    fprintf(bench->log, "matmul: status %d, findings %zu\n", (int)result.status,
            result.finding_count);
    log_hash(bench, "c", c, HEIGHT * WIDTH * sizeof(float));
}

static void run_snapshot(struct bench *bench)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t a = random_array(bench, 100000, false, 9);
    uint64_t b = random_array(bench, 999, false, 10);
    uint64_t out = bench_allocate(bench, 6 * sizeof(float));
    bench_demand(device_snapshot(bench->device, &diagnostic) == ERROR_NONE, diagnostic.message);
    for (int i = 0; i < 2; i++) {
        log_launch(bench, "use_variables", (struct shape){1, 1, 0, false}, (const void *[]){&out});
        log_hash(bench, "out", out, 6 * sizeof(float));
        bench_demand(device_fill(bench->device, a, 400000, 0, 1) &&
                         device_copy(bench->device, b, a, 999),
                     "changes");
        device_restore(bench->device);
        log_hash(bench, "a", a, 400000);
        log_hash(bench, "b", b, 999 * 4);
    }
    device_discard(bench->device);
    device_fill(bench->device, a, 400000, 1, 1);
    bench_demand(device_snapshot(bench->device, &diagnostic) == ERROR_NONE, diagnostic.message);
    device_fill(bench->device, a, 4, 2, 1);
    device_restore(bench->device);
    log_hash(bench, "a", a, 400000);
    device_discard(bench->device);
}

/* A store into the guards before and behind an allocation, which no GPU faults on. */
static void run_guards(struct bench *bench)
{
    static const long long offsets[] = {-1, -512, 1000, 1023, 999, 0};
    uint64_t bytes = bench_allocate(bench, 1000);
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        struct device_launch_result result =
            launch(bench, "store_byte", (struct shape){1, 1, 0, false},
                   (const void *[]){&bytes, &offsets[i]});
        fprintf(bench->log, "%lld: status %d, findings %zu", offsets[i], (int)result.status,
                result.finding_count);
        if (result.finding_count > 0) {
            const struct finding_record *finding = &result.findings[0];
            fprintf(bench->log,
                    ": kind %" PRIu32 ", distance %" PRId64 ", object %" PRIu64 ", at %" PRId64,
                    finding->kind, finding->distance_bytes, finding->object_bytes,
                    (int64_t)(finding->address - bytes));
        }
        fprintf(bench->log, "\n");
    }
}

void bench_log_refusals(struct bench *bench, uint64_t address)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t other = 0;
    uint32_t module = 0;
    uint8_t byte = 0;
    struct device_launch_result result =
        launch(bench, "no_parameters", (struct shape){1, 1, 0, false}, NULL);
    fprintf(bench->log, "after it: status %d, findings %zu, read %d, write %d, fill %d, copy %d\n",
            (int)result.status, result.finding_count, device_read(bench->device, address, &byte, 1),
            device_write(bench->device, address, &byte, 1),
            device_fill(bench->device, address, 1, 0, 1),
            device_copy(bench->device, address, address, 1));
    fprintf(bench->log, "allocate: %s; snapshot: %s; load: %s\n",
            error_text(device_allocate(bench->device, 16, &other, &diagnostic)),
            error_text(device_snapshot(bench->device, &diagnostic)),
            error_text(device_load_module(bench->device, bench->kernels, strlen(bench->kernels),
                                          &module, &diagnostic)));
}

static void run_death(struct bench *bench, const char *kernel, uint32_t threads,
                      const void *const *arguments, uint64_t address)
{
    struct device_launch_result result =
        launch(bench, kernel, (struct shape){1, threads, 0, false}, arguments);
    fprintf(bench->log, "status %d", (int)result.status);
    for (size_t i = 0; i < result.finding_count; i++) {
        const struct finding_record *finding = &result.findings[i];
        fprintf(bench->log, ", %s \"%s\" thread %" PRIu32, kind_word(finding->kind), finding->text,
                finding->places[0].thread[0]);
    }
    fprintf(bench->log, ", complains %d\n", result.complaint_bytes > 0);
    bench_log_refusals(bench, address);
}

static void run_out_of_bounds(struct bench *bench)
{
    uint64_t bytes = bench_allocate(bench, 4096);
    long long offset = 4096;
    run_death(bench, "store_byte", 1, (const void *[]){&bytes, &offset}, bytes);
}

static void run_null(struct bench *bench)
{
    uint64_t bytes = 0;
    long long offset = 8;
    run_death(bench, "store_byte", 1, (const void *[]){&bytes, &offset}, bench_allocate(bench, 16));
}

static void run_misaligned(struct bench *bench)
{
    uint64_t bytes = bench_allocate(bench, 4096);
    run_death(bench, "store_misaligned", 1, (const void *[]){&bytes}, bytes);
}

static void run_assert(struct bench *bench)
{
    int value = 0;
    run_death(bench, "check_value", 4, (const void *[]){&value}, bench_allocate(bench, 16));
}

static void run_trap(struct bench *bench)
{
    run_death(bench, "stop_here", 1, NULL, bench_allocate(bench, 16));
}

static void run_endless(struct bench *bench)
{
    uint64_t flag = bench_allocate(bench, 4);
    bench_demand(device_fill(bench->device, flag, 4, 0, 1), "fill");
    uint64_t started_ns = clock_now_ns();
    run_death(bench, "run_forever", 1, (const void *[]){&flag}, flag);
    uint64_t took_ms = (clock_now_ns() - started_ns) / CLOCK_NS_PER_MS;
    fprintf(bench->log, "in time %d\n", took_ms >= DEADLINE_MS && took_ms < DEADLINE_MS + 500);
}

static void run_occupancy(struct bench *bench)
{
    const struct gpu_model *model = cuda_model(bench->state);
    struct gpu_model known;
    struct diagnostic diagnostic = {.message = ""};
    struct device_function_info info;
    uint32_t function = bench_find_kernel(bench, bench->module, "sum_blocks", &info);
    uint32_t differ = 0;
    printf("        %s, %s, %" PRIu32 ".%" PRIu32 ", %" PRIu32 " multiprocessors\n",
           model->device_name, cuda_uuid(bench->state), model->compute_major, model->compute_minor,
           model->multiprocessors);
    for (uint32_t threads = 32; threads <= 1024; threads += 32) {
        struct occupancy_result result;
        /* 16 registers and fewer never are the limit */
        struct kernel_usage usage = {.registers = 16};
        uint64_t bytes = (uint64_t)threads * 40;
        uint32_t blocks = 0;
        bench_demand(
            cuda_active_blocks(bench->state, bench->module, function, threads, bytes, &blocks) &&
                occupancy_active_blocks(model, &usage, threads, bytes, &result, &diagnostic) ==
                    ERROR_NONE,
            "occupancy");
        differ += blocks != result.active_blocks;
    }
    fprintf(bench->log, "differ %" PRIu32 "\n", differ);
    if (gpu_model_find("H200", &known, &diagnostic) == ERROR_NONE &&
        strcmp(known.device_name, model->device_name) == 0) {
        known.global_memory_bytes = model->global_memory_bytes;
        memcpy(known.name, model->name, sizeof known.name);
        printf("        the table's H200 is this GPU: %s\n",
               memcmp(&known, model, sizeof known) == 0 ? "yes" : "no");
        printf("        memory %" PRIu64 ", clocks %" PRIu32 " and %" PRIu32 " kHz (table: %" PRIu32
               " and %" PRIu32 ")\n",
               model->global_memory_bytes, model->clock_khz, model->memory_clock_khz,
               known.clock_khz, known.memory_clock_khz);
    }
}

/* The machine code of ptxas in place of the driver's own assembler. */
static void run_cubin(struct bench *bench)
{
    struct diagnostic diagnostic = {.message = ""};
    if (bench->cubin == NULL) {
        fprintf(bench->log, "status 0\n");
        return;
    }
    FILE *file = fopen(bench->cubin, "re");
    bench_demand(file != NULL, bench->cubin);
    char *image = calloc(1, 4 << 20);
    size_t length = image == NULL ? 0 : fread(image, 1, 4 << 20, file);
    fclose(file);
    bench_demand(cuda_load_module(bench->state, bench->kernels, strlen(bench->kernels), image,
                                  length, &bench->module, &diagnostic) == ERROR_NONE,
                 diagnostic.message);
    free(image);
    uint64_t in = random_array(bench, 4096, false, 4);
    uint64_t out = bench_allocate(bench, 64);
    struct device_launch_result result = launch(
        bench, "sum_blocks", (struct shape){8, 512, 2048, false}, (const void *[]){&in, &out});
    fprintf(bench->log, "status %d\n", (int)result.status);
}

static double milliseconds_since(uint64_t started_ns)
{
    return (double)(clock_now_ns() - started_ns) / CLOCK_NS_PER_MS;
}

/* Prints what things take; asserts nothing. */
static void run_times(struct bench *bench)
{
    enum { LAUNCHES = 1000, ALLOCATIONS = 200 };
    struct diagnostic diagnostic = {.message = ""};
    uint64_t addresses[ALLOCATIONS];
    uint64_t started_ns = clock_now_ns();
    for (int i = 0; i < ALLOCATIONS; i++) {
        addresses[i] = bench_allocate(bench, 4096);
    }
    double allocated_ms = milliseconds_since(started_ns);
    started_ns = clock_now_ns();
    for (int i = 0; i < ALLOCATIONS; i++) {
        device_release(bench->device, addresses[i]);
    }
    printf("        an allocation: %.3f ms, its release %.3f ms\n", allocated_ms / ALLOCATIONS,
           milliseconds_since(started_ns) / ALLOCATIONS);
    bench_allocate(bench, 3 << 20);
    bench_allocate(bench, 5000);
    started_ns = clock_now_ns();
    for (int i = 0; i < LAUNCHES; i++) {
        launch(bench, "no_parameters", (struct shape){1, 32, 0, false}, NULL);
    }
    printf("        a launch, with its guards: %.4f ms\n",
           milliseconds_since(started_ns) / LAUNCHES);
    uint64_t large = bench_allocate(bench, UINT64_C(100) << 20);
    bench_demand(device_fill(bench->device, large, 4, 0, 1), "fill");
    started_ns = clock_now_ns();
    bench_demand(device_snapshot(bench->device, &diagnostic) == ERROR_NONE, diagnostic.message);
    double taken_ms = milliseconds_since(started_ns);
    started_ns = clock_now_ns();
    device_restore(bench->device);
    printf("        a snapshot of 108 MB: %.3f ms, restored %.3f ms\n", taken_ms,
           milliseconds_since(started_ns));
    device_discard(bench->device);
    fprintf(bench->log, "done\n");
}

static const struct scenario scenarios[] = {
    {"memory: allocate, find, fill, copy, release", run_memory, NULL},
    {"memory: the limit", run_limit, NULL},
    {"variables of a module", run_variables, NULL},
    {"kernels and their parameters, as described", run_descriptions, NULL},
    {"kernels: arithmetic, shared memory, bit for bit", run_kernels, NULL},
    {"kernels: a parameter block with holes, and none", run_parameters, NULL},
    {"kernels: a cooperative launch", run_cooperative, NULL},
    {"kernels: printf", run_printf, NULL},
    {"the solution of the matmul coursework, bit for bit", run_matmul, NULL},
    {"snapshot, restore, discard", run_snapshot, NULL},
    {"stores into guards", run_guards, NULL},
    {"a store past the end", run_out_of_bounds,
     "status 1, out of bounds \"\" thread 0, complains 0\n" REFUSED("1")},
    {"a store through null", run_null,
     "status 1, out of bounds \"\" thread 0, complains 0\n" REFUSED("1")},
    {"a misaligned store", run_misaligned,
     "status 1, misaligned \"\" thread 0, complains 0\n" REFUSED("1")},
    {"a failed assertion", run_assert,
     "status 1, assertion \"value > 0 || threadIdx.x != 2\" thread 2, complains 1\n" REFUSED("1")},
    {"a trap", run_trap,
     "status 1, trap \"CUDA_ERROR_LAUNCH_FAILED\" thread 0, complains 0\n" REFUSED("1")},
    {"an endless kernel", run_endless, "status 2, complains 0\n" REFUSED("2") "in time 1\n"},
    {"occupancy and properties", run_occupancy, "differ 0\n"},
    {"machine code of ptxas", run_cubin, "status 0\n"},
    {"times", run_times, "done\n"},
    {"timing: naive over tiled, and tiled over itself", timing_of_matmul, TIMING_OF_MATMUL},
    {"timing: wrong results are counted", timing_of_wrong, TIMING_OF_WRONG},
    {"timing: rounding is allowed for, and no more", timing_of_rounding, TIMING_OF_ROUNDING},
    {"timing: the grader's variables are put back", timing_of_vandal, TIMING_OF_VANDAL},
    {"timing: inputs that are overwritten are counted", timing_of_scribbling, TIMING_OF_SCRIBBLING},
    {"timing: the program's limits hold", timing_of_limits, TIMING_OF_LIMITS},
    {"timing: what is printed is dropped", timing_of_talking, TIMING_OF_TALKING},
    {"timing: data of each type", timing_of_types, TIMING_OF_TYPES},
    {"timing: a launch that never ends", timing_of_endless, TIMING_OF_ENDLESS},
    {"timing: a launch that faults", timing_of_stray, TIMING_OF_STRAY},
    {"timing: a launch that the driver refuses", timing_of_refused, TIMING_OF_REFUSED},
};

/* Runs a scenario in this process, which it ends. */
static void run_here(const struct scenario *scenario, const struct device_backend *backend,
                     struct bench *bench, int log_fd)
{
    struct device_config config = {
        .memory_limit_bytes = UINT64_C(1) << 28,
        /* the emulated device shares processors with whatever else runs: its time tells nothing */
        .launch_deadline_ns = backend == &device_cuda ? (uint64_t)DEADLINE_MS * CLOCK_NS_PER_MS
                                                      : SCENARIO_SECONDS * CLOCK_NS_PER_S,
        .threads = 2,
    };
    struct diagnostic diagnostic = {.message = ""};
    alarm(SCENARIO_SECONDS);
    bench_demand(gpu_model_find("H200", &config.model, &diagnostic) == ERROR_NONE,
                 diagnostic.message);
    uint64_t started_ns = clock_now_ns();
    bench_demand(device_open(backend, &config, &bench->device, &diagnostic) == ERROR_NONE,
                 diagnostic.message);
    if (backend == &device_cuda) {
        bench->state = device_state(bench->device);
        printf("        opened in %.0f ms\n", milliseconds_since(started_ns));
    }
    bench->module = bench_load(bench, bench->kernels);
    bench->log = fdopen(log_fd, "w");
    bench_demand(bench->log != NULL, "fdopen");
    scenario->run(bench);
    fclose(bench->log);
    device_close(bench->device);
    fflush(stdout);
    _exit(0);
}

/* Runs a scenario on a device; reads what it writes down. False if it did not come to an end. */
static bool run_apart(const struct scenario *scenario, const struct device_backend *backend,
                      struct bench *bench, char *out_transcript)
{
    int pipe_fds[2];
    size_t length = 0;
    int status = 0;
    fflush(stdout);
    bench_demand(pipe(pipe_fds) == 0, "pipe");
    pid_t child = fork();
    if (child == 0) {
        close(pipe_fds[0]);
        run_here(scenario, backend, bench, pipe_fds[1]);
    }
    close(pipe_fds[1]);
    for (;;) {
        ssize_t got = read(pipe_fds[0], out_transcript + length, TRANSCRIPT_BYTES - 1 - length);
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
    }
    out_transcript[length] = '\0';
    close(pipe_fds[0]);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Shows the lines in which two transcripts differ, up to the first that is missing. */
static void show_difference(const char *expected, const char *seen)
{
    while (*expected != '\0' || *seen != '\0') {
        size_t wanted = strcspn(expected, "\n");
        size_t got = strcspn(seen, "\n");
        if (wanted != got || memcmp(expected, seen, got) != 0) {
            printf("        expected %.*s\n", (int)wanted, expected);
            printf("        got      %.*s\n", (int)got, seen);
        }
        if (expected[wanted] == '\0' || seen[got] == '\0') {
            return;
        }
        expected += wanted + 1;
        seen += got + 1;
    }
}

static bool has_gpu(void)
{
    struct device_config config = {.memory_limit_bytes = 1 << 20};
    struct diagnostic diagnostic = {.message = ""};
    struct device *device = NULL;
    int status = 1;
    pid_t child = fork(); /* a process that has used the driver cannot fork */
    if (child == 0) {
        enum error error = device_open(&device_cuda, &config, &device, &diagnostic);
        if (error != ERROR_NONE) {
            printf("skipped the GPU: %s\n", diagnostic.message);
            fflush(stdout);
        }
        _exit(error != ERROR_NONE);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

int main(int argument_count, char **arguments)
{
    static char expected[TRANSCRIPT_BYTES];
    static char seen[TRANSCRIPT_BYTES];
    size_t failed = 0;
    size_t count = sizeof scenarios / sizeof scenarios[0];
    if (argument_count < 3 || argument_count > 4) {
        fprintf(stderr, "usage: %s KERNELS.ptx MATMUL.ptx [KERNELS.cubin]\n", arguments[0]);
        return 2;
    }
    if (!has_gpu()) {
        printf("0 passed, 0 failed, %zu skipped\n", count);
        return 77;
    }
    for (size_t i = 0; i < count; i++) {
        const struct scenario *scenario = &scenarios[i];
        struct bench bench = {.kernels = read_file(arguments[1]),
                              .matmul = read_file(arguments[2]),
                              .cubin = argument_count == 4 ? arguments[3] : NULL};
        bool has_ended = true;
        if (scenario->expected == NULL) {
            has_ended = run_apart(scenario, &device_emulated, &bench, expected);
        } else {
            snprintf(expected, sizeof expected, "%s", scenario->expected);
        }
        has_ended = run_apart(scenario, &device_cuda, &bench, seen) && has_ended;
        bool is_same = strcmp(expected, seen) == 0;
        printf("%s %s\n", has_ended && is_same ? "ok     " : "NOT OK ", scenario->name);
        if (!has_ended || !is_same) {
            show_difference(expected, seen);
            failed++;
        }
    }
    printf("%zu passed, %zu failed, 0 skipped\n", count - failed, failed);
    return failed != 0;
}
