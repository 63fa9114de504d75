/* doctor_state.h: what the parts of an examination share; see doctor.h. */
#ifndef GPUGRADE_DOCTOR_DOCTOR_STATE_H
#define GPUGRADE_DOCTOR_DOCTOR_STATE_H

#include "doctor/doctor.h"
#include "toolchain/toolchain.h"

struct doctor {
    const struct doctor_config *config;
    struct arena *arena;
    struct sandbox sandbox;
    bool has_sandbox;
    struct toolchain toolchain;
    bool has_toolchain;
    struct doctor_check *checks; /* [check_count] */
    size_t check_count, check_capacity;
    const char **reasons; /* [reason_count] why grading here is not sound */
    size_t reason_count, reason_capacity;
    const char *packages; /* missing ones, separated by blanks; "" for none */
};

/* Records a check; the texts are copied. A failed check is also a reason. */
void doctor_note(struct doctor *doctor, enum doctor_group group, const char *name,
                 enum doctor_status status, const char *found, const char *advice);

/* Records that a package is missing. */
void doctor_miss(struct doctor *doctor, const char *package);

/* Adds a reason why grading here is not sound. */
void doctor_reason(struct doctor *doctor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a trusted program of this machine for at most 10 s, with empty standard input and an
 * environment of PATH and LC_ALL. Returns what it printed if it exited with 0; else NULL. */
const char *tool_output(struct arena *arena, const char *const *arguments);

/* Reads and appends until the end, the deadline, or `bytes_max` bytes or more; with `one_piece`
 * also until a read ends with a newline. */
void tool_read(int fd, uint64_t deadline_ns, size_t bytes_max, bool one_piece, struct text *out);

/* tool_check.c: compilers, helpers, libraries. */
void doctor_check_tools(struct doctor *doctor);

/* folder_check.c: where the grader writes. */
void doctor_check_folders(struct doctor *doctor);

/* tier_check.c: the sandbox, and why the other tiers do not work. */
void doctor_check_tiers(struct doctor *doctor, struct doctor_report *report);

/* denial_check.c: runs the sandbox_probe. */
void doctor_check_denials(struct doctor *doctor, struct doctor_report *report);

/* self_check.c: builds and runs a small program, from its source to its output. */
void doctor_check_grading(struct doctor *doctor, struct doctor_report *report);

/* gpu_check.c, machine_check.c: what matters for measuring speed. */
void doctor_check_gpus(struct doctor *doctor, struct doctor_report *report);
void doctor_check_timing(struct doctor *doctor);

#endif
