/* moved_results.c: see moved_results.h. */
#include "diagnosis/dataflow/moved_results.h"

#include <stdlib.h>

/* Fewer that equal another element's result may do so by chance. */
enum { MOVED_RESULTS_MIN = 8 };

struct ranked {
    double expected;
    uint32_t element;
};

static int compare_ranked(const void *left_item, const void *right_item)
{
    const struct ranked *left = left_item;
    const struct ranked *right = right_item;

    if (left->expected != right->expected) {
        return left->expected < right->expected ? -1 : 1;
    }
    return (left->element > right->element) - (left->element < right->element);
}

/* The other element whose expected value is nearest to a result, if it is near enough; FLOW_NONE
 * otherwise. */
static uint32_t element_of_value(const struct fault_search *search, const struct ranked *ranked,
                                 double value)
{
    size_t low = 0;
    size_t high = search->problem.output_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranked[middle].expected < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (size_t i = low > 0 ? low - 1 : 0; i <= low && i < search->problem.output_count; i++) {
        if (fault_is_near(search, value, ranked[i].element)) {
            return ranked[i].element;
        }
    }
    return FLOW_NONE;
}

bool find_moved_results(const struct fault_search *search, struct claim *out_claim)
{
    size_t elements = search->problem.output_count;
    const bool *right = fault_right_elements(search);
    size_t moved = 0;

    if (search->wrong_count < MOVED_RESULTS_MIN || right == NULL) {
        return false;
    }
    struct ranked *ranked = arena_array(search->arena, elements, sizeof *ranked);
    for (size_t i = 0; i < elements; i++) {
        ranked[i] = (struct ranked){search->expected[i], (uint32_t)i};
    }
    qsort(ranked, elements, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < search->flow.result_count; i++) {
        uint32_t of = search->is_wrong[i]
                          ? element_of_value(search, ranked, search->flow.results[i].value)
                          : FLOW_NONE;
        if (of == FLOW_NONE || right[of]) {
            continue;
        }
        if (moved++ == 0 || search->flow.results[i].element == search->trace->request.element) {
            *out_claim = (struct claim){.kind = CLAIM_MOVED,
                                        .access = search->flow.results[i].access,
                                        .result = (uint32_t)i,
                                        .wanted = of};
        }
    }
    return moved * 10 >= search->wrong_count * 9 && moved >= MOVED_RESULTS_MIN;
}
