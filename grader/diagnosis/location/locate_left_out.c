/* locate_left_out.c: see locate_left_out.h. */
#include "diagnosis/location/locate_left_out.h"

#include "diagnosis/location/locate_text.h"

/* The element that each thread writes as a function of its place, from three threads. */
struct store_plan {
    int64_t origin, step[3];
    bool known[3];
};

static void plan_step(const struct fault_search *search, const struct flow_result *from,
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

static int64_t planned_element(const struct fault_search *search, const struct store_plan *plan,
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
static bool learn_plan(const struct fault_search *search, struct store_plan *plan)
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
static bool find_missing_store(struct fault_search *search, const bool *right,
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

/* The tile of the output that all stores of the block lie in, as the element at its corner; false
 * if there are several. */
static bool tile_of_block(const struct fault_search *search, size_t columns, size_t block_width,
                          size_t *out_corner)
{
    for (size_t i = 0; i < search->flow.result_count; i++) {
        size_t row = search->flow.results[i].element / columns / block_width * block_width;
        size_t column = search->flow.results[i].element % columns / block_width * block_width;
        if (i > 0 && row * columns + column != *out_corner) {
            return false;
        }
        *out_corner = row * columns + column;
    }
    return search->flow.result_count > 0;
}

/* True if every thread of the block stores as many elements; tells how many. */
static bool stores_alike(const struct fault_search *search, uint32_t *out_each)
{
    uint32_t threads = search->flow.thread_count;
    size_t count = 0;

    if (threads == 0 || search->flow.result_count % threads != 0) {
        return false;
    }
    *out_each = (uint32_t)(search->flow.result_count / threads);
    for (size_t i = 0; i < search->flow.result_count; i += count) {
        count = fault_thread_results(search, i);
        if (count != *out_each) {
            return false;
        }
    }
    return *out_each > 0;
}

/* Blocks with fewer threads than a tile has elements, whose threads all store, but not as many as
 * there are for each of them. */
static bool find_few_stores(const struct fault_search *search, const bool *right,
                            struct claim *out_claim)
{
    const struct trace_flow *flow = &search->flow;
    size_t block_width =
        search->trace->request.block > 0 ? (size_t)search->trace->request.block : 0;
    size_t columns = flow_extent(search->input, flow, flow->output, 1);
    size_t corner = 0;
    uint32_t each = 0;

    if (block_width == 0 || columns == 0 || !stores_alike(search, &each) ||
        (size_t)each * flow->thread_count >= block_width * block_width ||
        !tile_of_block(search, columns, block_width, &corner)) {
        return false;
    }
    for (size_t i = 0; i < block_width * block_width; i++) {
        size_t element = corner + i / block_width * columns + i % block_width;
        if (i % block_width >= columns - corner % columns ||
            element >= search->problem.output_count || right[element]) {
            continue;
        }
        *out_claim = (struct claim){.kind = CLAIM_FEW_STORES,
                                    .access = flow->results[0].access,
                                    .wanted = (uint32_t)element,
                                    .count = each};
        return true;
    }
    return false;
}

/* How many blocks further along one of the grid's axes an element lies that is `distance` further
 * along the axis on which threads are `stride` elements apart; false if the grid ends before. */
static bool blocks_apart(const struct launch_trace *trace, const struct store_plan *plan,
                         int64_t stride, int64_t distance, int64_t *out_blocks)
{
    for (size_t i = 0; i < 3; i++) {
        int64_t threads = trace->block[i];
        if (!plan->known[i] || plan->step[i] != stride) {
            continue;
        }
        int64_t blocks = distance / threads - (distance % threads < 0 ? 1 : 0);
        int64_t index = trace->block_index[i] + blocks;
        *out_blocks = blocks;
        return index >= 0 && index < trace->grid[i];
    }
    *out_blocks = 0;
    return distance == 0;
}

/* True if another block of the grid has an element, where blocks lie in the output as the threads
 * of the traced block do: along its dimensions, or a single axis along all of its elements. */
static bool other_block_has(const struct fault_search *search, size_t element)
{
    const struct launch_trace *trace = search->trace;
    const struct trace_flow *flow = &search->flow;
    struct store_plan plan = {0};
    size_t axes = 0;
    size_t stride = 1;
    bool is_other = false;

    if (flow->result_count < 2 || !learn_plan(search, &plan) || plan.origin < 0) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        axes += trace->block[i] > 1 || trace->grid[i] > 1 ? 1 : 0;
    }
    size_t rank = axes == 1 ? 1 : flow->launch->operands[flow->output].rank;
    for (size_t k = rank; k-- > 0;) {
        size_t extent = axes == 1 ? search->problem.output_count
                                  : flow_extent(search->input, flow, flow->output, k);
        int64_t blocks = 0;
        if (extent == 0) {
            return false;
        }
        int64_t distance =
            (int64_t)(element / stride % extent) - (int64_t)((size_t)plan.origin / stride % extent);
        if (!blocks_apart(trace, &plan, (int64_t)stride, distance, &blocks)) {
            return false;
        }
        is_other = is_other || blocks != 0;
        stride *= extent;
    }
    return is_other;
}

/* Enough threads for the whole output, and yet an element that nobody writes: blocks store the same
 * elements, or the one that has it stores nothing there. */
static bool find_not_covered(const struct fault_search *search, struct claim *out_claim)
{
    const uint32_t *grid = search->trace->grid;
    double blocks = (double)grid[0] * grid[1] * grid[2];
    size_t bytes = element_bytes(search->flow.launch->operands[search->flow.output].type);
    size_t element = search->trace->request.element;

    if (search->trace->wrote_element || search->flow.result_count == 0 ||
        blocks * (double)search->flow.result_count < (double)search->problem.output_count ||
        element >= search->problem.output_count ||
        (fault_written_bytes(search) / bytes < search->problem.output_count &&
         !other_block_has(search, element))) {
        return false;
    }
    *out_claim = (struct claim){.kind = CLAIM_NOT_COVERED,
                                .access = search->flow.results[0].access,
                                .wanted = (uint32_t)element};
    return true;
}

bool find_kept(const struct fault_search *search, struct claim *out_claim)
{
    for (size_t i = 0; i < search->trace->access_count; i++) {
        if (search->flow.accesses[i].valid && block_is_kept(&search->block, (uint32_t)i) &&
            fault_line(search, (uint32_t)i)->line > 0) {
            *out_claim = (struct claim){.kind = CLAIM_KEPT, .access = (uint32_t)i};
            return true;
        }
    }
    return false;
}

/* What came out wrong in the probe and right here, from other inputs and a fresh start, depends on
 * something else than the inputs. */
bool find_left_out(struct fault_search *search, struct claim *out_claim)
{
    if (search->trace->wrote_element && !search->trace->request.is_beside) {
        return find_kept(search, out_claim);
    }
    const bool *right = fault_right_elements(search);
    return right != NULL &&
           (find_missing_store(search, right, out_claim) ||
            find_few_stores(search, right, out_claim) || find_not_covered(search, out_claim));
}
