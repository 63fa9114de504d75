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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_floats),
        cmocka_unit_test(test_exact_doubles),
        cmocka_unit_test(test_integers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
