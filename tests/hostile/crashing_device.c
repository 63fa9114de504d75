/* crashing_device.c: gpugrade-device with a mistake: it crashes at programs that ask for it.
 *
 * A module that holds the name crash_PLACE_HOW ends the process at PLACE (load, allocate,
 * launch, or later: the second launch) by what HOW says. One whose executable lies in a folder
 * named "always" crashes at every launch, as a device would on which no program runs. For
 * crashed_device.sh.
 */
#include "device/device_confine.h"
#include "device/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EXIT_FAILED = 3 };

enum how { NOT, BY_ACCESS, BY_DIVISION, BY_ABORT, BY_FILTER, BY_EXIT };

static enum how at_allocate, at_launch, at_later;

static void crash(enum how how)
{
    volatile int zero = 0;

    switch (how) {
    case NOT:
        break;
    case BY_ACCESS:
        *(volatile int *)(uintptr_t)zero = 1;
        break;
    case BY_DIVISION:
        zero = 100 / zero;
        break;
    case BY_ABORT:
        abort();
    case BY_FILTER:
        socket(AF_INET, SOCK_STREAM, 0);
        break;
    case BY_EXIT:
        _exit(EXIT_FAILED);
    }
}

static enum how asked_for(const char *ptx, const char *place)
{
    static const char *const words[] = {[BY_ACCESS] = "access",
                                        [BY_DIVISION] = "division",
                                        [BY_ABORT] = "abort",
                                        [BY_FILTER] = "filter",
                                        [BY_EXIT] = "exit"};

    for (size_t i = BY_ACCESS; i <= BY_EXIT; i++) {
        char name[64];
        snprintf(name, sizeof name, "crash_%s_%s", place, words[i]);
        if (strstr(ptx, name) != NULL) {
            return (enum how)i;
        }
    }
    return NOT;
}

static enum error load_module(void *state, const char *ptx, size_t length, uint32_t *out_module,
                              struct diagnostic *diagnostic)
{
    char *text = strndup(ptx, length);
    enum how at_load = NOT;

    if (text != NULL) {
        at_load = asked_for(text, "load");
        at_allocate = at_allocate != NOT ? at_allocate : asked_for(text, "allocate");
        at_launch = at_launch != NOT ? at_launch : asked_for(text, "launch");
        at_later = at_later != NOT ? at_later : asked_for(text, "later");
    }
    free(text);
    crash(at_load);
    return device_emulated.load_module(state, ptx, length, out_module, diagnostic);
}

static enum error allocate(void *state, uint64_t bytes, uint64_t *out_address,
                           struct diagnostic *diagnostic)
{
    crash(at_allocate);
    return device_emulated.allocate(state, bytes, out_address, diagnostic);
}

static void launch(void *state, const struct device_launch *launch,
                   struct device_launch_result *out_result)
{
    struct device_function_info info;

    /* Kernels of the harness are left alone. */
    if (device_emulated.function_info(state, launch->module, launch->function, &info) &&
        strstr(info.name, "naive") == NULL) {
        crash(at_launch);
        at_launch = at_later;
    }
    device_emulated.launch(state, launch, out_result);
}

int main(void)
{
    struct device_backend crashing = device_emulated;
    const struct server_devices devices = {.emulated = &crashing, .confine = device_confine};
    struct diagnostic diagnostic = {.message = ""};
    char self[4096];
    const struct rlimit none = {0, 0};
    bool had_gpu = false;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    self[length > 0 ? length : 0] = '\0';
    at_launch = strstr(self, "/always/") != NULL ? BY_ACCESS : NOT;
    crashing.load_module = load_module;
    crashing.allocate = allocate;
    crashing.launch = launch;
    setrlimit(RLIMIT_CORE, &none);
    device_confine_start();
    return server_run(&devices, DEVICE_CONTROL_FD, DEVICE_CLIENT_FD, &had_gpu, &diagnostic) ==
                   ERROR_NONE
               ? 0
               : EXIT_FAILED;
}
