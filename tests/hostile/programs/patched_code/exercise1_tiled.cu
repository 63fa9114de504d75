/* Writes over its own code and the harness's through /proc/self/mem and the executable. */
#define WRONG_KERNEL
#define ATTACK_AT_LAUNCH overwrite
#include "honest_ends.cuh"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

static void overwrite(void)
{
    const int executable = open("/proc/self/exe", O_WRONLY | O_CLOEXEC);
    if (executable >= 0) {
        (void)!write(executable, "\177ELF", 4);
        fputs("the executable could be written\n", stderr);
        _exit(98);
    }
    const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    const char nothing[8] = "";
    if (memory >= 0) {
        (void)!pwrite(memory, nothing, sizeof nothing, (off_t)(uintptr_t)&honest_occupancy);
    }
}
