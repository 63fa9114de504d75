/* sandbox_cgroup.h: control groups, which bound the memory and the tasks of all processes of a run
 * together.
 *
 * Where a run's group is made; the first that works is used (tested with a process that joins it):
 *   cgroup 2  $GPUGRADE_CGROUP, a folder with memory and pids in its cgroup.subtree_control;
 *             this process's own group, if only gpugrade is in it (systemd-run --user --scope
 *             -p Delegate=yes gpugrade ...): then gpugrade moves itself into a group below;
 *             an ancestor that has the controllers enabled and that this process may write.
 *             No process but gpugrade's own is ever moved
 *   cgroup 1  below this process's own memory and pids groups, each hierarchy on its own
 * else RLIMIT_DATA and RLIMIT_NPROC bound each process and each user.
 *
 * A group's name contains its grader: gpugrade-NAMESPACE-PID-START-NUMBER. The grader removes it at
 * the end of the run; what a killed grader left is removed at the next start in the same place.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_CGROUP_H
#define GPUGRADE_SANDBOX_SANDBOX_CGROUP_H

#include "base/arena.h"
#include "sandbox/sandbox.h"

/* Fills bound, memory_group and tasks_group by trying, and removes groups of graders that are gone.
 * Where nothing works they say so: SANDBOX_PER_PROCESS, "" and "". */
void sandbox_cgroup_detect(struct sandbox *sandbox);

/* The groups of one run. Zeroed: none. */
struct sandbox_group {
    const char *memory_path; /* NULL: none */
    const char *tasks_path;  /* NULL: none; in cgroup 2 the same as memory_path */
    bool is_unified;         /* cgroup 2 */
    uint32_t helper_tasks;   /* how many of its tasks are the sandbox's own */
};

/* Makes the groups, sets their limits and opens their lists of processes for writing:
 * out_fds [2] is memory, tasks; -1 where there is none. In cgroup 2 only the first. Where the
 * machine has no groups this does nothing. The paths live in the arena. Errors:
 * ERROR_ENVIRONMENT, then nothing is left. */
enum error sandbox_group_make(struct arena *arena, const struct sandbox *sandbox,
                              const struct sandbox_limits *limits, struct sandbox_group *out_group,
                              int out_fds[2], struct diagnostic *diagnostic);

/* What the groups have counted; 0: none, or not known. */
struct sandbox_group_counts {
    uint64_t memory_kills;      /* processes that the kernel killed for memory */
    uint64_t peak_memory_bytes; /* of all together, without an allowance for the helper */
    uint64_t tasks_refused;     /* how often a task could not be started */
    uint64_t peak_tasks;        /* without those of the sandbox */
};

struct sandbox_group_counts sandbox_group_count(const struct sandbox_group *group);

/* The processor time of all processes together, as far as it can be known: in cgroup 1 without
 * those that ended while their parents did not care. 0: no groups. */
uint64_t sandbox_group_cpu_ns(const struct sandbox_group *group);

/* Kills all processes in them and removes them, within a second; what cannot be removed then is
 * left for the next start. */
void sandbox_group_remove(struct sandbox_group *group);

#endif
