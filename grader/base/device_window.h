/* device_window.h: the range of device addresses, shared by all who need it: the device allocates
 * in it, the stand-in runtime keeps the program's own memory out of it, and the analysis of host
 * crashes recognises device pointers by it.
 */
#ifndef GPUGRADE_BASE_DEVICE_WINDOW_H
#define GPUGRADE_BASE_DEVICE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_WINDOW_START UINT64_C(0x100000000000)
#define DEVICE_WINDOW_BYTES UINT64_C(0x10000000000) /* 1 TiB, reserved, not used */

/* How far from it an index that is too small or too large leads; no host memory is there. */
#define DEVICE_WINDOW_MARGIN UINT64_C(0x1000000000) /* 64 GiB */

/* What memory holds that nothing has written, every 2 bytes: no float that is computed. */
enum { DEVICE_UNDEFINED_HALF = 0x7ff8, DEVICE_UNDEFINED_WORD = 0x7ff87ff8 };

static inline bool is_in_device_window(uint64_t address)
{
    return address - DEVICE_WINDOW_START < DEVICE_WINDOW_BYTES;
}

static inline bool is_near_device_window(uint64_t address)
{
    return address - (DEVICE_WINDOW_START - DEVICE_WINDOW_MARGIN) <
           DEVICE_WINDOW_BYTES + 2 * DEVICE_WINDOW_MARGIN;
}

#endif
