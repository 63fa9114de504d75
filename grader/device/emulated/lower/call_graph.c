/* call_graph.c: see call_graph.h.
 *
 * One more node stands for "through a pointer": functions with indirect calls lead to it, and it
 * leads to all functions whose address is taken. Then nodes without ways out are taken away until
 * none is left, and nodes without ways in: what remains lies on a cycle or between two.
 */
#include "device/emulated/lower/call_graph.h"

struct edge {
    uint32_t from, to;
};

struct graph {
    struct arena *arena;
    const struct ptx_module *module;
    bool *is_address_taken;
    struct edge *edges; /* [edge_count] */
    size_t edge_count, edge_capacity;
};

static void add_edge(struct graph *graph, size_t from, size_t to)
{
    arena_grow(graph->arena, &graph->edges, &graph->edge_capacity, graph->edge_count + 1,
               sizeof *graph->edges);
    graph->edges[graph->edge_count++] = (struct edge){(uint32_t)from, (uint32_t)to};
}

/* Calls of a function, and the functions whose addresses it takes. */
static void read_function(struct graph *graph, size_t index)
{
    const struct ptx_function *function = &graph->module->functions[index];
    size_t pointers = graph->module->function_count;
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *operands = instruction->operands;
        if (instruction->opcode == PTX_OP_CALL) {
            bool is_direct = operands[0].kind == PTX_OPERAND_FUNCTION;
            add_edge(graph, index, is_direct ? (size_t)operands[0].symbol : pointers);
            continue;
        }
        for (unsigned k = 0; k < instruction->operand_count; k++) {
            if (operands[k].kind == PTX_OPERAND_SYMBOL && operands[k].scope == PTX_SCOPE_CODE) {
                graph->is_address_taken[operands[k].symbol] = true;
            }
        }
    }
}

/* Functions whose addresses stand in the initial values of variables, such as virtual tables. */
static void read_variables(struct graph *graph)
{
    for (size_t i = 0; i < graph->module->variable_count; i++) {
        const struct ptx_variable *variable = &graph->module->variables[i];
        for (size_t k = 0; k < variable->relocation_count; k++) {
            if (variable->relocations[k].is_function) {
                graph->is_address_taken[variable->relocations[k].index] = true;
            }
        }
    }
}

/* One pass of taking nodes away: those without a way out, or without a way in. */
static void prune(const struct graph *graph, size_t node_count, bool by_ways_in, bool *stays)
{
    uint32_t *ways = arena_array(graph->arena, node_count, sizeof *ways);
    uint32_t *first = arena_array(graph->arena, node_count + 1, sizeof *first);
    uint32_t *neighbours = arena_array(graph->arena, graph->edge_count + 1, sizeof *neighbours);
    uint32_t *ready = arena_array(graph->arena, node_count, sizeof *ready);
    size_t ready_count = 0;
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct edge *edge = &graph->edges[i];
        if (stays[edge->from] && stays[edge->to]) {
            ways[by_ways_in ? edge->to : edge->from]++;
            first[by_ways_in ? edge->from : edge->to]++;
        }
    }
    uint32_t end = 0;
    for (size_t i = 0; i < node_count; i++) {
        end += first[i];
        first[i] = end;
    }
    first[node_count] = end;
    for (size_t i = 0; i < graph->edge_count; i++) {
        const struct edge *edge = &graph->edges[i];
        if (stays[edge->from] && stays[edge->to]) {
            uint32_t near = by_ways_in ? edge->from : edge->to;
            neighbours[--first[near]] = by_ways_in ? edge->to : edge->from;
        }
    }
    for (size_t i = 0; i < node_count; i++) {
        if (stays[i] && ways[i] == 0) {
            ready[ready_count++] = (uint32_t)i;
        }
    }
    while (ready_count > 0) {
        uint32_t node = ready[--ready_count];
        stays[node] = false;
        for (uint32_t i = first[node]; i < first[node + 1]; i++) {
            if (--ways[neighbours[i]] == 0) {
                ready[ready_count++] = neighbours[i];
            }
        }
    }
}

struct call_graph *call_graph_new(struct arena *arena, const struct ptx_module *module)
{
    size_t count = module->function_count;
    struct call_graph *result = arena_alloc(arena, sizeof *result);
    bool *stays = arena_array(arena, count + 1, sizeof *stays);
    struct arena *scratch = arena_new();
    struct graph graph = {.arena = scratch, .module = module};
    graph.is_address_taken = arena_array(arena, count + 1, sizeof *graph.is_address_taken);
    for (size_t i = 0; i < count; i++) {
        read_function(&graph, i);
    }
    read_variables(&graph);
    for (size_t i = 0; i < count; i++) {
        if (graph.is_address_taken[i]) {
            add_edge(&graph, count, i);
        }
    }
    for (size_t i = 0; i <= count; i++) {
        stays[i] = true;
    }
    prune(&graph, count + 1, false, stays);
    prune(&graph, count + 1, true, stays);
    arena_free(scratch);
    result->may_recur = stays;
    result->is_address_taken = graph.is_address_taken;
    return result;
}
