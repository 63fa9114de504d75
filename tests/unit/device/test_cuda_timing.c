/* test_cuda_timing.c: timing on the cuda backend, on a driver library that imitates one
 * (fake_libcuda.c): its kernels last as long as their names say, and what they and the grader's own
 * kernels compute is real. tests/gpu/backend_on_gpu.c is the test on a GPU.
 */
#include "base/clock.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/gpu_watchdog.h"
#include "device/device.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define FAKE_LIBRARY GPUGRADE_BINARY_DIR "/tests/unit/libcuda_fake.so"
#define ENTRY(name)                                                                                \
    ".visible .entry " name "(.param .u64 a, .param .u64 b, .param .u64 n)\n{\nret;\n}\n"
#define ENTRY_ASIDE(name)                                                                          \
    ".visible .entry " name                                                                        \
    "(.param .u64 a, .param .u64 b, .param .u64 n, .param .u64 aside)\n{\nret;\n}\n"
#define HEADER ".version 9.0\n.target sm_75\n.address_size 64\n"

/* Of the program that is graded, and the grader's own. */
static const char program_text[] = HEADER ".global .align 4 .b8 counters[64];\n" ENTRY("scale_100")
    ENTRY("scale_150") ENTRY("faulty_100") ENTRY("rough_100") ENTRY("nan_100") ENTRY("idle_1")
        ENTRY("idlethird_100") ENTRY("idleafter_100") ENTRY_ASIDE("vandal_100") ENTRY("stray_100")
            ENTRY("scribble_100") ENTRY("late_100") ENTRY("endless_100") ENTRY("fault_700")
                ENTRY("refused_1") ENTRY("stuck_100");
static const char own_text[] = HEADER ".global .align 4 .b8 counters[64];\n" ENTRY("scale_200")
    ENTRY("scale_120") ENTRY_ASIDE("tuned_120");
static const char constant_text[] = HEADER ".const .align 4 .b8 counters[64];\n" ENTRY("scale_130");

enum { JUDGED, REFERENCE, BASELINE, ELEMENTS = 1000 };

struct bench {
    void *state;
    uint32_t program, own;
    uint64_t in, out;
    uint64_t counter; /* a third operand, mostly of one number; 0: none */
    struct timing_request request;
    struct device_limits limits;
    struct device_timing_result result;
};

static uint64_t allocate(void *state, uint64_t bytes)
{
    struct diagnostic diagnostic = {.message = ""};
    uint64_t address = 0;
    if (device_cuda.allocate(state, bytes, &address, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return address;
}

static uint32_t load(void *state, const char *text)
{
    struct diagnostic diagnostic = {.message = ""};
    uint32_t module = 0;
    if (device_cuda.load_module(state, text, strlen(text), &module, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return module;
}

/* Makes a kernel of a module a contender on the bench's operands. */
static void contend(struct bench *bench, uint32_t index, uint32_t module, const char *kernel)
{
    struct timing_contender *contender = &bench->request.contenders[index];
    uint64_t words[3] = {bench->in, bench->out, ELEMENTS};
    struct device_function_info info;
    uint32_t function = 0;
    while (device_cuda.function_info(bench->state, module, function, &info) &&
           strcmp(info.name, kernel) != 0) {
        function++;
    }
    const struct timing_step step = {.module = module,
                                     .function = function,
                                     .grid = {1, 2, 3},
                                     .block = {32, 1, 1},
                                     .parameter_bytes = sizeof words};
    *contender = (struct timing_contender){.addresses = {bench->in, bench->out, bench->counter}};
    assert_true(timing_add_launch(contender, &step, words));
}

/* Adds a fourth parameter. */
static void add_aside(struct timing_contender *contender, uint64_t aside)
{
    memcpy(contender->parameters + contender->parameter_bytes, &aside, sizeof aside);
    contender->parameter_bytes += sizeof aside;
    contender->steps[0].parameter_bytes += sizeof aside;
}

static int setup_with(void **out_bench, uint64_t deadline_ns)
{
    static struct bench bench;
    struct device_config config = {.memory_limit_bytes = 32 << 20,
                                   .launch_deadline_ns = deadline_ns};
    struct diagnostic diagnostic = {.message = ""};
    bench = (struct bench){.state = NULL};
    if (cuda_open(FAKE_LIBRARY, &config, &bench.state, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    bench.program = load(bench.state, program_text);
    bench.own = load(bench.state, own_text);
    bench.in = allocate(bench.state, ELEMENTS * sizeof(float));
    bench.out = allocate(bench.state, ELEMENTS * sizeof(float));
    bench.request = (struct timing_request){
        .seed = 0x1234,
        .block_count = 4,
        .launches_per_span = 3,
        .judged = JUDGED,
        .reference = REFERENCE,
        .baseline = BASELINE,
        .operands = {{.type = TIMING_F32, .elements = ELEMENTS},
                     {.type = TIMING_F32, .is_output = true, .elements = ELEMENTS}},
        .operand_count = 2,
        .contender_count = 3,
    };
    contend(&bench, JUDGED, bench.program, "scale_100");
    contend(&bench, REFERENCE, bench.own, "scale_120");
    contend(&bench, BASELINE, bench.own, "scale_200");
    *out_bench = &bench;
    return 0;
}

static int setup(void **out_bench)
{
    return setup_with(out_bench, 60 * CLOCK_NS_PER_S);
}

static int setup_with_little_time(void **out_bench)
{
    return setup_with(out_bench, 50 * CLOCK_NS_PER_MS);
}

static int teardown(void **bench)
{
    device_cuda.close(((struct bench *)*bench)->state);
    return 0;
}

static void run(struct bench *bench)
{
    struct diagnostic diagnostic = {.message = ""};
    if (device_cuda.time(bench->state, &bench->request, &bench->limits, &bench->result,
                         &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
}

/* Runs with another judged kernel; how many elements were wrong in all, in `out_spans` spans. */
static uint64_t judge(struct bench *bench, const char *kernel, size_t *out_spans)
{
    uint64_t wrong = 0;
    contend(bench, JUDGED, bench->program, kernel);
    run(bench);
    assert_int_equal(bench->result.status, LAUNCH_DONE);
    *out_spans = 0;
    for (size_t i = 0; i < bench->result.sample_count; i++) {
        const struct timing_sample *sample = &bench->result.samples[i];
        assert_int_equal(sample->is_compared, sample->contender == JUDGED);
        assert_true((sample->wrong == 0) == (sample->first_wrong == UINT64_MAX));
        *out_spans += sample->wrong != 0;
        wrong += sample->wrong;
    }
    return wrong;
}

/* What the fake library has launched; it stays open. */
static const char *launches(void)
{
    void *library = dlopen(FAKE_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
    const char *(*told)(void) = NULL;
    *(void **)&told = library == NULL ? NULL : dlsym(library, "fake_launches");
    assert_non_null(told);
    dlclose(library);
    return told();
}

static void spans_are_timed_counterbalanced(void **opened)
{
    static const double us[] = {100, 120, 200};
    struct bench *bench = *opened;
    bool are_orders_equal = true;
    run(bench);
    const struct timing_sample *samples = bench->result.samples;
    assert_int_equal(bench->result.status, LAUNCH_DONE);
    assert_int_equal(bench->result.finding_count, 0);
    assert_int_equal(bench->result.sample_count, 4 * 6);
    for (size_t i = 0; i < 24; i++) {
        const struct timing_sample *sample = &samples[i];
        const struct timing_sample *mirrored = &samples[i / 6 * 6 + 5 - i % 6];
        assert_int_equal(sample->block, i / 6);
        assert_int_equal(sample->position, i % 6);
        assert_int_equal(sample->contender, mirrored->contender);
        assert_true(sample->nanoseconds > 3000 * us[sample->contender] - 1 &&
                    sample->nanoseconds < 3000 * us[sample->contender] + 1);
        assert_true(sample->clock_mhz > 1490 && sample->clock_mhz < 1510);
        are_orders_equal = are_orders_equal && sample->contender == samples[i % 6].contender;
    }
    for (size_t i = 0; i < 24; i += 6) {
        assert_int_equal(samples[i].contender + samples[i + 1].contender + samples[i + 2].contender,
                         JUDGED + REFERENCE + BASELINE);
        assert_int_not_equal(samples[i].contender, samples[i + 1].contender);
        assert_int_not_equal(samples[i].contender, samples[i + 2].contender);
    }
    assert_false(are_orders_equal);
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Every launch that is not one of a comparison has data of its own; a comparison fills twice: for
 * the reference, and to see whether the inputs are what they were. */
static void no_two_launches_have_the_same_data(void **opened)
{
    enum { SEEDS = 1000 };
    struct bench *bench = *opened;
    static uint64_t seeds[SEEDS];
    size_t count = 0, distinct = 0;
    run(bench);
    run(bench); /* the same request: the same data, but the warm-up */
    bench->request.seed++;
    run(bench);
    for (const char *line = launches(); *line != '\0'; line = strchr(line, '\n') + 1) {
        uint64_t words[5];
        if (sscanf(line, "gpugrade_fill %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
                   &words[0], &words[1], &words[2], &words[3], &words[4]) == 5) {
            assert_true(count < SEEDS && words[1] == ELEMENTS && words[4] == 0);
            seeds[count++] = words[2];
        }
    }
    assert_int_equal(count, 3 + 3 * (4 * 6 * 3 + 4 * 2 * 2));
    qsort(seeds, count, sizeof *seeds, compare_numbers);
    for (size_t i = 0; i < count; i++) {
        distinct += i == 0 || seeds[i] != seeds[i - 1];
    }
    assert_int_equal(distinct, 3 + 2 * 4 * 6 * 3);
}

static void wrong_elements_are_counted(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    assert_int_equal(judge(bench, "scale_150", &spans), 0);
    assert_int_equal(judge(bench, "faulty_100", &spans), 8 * 2);
    assert_int_equal(spans, 8);
    for (size_t i = 0; i < bench->result.sample_count; i++) {
        assert_true(!bench->result.samples[i].is_compared ||
                    bench->result.samples[i].first_wrong == 5);
    }
    assert_int_equal(judge(bench, "rough_100", &spans), 8 * ELEMENTS);
    assert_int_equal(judge(bench, "nan_100", &spans), 8);
    assert_int_equal(judge(bench, "idle_1", &spans), 8 * ELEMENTS);
    /* what an earlier launch left is not there */
    assert_null(strstr(launches(), "unpoisoned"));
}

/* Elements of its inputs that a judged kernel changed, in all. */
static uint64_t changed(const struct bench *bench)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bench->result.sample_count; i++) {
        assert_true(bench->result.samples[i].is_compared || bench->result.samples[i].changed == 0);
        sum += bench->result.samples[i].changed;
    }
    return sum;
}

static void changed_inputs_are_counted(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    assert_int_equal(judge(bench, "scale_150", &spans), 0);
    assert_int_equal(changed(bench), 0);
    /* the result is right: it was computed before */
    assert_int_equal(judge(bench, "scribble_100", &spans), 0);
    assert_int_equal(changed(bench), 8 * 2);
    bench->request.operands[1].comparison = TIMING_MAGNITUDES;
    bench->request.operands[1].tolerance = 32;
    assert_int_equal(judge(bench, "scribble_100", &spans), 0);
    assert_int_equal(changed(bench), 8 * 2);
}

/* The host is held up while the judged kernel is enqueued, so that the gate may have opened. */
static void delayed_spans_are_marked(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    bench->request.block_count = 2;
    bench->request.launches_per_span = 1;
    judge(bench, "late_100", &spans);
    for (size_t i = 0; i < bench->result.sample_count; i++) {
        const struct timing_sample *sample = &bench->result.samples[i];
        assert_true(sample->is_delayed || sample->contender != JUDGED);
    }
    size_t delayed = SIZE_MAX;
    for (int tries = 0; tries < 1000 && delayed > 0;
         tries++) { /* the machine may hold it up, too */
        judge(bench, "scale_150", &spans);
        delayed = 0;
        for (size_t i = 0; i < bench->result.sample_count; i++) {
            delayed += bench->result.samples[i].is_delayed;
        }
    }
    assert_int_equal(delayed, 0);
}

static void limits_reach_timed_launches(void **opened)
{
    struct bench *bench = *opened;
    run(bench);
    assert_null(strstr(launches(), "limit"));
    bench->limits = (struct device_limits){.stack_bytes = 4096, .heap_bytes = 32 << 20};
    run(bench);
    const char *stack = strstr(launches(), "limit 0 1000\n"), *heap = NULL;
    assert_non_null(stack);
    heap = strstr(stack, "limit 2 2000000\n");
    assert_non_null(heap);
    assert_non_null(strstr(heap, "scale_100")); /* before anything is timed */
    assert_null(strstr(launches(), "limit 1"));
    run(bench);
    assert_null(strstr(heap + 1, "limit")); /* the driver keeps them */
}

static void magnitudes_allow_for_rounding(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    bench->request.operands[1].comparison = TIMING_MAGNITUDES;
    bench->request.operands[1].tolerance = 32;
    assert_int_equal(judge(bench, "rough_100", &spans), 0);
    assert_int_equal(judge(bench, "faulty_100", &spans), 8 * 2);
    assert_int_equal(judge(bench, "nan_100", &spans), 8);
    assert_int_equal(judge(bench, "idle_1", &spans), 8 * ELEMENTS);
    bench->request.operands[1].tolerance = 8;
    assert_int_equal(judge(bench, "rough_100", &spans), 8 * ELEMENTS);
    assert_int_equal(judge(bench, "scale_150", &spans), 0);
}

/* A share of the elements may differ; closely compared, each may differ by a part of it. */
static void rules_may_be_looser(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    bench->request.operands[1].share = 1.9 / ELEMENTS;
    assert_int_equal(judge(bench, "faulty_100", &spans), 8 * 2);
    bench->request.operands[1].share = 2.0 / ELEMENTS;
    assert_int_equal(judge(bench, "faulty_100", &spans), 0);
    assert_int_equal(judge(bench, "idle_1", &spans), 8 * ELEMENTS);
    bench->request.operands[1].share = 0;
    bench->request.operands[1].comparison = TIMING_CLOSE;
    bench->request.operands[1].tolerance = 0x1p-19;
    assert_int_equal(judge(bench, "rough_100", &spans), 0);
    assert_int_equal(judge(bench, "faulty_100", &spans), 8 * 2);
    assert_int_equal(judge(bench, "nan_100", &spans), 8);
    bench->request.operands[1].tolerance = 0x1p-21;
    assert_int_equal(judge(bench, "rough_100", &spans), 8 * ELEMENTS);
}

/* Inputs that are copies are the same in each launch, and not poisoned by anybody. */
static void inputs_may_be_copies(void **opened)
{
    static float values[ELEMENTS], seen[ELEMENTS];
    struct bench *bench = *opened;
    size_t spans;
    for (size_t i = 0; i < ELEMENTS; i++) {
        values[i] = (float)i;
    }
    uint64_t data = allocate(bench->state, sizeof values);
    assert_true(device_cuda.write(bench->state, data, values, sizeof values));
    bench->request.operands[0].copy_of = data;
    bench->request.operands[0].copy_of_absolute = data;
    assert_int_equal(judge(bench, "scale_100", &spans), 0);
    assert_int_equal(changed(bench), 0);
    assert_true(device_cuda.read(bench->state, bench->in, seen, sizeof seen));
    assert_memory_equal(seen, values, sizeof values);
    assert_int_equal(judge(bench, "scribble_100", &spans), 0);
    assert_int_equal(changed(bench), 8 * 2);
    assert_int_equal(judge(bench, "idle_1", &spans), 8 * ELEMENTS);
}

/* An input of halves is drawn for each launch, and holds nothing past its end. */
static void inputs_may_be_halves(void **opened)
{
    uint16_t seen[ELEMENTS + 1] = {0}, before[ELEMENTS + 1];
    struct bench *bench = *opened;
    size_t spans;
    bench->counter = allocate(bench->state, sizeof seen);
    bench->request.operands[2] = (struct timing_operand){.type = TIMING_F16, .elements = ELEMENTS};
    bench->request.operand_count = 3;
    for (uint32_t i = 0; i < 3; i++) {
        bench->request.contenders[i].addresses[2] = bench->counter;
    }
    assert_true(device_cuda.write(bench->state, bench->counter, seen, sizeof seen));
    for (int i = 0; i < 2; i++) {
        memcpy(before, seen, sizeof seen);
        bench->request.seed++;
        assert_int_equal(judge(bench, "scale_100", &spans), 0);
        assert_int_equal(changed(bench), 0);
        assert_true(device_cuda.read(bench->state, bench->counter, seen, sizeof seen));
        assert_memory_not_equal(seen, before, ELEMENTS * sizeof *seen);
        assert_int_equal(seen[ELEMENTS], 0);
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_true((seen[i] & 0x7fff) < 0x3c00); /* below 1 */
    }
}

/* Only the elements count that the reference's counter says. */
static void elements_may_be_counted(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    const uint32_t count = 5;
    uint64_t data = allocate(bench->state, 4);
    bench->counter = allocate(bench->state, 4);
    bench->request.operands[2] = (struct timing_operand){.type = TIMING_U32,
                                                         .is_output = true,
                                                         .is_in_place = true,
                                                         .elements = 1,
                                                         .copy_of = data,
                                                         .copy_of_absolute = data};
    bench->request.operand_count = 3;
    assert_true(device_cuda.write(bench->state, data, &count, sizeof count));
    for (size_t i = 0; i < 3; i++) {
        bench->request.contenders[i].addresses[2] = bench->counter;
    }
    assert_int_equal(judge(bench, "faulty_100", &spans), 8 * 2);
    bench->request.operands[1].counter = 3;
    assert_int_equal(judge(bench, "faulty_100", &spans), 0); /* elements 5 and 17 */
    assert_int_equal(judge(bench, "idle_1", &spans), 8 * 5);
}

static void any_launch_of_a_span_may_be_compared(void **opened)
{
    struct bench *bench = *opened;
    size_t spans;
    bench->request.block_count = 16;
    judge(bench, "idlethird_100", &spans); /* after a warm-up: the first of each three */
    assert_true(spans > 2 && spans < 25);
    assert_true(judge(bench, "idleafter_100", &spans) == 32 * ELEMENTS);
}

static void several_outputs_are_numbered_through(void **opened)
{
    struct bench *bench = *opened;
    uint64_t other = allocate(bench->state, 4096);
    bench->request.operands[2] = bench->request.operands[1];
    bench->request.operands[1] =
        (struct timing_operand){.type = TIMING_I32, .is_output = true, .elements = 100};
    bench->request.operand_count = 3;
    for (size_t i = 0; i < 3; i++) {
        contend(bench, (uint32_t)i, i == JUDGED ? bench->program : bench->own,
                i == JUDGED ? "faulty_100" : "scale_120");
    }
    for (size_t i = 0; i < 3; i++) { /* nobody writes to the other output */
        bench->request.contenders[i].addresses[1] = other;
        bench->request.contenders[i].addresses[2] = bench->out;
    }
    run(bench);
    for (size_t i = 0; i < bench->result.sample_count; i++) {
        const struct timing_sample *sample = &bench->result.samples[i];
        assert_true(!sample->is_compared || (sample->wrong == 2 && sample->first_wrong == 105));
    }
}

static void trusted_variables_are_put_back(void **opened)
{
    struct bench *bench = *opened;
    struct device_allocation variable, other;
    uint8_t bytes[2] = {1, 0};
    assert_true(device_cuda.variable(bench->state, bench->own, "counters", &variable));
    assert_true(device_cuda.variable(bench->state, bench->program, "counters", &other));
    assert_int_not_equal(variable.address, other.address);
    assert_true(device_cuda.write(bench->state, variable.address + 9, bytes, 1));
    contend(bench, JUDGED, bench->program, "vandal_100");
    contend(bench, REFERENCE, bench->own, "tuned_120");
    add_aside(&bench->request.contenders[JUDGED], variable.address + 9);
    add_aside(&bench->request.contenders[REFERENCE], variable.address + 9);
    for (int i = 0; i < 2; i++) {
        run(bench);
        assert_int_equal(bench->result.sample_count, 24);
        for (size_t k = 0; k < 24; k++) {
            assert_int_equal(bench->result.samples[k].wrong, 0);
        }
        assert_true(device_cuda.read(bench->state, variable.address + 9, bytes, 2));
        assert_memory_equal(bytes, "\1\13", 2);
    }
    /* those of the program are its own */
    add_aside(&bench->request.contenders[JUDGED], 0);
    contend(bench, JUDGED, bench->program, "vandal_100");
    add_aside(&bench->request.contenders[JUDGED], other.address + 9);
    run(bench);
    assert_true(device_cuda.read(bench->state, other.address + 9, bytes, 1));
    assert_int_equal(bytes[0], 77);
}

static void inputs_may_be_constants(void **opened)
{
    struct bench *bench = *opened;
    struct device_allocation constant;
    uint64_t few = 16;
    uint32_t module = load(bench->state, constant_text);
    assert_true(device_cuda.variable(bench->state, module, "counters", &constant));
    assert_true(constant.is_constant);
    contend(bench, REFERENCE, module, "scale_130");
    bench->request.operands[0].elements = bench->request.operands[1].elements = few;
    for (size_t i = 0; i < 3; i++) {
        memcpy(bench->request.contenders[i].parameters + 16, &few, sizeof few);
    }
    memcpy(bench->request.contenders[REFERENCE].parameters, &constant.address, 8);
    bench->request.contenders[REFERENCE].addresses[0] = constant.address;
    run(bench);
    assert_int_equal(bench->result.sample_count, 24);
    for (size_t i = 0; i < 24; i++) {
        assert_int_equal(bench->result.samples[i].wrong, 0);
    }
    contend(bench, JUDGED, module, "scale_130");
    memcpy(bench->request.contenders[JUDGED].parameters + 16, &few, sizeof few);
    memcpy(bench->request.contenders[JUDGED].parameters, &constant.address, 8);
    bench->request.contenders[JUDGED].addresses[0] = constant.address;
    run(bench);
    assert_int_equal(bench->result.sample_count, 24);
    assert_int_equal(changed(bench), 0);
    bench->request.contenders[JUDGED].addresses[1] = constant.address;
    struct diagnostic diagnostic = {.message = ""};
    assert_int_equal(device_cuda.time(bench->state, &bench->request, &bench->limits, &bench->result,
                                      &diagnostic),
                     ERROR_RANGE);
    assert_non_null(strstr(diagnostic.message, "an output in constant memory"));
}

static void nothing_is_left_behind(void **opened)
{
    struct bench *bench = *opened;
    uint32_t out[ELEMENTS];
    run(bench);
    assert_true(device_cuda.read(bench->state, bench->out, out, sizeof out));
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_int_equal(out[i], 0x7ff87ff8);
    }
    for (int i = 0; i < 40; i++) { /* nor memory */
        run(bench);
    }
    allocate(bench->state, 27 << 20);
    allocate(bench->state, 4 << 20);
}

static void stores_into_guards_are_findings(void **opened)
{
    struct bench *bench = *opened;
    contend(bench, JUDGED, bench->program, "stray_100");
    run(bench);
    assert_int_equal(bench->result.status, LAUNCH_DONE);
    assert_int_equal(bench->result.finding_count, 1);
    const struct finding_record *finding = &bench->result.findings[0];
    assert_int_equal(finding->kind, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(finding->distance_bytes, 0);
    assert_int_equal(finding->module, bench->program);
    assert_int_equal(finding->function, bench->request.contenders[JUDGED].steps[0].function);
}

static void a_contender_that_fails_ends_the_timing(void **unused)
{
    static const struct {
        const char *kernel;
        enum launch_status status;
        size_t findings;
        enum finding_record_kind kind;
    } rows[] = {{"endless_100", LAUNCH_DEADLINE, 0, 0},
                {"fault_700", LAUNCH_FAULT, 1, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS},
                {"refused_1", LAUNCH_UNSUPPORTED, 1, FINDING_RECORD_LAUNCH_REFUSED}};
    (void)unused;
    for (uint32_t i = 0; i < 6; i++) {
        void *opened;
        setup_with_little_time(&opened);
        struct bench *bench = opened;
        uint32_t failing = i < 3 ? JUDGED : BASELINE;
        contend(bench, failing, bench->program, rows[i % 3].kernel);
        run(bench);
        assert_int_equal(bench->result.status, rows[i % 3].status);
        assert_int_equal(bench->result.contender, failing);
        assert_int_equal(bench->result.sample_count, 0);
        assert_int_equal(bench->result.finding_count, rows[i % 3].findings);
        if (rows[i % 3].findings > 0) {
            assert_int_equal(bench->result.findings[0].kind, rows[i % 3].kind);
        }
        contend(bench, failing, bench->own, "scale_120");
        run(bench);
        bool is_alive = rows[i % 3].status == LAUNCH_UNSUPPORTED;
        assert_int_equal(bench->result.status, is_alive ? LAUNCH_DONE : rows[i % 3].status);
        assert_int_equal(bench->result.sample_count, is_alive ? 24 : 0);
        teardown(&opened);
    }
}

/* A change to a good request that makes it a bad one. */
struct bad_row {
    size_t offset;
    uint64_t value; /* of 4 bytes, or of 8 */
    size_t bytes;
    const char *message;
};

#define BAD(field, number, text)                                                                   \
    {                                                                                              \
        offsetof(struct timing_request, field), number,                                            \
            sizeof(((struct timing_request *)NULL)->field), text                                   \
    }

static void bad_requests_are_refused(void **opened)
{
    static const struct bad_row rows[] = {
        BAD(block_count, 0, "out of range"),
        BAD(block_count, TIMING_BLOCKS_MAX + 1, "out of range"),
        BAD(launches_per_span, 0, "out of range"),
        BAD(contender_count, 0, "out of range"),
        BAD(contender_count, 5, "out of range"),
        BAD(operand_count, 9, "out of range"),
        BAD(operand_count, 1, "without an output"),
        BAD(judged, 3, "out of range"),
        BAD(reference, UINT32_MAX, "out of range"),
        BAD(baseline, 3, "out of range"),
        BAD(operands[1].comparison, 3, "a comparison that does not exist"),
        BAD(operands[0].type, TIMING_TYPES, "without a type or a size"),
        BAD(operands[0].type, TIMING_U8, "small integers of no range"),
        BAD(operands[0].copy_of, 16, "whose data does not lie within one allocation"),
        BAD(operands[1].is_scratch, 1, "without an output"),
        BAD(operands[1].counter, 9, "out of range"),
        BAD(operands[1].elements, 0, "without a type or a size"),
        BAD(operands[1].elements, UINT64_MAX / 2, "without a type or a size"),
        BAD(operands[1].elements, ELEMENTS + 1, "does not lie within one allocation"),
        BAD(contenders[0].addresses[0], 16, "does not lie within one allocation"),
        BAD(contenders[1].addresses[1], UINT64_MAX, "does not lie within one allocation"),
        BAD(contenders[0].steps[0].module, 9, "a kernel that does not exist"),
        BAD(contenders[2].steps[0].function, 99, "a kernel that does not exist"),
        BAD(contenders[1].steps[0].grid[2], 0, "an empty grid or block"),
        BAD(contenders[1].steps[0].block[0], 0, "an empty grid or block"),
        BAD(contenders[0].steps[0].parameter_bytes, 16, "16 bytes of parameters for scale_100"),
        BAD(contenders[0].steps[0].parameter_bytes, TIMING_PARAMETERS_MAX + 8,
            "bytes of parameters"),
    };
    struct bench *bench = *opened;
    struct diagnostic diagnostic = {.message = ""};
    const struct timing_request good = bench->request;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench->request = good;
        memcpy((char *)&bench->request + rows[i].offset, &rows[i].value, rows[i].bytes);
        assert_int_equal(device_cuda.time(bench->state, &bench->request, &bench->limits,
                                          &bench->result, &diagnostic),
                         ERROR_RANGE);
        assert_non_null(strstr(diagnostic.message, rows[i].message));
    }
    bench->request = good;
    bench->request.operands[1].elements = ELEMENTS / 2;
    bench->request.contenders[JUDGED].addresses[1] += 2;
    assert_int_equal(device_cuda.time(bench->state, &bench->request, &bench->limits, &bench->result,
                                      &diagnostic),
                     ERROR_RANGE);
    assert_int_equal(diagnostic.blame, BLAME_STUDENT);
    assert_non_null(strstr(diagnostic.message, "is not aligned to its type"));
    bench->request = good;
    bench->request.operands[1].comparison = TIMING_MAGNITUDES;
    bench->request.operands[1].type = TIMING_U32;
    assert_int_equal(device_cuda.time(bench->state, &bench->request, &bench->limits, &bench->result,
                                      &diagnostic),
                     ERROR_RANGE);
    assert_non_null(strstr(diagnostic.message, "whose output is not f32"));
    bench->request = good;
    run(bench);
    assert_int_equal(bench->result.sample_count, 24);
}

static void memory_for_a_timing_may_be_missing(void **opened)
{
    struct bench *bench = *opened;
    struct diagnostic diagnostic = {.message = ""};
    for (int i = 0; i < 30; i++) { /* 2 MiB each on the GPU; all of it is taken */
        allocate(bench->state, 100);
    }
    assert_int_equal(device_cuda.time(bench->state, &bench->request, &bench->limits, &bench->result,
                                      &diagnostic),
                     ERROR_LIMIT);
    assert_non_null(strstr(diagnostic.message, "no room for a timing"));
    assert_non_null(strstr(diagnostic.message, "CUDA_ERROR_OUT_OF_MEMORY"));
}

/* A call of the driver that does not come back ends the process. */
static void a_driver_that_hangs_is_left(void **unused)
{
    pid_t children[2];
    uint64_t started_ns = clock_now_ns();
    (void)unused;
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            void *opened;
            struct device_launch_result result;
            setup_with_little_time(&opened);
            struct bench *bench = opened;
            contend(bench, JUDGED, bench->program, "stuck_100");
            struct device_launch request = {
                .module = bench->program,
                .function = bench->request.contenders[JUDGED].steps[0].function,
                .grid = {1, 1, 1},
                .block = {1, 1, 1},
                .parameters = bench->request.contenders[JUDGED].parameters};
            if (i == 0) {
                device_cuda.launch(bench->state, &request, &result);
            } else {
                run(bench);
            }
            _exit(0);
        }
    }
    for (int i = 0; i < 2; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), DEVICE_EXIT_HUNG);
    }
    uint64_t took_ns = clock_now_ns() - started_ns;
    assert_true(took_ns >= WATCHDOG_GRACE_NS && took_ns < WATCHDOG_GRACE_NS + 60 * CLOCK_NS_PER_S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(spans_are_timed_counterbalanced, setup, teardown),
        cmocka_unit_test_setup_teardown(no_two_launches_have_the_same_data, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_elements_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(changed_inputs_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(delayed_spans_are_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(limits_reach_timed_launches, setup, teardown),
        cmocka_unit_test_setup_teardown(rules_may_be_looser, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs_may_be_copies, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs_may_be_halves, setup, teardown),
        cmocka_unit_test_setup_teardown(elements_may_be_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(magnitudes_allow_for_rounding, setup, teardown),
        cmocka_unit_test_setup_teardown(any_launch_of_a_span_may_be_compared, setup, teardown),
        cmocka_unit_test_setup_teardown(several_outputs_are_numbered_through, setup, teardown),
        cmocka_unit_test_setup_teardown(trusted_variables_are_put_back, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs_may_be_constants, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_is_left_behind, setup, teardown),
        cmocka_unit_test_setup_teardown(stores_into_guards_are_findings, setup, teardown),
        cmocka_unit_test(a_contender_that_fails_ends_the_timing),
        cmocka_unit_test_setup_teardown(bad_requests_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_for_a_timing_may_be_missing, setup, teardown),
        cmocka_unit_test(a_driver_that_hangs_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
