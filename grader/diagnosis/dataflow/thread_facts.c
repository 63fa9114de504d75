/* thread_facts.c: see thread_facts.h. */
#include "diagnosis/dataflow/thread_facts.h"

#include "model/oracle_watch.h"

#include <stdlib.h>

/* Needs of all that a block writes, together: more would take too long. */
enum { BLOCK_NEEDS_MAX = 1 << 25 };

/* The block *************************************************************************************/

/* Asks the oracle for the needs of one element of the output; false if they do not fit. */
static bool ask_needs(struct block_facts *block, size_t element, size_t *out_count)
{
    const struct oracle *oracle = block->input->oracle;
    size_t count =
        oracle_needs(oracle, &block->problem, element, block->needs, block->need_capacity);

    if (count > FLOW_ELEMENTS_MAX) {
        return false;
    }
    if (count > block->need_capacity) {
        arena_grow(block->arena, &block->needs, &block->need_capacity, count + 1,
                   sizeof *block->needs);
        count = oracle_needs(oracle, &block->problem, element, block->needs, block->need_capacity);
    }
    for (size_t i = 0; i < count; i++) {
        const struct oracle_need *need = &block->needs[i];
        if (need->input >= block->flow->input_count ||
            need->element >=
                block->flow->trace->element_counts[block->flow->input_operand[need->input]]) {
            return false;
        }
    }
    *out_count = count;
    return count <= block->need_capacity;
}

static uint32_t element_of_need(const struct block_facts *block, const struct oracle_need *need)
{
    return block->flow->input_first[need->input] + (uint32_t)need->element;
}

static bool mark_needed(struct block_facts *block)
{
    size_t total = 0;

    for (size_t i = 0; i < block->flow->result_count; i++) {
        size_t count = 0;
        if (!ask_needs(block, block->flow->results[i].element, &count) ||
            count > BLOCK_NEEDS_MAX - total) {
            return false;
        }
        total += count;
        for (size_t j = 0; j < count; j++) {
            block->needed[element_of_need(block, &block->needs[j])] = true;
        }
    }
    return true;
}

/* Notes what is loaded and stored, and the line with most loads of each input. */
static void note_loads(struct block_facts *block)
{
    const struct trace_flow *flow = block->flow;
    size_t lines = flow->trace->line_count;
    uint32_t *loads = arena_array(block->arena, flow->input_count * lines, sizeof *loads);
    uint32_t *first = arena_array(block->arena, flow->input_count * lines, sizeof *first);
    uint32_t most[RUBRIC_OPERANDS_MAX] = {0};

    for (size_t i = 0; i < flow->trace->access_count; i++) {
        const struct trace_access *access = &flow->trace->accesses[i];
        uint32_t element = flow->accesses[i].element;
        if (!flow->accesses[i].valid || element == FLOW_NONE) {
            continue;
        }
        if (access->space == TRACE_SHARED) {
            if (access->kind == TRACE_WRITE) {
                block->stored[element] = (uint32_t)i;
                block->line_stores[access->line]++;
            }
            continue;
        }
        block->loaded[element] = true;
        size_t input = flow_input(flow, element);
        uint32_t *count = &loads[input * lines + access->line];
        first[input * lines + access->line] =
            *count == 0 ? (uint32_t)i : first[input * lines + access->line];
        (*count)++;
        if (*count > most[input]) {
            most[input] = *count;
            block->main_load[input] = first[input * lines + access->line];
        }
    }
}

/* Finds out whether anything is used, and of which inputs a thread reads again what it staged. */
static void note_rereads(struct block_facts *block)
{
    const struct trace_flow *flow = block->flow;
    uint32_t *staged = arena_array(block->arena, flow->element_total, sizeof *staged);

    for (uint32_t thread = 0; thread < flow->thread_count; thread++) {
        for (uint32_t i = flow->thread_first[thread]; i < flow->thread_first[thread + 1]; i++) {
            const struct flow_access *known = &flow->accesses[flow->order[i]];
            const struct trace_access *access = &flow->trace->accesses[flow->order[i]];
            if (known->element == FLOW_NONE || access->kind != TRACE_READ) {
                continue;
            }
            block->is_used = block->is_used || !known->staged;
            if (known->staged) {
                staged[known->element] = thread + 1;
            } else if (access->space == TRACE_SHARED && staged[known->element] == thread + 1) {
                block->is_reread[flow_input(flow, known->element)] = true;
            }
        }
    }
}

/* Notes the stores of constants in shared memory: 0, which adds nothing to a sum, and what a thread
 * stores that has read nothing yet. */
static void note_constants(struct block_facts *block)
{
    const struct trace_flow *flow = block->flow;
    bool *has_read = arena_array(block->arena, flow->thread_count, sizeof *has_read);

    for (uint32_t i = 0; i < flow->trace->access_count; i++) {
        const struct trace_access *access = &flow->trace->accesses[i];
        if (!flow->accesses[i].valid) {
            continue;
        }
        if (access->kind == TRACE_READ) {
            has_read[access->thread] = true;
        } else if (access->space == TRACE_SHARED && access->kind == TRACE_WRITE &&
                   flow->accesses[i].element == FLOW_NONE) {
            block->constant[i] = access->bits == 0 || !has_read[access->thread];
        }
    }
}

static int compare_addresses(const void *left_item, const void *right_item)
{
    const uint64_t left = *(const uint64_t *)left_item;
    const uint64_t right = *(const uint64_t *)right_item;

    return (left > right) - (left < right);
}

/* Collects what the block writes beside the operands: it lasts from launch to launch. Constants are
 * no operands either, but nobody writes them. */
static void note_kept(struct block_facts *block)
{
    for (size_t i = 0; i < block->flow->trace->access_count; i++) {
        const struct trace_access *access = &block->flow->trace->accesses[i];
        if (block->flow->accesses[i].valid && access->space == TRACE_GLOBAL &&
            access->operand == TRACE_NO_OPERAND && access->kind != TRACE_READ) {
            arena_grow(block->arena, &block->kept, &block->kept_capacity, block->kept_count + 1,
                       sizeof *block->kept);
            block->kept[block->kept_count++] = access->where;
        }
    }
    if (block->kept_count > 1) {
        qsort(block->kept, block->kept_count, sizeof *block->kept, compare_addresses);
    }
}

bool block_is_kept(const struct block_facts *block, uint32_t index)
{
    const struct trace_access *access = &block->flow->trace->accesses[index];

    return block->kept_count > 0 && access->space == TRACE_GLOBAL &&
           access->operand == TRACE_NO_OPERAND &&
           bsearch(&access->where, block->kept, block->kept_count, sizeof *block->kept,
                   compare_addresses) != NULL;
}

bool block_facts_init(const struct criteria_input *input, struct arena *arena,
                      const struct trace_flow *flow, const struct oracle_problem *problem,
                      struct block_facts *out_facts)
{
    struct block_facts facts = {
        .input = input,
        .arena = arena,
        .flow = flow,
        .problem = *problem,
        .needed = arena_array(arena, flow->element_total, sizeof(bool)),
        .loaded = arena_array(arena, flow->element_total, sizeof(bool)),
        .stored = arena_array(arena, flow->element_total, sizeof(uint32_t)),
        .constant = arena_array(arena, flow->trace->access_count, sizeof(bool)),
        .line_stores = arena_array(arena, flow->trace->line_count, sizeof(uint32_t)),
        .need_mark = arena_array(arena, flow->element_total, sizeof(uint32_t)),
        .use_mark = arena_array(arena, flow->element_total, sizeof(uint32_t)),
        .late_mark = arena_array(arena, flow->element_total, sizeof(uint32_t)),
    };

    for (uint32_t i = 0; i < flow->element_total; i++) {
        facts.stored[i] = FLOW_NONE;
    }
    for (size_t i = 0; i < RUBRIC_OPERANDS_MAX; i++) {
        facts.main_load[i] = FLOW_NONE;
    }
    if (!mark_needed(&facts)) {
        return false;
    }
    note_loads(&facts);
    note_rereads(&facts);
    note_constants(&facts);
    note_kept(&facts);
    *out_facts = facts;
    return true;
}

/* One thread ************************************************************************************/

static void fill_needs(struct block_facts *block, struct thread_facts *facts)
{
    for (size_t i = 0; i < facts->result_count; i++) {
        size_t count = 0;
        if (!ask_needs(block, facts->results[i].element, &count)) {
            continue;
        }
        for (size_t j = 0; j < count; j++) {
            struct input_facts *of = &facts->inputs[block->needs[j].input];
            uint32_t element = element_of_need(block, &block->needs[j]);
            arena_grow(block->arena, &of->needs, &of->need_capacity, of->need_count + 1,
                       sizeof *of->needs);
            of->needs[of->need_count++] = element;
            block->need_mark[element] = block->mark;
        }
    }
}

/* A read whose value is no element of an input, nor a constant in shared memory. What the thread
 * itself put into memory beside the operands is a sum of its own; what lies there and is stored as
 * the result comes from elsewhere. */
static void note_unknown(const struct block_facts *block, uint32_t index, bool wrote_kept,
                         struct thread_facts *facts)
{
    const struct trace_access *access = &block->flow->trace->accesses[index];
    uint32_t store = block->flow->accesses[index].linked;
    uint32_t *first = &facts->unknown;

    if (store != FLOW_NONE && block->constant[store]) {
        return;
    }
    if (access->space == TRACE_GLOBAL && access->operand == block->flow->output) {
        first = &facts->output_read;
    } else if (access->space == TRACE_GLOBAL) {
        bool is_stored = access->operand == TRACE_NO_OPERAND && access->bits != 0 &&
                         access->bits == block->flow->trace->accesses[facts->last_store].bits;
        if (wrote_kept || (!is_stored && !block_is_kept(block, index))) {
            return;
        }
        first = &facts->kept_read;
    }
    *first = *first == FLOW_NONE ? index : *first;
}

static void note_use(struct block_facts *block, uint32_t index, struct thread_facts *facts)
{
    uint32_t element = block->flow->accesses[index].element;
    struct input_facts *of = &facts->inputs[flow_input(block->flow, element)];

    arena_grow(block->arena, &of->uses, &of->use_capacity, of->use_count + 1, sizeof *of->uses);
    if (block->need_mark[element] != block->mark) {
        of->first_other = of->unneeded++ == 0 ? of->use_count : of->first_other;
    } else if (block->use_mark[element] == block->mark && of->first_repeat == SIZE_MAX) {
        of->first_repeat = of->use_count;
    }
    block->use_mark[element] = block->mark;
    of->uses[of->use_count++] = index;
}

static void fill_uses(struct block_facts *block, struct thread_facts *facts)
{
    const struct trace_flow *flow = block->flow;
    bool wrote_output = false;
    bool wrote_kept = false;

    for (uint32_t i = flow->thread_first[facts->thread]; i < flow->thread_first[facts->thread + 1];
         i++) {
        uint32_t index = flow->order[i];
        const struct trace_access *access = &flow->trace->accesses[index];
        const struct flow_access *known = &flow->accesses[index];
        bool is_output = access->space == TRACE_GLOBAL && access->operand == flow->output;
        if (access->kind != TRACE_READ || (is_output && wrote_output)) {
            wrote_output = wrote_output || is_output;
            wrote_kept = wrote_kept || block_is_kept(block, index);
        } else if (known->element == FLOW_NONE) {
            note_unknown(block, index, wrote_kept, facts);
        } else if (index > facts->last_store) {
            block->late_mark[known->element] = block->mark;
        } else if (!known->staged) {
            note_use(block, index, facts);
        }
    }
}

/* A staged read may serve the thread itself from its register; then it makes no need unread. */
static void count_unread(struct block_facts *block, struct thread_facts *facts)
{
    const struct trace_flow *flow = block->flow;

    for (uint32_t i = flow->thread_first[facts->thread]; i < flow->thread_first[facts->thread + 1];
         i++) {
        const struct flow_access *known = &flow->accesses[flow->order[i]];
        if (known->staged && flow->order[i] < facts->last_store &&
            !block->is_reread[flow_input(flow, known->element)]) {
            block->use_mark[known->element] = block->mark;
        }
    }
    for (size_t i = 0; i < flow->input_count; i++) {
        struct input_facts *of = &facts->inputs[i];
        for (size_t j = 0; j < of->need_count; j++) {
            if (block->use_mark[of->needs[j]] != block->mark) {
                of->first_unread = of->unread++ == 0 ? j : of->first_unread;
            }
        }
    }
}

void thread_facts_fill(struct block_facts *block, size_t first, size_t count,
                       struct thread_facts *facts)
{
    const struct flow_result *results = &block->flow->results[first];

    block->mark++;
    facts->thread = results[0].thread;
    facts->results = results;
    facts->result_count = count;
    facts->last_store = 0;
    facts->unknown = FLOW_NONE;
    facts->output_read = FLOW_NONE;
    facts->kept_read = FLOW_NONE;
    for (size_t i = 0; i < count; i++) {
        facts->last_store =
            results[i].access > facts->last_store ? results[i].access : facts->last_store;
    }
    for (size_t i = 0; i < block->flow->input_count; i++) {
        struct input_facts *of = &facts->inputs[i];
        of->need_count = 0;
        of->use_count = 0;
        of->unread = 0;
        of->unneeded = 0;
        of->first_repeat = SIZE_MAX;
    }
    fill_needs(block, facts);
    fill_uses(block, facts);
    count_unread(block, facts);
}
