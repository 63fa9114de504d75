/* Calls of the kernel that a program of an exercise never needs: none may succeed. */
#define ATTACK_AT_PRINT try_calls
#include "attempts.cuh"
#include "honest_ends.cuh"

#include <linux/sched.h>
#include <sched.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static void try_calls(void)
{
    static char page[4096];
    struct timespec now = {1, 0};
    attempt(mount("none", "/tmp", "tmpfs", 0, NULL) == 0, "mount");
    attempt(umount2("/proc", MNT_DETACH) == 0, "umount");
    attempt(unshare(CLONE_NEWUSER) == 0, "a user namespace");
    attempt(unshare(CLONE_NEWNS) == 0, "a mount namespace");
    attempt(unshare(CLONE_NEWNET) == 0, "a network namespace");
    attempt(syscall(SYS_setns, 1, 0) == 0, "setns");
    attempt(chroot("/tmp") == 0, "chroot");
    attempt(syscall(SYS_pivot_root, "/tmp", "/tmp") == 0, "pivot_root");
    attempt(syscall(SYS_bpf, 5, page, 64) >= 0, "bpf");
    attempt(syscall(SYS_io_uring_setup, 4, page) >= 0, "io_uring");
    attempt(syscall(SYS_userfaultfd, 1) >= 0, "userfaultfd");
    attempt(syscall(SYS_perf_event_open, page, 0, -1, -1, 0) >= 0, "perf_event_open");
    attempt(syscall(SYS_keyctl, 0, -3, 1) >= 0, "keyctl");
    attempt(syscall(SYS_add_key, "user", "@NAME@", "x", 1, -3) >= 0, "add_key");
    attempt(syscall(SYS_init_module, page, 4096, "") == 0, "init_module");
    attempt(syscall(SYS_finit_module, 0, "", 0) == 0, "finit_module");
    attempt(syscall(SYS_kexec_load, 0, 0, NULL, 0) == 0, "kexec");
    attempt(syscall(SYS_reboot, 0xfee1dead, 672274793, 0, NULL) == 0, "reboot");
    attempt(swapon("/tmp/@NAME@", 0) == 0, "swapon");
    attempt(clock_settime(CLOCK_REALTIME, &now) == 0, "settime");
    attempt(sethostname("x", 1) == 0, "sethostname");
    attempt(syscall(SYS_open_by_handle_at, 0, page, 0) >= 0, "open_by_handle_at");
    attempt(syscall(SYS_fanotify_init, 0, 0) >= 0, "fanotify");
    attempt(syscall(SYS_acct, "/tmp/acct") == 0, "acct");
    attempt(syscall(SYS_quotactl, 0, NULL, 0, NULL) == 0, "quotactl");
    attempt(klogctl(3, page, sizeof page) >= 0, "the kernel's log");
    attempt(setuid(0) == 0 && geteuid() == 0 && access("/etc/shadow", R_OK) == 0, "root");
    attempt(mknod("/tmp/@NAME@", S_IFCHR | 0600, (1 << 8) | 1) == 0, "a device node");
    attempt(nice(-5) == -5 && errno == 0, "priority");
    struct clone_args arguments;
    memset(&arguments, 0, sizeof arguments);
    arguments.flags = CLONE_NEWUSER | CLONE_NEWPID;
    const long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) {
        _exit(0);
    }
    attempt(child > 0, "clone3 with namespaces");
    attempts_end();
}
