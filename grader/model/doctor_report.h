/* doctor_report.h: what `gpugrade doctor` found on this machine; doctor/ fills it, report/ reads
 * it.
 *
 * Everything lives in the arena that the doctor was given. Texts are never NULL.
 */
#ifndef GPUGRADE_MODEL_DOCTOR_REPORT_H
#define GPUGRADE_MODEL_DOCTOR_REPORT_H

#include "model/rubric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum doctor_status {
    DOCTOR_PASS,
    DOCTOR_NOTE, /* worth knowing; grading is sound all the same */
    DOCTOR_FAIL, /* grading here is not sound */
};

enum doctor_group {
    DOCTOR_TOOLS,
    DOCTOR_FOLDERS,
    DOCTOR_SANDBOX,
    DOCTOR_GRADING,
    DOCTOR_GPU,
    DOCTOR_TIMING,
    DOCTOR_GROUP_COUNT
};

/* One thing that was looked at. */
struct doctor_check {
    enum doctor_group group;
    const char *name; /* "nvcc" */
    enum doctor_status status;
    const char *found;
    const char *advice; /* what to do; "" if nothing */
};

enum witness_result {
    WITNESS_HELD,
    WITNESS_OPEN,      /* it must hold in this tier and does not */
    WITNESS_EXPECTED,  /* this tier does not promise it */
    WITNESS_NOT_TRIED, /* this machine refuses it to every program, or has nothing to try it on */
    WITNESS_BROKEN,    /* the probe says nothing */
};

/* The same attempt without the sandbox. */
enum witness_control {
    CONTROL_RUN_NONE,
    CONTROL_RUN_OPEN, /* it succeeded, as it should */
    CONTROL_RUN_REFUSED,
};

struct doctor_denial {
    const char *name;  /* sandbox/denials.def */
    const char *tried; /* likewise */
    enum witness_result result;
    enum witness_control control;
    const char *seen; /* inside the sandbox */
};

/* A tier that was asked for by name. */
struct doctor_tier {
    const char *name;
    bool works;
    const char *reason; /* why not, or what it lacks; "" */
};

struct doctor_gpu {
    const char *name, *uuid;
    uint64_t memory_bytes;
    uint32_t compute_major, compute_minor;
    uint32_t driver_version; /* 13000 is 13.0 */
};

struct doctor_report {
    bool is_sound;
    const char *const *reasons; /* [reason_count], why it is not */
    size_t reason_count;
    const char *grader_version, *compiler; /* "nvcc 13.0"; "" where there is none */
    const char *tier, *note, *memory;      /* of the sandbox in use; tier "": there is none */
    bool own_user, filters_calls, confines_device;
    int landlock_abi; /* that the tier uses; 0: nothing */
    const struct doctor_tier *tiers;
    size_t tier_count;
    const struct doctor_check *checks; /* [check_count], by groups */
    size_t check_count;
    const struct doctor_denial *denials;
    size_t denial_count;
    struct limits limits;
    uint64_t device_bytes; /* that the emulated device's process may have under these limits, */
    uint64_t device_watched_bytes; /* the same where every byte of its memory is watched, */
    uint64_t device_thread_bytes;  /* and more for each thread */
    const struct doctor_gpu *gpus;
    size_t gpu_count;
    double seconds;
};

#endif
