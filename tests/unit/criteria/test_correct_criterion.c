/* test_correct_criterion.c: right and wrong results, and what keeps a launch from being judged. */
#include "../criteria_fixture.h"

#include <signal.h>

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    return 0;
}

static void test_right(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "3 shapes");
    assert_int_equal(fixture_evidence(&fixture, "shapes_right")->integer, 3);
    expect_pass(&fixture);
}

static void test_one_bit_in_an_exact_probe(void **state)
{
    (void)state;
    float *element = fixture_element(&fixture, 2, PROBE_EXACT_SWAPPED, 17);
    *element = nextafterf(*element, 1000.0f);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.seen,
                        "in 1 of 3 shapes; for A 16x2, B 2x8: 1 of 128 elements, the first is "
                        "C(2,1)");
    assert_string_equal(fixture.verdict.cause.difference,
                        "got -3.99999976 instead of -4 in C(2,1): 2.38419e-07 too large, "
                        "5.96e-06 %, 0.5 ulp");
    /* Within 16 u G, but whole numbers have to be whole. */
    expect_failure(&fixture, CODE_REDUCED_PRECISION, "can hold exactly are rounded");
}

static void test_negative_zero_is_zero(void **state)
{
    (void)state;
    for (size_t i = 0; i < 128; i++) {
        float *element = fixture_element(&fixture, 0, PROBE_EXACT, i);
        *element = *element == 0.0f ? -0.0f : *element;
    }
    expect_pass(&fixture);
}

static void test_mismatch(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    *fixture_element(&fixture, 1, PROBE_EXACT, 26) += 1.0f;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "wrong in 1 of 3 shapes");
    assert_string_equal(fixture_evidence(&fixture, "first_wrong_shape")->text, "A 8x2, B 2x24");
    assert_string_equal(fixture_evidence(&fixture, "first_wrong_probe")->text, "exact");
    assert_string_equal(fixture_evidence(&fixture, "first_wrong_element")->text, "C(1,1)");
    assert_string_equal(fixture.verdict.cause.plain, "C is wrong in 1 of 3 shapes");
    assert_string_equal(fixture.verdict.cause.seen,
                        "in 1 of 3 shapes; for A 8x2, B 2x24: 2 of 192 elements, the first is "
                        "C(1,1); right for A 8x2, B 2x16, wrong for A 8x2, B 2x24");
    assert_string_equal(fixture.verdict.cause.difference,
                        "got 4 instead of 3 in C(1,1): 1 too large, 33.3 %");
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

/* Values that follow no pattern, and an input that no probe loads from. */
static void test_input_never_loaded(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        for (size_t j = 0; j < TOY_PROBES; j++) {
            fixture.samples[i][j].counts.is_counted = true;
            fixture.samples[i][j].counts.operands[OPERAND_A][COUNT_READ].bytes = 64;
        }
    }
    for (size_t i = 0; i < 128; i++) {
        *fixture_element(&fixture, 0, PROBE_EXACT, i) += (float)(i * i % 89 + 1);
    }
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.plain, "C is wrong in 1 of 3 shapes");
    assert_string_equal(fixture.verdict.cause.hint, "the results also depend on B: load it");
    assert_non_null(
        strstr(fixture.verdict.cause.message, "`multiply` never loads anything from B"));
    fixture.samples[2][PROBE_FLOAT].counts.operands[OPERAND_B][COUNT_ATOMIC].bytes = 4;
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "never"));
    fixture.samples[2][PROBE_FLOAT].counts.operands[OPERAND_B][COUNT_ATOMIC].bytes = 0;
    fixture.samples[2][PROBE_FLOAT].counts.is_counted = false; /* who knows */
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.message, "never"));
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

/* Puts `units` times u G beside the expected value of one element of the float probe. */
static void put_error(double units)
{
    const struct sample *sample = &fixture.samples[1][PROBE_FLOAT];
    const float *a = sample->before[OPERAND_A];
    const float *b = sample->before[OPERAND_B];
    double products[] = {(double)a[0] * b[0], (double)a[1] * b[24]};
    double magnitude = fabs(products[0]) + fabs(products[1]);

    *fixture_element(&fixture, 1, PROBE_FLOAT, 0) =
        (float)(products[0] + products[1] + units * 0x1p-24 * magnitude);
}

/* Inputs with a representable result and a magnitude of 1, so that the bound is hit exactly. */
static void make_exact_magnitude(double units)
{
    float *a = (float *)fixture.samples[1][PROBE_FLOAT].before[OPERAND_A];
    float *b = (float *)fixture.samples[1][PROBE_FLOAT].before[OPERAND_B];
    float *a_after = (float *)fixture.samples[1][PROBE_FLOAT].after[OPERAND_A];
    float *b_after = (float *)fixture.samples[1][PROBE_FLOAT].after[OPERAND_B];

    a[0] = a_after[0] = 0.5f;
    a[1] = a_after[1] = -0.5f;
    b[0] = b_after[0] = 1.0f;
    b[24] = b_after[24] = 1.0f;
    kernel_right(PROBE_FLOAT, fixture.observations[1].parameters, a, b,
                 fixture_element(&fixture, 1, PROBE_FLOAT, 0));
    *fixture_element(&fixture, 1, PROBE_FLOAT, 0) = (float)(units * 0x1p-24);
}

static void test_error_at_the_bound(void **state)
{
    (void)state;
    make_exact_magnitude(16.0);
    fixture_judge(&fixture);
    assert_true(fixture_evidence(&fixture, "worst_error_units")->number == 16.0);
    expect_pass(&fixture);
}

static void test_error_above_the_bound(void **state)
{
    (void)state;
    make_exact_magnitude(16.000001);
    expect_failure(&fixture, CODE_REDUCED_PRECISION, "at most 16 times is allowed");
}

static void test_reduced_precision_ends(void **state)
{
    (void)state;
    make_exact_magnitude(16384.0);
    expect_failure(&fixture, CODE_REDUCED_PRECISION, "less precise");
    set_up(state);
    make_exact_magnitude(16385.0);
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

static void test_small_error_passes(void **state)
{
    (void)state;
    put_error(10.0);
    expect_pass(&fixture);
}

static void test_not_a_number(void **state)
{
    (void)state;
    *fixture_element(&fixture, 0, PROBE_FLOAT, 3) = NAN;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.seen, "1 of 128 elements, the first is C(0,3)"));
    assert_non_null(strstr(fixture.verdict.cause.difference, "got NaN instead of "));
    expect_failure(&fixture, CODE_NOT_A_NUMBER, "C holds NaN or infinity in 1 of 3 shapes");
    set_up(state);
    *fixture_element(&fixture, 0, PROBE_EXACT, 3) = INFINITY;
    expect_failure(&fixture, CODE_NOT_A_NUMBER, "C holds NaN or infinity");
}

/* A kernel that reads its output before it writes it is told so, where reads are counted. */
static void test_output_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < 128; i++) {
        *fixture_element(&fixture, 0, PROBE_EXACT, i) = NAN;
    }
    assert_null(strstr(fixture_judge(&fixture)->cause.hint, "the kernel reads C"));
    fixture.samples[0][PROBE_EXACT].counts.is_counted = true;
    fixture.samples[0][PROBE_EXACT].counts.operands[OPERAND_C][COUNT_READ].bytes = 512;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "the kernel reads C, which holds no"));
    expect_failure(&fixture, CODE_NOT_A_NUMBER, "C holds NaN or infinity in 1 of 3 shapes");
}

static void kernel_skips_column(enum probe_kind kind, const int64_t *size, const float *a,
                                const float *b, float *c)
{
    float poison = c[0];

    kernel_right(kind, size, a, b, c);
    for (int64_t row = 0; row < size[0]; row++) {
        memcpy(&c[row * size[1] + 5], &poison, sizeof poison);
    }
}

static void kernel_writes_nothing(enum probe_kind kind, const int64_t *size, const float *a,
                                  const float *b, float *c)
{
    (void)kind;
    (void)size;
    (void)a;
    (void)b;
    (void)c;
}

static void test_not_written(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_skips_column);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.plain, "elements of C are never written");
    assert_string_equal(fixture.verdict.cause.seen,
                        "in 3 of 3 shapes; for A 8x2, B 2x16: 8 of 128 elements, the first is "
                        "C(0,5)");
    assert_non_null(strstr(fixture.verdict.cause.difference, "nothing is written to C(0,5), "));
    expect_failure(&fixture, CODE_NOT_WRITTEN, "elements of C are never written: only in column 5");
    set_up(state);
    fixture_compute_all(&fixture, kernel_writes_nothing);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "`multiply` writes no element of C");
}

/* What a right kernel of integers leaves in an element. */
static uint32_t right_integer(const int64_t *size, const float *a, const float *b, int64_t i)
{
    const float *row = a + i / size[1] * TOY_INNER;

    return (uint32_t)(int64_t)(row[0] * b[i % size[1]] + row[1] * b[size[1] + i % size[1]]);
}

static void kernel_accumulates(enum probe_kind kind, const int64_t *size, const float *a,
                               const float *b, float *c)
{
    (void)kind;
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        ((uint32_t *)c)[i] += right_integer(size, a, b, i);
    }
}

/* The first half is written, every second element of it wrongly. */
static void kernel_of_half(enum probe_kind kind, const int64_t *size, const float *a,
                           const float *b, float *c)
{
    (void)kind;
    for (int64_t i = 0; i < size[0] * size[1] / 2; i++) {
        ((uint32_t *)c)[i] = right_integer(size, a, b, i) + (uint32_t)i % 2 * 1000;
    }
}

static void set_up_integers(toy_kernel *kernel, uint64_t read_bytes, uint64_t written_bytes,
                            uint64_t atomic_bytes)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.operands[OPERAND_C].type = ELEMENT_U32;
    fixture_compute_all(&fixture, kernel);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        for (size_t j = 0; j < TOY_PROBES; j++) {
            struct launch_counts *counts = &fixture.samples[i][j].counts;
            counts->is_counted = read_bytes + written_bytes + atomic_bytes > 0;
            counts->operands[OPERAND_C][COUNT_READ].bytes = read_bytes;
            counts->operands[OPERAND_C][COUNT_WRITE].bytes = written_bytes;
            counts->operands[OPERAND_C][COUNT_ATOMIC].bytes = atomic_bytes;
        }
    }
}

/* One element is right, and the others stay the poison. */
static void kernel_of_one(enum probe_kind kind, const int64_t *size, const float *a, const float *b,
                          float *c)
{
    (void)kind;
    c[0] = a[0] * b[0] + a[1] * b[size[1]];
}

/* What is added to no number stays as it was, and is no element that nobody stores. */
static void test_poison_is_added_to(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_of_one);
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        struct launch_counts *counts = &fixture.samples[i / TOY_PROBES][i % TOY_PROBES].counts;
        counts->is_counted = true;
        counts->operands[OPERAND_C][COUNT_READ].bytes = 2048;
        counts->operands[OPERAND_C][COUNT_WRITE].bytes = 2048;
    }
    expect_failure(&fixture, CODE_MISMATCH, "`multiply` uses what was in C before the launch");
}

/* Makes results as large as the bits of the poison, and computes them anew. */
static void enlarge_inputs(toy_kernel *kernel)
{
    for (size_t i = 0; i < TOY_SHAPES * TOY_PROBES; i++) {
        const struct observation *observation = &fixture.observations[i / TOY_PROBES];
        struct sample *sample = &fixture.samples[i / TOY_PROBES][i % TOY_PROBES];
        float *a = (float *)sample->before[OPERAND_A];
        for (size_t j = 0; j < observation->element_counts[OPERAND_A]; j++) {
            a[j] *= 0x1p25f;
        }
        memcpy((float *)sample->after[OPERAND_A], a,
               observation->element_counts[OPERAND_A] * sizeof *a);
        memcpy((float *)sample->after[OPERAND_C], sample->before[OPERAND_C],
               observation->element_counts[OPERAND_C] * sizeof *a);
        kernel(sample->kind, observation->parameters, a, sample->before[OPERAND_B],
               (float *)sample->after[OPERAND_C]);
    }
}

/* Where a kernel of integers adds 0 to its output, the element looks as if it had no store. */
static void test_integers_are_added(void **state)
{
    static const char words[] = "`multiply` uses what was in C before the launch";

    (void)state;
    set_up_integers(kernel_accumulates, 0, 0, 0);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.plain, words);
    assert_non_null(strstr(fixture.verdict.cause.hint, "with =, not with +="));
    assert_non_null(strstr(fixture.verdict.cause.difference, "got 2143"));
    assert_null(strstr(fixture.verdict.cause.seen, "unwritten"));
    for (size_t i = 0; i < 128; i++) {
        assert_int_not_equal(fixture.verdict.map->states[i], ELEMENT_UNWRITTEN);
    }
    expect_failure(&fixture, CODE_MISMATCH, words);
    set_up_integers(kernel_accumulates, 0, 0, 512);
    expect_failure(&fixture, CODE_MISMATCH, words);
    set_up_integers(kernel_accumulates, 512, 512, 0);
    expect_failure(&fixture, CODE_MISMATCH, words);
    set_up_integers(kernel_accumulates, 512, 512, 0);
    enlarge_inputs(kernel_accumulates);
    expect_failure(&fixture, CODE_MISMATCH, words);
    /* The kernel never reads what was there: it is chance. */
    set_up_integers(kernel_accumulates, 0, 512, 0);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "elements of C are never written");
    set_up_integers(kernel_of_half, 512, 512, 0);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "elements of C are never written");
}

/* Nothing changes, though there are atomics: the largest of the values was there before. */
static void test_atomics_change_nothing(void **state)
{
    (void)state;
    set_up_integers(kernel_writes_nothing, 0, 0, 512);
    expect_failure(&fixture, CODE_MISMATCH, "uses what was in C before the launch");
    set_up_integers(kernel_writes_nothing, 512, 0, 0);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "`multiply` writes no element of C");
}

static void kernel_one_product(enum probe_kind kind, const int64_t *size, const float *a,
                               const float *b, float *c)
{
    (void)kind;
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        c[i] = a[i / size[1] * TOY_INNER] * b[i % size[1]];
    }
}

static void kernel_first_row(enum probe_kind kind, const int64_t *size, const float *a,
                             const float *b, float *c)
{
    int64_t one_row[] = {1, size[1]};

    kernel_right(kind, one_row, a, b, c);
}

static void test_named_mistakes(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_one_product);
    fixture_judge(&fixture);
    assert_string_equal(fixture_evidence(&fixture, "mistake")->text, "one_product");
    assert_string_equal(fixture.verdict.cause.hint, "look at the end of the loop");
    expect_failure(&fixture, CODE_NAMED_MISTAKE, "every element misses the last product");
    set_up(state);
    fixture_compute_all(&fixture, kernel_first_row);
    expect_failure(&fixture, CODE_NAMED_MISTAKE, "only the first row is written");
}

static void test_mistake_must_explain_every_shape(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_one_product);
    *fixture_element(&fixture, 2, PROBE_EXACT, 0) += 3.0f;
    assert_null(strstr(fixture_judge(&fixture)->cause.message, "right only"));
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 3 of 3 shapes");
    set_up(state);
    fixture_compute(&fixture, 1, kernel_one_product); /* the others are right, which refutes it */
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

static void test_pattern(void **state)
{
    (void)state;
    fixture_compute(&fixture, 0, kernel_one_product);
    fixture_compute(&fixture, 1, kernel_one_product);
    expect_failure(&fixture, CODE_MISMATCH, ", except where width is one tile: in every element");
    set_up(state);
    fixture_shape(&fixture, 0, 8, 8);
    fixture_shape(&fixture, 1, 16, 16);
    fixture_compute(&fixture, 2, kernel_one_product);
    expect_failure(&fixture, CODE_MISMATCH, ", except where height equals width");
}

static void kernel_doubles(enum probe_kind kind, const int64_t *size, const float *a,
                           const float *b, float *c)
{
    kernel_right(kind, size, a, b, c);
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        c[i] *= 2.0f;
    }
}

static void kernel_doubles_when_again(enum probe_kind kind, const int64_t *size, const float *a,
                                      const float *b, float *c)
{
    (kind == PROBE_AGAIN ? kernel_doubles : kernel_right)(kind, size, a, b, c);
}

/* What values have in common comes before where they are; hidden shapes take no part in it. */
static void test_values_explain(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_doubles);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.plain, "C is wrong in 3 of 3 shapes");
    assert_non_null(strstr(fixture.verdict.cause.hint, "more than once"));
    expect_failure(&fixture, CODE_MISMATCH,
                   "3 shapes: every element is 2 times the expected value");
    set_up(state);
    fixture_compute_all(&fixture, kernel_doubles_when_again);
    expect_failure(&fixture, CODE_STATE_KEPT, "launch again is wrong: every element is 2 times");
    set_up(state);
    fixture.cases[1].hidden = true;
    fixture_compute(&fixture, 0, kernel_doubles);
    fixture_compute(&fixture, 1, kernel_doubles);
    assert_null(strstr(fixture_judge(&fixture)->cause.message, "where"));
    expect_failure(&fixture, CODE_MISMATCH, "every element is 2 times the expected value");
}

static void kernel_one_more(enum probe_kind kind, const int64_t *size, const float *a,
                            const float *b, float *c)
{
    kernel_right(kind, size, a, b, c);
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        c[i] += 1.0f;
    }
}

/* The map is of the smallest shape with right and wrong elements, told is the smallest wrong one.
 */
static void test_map(void **state)
{
    (void)state;
    fixture_shape(&fixture, 0, 8, 8);
    fixture_compute_all(&fixture, kernel_one_more);
    fixture_compute(&fixture, 1, kernel_right);
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    *fixture_element(&fixture, 1, PROBE_EXACT, 30) = NAN;
    const struct verdict *verdict = fixture_judge(&fixture);
    assert_string_equal(verdict->map->operand, "C");
    assert_string_equal(verdict->map->shape, "A 8x2, B 2x24");
    assert_string_equal(verdict->map->probe, "exact");
    assert_int_equal(verdict->map->rows, 8);
    assert_int_equal(verdict->map->columns, 24);
    assert_int_equal(verdict->map->block, TOY_BLOCK);
    for (size_t i = 0; i < 192; i++) {
        enum element_state state_of = i == 25   ? ELEMENT_WRONG
                                      : i == 30 ? ELEMENT_NOT_FINITE
                                                : ELEMENT_RIGHT;
        assert_int_equal(verdict->map->states[i], state_of);
    }
    assert_non_null(strstr(verdict->cause.seen, "for A 8x2, B 2x24"));
    expect_failure(&fixture, CODE_NOT_A_NUMBER, "C holds NaN");
}

static void test_input_changed(void **state)
{
    (void)state;
    ((float *)fixture.samples[1][PROBE_FLOAT].after[OPERAND_B])[25] += 1.0f;
    assert_string_equal(fixture_judge(&fixture)->summary, "wrong in 1 of 3 shapes");
    assert_string_equal(fixture.verdict.cause.seen, "for A 8x2, B 2x24");
    assert_non_null(strstr(fixture.verdict.cause.difference, "B(1,1) changes from "));
    assert_null(fixture.verdict.map);
    expect_failure(&fixture, CODE_INPUT_CHANGED, "the kernel writes to its input `B`");
}

static void kernel_keeps_state(enum probe_kind kind, const int64_t *size, const float *a,
                               const float *b, float *c)
{
    kernel_right(kind, size, a, b, c);
    c[9] += kind == PROBE_AGAIN ? 1.0f : 0.0f;
}

static void test_state_kept(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_keeps_state);
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.seen, "the first is C(0,9)"));
    expect_failure(&fixture, CODE_STATE_KEPT, "the same launch again is wrong");
}

static void kernel_skips_second_probe(enum probe_kind kind, const int64_t *size, const float *a,
                                      const float *b, float *c)
{
    if (kind != PROBE_EXACT_SWAPPED) {
        kernel_right(kind, size, a, b, c);
    }
}

/* Calls that launch nothing: of one shape, or of each shape but the first time. */
static void test_idle_calls(void **state)
{
    for (int by_turns = 0; by_turns < 2; by_turns++) {
        set_up(state);
        fixture.launch.call = "multiply";
        for (size_t i = 0; i < TOY_SHAPES; i++) {
            fixture_compute(&fixture, i,
                            by_turns ? kernel_skips_second_probe
                            : i == 0 ? kernel_writes_nothing
                                     : kernel_right);
            for (size_t j = 0; j < TOY_PROBES; j++) {
                fixture.samples[i][j].call.launches = by_turns ? j != PROBE_EXACT_SWAPPED : i != 0;
            }
        }
        fixture_judge(&fixture);
        assert_int_equal(fixture.verdict.cause.code, by_turns ? CODE_STATE_KEPT : CODE_NOT_WRITTEN);
    }
}

static void kernel_leans_on_order(enum probe_kind kind, const int64_t *size, const float *a,
                                  const float *b, float *c)
{
    kernel_right(kind, size, a, b, c);
    c[9] += kind == PROBE_REORDERED ? 1.0f : 0.0f;
}

/* With blocks in another order, too. */
static void compute_reordered(toy_kernel *kernel)
{
    fixture_compute_all(&fixture, kernel);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].sample_count = PROBE_COUNT;
    }
}

static void test_block_order(void **state)
{
    compute_reordered(kernel_leans_on_order);
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.seen, "the first is C(0,9)"));
    expect_failure(&fixture, CODE_BLOCK_ORDER, "wrong in another order");
    /* What is wrong in order too is no matter of the order. */
    set_up(state);
    compute_reordered(kernel_leans_on_order);
    *fixture_element(&fixture, 1, PROBE_EXACT, 9) += 1.0f;
    expect_failure(&fixture, CODE_MISMATCH, "wrong in 3 of 3 shapes");
}

static void test_bit_for_bit(void **state)
{
    (void)state;
    fixture.rubric.arithmetic = ARITHMETIC_NO_FMAD;
    expect_pass(&fixture);
    set_up(state);
    fixture.rubric.arithmetic = ARITHMETIC_NO_FMAD;
    float *element = fixture_element(&fixture, 0, PROBE_FLOAT, 1);
    *element = nextafterf(*element, 1000.0f);
    expect_failure(&fixture, CODE_NOT_BIT_EXACT, "only the last bits differ");
    set_up(state);
    fixture.rubric.arithmetic = ARITHMETIC_NO_FMAD;
    fixture.oracle.expect_in_order = NULL;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
}

static void test_hidden_case_stays_hidden(void **state)
{
    (void)state;
    fixture.cases[0].hidden = true;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    fixture_judge(&fixture);
    assert_null(fixture_evidence(&fixture, "first_wrong_shape"));
    assert_null(strstr(fixture.verdict.cause.message, "24"));
    assert_null(fixture.verdict.cause.difference);
    assert_null(fixture.verdict.cause.seen);
    assert_null(fixture.verdict.map);
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong for a hidden shape");
    set_up(state);
    fixture.cases[0].hidden = true;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    *fixture_element(&fixture, 2, PROBE_EXACT, 2) += 1.0f;
    assert_string_equal(fixture_judge(&fixture)->map->shape, "A 16x2, B 2x8");
    assert_non_null(strstr(fixture.verdict.cause.seen, "for A 16x2, B 2x8: 1 of 128"));
    assert_null(strstr(fixture.verdict.cause.seen, "24"));
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in ");
}

static void add_finding(enum code code, enum severity severity, size_t shape, size_t probe)
{
    fixture.finding = (struct finding){
        .code = code,
        .severity = severity,
        .message = "reads 4 bytes too far",
        .kernel = "multiply",
        .places = {{.role = "read", .file = "multiply.cu", .line = 31, .column = 13}},
        .place_count = 1,
    };
    fixture.samples[shape][probe].findings = &fixture.finding;
    fixture.samples[shape][probe].finding_count = 1;
}

/* A finding costs nothing here while results are right: race-free judges it. */
static void test_finding_without_consequences(void **state)
{
    static const enum code codes[] = {CODE_GLOBAL_OUT_OF_BOUNDS, CODE_SHARED_RACE, CODE_WARP_RACE,
                                      CODE_BARRIER_DIVERGENT, CODE_UNINITIALISED_SHARED};

    (void)state;
    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        set_up(state);
        add_finding(codes[i], SEVERITY_ERROR, 1, 2);
        expect_pass(&fixture);
        set_up(state);
        add_finding(codes[i], SEVERITY_ERROR, 1, 2);
        fixture.samples[1][2].finding_count = 0;
        fixture.run.activity.finding_count = 1; /* on the program's own data */
        expect_pass(&fixture);
    }
}

static void test_finding_explains_wrong_values(void **state)
{
    (void)state;
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    add_finding(CODE_SHARED_RACE, SEVERITY_ERROR, 2, 0);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.file, "multiply.cu");
    assert_int_equal(fixture.verdict.cause.line, 31);
    assert_int_equal(fixture.verdict.cause.column, 13);
    assert_int_equal(fixture.verdict.cause.because, CODE_SHARED_RACE);
    assert_non_null(strstr(fixture.verdict.cause.hint, "__syncthreads()"));
    expect_failure(&fixture, CODE_MISMATCH,
                   "; probably because in `multiply`: reads 4 bytes too far (R01)");
    set_up(state);
    *fixture_element(&fixture, 1, PROBE_EXACT, 25) += 1.0f;
    add_finding(CODE_BARRIER_INCOMPLETE, SEVERITY_WARNING, 2, 0);
    assert_null(strstr(fixture_judge(&fixture)->cause.message, "probably"));
    expect_failure(&fixture, CODE_MISMATCH, "C is wrong in 1 of 3 shapes");
}

/* A race leaves no element unwritten, a store outside of the array does. */
static void test_finding_explains_unwritten_elements(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_skips_column);
    add_finding(CODE_SHARED_RACE, SEVERITY_ERROR, 1, 0);
    assert_null(strstr(fixture_judge(&fixture)->cause.message, "probably"));
    expect_failure(&fixture, CODE_NOT_WRITTEN, "elements of C are never written: only");
    set_up(state);
    fixture_compute_all(&fixture, kernel_skips_column);
    add_finding(CODE_GLOBAL_OUT_OF_BOUNDS, SEVERITY_ERROR, 1, 0);
    expect_failure(&fixture, CODE_NOT_WRITTEN, "; probably because in `multiply`: reads");
}

/* What is known to be wrong needs no other explanation. */
static void test_named_mistake_beats_a_finding(void **state)
{
    (void)state;
    fixture_compute_all(&fixture, kernel_one_product);
    add_finding(CODE_SHARED_RACE, SEVERITY_ERROR, 1, 2);
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.because, CODE_NONE);
    assert_int_equal(fixture.verdict.cause.line, 0);
    expect_failure(&fixture, CODE_NAMED_MISTAKE, "every element misses the last product");
}

static void test_fault_that_ends_the_program(void **state)
{
    (void)state;
    add_finding(CODE_GLOBAL_OUT_OF_BOUNDS, SEVERITY_ERROR, 1, 2);
    fixture.run.observation_count = 2; /* the last shape is never reached */
    fixture.run.activity.end.exit_status = 1;
    expect_failure(&fixture, CODE_GLOBAL_OUT_OF_BOUNDS, "in `multiply`: reads 4 bytes too far");
    set_up(state);
    add_finding(CODE_SHARED_RACE, SEVERITY_ERROR, 1, 2); /* ends nothing */
    fixture.run.observation_count = 2;
    fixture.run.activity.end.exit_status = 1;
    expect_failure(&fixture, CODE_EXIT_STATUS, "status 1");
    set_up(state);
    add_finding(CODE_DEVICE_TRAP, SEVERITY_ERROR, 1, 2);
    fixture.samples[1][2].status = SAMPLE_FAULT;
    expect_failure(&fixture, CODE_DEVICE_TRAP, "in `multiply`");
}

static void test_samples_that_do_not_end(void **state)
{
    (void)state;
    fixture.samples[0][0].status = SAMPLE_DEADLINE;
    fixture.observations[0].sample_count = 1;
    expect_failure(&fixture, CODE_LAUNCH_DEADLINE, "`multiply` runs for more than 10 s");
    set_up(state);
    add_finding(CODE_UNKNOWN_INSTRUCTION, SEVERITY_ERROR, 0, 0);
    fixture.samples[0][0].status = SAMPLE_UNSUPPORTED;
    expect_failure(&fixture, CODE_UNKNOWN_INSTRUCTION, "in `multiply`");
    set_up(state);
    fixture.samples[0][0].status = SAMPLE_FAULT;
    expect_failure(&fixture, CODE_API_ERROR, "ends with an error for A 8x2, B 2x16");
}

static void test_launch_that_does_not_fit(void **state)
{
    (void)state;
    fixture.observations[0].failure = CODE_WRONG_BLOCK;
    fixture.observations[0].failure_message = "a block has 7 columns";
    fixture.observations[0].sample_count = 0;
    fixture.run.observation_count = 1;
    expect_failure(&fixture, CODE_WRONG_BLOCK, "7 columns");
    set_up(state);
    fixture.observations[1].failure = CODE_BAD_OPERAND;
    fixture.observations[1].failure_message = "A is no device memory";
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "the arguments of the launch"));
    expect_failure(&fixture, CODE_BAD_OPERAND, "A is no device memory");
    set_up(state);
    fixture.launch.operands[OPERAND_B].bind = (struct binding){.is_symbol = true, .symbol = "mask"};
    fixture.observations[1].failure = CODE_BAD_OPERAND;
    fixture.observations[1].failure_message = "there is no device array `mask`";
    fixture.observations[1].failure_symbol = "mask";
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "declare `mask` as a __device__ or "));
    fixture.observations[1].failure_message = "A is no device memory";
    fixture.observations[1].failure_symbol = NULL;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "the arguments of the launch"));
    expect_failure(&fixture, CODE_BAD_OPERAND, "A is no device memory");
    set_up(state);
    fixture.observations[2].launch_count = 3;
    expect_failure(&fixture, CODE_LAUNCHED_TWICE, "3 times for A 16x2, B 2x8, expected once");
}

static void never_launch(uint64_t others, uint32_t registers)
{
    fixture.observations[0].launched = false;
    fixture.observations[0].launch_count = 0;
    fixture.observations[0].sample_count = 0;
    fixture.run.observation_count = 1;
    fixture.run.activity.launch_total = others;
    fixture.resources.registers = registers;
}

static void test_never_launched(void **state)
{
    (void)state;
    never_launch(0, 32);
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`multiply` is never launched");
    set_up(state);
    never_launch(5, 32);
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "other kernels are launched 5 times");
    set_up(state);
    never_launch(0, 4);
    expect_failure(&fixture, CODE_NO_LAUNCH_YET, "is empty and nothing is launched");
    set_up(state);
    fixture.observations[2].launched = false;
    fixture.observations[2].sample_count = 0;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "not launched for A 16x2, B 2x8");
    set_up(state);
    fixture.run.observation_count = 2;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "the remaining shapes");
}

static void add_call_error(const char *call, int number, const char *name)
{
    fixture.call_error = (struct call_error){
        .call = call,
        .is_launch = strncmp(call, "launch", 6) == 0,
        .is_unknown = number == 801,
        .cuda_error = number,
        .name = name,
        .message = "a block of 4096 threads",
        .count = 1,
    };
    fixture.run.activity.call_error_count = 1;
}

static void test_calls_that_fail(void **state)
{
    (void)state;
    never_launch(0, 32);
    add_call_error("launch of multiply", 1, "cudaErrorInvalidValue");
    expect_failure(&fixture, CODE_IMPOSSIBLE_LAUNCH, "a block of 4096 threads");
    set_up(state);
    never_launch(0, 32);
    add_call_error("cudaMemcpy", 1, "cudaErrorInvalidValue");
    fixture.run.activity.end.exit_status = 1; /* the harness gives up because of it */
    expect_failure(&fixture, CODE_API_ERROR, "cudaMemcpy fails with cudaErrorInvalidValue");
    set_up(state);
    never_launch(0, 32);
    add_call_error("cudaMemcpy", 1, "cudaErrorInvalidValue");
    fixture.run.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGABRT};
    expect_failure(&fixture, CODE_SIGNAL, "abort()");
    set_up(state);
    never_launch(0, 32);
    add_call_error("cudaMalloc", 2, "cudaErrorMemoryAllocation");
    expect_failure(&fixture, CODE_DEVICE_MEMORY, "cudaMalloc");
    set_up(state);
    never_launch(0, 32);
    add_call_error("launch of multiply", 2, "cudaErrorMemoryAllocation");
    fixture_judge(&fixture); /* the device has run out of memory, the launch was possible */
    assert_non_null(strstr(fixture.verdict.cause.hint, "local memory"));
    expect_failure(&fixture, CODE_DEVICE_MEMORY,
                   "the launch of multiply fails with cudaErrorMemoryAllocation");
    set_up(state);
    never_launch(0, 32);
    add_call_error("cudaGraphCreate", 801, "cudaErrorNotSupported");
    fixture_judge(&fixture); /* a call that is not known excuses nothing */
    assert_non_null(
        strstr(fixture.verdict.cause.hint, "gpugrade does not know the call cudaGraphCreate"));
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`multiply` is never launched");
    set_up(state);
    never_launch(0, 32);
    add_call_error("cudaGraphCreate", 801, "cudaErrorNotSupported");
    fixture.run.activity.end.exit_status = 1;
    expect_failure(&fixture, CODE_EXIT_STATUS, "ends with status 1");
    set_up(state);
    add_call_error("cudaMemcpy", 1, "cudaErrorInvalidValue"); /* without consequences */
    expect_pass(&fixture);
}

static void test_endings(void **state)
{
    static const struct {
        struct program_end end;
        enum code code;
        const char *words;
    } rows[] = {
        {{.ending = ENDING_SIGNALLED, .signal = SIGSEGV}, CODE_SIGNAL, "a segmentation fault"},
        {{.ending = ENDING_SIGNALLED, .signal = SIGSEGV, .has_fault_address = true},
         CODE_SIGNAL,
         "through a null pointer"},
        {{.ending = ENDING_SIGNALLED,
          .signal = SIGSEGV,
          .has_fault_address = true,
          .fault_address = 8},
         CODE_SIGNAL,
         "through a null pointer"},
        {{.ending = ENDING_SIGNALLED, .signal = SIGSEGV, .fault_address = 0x100000000200},
         CODE_SIGNAL,
         "host code touches device memory at 0x100000000200"},
        {{.ending = ENDING_SIGNALLED, .signal = SIGFPE}, CODE_SIGNAL, "by zero: last words"},
        {{.ending = ENDING_SIGNALLED, .signal = SIGABRT},
         CODE_SIGNAL,
         "abort() (signal 6): last words"},
        {{.ending = ENDING_EXITED, .exit_status = 3}, CODE_EXIT_STATUS, "status 3: last words"},
        {{.ending = ENDING_WALL_LIMIT, .limit = 5000000000}, CODE_PROGRAM_DEADLINE, "5 s"},
        {{.ending = ENDING_WALL_LIMIT, .use = ENDING_WAITED, .limit = 5000000000},
         CODE_PROGRAM_DEADLINE,
         "5 s; most of that time it waited and used no processor"},
        {{.ending = ENDING_WALL_LIMIT, .use = ENDING_COMPUTED, .limit = 5000000000},
         CODE_PROGRAM_DEADLINE,
         "5 s; most of that time it computed on the host"},
        {{.ending = ENDING_WALL_LIMIT, .use = ENDING_SERVED, .limit = 5000000000},
         CODE_PROGRAM_DEADLINE,
         "5 s; most of that time it waited for its work on the device"},
        {{.ending = ENDING_CPU_LIMIT, .limit = 5000000000, .reached = 6200000000},
         CODE_CPU_DEADLINE,
         "the program was stopped at its limit of 5 s of processor time"},
        {{.ending = ENDING_MEMORY_LIMIT, .limit = 1 << 30}, CODE_HOST_MEMORY, "limit is 1 GiB"},
        {{.ending = ENDING_PROCESS_LIMIT, .limit = 64}, CODE_TOO_MANY_PROCESSES, "64 processes"},
        {{.ending = ENDING_FILE_LIMIT, .limit = 1 << 20}, CODE_FILE_TOO_LARGE, "1 MiB"},
        {{.ending = ENDING_OUTPUT_LIMIT, .limit = 1 << 20}, CODE_TOO_MUCH_OUTPUT, "1 MiB"},
    };

    (void)state;
    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const char errors[] = "first words\nlast words \n";
        set_up(state);
        fixture.run.activity.end = rows[i].end;
        fixture.run.activity.errors = errors;
        fixture.run.activity.errors_length = sizeof errors - 1;
        fixture.run.observation_count = 2;
        expect_failure(&fixture, rows[i].code, rows[i].words);
        set_up(state);
        fixture.run.activity.end = rows[i].end; /* also after the last case */
        fixture.run.activity.errors = errors;
        fixture.run.activity.errors_length = sizeof errors - 1;
        expect_failure(&fixture, rows[i].code, rows[i].words);
    }
}

/* A program that waits for its next case while the grader waits for a mark. */
static void test_marks(void **state)
{
    static const struct {
        struct program_end end;
        bool lacks_begin, lacks_end;
        enum code code;
        const char *words;
        const char *call; /* NULL: launches are judged */
    } rows[] = {
        {{.ending = ENDING_WALL_LIMIT, .limit = 5000000000},
         true,
         false,
         CODE_PROGRAM_DEADLINE,
         "5 s: cudaProfilerStart, which begins a case, was never called",
         NULL},
        {{.ending = ENDING_WALL_LIMIT, .limit = 5000000000},
         false,
         true,
         CODE_PROGRAM_DEADLINE,
         "5 s, in the middle of a case: between cudaProfilerStart and cudaProfilerStop of its "
         "main()",
         NULL},
        {{.ending = ENDING_EXITED},
         true,
         false,
         CODE_EXIT_STATUS,
         "for all shapes: cudaProfilerStart, which begins a case, was never called",
         NULL},
        {{.ending = ENDING_EXITED, .exit_status = 3},
         true,
         false,
         CODE_EXIT_STATUS,
         "status 3",
         NULL},
        {{.ending = ENDING_WALL_LIMIT, .limit = 5000000000},
         true,
         false,
         CODE_PROGRAM_DEADLINE,
         "5 s: it never begins a call of `multiply`",
         "multiply"},
        {{.ending = ENDING_WALL_LIMIT, .limit = 5000000000},
         false,
         true,
         CODE_PROGRAM_DEADLINE,
         "5 s, within a call of `multiply`",
         "multiply"},
        {{.ending = ENDING_EXITED},
         true,
         false,
         CODE_EXIT_STATUS,
         "before it has called `multiply` for all shapes: it never begins a call of `multiply`",
         "multiply"},
        {{.ending = ENDING_CPU_LIMIT, .limit = 5000000000},
         false,
         true,
         CODE_CPU_DEADLINE,
         "limit of 5 s of processor time",
         NULL},
    };

    (void)state;
    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(state);
        fixture.run.activity.end = rows[i].end;
        fixture.run.activity.ended_early = rows[i].end.ending == ENDING_EXITED;
        fixture.run.activity.lacks_begin = rows[i].lacks_begin;
        fixture.run.activity.lacks_end = rows[i].lacks_end;
        fixture.run.activity.call = rows[i].call;
        fixture.run.observation_count = 0;
        expect_failure(&fixture, rows[i].code, rows[i].words);
    }
}

static void test_tampering(void **state)
{
    (void)state;
    fixture.run.activity.protocol_broken = true;
    fixture.run.activity.protocol_message = "message 99";
    expect_failure(&fixture, CODE_PROTOCOL, "message 99");
    set_up(state);
    fixture.run.activity.protocol_broken = true;
    fixture.run.activity.protocol_message = "message 99";
    fixture.run.activity.foreign_module = true;
    expect_failure(&fixture, CODE_FOREIGN_MODULE, "message 99");
    set_up(state);
    fixture.run.activity.protocol_broken = true;
    fixture.run.activity.protocol_message = "message 99";
    fixture.run.activity.forked_channel = true;
    expect_failure(&fixture, CODE_FORKED_CHANNEL, "a process that the program started");
}

static void test_template(void **state)
{
    (void)state;
    never_launch(0, 4);
    fixture.is_template = true;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "first open step in multiply.cu"));
    expect_failure(&fixture, CODE_TEMPLATE_UNCHANGED, "multiply.cu is still the template");
}

static void test_build(void **state)
{
    (void)state;
    fixture.build.linked = false;
    fixture.build.failure = CODE_COMPILE_ERROR;
    fixture.build.message_count = 2;
    fixture.messages[0] = (struct tool_message){.is_error = true,
                                                .file = "multiply.cu",
                                                .line = 7,
                                                .column = 5,
                                                .message = "expected a \";\""};
    fixture.messages[1] = (struct tool_message){.is_error = false,
                                                .file = "multiply.cu",
                                                .line = 3,
                                                .column = 1,
                                                .message = "unused variable"};
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 7);
    assert_int_equal(fixture.verdict.cause.column, 5);
    expect_failure(&fixture, CODE_COMPILE_ERROR, "expected a \";\"");
}

static void test_grader_at_fault(void **state)
{
    (void)state;
    fixture.observations[1].sample_count = 0;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture.observations[1].sample_count = TOY_PROBES;
    fixture.observations[1].element_counts[OPERAND_C] = 0;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture.input.oracle = NULL;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_right, set_up),
        cmocka_unit_test_setup(test_one_bit_in_an_exact_probe, set_up),
        cmocka_unit_test_setup(test_negative_zero_is_zero, set_up),
        cmocka_unit_test_setup(test_mismatch, set_up),
        cmocka_unit_test_setup(test_input_never_loaded, set_up),
        cmocka_unit_test_setup(test_error_at_the_bound, set_up),
        cmocka_unit_test_setup(test_error_above_the_bound, set_up),
        cmocka_unit_test_setup(test_reduced_precision_ends, set_up),
        cmocka_unit_test_setup(test_small_error_passes, set_up),
        cmocka_unit_test_setup(test_not_a_number, set_up),
        cmocka_unit_test_setup(test_output_is_read, set_up),
        cmocka_unit_test_setup(test_not_written, set_up),
        cmocka_unit_test_setup(test_integers_are_added, set_up),
        cmocka_unit_test_setup(test_poison_is_added_to, set_up),
        cmocka_unit_test_setup(test_atomics_change_nothing, set_up),
        cmocka_unit_test_setup(test_values_explain, set_up),
        cmocka_unit_test_setup(test_map, set_up),
        cmocka_unit_test_setup(test_named_mistakes, set_up),
        cmocka_unit_test_setup(test_mistake_must_explain_every_shape, set_up),
        cmocka_unit_test_setup(test_pattern, set_up),
        cmocka_unit_test_setup(test_input_changed, set_up),
        cmocka_unit_test_setup(test_state_kept, set_up),
        cmocka_unit_test_setup(test_idle_calls, set_up),
        cmocka_unit_test_setup(test_block_order, set_up),
        cmocka_unit_test_setup(test_bit_for_bit, set_up),
        cmocka_unit_test_setup(test_hidden_case_stays_hidden, set_up),
        cmocka_unit_test_setup(test_finding_without_consequences, set_up),
        cmocka_unit_test_setup(test_finding_explains_wrong_values, set_up),
        cmocka_unit_test_setup(test_finding_explains_unwritten_elements, set_up),
        cmocka_unit_test_setup(test_named_mistake_beats_a_finding, set_up),
        cmocka_unit_test_setup(test_fault_that_ends_the_program, set_up),
        cmocka_unit_test_setup(test_samples_that_do_not_end, set_up),
        cmocka_unit_test_setup(test_launch_that_does_not_fit, set_up),
        cmocka_unit_test_setup(test_never_launched, set_up),
        cmocka_unit_test_setup(test_calls_that_fail, set_up),
        cmocka_unit_test_setup(test_endings, set_up),
        cmocka_unit_test_setup(test_marks, set_up),
        cmocka_unit_test_setup(test_tampering, set_up),
        cmocka_unit_test_setup(test_template, set_up),
        cmocka_unit_test_setup(test_build, set_up),
        cmocka_unit_test_setup(test_grader_at_fault, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
