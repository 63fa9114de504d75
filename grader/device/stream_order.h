/* stream_order.h: which work of a program's streams touches the same memory in no order.
 *
 * The host gives work to streams. Work is ordered after
 *   - what its stream got before;
 *   - what the host has waited for by then (a stream, an event, everything);
 *   - what its stream waits for: the work before an event;
 *   - in the legacy default stream: what any blocking stream got before; in a blocking stream: what
 *     the legacy default stream got before.
 * Two pieces of work in different streams race if nothing orders them, they touch the same byte and
 * one of them writes it. That follows from the program alone, not from when anything ran.
 * Source: CUDA C++ Programming Guide 13.0, "Streams", "Events", "Default Stream"; CUDA Runtime API,
 * "API synchronization behavior", "Stream synchronization behavior".
 *
 * Threads of the host order each other by means that are not seen here (locks, joins). Where races
 * are looked for, what one has waited for counts as waited for by all. In the longest chain it
 * holds back only what that thread gives: otherwise the chain would depend on which thread is
 * first.
 *
 * How. Each stream has a clock, and for each other stream the clock that it is ordered after (so
 * has the host, and an event). Work that the host has not waited for is kept with its bytes, and
 * new work is compared with it. Of equal work in one stream the last is kept: what is ordered after
 * that is ordered after all.
 */
#ifndef GPUGRADE_DEVICE_STREAM_ORDER_H
#define GPUGRADE_DEVICE_STREAM_ORDER_H

#include "wire/client.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORDER_NO_STREAM,
    ORDER_LEGACY,     /* the default stream */
    ORDER_PER_THREAD, /* the default stream of a thread; blocking */
    ORDER_STREAMS_MAX = CLIENT_STREAMS_MAX,
    ORDER_EVENTS_MAX = CLIENT_EVENTS_MAX,
    ORDER_THREADS_MAX = 64,     /* of the host, known at once; those asleep longest are forgotten */
    ORDER_RANGES_MAX = 1 << 16, /* of one piece of work: with more it is not looked at */
    ORDER_WORK_MAX = 4096,      /* kept at once: the oldest is forgotten, */
    ORDER_KEPT_RANGES_MAX = 1 << 19, /* as it is if all of it has more ranges */
};

/* Bytes [start, end). */
struct order_range {
    uint64_t start, end;
};

/* What work does to bytes. Two pieces of work may both update (by atomics alone), or both read. */
enum order_access { ORDER_READ, ORDER_UPDATE, ORDER_WRITE, ORDER_ACCESSES };

/* What a piece of work touches, by enum order_access: sorted, and without overlaps. */
struct order_bytes {
    const struct order_range *ranges[ORDER_ACCESSES]; /* [counts[access]] */
    size_t counts[ORDER_ACCESSES];
};

/* What a piece of work is, for a report. */
struct order_label {
    uint32_t call;   /* enum runtime_call */
    uint32_t site;   /* 0: unknown */
    uint32_t module; /* of a launch */
    uint32_t function;
    bool is_launch;
    bool is_host; /* no work: host code */
};

/* Two pieces of work without order. */
struct order_conflict {
    struct order_label labels[2]; /* the one that was given first */
    uint32_t streams[2];
    enum order_access accesses[2];
    uint64_t address, bytes; /* a range that both touch */
};

/* Why work comes after other work. */
enum order_link_kind {
    ORDER_LINK_NONE,
    ORDER_LINK_HOST,   /* the host waited in between */
    ORDER_LINK_LEGACY, /* one of them is in the default stream, which waits for the others */
    ORDER_LINK_EVENT,  /* its stream waits for an event */
    ORDER_LINK_STREAM, /* both are in one stream */
};

struct order_link {
    enum order_link_kind kind;
    uint32_t site;  /* where: of the wait, or of the work in the default stream, or of work that its
                       own stream holds back */
    uint64_t count; /* how often */
};

/* What the streams got in all. The weight of a launch is the bytes that it reads and those that it
 * writes; that of a copy or a set the bytes that it moves. */
struct order_totals {
    uint64_t work;          /* pieces */
    uint64_t bytes;         /* of all of it */
    uint64_t longest;       /* the most bytes of work that comes one after the other */
    struct order_link link; /* what holds that together most often */
    uint64_t host_waits;    /* how often the host waited */
    uint64_t streams;       /* that got work */
};

struct stream_order;

/* Abort without memory, as all calls below do. */
struct stream_order *stream_order_new(void);
void stream_order_free(struct stream_order *order); /* NULL is accepted */

struct order_totals stream_order_totals(const struct stream_order *order);

/* The host has waited for everything, and the totals begin again. */
void stream_order_restart(struct stream_order *order);

/* Where the program is, and in which thread of the host: what it asks for next, it asks for there.
 * Site 0: unknown. */
void stream_order_set_caller(struct stream_order *order, uint32_t site, uint32_t thread);

/* Streams and events have numbers below the limits; others are ignored. A number may be used again.
 * A stream is blocking unless it was made with cudaStreamNonBlocking. */
void stream_order_make(struct stream_order *order, uint32_t stream, bool is_blocking);
void stream_order_record(struct stream_order *order, uint32_t event, uint32_t stream);
void stream_order_wait(struct stream_order *order, uint32_t stream, uint32_t event);

/* The host has waited for a stream, an event, or everything. */
void stream_order_host_waits(struct stream_order *order, uint32_t stream);
void stream_order_host_waits_event(struct stream_order *order, uint32_t event);
void stream_order_host_waits_all(struct stream_order *order);

/* What work that the host has not waited for does to [start, end): ORDER_WRITE if any writes or
 * updates it, else ORDER_READ; ORDER_ACCESSES: nothing. The range is the longest stretch of bytes
 * to which it does that, over gaps of up to CLIENT_ORDER_GAP. */
enum order_access stream_order_pending(const struct stream_order *order, uint64_t start,
                                       uint64_t end, struct order_range *out_range);

/* The host touches a byte. False if all work that this disturbs comes before. */
bool stream_order_host_touches(const struct stream_order *order, uint64_t address, bool is_write,
                               struct order_conflict *out_conflict);

/* The host gives a stream work. Fills the conflicts with earlier work, at most `capacity`, and
 * returns how many there are. */
size_t stream_order_work(struct stream_order *order, uint32_t stream,
                         const struct order_label *label, const struct order_bytes *bytes,
                         struct order_conflict *out_conflicts, size_t capacity);

#endif
