/* trace_kit.h: kernels as C functions, whose accesses become a trace.
 *
 * C[height][width] = A[height][inner] x B[inner][width] by one block of EDGE x EDGE threads. A test
 * writes the block's phases as loops over its threads and calls load(), put(), get() and store()
 * with the line in the "source" below. So a kernel is as free as a real one: tiles of any layout,
 * several elements a thread, values in registers that no access shows.
 */
#ifndef GPUGRADE_TESTS_TRACE_KIT_H
#define GPUGRADE_TESTS_TRACE_KIT_H

#include "diagnosis/dataflow/suspect_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { EDGE = 8, HEIGHT = 24, INNER = 32, WIDTH = 40, LINES = 20, SHARED_FLOATS = 2048 };
enum { KIT_A, KIT_B, KIT_C, KIT_OPERANDS };

/* Lines of the kernels below, as in the source. */
enum {
    LINE_SUM = 2,
    LINE_TILES = 3,
    LINE_LOAD_A = 4,
    LINE_LOAD_B = 5,
    LINE_PRODUCTS = 7,
    LINE_PRODUCT = 8,
    LINE_STORE = 12,
    LINE_EXTRA = 13
};

static const char kit_source[] = "__global__ void multiply(const float *A, const float *B) {\n"
                                 "    float sum = 0;\n"
                                 "    for (int t = 0; t < width; t += EDGE) {\n"
                                 "        tile_a[ty][tx] = A[row * a_width + t + tx];\n"
                                 "        tile_b[ty][tx] = B[(t + ty) * b_width + column];\n"
                                 "        __syncthreads();\n"
                                 "        for (int k = 0; k < EDGE; k++)\n"
                                 "            sum += tile_a[ty][k] * tile_b[k][tx];\n"
                                 "        __syncthreads();\n"
                                 "    }\n"
                                 "\n"
                                 "    C[row * b_width + column] = sum;\n"
                                 "    extra();\n"
                                 "}\n";

struct kit {
    struct arena *arena;
    struct rubric rubric;
    struct rubric_parameter parameters[3];
    struct rubric_launch launch;
    struct launch_run run;
    struct observation observation;
    struct sample sample;
    struct submission_evidence evidence;
    struct oracle oracle;
    struct source_file source;
    struct criteria_input input;
    struct launch_trace trace;
    struct trace_line lines[LINES];
    struct trace_access *accesses;
    size_t capacity;
    float a[HEIGHT * INNER], b[INNER * WIDTH], c[HEIGHT * WIDTH];
    float shared[SHARED_FLOATS];
    float sums[EDGE * EDGE];
    uint32_t block_y, block_x; /* the traced one */
    struct suspect_line place;
};

/* The oracle ***********************************************************************************/

static inline void kit_expect(const struct oracle_problem *problem, double *out_expected,
                              double *out_magnitudes)
{
    const float *a = problem->inputs[0];
    const float *b = problem->inputs[1];

    for (size_t i = 0; i < HEIGHT * WIDTH; i++) {
        out_expected[i] = 0.0;
        out_magnitudes[i] = 0.0;
        for (size_t k = 0; k < INNER; k++) {
            double product = (double)a[i / WIDTH * INNER + k] * (double)b[k * WIDTH + i % WIDTH];
            out_expected[i] += product;
            out_magnitudes[i] += fabs(product);
        }
    }
}

static inline size_t kit_needs(const struct oracle_problem *problem, size_t element,
                               struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t k = 0; k < INNER && 2 * k + 1 < capacity; k++) {
        out_needs[2 * k] = (struct oracle_need){0, element / WIDTH * INNER + k};
        out_needs[2 * k + 1] = (struct oracle_need){1, k * WIDTH + element % WIDTH};
    }
    return 2 * (size_t)INNER;
}

/* Accesses *************************************************************************************/

static inline uint64_t kit_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void kit_log(struct kit *kit, struct trace_access access)
{
    arena_grow(kit->arena, &kit->accesses, &kit->capacity, kit->trace.access_count + 1,
               sizeof *kit->accesses);
    kit->accesses[kit->trace.access_count++] = access;
    kit->trace.accesses = kit->accesses;
}

/* A load of A or B; what lies outside reads 0 and is not logged, as a device would. */
static inline float load(struct kit *kit, uint32_t thread, uint32_t line, uint8_t operand,
                         size_t index)
{
    const float *values = operand == KIT_A ? kit->a : operand == KIT_B ? kit->b : kit->c;

    if (index >= kit->trace.element_counts[operand]) {
        return 0.0f;
    }
    kit_log(kit, (struct trace_access){thread, line, TRACE_GLOBAL, TRACE_READ, 4, operand, index,
                                       kit_bits(values[index])});
    return values[index];
}

static inline void put(struct kit *kit, uint32_t thread, uint32_t line, size_t place, float value)
{
    assert_true(place < SHARED_FLOATS);
    kit->shared[place] = value;
    kit_log(kit, (struct trace_access){thread, line, TRACE_SHARED, TRACE_WRITE, 4, TRACE_NO_OPERAND,
                                       place * 4, kit_bits(value)});
}

static inline float get(struct kit *kit, uint32_t thread, uint32_t line, size_t place)
{
    assert_true(place < SHARED_FLOATS);
    kit_log(kit, (struct trace_access){thread, line, TRACE_SHARED, TRACE_READ, 4, TRACE_NO_OPERAND,
                                       place * 4, kit_bits(kit->shared[place])});
    return kit->shared[place];
}

static inline void store(struct kit *kit, uint32_t thread, uint32_t line, size_t index, float value)
{
    assert_true(index < HEIGHT * WIDTH);
    kit->c[index] = value;
    kit_log(kit, (struct trace_access){thread, line, TRACE_GLOBAL, TRACE_WRITE, 4, KIT_C, index,
                                       kit_bits(value)});
}

/* Setting up ***********************************************************************************/

static inline const struct expression *kit_expression(struct kit *kit, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(kit->arena, text, &expression, &offset, NULL), 0);
    return expression;
}

/* Different positive values of 23 bits, as session/trace_inputs.h makes them. */
static inline float kit_value(size_t number)
{
    uint32_t code = (uint32_t)(number * 0x9e3779b1u + 12345u) & 0x7fffffu;

    return 1.0f + (float)code * 0x1p-23f;
}

static inline void kit_rubric(struct kit *kit)
{
    static const char *const names[] = {"A", "B", "C"};
    static const char *const shapes[][2] = {
        {"height", "inner"}, {"inner", "width"}, {"height", "width"}};
    static const char *const parameters[] = {"height", "inner", "width"};

    kit->launch = (struct rubric_launch){.id = "launch", .operand_count = KIT_OPERANDS};
    for (size_t i = 0; i < 3; i++) {
        kit->parameters[i].name = parameters[i];
        kit->launch.operands[i].name = names[i];
        kit->launch.operands[i].rank = 2;
        kit->launch.operands[i].type = ELEMENT_F32;
        kit->launch.operands[i].role = i == KIT_C ? OPERAND_OUTPUT : OPERAND_INPUT;
        kit->launch.operands[i].shape[0] = kit_expression(kit, shapes[i][0]);
        kit->launch.operands[i].shape[1] = kit_expression(kit, shapes[i][1]);
    }
    kit->rubric = (struct rubric){.id = "kit",
                                  .parameters = kit->parameters,
                                  .parameter_count = 3,
                                  .launches = &kit->launch,
                                  .launch_count = 1};
}

/* The probe of the traced case: each element wrong, until a test says otherwise. */
static inline void kit_evidence(struct kit *kit)
{
    float *after = arena_array(kit->arena, HEIGHT * WIDTH, sizeof *after);

    memset(after, 0x7f, HEIGHT * WIDTH * sizeof *after);
    kit->sample = (struct sample){
        .kind = PROBE_EXACT, .before = {kit->a, kit->b, kit->c}, .after = {kit->a, kit->b, after}};
    kit->observation =
        (struct observation){.parameters = {HEIGHT, INNER, WIDTH},
                             .block = EDGE,
                             .launched = true,
                             .launch_count = 1,
                             .element_counts = {HEIGHT * INNER, INNER * WIDTH, HEIGHT * WIDTH},
                             .samples = &kit->sample,
                             .sample_count = 1};
    kit->run = (struct launch_run){.observations = &kit->observation, .observation_count = 1};
    kit->evidence = (struct submission_evidence){.launch_runs = &kit->run};
}

static inline void kit_init(struct kit *kit)
{
    memset(kit, 0, sizeof *kit);
    kit->arena = arena_new();
    for (size_t i = 0; i < HEIGHT * INNER; i++) {
        kit->a[i] = kit_value(i);
    }
    for (size_t i = 0; i < INNER * WIDTH; i++) {
        kit->b[i] = kit_value(HEIGHT * INNER + i);
    }
    kit_rubric(kit);
    kit_evidence(kit);
    kit->oracle = (struct oracle){
        .abi_version = ORACLE_ABI_VERSION, .expect = kit_expect, .needs = kit_needs};
    kit->source = (struct source_file){"kernel.cu", kit_source, sizeof kit_source - 1};
    kit->input = (struct criteria_input){.rubric = &kit->rubric,
                                         .evidence = &kit->evidence,
                                         .oracle = &kit->oracle,
                                         .is_emulated = true,
                                         .sources = &kit->source,
                                         .source_count = 1};
    for (int i = 0; i < LINES; i++) {
        kit->lines[i] = (struct trace_line){"kernel.cu", i, 9};
    }
    kit->block_y = 1;
    kit->block_x = 2;
    kit->trace = (struct launch_trace){
        .request = {.parameters = {HEIGHT, INNER, WIDTH},
                    .block = EDGE,
                    .operand = KIT_C,
                    .element = EDGE * WIDTH + 2 * EDGE},
        .inputs = {kit->a, kit->b, NULL},
        .element_counts = {HEIGHT * INNER, INNER * WIDTH, HEIGHT * WIDTH},
        .grid = {WIDTH / EDGE, HEIGHT / EDGE, 1},
        .block = {EDGE, EDGE, 1},
        .block_index = {2, 1, 0},
        .wrote_element = true,
        .is_complete = true,
        .lines = kit->lines,
        .line_count = LINES,
    };
}

static inline bool kit_find(struct kit *kit)
{
    return find_suspect_line(&kit->input, kit->arena, &kit->trace, &kit->place);
}

#endif
