/* test_compare.c: one element against what the oracle expects, for each type and each arithmetic.
 */
#include "criteria/results/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static double expected_value;

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    assert_int_equal(problem->output_count, 1);
    *out_expected = expected_value;
    *out_magnitudes = fabs(expected_value);
}

static const struct oracle oracle = {.abi_version = ORACLE_ABI_VERSION, .expect = expect};

/* An element of any type. */
union element {
    float f32;
    double f64;
    int32_t i32;
    uint32_t u32;
};

static union element float_of(float value)
{
    return (union element){.f32 = value};
}

static bool is_right(enum element_type type, enum arithmetic arithmetic, enum probe_kind kind,
                     union element got, double expected)
{
    const union element poison = {.f64 = -123456.75};
    const struct rubric rubric = {.arithmetic = arithmetic};
    struct rubric_launch launch = {.operand_count = 1};
    struct observation observation = {.element_counts = {1}};
    struct sample sample = {.kind = kind, .before = {&poison}, .after = {&got}};
    struct problem problem;
    struct comparison comparison;

    expected_value = expected;
    launch.operands[0] = (struct rubric_operand){.type = type, .role = OPERAND_OUTPUT};
    problem_init(&rubric, &launch, &observation, &sample, 0, &problem);
    assert_true(compare_sample(&problem, &oracle, &comparison));
    return comparison.wrong == 0;
}

static bool is_exact(enum element_type type, union element got, double expected)
{
    return is_right(type, ARITHMETIC_EXACT, PROBE_FLOAT, got, expected);
}

static void test_exact_floats(void **state)
{
    const float third = 1.0f / 3.0f;

    (void)state;
    assert_true(is_exact(ELEMENT_F32, float_of(third), (double)third));
    assert_true(is_exact(ELEMENT_F32, float_of(third), 1.0 / 3.0)); /* in the element's type */
    assert_false(is_exact(ELEMENT_F32, float_of(nextafterf(third, 1.0f)), (double)third));
    assert_true(is_right(ELEMENT_F32, ARITHMETIC_EPSILON, PROBE_FLOAT,
                         float_of(nextafterf(third, 1.0f)), (double)third));
    assert_true(is_exact(ELEMENT_F32, float_of(-0.0f), -0.0));
    assert_false(is_exact(ELEMENT_F32, float_of(0.0f), -0.0));
    assert_false(is_exact(ELEMENT_F32, float_of(-0.0f), 0.0));
    assert_false(is_right(ELEMENT_F32, ARITHMETIC_EXACT, PROBE_EXACT, float_of(-0.0f), 0.0));
    assert_true(is_right(ELEMENT_F32, ARITHMETIC_EPSILON, PROBE_EXACT, float_of(-0.0f), 0.0));
}

static void test_exact_doubles(void **state)
{
    (void)state;
    assert_true(is_exact(ELEMENT_F64, (union element){.f64 = 0.1}, 0.1));
    assert_false(is_exact(ELEMENT_F64, (union element){.f64 = nextafter(0.1, 1.0)}, 0.1));
    assert_false(is_exact(ELEMENT_F64, (union element){.f64 = (double)0.1f}, 0.1));
}

/* Equal in every arithmetic and every probe; what is expected wraps around as the type does. */
static void test_integers(void **state)
{
    static const enum arithmetic all[] = {ARITHMETIC_EPSILON, ARITHMETIC_EXACT};
    static const enum probe_kind kinds[] = {PROBE_EXACT, PROBE_FLOAT, PROBE_AGAIN};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        for (size_t j = 0; j < sizeof kinds / sizeof kinds[0]; j++) {
            const union element large = {.i32 = INT32_MAX};
            const union element small = {.i32 = INT32_MIN};
            const union element minus_one = {.u32 = UINT32_MAX};
            assert_true(is_right(ELEMENT_I32, all[i], kinds[j], large, 2147483647.0));
            assert_false(is_right(ELEMENT_I32, all[i], kinds[j], large, 2147483646.0));
            assert_true(is_right(ELEMENT_I32, all[i], kinds[j], small, -2147483648.0));
            assert_true(is_right(ELEMENT_I32, all[i], kinds[j], small, 2147483648.0));
            assert_true(is_right(ELEMENT_U32, all[i], kinds[j], minus_one, 4294967295.0));
            assert_true(is_right(ELEMENT_U32, all[i], kinds[j], minus_one, -1.0));
            assert_false(is_right(ELEMENT_U32, all[i], kinds[j], minus_one, 1.0));
            assert_false(is_right(ELEMENT_I32, all[i], kinds[j], large, 1e300));
        }
    }
}

/* Rules of an output ****************************************************************************/

enum { OUTPUTS = 4 };

/* What an oracle of several elements says. */
static double expected_values[OUTPUTS], magnitudes[OUTPUTS];
static unsigned char doubts[OUTPUTS];
static const char *objection;

static void expect_many(const struct oracle_problem *problem, void *const *out_expected,
                        double *const *out_magnitudes)
{
    memcpy(out_expected[0], expected_values, problem->output_counts[0] * sizeof(double));
    memcpy(out_magnitudes[0], magnitudes, problem->output_counts[0] * sizeof(double));
}

static void doubtful(const struct oracle_problem *problem, size_t output, unsigned char *out)
{
    memcpy(out, doubts, problem->output_counts[output]);
}

static int check(const struct oracle_problem *problem, const void *const *outputs,
                 struct oracle_objection *out)
{
    (void)problem;
    (void)outputs;
    out->element = 2;
    if (objection != NULL) {
        memcpy(out->sentence, objection, strlen(objection) + 1);
    }
    return objection != NULL;
}

static const struct oracle full_oracle = {.abi_version = ORACLE_ABI_VERSION,
                                          .expect_all = expect_many,
                                          .check = check,
                                          .doubtful = doubtful};

/* Compares `count` elements after poisons that no test writes. */
static struct comparison compare_many(const struct rubric_operand *operand, enum probe_kind kind,
                                      const void *after, size_t count)
{
    static const uint64_t poison[OUTPUTS] = {UINT64_C(0x7ff87e127ff97e12), UINT64_C(0x1b2c3d4e), 77,
                                             78};
    const struct rubric rubric = {.arithmetic = ARITHMETIC_EPSILON};
    struct rubric_launch launch = {.operand_count = 1};
    struct observation observation = {.element_counts = {count}};
    struct sample sample = {.kind = kind, .before = {poison}, .after = {after}};
    struct problem problem;
    struct comparison comparison;

    launch.operands[0] = *operand;
    problem_init(&rubric, &launch, &observation, &sample, 0, &problem);
    assert_true(compare_sample(&problem, &full_oracle, &comparison));
    return comparison;
}

static void test_within(void **state)
{
    static const struct {
        enum element_type type;
        struct compare_rule rule;
        double expected, magnitude, got;
        bool is_right;
    } rows[] = {
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .absolute = 0.5}, 1, 0, 1.5, true},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .absolute = 0.5}, 1, 0, 1.625, false},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .absolute = 0.5}, 1, 0, NAN, false},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .relative = 0.01}, -200, 0, -202, true},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .relative = 0.01}, -200, 0, -202.5, false},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .ulps = 2}, 1, 0, 1 + 0x1p-22, true},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .ulps = 2}, 1, 0, 1 + 0x1.8p-22, false},
        {ELEMENT_F16, {.kind = COMPARE_WITHIN, .ulps = 1}, 1.0 / 3, 0, 0x1.558p-2, true},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .of_magnitude = 0.5}, 0, 4, 2, true},
        {ELEMENT_F32, {.kind = COMPARE_WITHIN, .of_magnitude = 0.5}, 0, 4, 2.5, false},
        {ELEMENT_U8, {.kind = COMPARE_WITHIN, .absolute = 1}, 127.4, 0, 128, true},
        {ELEMENT_U8, {.kind = COMPARE_WITHIN, .absolute = 1}, 127, 0, 129, false},
        {ELEMENT_F32, {.kind = COMPARE_BOUND}, 1, 1, 1 + 0x1p-21, true},
        {ELEMENT_F32, {.kind = COMPARE_BOUND}, 1, 1, 1 + 0x1p-19, false},
        {ELEMENT_F32, {.kind = COMPARE_EXACT}, 1, 1, 1 + 0x1p-23, false},
        {ELEMENT_F32, {.kind = COMPARE_EXACT}, 1.0 / 3, 1, (double)(1.0f / 3.0f), true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rubric_operand operand = {
            .type = rows[i].type, .role = OPERAND_OUTPUT, .compare = rows[i].rule};
        uint64_t got = 0;
        expected_values[0] = rows[i].expected;
        magnitudes[0] = rows[i].magnitude;
        element_store(rows[i].type, &got, 0, rows[i].got);
        for (unsigned kind = PROBE_EXACT; kind <= PROBE_FLOAT; kind++) {
            bool is_right = compare_many(&operand, (enum probe_kind)kind, &got, 1).wrong == 0;
            if (is_right != rows[i].is_right) {
                fail_msg("row %zu, probe %u", i, kind);
            }
        }
    }
}

/* What a mistake yields is rounded as the larger of it and of the magnitude. */
static void test_mistakes_within(void **state)
{
    static const struct {
        double magnitude, mistaken, got;
        bool agrees;
    } rows[] = {
        {8, 2, 2.75, true},     {8, 2, 3.25, false},     {1, 1000, 1100, true},
        {1, 1000, 1250, false}, {1, -1000, 1000, false}, {8, 0.5, 0.5, false},
    };
    const struct rubric rubric = {.arithmetic = ARITHMETIC_EPSILON};
    const float poison = -7.0f;
    struct rubric_launch launch = {.operand_count = 1};
    struct observation observation = {.element_counts = {1}};

    (void)state;
    launch.operands[0] =
        (struct rubric_operand){.type = ELEMENT_F32,
                                .role = OPERAND_OUTPUT,
                                .compare = {.kind = COMPARE_WITHIN, .of_magnitude = 0.125}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float got = (float)rows[i].got;
        struct sample sample = {.kind = PROBE_EXACT, .before = {&poison}, .after = {&got}};
        struct problem problem;

        magnitudes[0] = rows[i].magnitude;
        problem_init(&rubric, &launch, &observation, &sample, 0, &problem);
        if (output_agrees(&problem, &full_oracle, &rows[i].mistaken) != rows[i].agrees) {
            fail_msg("row %zu", i);
        }
    }
}

static void test_share(void **state)
{
    const struct rubric_operand operand = {
        .type = ELEMENT_I32, .role = OPERAND_OUTPUT, .compare = {.has_share = true, .share = 0.01}};
    const int32_t one_wrong[] = {1, 2, 3, 5}, two_wrong[] = {1, 9, 3, 5};

    (void)state;
    for (size_t i = 0; i < OUTPUTS; i++) {
        expected_values[i] = (double)i + 1;
        doubts[i] = 0;
    }
    assert_int_equal(compare_many(&operand, PROBE_EXACT, one_wrong, 4).wrong, 0);
    assert_int_equal(compare_many(&operand, PROBE_EXACT, two_wrong, 4).wrong, 2);
    doubts[1] = 1;
    assert_int_equal(compare_many(&operand, PROBE_EXACT, two_wrong, 4).wrong, 0);
    doubts[1] = 0;
}

static void test_check(void **state)
{
    const struct rubric_operand operand = {
        .type = ELEMENT_I32, .role = OPERAND_IN_PLACE, .compare = {.kind = COMPARE_CHECK}};
    const int32_t got[] = {1, 2, 9, 5};

    (void)state;
    objection = NULL;
    assert_int_equal(compare_many(&operand, PROBE_EXACT, got, 4).wrong, 0);
    objection = "the key 9 is too large";
    struct comparison comparison = compare_many(&operand, PROBE_EXACT, got, 4);
    assert_int_equal(comparison.wrong, 1);
    assert_int_equal(comparison.first_wrong, 2);
    assert_true(comparison.got == 9);
    assert_string_equal(comparison.objection, objection);
}

/* A byte that equals its poison may have been written, unless every probe says so. */
static void test_small_poison(void **state)
{
    const struct rubric rubric = {.arithmetic = ARITHMETIC_EPSILON};
    static const uint8_t poison[2][OUTPUTS] = {{11, 12, 13, 14}, {21, 22, 23, 24}};
    static const uint8_t after[2][OUTPUTS] = {{1, 12, 13, 9}, {1, 22, 8, 9}};
    struct rubric_launch launch = {.operand_count = 1,
                                   .operands = {{.type = ELEMENT_U8, .role = OPERAND_OUTPUT}}};
    struct sample samples[2];
    struct observation observation = {.element_counts = {OUTPUTS}, .samples = samples};

    (void)state;
    for (size_t i = 0; i < OUTPUTS; i++) {
        expected_values[i] = 1;
    }
    for (size_t count = 1; count <= 2; count++) {
        struct problem problem;
        struct comparison comparison;
        for (size_t i = 0; i < 2; i++) {
            samples[i] = (struct sample){.before = {poison[i]}, .after = {after[i]}};
        }
        observation.sample_count = count;
        problem_init(&rubric, &launch, &observation, &samples[0], 0, &problem);
        assert_true(compare_sample(&problem, &full_oracle, &comparison));
        assert_int_equal(comparison.wrong, 3);
        assert_int_equal(comparison.unwritten, count == 1 ? 0 : 1);
        assert_true(count == 1 || comparison.first_unwritten == 1);
    }
}

static void test_wide(void **state)
{
    const struct rubric_operand operand = {.type = ELEMENT_I64, .role = OPERAND_OUTPUT};
    const int64_t right = (INT64_C(1) << 53) + 1, wrong = INT64_C(1) << 53;

    (void)state;
    memcpy(expected_values, &right, sizeof right); /* int64_t are expected of i64 */
    assert_int_equal(compare_many(&operand, PROBE_EXACT, &right, 1).wrong, 0);
    struct comparison comparison = compare_many(&operand, PROBE_EXACT, &wrong, 1);
    assert_int_equal(comparison.wrong, 1);
    assert_int_equal(comparison.expected_integer, right);
    assert_int_equal(comparison.got_integer, wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_floats),
        cmocka_unit_test(test_exact_doubles),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_mistakes_within),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_small_poison),
        cmocka_unit_test(test_wide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
