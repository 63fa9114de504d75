/* launch_memo.h: launches that need not run again.
 *
 * Programs that measure, and samples, launch the same kernel hundreds of times. What a launch does
 * follows from its request and from the memory of the device alone. So one that has left all of
 * that memory as it was does nothing, however often it is repeated, until something else changes
 * the memory: what it gave then is what it would give now, counts and all.
 *
 * Only a launch that came to its end, without findings and without text, is kept, and only if what
 * it counted and touched is short.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LAUNCH_MEMO_H
#define GPUGRADE_DEVICE_EMULATED_LAUNCH_MEMO_H

#include "device/device.h"

enum {
    MEMO_LAUNCHES = 32,        /* that are kept; the one that was kept first goes first */
    MEMO_BYTES_EACH = 1 << 17, /* of what one owns; with more it is not kept */
};

struct memo_launch {
    bool is_set;
    struct device_launch request;       /* its parameters are owned */
    uint64_t parameter_bytes;           /* of the request */
    uint64_t changes;                   /* of the memory, when it had run */
    struct device_launch_result result; /* its counts and ranges are owned */
};

/* Zeros at first. */
struct launch_memo {
    uint64_t changes; /* how often the device's memory has changed, or may have */
    struct memo_launch launches[MEMO_LAUNCHES];
    size_t next;
};

void launch_memo_release(struct launch_memo *memo);

/* The memory changes, or what is known of it. */
static inline void launch_memo_change(struct launch_memo *memo)
{
    memo->changes++;
}

/* What a launch would give; NULL if it has to run. It is the memo's, until the next call. */
const struct device_launch_result *launch_memo_find(const struct launch_memo *memo,
                                                    const struct device_launch *request,
                                                    uint64_t parameter_bytes);

/* A launch has run, and has left all bytes of the memory as they were. Its result is copied. Aborts
 * without memory. */
void launch_memo_keep(struct launch_memo *memo, const struct device_launch *request,
                      uint64_t parameter_bytes, const struct device_launch_result *result);

#endif
