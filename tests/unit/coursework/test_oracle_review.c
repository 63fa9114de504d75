/* test_oracle_review.c: oracles with one mistake each, and the line that names it. */
#include "coursework/review.h"

#include "rubric/rubric_load.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* y[i] = x[i] + x[i + 1], of n + 1 elements */
static const char rubric_text[] =
    "{\"schema\": \"gpugrade/rubric/v1\", \"id\": \"pairs\", \"version\": 1, \"title\": "
    "\"pairs\",\n"
    "\"gpu_model\": \"H200\", %s \"programs\": [{\"id\": \"p\", \"title\": \"p\", \"sources\": "
    "[\"p.cu\"]}],\n"
    "\"parameters\": [{\"name\": \"n\"}],\n"
    "\"cases\": [{\"id\": \"one\", \"n\": 1}, {\"id\": \"some\", \"repeat\": 2, \"n\": [40, "
    "90]}],\n"
    "\"launches\": [{\"id\": \"l\", \"title\": \"l\", \"program\": \"p\", \"kernel\": \"k\", "
    "\"input\": [\"n\"], \"first\": {\"n\": 64}, \"blocks\": [16, 32],\n"
    "\"operands\": [{\"name\": \"x\", \"bind\": {\"argument\": 0}, \"type\": \"%s\", \"shape\": "
    "[\"n + 1\"], \"role\": \"input\"},\n"
    "{\"name\": \"y\", \"bind\": {\"argument\": 1}, \"type\": \"%s\", \"shape\": [\"n\"], "
    "\"role\": \"output\"}]}],\n"
    "\"criteria\": [{\"id\": \"c\", \"kind\": \"correct\", \"title\": \"c\", \"points\": 100, "
    "\"launch\": \"l\"}]}\n";

static double x(const struct oracle_problem *problem, size_t i)
{
    return ((const float *)problem->inputs[0])[i];
}

static void expect_right(const struct oracle_problem *problem, double *out_expected,
                         double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = x(problem, i) + x(problem, i + 1);
        out_magnitudes[i] = fabs(x(problem, i)) + fabs(x(problem, i + 1));
    }
}

static void expect_integers(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    const int32_t *values = problem->inputs[0];
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = (double)values[i] + values[i + 1];
        out_magnitudes[i] = 0; /* nothing is rounded */
    }
}

static void expect_no_last(const struct oracle_problem *problem, double *out_expected,
                           double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    out_expected[problem->output_count - 1] = NAN;
}

/* Of pairs, the next one: an array of n + 1 pairs has two numbers more than one of n. */
static void expect_next_pair(const struct oracle_problem *problem, double *out_expected,
                             double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = x(problem, i + 2);
        out_magnitudes[i] = fabs(out_expected[i]);
    }
}

/* The arrays are zeros. */
static void expect_added_up(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    double expected[1024], magnitudes[1024];

    expect_right(problem, expected, magnitudes);
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] += expected[i];
        out_magnitudes[i] += magnitudes[i];
    }
}

static void expect_small_magnitudes(const struct oracle_problem *problem, double *out_expected,
                                    double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    out_magnitudes[problem->output_count - 1] = fabs(out_expected[problem->output_count - 1]) / 2;
}

static void expect_thirds(const struct oracle_problem *problem, double *out_expected,
                          double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    out_expected[0] = 1.0 / 3.0;
    out_magnitudes[0] = 1;
}

static void expect_other_each_time(const struct oracle_problem *problem, double *out_expected,
                                   double *out_magnitudes)
{
    static int calls;
    expect_right(problem, out_expected, out_magnitudes);
    out_expected[0] += calls++;
    out_magnitudes[0] += calls;
}

/* f(n + 1), which is one element of the output too many. */
static void expect_one_more(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    out_expected[problem->output_count] = 0;
}

static void expect_one_before(const struct oracle_problem *problem, double *out_expected,
                              double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    out_magnitudes[-1] = 0;
}

static void expect_in_place(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    expect_right(problem, out_expected, out_magnitudes);
    ((float *)problem->inputs[0])[0] += 1;
}

/* The last element is taken with the one behind the input, which has n + 1. */
static void expect_from_outside(const struct oracle_problem *problem, double *out_expected,
                                double *out_magnitudes)
{
    const unsigned char *bytes = problem->inputs[0];
    size_t behind = (problem->output_count + 1) * sizeof(float);

    expect_right(problem, out_expected, out_magnitudes);
    out_expected[problem->output_count - 1] = bytes[behind];
    out_magnitudes[problem->output_count - 1] = bytes[behind];
}

static void expect_negative(const struct oracle_problem *problem, double *out_expected,
                            double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = -1;
        out_magnitudes[i] = 1;
    }
}

static void expect_halves(const struct oracle_problem *problem, double *out_expected,
                          double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = 0.5;
        out_magnitudes[i] = 1;
    }
}

static void expect_large(const struct oracle_problem *problem, double *out_expected,
                         double *out_magnitudes)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = out_magnitudes[i] = 1e30;
    }
}

static void in_order_right(const struct oracle_problem *problem, float *out_expected)
{
    for (size_t i = 0; i < problem->output_count; i++) {
        out_expected[i] = (float)(x(problem, i) + x(problem, i + 1));
    }
}

static void in_order_one_more(const struct oracle_problem *problem, float *out_expected)
{
    in_order_right(problem, out_expected);
    out_expected[problem->output_count] = 0;
}

static void in_order_no_number(const struct oracle_problem *problem, float *out_expected)
{
    (void)problem;
    out_expected[0] = NAN;
}

static size_t needs_right(const struct oracle_problem *problem, size_t element,
                          struct oracle_need *out_needs, size_t capacity)
{
    (void)problem;
    for (size_t i = 0; i < 2 && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){.input = 0, .element = element + i};
    }
    return 2;
}

static size_t needs_one_less(const struct oracle_problem *problem, size_t element,
                             struct oracle_need *out_needs, size_t capacity)
{
    needs_right(problem, element, out_needs, capacity);
    return 1;
}

static size_t needs_twice(const struct oracle_problem *problem, size_t element,
                          struct oracle_need *out_needs, size_t capacity)
{
    needs_right(problem, element, out_needs, capacity);
    out_needs[1] = out_needs[0];
    return 2;
}

static size_t needs_outside(const struct oracle_problem *problem, size_t element,
                            struct oracle_need *out_needs, size_t capacity)
{
    needs_right(problem, element, out_needs, capacity);
    out_needs[1].element = problem->output_count + 1;
    return 2;
}

static size_t needs_of_a_second_input(const struct oracle_problem *problem, size_t element,
                                      struct oracle_need *out_needs, size_t capacity)
{
    needs_right(problem, element, out_needs, capacity);
    out_needs[1].input = 1;
    return 2;
}

/* Only x[i]. */
static int first_only(const struct oracle_problem *problem, double *out_values)
{
    int differs = 0;
    for (size_t i = 0; i < problem->output_count; i++) {
        out_values[i] = x(problem, i);
        differs = differs || x(problem, i + 1) != 0;
    }
    return differs;
}

static int last_unwritten(const struct oracle_problem *problem, double *out_values)
{
    double magnitudes[1024];
    expect_right(problem, out_values, magnitudes);
    out_values[problem->output_count - 1] = NAN;
    return 1;
}

static int nothing_ever(const struct oracle_problem *problem, double *out_values)
{
    (void)problem;
    (void)out_values;
    return 0;
}

static int one_more(const struct oracle_problem *problem, double *out_values)
{
    double magnitudes[1024];
    expect_right(problem, out_values, magnitudes);
    out_values[problem->output_count] = 0;
    return 1;
}

static int the_right_result(const struct oracle_problem *problem, double *out_values)
{
    double magnitudes[1024];
    expect_right(problem, out_values, magnitudes);
    return 1;
}

static const struct oracle_mistake good_mistakes[] = {
    {"first_only", "the right neighbour is missing", "add it", first_only},
    {"last_unwritten", "the last is never written", "go to n", last_unwritten},
};
static const struct oracle_mistake never_told[] = {
    {"nothing_ever", "nothing", "nothing", nothing_ever}};
static const struct oracle_mistake writes_outside[] = {{"one_more", "m", "h", one_more}};
static const struct oracle_mistake no_mistake[] = {
    {"the_right_result", "nothing", "nothing", the_right_result}};
static const struct oracle_mistake twins[] = {
    {"first_only", "the right neighbour is missing", "add it", first_only},
    {"left_only", "the right neighbour is missing", "add it", first_only},
};

static const struct {
    const char *options, *type;
    struct oracle oracle;
    const char *line; /* that must be there */
    size_t failed;
} rows[] = {
    {"",
     "f32",
     {.expect = expect_right, .mistakes = good_mistakes, .mistake_count = 2, .needs = needs_right},
     "ok    oracle: 6 cases, 2 named mistakes\n",
     0},
    {"", "f32", {.expect = expect_right}, "ok    oracle: 6 cases, 0 named mistakes\n", 0},
    {"", "f32", {.expect = expect_added_up}, "ok    oracle: 6 cases, 0 named mistakes\n", 0},
    {"", "f32x2", {.expect = expect_next_pair}, "ok    oracle: 6 cases, 0 named mistakes\n", 0},
    {"", "i32", {.expect = expect_integers}, "ok    oracle: 6 cases, 0 named mistakes\n", 0},
    {"",
     "f32",
     {.expect = expect_no_last},
     "FAIL  oracle: expect() gives no finite value for element 0 in the case 'one' of 'l', block "
     "16\n",
     1},
    {"",
     "f32",
     {.expect = expect_small_magnitudes},
     "FAIL  oracle: the magnitude of element 0 is ",
     1},
    {"",
     "f32",
     {.expect = expect_thirds},
     "FAIL  oracle: element 0 must be 0.33333333333333331, which the output's type cannot hold",
     1},
    {"\"arithmetic\": \"exact\",",
     "f32",
     {.expect = expect_thirds},
     "ok    oracle: 6 cases, 0 named mistakes\n",
     0},
    {"",
     "f32",
     {.expect = expect_other_each_time},
     "FAIL  oracle: expect() gives other values the second time in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .needs = needs_one_less},
     "FAIL  oracle: element 0 changes with values that needs() does not list, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .needs = needs_twice},
     "FAIL  oracle: needs() lists element 0 of input 0 twice for element 0, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .needs = needs_outside},
     "FAIL  oracle: needs() lists element 2 of input 0, which does not exist, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .needs = needs_of_a_second_input},
     "FAIL  oracle: needs() lists element 1 of input 1, which does not exist, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .mistakes = never_told, .mistake_count = 1},
     "note  oracle: the mistake 'nothing_ever' differs from the right result in no case",
     0},
    {"",
     "f32",
     {.expect = expect_right, .mistakes = no_mistake, .mistake_count = 1},
     "FAIL  oracle: the mistake 'the_right_result' gives the right result in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .mistakes = twins, .mistake_count = 2},
     "note  oracle: the mistake 'left_only' gives the same results as 'first_only' in all cases",
     0},
    {"\"arithmetic\": \"fmad=false\",",
     "f32",
     {.expect = expect_right},
     "FAIL  oracle: the rubric asks for \"fmad=false\", but the oracle has no expect_in_order\n",
     1},
    {"\"arithmetic\": \"fmad=false\",",
     "f32",
     {.expect = expect_right, .expect_in_order = in_order_right},
     "ok    oracle: 6 cases, 0 named mistakes\n",
     0},
    {"\"arithmetic\": \"fmad=false\",",
     "f32",
     {.expect = expect_right, .expect_in_order = in_order_one_more},
     "FAIL  oracle: expect_in_order() writes outside the array that it must fill, in the case",
     1},
    {"\"arithmetic\": \"fmad=false\",",
     "f32",
     {.expect = expect_right, .expect_in_order = in_order_no_number},
     "FAIL  oracle: expect_in_order() gives no finite value for element 0 in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_one_more},
     "FAIL  oracle: expect() writes outside the array that it must fill, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_one_before},
     "FAIL  oracle: expect() writes outside the array that it must fill, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_from_outside},
     "FAIL  oracle: expect() gives other values the second time in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_in_place},
     "FAIL  oracle: expect() writes to the operand 'x', which is an input, in the case 'one'",
     1},
    {"",
     "f32",
     {.expect = expect_right, .mistakes = writes_outside, .mistake_count = 1},
     "FAIL  oracle: the mistake 'one_more' writes outside the array that it must fill",
     1},
    {"\"arithmetic\": \"exact\",",
     "u32",
     {.expect = expect_negative},
     "FAIL  oracle: element 0 must be -1, which the output's type cannot hold",
     1},
    {"\"arithmetic\": \"exact\",",
     "u32",
     {.expect = expect_halves},
     "FAIL  oracle: element 0 must be 0.5, which the output's type cannot hold",
     1},
    {"\"arithmetic\": \"exact\",",
     "i32",
     {.expect = expect_large},
     "FAIL  oracle: element 0 must be 1e+30, which the output's type cannot",
     1},
};

static void each_oracle_gets_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const struct rubric *rubric = NULL;
        struct diagnostic diagnostic = {.message = ""};
        struct text out;
        char *json = arena_printf(arena, rubric_text, rows[i].options, rows[i].type, rows[i].type);
        if (rubric_parse(arena, json, strlen(json), "pairs.json", GPUGRADE_SOURCE_DIR, &rubric,
                         &diagnostic) != ERROR_NONE) {
            fail_msg("%s", diagnostic.message);
        }
        text_init(&out);
        struct review review = {.arena = arena, .out = &out, .seed = 7};
        review_oracle(&review, rubric, &rows[i].oracle);
        if (strstr(out.bytes, rows[i].line) == NULL) {
            fail_msg("expected \"%s\" in \"%s\"", rows[i].line, out.bytes);
        }
        assert_int_equal(review.failed, rows[i].failed);
        assert_int_equal(strstr(out.bytes, "ok    oracle") != NULL, rows[i].failed == 0);
        text_release(&out);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_oracle_gets_its_line)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
