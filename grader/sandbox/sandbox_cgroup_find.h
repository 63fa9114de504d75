/* sandbox_cgroup_find.h: folders in which control groups may be made, see sandbox_cgroup.h.
 *
 * /proc/self/mountinfo lists where the hierarchies are mounted, /proc/self/cgroup where this
 * process is in them (proc(5), cgroups(7)).
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_CGROUP_FIND_H
#define GPUGRADE_SANDBOX_SANDBOX_CGROUP_FIND_H

#include <stdbool.h>

enum { CGROUP_PATH_BYTES = 4096 };

/* The folder of this process's own group in the version 1 hierarchy of a controller ("memory"). */
bool cgroup_find_version_1(const char *controller, char out_folder[CGROUP_PATH_BYTES]);

/* Candidate `index` of cgroup 2, the best first; "" for one that does not qualify; false after the
 * last. May move this process into a group below its own, see sandbox_cgroup.h. */
bool cgroup_find_unified(unsigned index, char out_folder[CGROUP_PATH_BYTES]);

#endif
