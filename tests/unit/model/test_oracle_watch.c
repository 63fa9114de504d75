/* test_oracle_watch.c: what an oracle may do to the arrays that it is given. Each faulty call is
 * made in a child, which must end in it with a note. */
#include "model/oracle_watch.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ELEMENTS = 5 };

static void expect_beyond(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    (void)magnitudes;
    out[problem->output_count] = 1.0;
}

static void expect_nan(const struct oracle_problem *problem, double *out, double *magnitudes)
{
    (void)magnitudes;
    out[problem->output_count - 2] = (double)NAN;
}

static void expect_before(const struct oracle_problem *problem, void *const *out,
                          double *const *magnitudes)
{
    (void)problem;
    (void)out;
    magnitudes[0][-1] = 1.0;
}

static void make_beyond(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    ((uint8_t *)inputs[0])[problem->input_counts[0] * sizeof(float)] =
        (uint8_t)random->next(random->state);
}

static int check_nowhere(const struct oracle_problem *problem, const void *const *outputs,
                         struct oracle_objection *out)
{
    (void)outputs;
    out->element = problem->output_counts[0];
    return 1;
}

static void doubt_beyond(const struct oracle_problem *problem, size_t output, unsigned char *out)
{
    out[problem->output_counts[output]] = 1;
}

static void order_beyond(const struct oracle_problem *problem, float *out)
{
    out[problem->output_count] = 1.0f;
}

static int mistake_beyond(const struct oracle_problem *problem, double *out)
{
    out[problem->output_count] = 1.0;
    return 1;
}

static const struct oracle_mistake mistakes[] = {{.name = "m", .compute = mistake_beyond}};

static const struct rubric rubric = {.id = "c"};
static const struct rubric_launch launch = {
    .id = "l",
    .operands = {{.name = "in", .role = OPERAND_INPUT}, {.name = "out", .role = OPERAND_OUTPUT}},
    .operand_count = 2};

static void pose(struct posed_problem *problem, float *values)
{
    struct observation observation = {.element_counts = {ELEMENTS, ELEMENTS}};
    const void *operands[] = {values, NULL};

    problem_pose(&rubric, &launch, &observation, operands, problem);
}

/* Calls whatever the oracle has. */
static void call_all(const struct oracle *oracle)
{
    float values[ELEMENTS] = {0};
    const void *outputs[] = {values};
    unsigned char doubts[ELEMENTS];
    struct oracle_objection objection;
    struct posed_problem problem;
    struct rng rng;

    pose(&problem, values);
    rng_init(&rng, 1, 2, 3, 4);
    oracle_make_inputs(oracle, &launch, &problem, &rng);
    if (oracle->check != NULL) {
        oracle_check(oracle, &problem, outputs, &objection);
    }
    oracle_doubtful(oracle, &problem, 0, doubts);
    if (oracle->expect_in_order != NULL) {
        oracle_array_free(oracle_in_order(oracle, &problem.oracle));
    }
    for (size_t i = 0; i < oracle->mistake_count; i++) {
        int differs = 0;
        oracle_array_free(oracle_mistaken(oracle, &oracle->mistakes[i], &problem.oracle, &differs));
    }
    if (oracle->expect != NULL || oracle->expect_all != NULL) {
        struct oracle_results results = oracle_expect_output(oracle, &launch, &problem, 1);
        oracle_results_free(&results);
    }
}

static void test_faults(void **state)
{
    static const struct {
        struct oracle oracle;
        const char *call, *fault;
    } rows[] = {
        {{.expect = expect_beyond}, "expect() of ", "writes outside of the array for `out`"},
        {{.expect = expect_nan}, "expect() of ", "gives no number for element 3 of `out`"},
        {{.expect_all = expect_before},
         "expect_all() of ",
         "writes outside of the array for `out`"},
        {{.make_inputs = make_beyond}, "make_inputs() of ", "writes outside of the array for `in`"},
        {{.check = check_nowhere},
         "check() of ",
         "objects to element 5 of output 0, which does not exist"},
        {{.expect_in_order = order_beyond},
         "expect_in_order() of ",
         "writes outside of the array for `out_expected`"},
        {{.mistakes = mistakes, .mistake_count = 1},
         "a mistake's compute() of ",
         "writes outside of the array for `out_values`"},
        {{.doubtful = doubt_beyond},
         "doubtful() of ",
         "writes outside of the array for `out_doubtful`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct oracle_watch *watch = oracle_watch_new(ORACLE_LIMIT_MS);
        struct oracle oracle = rows[i].oracle;
        char call[ORACLE_NAME_BYTES];
        int status = 0;
        oracle.watch = watch;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            const struct rlimit none = {0, 0};
            setrlimit(RLIMIT_CORE, &none);
            signal(SIGABRT, SIG_DFL);
            call_all(&oracle);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        assert_true(oracle_watch_is_inside(watch));
        assert_string_equal(watch->fault, rows[i].fault);
        oracle_watch_describe(watch, call, sizeof call);
        assert_memory_equal(call, rows[i].call, strlen(rows[i].call));
        oracle_watch_free(watch);
    }
}

static void make_random(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    for (size_t i = 0; i < problem->input_counts[0]; i++) {
        ((float *)inputs[0])[i] = (float)oracle_random_range(random, -3, 3);
    }
}

static void test_made_inputs(void **state)
{
    const struct oracle oracle = {.make_inputs = make_random};
    float values[2][ELEMENTS] = {{100, 100, 100, 100, 100}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct posed_problem problem;
        struct rng rng;
        pose(&problem, values[i]);
        rng_init(&rng, 7, 0, 0, 0);
        oracle_make_inputs(&oracle, &launch, &problem, &rng);
        for (size_t j = 0; j < ELEMENTS; j++) {
            assert_true(values[i][j] >= -3 && values[i][j] <= 3);
        }
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_made_inputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
