/* Executes itself anew with a library path of its own, the channel still open. */
#define WRONG_KERNEL
#include "honest_ends.cuh"

#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void again(int, char **arguments, char **)
{
    if (getenv("AGAIN") == NULL) {
        char *old = getenv("LD_LIBRARY_PATH");
        char path[4096];
        snprintf(path, sizeof path, "/tmp:.:%s", old != NULL ? old : "");
        setenv("AGAIN", "1", 1);
        setenv("LD_LIBRARY_PATH", path, 1);
        setenv("LD_PRELOAD", "/tmp/none.so", 1);
        fcntl(3, F_SETFD, 0);
        execv("/proc/self/exe", arguments);
    }
}
