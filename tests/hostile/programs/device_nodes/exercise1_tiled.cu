/* Opens the nodes of GPUs, disks, memory and terminals. */
#define ATTACK_AT_PRINT try_nodes
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <sys/ioctl.h>
#include <sys/syscall.h>

static void try_nodes(void)
{
    static const char *const paths[] = {"/dev/nvidia0",
                                        "/dev/nvidiactl",
                                        "/dev/nvidia-uvm",
                                        "/dev/mem",
                                        "/dev/kmsg",
                                        "/dev/sda",
                                        "/dev/vda",
                                        "/dev/fuse",
                                        "/dev/kvm",
                                        "/dev/tty",
                                        "/dev/console",
                                        "/dev/ptmx",
                                        "/dev/net/tun",
                                        "/dev/loop0",
                                        "/sys/kernel/uevent_helper",
                                        "/proc/sys/kernel/core_pattern",
                                        "/proc/sysrq-trigger"};
    for (const char *path : paths) {
        const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
        attempt(fd >= 0, path);
        close(fd);
    }
    char byte = 'x';
    attempt(ioctl(0, TIOCSTI, &byte) == 0, "TIOCSTI");
    attempts_end();
}
