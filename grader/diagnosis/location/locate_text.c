/* locate_text.c: see locate_text.h. */
#include "diagnosis/location/locate_text.h"

#include "base/text.h"
#include "model/case.h"
#include "model/oracle_watch.h"

size_t flow_extent(const struct criteria_input *input, const struct trace_flow *flow,
                   size_t operand, size_t dimension)
{
    const struct rubric_operand *of = &flow->launch->operands[operand];
    const struct trace_request *request = &flow->trace->request;
    struct case_scope scope = {.rubric = input->rubric,
                               .parameters = request->parameters,
                               .block = request->block,
                               .threads = (int64_t)flow->thread_count};
    double extent = 0.0;

    if (dimension >= of->rank ||
        !expression_evaluate(of->shape[dimension], case_lookup, &scope, &extent, NULL) ||
        extent < 1.0 || extent > 0x1p40) {
        return 0;
    }
    return (size_t)extent;
}

static const char *operand_element(const struct block_facts *block, size_t operand, size_t index)
{
    const struct rubric_operand *of = &block->flow->launch->operands[operand];
    size_t columns = flow_extent(block->input, block->flow, operand, of->rank - 1);
    size_t rows = of->rank == 3 ? flow_extent(block->input, block->flow, operand, 1) : 0;

    if (of->rank == 2 && columns > 0) {
        return arena_printf(block->arena, "%s(%zu,%zu)", of->name, index / columns,
                            index % columns);
    }
    if (of->rank == 3 && columns > 0 && rows > 0) {
        return arena_printf(block->arena, "%s(%zu,%zu,%zu)", of->name, index / columns / rows,
                            index / columns % rows, index % columns);
    }
    return arena_printf(block->arena, "%s[%zu]", of->name, index);
}

static const char *input_element_text(const struct block_facts *block, uint32_t element)
{
    size_t input = flow_input(block->flow, element);

    return operand_element(block, block->flow->input_operand[input],
                           flow_index(block->flow, element));
}

static const char *output_element_text(const struct block_facts *block, size_t index)
{
    return operand_element(block, block->flow->output, index);
}

static const char *result_text(const struct block_facts *block, const struct claim *claim)
{
    return output_element_text(block, block->flow->results[claim->result].element);
}

static const char *thread_text(const struct block_facts *block, uint32_t thread)
{
    const uint32_t *size = block->flow->trace->block;
    uint32_t index[3];

    flow_thread(block->flow, thread, index);
    return size[2] > 1 ? arena_printf(block->arena, "(%u,%u,%u)", index[0], index[1], index[2])
                       : arena_printf(block->arena, "(%u,%u)", index[0], index[1]);
}

/* Which part of an input a result needs: "row 3 of A", "column 5 of B", "A(2)", "others". */
static const char *needed_part(struct arena *arena, const struct block_facts *block, size_t input,
                               uint32_t result)
{
    const struct oracle *oracle = block->input->oracle;
    size_t operand = block->flow->input_operand[input];
    const char *name = block->flow->launch->operands[operand].name;
    size_t width = flow_extent(block->input, block->flow, operand, 1);
    size_t count = oracle_needs(oracle, &block->problem, block->flow->results[result].element,
                                block->needs, block->need_capacity);
    bool one_row = width > 0;
    bool one_column = width > 0;
    size_t first = SIZE_MAX;
    size_t found = 0;

    for (size_t i = 0; i < count && i < block->need_capacity; i++) {
        size_t element = block->needs[i].element;
        if (block->needs[i].input != input) {
            continue;
        }
        first = found++ == 0 ? element : first;
        one_row = one_row && element / width == first / width;
        one_column = one_column && element % width == first % width;
    }
    if (found == 1) {
        return operand_element(block, operand, first);
    }
    if (found > 0 && (one_row || one_column)) {
        return arena_printf(arena, "%s %zu of %s", one_row ? "row" : "column",
                            one_row ? first / width : first % width, name);
    }
    return arena_printf(arena, "other elements of %s", name);
}

/* What is needed in place of the claim's element. */
static const char *wanted_text(const struct block_facts *block, const struct claim *claim)
{
    if (claim->wanted != FLOW_NONE) {
        return input_element_text(block, claim->wanted);
    }
    return needed_part(block->arena, block, flow_input(block->flow, claim->element), claim->result);
}

static const char *element_claim_text(const struct block_facts *block, const struct claim *claim)
{
    struct arena *arena = block->arena;
    const char *element = input_element_text(block, claim->element);
    const char *result = result_text(block, claim);

    switch (claim->kind) {
    case CLAIM_LOAD:
    case CLAIM_READ:
        return arena_printf(arena, "reads %s, but %s needs %s", element, result,
                            wanted_text(block, claim));
    case CLAIM_NEVER_LOADED:
        return arena_printf(arena, "never reads %s, which %s needs", element, result);
    case CLAIM_LOADS_SHORT:
    case CLAIM_READS_SHORT:
        return arena_printf(arena, "skips %s and %s, which %s needs", element,
                            input_element_text(block, claim->partner), result);
    case CLAIM_OVERWRITE:
        return arena_printf(arena, "stores %s over %s before %s has used it", element,
                            input_element_text(block, claim->partner), result);
    case CLAIM_MISPLACED:
        return arena_printf(arena, "stores %s where thread %s, which computes %s, expects %s",
                            element, thread_text(block, block->flow->results[claim->result].thread),
                            result, wanted_text(block, claim));
    case CLAIM_ROUNDED:
        return arena_printf(arena, "stores %s rounded", element);
    case CLAIM_NEVER_READ:
        return arena_printf(arena, "does not use %s, which %s needs", element, result);
    case CLAIM_EARLY_STORE:
        return arena_printf(arena, "stores %s before %s is used", result, element);
    default:
        return NULL;
    }
}

const char *claim_text(const struct block_facts *block, const struct claim *claim)
{
    struct arena *arena = block->arena;
    const struct launch_trace *trace = block->flow->trace;
    const char *output = block->flow->launch->operands[block->flow->output].name;
    const char *judged = block->flow->launch->call != NULL ? "call" : "launch";

    switch (claim->kind) {
    case CLAIM_MOVED:
        return arena_printf(arena, "stores in %s what belongs in %s", result_text(block, claim),
                            output_element_text(block, claim->wanted));
    case CLAIM_OLD_OUTPUT:
        return arena_printf(arena, "uses what was in %s before the %s", output, judged);
    case CLAIM_KEPT:
        return arena_printf(arena, "uses memory that keeps its contents from %s to %s", judged,
                            judged);
    case CLAIM_PART:
        return claim->count == 1 ? arena_printf(arena, "only the last product is left in %s",
                                                result_text(block, claim))
                                 : arena_printf(arena, "only the last %u products are left in %s",
                                                claim->count, result_text(block, claim));
    case CLAIM_ROUNDED_USE:
        return arena_printf(arena, "rounds what it reads for %s", result_text(block, claim));
    case CLAIM_ARITHMETIC:
        return arena_printf(arena, "reads what %s needs, but the result is wrong",
                            result_text(block, claim));
    case CLAIM_NOT_FINITE:
        return arena_printf(arena,
                            "stores NaN or infinity in %s, although everything it needs was read",
                            result_text(block, claim));
    case CLAIM_NOTHING_READ:
        return arena_printf(arena, "stores %s, but no input was read for it",
                            result_text(block, claim));
    case CLAIM_NO_STORE:
        return arena_printf(arena, "thread %s never gets here: %s is not written",
                            thread_text(block, claim->count),
                            output_element_text(block, claim->wanted));
    case CLAIM_FEW_STORES:
        return arena_printf(arena,
                            "each of the %u threads stores %u here, which does not cover the tile: "
                            "%s is not written",
                            block->flow->thread_count, claim->count,
                            output_element_text(block, claim->wanted));
    case CLAIM_NOT_COVERED:
        return arena_printf(arena, "block (%u,%u) writes %s here, but no block writes %s",
                            trace->block_index[0], trace->block_index[1], result_text(block, claim),
                            output_element_text(block, claim->wanted));
    default:
        return element_claim_text(block, claim);
    }
}
