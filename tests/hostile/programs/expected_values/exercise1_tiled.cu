/* Looks for the expected values: in files, in other processes, in its own memory, on the device. */
#define ATTACK_AT_PRINT look
#include "attempts.cuh"
#include "honest_ends.cuh"

static void look(void)
{
    char path[64];
    attempt_read("@ROOT@/reference/matmul/oracle.c");
    attempt_read("@ROOT@/reference/matmul/solution/exercise1_tiled.cu");
    attempt_read("@ROOT@/rubrics/matmul.json");
    attempt_read("@SCORE@");
    attempt_read("../oracle.so");
    for (int pid = 1; pid < 40000; pid++) {
        snprintf(path, sizeof path, "/proc/%d/mem", pid);
        if (pid != getpid()) {
            const int fd = open(path, O_RDONLY | O_CLOEXEC);
            attempt(fd >= 0, path);
            close(fd);
        }
    }
    attempts_end();
}
