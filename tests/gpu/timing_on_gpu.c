/* timing_on_gpu.c: see timing_on_gpu.h. Products of matrices are timed, C of HEIGHT x WIDTH; the
 * kernels are in backend_kernels.cu. */
#include "timing_on_gpu.h"

#include "base/clock.h"
#include "device/emulated/arithmetic/half_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEIGHT = 1024,
    INNER = 512,
    WIDTH = 1024,
    JUDGED = 0,
    REFERENCE = 1,
    BASELINE = 2,
    AGAIN = 3
};

/* A request on operands of its own. */
struct timed {
    struct timing_request request;
    struct device_limits limits;
    struct device_timing_result result;
    uint64_t operands[3];
    uint32_t own; /* the kernels once more, as the grader's own module */
};

static void contend(struct bench *bench, struct timed *timed, uint32_t index, uint32_t module,
                    const char *kernel)
{
    struct timing_contender *contender = &timed->request.contenders[index];
    int32_t sizes[2] = {INNER, WIDTH};
    struct device_function_info info;
    uint8_t parameters[sizeof timed->operands + sizeof sizes];
    const struct timing_step step = {
        .module = module,
        .function = bench_find_kernel(bench, module, kernel, &info),
        .grid = {WIDTH / 16, HEIGHT / 16, 1},
        .block = {16, 16, 1},
        .parameter_bytes = sizeof parameters,
    };
    memset(contender, 0, sizeof *contender);
    memcpy(contender->addresses, timed->operands, sizeof timed->operands);
    memcpy(parameters, timed->operands, sizeof timed->operands);
    memcpy(parameters + sizeof timed->operands, sizes, sizeof sizes);
    bench_demand(timing_add_launch(contender, &step, parameters), "a launch");
}

static struct timed *prepare(struct bench *bench, const char *judged)
{
    struct timed *timed = calloc(1, sizeof *timed);
    bench_demand(timed != NULL, "calloc");
    timed->own = bench_load(bench, bench->kernels);
    timed->operands[0] = bench_allocate(bench, (uint64_t)HEIGHT * INNER * sizeof(float));
    timed->operands[1] = bench_allocate(bench, (uint64_t)INNER * WIDTH * sizeof(float));
    timed->operands[2] = bench_allocate(bench, (uint64_t)HEIGHT * WIDTH * sizeof(float));
    timed->request = (struct timing_request){
        .seed = 0x5eed,
        .block_count = 8,
        .launches_per_span = 4,
        .judged = JUDGED,
        .reference = REFERENCE,
        .baseline = BASELINE,
        .operands =
            {{.type = TIMING_F32, .elements = HEIGHT * INNER},
             {.type = TIMING_F32, .elements = INNER * WIDTH},
             {.type = TIMING_F32, .is_output = true, .elements = HEIGHT * WIDTH, .tolerance = 32}},
        .operand_count = 3,
        .contender_count = 3,
    };
    contend(bench, timed, JUDGED, bench->module, judged);
    contend(bench, timed, REFERENCE, timed->own, "multiply_tiled");
    contend(bench, timed, BASELINE, timed->own, "multiply_naive");
    return timed;
}

static void measure(struct bench *bench, struct timed *timed)
{
    struct diagnostic diagnostic = {.message = ""};
    bench_demand(device_measure(bench->device, &timed->request, &timed->limits, &timed->result,
                                &diagnostic) == ERROR_NONE,
                 diagnostic.message);
}

struct wrong {
    size_t spans;
    uint64_t elements, first;
    uint64_t changed; /* of the inputs */
};

static struct wrong count_wrong(const struct timed *timed)
{
    struct wrong wrong = {.first = UINT64_MAX};
    for (size_t i = 0; i < timed->result.sample_count; i++) {
        const struct timing_sample *sample = &timed->result.samples[i];
        bench_demand(sample->is_compared == (sample->contender == JUDGED), "a comparison");
        wrong.spans += sample->wrong != 0;
        wrong.elements += sample->wrong;
        wrong.changed += sample->changed;
        wrong.first = sample->first_wrong < wrong.first ? sample->first_wrong : wrong.first;
    }
    return wrong;
}

static int compare_ratios(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median over the blocks of the ratio of two contenders' times; prints how far it spreads. */
static double ratio(const struct timed *timed, uint32_t above, uint32_t below, const char *name)
{
    double sums[TIMING_BLOCKS_MAX][TIMING_CONTENDERS_MAX] = {{0}};
    double ratios[TIMING_BLOCKS_MAX];
    size_t blocks = timed->request.block_count;
    for (size_t i = 0; i < timed->result.sample_count; i++) {
        const struct timing_sample *sample = &timed->result.samples[i];
        sums[sample->block][sample->contender] += sample->nanoseconds;
    }
    for (size_t i = 0; i < blocks; i++) {
        ratios[i] = sums[i][above] / sums[i][below];
    }
    qsort(ratios, blocks, sizeof *ratios, compare_ratios);
    printf("        %s: %.4f (%.4f to %.4f)\n", name, ratios[blocks / 2], ratios[0],
           ratios[blocks - 1]);
    return ratios[blocks / 2];
}

void timing_of_matmul(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_tiled");
    double least_mhz = 1e9, most_mhz = 0, total_ns = 0;
    timed->request.contender_count = 4;
    timed->request.block_count = 12;
    contend(bench, timed, AGAIN, timed->own, "multiply_tiled");
    measure(bench, timed); /* a warm-up of the GPU's clock */
    uint64_t started_ns = clock_now_ns();
    measure(bench, timed);
    double took_ns = (double)(clock_now_ns() - started_ns);
    fprintf(bench->log, "status %d, samples %zu, findings %zu, wrong spans %zu\n",
            (int)timed->result.status, timed->result.sample_count, timed->result.finding_count,
            count_wrong(timed).spans);
    for (size_t i = 0; i < timed->result.sample_count; i++) {
        double mhz = timed->result.samples[i].clock_mhz;
        least_mhz = mhz < least_mhz ? mhz : least_mhz;
        most_mhz = mhz > most_mhz ? mhz : most_mhz;
        total_ns += timed->result.samples[i].nanoseconds;
    }
    size_t launches = timed->result.sample_count * timed->request.launches_per_span;
    double beside_ns = (took_ns - total_ns) / (double)(launches + 1);
    printf("        a launch: %.4f ms, beside it %.4f ms; clocks %.1f to %.1f MHz\n",
           total_ns / (double)(launches + 1) / 1e6, beside_ns / 1e6, least_mhz, most_mhz);
    double speedup = ratio(timed, BASELINE, REFERENCE, "naive over tiled");
    double itself = ratio(timed, REFERENCE, AGAIN, "the reference over itself");
    ratio(timed, JUDGED, REFERENCE, "the judged one over the reference, the same code");
    fprintf(bench->log, "naive over tiled is plausible %d\n", speedup > 1.05 && speedup < 4);
    fprintf(bench->log, "the reference over itself is 1: %d\n", itself > 0.99 && itself < 1.01);
    fprintf(bench->log, "clocks are plausible %d\n", least_mhz >= 100 && most_mhz <= 4000);
    /* a gate that opens by itself would take 100 ms */
    fprintf(bench->log, "the host does not hold the GPU up %d\n", beside_ns < 20e6);
    free(timed);
}

void timing_of_wrong(struct bench *bench)
{
    static const char *const kernels[] = {"multiply_faulty", "multiply_once", "multiply_mostly"};
    for (size_t i = 0; i < 3; i++) {
        struct timed *timed = prepare(bench, kernels[i]);
        /* the judged module counts its launches anew */
        bench->module = bench_load(bench, bench->kernels);
        contend(bench, timed, JUDGED, bench->module, kernels[i]);
        measure(bench, timed);
        struct wrong wrong = count_wrong(timed);
        fprintf(bench->log, "%s: ", kernels[i]);
        if (i == 2) {
            printf("        multiply_mostly: %zu of 16 spans are wrong\n", wrong.spans);
            fprintf(bench->log, "some %d\n", wrong.spans > 0 && wrong.spans < 16);
        } else {
            fprintf(bench->log, "wrong spans %zu, wrong %" PRIu64 ", first %" PRIu64 "\n",
                    wrong.spans, wrong.elements, wrong.first);
        }
        free(timed);
    }
}

void timing_of_rounding(struct bench *bench)
{
    static const char *const kernels[] = {"multiply_backwards", "multiply_rough"};
    for (size_t i = 0; i < 2; i++) {
        struct timed *timed = prepare(bench, kernels[i]);
        timed->request.block_count = 2;
        measure(bench, timed);
        fprintf(bench->log, "%s: same bits %d, ", kernels[i], count_wrong(timed).spans == 0);
        timed->request.operands[2].comparison = TIMING_MAGNITUDES;
        measure(bench, timed);
        fprintf(bench->log, "within 32 u %d\n", count_wrong(timed).spans == 0);
        printf("        %s: %" PRIu64 " elements are off by more\n", kernels[i],
               count_wrong(timed).elements);
        free(timed);
    }
}

void timing_of_vandal(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_vandal");
    struct timing_contender *judged = &timed->request.contenders[JUDGED];
    struct device_allocation variable;
    float value = 0;
    bench_demand(device_variable(bench->device, timed->own, "tuning", &variable), "tuning");
    memcpy(judged->parameters + judged->parameter_bytes, &variable.address, 8);
    judged->parameter_bytes += 8;
    judged->steps[0].parameter_bytes += 8;
    contend(bench, timed, REFERENCE, timed->own, "multiply_tuned");
    measure(bench, timed);
    bench_demand(device_read(bench->device, variable.address, &value, sizeof value), "read");
    fprintf(bench->log, "status %d, wrong spans %zu, variable %.1f\n", (int)timed->result.status,
            count_wrong(timed).spans, (double)value);
    free(timed);
}

void timing_of_scribbling(struct bench *bench)
{
    static const char *const kernels[] = {"multiply_tiled", "multiply_scribbling"};
    for (size_t i = 0; i < 2; i++) {
        struct timed *timed = prepare(bench, kernels[i]);
        measure(bench, timed);
        struct wrong wrong = count_wrong(timed);
        fprintf(bench->log, "%s: status %d, wrong spans %zu, changed %" PRIu64 "\n", kernels[i],
                (int)timed->result.status, wrong.spans, wrong.changed);
        free(timed);
    }
}

void timing_of_limits(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_deep");
    timed->limits.stack_bytes = 16384;
    measure(bench, timed);
    fprintf(bench->log, "status %d, wrong spans %zu\n", (int)timed->result.status,
            count_wrong(timed).spans);
    free(timed);
}

void timing_of_talking(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_talking");
    measure(bench, timed);
    fprintf(bench->log, "status %d, wrong spans %zu\n", (int)timed->result.status,
            count_wrong(timed).spans);
    free(timed);
}

static void log_floats(struct bench *bench, const char *name, const double *values, size_t count,
                       bool has_low_bits)
{
    double sum = 0, squares = 0;
    bool is_in_range = true;
    for (size_t i = 0; i < count; i++) {
        is_in_range = is_in_range && fabs(values[i]) < 1 && values[i] != 0;
        sum += values[i];
        squares += values[i] * values[i];
    }
    fprintf(bench->log, "%s: in range %d, mean near 0: %d, variance near 1/3: %d, low bits %d\n",
            name, is_in_range, fabs(sum / (double)count) < 0.01,
            fabs(squares / (double)count - 1.0 / 3) < 0.01, has_low_bits);
}

void timing_of_types(struct bench *bench)
{
    enum { COUNT = 100000, TYPES = TIMING_BF16 + 1 };
    static const uint64_t sizes[] = {4, 8, 4, 4, 2, 2, 4};
    static float floats[COUNT];
    static double doubles[COUNT];
    static int32_t integers[COUNT];
    static uint32_t naturals[COUNT];
    static uint16_t halves[COUNT], bfloats[COUNT];
    struct timed *timed = prepare(bench, "multiply_tiled");
    uint64_t addresses[TYPES + 1];
    int32_t count = COUNT;
    struct device_function_info info;
    timed->request.operand_count = TYPES + 1;
    for (uint32_t i = 0; i <= TYPES; i++) {
        addresses[i] = bench_allocate(bench, COUNT * sizes[i]);
        timed->request.operands[i] = (struct timing_operand){
            .type = i < TYPES ? i : TIMING_F32, .is_output = i == TYPES, .elements = COUNT};
    }
    for (uint32_t i = 0; i < 3; i++) {
        struct timing_contender *contender = &timed->request.contenders[i];
        struct timing_step *step = &contender->steps[0];
        step->function = bench_find_kernel(bench, step->module, "take_types", &info);
        step->grid[0] = (COUNT + 255) / 256;
        step->grid[1] = 1;
        step->block[0] = 256;
        step->block[1] = 1;
        step->parameter_bytes = contender->parameter_bytes = (uint32_t)info.parameter_bytes;
        memcpy(contender->addresses, addresses, sizeof addresses);
        memcpy(contender->parameters, addresses, sizeof addresses);
        memcpy(contender->parameters + sizeof addresses, &count, sizeof count);
    }
    measure(bench, timed);
    fprintf(bench->log, "status %d, wrong spans %zu\n", (int)timed->result.status,
            count_wrong(timed).spans);
    bench_demand(device_read(bench->device, addresses[0], floats, sizeof floats) &&
                     device_read(bench->device, addresses[1], doubles, sizeof doubles) &&
                     device_read(bench->device, addresses[2], integers, sizeof integers) &&
                     device_read(bench->device, addresses[3], naturals, sizeof naturals) &&
                     device_read(bench->device, addresses[4], halves, sizeof halves) &&
                     device_read(bench->device, addresses[5], bfloats, sizeof bfloats),
                 "device_read");
    bool are_signed = true, are_natural = true, has_odd_double = false, has_odd_float = false;
    bool has_odd_half = false, has_odd_bfloat = false;
    double sum = 0, natural_sum = 0;
    static double widened[COUNT], widened_halves[COUNT], widened_bfloats[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        widened[i] = (double)floats[i];
        widened_halves[i] = (double)f32_of_f16(halves[i]);
        widened_bfloats[i] = (double)f32_of_bf16(bfloats[i]);
        has_odd_half = has_odd_half || fmod(ldexp(widened_halves[i], 11), 2) != 0;
        has_odd_bfloat = has_odd_bfloat || fmod(ldexp(widened_bfloats[i], 8), 2) != 0;
        has_odd_float = has_odd_float || fmod(ldexp(widened[i], 24), 2) != 0;
        has_odd_double = has_odd_double || fmod(ldexp(doubles[i], 53), 2) != 0;
        are_signed = are_signed && integers[i] >= -32768 && integers[i] <= 32767;
        are_natural = are_natural && naturals[i] <= 65535;
        sum += integers[i];
        natural_sum += naturals[i];
    }
    log_floats(bench, "f32", widened, COUNT, has_odd_float);
    log_floats(bench, "f64", doubles, COUNT, has_odd_double);
    log_floats(bench, "f16", widened_halves, COUNT, has_odd_half);
    log_floats(bench, "bf16", widened_bfloats, COUNT, has_odd_bfloat);
    fprintf(bench->log,
            "i32: in range %d, mean near 0: %d, u32: in range %d, mean near 32767: %d\n",
            are_signed, fabs(sum / COUNT) < 300, are_natural,
            fabs(natural_sum / COUNT - 32767.5) < 300);
    free(timed);
}

void timing_of_endless(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_endless");
    uint64_t started_ns = clock_now_ns();
    measure(bench, timed);
    uint64_t took_ms = (clock_now_ns() - started_ns) / CLOCK_NS_PER_MS;
    fprintf(bench->log, "status %d of %" PRIu32 ", samples %zu, findings %zu, in time %d\n",
            (int)timed->result.status, timed->result.contender, timed->result.sample_count,
            timed->result.finding_count, took_ms >= DEADLINE_MS && took_ms < DEADLINE_MS + 1000);
    bench_log_refusals(bench, timed->operands[0]);
    free(timed);
}

void timing_of_stray(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_stray");
    measure(bench, timed);
    fprintf(bench->log, "status %d of %" PRIu32 ", samples %zu, findings %zu, kind %d\n",
            (int)timed->result.status, timed->result.contender, timed->result.sample_count,
            timed->result.finding_count,
            timed->result.finding_count > 0 ? (int)timed->result.findings[0].kind : 0);
    bench_log_refusals(bench, timed->operands[0]);
    free(timed);
}

void timing_of_refused(struct bench *bench)
{
    struct timed *timed = prepare(bench, "multiply_tiled");
    timed->request.block_count = 1;
    timed->request.contenders[BASELINE].steps[0].block[2] = 64; /* 16384 threads */
    measure(bench, timed);
    fprintf(bench->log, "status %d of %" PRIu32 ", samples %zu, findings %zu, refused %d\n",
            (int)timed->result.status, timed->result.contender, timed->result.sample_count,
            timed->result.finding_count,
            timed->result.finding_count > 0 &&
                timed->result.findings[0].kind == FINDING_RECORD_LAUNCH_REFUSED);
    timed->request.contenders[BASELINE].steps[0].block[2] = 1;
    measure(bench, timed);
    fprintf(bench->log, "after it: status %d, samples %zu\n", (int)timed->result.status,
            timed->result.sample_count);
    free(timed);
}
