/* term_graph.c: see term_graph.h. */
#include "device/emulated/memory/term_graph.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 1 << 12 };

enum node_kind { KIND_JOIN, KIND_READ, KIND_SHUFFLED, KIND_LEAF };

struct term_node {
    uint32_t left;  /* of a leaf its number in the table of leaves */
    uint32_t right; /* of all but joins the number of a place */
    uint8_t kind;   /* enum node_kind */
    bool decides;   /* where a lane goes, or where a value is stored */
};

struct term_leaf {
    uint64_t address;
    uint32_t bytes;
};

/* `items`, with room for one more; twice as many if there is none. */
static void *with_room(void *items, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    items = realloc(items, *capacity * bytes);
    if (items == NULL) {
        abort();
    }
    return items;
}

/* The same number of them, all zero. */
static void *new_array(size_t count, size_t bytes)
{
    void *array = calloc(count + 1, bytes);

    if (array == NULL) {
        abort();
    }
    return array;
}

void term_graph_init(struct term_graph *graph)
{
    *graph = (struct term_graph){.node_count = TERM_FIRST, .node_capacity = FIRST_CAPACITY};
    graph->nodes = new_array(graph->node_capacity, sizeof *graph->nodes);
}

void term_graph_release(struct term_graph *graph)
{
    free(graph->nodes);
    free(graph->leaves);
}

static uint32_t new_node(struct term_graph *graph, uint32_t left, uint32_t right,
                         enum node_kind kind)
{
    if (graph->node_count == TERM_NODES_MAX) {
        graph->is_lost = true;
        return TERM_UNKNOWN;
    }
    graph->nodes =
        with_room(graph->nodes, graph->node_count, &graph->node_capacity, sizeof *graph->nodes);
    graph->nodes[graph->node_count] = (struct term_node){left, right, (uint8_t)kind, false};
    return (uint32_t)graph->node_count++;
}

uint32_t term_leaf(struct term_graph *graph, uint64_t address, uint32_t bytes, uint32_t place)
{
    graph->leaves =
        with_room(graph->leaves, graph->leaf_count, &graph->leaf_capacity, sizeof *graph->leaves);
    graph->leaves[graph->leaf_count] = (struct term_leaf){address, bytes};
    return new_node(graph, (uint32_t)graph->leaf_count++, place, KIND_LEAF);
}

bool term_is_leaf(const struct term_graph *graph, uint32_t node, uint64_t address, uint32_t bytes,
                  uint32_t place)
{
    const struct term_node *leaf = &graph->nodes[node];

    return node >= TERM_FIRST && leaf->kind == KIND_LEAF && leaf->right == place &&
           graph->leaves[leaf->left].address == address && graph->leaves[leaf->left].bytes == bytes;
}

uint32_t term_read(struct term_graph *graph, uint32_t node, uint32_t place)
{
    return node < TERM_FIRST ? node : new_node(graph, node, place, KIND_READ);
}

uint32_t term_shuffle(struct term_graph *graph, uint32_t node, uint32_t place)
{
    return node < TERM_FIRST ? node : new_node(graph, node, place, KIND_SHUFFLED);
}

/* True if a node is one of the two parts of a join. */
static bool has_part(const struct term_graph *graph, uint32_t node, uint32_t part)
{
    const struct term_node *join = &graph->nodes[node];

    return node >= TERM_FIRST && join->kind == KIND_JOIN &&
           (join->left == part || join->right == part);
}

uint32_t term_join(struct term_graph *graph, uint32_t left, uint32_t right)
{
    if (left == TERM_UNKNOWN || right == TERM_UNKNOWN) {
        return TERM_UNKNOWN;
    }
    if (left == right || right == TERM_NOTHING || has_part(graph, left, right)) {
        return left;
    }
    if (left == TERM_NOTHING || has_part(graph, right, left)) {
        return right;
    }
    return new_node(graph, left, right, KIND_JOIN);
}

void term_note_decision(struct term_graph *graph, uint32_t node)
{
    graph->nodes[node].decides = true;
}

/* How a node is reached from the value that is asked for. */
struct reached {
    uint32_t count;
    uint32_t place; /* of the first read on the way; 0: there was none */
};

static void reach(struct reached *reached, uint32_t node, uint32_t count, uint32_t place)
{
    const uint32_t before = reached[node].count;

    reached[node].count = before > UINT32_MAX - count ? UINT32_MAX : before + count;
    reached[node].place = before == 0 ? place : reached[node].place;
}

/* Goes from a node that is no leaf to its parts. */
static void reach_parts(const struct term_node *node, const struct reached *here,
                        struct reached *reached)
{
    const bool is_first = here->place == 0 && node->kind == KIND_READ;

    reach(reached, node->left, here->count, is_first ? node->right : here->place);
    if (node->kind == KIND_JOIN) {
        reach(reached, node->right, here->count, here->place);
    }
}

size_t term_list(const struct term_graph *graph, uint32_t root, struct value_term *out_terms,
                 size_t room)
{
    size_t count = 0;

    if (root == TERM_UNKNOWN || graph->is_lost) {
        return SIZE_MAX;
    }
    struct reached *reached = new_array((size_t)root + 1, sizeof *reached);
    reached[root].count = 1;
    for (uint32_t i = root; i >= TERM_FIRST; i--) {
        const struct term_node *node = &graph->nodes[i];
        const struct reached *here = &reached[i];
        if (here->count > 0 && node->kind != KIND_LEAF) {
            reach_parts(node, here, reached);
        } else if (here->count > 0) {
            const struct term_leaf *leaf = &graph->leaves[node->left];
            const struct value_term term = {leaf->address, leaf->bytes, here->count, node->right,
                                            here->place != 0 ? here->place : node->right};
            if (count < room) {
                out_terms[count] = term;
            }
            count++;
        }
    }
    free(reached);
    return count;
}

uint32_t term_fate(const struct term_graph *graph, uint64_t address, enum term_fate *out_fate)
{
    uint8_t *holds = new_array(graph->node_count, sizeof *holds);
    uint32_t place = 0;
    bool decides = false;

    *out_fate = TERM_LOADED;
    for (size_t i = TERM_FIRST; i < graph->node_count && !graph->is_lost; i++) {
        const struct term_node *node = &graph->nodes[i];
        const bool is_leaf = node->kind == KIND_LEAF;
        holds[i] = is_leaf ? graph->leaves[node->left].address == address
                           : holds[node->left] || (node->kind == KIND_JOIN && holds[node->right]);
        if (holds[i] != 0 && node->kind != KIND_JOIN && node->right != 0) {
            place = node->right;
            *out_fate = is_leaf ? TERM_LOADED : TERM_READ;
        }
        decides = decides || (holds[i] != 0 && node->decides);
    }
    *out_fate = decides ? TERM_DECIDES : *out_fate;
    free(holds);
    return place;
}
