/* device_main.c: the executable gpugrade-device.
 *
 * Started by session/ with descriptor 3 (control channel) and 4 (client channel) and without
 * arguments. It reads no file and no environment: all it needs comes over the control channel; only
 * the driver of a real GPU reads what it wants. It does not outlive the grader, whose end it would
 * see only after a launch. Once it is configured it is confined (device_confine.h).
 */
#include "device/cuda/cuda_device.h"
#include "device/cuda/cuda_list.h"
#include "device/device_confine.h"
#include "device/server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { EXIT_FAILED = 3 };

int main(void)
{
    static const struct server_devices devices = {
        .emulated = &device_emulated,
        .gpu = &device_cuda,
        .gpu_model = cuda_model,
        .list_gpus = cuda_list_all,
        .confine = device_confine,
    };
    struct diagnostic diagnostic = {.message = ""};
    bool had_gpu = false;

    device_confine_start();
    /* Here, since a change of user on the way would have undone it. A grader that has gone before
     * has closed the channel, which server_run finds. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* What the driver starts must not keep a channel open. */
    fcntl(DEVICE_CONTROL_FD, F_SETFD, FD_CLOEXEC);
    fcntl(DEVICE_CLIENT_FD, F_SETFD, FD_CLOEXEC);
    close_range(DEVICE_CLIENT_FD + 1, ~0U, 0);
    enum error error =
        server_run(&devices, DEVICE_CONTROL_FD, DEVICE_CLIENT_FD, &had_gpu, &diagnostic);

    if (error != ERROR_NONE) {
        fprintf(stderr, "gpugrade-device: %s: %s\n", error_text(error), diagnostic.message);
    }
    if (had_gpu) {
        _exit(error == ERROR_NONE ? 0 : EXIT_FAILED);
    }
    return error == ERROR_NONE ? 0 : EXIT_FAILED;
}
