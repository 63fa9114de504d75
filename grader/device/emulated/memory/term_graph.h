/* term_graph.h: what values are made of: nodes that lead back to elements of memory.
 *
 *   nothing      a constant, an index, a parameter
 *   a leaf       an element, and what loads it
 *   a read       a node that was read from memory, and what reads it
 *   a shuffle    a node of another lane, and what gets it
 *   a join       two nodes
 *   unknown      anything
 *
 * A node's parts never change, and are older than it is. Memory is bounded by TERM_NODES_MAX; where
 * there are more, nothing is known any more.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_TERM_GRAPH_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_TERM_GRAPH_H

#include "wire/trace_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TERM_NODES_MAX = 1 << 21 };

/* Numbers of nodes; all others are larger. */
enum { TERM_NOTHING = 0, TERM_UNKNOWN = 1, TERM_FIRST = 2 };

struct term_graph {
    struct term_node *nodes; /* [node_count], the first TERM_FIRST are not used */
    size_t node_count, node_capacity;
    struct term_leaf *leaves; /* [leaf_count] */
    size_t leaf_count, leaf_capacity;
    bool is_lost; /* nothing is known any more */
};

/* Aborts without memory, as all that make nodes. */
void term_graph_init(struct term_graph *graph);
void term_graph_release(struct term_graph *graph);

/* Nodes; `place` is the number of a place, 0: unknown. */
uint32_t term_leaf(struct term_graph *graph, uint64_t address, uint32_t bytes, uint32_t place);
uint32_t term_read(struct term_graph *graph, uint32_t node, uint32_t place);
uint32_t term_shuffle(struct term_graph *graph, uint32_t node, uint32_t place);
uint32_t term_join(struct term_graph *graph, uint32_t left, uint32_t right);

/* True if a node is the leaf that the same arguments would make again. */
bool term_is_leaf(const struct term_graph *graph, uint32_t node, uint64_t address, uint32_t bytes,
                  uint32_t place);

/* A node decides where a lane goes, or where a value is stored. */
void term_note_decision(struct term_graph *graph, uint32_t node);

/* An element that a value is made of. */
struct value_term {
    uint64_t address;
    uint32_t bytes;
    uint32_t count; /* in how many ways it gets there; UINT32_MAX: that many, or more */
    uint32_t load;  /* number of the place that loads it */
    uint32_t place; /* of the last read on one of these ways; its load, if there is no other */
};

/* Lists up to `room` elements that a node is made of; returns how many there are; SIZE_MAX if that
 * is not known. */
size_t term_list(const struct term_graph *graph, uint32_t root, struct value_term *out_terms,
                 size_t room);

/* How far the element at an address got: the number of the place of the last load, read or shuffle
 * of something made of it; 0: there is none, or it is not known. */
uint32_t term_fate(const struct term_graph *graph, uint64_t address, enum term_fate *out_fate);

#endif
