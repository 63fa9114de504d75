/* jail_filter.c: see jail_filter.h.
 *
 * libseccomp turns the rows into a program for the kernel, as a tree, so that a call costs about
 * the same whatever its number. Its output is taken as bytes and preceded by four steps of our own
 * for calls that are newer than the table, which the library cannot name:
 *
 *     number of the call
 *     a call of the x32 interface? -> the library's part, which kills
 *     FIRST_NEWER_CALL or above? -> ENOSYS
 *     the library's part
 *
 * Calls of any other processor's interface (32 bits, x32) kill the program: no compiler here makes
 * such programs, and their numbers would mean other calls.
 */
#include "sandbox/jail/jail_filter.h"

#include "sandbox/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SIOCSPGRP
#define SIOCSPGRP 0x8902
#endif

/* cachestat, of linux 6.5, and what followed; the numbers are the same on all processors. */
enum { FIRST_NEWER_CALL = 451, FIRST_X32_CALL = 0x40000000, OWN_STEPS = 4 };

enum condition_kind { NO_CONDITION, FIELD_IS, DIFFERS, OTHER_PROCESS };

struct denial {
    const char *call;
    unsigned scope;
    int error;
    enum condition_kind kind;
    unsigned argument;
    uint64_t mask, value;
};

#define IF_BITS(argument, bits) FIELD_IS, argument, bits, bits
#define IF_FIELD(argument, mask, value) FIELD_IS, argument, mask, value
#define IF_OTHER(argument, value) DIFFERS, argument, 0, value
#define IF_OTHER_PROCESS(argument) OTHER_PROCESS, argument, 0, 0
#define DENIED_CALL(call, scope, error, reason)                                                    \
    {#call, JAIL_SCOPE_##scope, error, NO_CONDITION, 0, 0, 0},
#define DENIED_IF(call, scope, error, condition, reason)                                           \
    {#call, JAIL_SCOPE_##scope, error, condition},

static const struct denial denials[] = {
#include "sandbox/denied_calls.def"
};

static struct scmp_arg_cmp comparison(const struct denial *row, pid_t program)
{
    if (row->kind == FIELD_IS) {
        return (struct scmp_arg_cmp){row->argument, SCMP_CMP_MASKED_EQ, row->mask, row->value};
    }
    uint64_t value = row->kind == OTHER_PROCESS ? (uint64_t)program : row->value;
    return (struct scmp_arg_cmp){row->argument, SCMP_CMP_NE, value, 0};
}

/* Adds one row; a call that this processor or this library does not know is no error. */
static int add_row(scmp_filter_ctx context, const struct denial *row, pid_t program)
{
    int number = seccomp_syscall_resolve_name(row->call);
    uint32_t action = SCMP_ACT_ERRNO((uint32_t)row->error);

    if (number < 0) {
        return 0;
    }
    if (row->kind == NO_CONDITION) {
        return seccomp_rule_add(context, action, number, 0);
    }
    struct scmp_arg_cmp condition = comparison(row, program);
    return seccomp_rule_add_array(context, action, number, 1, &condition);
}

/* Takes the bytes of the library's program, through a file in memory: it writes to files only. */
static bool take_steps(scmp_filter_ctx context, struct jail_filter *filter)
{
    size_t room = sizeof filter->steps - OWN_STEPS * sizeof filter->steps[0];
    int file = memfd_create("gpugrade-filter", MFD_CLOEXEC);

    if (file < 0) {
        return false;
    }
    int cause = -seccomp_export_bpf(context, file);
    ssize_t length = cause == 0 ? pread(file, filter->steps + OWN_STEPS, room, 0) : -1;
    close(file);
    if (length <= 0 || (size_t)length == room || length % sizeof filter->steps[0] != 0) {
        errno = cause != 0 ? cause : EFBIG;
        return false;
    }
    filter->count = OWN_STEPS + (size_t)length / sizeof filter->steps[0];
    return true;
}

bool jail_filter_build(uint64_t scopes, pid_t program, struct jail_filter *out_filter)
{
    static const struct sock_filter own[OWN_STEPS] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_X32_CALL, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_NEWER_CALL, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    };
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
    int result = context == NULL ? -ENOMEM : 0;

    if (result == 0) {
        result = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    }
    if (result == 0) {
        result = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    }
    for (size_t i = 0; result == 0 && i < sizeof denials / sizeof denials[0]; i++) {
        if ((denials[i].scope & scopes) != 0) {
            result = add_row(context, &denials[i], program);
        }
    }
    memcpy(out_filter->steps, own, sizeof own);
    bool good = result == 0 && take_steps(context, out_filter);
    if (result != 0) {
        errno = -result;
    }
    if (context != NULL) {
        seccomp_release(context);
    }
    return good;
}

bool jail_filter_apply(const struct jail_filter *filter)
{
    const struct sock_fprog program = {
        .len = (unsigned short)filter->count,
        .filter = (struct sock_filter *)(uintptr_t)filter->steps, /* the kernel only reads it */
    };

    /* Older kernels would slow the program down against itself (speculative stores) without this.
     */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0 ||
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
