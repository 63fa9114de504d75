/* device_bound.h: how much memory the process of the emulated device may have.
 *
 * It is what the kernel counts of what the process asks for (RLIMIT_DATA). Of each byte that a
 * program may own (device_memory_mb): the byte and its copy in a snapshot. Where races in global
 * memory are looked for every byte is watched as well; that takes 6 bytes for each byte in all, and
 * only of pages that are touched, so the bound is far off. What a launch in parallel keeps of
 * memory comes out of the same (order_watch_fits). Beside that: code, messages and the blocks that
 * run; and for each thread its stack of 1 MB, its arena of the heap and its log of shared memory,
 * which are 1.5 MB as measured.
 */
#ifndef GPUGRADE_WIRE_DEVICE_BOUND_H
#define GPUGRADE_WIRE_DEVICE_BOUND_H

#include <stdint.h>

enum { DEVICE_SHARES = 2, DEVICE_WATCHED_SHARES = 14 };
#define DEVICE_OTHER_BYTES (UINT64_C(256) << 20)
#define DEVICE_THREAD_BYTES (UINT64_C(8) << 20)

#endif
