/* criteria_fixture.h: hand-made evidence for the tests of criteria/.
 *
 * A toy coursework with two parameters: C[height][width] = A[height][2] x B[2][width], one launch
 * of `multiply`, a table and a number printed. fixture_init() makes the evidence of a right
 * submission on three shapes; each test spoils what it is about and judges.
 */
#ifndef GPUGRADE_TESTS_CRITERIA_FIXTURE_H
#define GPUGRADE_TESTS_CRITERIA_FIXTURE_H

#include "criteria/criteria.h"
#include "diagnosis/diagnosis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    TOY_INNER = 2,
    TOY_SHAPES = 3,
    TOY_PROBES = PROBES_DRAWN,
    TOY_BLOCK = 8,
    TOY_POISON = 0x7fc12345
};
enum { OPERAND_A, OPERAND_B, OPERAND_C, TOY_OPERANDS };

/* Computes what the "student's kernel" leaves in C, which holds the poison before. */
typedef void toy_kernel(enum probe_kind kind, const int64_t *size, const float *a, const float *b,
                        float *c);

struct fixture {
    struct arena *arena;
    struct rubric_program program;
    struct rubric_parameter parameters[2];
    struct rubric_case cases[2];
    int64_t blocks[3];
    struct rubric_launch launch;
    struct rubric_printout printouts[2]; /* the number, the table */
    struct rubric_formula formulas[2];
    struct rubric_criterion criterion;
    struct rubric rubric;
    struct tool_message messages[2];
    struct program_build build;
    struct sample samples[TOY_SHAPES][PROBE_COUNT]; /* TOY_PROBES of them count */
    struct observation observations[TOY_SHAPES];
    struct launch_run run;
    struct print_run prints[2];
    struct submission_evidence evidence;
    struct kernel_resources resources;
    struct gpu_model model;
    bool is_template;
    struct oracle oracle;
    struct criteria_input input;
    struct finding finding;
    struct call_error call_error;
    struct verdict verdict;
};

static inline const struct expression *toy_expression(struct fixture *fixture, const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(fixture->arena, text, &expression, &offset, NULL), 0);
    return expression;
}

/* The oracle ***********************************************************************************/

static inline void toy_expect(const struct oracle_problem *problem, double *out_expected,
                              double *out_magnitudes)
{
    const float *a = problem->inputs[0];
    const float *b = problem->inputs[1];
    int64_t width = problem->parameters[1];

    for (size_t i = 0; i < problem->output_count; i++) {
        size_t row = i / (size_t)width;
        size_t column = i % (size_t)width;
        out_expected[i] = 0.0;
        out_magnitudes[i] = 0.0;
        for (size_t k = 0; k < TOY_INNER; k++) {
            double product = (double)a[row * TOY_INNER + k] * (double)b[k * (size_t)width + column];
            out_expected[i] += product;
            out_magnitudes[i] += fabs(product);
        }
    }
}

static inline void toy_in_order(const struct oracle_problem *problem, float *out_expected)
{
    const float *a = problem->inputs[0];
    const float *b = problem->inputs[1];
    size_t width = (size_t)problem->parameters[1];

    for (size_t i = 0; i < problem->output_count; i++) {
        const float *row = a + i / width * TOY_INNER;
        out_expected[i] = row[0] * b[i % width] + row[1] * b[width + i % width];
    }
}

/* The last product is missing. */
static inline int toy_one_product(const struct oracle_problem *problem, double *out_values)
{
    const float *a = problem->inputs[0];
    const float *b = problem->inputs[1];
    size_t width = (size_t)problem->parameters[1];

    for (size_t i = 0; i < problem->output_count; i++) {
        out_values[i] = (double)a[i / width * TOY_INNER] * (double)b[i % width];
    }
    return 1;
}

/* Right in the first row, nothing elsewhere. */
static inline int toy_first_row(const struct oracle_problem *problem, double *out_values)
{
    float *values = test_malloc(problem->output_count * sizeof *values);

    toy_in_order(problem, values);
    for (size_t i = 0; i < problem->output_count; i++) {
        out_values[i] = i < (size_t)problem->parameters[1] ? (double)values[i] : NAN;
    }
    test_free(values);
    return 1;
}

static inline int toy_never_judged(const struct oracle_problem *problem, double *out_values)
{
    (void)problem;
    (void)out_values;
    return 0;
}

static const struct oracle_mistake toy_mistakes[] = {
    {"never_judged", "never", "never", toy_never_judged},
    {"one_product", "every element misses the last product", "look at the end of the loop",
     toy_one_product},
    {"first_row", "only the first row is written", "launch a whole grid", toy_first_row},
};

/* Evidence *************************************************************************************/

static inline void kernel_right(enum probe_kind kind, const int64_t *size, const float *a,
                                const float *b, float *c)
{
    (void)kind;
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        const float *row = a + i / size[1] * TOY_INNER;
        c[i] = row[0] * b[i % size[1]] + row[1] * b[size[1] + i % size[1]];
    }
}

static inline float toy_value(enum probe_kind kind, size_t operand, size_t index)
{
    int32_t integer = (int32_t)((index * 7 + operand * 5 + (size_t)kind * 3) % 11) - 5;

    return kind == PROBE_FLOAT ? (float)integer / 7.0f + 0.01f : (float)integer;
}

/* Lets a kernel compute one shape anew. */
static inline void fixture_compute(struct fixture *fixture, size_t shape, toy_kernel *kernel)
{
    struct observation *observation = &fixture->observations[shape];

    for (size_t i = 0; i < PROBE_COUNT; i++) {
        struct sample *sample = &fixture->samples[shape][i];
        sample->kind = (enum probe_kind)i;
        sample->status = SAMPLE_DONE;
        for (size_t j = 0; j < TOY_OPERANDS; j++) {
            size_t count = observation->element_counts[j];
            float *before = arena_array(fixture->arena, count, sizeof *before);
            float *after = arena_array(fixture->arena, count, sizeof *after);
            uint32_t poison = TOY_POISON;
            for (size_t k = 0; k < count; k++) {
                before[k] = toy_value(sample->kind, j, k);
                if (j == OPERAND_C) {
                    memcpy(&before[k], &poison, sizeof poison);
                }
            }
            memcpy(after, before, count * sizeof *after);
            sample->before[j] = before;
            sample->after[j] = after;
        }
        kernel(sample->kind, observation->parameters, sample->after[OPERAND_A],
               sample->after[OPERAND_B], (float *)sample->after[OPERAND_C]);
    }
}

static inline void fixture_compute_all(struct fixture *fixture, toy_kernel *kernel)
{
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture_compute(fixture, i, kernel);
    }
}

/* One element of C, to be overwritten. */
static inline float *fixture_element(struct fixture *fixture, size_t shape, enum probe_kind kind,
                                     size_t index)
{
    return (float *)fixture->samples[shape][kind].after[OPERAND_C] + index;
}

static inline void fixture_shape(struct fixture *fixture, size_t shape, int64_t height,
                                 int64_t width)
{
    struct observation *observation = &fixture->observations[shape];

    *observation = (struct observation){
        .case_index = shape == 0 ? SIZE_MAX : shape - 1,
        .parameters = {height, width},
        .block = TOY_BLOCK,
        .launched = true,
        .launch_count = 1,
        .geometry = {{1, 1, 1}, {TOY_BLOCK, TOY_BLOCK, 1}, 512},
        .kernel = "_Z8multiply",
        .scalars = {TOY_BLOCK},
        .scalar_known = {true},
        .scalar_constant = {true},
        .failure = CODE_NONE,
        .element_counts = {(size_t)height * TOY_INNER, (size_t)width * TOY_INNER,
                           (size_t)(height * width)},
        .samples = fixture->samples[shape],
        .sample_count = TOY_PROBES,
    };
    fixture_compute(fixture, shape, kernel_right);
}

static inline void fixture_print(struct fixture *fixture, size_t printout, const char *text)
{
    fixture->prints[printout].activity.output = text;
    fixture->prints[printout].activity.output_length = strlen(text);
}

static inline void fixture_rubric(struct fixture *fixture)
{
    static const char *const sources[] = {"multiply.cu"};
    static const char *const names[] = {"A", "B", "C"};
    const char *shapes[][2] = {{"height", "2"}, {"2", "width"}, {"height", "width"}};
    struct rubric_launch *launch = &fixture->launch;

    fixture->program =
        (struct rubric_program){.id = "multiply", .sources = sources, .source_count = 1};
    fixture->parameters[0].name = "height";
    fixture->parameters[1].name = "width";
    fixture->cases[0] = (struct rubric_case){.id = "wide", .repeat = 1};
    fixture->cases[1] = (struct rubric_case){.id = "tall", .repeat = 1};
    fixture->blocks[0] = 8;
    fixture->blocks[1] = 16;
    *launch = (struct rubric_launch){.id = "launch",
                                     .kernel = "multiply",
                                     .blocks = fixture->blocks,
                                     .block_count = 2,
                                     .operand_count = TOY_OPERANDS,
                                     .scalar_count = 1};
    for (size_t i = 0; i < TOY_OPERANDS; i++) {
        launch->operands[i].name = names[i];
        launch->operands[i].rank = 2;
        launch->operands[i].type = ELEMENT_F32;
        launch->operands[i].role = i == OPERAND_C ? OPERAND_OUTPUT : OPERAND_INPUT;
        launch->operands[i].shape[0] = toy_expression(fixture, shapes[i][0]);
        launch->operands[i].shape[1] = toy_expression(fixture, shapes[i][1]);
    }
    launch->scalars[0] = (struct rubric_scalar){.name = "edge",
                                                .bind = {.is_symbol = true, .symbol = "EDGE"},
                                                .type = ELEMENT_I32,
                                                .value = toy_expression(fixture, "block")};
    fixture->printouts[0] =
        (struct rubric_printout){.id = "number", .label = "Occupancy:", .form = PRINTOUT_FRACTION};
    fixture->printouts[1] =
        (struct rubric_printout){.id = "table", .label = "requiredSM", .table = true};
    fixture->formulas[0] = (struct rubric_formula){
        "sheet", "the sheet's",
        toy_expression(fixture, "max_blocks * threads / (max_threads * multiprocessors)")};
    fixture->formulas[1] = (struct rubric_formula){
        "api", "the API's", toy_expression(fixture, "active_blocks * threads / max_threads")};
}

static inline void fixture_free(struct fixture *fixture)
{
    arena_free(fixture->arena);
    fixture->arena = NULL;
}

/* Frees what a test before has left: a fixture has static storage. */
static inline void fixture_init(struct fixture *fixture, enum criterion_kind kind)
{
    fixture_free(fixture);
    memset(fixture, 0, sizeof *fixture);
    fixture->arena = arena_new();
    fixture_rubric(fixture);
    fixture->criterion = (struct rubric_criterion){
        .id = "it",
        .kind = kind,
        .points = 9.0,
        .has_launch = true,
        .has_printout = true,
        .has_bytes_printout = true,
        .bytes_printout = 1,
        .minimum_bytes = toy_expression(fixture, "8 * block * block"),
        .has_scalar = true,
        .formulas = fixture->formulas,
        .formula_count = 2,
    };
    fixture->rubric = (struct rubric){.id = "toy",
                                      .limits = {.launch_emulated_ns = 10000000000u},
                                      .programs = &fixture->program,
                                      .program_count = 1,
                                      .parameters = fixture->parameters,
                                      .parameter_count = 2,
                                      .cases = fixture->cases,
                                      .case_count = 2,
                                      .launches = &fixture->launch,
                                      .launch_count = 1,
                                      .printouts = fixture->printouts,
                                      .printout_count = 2,
                                      .criteria = &fixture->criterion,
                                      .criterion_count = 1};
    fixture->build = (struct program_build){.attempted = true,
                                            .compiled = true,
                                            .linked = true,
                                            .messages = fixture->messages,
                                            .failed_file = ""};
    fixture_shape(fixture, 0, 8, 16);
    fixture_shape(fixture, 1, 8, 24);
    fixture_shape(fixture, 2, 16, 8);
    struct program_activity fine = {.ran = true,
                                    .output = "",
                                    .errors = "",
                                    .protocol_message = "",
                                    .call_errors = &fixture->call_error,
                                    .findings = &fixture->finding,
                                    .launch_total = 3};
    fixture->run = (struct launch_run){
        .activity = fine, .observations = fixture->observations, .observation_count = TOY_SHAPES};
    fixture->prints[0].activity = fine;
    fixture->prints[1].activity = fine;
    fixture_print(fixture, 0, "Occupancy: 1.0\n");
    fixture_print(fixture, 1, "requiredSM(64) = 512\nrequiredSM(1024) = 8192\n");
    fixture->evidence = (struct submission_evidence){
        .builds = &fixture->build, .launch_runs = &fixture->run, .print_runs = fixture->prints};
    fixture->resources = (struct kernel_resources){.name = "_Z8multiply", .registers = 32};
    assert_int_equal(gpu_model_find("H200", &fixture->model, NULL), 0);
    fixture->oracle = (struct oracle){
        .abi_version = ORACLE_ABI_VERSION,
        .expect = toy_expect,
        .expect_in_order = toy_in_order,
        .mistakes = toy_mistakes,
        .mistake_count = sizeof toy_mistakes / sizeof toy_mistakes[0],
    };
    fixture->input = (struct criteria_input){
        .rubric = &fixture->rubric,
        .evidence = &fixture->evidence,
        .oracle = &fixture->oracle,
        .model = &fixture->model,
        .is_emulated = true,
        .launch_resources = &fixture->resources,
        .is_template = &fixture->is_template,
    };
}

/* Judging **************************************************************************************/

static inline const struct evidence *fixture_evidence(const struct fixture *fixture,
                                                      const char *key)
{
    for (size_t i = 0; i < fixture->verdict.evidence_count; i++) {
        if (strcmp(fixture->verdict.evidence[i].key, key) == 0) {
            return &fixture->verdict.evidence[i];
        }
    }
    return NULL;
}

/* Judges and explains. */
static inline const struct verdict *fixture_judge(struct fixture *fixture)
{
    criterion_judge(&fixture->input, fixture->arena, &fixture->criterion, &fixture->verdict);
    diagnosis_explain(&fixture->input, fixture->arena, &fixture->verdict);
    return &fixture->verdict;
}

/* Judges, expects a pass, and frees. */
static inline void expect_pass(struct fixture *fixture)
{
    const struct verdict *verdict = fixture_judge(fixture);

    if (verdict->status != STATUS_PASSED) {
        fail_msg("%s", verdict->cause.message);
    }
    assert_int_equal(verdict->cause.code, CODE_NONE);
    assert_true(verdict->points == fixture->criterion.points);
    assert_true(verdict->summary[0] != '\0');
    fixture_free(fixture);
}

/* Judges, expects a failure of that code, whose message holds `words`, and frees. */
static inline void expect_failure(struct fixture *fixture, enum code code, const char *words)
{
    const struct verdict *verdict = fixture_judge(fixture);

    assert_string_equal(code_name(verdict->cause.code), code_name(code));
    assert_int_equal(verdict->status, STATUS_FAILED);
    assert_int_equal(status_review(verdict->status, code) != NULL,
                     code_cause(code) == CAUSE_UNSUPPORTED);
    assert_true(verdict->points == 0.0);
    assert_true(verdict->cause.hint[0] != '\0');
    if (strstr(verdict->cause.message, words) == NULL) {
        print_error("%s\n", verdict->cause.message);
        fail();
    }
    fixture_free(fixture);
}

#endif
