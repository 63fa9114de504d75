/* jail_filter.h: the system calls that a program may not make (sandbox/denied_calls.def), as a
 * filter of the kernel (seccomp). */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_FILTER_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { JAIL_FILTER_STEPS_MAX = 4096 };

struct jail_filter {
    struct sock_filter steps[JAIL_FILTER_STEPS_MAX]; /* [count] */
    size_t count;
};

/* Makes the filter of the scopes (enum jail_scope, added) for the process `program`. Allocates.
 * False, with errno set, if the library or this kernel cannot. */
bool jail_filter_build(uint64_t scopes, pid_t program, struct jail_filter *out_filter);

/* Puts this process, which cannot gain privileges any more, and all its children under the filter.
 * False with errno set. */
bool jail_filter_apply(const struct jail_filter *filter);

#endif
