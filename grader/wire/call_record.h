/* call_record.h: what a judged call did, as the device tells it.
 *
 *   call record | finding records | kernel record | its count records | kernel record | ...
 *   | step record | its parameters | step record | ...
 *
 * Plain data, little endian, fixed sizes. Each kernel that was launched has one record, in the
 * order of their first launches. Steps are there if the call was to be recorded.
 */
#ifndef GPUGRADE_WIRE_CALL_RECORD_H
#define GPUGRADE_WIRE_CALL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ways of the host that are bounded. All places are sites of client_messages.def, 0: unknown. */
enum { CALL_OPERANDS_MAX = 8, CALL_STEPS_MAX = 64 };

enum call_bound {
    CALL_BOUND_READS,
    CALL_BOUND_WRITES,
    CALL_BOUND_LAUNCHES,
    CALL_BOUND_COPIES,
    CALL_BOUND_TOUCHES, /* of operands in host memory, by host code */
    CALL_BOUND_RESULTS, /* of a whole program: bytes of its result that no copy brought */
    CALL_BOUNDS
};

/* What a program asks for at places of its own. */
enum call_request {
    CALL_REQUEST_LAUNCH,
    CALL_REQUEST_COPY,
    CALL_REQUEST_SET,
    CALL_REQUEST_READ,  /* to the host; by bytes */
    CALL_REQUEST_WRITE, /* to the device; by bytes */
    CALL_REQUEST_WAIT,
    CALL_REQUEST_FREE, /* of an operand */
    CALL_REQUESTS
};

/* Why the parts of the longest chain come one after the other, most often. */
enum call_link {
    CALL_LINK_NONE,
    CALL_LINK_HOST,
    CALL_LINK_LEGACY,
    CALL_LINK_EVENT,
    CALL_LINK_STREAM
};

struct call_record {
    uint64_t status;           /* enum launch_status: of the first launch that did not come to its
                                  end, else LAUNCH_DONE */
    uint64_t failed_kernel;    /* the kernel record of that launch */
    uint64_t order_can_matter; /* 1: of the blocks, in some launch */
    uint64_t launches, copies, sets;
    uint64_t host_reads, host_writes; /* bytes: model/counts.h */
    uint64_t streams, stream_bytes, longest_chain_bytes, synchronisations;
    uint64_t shared_with_host_bytes;
    uint64_t host_touches; /* pages of operands in host memory that host code has touched */
    uint64_t result_bytes; /* of a whole program: as it says itself */
    uint64_t host_results; /* bytes of its result that are not as the device had them */
    uint64_t excess_sites[CALL_BOUNDS];     /* where the program went beyond a bound first */
    uint64_t most_sites[CALL_REQUESTS];     /* where it asked for most of it */
    uint64_t link, link_site;               /* enum call_link, and where */
    uint64_t copy_sites[CALL_OPERANDS_MAX]; /* of the last copy or set to each operand */
    /* Bytes of each operand, as CALL lists them, that copies read, and that copies and sets wrote.
     * */
    uint64_t copied_from[CALL_OPERANDS_MAX], copied_to[CALL_OPERANDS_MAX];
    uint64_t copy_launches[CALL_OPERANDS_MAX]; /* before the last copy or set to each operand */
    uint64_t copy_offsets[CALL_OPERANDS_MAX];  /* bytes in the device memory that it reads before
                                                  where it begins; 0 of another one */
    /* Of a whole program: the memory that holds the file of each operand, or from which its result
     * was copied, if it is exactly as large; 0: unknown. */
    uint64_t arrays[CALL_OPERANDS_MAX], result_array;
    uint64_t copy_sets;                /* bits of the operands for which that was a set */
    uint64_t findings, kernels, steps; /* how many records follow */
    uint64_t steps_left_out;           /* beyond CALL_STEPS_MAX */
};

struct call_kernel_record {
    uint64_t module, function;
    uint64_t launches;
    uint64_t grid, block; /* of its last launch, as control_dimensions_pack packs them */
    uint64_t dynamic_shared_bytes;
    uint64_t is_counted; /* 0: this device does not count; then there are no count records */
    uint64_t lane_instructions, warp_instructions, barriers, work;
    uint64_t site;   /* of its first launch */
    uint64_t blocks; /* most of a launch */
    uint64_t counts; /* how many count records follow */
};

enum call_step { CALL_STEP_LAUNCH, CALL_STEP_COPY, CALL_STEP_SET, CALL_STEP_UPLOAD };

struct call_step_record {
    uint64_t kind; /* enum call_step */
    /* a launch */
    uint64_t module, function, grid, block, dynamic_shared_bytes, is_cooperative;
    uint64_t parameter_bytes; /* of a launch, or what an upload brings; they follow the record */
    uint64_t to, from, bytes, value; /* a row of a copy, of a set to a byte, or of an upload */
};

enum {
    CALL_RECORD_BYTES = (24 + CALL_BOUNDS + CALL_REQUESTS + 6 * CALL_OPERANDS_MAX) * 8,
    CALL_KERNEL_RECORD_BYTES = 14 * 8,
    CALL_STEP_RECORD_BYTES = 12 * 8,
};

void call_record_pack(const struct call_record *record, uint8_t out_bytes[CALL_RECORD_BYTES]);
void call_record_unpack(const uint8_t bytes[CALL_RECORD_BYTES], struct call_record *out_record);

void call_kernel_record_pack(const struct call_kernel_record *record,
                             uint8_t out_bytes[CALL_KERNEL_RECORD_BYTES]);
void call_kernel_record_unpack(const uint8_t bytes[CALL_KERNEL_RECORD_BYTES],
                               struct call_kernel_record *out_record);

void call_step_record_pack(const struct call_step_record *record,
                           uint8_t out_bytes[CALL_STEP_RECORD_BYTES]);
void call_step_record_unpack(const uint8_t bytes[CALL_STEP_RECORD_BYTES],
                             struct call_step_record *out_record);

#endif
