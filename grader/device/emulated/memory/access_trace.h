/* access_trace.h: every access of one block, with its value.
 *
 * A launch is traced with its ops that access memory tapped (op_tap.h). It takes two runs, both
 * with one thread and the blocks in order:
 *
 *   find   which block is the first that writes the watched bytes; the run ends there
 *   log    that block's accesses to shared, global and constant memory, or those of block 0
 *
 * Invalid accesses are left out. If not all fit, the last ones are left out.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_TRACE_H
#define GPUGRADE_DEVICE_EMULATED_MEMORY_ACCESS_TRACE_H

#include "device/emulated/memory/op_tap.h"

struct access_trace {
    struct op_tap tap;
    uint64_t address, bytes; /* watched */
    bool is_found;           /* a block wrote there */
    uint64_t block;          /* which; else 0 */
    bool has_all;            /* no access was left out */
    struct text records;     /* packed, see wire/trace_record.h */
    size_t record_count;
};

/* Begins to watch [address, address + bytes), bytes > 0. Aborts without memory. */
void access_trace_init(struct access_trace *trace, const struct kernel_code *code, uint64_t address,
                       uint64_t bytes);
void access_trace_release(struct access_trace *trace);

/* Turns a launch into one that finds the block; it stops when the block is found, as if its time
 * were over. */
void access_trace_find(struct access_trace *trace, struct launch *launch);

/* Turns a launch into one that logs the block; no later blocks run, unless blocks may wait for each
 * other. */
void access_trace_log(struct access_trace *trace, struct launch *launch);

#endif
