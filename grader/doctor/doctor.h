/* doctor.h: finds out by experiment whether grading on this machine is sound.
 *
 *   tools, folders     what is there, and in which version
 *   sandbox            which tier works; each is tried by name, and reports why it does not work
 *   denials            gpugrade-sandbox-probe tries each row of sandbox/denials.def in the sandbox,
 *                      and the same outside it: a probe that also fails there shows nothing
 *   grading            a small program is compiled, confined and run on the emulated device
 *   GPU, timing        what the driver lists, and what makes times noisy
 *
 * It is sound if the sandbox is of tier A or B, each denial of that tier was shown to hold, the
 * tools are there and the small program printed the right result.
 */
#ifndef GPUGRADE_DOCTOR_DOCTOR_H
#define GPUGRADE_DOCTOR_DOCTOR_H

#include "base/arena.h"
#include "model/doctor_report.h"
#include "sandbox/sandbox.h"

struct doctor_config {
    enum sandbox_tier tier;     /* SANDBOX_AUTO: the strongest that works */
    const char *helper_folder;  /* contains gpugrade-jail, -clang and -sandbox-probe */
    const char *device_path;    /* the executable gpugrade-device */
    const char *library_folder; /* contains gpugrade's own libcudart */
    const char *header_folder;  /* contains gpugrade's own cuda_runtime.h */
    struct limits limits;       /* of the small program */
    const char
        *work_folder; /* private, absolute, empty; users of the sandbox can walk through it */
    void (*progress)(void *context, const char *stage); /* reports the current stage */
    void *progress_context;
};

/* Examines the machine. What does not work is in the report; everything lives in the arena. It
 * blocks SIGUSR2 for this process and adds a variable to its environment, so it must be called
 * before any thread is started. */
void doctor_examine(const struct doctor_config *config, struct arena *arena,
                    struct doctor_report *out_report);

#endif
