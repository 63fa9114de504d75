/* operand_memory.h: the addresses of operands, so that an out-of-bounds access can be reported with
 * the name of the array and an index.
 *
 * Only operands that fill their whole allocation are listed. The rest of a larger allocation has no
 * name. */
#ifndef GPUGRADE_SESSION_OPERAND_MEMORY_H
#define GPUGRADE_SESSION_OPERAND_MEMORY_H

#include "base/arena.h"
#include "model/finding.h"
#include "model/rubric.h"
#include "wire/finding_record.h"

struct operand_memory {
    const char *name;   /* in the rubric */
    const char *kernel; /* that it was passed to, a plain name; NULL: any may have it */
    uint64_t start, bytes;
    uint64_t element_bytes; /* at least 1; of a vector, of all its numbers */
    uint64_t lanes;         /* numbers of an element, if it is a vector; else 1 or 0 */
    uint64_t extents[3];    /* [rank], slowest first */
    size_t rank;
};

struct operand_memories {
    struct operand_memory *items; /* [count] */
    size_t count, capacity;
};

/* Adds an operand, which lives in the arena. */
void operand_memory_add(struct arena *arena, struct operand_memories *memories,
                        const struct operand_memory *memory);

/* Describes an access by an operand: one outside all allocations by the nearest operand and the
 * index, "reads B[512], past the end of B, which has 512 elements (32 x 16)"; one to what nothing
 * has written by the element, "reads B(2,3), which nothing has written"; a race by the first
 * element that has it, "C(0,0) is written while other threads still read it, and nothing orders
 * them". Sets finding->message only if the access lies in or next to one operand of that kernel and
 * to nothing else. Of those outside it also sets finding->has_vectors_only.
 */
void finding_name_operand(struct arena *arena, const struct operand_memories *memories,
                          const struct finding_record *record, struct finding *finding);

#endif
