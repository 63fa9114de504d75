/* block_schedule.c: see block_schedule.h.
 *
 *   node      a step in one copy of the block
 *   edge      from a node to one that waits for it, with the latency
 *   version   what one node writes to a register, or what the register held before the block
 */
#include "ptx/block_schedule.h"

#include <string.h>

enum { NODES_MAX = 4096 };
#define NO_VERSION UINT32_MAX

/* In cycles. Of a real GPU's only the proportions matter. */
enum {
    CYCLES_ALU = 5,
    CYCLES_FUNCTION = 18,
    CYCLES_SPECIAL = 20,
    CYCLES_SHARED = 24,
    CYCLES_MEMORY = 30,
    CYCLES_AWAITED = 400,
    CYCLES_ISSUE = 2
};

struct node {
    uint32_t step;
    uint32_t first, reads, writes; /* in `values`: what it reads, then what it writes */
    uint32_t latency, priority;
    uint32_t ready; /* cycle from which on its operands are there */
    uint32_t waits; /* edges to it that are not done */
    uint32_t edge;  /* the first from it, plus 1; 0: none */
};

struct edge {
    uint32_t to, latency;
    uint32_t next; /* plus 1 */
};

struct version {
    uint32_t reg;
    uint32_t made_by; /* node plus 1; 0: it was there before */
    uint32_t last;    /* place of its last reader */
};

struct list {
    uint32_t *items;
    size_t count, capacity;
};

struct block_scheduler {
    struct arena *arena;
    const struct kernel_flow *flow;
    uint64_t *work_left;
    const struct schedule_plan *plan;
    uint32_t *current;  /* [registers] version; NO_VERSION */
    uint8_t *how;       /* [registers] bits of enum written_how, in one block */
    struct node *nodes; /* [NODES_MAX] */
    uint32_t node_count;
    struct edge *edges;
    size_t edge_count, edge_capacity;
    struct version *versions;
    size_t version_count, version_capacity;
    struct list values;
    struct list loads[2];    /* since the last store: elsewhere, in shared memory */
    struct list accesses;    /* since the last barrier */
    uint32_t last_store[2];  /* node plus 1 */
    uint32_t last_barrier;   /* node plus 1 */
    uint32_t *order, *place; /* [NODES_MAX] */
    struct list ready;
    int32_t *change; /* [NODES_MAX + 3] of the registers in use, by place */
};

enum written_how { BY_STEPPING = 1, OTHERWISE = 2 };

struct block_scheduler *block_scheduler_new(struct arena *arena, const struct kernel_flow *flow,
                                            uint64_t *work_left)
{
    const size_t registers = flow->function->register_count;
    struct block_scheduler *scheduler = arena_alloc(arena, sizeof *scheduler);

    *scheduler = (struct block_scheduler){
        .arena = arena,
        .flow = flow,
        .work_left = work_left,
        .current = arena_array(arena, registers, sizeof *scheduler->current),
        .how = arena_array(arena, registers, sizeof *scheduler->how),
        .nodes = arena_array(arena, NODES_MAX, sizeof *scheduler->nodes),
        .order = arena_array(arena, NODES_MAX, sizeof *scheduler->order),
        .place = arena_array(arena, NODES_MAX, sizeof *scheduler->place),
        .change = arena_array(arena, NODES_MAX + 3, sizeof *scheduler->change),
    };
    for (size_t i = 0; i < registers; i++) {
        scheduler->current[i] = NO_VERSION;
    }
    return scheduler;
}

static bool charge(struct block_scheduler *scheduler, uint64_t work)
{
    *scheduler->work_left -= work < *scheduler->work_left ? work : *scheduler->work_left;
    return *scheduler->work_left > 0;
}

static void push(struct block_scheduler *scheduler, struct list *list, uint32_t item)
{
    arena_grow(scheduler->arena, &list->items, &list->capacity, list->count + 1,
               sizeof *list->items);
    list->items[list->count++] = item;
}

static const struct ptx_instruction *instruction_of(const struct block_scheduler *scheduler,
                                                    uint32_t step)
{
    return &scheduler->flow->function->instructions[step];
}

static uint32_t latency_of(const struct schedule_plan *plan,
                           const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case PTX_OP_LD:
        if (instruction->space == PTX_SPACE_PARAM) {
            return CYCLES_SHARED;
        }
        return plan->awaits_all_loads                   ? CYCLES_AWAITED
               : instruction->space == PTX_SPACE_SHARED ? CYCLES_SHARED
                                                        : CYCLES_MEMORY;
    case PTX_OP_LDU:
    case PTX_OP_ATOM:
        return plan->awaits_all_loads ? CYCLES_AWAITED : CYCLES_MEMORY;
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
        return plan->awaits_all_loads ? CYCLES_AWAITED : CYCLES_SHARED;
    case PTX_OP_SIN:
    case PTX_OP_COS:
    case PTX_OP_EX2:
    case PTX_OP_LG2:
    case PTX_OP_RSQRT:
    case PTX_OP_RCP:
    case PTX_OP_SQRT:
    case PTX_OP_DIV:
    case PTX_OP_REM:
        return CYCLES_FUNCTION;
    default:
        break;
    }
    for (size_t i = 0; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        if (instruction->operands[i].kind == PTX_OPERAND_SPECIAL) {
            return CYCLES_SPECIAL;
        }
    }
    return CYCLES_ALU;
}

/* Nodes and edges *******************************************************************************/

/* A counter or an address that is moved on by a constant: when a loop is written out its copies use
 * the old value, and the constant goes into their addresses. */
static bool is_stepping(const struct ptx_instruction *instruction)
{
    const struct ptx_operand *operands = instruction->operands;

    return (instruction->opcode == PTX_OP_ADD || instruction->opcode == PTX_OP_SUB) &&
           !ptx_type_is_float(instruction->type) && instruction->guard < 0 &&
           operands[0].kind == PTX_OPERAND_REGISTER && operands[1].kind == PTX_OPERAND_REGISTER &&
           operands[0].reg == operands[1].reg && operands[2].kind == PTX_OPERAND_IMMEDIATE;
}

static void note_writes(struct block_scheduler *scheduler, const struct flow_block *block,
                        bool is_noting)
{
    const struct kernel_flow *flow = scheduler->flow;

    for (uint32_t i = block->first; i < block->end; i++) {
        const bool steps = is_stepping(instruction_of(scheduler, i));
        for (uint32_t k = 0; k < flow->steps[i].writes; k++) {
            uint8_t *how = &scheduler->how[flow->values[flow->steps[i].first + k]];
            *how = is_noting ? *how | (steps ? BY_STEPPING : OTHERWISE) : 0;
        }
    }
}

/* `from` is a node plus 1, or 0 for none. */
static void add_edge(struct block_scheduler *scheduler, uint32_t from, uint32_t to,
                     uint32_t latency)
{
    if (from == 0 || from - 1 == to) {
        return;
    }
    arena_grow(scheduler->arena, &scheduler->edges, &scheduler->edge_capacity,
               scheduler->edge_count + 1, sizeof *scheduler->edges);
    scheduler->edges[scheduler->edge_count++] =
        (struct edge){.to = to, .latency = latency, .next = scheduler->nodes[from - 1].edge};
    scheduler->nodes[from - 1].edge = (uint32_t)scheduler->edge_count;
    scheduler->nodes[to].waits++;
}

static uint32_t add_version(struct block_scheduler *scheduler, uint32_t reg, uint32_t made_by)
{
    arena_grow(scheduler->arena, &scheduler->versions, &scheduler->version_capacity,
               scheduler->version_count + 1, sizeof *scheduler->versions);
    scheduler->versions[scheduler->version_count] =
        (struct version){.reg = reg, .made_by = made_by};
    scheduler->current[reg] = (uint32_t)scheduler->version_count++;
    return scheduler->current[reg];
}

static void add_read(struct block_scheduler *scheduler, uint32_t node, uint32_t reg)
{
    const uint32_t version = scheduler->current[reg] != NO_VERSION ? scheduler->current[reg]
                                                                   : add_version(scheduler, reg, 0);
    const uint32_t made_by = scheduler->versions[version].made_by;

    push(scheduler, &scheduler->values, version);
    scheduler->nodes[node].reads++;
    add_edge(scheduler, made_by, node, made_by == 0 ? 0 : scheduler->nodes[made_by - 1].latency);
}

static void add_values(struct block_scheduler *scheduler, uint32_t node, bool is_last_copy)
{
    const struct flow_step *step = &scheduler->flow->steps[scheduler->nodes[node].step];
    const uint32_t *values = scheduler->flow->values;
    const uint32_t first = step->first;

    for (uint32_t k = step->writes; k < step->writes + step->reads; k++) {
        add_read(scheduler, node, values[first + k]);
    }
    for (int writes = 0; writes < 2; writes++) {
        for (uint32_t k = 0; k < step->writes; k++) {
            if (scheduler->how[values[first + k]] == BY_STEPPING && !is_last_copy) {
                continue;
            }
            if (writes) {
                push(scheduler, &scheduler->values,
                     add_version(scheduler, values[first + k], node + 1));
                scheduler->nodes[node].writes++;
            } else if (step->is_guarded) {
                add_read(scheduler, node, values[first + k]);
            }
        }
    }
}

static void wait_for_all(struct block_scheduler *scheduler, struct list *list, uint32_t node)
{
    for (size_t i = 0; i < list->count; i++) {
        add_edge(scheduler, list->items[i] + 1, node, 1);
    }
    list->count = 0;
}

/* Keeps loads, stores and barriers in an order that means the same. */
static void order_memory(struct block_scheduler *scheduler, uint32_t node)
{
    const struct flow_step *step = &scheduler->flow->steps[scheduler->nodes[node].step];
    const struct ptx_instruction *instruction =
        instruction_of(scheduler, scheduler->nodes[node].step);
    const size_t where = instruction->space == PTX_SPACE_SHARED;

    if (step->kind != STEP_LOAD && step->kind != STEP_FENCE) {
        return;
    }
    add_edge(scheduler, scheduler->last_barrier, node, 1);
    if (step->kind == STEP_LOAD) {
        if ((instruction->flags & PTX_FLAG_NC) == 0) {
            add_edge(scheduler, scheduler->last_store[where], node, 1);
        }
        push(scheduler, &scheduler->loads[where], node);
        push(scheduler, &scheduler->accesses, node);
    } else if (instruction->opcode == PTX_OP_ST || instruction->opcode == PTX_OP_ATOM ||
               instruction->opcode == PTX_OP_RED) {
        add_edge(scheduler, scheduler->last_store[where], node, 1);
        wait_for_all(scheduler, &scheduler->loads[where], node);
        scheduler->last_store[where] = node + 1;
        push(scheduler, &scheduler->accesses, node);
    } else {
        wait_for_all(scheduler, &scheduler->accesses, node);
        scheduler->loads[0].count = scheduler->loads[1].count = 0;
        scheduler->last_store[0] = scheduler->last_store[1] = 0;
        scheduler->last_barrier = node + 1;
    }
}

static void add_node(struct block_scheduler *scheduler, uint32_t step, bool is_last_copy)
{
    const uint32_t node = scheduler->node_count++;
    const bool is_branch = scheduler->flow->steps[step].kind == STEP_BRANCH;

    scheduler->nodes[node] = (struct node){
        .step = step,
        .first = (uint32_t)scheduler->values.count,
        .latency = latency_of(scheduler->plan, instruction_of(scheduler, step)),
    };
    if (is_branch && !is_last_copy) {
        return;
    }
    add_values(scheduler, node, is_last_copy);
    order_memory(scheduler, node);
    for (uint32_t i = 0; i < node && is_branch; i++) {
        add_edge(scheduler, i + 1, node, 0);
    }
}

static bool is_folded(const struct flow_step *step)
{
    return step->kind == STEP_PLAIN && step->writes + step->reads == 0;
}

static bool make_graph(struct block_scheduler *scheduler, const struct flow_block *block)
{
    const struct kernel_flow *flow = scheduler->flow;
    const uint32_t copies = scheduler->plan->copies;

    if ((uint64_t)(block->end - block->first) * copies > NODES_MAX) {
        return false;
    }
    scheduler->node_count = 0;
    scheduler->edge_count = scheduler->version_count = 0;
    scheduler->values.count = scheduler->accesses.count = 0;
    scheduler->loads[0].count = scheduler->loads[1].count = 0;
    scheduler->last_store[0] = scheduler->last_store[1] = scheduler->last_barrier = 0;
    note_writes(scheduler, block, copies > 1);
    for (uint32_t copy = 0; copy < copies; copy++) {
        for (uint32_t i = block->first; i < block->end; i++) {
            if (!is_folded(&flow->steps[i])) {
                add_node(scheduler, i, copy + 1 == copies);
            }
        }
    }
    note_writes(scheduler, block, false);
    return charge(scheduler, scheduler->node_count + scheduler->edge_count);
}

/* Order *****************************************************************************************/

/* The longest way from a node to the end. */
static void find_priorities(struct block_scheduler *scheduler)
{
    for (uint32_t i = scheduler->node_count; i > 0; i--) {
        struct node *node = &scheduler->nodes[i - 1];
        node->priority = node->latency;
        for (uint32_t e = node->edge; e > 0; e = scheduler->edges[e - 1].next) {
            const struct edge *edge = &scheduler->edges[e - 1];
            const uint32_t way = scheduler->nodes[edge->to].priority + edge->latency;
            node->priority = way > node->priority ? way : node->priority;
        }
    }
}

/* The place in the list of the node that comes next; -1: none is ready before *out_soon. */
static int64_t choose(const struct block_scheduler *scheduler, uint32_t cycle, uint32_t *out_soon)
{
    int64_t best = -1;

    *out_soon = UINT32_MAX;
    for (size_t q = 0; q < scheduler->ready.count; q++) {
        const uint32_t i = scheduler->ready.items[q];
        const struct node *node = &scheduler->nodes[i];
        if (node->ready > cycle) {
            *out_soon = node->ready < *out_soon ? node->ready : *out_soon;
            continue;
        }
        const uint32_t other = best < 0 ? 0 : scheduler->ready.items[best];
        const struct node *chosen = &scheduler->nodes[other];
        if (best < 0 || node->priority > chosen->priority ||
            (node->priority == chosen->priority && i < other)) {
            best = (int64_t)q;
        }
    }
    return best;
}

static void finish(struct block_scheduler *scheduler, const struct node *node, uint32_t cycle)
{
    for (uint32_t e = node->edge; e > 0; e = scheduler->edges[e - 1].next) {
        const struct edge *edge = &scheduler->edges[e - 1];
        struct node *to = &scheduler->nodes[edge->to];
        to->ready = cycle + edge->latency > to->ready ? cycle + edge->latency : to->ready;
        if (--to->waits == 0) {
            push(scheduler, &scheduler->ready, edge->to);
        }
    }
}

static bool order_by_latency(struct block_scheduler *scheduler)
{
    uint32_t count = 0;
    uint32_t cycle = 0;

    find_priorities(scheduler);
    scheduler->ready.count = 0;
    for (uint32_t i = 0; i < scheduler->node_count; i++) {
        if (scheduler->nodes[i].waits == 0) {
            push(scheduler, &scheduler->ready, i);
        }
    }
    while (count < scheduler->node_count) {
        uint32_t soon;
        const int64_t chosen = choose(scheduler, cycle, &soon);
        if (!charge(scheduler, scheduler->ready.count)) {
            return false;
        }
        if (chosen < 0) {
            cycle = soon;
            continue;
        }
        const uint32_t i = scheduler->ready.items[chosen];
        scheduler->ready.items[chosen] = scheduler->ready.items[--scheduler->ready.count];
        scheduler->order[count++] = i;
        finish(scheduler, &scheduler->nodes[i], cycle);
        cycle += scheduler->nodes[i].reads + scheduler->nodes[i].writes > 0 ? CYCLES_ISSUE : 0;
    }
    return true;
}

static void order_as_written(struct block_scheduler *scheduler)
{
    for (uint32_t i = 0; i < scheduler->node_count; i++) {
        scheduler->order[i] = i;
    }
}

/* Counting **************************************************************************************/

static bool is_access(const struct block_scheduler *scheduler, const struct node *node)
{
    const uint8_t kind = scheduler->flow->steps[node->step].kind;

    return kind == STEP_LOAD ||
           (kind == STEP_FENCE && instruction_of(scheduler, node->step)->opcode != PTX_OP_BAR);
}

/* Finds the place of the last reader of each version. */
static void find_last(struct block_scheduler *scheduler, bool keeps, const uint32_t *after,
                      size_t after_count)
{
    const uint32_t total = scheduler->node_count;

    for (uint32_t i = 0; i < total; i++) {
        scheduler->place[scheduler->order[i]] = i + 1;
    }
    for (size_t v = 0; v < scheduler->version_count; v++) {
        scheduler->versions[v].last = 0;
    }
    for (uint32_t i = 0; i < total; i++) {
        const struct node *node = &scheduler->nodes[i];
        const uint32_t place = keeps && is_access(scheduler, node) ? total : scheduler->place[i];
        for (uint32_t k = 0; k < node->reads; k++) {
            struct version *version =
                &scheduler->versions[scheduler->values.items[node->first + k]];
            version->last = place > version->last ? place : version->last;
        }
    }
    for (size_t i = 0; i < after_count; i++) {
        if (scheduler->current[after[i]] != NO_VERSION) {
            scheduler->versions[scheduler->current[after[i]]].last = total + 1;
        }
    }
}

/* The most registers at once in the order that is set. A result that nobody reads needs its
 * registers once. */
static uint32_t count_live(struct block_scheduler *scheduler, bool keeps, const uint32_t *after,
                           size_t after_count)
{
    const uint8_t *registers = scheduler->flow->registers;
    const uint32_t total = scheduler->node_count;
    int32_t now = 0;
    int32_t most = 0;

    find_last(scheduler, keeps, after, after_count);
    memset(scheduler->change, 0, (total + 3) * sizeof *scheduler->change);
    for (size_t v = 0; v < scheduler->version_count; v++) {
        const struct version *version = &scheduler->versions[v];
        const uint32_t from = version->made_by == 0 ? 0 : scheduler->place[version->made_by - 1];
        const uint32_t to = version->last > from ? version->last : from + 1;
        scheduler->change[from] += registers[version->reg];
        scheduler->change[to] -= registers[version->reg];
    }
    for (size_t i = 0; i < after_count; i++) {
        now += scheduler->current[after[i]] == NO_VERSION ? registers[after[i]] : 0;
    }
    most = now;
    for (uint32_t i = 0; i <= total + 1; i++) {
        now += scheduler->change[i];
        most = now > most ? now : most;
    }
    return (uint32_t)most;
}

bool block_schedule(struct block_scheduler *scheduler, const struct flow_block *block,
                    const struct schedule_plan *plan, const uint32_t *after, size_t after_count,
                    struct block_pressure *out_pressure)
{
    scheduler->plan = plan;
    const bool is_made = make_graph(scheduler, block);

    if (is_made) {
        order_as_written(scheduler);
        out_pressure->written = count_live(scheduler, false, after, after_count);
    }
    const bool is_ordered = is_made && order_by_latency(scheduler);
    if (is_ordered) {
        out_pressure->listed = count_live(scheduler, false, after, after_count);
        out_pressure->kept = count_live(scheduler, true, after, after_count);
    }
    for (size_t v = 0; v < scheduler->version_count; v++) {
        scheduler->current[scheduler->versions[v].reg] = NO_VERSION;
    }
    return is_ordered && charge(scheduler, scheduler->version_count + after_count);
}
