/* control.h: the structured parts of the control channel; its messages are in
 * control_messages.def. */
#ifndef GPUGRADE_WIRE_CONTROL_H
#define GPUGRADE_WIRE_CONTROL_H

#include "base/text.h"
#include "wire/client.h"
#include "wire/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a launch ended. */
enum launch_status {
    LAUNCH_DONE,  /* findings may still report bad accesses */
    LAUNCH_FAULT, /* ended early: deadlock, trap, failed assert; see findings */
    LAUNCH_DEADLINE,
    LAUNCH_UNSUPPORTED, /* an unknown instruction was reached; see findings */
};

/* Exit statuses of a device process, both by _exit(): its GPU, or the driver, does not come back
 * from what the program launched; it was refused memory, see device/device_confine.h. */
enum { DEVICE_EXIT_HUNG = 86, DEVICE_EXIT_MEMORY = 87, DEVICE_EXIT_TIME = 88 };

enum control_event {
    CONTROL_EVENT_LAUNCH = 1,
    CONTROL_EVENT_MARKER,
    CONTROL_EVENT_RESOURCES,
    CONTROL_EVENT_LOAD,
    CONTROL_EVENT_GONE,
    CONTROL_EVENT_BROKEN,
};

/* Flags of CONFIGURE. */
enum control_device_flag {
    CONTROL_DEVICE_GLOBAL_RACES = 1, /* look for races in global memory too */
    CONTROL_DEVICE_GPU = 2,          /* a real GPU, not the emulated one */
    CONTROL_DEVICE_OWN_USER = 4,     /* nothing else runs as the device process's user */
    CONTROL_DEVICE_UNWRITTEN = 8,    /* look for reads of memory that nothing has written */
    CONTROL_DEVICE_STREAMS = 16,     /* look for work in several streams that nothing orders */
    CONTROL_DEVICE_LOADS = 32        /* the program may bring modules of its own: LOAD */
};

/* Flags of CALL. */
enum control_call_flag {
    CONTROL_CALL_ASKS_ORDER = 1,   /* the record says whether the order of the blocks can matter */
    CONTROL_CALL_KEEPS_MEMORY = 2, /* memory that is no operand, and variables, stay as they are */
    CONTROL_CALL_RECORDS = 4, /* launches, copies and sets within the device are written down and
                                 not carried out; nothing is freed */
    CONTROL_CALL_FOLLOWS = 8  /* where values come from is noted, for ORIGIN, until the next call
                                 begins; nothing is counted, and no races are looked for */
};

/* What confines a device process, as a set of flags. None of them applies to the process of a real
 * GPU. */
enum control_confinement {
    CONTROL_CONFINED_CALLS = 1, /* any system call outside of device/device_calls.def ends it */
    CONTROL_CONFINED_FILES = 2  /* it cannot reach any file, even through an allowed call */
};

/* The offset of a module that is the grader's own. */
#define CONTROL_OWN_MODULE UINT64_MAX

/* The offset of the modules that the program has brought. */
#define CONTROL_LOADED_MODULE (UINT64_MAX - 1)

/* One real GPU, as GPUS reports it. */
enum { CONTROL_UUID_BYTES = 64, CONTROL_MODEL_BYTES = 512 };
struct control_gpu {
    char uuid[CONTROL_UUID_BYTES];      /* "GPU-6f0c...", as nvidia-smi -L prints it */
    uint32_t driver_version;            /* of cuDriverGetVersion: 13000 */
    uint8_t model[CONTROL_MODEL_BYTES]; /* occupancy/gpu_model_record.h */
};

/* Appends one record; reads the record at *cursor and moves it on, false at the end or when the
 * bytes are no record. */
void control_gpu_pack(const struct control_gpu *gpu, struct text *out);
bool control_gpu_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                        struct control_gpu *out_gpu);

/* The finding records of a reply to PROBE take no more than this; its counts may take the rest. */
enum { PROBE_FINDING_BYTES = 2 << 20 };

/* Three dimensions in one word: x in bits 0 to 31, y in 32 to 47, z in 48 to 63, which holds every
 * grid that CUDA allows (2^31 - 1, 65535, 65535). */
uint64_t control_dimensions_pack(const uint32_t dimensions[3]);
void control_dimensions_unpack(uint64_t word, uint32_t out_dimensions[3]);

/* Registers and so on of one kernel, as ptxas reports them. */
struct control_resources {
    char name[CLIENT_NAME_BYTES + 1]; /* mangled */
    uint32_t registers, static_shared_bytes, local_bytes, constant_bytes, max_threads;
    uint32_t first_registers; /* in the first build of a program that is built for each case, with
                                 which its questions are answered; 0: with `registers` */
};

/* Appends one record; reads the record at *cursor and moves it on, false at the end or when the
 * bytes are no record. */
void control_resources_pack(const struct control_resources *resources, struct text *out);
bool control_resources_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                              struct control_resources *out_resources);

/* A runtime call that failed or is not known. */
enum control_call_memory {
    CONTROL_CALL_NO_MEMORY,
    CONTROL_CALL_OUTSIDE,   /* an operand of a library's call leaves its allocation */
    CONTROL_CALL_UNWRITTEN, /* a library's call reads what nothing has written: it goes on */
    CONTROL_CALL_MEMORY_END
};
struct control_call_error {
    char call[64];    /* "cudaMalloc", or "launch" */
    char kernel[512]; /* mangled; "" if it is no launch */
    int32_t cuda_error;
    uint32_t is_unknown; /* 1: a call that the runtime does not implement */
    uint32_t fetched;    /* 1: the program itself asked for the error (cudaGetLastError) */
    uint32_t site;       /* where it was called; 0: unknown */
    uint64_t count;
    uint32_t memory;   /* enum control_call_memory */
    char message[256]; /* what was wrong: "a block of 2000 threads; at most 1024 fit" */
};

void control_call_error_pack(const struct control_call_error *error, struct text *out);
bool control_call_error_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                               struct control_call_error *out_error);

/* A place in the program's code (SITE of client_messages.def), and what it allocated that is still
 * not freed. The record of site N is the Nth. */
struct control_site {
    uint64_t addresses[CLIENT_SITE_ADDRESSES];
    uint64_t live_allocations, live_bytes;
};

/* Work that a program gave to a stream. */
struct control_work {
    char call[64];    /* "cudaMemcpyAsync", or "launch"; "" for host code, the second one only */
    char kernel[512]; /* mangled; "" if it is no launch */
    uint32_t site;    /* where; 0: unknown */
    uint32_t stream; /* 1: the legacy default stream, 2: the per-thread one; 0: a node of a graph */
    uint32_t access; /* to what both touch: 0 reads, 1 updates by atomics, 2 writes */
};

/* What the streams got in all: see struct order_totals of device/stream_order.h; and how many
 * conflicts between them are not listed. */
struct control_streams {
    uint64_t work, bytes, longest, host_waits, left_out;
};

void control_streams_pack(const struct control_streams *streams, struct text *out);
bool control_streams_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                            struct control_streams *out_streams);

/* Two such pieces of work that nothing orders, though they touch the same bytes. */
struct control_conflict {
    struct control_work works[2]; /* the one that was given first */
    uint64_t address, bytes;      /* the lowest range that both touch */
    uint32_t object_site;         /* where that memory was allocated; 0: unknown */
    uint64_t count;
};

void control_conflict_pack(const struct control_conflict *conflict, struct text *out);
bool control_conflict_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                             struct control_conflict *out_conflict);

void control_site_pack(const struct control_site *site, struct text *out);
bool control_site_unpack(const uint8_t *bytes, size_t length, size_t *cursor,
                         struct control_site *out_site);

#endif
