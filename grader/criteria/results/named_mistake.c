/* named_mistake.c: see named_mistake.h.
 *
 * Computing a mistake costs as much as the whole product, so the smallest wrong probe comes first:
 * it rules out nearly all of them.
 */
#include "criteria/results/named_mistake.h"

#include "criteria/plain_case.h"
#include "model/oracle_watch.h"

#include <stdlib.h>
#include <string.h>

static int compare_probes(const void *left_item, const void *right_item)
{
    const struct exact_probe *left = left_item;
    const struct exact_probe *right = right_item;

    if (left->is_wrong != right->is_wrong) {
        return left->is_wrong ? -1 : 1;
    }
    size_t left_elements = observation_elements(left->observation);
    size_t right_elements = observation_elements(right->observation);
    return (left_elements > right_elements) - (left_elements < right_elements);
}

/* What one probe says of a mistake. */
enum opinion { CANNOT_JUDGE, AGREES, DISAGREES };

static enum opinion judge_probe(const struct rubric *rubric, const struct oracle *oracle,
                                const struct oracle_mistake *mistake,
                                const struct rubric_launch *launch, const struct exact_probe *probe)
{
    struct problem problem;
    enum opinion opinion = CANNOT_JUDGE;

    problem_init(rubric, launch, probe->observation, probe->sample, output_operand(launch),
                 &problem);
    int differs = 0;
    double *values = oracle_mistaken(oracle, mistake, &problem.posed.oracle, &differs);
    if (differs != 0) {
        opinion = output_agrees(&problem, oracle, values) ? AGREES : DISAGREES;
    }
    oracle_array_free(values);
    return opinion;
}

const struct oracle_mistake *find_named_mistake(const struct rubric *rubric,
                                                const struct oracle *oracle,
                                                const struct rubric_launch *launch,
                                                struct exact_probe *probes, size_t count)
{
    if (count > 1) {
        qsort(probes, count, sizeof *probes, compare_probes);
    }
    for (size_t i = 0; i < oracle->mistake_count; i++) {
        bool explains = false;
        bool refuted = false;
        for (size_t j = 0; j < count && !refuted; j++) {
            enum opinion opinion =
                judge_probe(rubric, oracle, &oracle->mistakes[i], launch, &probes[j]);
            refuted = opinion == DISAGREES;
            explains = explains || (opinion == AGREES && probes[j].is_wrong);
        }
        if (explains && !refuted) {
            return &oracle->mistakes[i];
        }
    }
    return NULL;
}

static bool is_listed(const char *const *names, const char *name)
{
    while (names != NULL && *names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return names != NULL && *names != NULL;
}

enum mistake_place mistake_place(const struct oracle *oracle, const struct oracle_mistake *mistake)
{
    return is_listed(oracle->launch_mistakes, mistake->name) ? MADE_BY_LAUNCH
           : is_listed(oracle->copy_mistakes, mistake->name) ? MADE_BY_COPY
                                                             : MADE_IN_KERNEL;
}
