/* no_namespaces.c: runs a command on a machine that forbids namespaces, as a container does.
 *
 *   no_namespaces COMMAND [ARGUMENT...]
 *
 * A filter of system calls, which all its children inherit, makes every way to a new namespace
 * fail: unshare, setns, and clone with a flag for one; clone3 is "not there", since its flags
 * cannot be seen, and clone takes its place. Mounting fails too. Nothing else changes, so what
 * gpugrade cannot do here is what it cannot do there.
 */
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_SETTING = 125 };

static int forbid(scmp_filter_ctx context)
{
    static const char *const calls[] = {"unshare", "setns", "mount", "umount2", "pivot_root"};
    static const unsigned flags[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
    int result = seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

    for (size_t i = 0; result == 0 && i < sizeof calls / sizeof calls[0]; i++) {
        result = seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM),
                                  seccomp_syscall_resolve_name(calls[i]), 0);
    }
    for (size_t i = 0; result == 0 && i < sizeof flags / sizeof flags[0]; i++) {
        result = seccomp_rule_add(context, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                  SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    }
    return result;
}

int main(int argc, char **argv)
{
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);

    if (argc < 2 || context == NULL) {
        fputs("usage: no_namespaces COMMAND [ARGUMENT...]\n", stderr);
        return EXIT_SETTING;
    }
    int result = forbid(context);
    if (result == 0) {
        /* The command keeps what it may do otherwise, such as programs with file capabilities. */
        result = geteuid() == 0 ? seccomp_attr_set(context, SCMP_FLTATR_CTL_NNP, 0) : 0;
    }
    if (result == 0) {
        result = seccomp_load(context);
    }
    if (result != 0) {
        fprintf(stderr, "no_namespaces: no filter: %s\n", strerror(-result));
        return EXIT_SETTING;
    }
    seccomp_release(context);
    execvp(argv[1], argv + 1);
    fprintf(stderr, "no_namespaces: %s: %s\n", argv[1], strerror(errno));
    return EXIT_SETTING;
}
