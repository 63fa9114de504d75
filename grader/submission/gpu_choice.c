/* gpu_choice.c: filters a list, then tries locks in turn; see gpu_choice.h. */
#include "submission/gpu_choice.h"

#include "base/clock.h"
#include "base/text.h"
#include "occupancy/gpu_model_record.h"

#include <limits.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum {
    COMPUTE_LEAST = 75, /* the PTX of every build is compute_75 */
    POLL_NS = 20000000,
};

/* Finds the one GPU that a word names. */
static enum error find_wanted(const struct session_gpu *listed, size_t listed_count,
                              const char *word, size_t *out_gpu, struct diagnostic *diagnostic)
{
    long long number;
    size_t found = 0;

    if (text_to_integer(word, 0, INT_MAX, &number)) {
        if ((size_t)number < listed_count) {
            *out_gpu = (size_t)number;
            return ERROR_NONE;
        }
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "there is no GPU %lld; the driver shows %zu, numbered from 0", number,
                       listed_count);
        return ERROR_NOT_FOUND;
    }
    for (size_t i = 0; i < listed_count; i++) {
        if (strncasecmp(listed[i].uuid, word, strlen(word)) == 0) {
            *out_gpu = i;
            found++;
        }
    }
    if (found == 1) {
        return ERROR_NONE;
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "the UUIDs of %zu of %zu GPUs begin with '%s'; 'nvidia-smi -L' lists "
                   "them",
                   found, listed_count, word);
    return ERROR_NOT_FOUND;
}

/* The GPUs that are wanted, in the order of the words, each once. */
static enum error filter_wanted(const struct session_gpu *listed, size_t listed_count,
                                const char *const *wanted, size_t wanted_count,
                                struct session_gpu *gpus, size_t *out_count,
                                struct diagnostic *diagnostic)
{
    size_t count = 0;

    for (size_t i = 0; i < wanted_count; i++) {
        size_t gpu = 0;
        bool known = false;
        enum error error = find_wanted(listed, listed_count, wanted[i], &gpu, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        for (size_t j = 0; j < count; j++) {
            known = known || strcmp(gpus[j].uuid, listed[gpu].uuid) == 0;
        }
        if (!known) {
            gpus[count++] = listed[gpu];
        }
    }
    *out_count = count;
    return ERROR_NONE;
}

/* Leaves out the GPUs that cannot run the code; `reason` is why the last of them cannot. */
static size_t keep_able(struct arena *arena, struct session_gpu *gpus, size_t count,
                        const char **reason)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        struct gpu_model model;
        if (!gpu_model_unpack(gpus[i].model, gpus[i].model_bytes, &model)) {
            *reason = arena_printf(arena, "%s has properties that the grader does not understand",
                                   gpus[i].uuid);
        } else if (model.compute_major * 10 + model.compute_minor < COMPUTE_LEAST) {
            *reason = arena_printf(arena, "%s has compute capability %u.%u, but 7.5 is needed",
                                   model.device_name, model.compute_major, model.compute_minor);
        } else {
            gpus[kept++] = gpus[i];
        }
    }
    return kept;
}

static bool are_alike(const struct session_gpu *left, const struct session_gpu *right)
{
    return left->model_bytes == right->model_bytes &&
           memcmp(left->model, right->model, left->model_bytes) == 0;
}

/* Leaves out the GPUs that differ from the first one whose lock is free. */
static enum error keep_alike(struct session_gpu *gpus, size_t *count, struct diagnostic *diagnostic)
{
    struct session_gpu first = gpus[0];
    bool free_found = true;
    size_t kept = 0;

    for (size_t i = 1; i < *count; i++) {
        free_found = free_found && are_alike(&gpus[0], &gpus[i]);
    }
    for (size_t i = 0; i < *count && !free_found; i++) {
        struct gpu_lock lock = {.fd = -1};
        enum error error =
            gpu_lock_try(gpus[i].uuid, GPU_LOCK_EXCLUSIVE, &lock, &free_found, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        gpu_lock_release(&lock);
        first = free_found ? gpus[i] : gpus[0];
    }
    for (size_t i = 0; i < *count; i++) {
        if (are_alike(&first, &gpus[i])) {
            gpus[kept++] = gpus[i];
        }
    }
    *count = kept;
    return ERROR_NONE;
}

enum error gpu_choice_make(struct arena *arena, const struct session_gpu *listed,
                           size_t listed_count, const char *const *wanted, size_t wanted_count,
                           struct gpu_choice *out_choice, struct diagnostic *diagnostic)
{
    size_t capacity = wanted_count > listed_count ? wanted_count : listed_count;
    struct session_gpu *gpus = arena_array(arena, capacity, sizeof *gpus);
    struct gpu_choice choice = {.gpus = gpus, .reason = "the driver shows none"};
    enum error error = ERROR_NONE;

    if (wanted_count > 0) {
        error = filter_wanted(listed, listed_count, wanted, wanted_count, gpus, &choice.count,
                              diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    } else if (listed_count > 0) {
        memcpy(gpus, listed, listed_count * sizeof *gpus);
        choice.count = listed_count;
    }
    choice.count = keep_able(arena, gpus, choice.count, &choice.reason);
    if (choice.count == 0 && wanted_count > 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no GPU that can be used: %s", choice.reason);
        return ERROR_ENVIRONMENT;
    }
    if (choice.count > 0) {
        error = keep_alike(gpus, &choice.count, diagnostic);
        choice.reason = "";
        (void)gpu_model_unpack(gpus[0].model, gpus[0].model_bytes, &choice.model);
    }
    if (error == ERROR_NONE) {
        *out_choice = choice;
    }
    return error;
}

/* Tries each GPU once, in their order. */
static enum error try_each(const struct gpu_choice *choice, enum gpu_lock_kind kind,
                           struct gpu_turn *turn, bool *out_taken, struct diagnostic *diagnostic)
{
    *out_taken = false;
    for (size_t i = 0; i < choice->count && !*out_taken; i++) {
        enum error error =
            gpu_lock_try(choice->gpus[i].uuid, kind, &turn->lock, out_taken, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        turn->gpu = i;
    }
    return ERROR_NONE;
}

/* A shared turn is sought where nobody else is, before one is shared. */
static enum error try_kind(const struct gpu_choice *choice, enum gpu_lock_kind kind,
                           struct gpu_turn *turn, bool *out_taken, struct diagnostic *diagnostic)
{
    enum error error = try_each(choice, GPU_LOCK_EXCLUSIVE, turn, out_taken, diagnostic);

    if (error != ERROR_NONE || kind == GPU_LOCK_EXCLUSIVE) {
        return error;
    }
    if (*out_taken && gpu_lock_share(&turn->lock)) {
        return ERROR_NONE;
    }
    return try_each(choice, GPU_LOCK_SHARED, turn, out_taken, diagnostic);
}

enum error gpu_choice_take(const struct gpu_choice *choice, enum gpu_lock_kind kind,
                           const struct submission_config *config, struct gpu_turn *out_turn,
                           struct diagnostic *diagnostic)
{
    const struct timespec pause = {.tv_nsec = POLL_NS};
    uint64_t start_ns = clock_now_ns();
    struct gpu_turn turn = {.lock = {.fd = -1}};
    bool told = config->progress == NULL;
    bool taken = false;

    for (;;) {
        enum error error = try_kind(choice, kind, &turn, &taken, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        if (taken) {
            *out_turn = turn;
            return ERROR_NONE;
        }
        if (!told && clock_now_ns() - start_ns >= CLOCK_NS_PER_S) {
            config->progress(config->progress_context, "waiting for the GPU");
            told = true;
        }
        nanosleep(&pause, NULL);
    }
}
