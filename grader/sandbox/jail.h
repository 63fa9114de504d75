/* jail.h: what the sandbox and its helper gpugrade-jail say to each other.
 *
 *   tier A   grader -spawn-> jail enter -exec-> bubblewrap -exec-> jail supervise -fork-> program
 *   tier C   grader -spawn-> jail supervise -fork-> program
 *
 * `gpugrade-jail enter UID PROGRAM [ARGUMENT...]` takes the user UID (0: stays who it is), gives up
 * gaining privileges and execs.
 *
 * `gpugrade-jail supervise UID CPU_SECONDS DATA_BYTES TASKS FILE_BYTES CHANNEL FOLDER PROGRAM
 * [ARGUMENT...]` does the same, goes to FOLDER, starts the program under the limits (TASKS 0: not
 * limited) with the descriptors 0, 1, 2 and, if CHANNEL is 1, 3, and waits for it. On descriptor
 * JAIL_CONTROL_FD, a socket that the program does not have, it sends one record when the program
 * runs or could not be started, and one when it has ended. When the other end of that socket is
 * shut, also because the grader died, it ends too. Before it ends it kills all that the
 * program left behind.
 */
#ifndef GPUGRADE_SANDBOX_JAIL_H
#define GPUGRADE_SANDBOX_JAIL_H

#include <stdint.h>

enum { JAIL_CHANNEL_FD = 3, JAIL_CONTROL_FD = 4, JAIL_SELF_FD = 5 };

enum jail_record_kind {
    JAIL_STARTED = 0x5A11,
    JAIL_NOT_STARTED, /* value: errno */
    JAIL_ENDED,       /* value: as waitpid gives it */
};

struct jail_record {
    uint32_t kind;
    int32_t value;
    uint64_t cpu_ns;
    uint64_t peak_memory_bytes;
};

#endif
