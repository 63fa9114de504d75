/* device_confine.h: the device process gives up the rights that it does not need.
 *
 * The emulated device executes code of students, so its process confines itself before it looks at
 * any of it: a filter allows only the system calls of device_calls.def and ends the process at any
 * other; where the kernel has Landlock, no file can be reached; it keeps no capability, cannot gain
 * privileges, leaves no core file and cannot be traced by other processes of its user. Its memory
 * and its processor time are bounded: a process that is refused memory ends with
 * DEVICE_EXIT_MEMORY, one that has used up its time with DEVICE_EXIT_TIME; the student's program is
 * to blame for that.
 *
 * A real GPU's driver opens files and devices in undocumented ways, so for that process only the
 * last three apply: it cannot gain privileges once the driver is up, leaves no core file and cannot
 * be traced.
 */
#ifndef GPUGRADE_DEVICE_DEVICE_CONFINE_H
#define GPUGRADE_DEVICE_DEVICE_CONFINE_H

#include "device/device.h"
#include "wire/device_bound.h"

enum { DEVICE_CONTROL_FD = 3, DEVICE_CLIENT_FD = 4 };

/* How much memory the emulated device's process may use (wire/device_bound.h). Where every byte is
 * watched it is no more than most of this machine's memory, unless that were less than what each
 * program has. */
uint64_t device_confine_bytes(uint64_t memory_bytes, bool watches_all, uint64_t threads);

/* The first thing that the process does, whichever device it will open. */
void device_confine_start(void);

/* Confines the process, all its threads, when its device is open; what the machine does not support
 * is skipped. `has_own_user`: nothing else runs as this user, so its threads can be counted.
 * Returns what holds (enum control_confinement); 0 for a real GPU (config->gpu is set), and in a
 * build with AddressSanitizer or ThreadSanitizer, which open files and stop threads in their own
 * ways. */
uint64_t device_confine(const struct device_config *config, bool has_own_user);

#endif
