/* device_main.c: the executable gpugrade-device.
 *
 * Started by session/ with descriptor 3 (control channel) and 4 (client channel) and without
 * arguments. It reads no file and no environment: all it needs comes over the control channel. It
 * does not outlive the grader, whose end it would see only after a launch.
 */
#include "device/server.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

enum { CONTROL_FD = 3, CLIENT_FD = 4 };

int main(void)
{
    struct diagnostic diagnostic = {.message = ""};

    /* A grader that has gone before has closed the channel, which server_run finds. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    enum error error = server_run(&device_emulated, CONTROL_FD, CLIENT_FD, &diagnostic);

    if (error != ERROR_NONE) {
        fprintf(stderr, "gpugrade-device: %s: %s\n", error_text(error), diagnostic.message);
        return 3;
    }
    return 0;
}
