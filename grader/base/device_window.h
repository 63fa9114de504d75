/* device_window.h: the addresses of device memory, the same for all who meet them: the device gives
 * them out, the stand-in runtime keeps the program's own memory away from them, and who looks at a
 * crash of host code knows a device pointer by them.
 */
#ifndef GPUGRADE_BASE_DEVICE_WINDOW_H
#define GPUGRADE_BASE_DEVICE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_WINDOW_START UINT64_C(0x100000000000)
#define DEVICE_WINDOW_BYTES UINT64_C(0x10000000000) /* 1 TiB, reserved, not used */

static inline bool is_in_device_window(uint64_t address)
{
    return address - DEVICE_WINDOW_START < DEVICE_WINDOW_BYTES;
}

#endif
