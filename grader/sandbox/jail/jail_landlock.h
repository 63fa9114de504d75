/* jail_landlock.h: confines a program to files by Landlock, where there are no namespaces. */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_LANDLOCK_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_LANDLOCK_H

#include "sandbox/jail/jail_job.h"

#include <stdbool.h>

/* Restricts this process and its children to the files of the job's --read and --write options and
 * a few of its own in /proc, without TCP, without signals and abstract sockets to others, as far as
 * version job->landlock of the kernel's interface supports it. True without doing anything if that
 * is 0. False with errno set. */
bool jail_landlock_apply(const struct jail_job *job);

#endif
