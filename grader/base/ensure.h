/* ensure.h: checks of the grader's own invariants, also in release builds.
 *
 * Each part checks what it is given. Input from outside (submissions, rubrics, devices) is checked
 * by code that reports whose fault it is; ENSURE is for what can only be a bug in gpugrade. It ends
 * the process: each submission is graded by its own process, so a check ends with status 3, and a
 * batch records an error for that submission and goes on.
 */
#ifndef GPUGRADE_BASE_ENSURE_H
#define GPUGRADE_BASE_ENSURE_H

#define ENSURE(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ensure_failed(#condition, __func__);                                                   \
        }                                                                                          \
    } while (0)

/* Prints on standard error what does not hold and where, and aborts. */
_Noreturn void ensure_failed(const char *condition, const char *function);

#endif
