/* machine_cores.h: how many cores this process may use. */
#ifndef GPUGRADE_BASE_MACHINE_CORES_H
#define GPUGRADE_BASE_MACHINE_CORES_H

#include <stddef.h>

/* Cores that this process may use, at least 1: those of its affinity, at most what its control
 * group and those above it allow (cpu.max of version 2, cpu.cfs_quota_us of version 1; cgroups(7)).
 */
size_t machine_cores(void);

/* The least of `otherwise` and what control groups allow: those of version 2 from `root` followed
 * by `own`, a path as in /proc/self/cgroup, up to `root`; of version 1 the one of `root`/cpu. A
 * part of a core counts as one. */
size_t machine_group_cores(const char *root, const char *own, size_t otherwise);

#endif
