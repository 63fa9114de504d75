/* finding_record.h: a finding as the device sees it: places in modules, not yet in sources.
 *
 * It is plain data without pointers, so it crosses the control channel as it is laid out by
 * finding_record_pack(): little endian, fixed size.
 */
#ifndef GPUGRADE_WIRE_FINDING_RECORD_H
#define GPUGRADE_WIRE_FINDING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was seen; session/ maps it to a code of model/codes.def. */
enum finding_record_kind {
    FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS = 1,
    FINDING_RECORD_USE_AFTER_FREE,
    FINDING_RECORD_NULL_POINTER,
    FINDING_RECORD_HOST_POINTER, /* an address far from the device window */
    FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
    FINDING_RECORD_LOCAL_OUT_OF_BOUNDS,
    FINDING_RECORD_CONSTANT_OUT_OF_BOUNDS,
    FINDING_RECORD_PARAM_OUT_OF_BOUNDS,
    FINDING_RECORD_WRITE_TO_CONSTANT,
    FINDING_RECORD_MISALIGNED,
    FINDING_RECORD_BARRIER_DEADLOCK, /* object_bytes: arrivals that the mbarrier `text` counts,
                                        address: those that never come; 0: another barrier */
    FINDING_RECORD_BARRIER_DIVERGENT,
    FINDING_RECORD_UNKNOWN_INSTRUCTION,
    FINDING_RECORD_TRAP,
    FINDING_RECORD_SHARED_RACE, /* two threads of different warps, no barrier between */
    FINDING_RECORD_WARP_RACE,   /* the same within one warp, no bar.warp.sync between */
    FINDING_RECORD_GLOBAL_RACE,
    FINDING_RECORD_SHARED_UNINITIALISED, /* a read of shared memory that no thread wrote */
    FINDING_RECORD_COPY_UNDER_WAY, /* a read of what an asynchronous copy has not written yet; the
                                      second place is the copy */
    FINDING_RECORD_GLOBAL_UNINITIALISED, /* of an allocation that nothing wrote there;
                                            distance_bytes: from its start */
    FINDING_RECORD_BARRIER_MISMATCH,     /* threads met at different bar instructions */
    FINDING_RECORD_BARRIER_INCOMPLETE,   /* a barrier that part of the block exited without */
    FINDING_RECORD_ASSERT,               /* text: the expression */
    FINDING_RECORD_STACK_OVERFLOW,       /* object_bytes: the limit; text: the function called */
    FINDING_RECORD_BAD_CALL,             /* through a pointer that is not a function */
    FINDING_RECORD_BAD_FREE,             /* of a pointer that malloc never returned, or a second
                                            time */
    FINDING_RECORD_BAD_TEXTURE,          /* no texture or surface object is at the address */
    FINDING_RECORD_UNKNOWN_FUNCTION,     /* of the device runtime; text: its name */
    /* of what lanes of a warp do together (shfl.sync, bar.warp.sync, ...); address: the mask that
     * the first lane names, object_bytes: the lanes meant, as a mask */
    FINDING_RECORD_MASK_LANES_MISSING, /* lanes that the mask names never come; address 0: all of
                                          the warp have to (exec/exchange.h, join_run) */
    FINDING_RECORD_MASK_WITHOUT_SELF,  /* a lane executes it that its mask does not name */
    FINDING_RECORD_SHUFFLE_UNDEFINED,  /* a lane reads one that takes no part */
    FINDING_RECORD_LAUNCH_REFUSED, /* by the driver of a real GPU; text: the name of its error */
    /* of a launch that did more work than allowed, at a branch of the loop it was in; object_bytes:
     * the units of work that it could use */
    FINDING_RECORD_STOPPED,
    FINDING_RECORD_ENDLESS,       /* nothing that decides when the loop ends ever changes */
    FINDING_RECORD_WAITS_FOREVER, /* all threads wait for values in memory that none will store;
                                     text: the shared variable, "" if it is elsewhere */
    FINDING_RECORD_KIND_END
};

enum finding_record_access {
    FINDING_RECORD_NO_ACCESS,
    FINDING_RECORD_READ,
    FINDING_RECORD_WRITE,
    FINDING_RECORD_ATOMIC,
    FINDING_RECORD_WAIT, /* at a barrier */
    FINDING_RECORD_COPY, /* a write by an asynchronous copy */
};

enum { FINDING_RECORD_PLACES = 4, FINDING_RECORD_TEXT_BYTES = 96, FINDING_RECORD_ARGUMENTS = 8 };

/* An instruction and the thread that executed it first (lowest block, then lowest thread). */
struct finding_record_place {
    uint32_t access; /* enum finding_record_access */
    uint32_t file;   /* index in the module's .file table; 0: unknown */
    uint32_t line;   /* 0: unknown */
    uint32_t column;
    uint32_t inlined_file, inlined_line,
        inlined_column; /* the call, if inlined (op_place.h); else 0 */
    uint32_t block[3];
    uint32_t thread[3];
};

/* The launch that a finding was first seen in. */
struct finding_record_launch {
    uint32_t grid[3], block[3]; /* zeros: unknown */
    uint32_t known;             /* bit i: argument i is a number or a pointer that is known */
    uint64_t arguments[FINDING_RECORD_ARGUMENTS]; /* with zeros above */
};

struct finding_record {
    uint32_t kind;   /* enum finding_record_kind */
    uint32_t module; /* index of the module */
    uint32_t function;
    uint32_t place_count; /* 1 to FINDING_RECORD_PLACES; 0: the left-out findings of its kind, for
                             which there was no room (device/finding_room.h) or which were not
                             checked */
    uint64_t count;       /* how many lanes or pairs of them */
    uint64_t address;     /* of the first one */
    uint32_t access_bytes;
    int64_t distance_bytes; /* from the nearest allocation or tile: > 0 past its end, < 0 before */
    uint64_t object_bytes;  /* its size; 0: there is none */
    uint32_t has_base; /* 1: of an access to global memory, the allocation is not the nearest one
                               but the one that its address is made from a pointer into */
    uint32_t object_site, freed_site; /* where the program made and freed the allocation, as SITE of
                                         client_messages.def numbers places; 0: unknown */
    char text[FINDING_RECORD_TEXT_BYTES]; /* the variable (mangled), or the instruction; "" if none
                                           */
    struct finding_record_launch launch;
    struct finding_record_place places[FINDING_RECORD_PLACES];
};

enum {
    FINDING_RECORD_BYTES = 4 * 4 + 8 * 2 + 4 + 8 * 2 + 4 * 3 + FINDING_RECORD_TEXT_BYTES + 2 * 8 +
                           4 + FINDING_RECORD_ARGUMENTS * 8 + FINDING_RECORD_PLACES * 13 * 4
};

/* Lays a record out in exactly FINDING_RECORD_BYTES bytes. */
void finding_record_pack(const struct finding_record *record, uint8_t *out_bytes);

/* Reads one back; false if a field has a value that no device sends. The text is NUL-terminated. */
bool finding_record_unpack(const uint8_t *bytes, struct finding_record *out_record);

#endif
