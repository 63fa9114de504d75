/* trace_record.h: what one traced block did: each access with its value, and the places of the
 * source that the accesses come from.
 *
 * The payload of a reply to TRACE is an array of packed accesses, then one of packed places; an
 * access names its place by its number. All of it is little endian.
 *
 *   0                 4        8                16               24
 *   +-----------------+--------+----------------+----------------+
 *   | thread and kind | place  | where          | bits           |
 *   +-----------------+--------+----------------+----------------+
 *     bits 0 to 15 the thread, 16 to 19 the space, 20 to 23 the access, 24 to 31 the bytes
 */
#ifndef GPUGRADE_WIRE_TRACE_RECORD_H
#define GPUGRADE_WIRE_TRACE_RECORD_H

#include "wire/finding_record.h"

#include <stdbool.h>
#include <stdint.h>

enum trace_record_space { TRACE_RECORD_GLOBAL, TRACE_RECORD_SHARED };

/* One scalar access of one thread. */
struct trace_record {
    uint32_t thread; /* in the block, x first; at most 65535 */
    uint32_t space;  /* enum trace_record_space; constant memory counts as global */
    uint32_t access; /* enum finding_record_access: READ, WRITE or ATOMIC */
    uint32_t bytes;  /* 1, 2, 4 or 8 */
    uint32_t place;  /* number of its place */
    uint64_t where;  /* global: the device address; shared: the offset in the block's */
    uint64_t bits;   /* that were read or written; an atomic: what memory holds after it */
};

/* An element of memory that a value is made of. */
struct term_record {
    uint64_t address;
    uint32_t bytes;
    uint32_t count;                        /* see device.h */
    uint32_t modules[2];                   /* of the places, plus 1; 0: it is unknown */
    struct finding_record_place places[2]; /* its load, the last read; as of a trace */
};

/* How far an element of memory got. */
enum term_fate {
    TERM_LOADED,  /* it is loaded at most */
    TERM_READ,    /* something made of it was stored and read again */
    TERM_DECIDES, /* something made of it decides a branch, or where a value is stored */
};

enum { TERM_RECORD_BYTES = 72, TERM_RECORDS_MAX = 4096 };

/* Of a place: file, line and column, and those where it was inlined, as in a finding_record_place.
 * A kernel has no more places than the emulated device lowers ops. */
enum {
    TRACE_RECORD_BYTES = 24,
    TRACE_PLACE_BYTES = 24,
    TRACE_RECORDS_MAX = 4 << 20,
    TRACE_PLACES_MAX = 1 << 20
};

/* Lays a record out in exactly TRACE_RECORD_BYTES bytes. */
void trace_record_pack(const struct trace_record *record, uint8_t *out_bytes);

/* Reads one back; false if a field has a value that no device sends. */
bool trace_record_unpack(const uint8_t *bytes, struct trace_record *out_record);

/* The same for a place, in TRACE_PLACE_BYTES bytes; what a trace does not need of it is 0. */
void trace_place_pack(const struct finding_record_place *place, uint8_t *out_bytes);
void trace_place_unpack(const uint8_t *bytes, struct finding_record_place *out_place);

/* The same for an element that a value is made of, in TERM_RECORD_BYTES bytes. */
void term_record_pack(const struct term_record *record, uint8_t *out_bytes);
void term_record_unpack(const uint8_t *bytes, struct term_record *out_record);

#endif
