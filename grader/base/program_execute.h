/* program_execute.h: executes a program that this process, or another thread's child, may just have
 * written. */
#ifndef GPUGRADE_BASE_PROGRAM_EXECUTE_H
#define GPUGRADE_BASE_PROGRAM_EXECUTE_H

/* execve(). A file that any process has open for writing cannot be executed (ETXTBSY), and a child
 * that another thread forks inherits open files until it executes its own program. So it is tried
 * again for up to two seconds. Returns only if it fails, with errno set. Safe after fork(). */
void program_execute(const char *path, char *const *arguments, char *const *environment);

#endif
