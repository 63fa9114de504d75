/* place_left_out.c: see place_left_out.h. */
#include "criteria/place_left_out.h"

/* The element that each thread writes as a function of its place, from three threads. */
struct store_plan {
    int64_t origin, step[3];
    bool known[3];
};

static void plan_step(const struct place_search *search, const struct flow_result *from,
                      const struct flow_result *to, struct store_plan *plan)
{
    uint32_t left[3];
    uint32_t right[3];
    size_t moved = 0;
    size_t axis = 0;

    flow_thread(&search->flow, from->thread, left);
    flow_thread(&search->flow, to->thread, right);
    for (size_t i = 0; i < 3; i++) {
        moved += left[i] != right[i] ? 1 : 0;
        axis = left[i] != right[i] ? i : axis;
    }
    if (moved != 1 || plan->known[axis]) {
        return;
    }
    int64_t distance = (int64_t)right[axis] - left[axis];
    int64_t elements = (int64_t)to->element - from->element;
    if (elements % distance == 0) {
        plan->step[axis] = elements / distance;
        plan->known[axis] = true;
    }
}

static int64_t planned_element(const struct place_search *search, const struct store_plan *plan,
                               uint32_t thread)
{
    int64_t element = plan->origin;
    uint32_t index[3];

    flow_thread(&search->flow, thread, index);
    for (size_t i = 0; i < 3; i++) {
        element += plan->step[i] * (int64_t)index[i];
    }
    return element;
}

/* Learns the plan; false if the stores follow none, or it says nothing of some direction. */
static bool learn_plan(const struct place_search *search, struct store_plan *plan)
{
    const struct flow_result *results = search->flow.results;

    for (size_t i = 1; i < search->flow.result_count; i++) {
        plan_step(search, &results[0], &results[i], plan);
    }
    for (size_t i = 0; i < 3; i++) {
        if (search->trace->block[i] > 1 && !plan->known[i]) {
            return false;
        }
    }
    plan->origin = (int64_t)results[0].element - planned_element(search, plan, results[0].thread);
    for (size_t i = 0; i < search->flow.result_count; i++) {
        if (planned_element(search, plan, results[i].thread) != results[i].element) {
            return false;
        }
    }
    return true;
}

/* Threads of the block that come to no store, though the element that they should store by the
 * others' plan is not right. */
static bool find_missing_store(struct place_search *search, const bool *right,
                               struct claim *out_claim)
{
    bool *stores = arena_array(search->arena, search->flow.thread_count, sizeof *stores);
    struct store_plan plan = {0};

    if (search->flow.result_count < 2 || !learn_plan(search, &plan)) {
        return false;
    }
    for (size_t i = 0; i < search->flow.result_count; i++) {
        stores[search->flow.results[i].thread] = true;
    }
    for (uint32_t i = 0; i < search->flow.thread_count; i++) {
        int64_t element = planned_element(search, &plan, i);
        if (stores[i] || element < 0 || element >= (int64_t)search->problem.output_count ||
            right[element]) {
            continue;
        }
        *out_claim = (struct claim){.kind = CLAIM_NO_STORE,
                                    .access = search->flow.results[0].access,
                                    .wanted = (uint32_t)element,
                                    .count = i};
        return true;
    }
    return false;
}

/* Enough threads for the whole output, all of which store, and yet an element that nobody writes:
 * blocks must store the same elements. */
static bool find_not_covered(const struct place_search *search, struct claim *out_claim)
{
    const uint32_t *grid = search->trace->grid;
    double blocks = (double)grid[0] * grid[1] * grid[2];

    if (search->trace->wrote_element || search->flow.result_count == 0 ||
        blocks * (double)search->flow.result_count < (double)search->problem.output_count ||
        search->trace->request.element >= search->problem.output_count) {
        return false;
    }
    *out_claim = (struct claim){.kind = CLAIM_NOT_COVERED,
                                .access = search->flow.results[0].access,
                                .wanted = (uint32_t)search->trace->request.element};
    return true;
}

bool find_kept(const struct place_search *search, struct claim *out_claim)
{
    for (size_t i = 0; i < search->trace->access_count; i++) {
        if (search->flow.accesses[i].valid && block_is_kept(&search->block, (uint32_t)i) &&
            place_line(search, (uint32_t)i)->line > 0) {
            *out_claim = (struct claim){.kind = CLAIM_KEPT, .access = (uint32_t)i};
            return true;
        }
    }
    return false;
}

/* What came out wrong in the probe and right here, from other inputs and a fresh start, depends on
 * something else than the inputs. */
bool find_left_out(struct place_search *search, struct claim *out_claim)
{
    if (search->trace->wrote_element) {
        return find_kept(search, out_claim);
    }
    const bool *right = place_right_elements(search);
    return right != NULL &&
           (find_missing_store(search, right, out_claim) || find_not_covered(search, out_claim));
}
