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
    const char *packages; /* that are missing, with blanks; "" */
};

/* Notes a check; the texts are copied. What fails is a reason. */
void doctor_note(struct doctor *doctor, enum doctor_group group, const char *name,
                 enum doctor_status status, const char *found, const char *advice);

/* Notes that a package is missing. */
void doctor_miss(struct doctor *doctor, const char *package);

/* Adds a reason why grading here is not sound. */
void doctor_reason(struct doctor *doctor, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a program of this machine, trusted, for at most 10 s, with an empty standard input and no
 * environment but PATH. Returns what it printed, as long as it exited with 0; else NULL. */
const char *tool_output(struct arena *arena, const char *const *arguments);

/* Appends what is read until the end, the deadline, `bytes_max` bytes or more, or with `one_piece`
 * until a piece ends with a line. */
void tool_read(int fd, uint64_t deadline_ns, size_t bytes_max, bool one_piece, struct text *out);

/* tool_check.c: compilers, helpers, libraries. */
void doctor_check_tools(struct doctor *doctor);

/* folder_check.c: where the grader writes. */
void doctor_check_folders(struct doctor *doctor);

/* tier_check.c: the sandbox, and why no other one. */
void doctor_check_tiers(struct doctor *doctor, struct doctor_report *report);

/* denial_check.c: runs the sandbox_probe. */
void doctor_check_denials(struct doctor *doctor, struct doctor_report *report);

/* self_check.c: a whole way from a source to its printout. */
void doctor_check_grading(struct doctor *doctor, struct doctor_report *report);

/* gpu_check.c, machine_check.c: for speed. */
void doctor_check_gpus(struct doctor *doctor, struct doctor_report *report);
void doctor_check_timing(struct doctor *doctor);

#endif
