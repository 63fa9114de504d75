/* count_record.h: what one launch did at one source line, or to one allocation, counted exactly.
 *
 * Plain data, laid out by count_record_pack(): little endian, fixed size. Which fields are used
 * depends on the kind; the others are 0.
 *
 * Sectors are the 32-byte pieces of global memory that one request of a warp touches; wavefronts
 * the passes that shared memory needs for one request: each serves every one of its 32 banks of 4
 * bytes once, and lanes that ask for the same word share. A request of 8 bytes a lane is split into
 * two halves of a warp, one of 16 bytes into four quarters (CUDA C++ Programming Guide, shared
 * memory), each with a wavefront of its own at least; loads whose lanes come in pairs of equal
 * addresses need half as many. Lanes of an atomic on the same word wait for each other. The rules
 * and their sources: device/emulated/memory/access_cost.h.
 */
#ifndef GPUGRADE_WIRE_COUNT_RECORD_H
#define GPUGRADE_WIRE_COUNT_RECORD_H

#include "wire/finding_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum count_record_kind {
    COUNT_RECORD_ACCESS = 1, /* loads, stores or atomics of one line in one space */
    COUNT_RECORD_ALLOCATION, /* global accesses to one allocation or module variable */
    COUNT_RECORD_BARRIER,    /* bar.sync and its relatives of one line */
    COUNT_RECORD_BRANCH,     /* conditional branches of one line */
    COUNT_RECORD_PRODUCT,    /* products of matrices on tensor cores, of one line */
    COUNT_RECORD_KIND_END
};

enum count_record_space {
    COUNT_SPACE_NONE,
    COUNT_SPACE_GLOBAL,
    COUNT_SPACE_SHARED,
    COUNT_SPACE_LOCAL,
    COUNT_SPACE_CONSTANT,
    COUNT_SPACE_END
};

struct count_record {
    uint32_t kind;   /* enum count_record_kind */
    uint32_t space;  /* enum count_record_space, of accesses */
    uint32_t access; /* enum finding_record_access: READ, WRITE or ATOMIC, of accesses and
                        allocations */
    uint32_t file, line, column; /* as in struct finding_record_place; of an allocation in a judged
                                    call `line` is the site where it was made (0: unknown) */
    uint32_t inlined_file, inlined_line, inlined_column;
    uint32_t max_degree;    /* shared: bank-conflict degree: most wavefronts that lanes which are
                               served together needed */
    uint64_t address;       /* of the allocation */
    uint64_t requests;      /* warps that executed it with at least one active lane; of a barrier:
                               arrivals of warps */
    uint64_t lanes;         /* active lanes, summed; of a branch: lanes that reached it */
    uint64_t bytes;         /* lanes x bytes of an access */
    uint64_t sectors;       /* global; shared: pieces of 32 bytes that the distinct bytes of a
                               wavefront fill */
    uint64_t least_sectors; /* that the same distinct bytes would need if they were adjacent */
    uint64_t wavefronts;    /* shared */
    uint64_t least_wavefronts; /* without conflicts */
    uint64_t divergent;        /* branches: requests whose lanes went both ways */
    uint64_t passed;           /* barriers that only order accesses: how often one completed */
    uint64_t needed;           /* barriers: ... and without it there would have been a race */
    uint64_t multiply_adds;    /* products */
};

enum { COUNT_RECORD_BYTES = 10 * 4 + 12 * 8 };

/* Lays a record out in exactly COUNT_RECORD_BYTES bytes. */
void count_record_pack(const struct count_record *record, uint8_t *out_bytes);

/* Reads one back; false if a field has a value that no device sends. */
bool count_record_unpack(const uint8_t *bytes, struct count_record *out_record);

#endif
