/* fault_search.c: see fault_search.h. */
#include "diagnosis/dataflow/fault_search.h"

#include "criteria/results/compare.h"
#include "model/oracle_watch.h"

#include <math.h>
#include <string.h>

double fault_tolerance(const struct fault_search *search, double magnitude)
{
    const enum element_type type = search->flow.launch->operands[search->flow.output].type;

    return element_is_float(type) ? FLOAT_BOUND_UNITS * element_roundoff(type) * magnitude : 0.0;
}

bool fault_is_near(const struct fault_search *search, double value, size_t element)
{
    return fabs(value - search->expected[element]) <=
           fault_tolerance(search, search->magnitudes[element]);
}

static void mark_wrong_results(struct fault_search *search)
{
    size_t elements = search->problem.output_count;

    search->expected = arena_array(search->arena, elements, sizeof(double));
    search->magnitudes = arena_array(search->arena, elements, sizeof(double));
    search->is_wrong = arena_array(search->arena, search->flow.result_count, sizeof(bool));
    oracle_expect(search->input->oracle, &search->problem, search->expected, search->magnitudes);
    for (size_t i = 0; i < search->flow.result_count; i++) {
        const struct flow_result *result = &search->flow.results[i];
        search->is_wrong[i] = !fault_is_near(search, result->value, result->element);
        search->wrong_count += search->is_wrong[i] ? 1 : 0;
    }
}

size_t fault_thread_results(const struct fault_search *search, size_t first)
{
    size_t count = 1;

    while (first + count < search->flow.result_count &&
           search->flow.results[first + count].thread == search->flow.results[first].thread) {
        count++;
    }
    return count;
}

void fault_thread_facts(struct fault_search *search, uint32_t result,
                        struct thread_facts *out_facts)
{
    size_t first = result;

    while (first > 0 &&
           search->flow.results[first - 1].thread == search->flow.results[result].thread) {
        first--;
    }
    memset(out_facts, 0, sizeof *out_facts);
    thread_facts_fill(&search->block, first, fault_thread_results(search, first), out_facts);
}

static bool same_parameters(const struct observation *observation,
                            const struct trace_request *request)
{
    return observation->block == request->block &&
           memcmp(observation->parameters, request->parameters, sizeof request->parameters) == 0;
}

/* The exact sample of the traced case; NULL if there is none. */
static const struct sample *sample_of_trace(const struct fault_search *search,
                                            const struct observation **out_observation)
{
    const struct launch_run *run =
        &search->input->evidence->launch_runs[search->trace->request.launch];

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0;
             same_parameters(observation, &search->trace->request) && j < observation->sample_count;
             j++) {
            if (observation->samples[j].kind == PROBE_EXACT) {
                *out_observation = observation;
                return &observation->samples[j];
            }
        }
    }
    return NULL;
}

const bool *fault_right_elements(const struct fault_search *search)
{
    const struct observation *observation = NULL;
    const struct sample *sample = sample_of_trace(search, &observation);
    size_t elements = search->problem.output_count;
    size_t output = search->flow.output;
    struct problem problem;

    if (sample == NULL || observation->element_counts[output] != elements) {
        return NULL;
    }
    bool *right = arena_array(search->arena, elements, sizeof *right);
    double *expected = arena_array(search->arena, elements, sizeof *expected);
    double *magnitudes = arena_array(search->arena, elements, sizeof *magnitudes);
    problem_init(search->input->rubric, search->flow.launch, observation, sample, output, &problem);
    oracle_expect(search->input->oracle, &problem.posed.oracle, expected, magnitudes);
    for (size_t i = 0; i < elements; i++) {
        double got =
            element_value(search->flow.launch->operands[output].type, sample->after[output], i);
        right[i] = fabs(got - expected[i]) <= fault_tolerance(search, magnitudes[i]);
    }
    for (size_t i = 0; i < search->flow.result_count; i++) {
        right[search->flow.results[i].element] = !search->is_wrong[i];
    }
    return right;
}

uint64_t fault_written_bytes(const struct fault_search *search)
{
    const struct observation *observation = NULL;
    const struct sample *sample = sample_of_trace(search, &observation);

    return sample == NULL || !sample->counts.is_counted
               ? UINT64_MAX
               : sample->counts.operands[search->flow.output][COUNT_WRITE].bytes;
}

const struct trace_line *fault_line(const struct fault_search *search, uint32_t access)
{
    return &search->trace->lines[search->trace->accesses[access].line];
}

bool fault_search_init(struct fault_search *search)
{
    const struct trace_request *request = &search->trace->request;

    if (request->launch >= search->input->rubric->launch_count ||
        !trace_flow_init(search->arena, search->trace,
                         &search->input->rubric->launches[request->launch], &search->flow)) {
        return false;
    }
    struct observation traced = {.case_index = SIZE_MAX, .block = request->block};
    memcpy(traced.parameters, request->parameters, sizeof traced.parameters);
    memcpy(traced.element_counts, search->trace->element_counts, sizeof traced.element_counts);
    problem_pose(search->input->rubric, search->flow.launch, &traced, search->trace->inputs,
                 &search->posed);
    search->posed.oracle.parameters = request->parameters;
    search->problem = search->posed.oracle;
    if (!block_facts_init(search->input, search->arena, &search->flow, &search->problem,
                          &search->block)) {
        return false;
    }
    mark_wrong_results(search);
    search->block.few_are_wrong = search->wrong_count * 2 < search->flow.result_count;
    return true;
}
