/* ensure.h: what the grader itself made must hold, in a release too.
 *
 * Parts check what they are handed at their borders. Input of others (submissions, rubrics,
 * devices) is checked by code that says whose fault it is; ENSURE is for what can only be a mistake
 * of ours. It ends the process: each submission is graded by one of its own, so a check ends with
 * status 3, and a batch records an error for that submission and goes on.
 */
#ifndef GPUGRADE_BASE_ENSURE_H
#define GPUGRADE_BASE_ENSURE_H

#define ENSURE(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ensure_failed(#condition, __func__);                                                   \
        }                                                                                          \
    } while (0)

/* Says on standard error what does not hold and where, and aborts. */
_Noreturn void ensure_failed(const char *condition, const char *function);

#endif
