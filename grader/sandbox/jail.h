/* jail.h: the interface between the sandbox and its helper gpugrade-jail.
 *
 *   tier A     grader -spawn-> jail enter -exec-> bubblewrap -exec-> jail supervise -fork-> program
 *   tier B, C  grader -spawn-> jail supervise -fork-> program
 *
 * Verbs (jail_main.c). UID is a slot's user (below), or 0: the user is not changed.
 *
 *   enter UID PROGRAM [ARGUMENT...]
 *       joins the groups, becomes the user, kills what an earlier holder of the slot left running,
 *       gives up gaining privileges, execs. The environment is handed on as it is.
 *   supervise OPTION VALUE ... -- PROGRAM [ARGUMENT...]
 *       joins the groups, becomes the slot's supervising user and starts the program as SLOT, under
 *       the limits and denials that the options ask for (jail_options.def), with the descriptors
 *       0, 1, 2 and, if there is a channel, 3. It waits for it. On JAIL_CONTROL_FD, which the
 *       program does not have, come: JAIL_PROGRAM from the program's own process just before it
 *       execs (so that its credentials name it), JAIL_STARTED or JAIL_NOT_STARTED, JAIL_ENDED. When
 *       the other end of that socket is shut, also because the grader died, it kills all. Before it
 *       ends it kills all that the program left running, and with a slot but without Landlock it
 *       removes what its user left in shared folders; then it sends JAIL_ENDED.
 *   sweep UID
 *       kills every process of the slot, the supervisor too, and waits until they are gone; removes
 *       what its user left in the shared folders /tmp, /var/tmp, /dev/shm and /run/lock.
 *   give UID FOLDER
 *       lets the slot's group write to a folder of the caller's (a caller without root cannot give
 *       it away, as root does by chown).
 *   clear UID FOLDER
 *       removes the folders that the slot's user made in FOLDER, which its owner could not.
 *
 * Environment: of the helper's own, `supervise` hands to the program the variables whose name
 * begins with JAIL_VARIABLE_MARK, without that mark, and no other. The mark hides LD_LIBRARY_PATH
 * from the helper and from bubblewrap, and keeps the C library from removing it where the helper
 * has file capabilities.
 *
 * Users: a slot is two users, SLOT and SLOT + 1. The program is the first. The supervisor is the
 * second, the supervising user (real and saved user SLOT + 1, effective user SLOT, no capability):
 * it can signal everything that the program starts, and kill(-1) reaches nothing else; the program
 * cannot signal it.
 *
 * Groups: JAIL_MEMORY_GROUP_FD and JAIL_TASKS_GROUP_FD are `cgroup.procs` of the run's groups, open
 * for writing, or closed. The first step of `enter` and `supervise` is to write "0" to them.
 * JAIL_SLOT_FD, if it is open, is the lock of the slot: whoever holds a copy holds the slot.
 *
 * With file capabilities (cap_setuid,cap_setgid+p) a grader without root can use slots. The helper
 * then serves anyone who may execute it, so it refuses to work while everyone may: the file must
 * belong to a group and be closed to others (chown root:GROUP; chmod 0750). It only ever becomes
 * users of the slots' range, so a member of the group can run and end programs as these users, and
 * nothing more.
 */
#ifndef GPUGRADE_SANDBOX_JAIL_H
#define GPUGRADE_SANDBOX_JAIL_H

#include <stdint.h>

enum {
    JAIL_CHANNEL_FD = 3,
    JAIL_CONTROL_FD = 4,
    JAIL_SELF_FD = 5,
    JAIL_MEMORY_GROUP_FD = 6,
    JAIL_TASKS_GROUP_FD = 7,
    JAIL_SLOT_FD = 8,
    JAIL_DESCRIPTORS /* how many a spawned helper has at most */
};

/* The users of slots. No distribution assigns this range: it is between systemd's ranges for
 * containers and for dynamic users. */
enum { JAIL_FIRST_UID = 61000, JAIL_SLOTS = 92, JAIL_USERS_PER_SLOT = 2 };

#define JAIL_VARIABLE_MARK '+'

/* How long the helper tries to kill all that the program has started; on a busy machine, what has
 * been killed is slow to go. */
enum { JAIL_KILL_SECONDS = 60 };

/* The scopes of denied_calls.def, which says what each means. */
enum jail_scope {
    JAIL_SCOPE_ALWAYS = 1,
    JAIL_SCOPE_SHARED = 2,
    JAIL_SCOPE_ONE_USER = 4,
    JAIL_SCOPE_SIGNALS = 8,
};

enum jail_record_kind {
    JAIL_PROGRAM = 0x5A10, /* value: nothing; the sender is the program */
    JAIL_STARTED,
    JAIL_NOT_STARTED, /* value: errno */
    JAIL_ENDED,       /* value: as waitpid gives it */
};

/* Bits of `step_signals`: 1 << N if a process was ended by signal N; there is no signal 0. */
#define JAIL_STEPS_SEEN (UINT64_C(1) << 0)

struct jail_record {
    uint32_t kind;
    int32_t value;
    uint64_t step_signals; /* with --watch: JAIL_STEPS_SEEN if steps could be watched, and what
                              ended any of them */
    uint64_t cpu_ns;
    uint64_t peak_memory_bytes;
    uint64_t peak_tasks; /* the most tasks of the program seen at once; 0: not known */
};

#endif
