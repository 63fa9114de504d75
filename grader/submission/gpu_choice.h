/* gpu_choice.h: chooses which of the machine's real GPUs may grade a submission, and which one
 * does.
 *
 *   listed by the driver -> named by --gpus -> able to run the code -> alike -> the first one free
 *
 * The GPUs to choose from are all alike, because the emulated device takes their properties before
 * one of them is needed.
 */
#ifndef GPUGRADE_SUBMISSION_GPU_CHOICE_H
#define GPUGRADE_SUBMISSION_GPU_CHOICE_H

#include "base/arena.h"
#include "occupancy/occupancy.h"
#include "session/session.h"
#include "submission/gpu_lock.h"
#include "submission/submission_config.h"

struct gpu_choice {
    const struct session_gpu *gpus; /* [count] to choose from, the preferred ones first */
    size_t count;                   /* 0: there is none, see `reason` */
    struct gpu_model model;         /* theirs */
    const char *reason;             /* why there is none; "" */
};

/* Chooses from the GPUs that the driver lists. `wanted` [wanted_count] are numbers in that list or
 * beginnings of UUIDs, case ignored; none: all. If GPUs differ, it takes those that are like the
 * first one whose lock is free. If no GPU is usable and none was wanted by name, that is not an
 * error: out_choice->reason says why. Errors: ERROR_NOT_FOUND (a name matches no GPU, or several;
 * blames usage), ERROR_ENVIRONMENT. */
enum error gpu_choice_make(struct arena *arena, const struct session_gpu *listed,
                           size_t listed_count, const char *const *wanted, size_t wanted_count,
                           struct gpu_choice *out_choice, struct diagnostic *diagnostic);

/* A turn on one GPU. */
struct gpu_turn {
    size_t gpu; /* index in the choice */
    struct gpu_lock lock;
};

/* Takes a turn on one of the GPUs, an idle one if possible; waits until one is free, and after a
 * second calls the config's `progress`. Errors: those of gpu_lock_try. */
enum error gpu_choice_take(const struct gpu_choice *choice, enum gpu_lock_kind kind,
                           const struct submission_config *config, struct gpu_turn *out_turn,
                           struct diagnostic *diagnostic);

#endif
