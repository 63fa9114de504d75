/* fuzz_device_kernels.c: PTX that nobody meant, executed: valid kernels of the corpus, mutated line
 * by line and word by word.
 *
 * Whatever a kernel does, it must end soon, leave the host and the constants as they were, and give
 * findings and counts that can be sent; and the device must serve the next launch as if nothing had
 * been. So must a trace of it. Sanitizers watch the rest. Under libFuzzer the mutator below makes
 * the inputs; without it (corpus_main.c) each file of the corpus is followed by some mutants of it,
 * the same in each run.
 */
#include "device/device.h"
#include "device/emulated/emulated_device.h"
#include "wire/trace_record.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BUFFERS = 3,
    BUFFER_BYTES = 1024,
    PARAMETER_BYTES_MAX = 4096,
    LAUNCHES_MAX = 3,
    LINES_MAX = 2000,
    MUTANT_BYTES = 1 << 16,
    CORPUS_MUTANTS = 40,
    SHARED_BYTES = (1 << 20) + 512, /* static and dynamic, at most */
    TRIES_MAX = 100,
};

#define DEADLINE_NS UINT64_C(50000000)
#define LATEST_NS UINT64_C(60000000000) /* a sanitizer's build on a busy machine */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t capacity, unsigned seed);

static const char honest[] =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".const .align 4 .b8 constants[8] = {1, 2, 3, 4, 5, 6, 7, 8};\n"
    ".visible .entry square(.param .u64 out)\n"
    "{\n.reg .b32 %r<3>;\n.reg .b64 %rd<4>;\n.shared .align 4 .b8 tile[128];\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nmul.lo.u32 %r2, %r1, %r1;\nst.global.u32 [%rd3], %r2;\nret;\n}\n";

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* What the device says of a launch must be in the shape that is sent on. */
static void check_result(const struct device_launch_result *result)
{
    static uint8_t bytes[FINDING_RECORD_BYTES + COUNT_RECORD_BYTES];
    demand(result->status <= LAUNCH_UNSUPPORTED);
    for (size_t i = 0; i < result->finding_count; i++) {
        struct finding_record record;
        finding_record_pack(&result->findings[i], bytes);
        demand(finding_record_unpack(bytes, &record));
    }
    for (size_t i = 0; i < result->count_count; i++) {
        struct count_record record;
        count_record_pack(&result->counts[i], bytes);
        demand(count_record_unpack(bytes, &record));
    }
    volatile char last = result->printed_bytes > 0 ? result->printed[result->printed_bytes - 1] : 0;
    (void)last;
}

/* A trace of a block: what the device says of it must be in the shape that is sent on, too. */
static void trace_kernel(struct device *device, const struct device_launch *launch, uint64_t buffer)
{
    struct device_trace trace;
    demand(device_snapshot(device, NULL) == ERROR_NONE);
    uint64_t start = now_ns();
    demand(device_trace_block(device, launch, buffer, 4, &trace, NULL) == ERROR_NONE);
    demand(now_ns() - start < LATEST_NS);
    demand(trace.status <= LAUNCH_UNSUPPORTED && trace.record_count <= TRACE_RECORDS_MAX &&
           trace.place_count <= TRACE_PLACES_MAX && trace.block < 4);
    const uint8_t *bytes = trace.records;
    for (size_t i = 0; i < trace.record_count; i++, bytes += TRACE_RECORD_BYTES) {
        struct trace_record record;
        demand(trace_record_unpack(bytes, &record) && record.place < trace.place_count &&
               record.thread < 80);
        demand(record.space == TRACE_RECORD_SHARED
                   ? record.where < SHARED_BYTES
                   : record.where - DEVICE_WINDOW_START < DEVICE_WINDOW_BYTES);
    }
    device_restore(device);
    device_discard(device);
}

/* Parameters of 8 bytes are addresses of buffers, others small numbers. */
static void fill_parameters(const struct device_function_info *info, const uint64_t *buffers,
                            uint8_t *out_block)
{
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        const struct device_parameter *parameter = &info->parameters[i];
        uint64_t value = parameter->bytes == 8 ? buffers[i % BUFFERS] : 16 + i;
        size_t bytes = parameter->bytes < sizeof value ? parameter->bytes : sizeof value;
        memcpy(out_block + parameter->offset, &value, bytes);
    }
}

static void launch_kernel(struct device *device, uint32_t module, uint32_t function,
                          const uint64_t *buffers)
{
    static uint8_t block[PARAMETER_BYTES_MAX], copy[PARAMETER_BYTES_MAX];
    struct device_function_info info;
    struct device_launch_result result;
    struct device_launch launch = {
        .module = module,
        .function = function,
        .grid = {2, 1, 2},
        .block = {40, 2, 1},
        .dynamic_shared_bytes = 200,
        .parameters = block,
    };
    demand(device_function_info(device, module, function, &info));
    if (info.parameter_bytes > sizeof block) {
        return;
    }
    memset(block, 0, sizeof block);
    fill_parameters(&info, buffers, block);
    memcpy(copy, block, sizeof copy);
    uint64_t start = now_ns();
    device_launch(device, &launch, &result);
    demand(now_ns() - start < LATEST_NS);
    demand(memcmp(block, copy, sizeof copy) == 0);
    check_result(&result);
    if (function == 0) {
        trace_kernel(device, &launch, buffers[0]);
    }
}

/* The device still does what it should, and the constants are what they were. */
static void check_device(struct device *device, uint32_t module, uint64_t buffer)
{
    static const uint8_t expected[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t constants[8];
    uint32_t squares[32];
    struct device_allocation variable, allocation;
    struct device_launch_result result;
    struct device_launch launch = {
        .module = module, .grid = {1, 1, 1}, .block = {32, 1, 1}, .parameters = &buffer};
    demand(device_variable(device, module, "constants", &variable));
    demand(device_read(device, variable.address, constants, sizeof constants));
    demand(memcmp(constants, expected, sizeof expected) == 0);
    demand(device_find(device, buffer, &allocation) && allocation.address == buffer &&
           allocation.bytes == BUFFER_BYTES);
    /* A busy machine may hold up even this one beyond its deadline. */
    for (int tries = 0; tries == 0 || (tries < TRIES_MAX && result.status == LAUNCH_DEADLINE);
         tries++) {
        device_launch(device, &launch, &result);
    }
    demand(result.status == LAUNCH_DONE && result.finding_count == 0);
    demand(device_read(device, buffer, squares, sizeof squares));
    for (uint32_t i = 0; i < 32; i++) {
        demand(squares[i] == i * i);
    }
}

static void run_text(const char *text, size_t length)
{
    uint32_t mix = (uint32_t)length;
    for (size_t i = 0; i < length; i++) {
        mix = mix * 31 + (uint8_t)text[i];
    }
    const struct device_config config = {
        .model = {.multiprocessors = 2, .max_blocks_per_multiprocessor = 16},
        .memory_limit_bytes = 1 << 20,
        .launch_deadline_ns = DEADLINE_NS,
        .threads = 1 + mix % 2,
        .shuffle_seed = mix / 2 % 3,
        .checks_global_races = mix / 8 % 2 == 1,
        .checks_unwritten = mix / 8 % 2 == 1,
    };
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    uint64_t buffers[BUFFERS];
    uint32_t honest_module, module;
    demand(device_open(&device_emulated, &config, &device, &diagnostic) == ERROR_NONE);
    demand(device_load_module(device, honest, strlen(honest), &honest_module, &diagnostic) ==
           ERROR_NONE);
    for (size_t i = 0; i < BUFFERS; i++) {
        demand(device_allocate(device, BUFFER_BYTES, &buffers[i], &diagnostic) == ERROR_NONE);
        demand(device_fill(device, buffers[i], BUFFER_BYTES, 7, 4));
    }
    if (device_load_module(device, text, length, &module, &diagnostic) == ERROR_NONE) {
        size_t count = device_function_count(device, module);
        for (uint32_t i = 0; i < count && i < LAUNCHES_MAX; i++) {
            launch_kernel(device, module, i, buffers);
            check_device(device, honest_module, buffers[0]);
        }
    }
    device_close(device);
}

/* A piece of a text. */
struct piece {
    const char *start;
    size_t length;
};

struct mutation {
    uint32_t random;
    struct piece lines[LINES_MAX];
    size_t line_count;
};

static void split_lines(struct mutation *mutation, const char *text, size_t length)
{
    mutation->line_count = 0;
    while (length > 0 && mutation->line_count < LINES_MAX) {
        const char *end = memchr(text, '\n', length);
        size_t line = end == NULL ? length : (size_t)(end - text) + 1;
        mutation->lines[mutation->line_count++] = (struct piece){text, line};
        text += line;
        length -= line;
    }
}

/* One of the words of a line: up to blanks, commas, brackets and the like. */
static struct piece choose_word(struct mutation *mutation, struct piece line)
{
    static const char between[] = " \t,;[]{}()\n";
    struct piece words[32];
    size_t count = 0;
    size_t i = 0;
    while (i < line.length && count < 32) {
        size_t start = i;
        while (i < line.length && memchr(between, line.start[i], sizeof between - 1) == NULL) {
            i++;
        }
        if (i > start) {
            words[count++] = (struct piece){line.start + start, i - start};
        }
        i++;
    }
    if (count == 0) {
        return (struct piece){line.start, 0};
    }
    return words[next_random(&mutation->random) % count];
}

static struct piece choose_line(struct mutation *mutation)
{
    return mutation->lines[next_random(&mutation->random) % mutation->line_count];
}

/* A word for another one: from anywhere in the text, or a number that is often a block width. */
static struct piece choose_replacement(struct mutation *mutation)
{
    static const char *const numbers[] = {"0",    "1",          "-1",         "31",
                                          "32",   "64",         "255",        "4096",
                                          "1023", "2147483647", "4294967295", "0x7fffffffffffffff"};
    uint32_t choice = next_random(&mutation->random) % 16;
    if (choice < sizeof numbers / sizeof numbers[0]) {
        return (struct piece){numbers[choice], strlen(numbers[choice])};
    }
    return choose_word(mutation, choose_line(mutation));
}

struct output {
    char *bytes;
    size_t length, capacity;
};

static void put(struct output *output, struct piece piece)
{
    if (piece.length <= output->capacity - output->length) {
        memcpy(output->bytes + output->length, piece.start, piece.length);
        output->length += piece.length;
    }
}

/* Writes one line, or something in its place. */
static void put_changed(struct mutation *mutation, struct output *output, struct piece line)
{
    struct piece word = choose_word(mutation, line);
    switch (next_random(&mutation->random) % 8) {
    case 0:
        return; /* left out */
    case 1:
        put(output, line);
        put(output, line);
        return;
    case 2:
        put(output, choose_line(mutation));
        return;
    case 3:
        put(output, choose_line(mutation));
        put(output, line);
        return;
    default:
        put(output, (struct piece){line.start, (size_t)(word.start - line.start)});
        put(output, next_random(&mutation->random) % 4 == 0 ? choose_word(mutation, line)
                                                            : choose_replacement(mutation));
        word.start += word.length;
        put(output, (struct piece){word.start, line.length - (size_t)(word.start - line.start)});
        return;
    }
}

/* Changes one to four lines of a text; returns the length of the mutant. */
static size_t mutate(const char *text, size_t length, uint32_t seed, char *out, size_t capacity)
{
    static struct mutation mutation;
    struct output output = {out, 0, capacity};
    mutation.random = seed * 2654435761u + 12345u;
    split_lines(&mutation, text, length);
    if (mutation.line_count == 0) {
        return 0;
    }
    size_t changes[4];
    size_t change_count = 1 + next_random(&mutation.random) % 4;
    for (size_t i = 0; i < change_count; i++) {
        changes[i] = next_random(&mutation.random) % mutation.line_count;
    }
    for (size_t line = 0; line < mutation.line_count; line++) {
        bool is_changed = false;
        for (size_t i = 0; i < change_count; i++) {
            is_changed |= changes[i] == line;
        }
        if (is_changed) {
            put_changed(&mutation, &output, mutation.lines[line]);
        } else {
            put(&output, mutation.lines[line]);
        }
    }
    return output.length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t capacity, unsigned seed)
{
    static char mutant[MUTANT_BYTES];
    size_t mutant_length = mutate((const char *)bytes, length, seed, mutant,
                                  capacity < sizeof mutant ? capacity : sizeof mutant);
    memcpy(bytes, mutant, mutant_length);
    return mutant_length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length > MUTANT_BYTES) {
        return 0;
    }
    char *text = malloc(length > 0 ? length : 1); /* exact, so that a sanitizer sees its end */
    demand(text != NULL);
    memcpy(text, bytes, length);
    run_text(text, length);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    static char mutant[MUTANT_BYTES];
    for (uint32_t seed = 1; seed <= CORPUS_MUTANTS; seed++) {
        size_t mutant_length = mutate(text, length, seed, mutant, sizeof mutant);
        run_text(mutant, mutant_length);
    }
#endif
    free(text);
    return 0;
}
