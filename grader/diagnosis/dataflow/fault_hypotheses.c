/* fault_hypotheses.c: see fault_hypotheses.h.
 *
 * A thread's uses of an input are held against its needs: uses that are not needed (the first of
 * them was loaded, stored or read wrongly), needs that are not used. Where every input misses the
 * same part, the loop around is at fault and not an index.
 *
 * A value that is stored in one place and looked for in another may be the fault of the store or of
 * the read. A tile that keeps the order of its matrix is stored as expected: then it is the read.
 */
#include "diagnosis/dataflow/fault_hypotheses.h"

#include "diagnosis/location/locate_text.h"

#include <string.h>

/* Claims ****************************************************************************************/

static struct claim claim_make(enum claim_kind kind, uint32_t access, uint32_t element)
{
    return (struct claim){.kind = kind,
                          .access = access,
                          .element = element,
                          .partner = FLOW_NONE,
                          .wanted = FLOW_NONE};
}

/* What an input's use number `use` should have read: the need of the same number, if there are as
 * many of both and some stand at the same place. */
static uint32_t wanted_at(const struct block_facts *block, const struct thread_facts *facts,
                          size_t input, size_t use)
{
    const struct input_facts *of = &facts->inputs[input];
    bool in_step = false;

    for (size_t i = 0; i < block->flow->input_count && facts->result_count == 1; i++) {
        const struct input_facts *each = &facts->inputs[i];
        for (size_t j = 0; j < each->use_count && j < each->need_count && !in_step; j++) {
            in_step = block->flow->accesses[each->uses[j]].element == each->needs[j];
        }
    }
    return in_step && of->use_count == of->need_count ? of->needs[use] : FLOW_NONE;
}

/* Two stores of one line: votes for a tile in the order of its matrix, or against it. */
struct order_votes {
    size_t natural, turned;
};

static void vote_order(const struct block_facts *block, uint32_t store, uint32_t other,
                       size_t *votes)
{
    const struct trace_access *accesses = block->flow->trace->accesses;
    const struct trace_access *left = &accesses[store];

    if (other == FLOW_NONE || accesses[other].line != left->line) {
        return;
    }
    *votes += accesses[other].where == left->where + left->bytes ? 1 : 0;
}

/* True if a line stores neighbours of a row as neighbours, as the matrix itself does. */
static bool keeps_order(const struct block_facts *block, uint32_t store)
{
    const struct trace_flow *flow = block->flow;
    size_t input = flow_input(flow, flow->accesses[store].element);
    size_t operand = flow->input_operand[input];
    size_t width = flow_extent(block->input, flow, operand, 1);
    uint32_t end = flow->input_first[input] + (uint32_t)flow->trace->element_counts[operand];
    struct order_votes votes = {0, 0};

    for (uint32_t e = flow->input_first[input]; e < end; e++) {
        uint32_t stored = block->stored[e];
        if (stored == FLOW_NONE ||
            flow->trace->accesses[stored].line != flow->trace->accesses[store].line) {
            continue;
        }
        if (e + 1 < end) {
            vote_order(block, stored, block->stored[e + 1], &votes.natural);
        }
        if (width > 1 && width < end - e) {
            vote_order(block, stored, block->stored[e + width], &votes.turned);
        }
    }
    return votes.natural > votes.turned;
}

/* What overwrote an element that nobody had read, with another input's; FLOW_NONE if nothing. */
static uint32_t overwriter_of(const struct block_facts *block, uint32_t element)
{
    const struct trace_flow *flow = block->flow;
    uint32_t store = block->stored[element];

    if (store == FLOW_NONE || flow->accesses[store].fetched ||
        flow->accesses[store].linked == FLOW_NONE) {
        return FLOW_NONE;
    }
    uint32_t by = flow->accesses[store].linked;
    uint32_t what = flow->accesses[by].element;
    return what != FLOW_NONE && flow_input(flow, what) != flow_input(flow, element) ? by
                                                                                    : FLOW_NONE;
}

/* The first need that nothing in the block loads; FLOW_NONE if there is none. */
static uint32_t never_loaded(const struct block_facts *block, const struct input_facts *of)
{
    for (size_t i = 0; i < of->need_count; i++) {
        if (!block->loaded[of->needs[i]]) {
            return of->needs[i];
        }
    }
    return FLOW_NONE;
}

/* An element that is not needed came through shared memory, from a store that is known. */
static struct claim claim_of_place(const struct block_facts *block,
                                   const struct thread_facts *facts, size_t input, uint32_t read)
{
    const struct input_facts *of = &facts->inputs[input];
    uint32_t element = block->flow->accesses[read].element;
    uint32_t store = block->flow->accesses[read].linked;
    uint32_t lost = of->unread > 0 ? overwriter_of(block, of->needs[of->first_unread]) : FLOW_NONE;

    if (lost != FLOW_NONE) {
        struct claim claim = claim_make(CLAIM_OVERWRITE, lost, block->flow->accesses[lost].element);
        claim.partner = of->needs[of->first_unread];
        return claim;
    }
    struct claim claim = keeps_order(block, store) ? claim_make(CLAIM_READ, read, element)
                                                   : claim_make(CLAIM_MISPLACED, store, element);
    claim.wanted = wanted_at(block, facts, input, of->first_other);
    return claim;
}

/* The number of the first use that nothing in the block needs; use_count if there is none. */
static size_t first_foreign(const struct block_facts *block, const struct input_facts *of)
{
    size_t use = 0;

    while (use < of->use_count && block->needed[block->flow->accesses[of->uses[use]].element]) {
        use++;
    }
    return use;
}

/* What nothing in the block needs was loaded wrongly, whatever became of it. */
static struct claim claim_of_load(const struct block_facts *block, const struct thread_facts *facts,
                                  size_t input, size_t use)
{
    uint32_t read = facts->inputs[input].uses[use];
    uint32_t store = block->flow->accesses[read].linked;
    uint32_t load = store == FLOW_NONE ? read : flow_load_of(block->flow, store);
    struct claim claim = claim_make(CLAIM_LOAD, load != FLOW_NONE ? load : store,
                                    block->flow->accesses[read].element);

    claim.wanted = wanted_at(block, facts, input, use);
    return claim;
}

/* The first use that is not needed: loaded, stored or read at the wrong place. */
static struct claim claim_of_other(const struct block_facts *block,
                                   const struct thread_facts *facts, size_t input)
{
    const struct input_facts *of = &facts->inputs[input];
    uint32_t read = of->uses[of->first_other];
    uint32_t missing = never_loaded(block, of);
    size_t foreign = first_foreign(block, of);

    if (foreign < of->use_count) {
        return claim_of_load(block, facts, input, foreign);
    }
    if (missing != FLOW_NONE && block->main_load[input] != FLOW_NONE) {
        return claim_make(CLAIM_NEVER_LOADED, block->main_load[input], missing);
    }
    if (block->flow->accesses[read].linked != FLOW_NONE) {
        return claim_of_place(block, facts, input, read);
    }
    struct claim claim = claim_make(CLAIM_READ, read, block->flow->accesses[read].element);
    claim.wanted = wanted_at(block, facts, input, of->first_other);
    return claim;
}

static uint32_t last_use(const struct block_facts *block, const struct thread_facts *facts)
{
    uint32_t last = FLOW_NONE;

    for (size_t i = 0; i < block->flow->input_count; i++) {
        const struct input_facts *of = &facts->inputs[i];
        if (of->use_count > 0 && (last == FLOW_NONE || of->uses[of->use_count - 1] > last)) {
            last = of->uses[of->use_count - 1];
        }
    }
    return last;
}

/* Where most threads of a block come out right, the line that loads for all is right. A thread that
 * misses an element which nothing loads may find another one in its place, stored once more by a
 * line of its own; or else it does not look for it. */
static struct claim claim_of_exception(const struct block_facts *block,
                                       const struct thread_facts *facts,
                                       const struct input_facts *of, uint32_t missing)
{
    const struct flow_access *accesses = block->flow->accesses;
    const struct trace_access *traced = block->flow->trace->accesses;
    uint32_t repeat = of->first_repeat < of->use_count ? of->uses[of->first_repeat] : FLOW_NONE;
    uint32_t store = repeat != FLOW_NONE ? accesses[repeat].linked : FLOW_NONE;

    for (size_t i = 0; store != FLOW_NONE && i < of->first_repeat; i++) {
        uint32_t other = accesses[of->uses[i]].linked;
        if (accesses[of->uses[i]].element != accesses[repeat].element || other == FLOW_NONE ||
            traced[other].line == traced[store].line) {
            continue;
        }
        bool is_rarer =
            block->line_stores[traced[other].line] < block->line_stores[traced[store].line];
        struct claim claim =
            claim_make(CLAIM_MISPLACED, is_rarer ? other : store, accesses[repeat].element);
        claim.wanted = missing;
        return claim;
    }
    uint32_t use = last_use(block, facts);
    return claim_make(use == FLOW_NONE ? CLAIM_NONE : CLAIM_NEVER_READ, use, missing);
}

/* All uses are needed, but not all needs are used. */
static struct claim claim_of_unread(const struct block_facts *block,
                                    const struct thread_facts *facts, size_t input)
{
    const struct input_facts *of = &facts->inputs[input];
    uint32_t element = of->needs[of->first_unread];
    uint32_t lost = overwriter_of(block, element);
    uint32_t missing = never_loaded(block, of);

    if (missing != FLOW_NONE && block->few_are_wrong) {
        return claim_of_exception(block, facts, of, missing);
    }
    if (missing != FLOW_NONE) {
        return block->main_load[input] == FLOW_NONE
                   ? claim_make(CLAIM_NONE, FLOW_NONE, element)
                   : claim_make(CLAIM_NEVER_LOADED, block->main_load[input], missing);
    }
    if (block->late_mark[element] == block->mark) {
        return claim_make(CLAIM_EARLY_STORE, facts->last_store, element);
    }
    if (lost != FLOW_NONE) {
        struct claim claim = claim_make(CLAIM_OVERWRITE, lost, block->flow->accesses[lost].element);
        claim.partner = element;
        return claim;
    }
    uint32_t use = of->use_count > 0 ? of->uses[of->use_count - 1] : last_use(block, facts);
    return claim_make(use == FLOW_NONE ? CLAIM_NONE : CLAIM_NEVER_READ, use, element);
}

static struct claim claim_of_input(const struct block_facts *block,
                                   const struct thread_facts *facts, size_t input)
{
    if (facts->inputs[input].unneeded > 0) {
        return claim_of_other(block, facts, input);
    }
    if (facts->inputs[input].unread > 0) {
        return claim_of_unread(block, facts, input);
    }
    return claim_make(CLAIM_NONE, FLOW_NONE, FLOW_NONE);
}

/* Loops *****************************************************************************************/

/* True if both inputs miss the needs of the same numbers, and nothing else is wrong with them. */
static bool misses_alike(const struct block_facts *block, const struct input_facts *left,
                         const struct input_facts *right)
{
    if (left->unread == 0 || left->unread != right->unread || left->unneeded > 0 ||
        right->unneeded > 0 || left->first_repeat != SIZE_MAX || right->first_repeat != SIZE_MAX ||
        left->need_count != right->need_count) {
        return false;
    }
    for (size_t i = 0; i < left->need_count; i++) {
        bool left_read = block->use_mark[left->needs[i]] == block->mark;
        bool right_read = block->use_mark[right->needs[i]] == block->mark;
        if (left_read != right_read) {
            return false;
        }
    }
    return true;
}

/* What all inputs lack alike. A single product that is left of many is no
 * loop that ends early: a compiler leaves out reads whose sum is overwritten. */
static struct claim claim_of_loop(const struct block_facts *block, const struct thread_facts *facts)
{
    const struct input_facts *first = &facts->inputs[0];
    bool misses = block->flow->input_count > 1;

    for (size_t i = 1; i < block->flow->input_count; i++) {
        misses = misses && misses_alike(block, first, &facts->inputs[i]);
    }
    uint32_t use = last_use(block, facts);
    if (!misses || use == FLOW_NONE) {
        return claim_make(CLAIM_NONE, FLOW_NONE, FLOW_NONE);
    }
    uint32_t element = first->needs[first->first_unread];
    if (block->late_mark[element] == block->mark) {
        return claim_make(CLAIM_EARLY_STORE, facts->last_store, element);
    }
    bool loaded = block->loaded[element];
    struct claim claim = claim_make(loaded ? CLAIM_READS_SHORT : CLAIM_LOADS_SHORT, use, element);
    if (loaded && first->use_count == 1) {
        claim.kind = CLAIM_NEVER_READ;
    } else if (!loaded && block->main_load[0] != FLOW_NONE) {
        claim.access = block->main_load[0];
    }
    claim.partner = facts->inputs[1].needs[first->first_unread];
    claim.count = loaded ? 0 : 1;
    return claim;
}

/* Everything is read ****************************************************************************/

static uint32_t rounded_store(const struct block_facts *block, const struct thread_facts *facts)
{
    for (size_t i = 0; i < block->flow->input_count; i++) {
        const struct input_facts *of = &facts->inputs[i];
        for (size_t j = 0; j < of->use_count; j++) {
            uint32_t store = block->flow->accesses[of->uses[j]].linked;
            if (store != FLOW_NONE && block->flow->accesses[store].rounded) {
                return store;
            }
        }
    }
    return FLOW_NONE;
}

/* Nothing is missing and nothing too much: what is left is what is computed. */
static struct claim claim_of_computing(const struct block_facts *block,
                                       const struct thread_facts *facts)
{
    const struct flow_access *accesses = block->flow->accesses;
    uint32_t rounded = rounded_store(block, facts);
    uint32_t use = last_use(block, facts);

    if (rounded != FLOW_NONE) {
        return claim_make(CLAIM_ROUNDED, rounded, accesses[rounded].element);
    }
    if (facts->output_read != FLOW_NONE) {
        return claim_make(CLAIM_OLD_OUTPUT, facts->output_read, FLOW_NONE);
    }
    if (facts->kept_read != FLOW_NONE) {
        return claim_make(CLAIM_KEPT, facts->kept_read, FLOW_NONE);
    }
    return claim_make(use == FLOW_NONE ? CLAIM_NONE : CLAIM_ARITHMETIC, use, FLOW_NONE);
}

/* Partial sums reach the thread: of the inputs only what the block loads is certain, and what the
 * values must yet confirm (result_check.h). */
static bool may_hold_with_sums(enum claim_kind kind)
{
    return kind == CLAIM_LOAD || kind == CLAIM_NEVER_LOADED || kind == CLAIM_NEVER_READ;
}

/* The thread uses no input. Others may hand it values in registers, unless they use none either, or
 * it is one of few. */
static struct claim claim_without_reads(const struct block_facts *block,
                                        const struct thread_facts *facts)
{
    return block->is_used && !block->few_are_wrong
               ? claim_make(CLAIM_NONE, FLOW_NONE, FLOW_NONE)
               : claim_make(CLAIM_NOTHING_READ, facts->last_store, FLOW_NONE);
}

/* The earliest claim, in the flow, of those that the inputs make. */
static struct claim claim_of_inputs(const struct block_facts *block,
                                    const struct thread_facts *facts, bool *out_deviates)
{
    struct claim earliest = claim_make(CLAIM_NONE, FLOW_NONE, FLOW_NONE);

    *out_deviates = false;
    for (size_t i = 0; i < block->flow->input_count; i++) {
        struct claim claim = claim_of_input(block, facts, i);
        *out_deviates = *out_deviates || facts->inputs[i].unneeded + facts->inputs[i].unread > 0;
        if (claim.kind != CLAIM_NONE &&
            (earliest.kind == CLAIM_NONE || claim.kind < earliest.kind)) {
            earliest = claim;
        }
    }
    return earliest;
}

struct claim claim_of_thread(struct block_facts *block, const struct thread_facts *facts,
                             uint32_t result)
{
    bool has_sums = facts->unknown != FLOW_NONE;
    bool deviates = false;
    struct claim claim = claim_of_loop(block, facts);

    if (claim.kind == CLAIM_NONE && !has_sums && last_use(block, facts) == FLOW_NONE) {
        claim = claim_without_reads(block, facts);
    } else if (claim.kind == CLAIM_NONE) {
        claim = claim_of_inputs(block, facts, &deviates);
        claim = deviates ? claim : claim_of_computing(block, facts);
    }
    if (has_sums && !may_hold_with_sums(claim.kind)) {
        claim = claim_make(CLAIM_NONE, FLOW_NONE, FLOW_NONE);
    }
    claim.result = result;
    return claim;
}
