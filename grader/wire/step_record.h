/* step_record.h: the steps of one block, in the order in which the emulated device ran them: what
 * the lanes of a warp did together.
 *
 * The payload of a reply to STEPS is an array of packed steps, then one of packed places
 * (trace_record.h), then the parts of memory that have a name or a size: packed regions. A step
 * names its place by its number. All of it is little endian. A step of 16 bytes is
 *
 *   0                 4        8        12
 *   +-----------------+--------+--------+--------+
 *   | kind            | place  | lanes  | other  |
 *   +-----------------+--------+--------+--------+
 *     bits 0 to 3 the kind, 4 releases, 5 the space, 6 a list follows, 8 to 15 the bytes,
 *     16 to 31 the warp
 *
 * and after it, of an access, the addresses of its lanes: the first one and the distance from lane
 * to lane, u64 each; or a list, a u64 for each lane, where the distances differ.
 */
#ifndef GPUGRADE_WIRE_STEP_RECORD_H
#define GPUGRADE_WIRE_STEP_RECORD_H

#include "base/text.h"
#include "wire/trace_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STEP_LANES = 32, STEP_NAME_BYTES = 64, STEP_ARRIVES_ONLY = 16, STEP_RECORD_BYTES_MIN = 16 };

/* A reply carries no more of them: what follows is counted. */
enum { STEP_PAYLOAD_MAX = 24 << 20, STEP_REGIONS_MAX = 256 };

enum step_record_kind {
    STEP_RECORD_READ = 1,
    STEP_RECORD_WRITE,
    STEP_RECORD_ATOMIC,
    STEP_RECORD_BARRIER, /* lanes come to a barrier of the block */
    STEP_RECORD_BRANCH,  /* lanes part: `lanes` take a branch, the rest of `other` does not */
    STEP_RECORD_EXIT,    /* lanes end */
    STEP_RECORD_KIND_END
};

struct step_record {
    uint32_t kind;  /* enum step_record_kind */
    uint32_t warp;  /* in the block */
    uint32_t place; /* number of its place */
    uint32_t lanes; /* a bit each; not 0 */
    uint32_t other; /* of a branch: all lanes that came to it; of an access: the lanes whose address
                       is not valid; of a barrier, or an exit that releases one: its number, with
                       STEP_ARRIVES_ONLY if the lanes do not wait */
    bool releases;  /* of a barrier or an exit: those who wait at that barrier go on now */
    uint32_t space; /* enum trace_record_space; constant memory counts as global */
    uint32_t bytes; /* of an access: of one lane, 1 to 64 */
    uint64_t addresses[STEP_LANES]; /* of an access, of its lanes: a device address, or the offset
                                       in the block's shared memory */
};

/* A variable in shared memory, or an allocation that a valid access of the block reached. */
struct step_region {
    uint32_t space; /* enum trace_record_space */
    uint64_t start, bytes;
    char name[STEP_NAME_BYTES]; /* of a variable: mangled, cut if it is long; "": it has none */
};
enum { STEP_REGION_BYTES = 4 + 8 + 8 + STEP_NAME_BYTES };

/* Appends a step. */
void step_record_pack(const struct step_record *record, struct text *out);

/* Reads the step at *cursor and moves it on; false at the end, or if it is none that a device
 * sends. */
bool step_record_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                        struct step_record *out_record);

/* The same for a region, in STEP_REGION_BYTES bytes. The name is NUL-terminated. */
void step_region_pack(const struct step_region *region, struct text *out);
bool step_region_unpack(const uint8_t *bytes, struct step_region *out_region);

#endif
