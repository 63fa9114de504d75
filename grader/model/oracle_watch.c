/* oracle_watch.c: see oracle_watch.h. */
#include "model/oracle_watch.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The runs of a submission's programs are threads, and each asks for inputs. */
static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;

struct oracle_watch *oracle_watch_new(uint32_t limit_ms)
{
    struct oracle_watch *watch =
        mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (watch == MAP_FAILED) {
        abort();
    }
    watch->limit_ms = limit_ms;
    return watch;
}

void oracle_watch_free(struct oracle_watch *watch)
{
    if (watch != NULL) {
        munmap(watch, sizeof *watch);
    }
}

void oracle_watch_enter(struct oracle_watch *watch, enum oracle_call call)
{
    pthread_mutex_lock(&inside);
    if (watch != NULL) {
        atomic_store(&watch->call, (uint32_t)call);
        atomic_fetch_add(&watch->steps, 1);
    }
}

void oracle_watch_leave(struct oracle_watch *watch)
{
    if (watch != NULL) {
        atomic_fetch_add(&watch->steps, 1);
    }
    pthread_mutex_unlock(&inside);
}

void oracle_watch_fail(struct oracle_watch *watch, const char *format, ...)
{
    va_list arguments;

    if (watch != NULL) {
        va_start(arguments, format);
        vsnprintf(watch->fault, sizeof watch->fault, format, arguments);
        va_end(arguments);
    }
    abort();
}

bool oracle_watch_is_inside(const struct oracle_watch *watch)
{
    return atomic_load(&watch->steps) % 2 == 1;
}

void oracle_expect(const struct oracle *oracle, const struct oracle_problem *problem,
                   double *out_expected, double *out_magnitudes)
{
    oracle_watch_enter(oracle->watch, ORACLE_EXPECT);
    oracle->expect(problem, out_expected, out_magnitudes);
    oracle_watch_leave(oracle->watch);
}

void oracle_expect_in_order(const struct oracle *oracle, const struct oracle_problem *problem,
                            float *out_expected)
{
    oracle_watch_enter(oracle->watch, ORACLE_EXPECT_IN_ORDER);
    oracle->expect_in_order(problem, out_expected);
    oracle_watch_leave(oracle->watch);
}

size_t oracle_needs(const struct oracle *oracle, const struct oracle_problem *problem,
                    size_t element, struct oracle_need *out_needs, size_t capacity)
{
    oracle_watch_enter(oracle->watch, ORACLE_NEEDS);
    size_t count = oracle->needs(problem, element, out_needs, capacity);
    oracle_watch_leave(oracle->watch);
    return count;
}

int oracle_mistake_values(const struct oracle *oracle, const struct oracle_mistake *mistake,
                          const struct oracle_problem *problem, double *out_values)
{
    oracle_watch_enter(oracle->watch, ORACLE_MISTAKE);
    int differs = mistake->compute(problem, out_values);
    oracle_watch_leave(oracle->watch);
    return differs;
}

/* Arrays with guards *************************************************************************/

enum { GUARD_BYTES = 64, GUARD = 0xa7 };

/* An array of zeros between two guards. */
static void *guarded_new(size_t bytes)
{
    unsigned char *memory = calloc(1, bytes + 2 * (size_t)GUARD_BYTES);

    if (memory == NULL) {
        abort();
    }
    memset(memory, GUARD, GUARD_BYTES);
    memset(memory + GUARD_BYTES + bytes, GUARD, GUARD_BYTES);
    return memory + GUARD_BYTES;
}

static bool guarded_is_whole(const void *array, size_t bytes)
{
    const unsigned char *before = (const unsigned char *)array - GUARD_BYTES;
    const unsigned char *behind = (const unsigned char *)array + bytes;

    for (size_t i = 0; i < GUARD_BYTES; i++) {
        if (before[i] != GUARD || behind[i] != GUARD) {
            return false;
        }
    }
    return true;
}

static void guarded_free(void *array)
{
    if (array != NULL) {
        free((unsigned char *)array - GUARD_BYTES);
    }
}

static void check_guards(const struct oracle *oracle, const void *array, size_t bytes,
                         const char *name)
{
    if (!guarded_is_whole(array, bytes)) {
        oracle_watch_fail(oracle->watch, "writes outside of the array for `%s`", name);
    }
}

bool oracle_expects(const struct oracle *oracle, const struct rubric_launch *launch)
{
    size_t results = 0, compared = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        results += operand_is_result(operand) ? 1 : 0;
        compared += operand_is_result(operand) && operand->compare.kind != COMPARE_CHECK ? 1 : 0;
    }
    return compared == 0 || oracle->expect_all != NULL || (results == 1 && oracle->expect != NULL);
}

/* All arrays of one call that asks what is expected. */
struct expected_arrays {
    void *expected[RUBRIC_OPERANDS_MAX]; /* [output_total] */
    double *magnitudes[RUBRIC_OPERANDS_MAX];
    size_t operands[RUBRIC_OPERANDS_MAX]; /* of the launch */
};

static void check_expected(const struct oracle *oracle, const struct rubric_operand *operand,
                           const double *expected, const double *magnitudes, size_t count)
{
    const bool are_integers = element_is_wide(operand->type) && oracle->expect_all != NULL;

    check_guards(oracle, expected, count * sizeof *expected, operand->name);
    check_guards(oracle, magnitudes, count * sizeof *magnitudes, operand->name);
    for (size_t i = 0; operand->compare.kind != COMPARE_CHECK && i < count; i++) {
        if ((!are_integers && isnan(expected[i])) || isnan(magnitudes[i])) {
            oracle_watch_fail(oracle->watch, "gives no number for element %zu of `%s`", i,
                              operand->name);
        }
    }
}

static void call_expect(const struct oracle *oracle, const struct posed_problem *problem,
                        const struct rubric_launch *launch, const struct expected_arrays *arrays)
{
    const bool asks_all = oracle->expect_all != NULL;

    oracle_watch_enter(oracle->watch, asks_all ? ORACLE_EXPECT_ALL : ORACLE_EXPECT);
    if (asks_all) {
        oracle->expect_all(&problem->oracle, arrays->expected, arrays->magnitudes);
    } else {
        oracle->expect(&problem->oracle, arrays->expected[0], arrays->magnitudes[0]);
    }
    for (size_t i = 0; i < problem->output_total; i++) {
        check_expected(oracle, &launch->operands[arrays->operands[i]], arrays->expected[i],
                       arrays->magnitudes[i], problem->output_counts[i]);
    }
    oracle_watch_leave(oracle->watch);
}

/* Takes the arrays of one output over. */
static struct oracle_results take_results(const struct oracle *oracle, enum element_type type,
                                          void *expected, double *magnitudes, size_t count)
{
    struct oracle_results results = {.expected = expected, .magnitudes = magnitudes};

    if (element_is_wide(type)) {
        const bool are_integers = oracle->expect_all != NULL;
        results.integers = are_integers ? expected : guarded_new(count * sizeof(int64_t));
        results.expected = are_integers ? guarded_new(count * sizeof(double)) : expected;
        for (size_t i = 0; i < count; i++) {
            if (are_integers) {
                results.expected[i] = element_value(type, expected, i);
            } else {
                element_store(type, results.integers, i, results.expected[i]);
            }
        }
    }
    return results;
}

struct oracle_results oracle_expect_output(const struct oracle *oracle,
                                           const struct rubric_launch *launch,
                                           const struct posed_problem *problem, size_t operand)
{
    struct expected_arrays arrays = {.expected = {NULL}};
    struct oracle_results results = {.expected = NULL};
    size_t count = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_is_result(&launch->operands[i])) {
            size_t bytes = problem->output_counts[count] * sizeof(double);
            arrays.expected[count] = guarded_new(bytes);
            arrays.magnitudes[count] = guarded_new(bytes);
            arrays.operands[count++] = i;
        }
    }
    call_expect(oracle, problem, launch, &arrays);
    for (size_t i = 0; i < count; i++) {
        if (arrays.operands[i] == operand) {
            results = take_results(oracle, launch->operands[operand].type, arrays.expected[i],
                                   arrays.magnitudes[i], problem->output_counts[i]);
        } else {
            guarded_free(arrays.expected[i]);
            guarded_free(arrays.magnitudes[i]);
        }
    }
    return results;
}

void oracle_results_free(struct oracle_results *results)
{
    guarded_free(results->expected);
    guarded_free(results->integers);
    guarded_free(results->magnitudes);
    *results = (struct oracle_results){.expected = NULL};
}

float *oracle_in_order(const struct oracle *oracle, const struct oracle_problem *problem)
{
    const size_t bytes = problem->output_count * sizeof(float);
    float *values = guarded_new(bytes);

    oracle_watch_enter(oracle->watch, ORACLE_EXPECT_IN_ORDER);
    oracle->expect_in_order(problem, values);
    check_guards(oracle, values, bytes, "out_expected");
    oracle_watch_leave(oracle->watch);
    return values;
}

double *oracle_mistaken(const struct oracle *oracle, const struct oracle_mistake *mistake,
                        const struct oracle_problem *problem, int *out_differs)
{
    const size_t bytes = problem->output_count * sizeof(double);
    double *values = guarded_new(bytes);

    oracle_watch_enter(oracle->watch, ORACLE_MISTAKE);
    *out_differs = mistake->compute(problem, values);
    check_guards(oracle, values, bytes, "out_values");
    oracle_watch_leave(oracle->watch);
    return values;
}

void oracle_array_free(void *array)
{
    guarded_free(array);
}

static uint64_t next_random(void *state)
{
    return rng_next(state);
}

void oracle_make_inputs(const struct oracle *oracle, const struct rubric_launch *launch,
                        const struct posed_problem *problem, struct rng *rng)
{
    struct oracle_random random = {.next = next_random, .state = rng};
    struct posed_problem guarded = *problem;
    void *inputs[RUBRIC_OPERANDS_MAX] = {NULL};
    size_t bytes[RUBRIC_OPERANDS_MAX] = {0};
    const char *names[RUBRIC_OPERANDS_MAX] = {NULL};
    size_t count = 0;

    if (oracle == NULL || oracle->make_inputs == NULL) {
        return;
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        if (operand_has_values(&launch->operands[i])) {
            bytes[count] = problem->input_counts[count] * element_bytes(launch->operands[i].type);
            names[count] = launch->operands[i].name;
            inputs[count] = guarded_new(bytes[count]);
            memcpy(inputs[count], problem->inputs[count], bytes[count]);
            guarded.inputs[count] = inputs[count];
            count++;
        }
    }
    guarded.oracle.inputs = guarded.inputs;
    oracle_watch_enter(oracle->watch, ORACLE_MAKE_INPUTS);
    oracle->make_inputs(&guarded.oracle, &random, inputs);
    for (size_t i = 0; i < count; i++) {
        check_guards(oracle, inputs[i], bytes[i], names[i]);
    }
    oracle_watch_leave(oracle->watch);
    for (size_t i = 0; i < count; i++) {
        memcpy((void *)problem->inputs[i], inputs[i], bytes[i]);
        guarded_free(inputs[i]);
    }
}

bool oracle_check(const struct oracle *oracle, const struct posed_problem *problem,
                  const void *const *outputs, struct oracle_objection *out_objection)
{
    struct oracle_objection objection = {.output = 0};

    oracle_watch_enter(oracle->watch, ORACLE_CHECK);
    bool is_right = oracle->check(&problem->oracle, outputs, &objection) == 0;
    if (!is_right && (objection.output >= problem->output_total ||
                      objection.element >= problem->output_counts[objection.output])) {
        oracle_watch_fail(oracle->watch,
                          "objects to element %zu of output %zu, which does not exist",
                          objection.element, objection.output);
    }
    oracle_watch_leave(oracle->watch);
    objection.sentence[ORACLE_SENTENCE_BYTES - 1] = '\0';
    *out_objection = objection;
    return is_right;
}

void oracle_doubtful(const struct oracle *oracle, const struct posed_problem *problem,
                     size_t output, unsigned char *out_doubtful)
{
    const size_t count = problem->output_counts[output];

    memset(out_doubtful, 0, count);
    if (oracle->doubtful == NULL) {
        return;
    }
    unsigned char *marks = guarded_new(count);
    oracle_watch_enter(oracle->watch, ORACLE_DOUBTFUL);
    oracle->doubtful(&problem->oracle, output, marks);
    check_guards(oracle, marks, count, "out_doubtful");
    oracle_watch_leave(oracle->watch);
    memcpy(out_doubtful, marks, count);
    guarded_free(marks);
}

void oracle_watch_describe(const struct oracle_watch *watch, char *out_text, size_t bytes)
{
    static const char *const calls[] = {
        [ORACLE_LOADED] = "loading",
        [ORACLE_EXPECT] = "expect() of",
        [ORACLE_EXPECT_IN_ORDER] = "expect_in_order() of",
        [ORACLE_NEEDS] = "needs() of",
        [ORACLE_MISTAKE] = "a mistake's compute() of",
        [ORACLE_EXPECT_ALL] = "expect_all() of",
        [ORACLE_MAKE_INPUTS] = "make_inputs() of",
        [ORACLE_CHECK] = "check() of",
        [ORACLE_DOUBTFUL] = "doubtful() of",
    };
    uint32_t call = atomic_load(&watch->call);

    snprintf(out_text, bytes, "%s %.*s", calls[call <= ORACLE_DOUBTFUL ? call : ORACLE_LOADED],
             (int)sizeof watch->name - 1, watch->name);
}
