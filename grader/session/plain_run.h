/* plain_run.h: runs a user's own program on a device once, without stopping or probing launches.
 *
 *   grader --control--> device process <--client-- program
 *
 * The user trusts the program: no sandbox, no limits, its own standard input and output. The device
 * is a separate process, so its findings can be reported however the program ends.
 */
#ifndef GPUGRADE_SESSION_PLAIN_RUN_H
#define GPUGRADE_SESSION_PLAIN_RUN_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/block_steps.h"
#include "model/observation.h"
#include "session/device_link.h"
#include "session/plain_program.h"
#include "toolchain/toolchain.h"

struct plain_config {
    const struct toolchain *toolchain; /* NULL: there is no ptxas, registers stay unknown */
    const struct sandbox *sandbox;     /* for the tools of the toolchain */
    const struct fat_program *code;
    const char *device_path; /* the executable gpugrade-device */
    struct device_choice device;
    uint32_t compute_major, compute_minor; /* of that model, for ptxas */
    uint64_t device_memory_bytes;
    uint64_t launch_ns;        /* deadline of one launch */
    uint64_t launch_work;      /* work limit of one launch on the emulated device; 0: none */
    uint64_t shuffle_seed;     /* of the order of blocks and warps, see device.h; 0: in order */
    bool checks_global_memory; /* for races, and reads of what nothing has written */
    const struct step_request *steps; /* the steps of a block are logged; NULL: none are */
    const char *folder;               /* absolute: paths of sources in it become relative */
    const char *work_folder;          /* private, absolute */
    int signal_fd; /* signals that this process received; those that a process sent are passed on
                      to the program, which gets the terminal's signals itself */
    struct plain_command command;
};

struct plain_run {
    struct program_activity activity; /* without what it printed */
    int signal_before;   /* a signal that came before the program was started; 0: it was started */
    bool launch_is_lost; /* the program ended during a launch that could not be stopped: the
                            device's findings are lost */
    const struct block_steps *steps; /* NULL: none were asked for, or no launch had the block */
};

/* Runs the program to its end. Errors: ERROR_ENVIRONMENT, ERROR_INTERNAL, ERROR_PEER (the device
 * died). If the device or ptxas refuses the code, the student is blamed: ERROR_SYNTAX, ERROR_LIMIT,
 * ERROR_UNSUPPORTED, ERROR_FAILED. */
enum error session_run_plain(const struct plain_config *config, struct arena *arena,
                             struct plain_run *out_run, struct diagnostic *diagnostic);

#endif
