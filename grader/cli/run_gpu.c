/* run_gpu.c: see run_gpu.h. */
#include "cli/run_gpu.h"

#include "session/session.h"
#include "submission/gpu_choice.h"

#include <poll.h>

enum { PAUSE_MS = 20 };

enum error run_gpu_find(struct arena *arena, const char *device_path, const char *wanted,
                        struct run_gpu *out_gpu, struct diagnostic *diagnostic)
{
    const struct session_gpu *gpus = NULL;
    const char *reason = "";
    struct gpu_choice choice;
    size_t count = 0;
    enum error error = session_list_gpus(device_path, arena, &gpus, &count, &reason, diagnostic);

    if (error == ERROR_NONE && count == 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s", reason);
        return ERROR_ENVIRONMENT;
    }
    if (error == ERROR_NONE) {
        error = gpu_choice_make(arena, gpus, count, &wanted, wanted == NULL ? 0 : 1, &choice,
                                diagnostic);
    }
    if (error == ERROR_NONE && choice.count == 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no usable GPU: %s", choice.reason);
        return ERROR_ENVIRONMENT;
    }
    if (error == ERROR_NONE) {
        *out_gpu = (struct run_gpu){
            .uuid = choice.gpus[0].uuid,
            .model = choice.model,
            .driver_version = choice.gpus[0].driver_version,
        };
    }
    return error;
}

enum error run_gpu_await(const struct run_gpu *gpu, int interrupt_fd, struct gpu_lock *out_lock,
                         bool *out_held, struct diagnostic *diagnostic)
{
    struct pollfd polled = {.fd = interrupt_fd, .events = POLLIN};

    *out_held = false;
    for (;;) {
        enum error error = gpu_lock_try(gpu->uuid, GPU_LOCK_SHARED, out_lock, out_held, diagnostic);
        if (error != ERROR_NONE || *out_held || poll(&polled, 1, PAUSE_MS) > 0) {
            return error;
        }
    }
}
