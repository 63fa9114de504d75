/* device_bound.h: how much memory the process of the emulated device may use.
 *
 * The kernel enforces the bound on what the process requests (RLIMIT_DATA). It covers, for each
 * byte that a program may own (device_memory_mb), the byte and its copy in a snapshot. Where races
 * in global memory are checked, pages that are touched are watched as well: 1 byte for each byte
 * and thread, of at most 8 threads, or 1 for each byte and 12 for each byte of the pages where
 * threads meet, and what it takes to undo the launch. So the bound is rarely reached. Launches that
 * run in parallel take their watch memory from the same amount (order_watch_fits). In addition:
 * code, messages and running blocks, and for each thread its stack of 1 MB, its heap arena and its
 * log of shared memory, measured at 1.5 MB.
 */
#ifndef GPUGRADE_WIRE_DEVICE_BOUND_H
#define GPUGRADE_WIRE_DEVICE_BOUND_H

#include <stdint.h>

enum { DEVICE_SHARES = 2, DEVICE_WATCHED_SHARES = 16 };
#define DEVICE_OTHER_BYTES (UINT64_C(256) << 20)
#define DEVICE_THREAD_BYTES (UINT64_C(8) << 20)

#endif
