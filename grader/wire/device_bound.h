/* device_bound.h: how much memory the process of the emulated device may use.
 *
 * The kernel enforces the bound on what the process requests (RLIMIT_DATA). It covers, for each
 * byte that a program may own (device_memory_mb), the byte and its copy in a snapshot. Where races
 * in global memory are checked, pages that are touched are watched as well: 12 bytes for each byte of
 * those where threads meet, 2 for others (8 with as many threads), so the bound is rarely reached. Launches that run in
 * parallel take their watch memory from the same amount (order_watch_fits). In addition: code,
 * messages and running blocks, and for each thread its stack of 1 MB, its heap arena and its log of
 * shared memory, measured at 1.5 MB.
 */
#ifndef GPUGRADE_WIRE_DEVICE_BOUND_H
#define GPUGRADE_WIRE_DEVICE_BOUND_H

#include <stdint.h>

enum { DEVICE_SHARES = 2, DEVICE_WATCHED_SHARES = 14 };
#define DEVICE_OTHER_BYTES (UINT64_C(256) << 20)
#define DEVICE_THREAD_BYTES (UINT64_C(8) << 20)

#endif
