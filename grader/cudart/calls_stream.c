/* calls_stream.c: streams and events. The device executes everything in the order of the calls, so
 * a stream is hardly more than a name, and an event is the device's time when it was recorded. The
 * device gets to know what real ones would order (runtime_order.c), and looks for work without
 * order.
 *
 * While a stream captures, its work goes into a graph instead (calls_graph.c). An event that is
 * recorded then belongs to the capture, and a stream that waits for it joins.
 */
#include "cudart/runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    unsigned flags;
    int priority;
    unsigned long long id;
    uint32_t number; /* by which the device knows it; 0: there are too many */
    struct CUgraph_st *capture;
    struct capture_end end; /* of the capture */
};

struct event {
    bool is_timed;
    bool is_recorded;
    uint64_t time_ns;
    uint32_t number; /* by which the device knows it; 0: not recorded yet, or there are too many */
    struct CUgraph_st *capture;
    struct capture_end end; /* of the capture, where it was recorded */
};

/* Priorities run from 0 to this one, as on real devices; nothing here depends on them. */
enum { GREATEST_PRIORITY = -5 };

static struct runtime_registry streams;
static struct runtime_registry events;
static struct stream legacy_stream = {.id = 1, .number = 1};
static struct stream first_thread_stream = {.id = 2, .number = 2}; /* its default stream */
static __thread struct stream *own_stream; /* of another thread; made when it is used first */
static __thread unsigned long long own_id; /* of it: a reset frees it, and others may lie there */
static pthread_key_t own_stream_key;       /* ends it with the thread */
static unsigned long long next_id = 3;

/* Numbers for the device: the lowest one that is free. */
struct numbers {
    uint32_t first, end;
    bool is_taken[CLIENT_EVENTS_MAX];
};
static struct numbers stream_numbers = {.first = 3, .end = CLIENT_STREAMS_MAX};
static struct numbers event_numbers = {.first = 1, .end = CLIENT_EVENTS_MAX};

static uint32_t take_number(struct numbers *numbers)
{
    for (uint32_t i = numbers->first; i < numbers->end; i++) {
        if (!numbers->is_taken[i]) {
            numbers->is_taken[i] = true;
            return i;
        }
    }
    return 0;
}

static struct stream *per_thread_stream(void);

static struct stream *stream_of(cudaStream_t stream)
{
    if (stream == NULL || stream == cudaStreamLegacy) {
        return &legacy_stream;
    }
    if (stream == cudaStreamPerThread) {
        return per_thread_stream();
    }
    return registry_contains(&streams, stream) ? (struct stream *)(void *)stream : NULL;
}

static struct event *event_of(cudaEvent_t event)
{
    return registry_contains(&events, event) ? (struct event *)(void *)event : NULL;
}

bool runtime_stream_exists(cudaStream_t stream)
{
    return stream_of(stream) != NULL;
}

struct CUgraph_st *runtime_capture_of(cudaStream_t stream)
{
    return stream_of(stream)->capture;
}

void runtime_set_capture(cudaStream_t stream, struct CUgraph_st *graph)
{
    stream_of(stream)->capture = graph;
    stream_of(stream)->end.count = 0;
}

struct capture_end *runtime_capture_end(cudaStream_t stream)
{
    return &stream_of(stream)->end;
}

void runtime_end_capture(struct CUgraph_st *graph)
{
    for (size_t i = 0; i < streams.count; i++) {
        struct stream *stream = streams.entries[i].pointer;
        stream->capture = stream->capture == graph ? NULL : stream->capture;
    }
    for (size_t i = 0; i < events.count; i++) {
        struct event *event = events.entries[i].pointer;
        event->capture = event->capture == graph ? NULL : event->capture;
    }
    if (first_thread_stream.capture == graph) {
        first_thread_stream.capture = NULL;
    }
}

uint32_t runtime_stream_number(cudaStream_t stream)
{
    const uint32_t number = stream_of(stream)->number;

    if (number == 0) {
        runtime_end_order();
    }
    return number;
}

static void order_stream(enum client_order what, cudaStream_t stream, const uint64_t *words,
                         size_t count)
{
    runtime_order(what, runtime_stream_number(stream), words, count);
}

static void order_event(enum client_order what, cudaStream_t stream, const struct event *event)
{
    const uint64_t number = event->number;

    if (number != 0) {
        order_stream(what, stream, &number, 1);
    }
}

void runtime_order_event(enum client_order what, cudaStream_t stream, cudaEvent_t event)
{
    order_event(what, stream, event_of(event));
}

/* Ends a stream that was made; a default stream is none. */
static void end_stream(cudaStream_t stream)
{
    if (stream != cudaStreamLegacy && stream != cudaStreamPerThread &&
        registry_remove(&streams, stream)) {
        stream_numbers.is_taken[((struct stream *)(void *)stream)->number] = false;
        free(stream);
    }
}

static void end_event(cudaEvent_t event)
{
    if (registry_remove(&events, event)) {
        event_numbers.is_taken[((struct event *)(void *)event)->number] = false;
        free(event);
    }
}

static cudaError_t no_stream(void)
{
    return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
}

static cudaError_t no_event(void)
{
    return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_EVENT);
}

/* Makes a handle of some bytes and notes it. */
static cudaError_t make_handle(struct runtime_registry *registry, size_t bytes, void **out_handle)
{
    cudaError_t error = runtime_ready();

    if (error != cudaSuccess) {
        return error;
    }
    void *handle = calloc(1, bytes);
    if (handle == NULL || !registry_add(registry, handle, bytes)) {
        free(handle);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *out_handle = handle;
    return cudaSuccess;
}

static void forget(struct runtime_registry *registry)
{
    for (size_t i = 0; i < registry->count; i++) {
        free(registry->entries[i].pointer);
    }
    registry->count = 0;
}

void runtime_forget_streams(void)
{
    forget(&streams);
    forget(&events);
    memset(stream_numbers.is_taken, 0, sizeof(stream_numbers.is_taken));
    memset(event_numbers.is_taken, 0, sizeof(event_numbers.is_taken));
}

/* A stream of its own number, which the device gets to know. */
static cudaError_t make_stream(unsigned flags, void **out_handle)
{
    const uint64_t is_blocking = (flags & cudaStreamNonBlocking) == 0;
    cudaError_t error = make_handle(&streams, sizeof(struct stream), out_handle);

    if (error == cudaSuccess) {
        struct stream *stream = *out_handle;
        stream->flags = flags;
        stream->id = next_id++;
        stream->number = take_number(&stream_numbers);
        runtime_start_order();
        runtime_order(CLIENT_ORDER_STREAM, stream->number, &is_blocking, 1);
    }
    return error;
}

static bool has_own_stream(void)
{
    return registry_contains(&streams, own_stream) && own_stream->id == own_id;
}

static void end_own_stream(void *stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamDestroy);
    if (has_own_stream()) {
        end_stream(stream);
    }
    runtime_leave(cudaSuccess);
}

static void make_own_stream_key(void)
{
    if (pthread_key_create(&own_stream_key, end_own_stream) != 0) {
        abort();
    }
}

/* The default stream of the calling thread. */
static struct stream *per_thread_stream(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    void *handle = NULL;

    if (runtime_thread() == 1) {
        runtime_start_order();
        return &first_thread_stream;
    }
    if (!has_own_stream()) {
        if (make_stream(cudaStreamDefault, &handle) != cudaSuccess) {
            return &first_thread_stream;
        }
        own_stream = handle;
        own_id = own_stream->id;
        pthread_once(&once, make_own_stream_key);
        pthread_setspecific(own_stream_key, own_stream);
    }
    return own_stream;
}

static cudaError_t create_stream(cudaStream_t *out_stream, unsigned flags, int priority)
{
    void *handle = NULL;

    if (out_stream == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (flags > cudaStreamNonBlocking) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error = make_stream(flags, &handle);
    if (error == cudaSuccess) {
        int least = priority > 0 ? 0 : priority;
        struct stream *stream = handle;

        stream->priority = least < GREATEST_PRIORITY ? GREATEST_PRIORITY : least;
        *out_stream = handle;
    }
    return error;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamCreate);
    return runtime_leave(create_stream(stream, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaStreamCreateWithFlags);
    return runtime_leave(create_stream(stream, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    runtime_enter(RUNTIME_CALL_cudaStreamCreateWithPriority);
    return runtime_leave(create_stream(stream, flags, priority));
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    runtime_enter(RUNTIME_CALL_cudaDeviceGetStreamPriorityRange);
    cudaError_t error = runtime_connect();
    if (error == cudaSuccess && least != NULL) {
        *least = 0;
    }
    if (error == cudaSuccess && greatest != NULL) {
        *greatest = GREATEST_PRIORITY;
    }
    return runtime_leave(error);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamDestroy);
    if (!registry_contains(&streams, stream)) {
        return runtime_leave(no_stream());
    }
    end_stream(stream);
    return runtime_leave(runtime_ready());
}

/* Everything that was asked for is done; but a capture cannot be waited for. */
static cudaError_t wait_for_stream(cudaStream_t handle)
{
    const struct stream *stream = stream_of(handle);

    if (stream == NULL) {
        return no_stream();
    }
    if (stream->capture != NULL) {
        return runtime_refuse(cudaErrorStreamCaptureUnsupported, REFUSAL_CAPTURE);
    }
    order_stream(CLIENT_ORDER_HOST_WAITS, handle, NULL, 0);
    return runtime_synchronise();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamSynchronize);
    return runtime_leave(wait_for_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamQuery);
    return runtime_leave(wait_for_stream(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t waited, unsigned flags)
{
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaStreamWaitEvent);
    struct stream *stream = stream_of(handle);
    const struct event *event = event_of(waited);
    if (stream == NULL) {
        return runtime_leave(no_stream());
    }
    if (event == NULL) {
        return runtime_leave(no_event());
    }
    if (event->capture == NULL) {
        order_event(CLIENT_ORDER_WAIT, handle, event);
        return runtime_leave(runtime_ready());
    }
    if (stream->capture != event->capture) {
        stream->capture = event->capture;
        stream->end.count = 0;
    }
    cudaError_t error = graph_join(stream->capture, &stream->end, &event->end);
    return runtime_leave(error == cudaSuccess ? runtime_ready() : error);
}

/* Finds a stream for a question about it. */
static cudaError_t ask_stream(cudaStream_t handle, const void *out,
                              const struct stream **out_stream)
{
    if (out == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    *out_stream = stream_of(handle);
    return *out_stream == NULL ? no_stream() : runtime_ready();
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags)
{
    const struct stream *stream;

    runtime_enter(RUNTIME_CALL_cudaStreamGetFlags);
    cudaError_t error = ask_stream(handle, flags, &stream);
    if (error == cudaSuccess) {
        *flags = stream->flags;
    }
    return runtime_leave(error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority)
{
    const struct stream *stream;

    runtime_enter(RUNTIME_CALL_cudaStreamGetPriority);
    cudaError_t error = ask_stream(handle, priority, &stream);
    if (error == cudaSuccess) {
        *priority = stream->priority;
    }
    return runtime_leave(error);
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id)
{
    const struct stream *stream;

    runtime_enter(RUNTIME_CALL_cudaStreamGetId);
    cudaError_t error = ask_stream(handle, id, &stream);
    if (error == cudaSuccess) {
        *id = stream->id;
    }
    return runtime_leave(error);
}

#if CUDART_VERSION >= 12080
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device)
{
    const struct stream *stream;

    runtime_enter(RUNTIME_CALL_cudaStreamGetDevice);
    cudaError_t error = ask_stream(handle, device, &stream);
    if (error == cudaSuccess) {
        *device = 0;
    }
    return runtime_leave(error);
}
#endif

/* Managed memory is sent before every launch, whichever stream it is attached to. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned flags)
{
    (void)bytes;
    runtime_enter(RUNTIME_CALL_cudaStreamAttachMemAsync);
    const struct mirror *mirror = pointer == NULL ? NULL : mirror_find(pointer);
    if (stream_of(stream) == NULL) {
        return runtime_leave(no_stream());
    }
    if (mirror == NULL || mirror->kind != MIRROR_MANAGED ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
         flags != cudaMemAttachSingle)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(runtime_ready());
}

static cudaError_t create_event(cudaEvent_t *out_event, unsigned flags)
{
    const unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    void *handle = NULL;

    if (out_event == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if ((flags & ~known) != 0) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    cudaError_t error = make_handle(&events, sizeof(struct event), &handle);
    if (error == cudaSuccess) {
        struct event *event = handle;

        event->is_timed = (flags & cudaEventDisableTiming) == 0;
        *out_event = handle;
    }
    return error;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    runtime_enter(RUNTIME_CALL_cudaEventCreate);
    return runtime_leave(create_event(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaEventCreateWithFlags);
    return runtime_leave(create_event(event, flags));
}

static cudaError_t record_event(cudaEvent_t recorded, cudaStream_t handle)
{
    struct message reply, request = {.type = CLIENT_TIME};
    struct event *event = event_of(recorded);
    const struct stream *stream = stream_of(handle);

    if (event == NULL) {
        return no_event();
    }
    if (stream == NULL) {
        return no_stream();
    }
    event->capture = stream->capture;
    event->end = stream->end;
    if (event->capture != NULL) {
        return cudaSuccess;
    }
    if (event->number == 0 && runtime_has_order()) {
        event->number = take_number(&event_numbers);
        if (event->number == 0) {
            runtime_end_order();
        }
    }
    order_event(CLIENT_ORDER_RECORD, handle, event);
    cudaError_t error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        event->is_recorded = true;
        event->time_ns = reply.words[0];
    }
    return error;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaEventRecord);
    return runtime_leave(record_event(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaEventRecordWithFlags);
    return runtime_leave(record_event(event, stream));
}

void runtime_make_branch(cudaStream_t *out_stream, cudaEvent_t *out_event)
{
    const uint64_t is_node = 2;
    cudaStream_t stream = NULL;
    cudaEvent_t event = NULL;

    *out_stream = NULL;
    *out_event = NULL;
    if (create_stream(&stream, cudaStreamNonBlocking, 0) != cudaSuccess) {
        return;
    }
    if (create_event(&event, cudaEventDisableTiming) == cudaSuccess) {
        event_of(event)->number = take_number(&event_numbers);
    }
    if (event == NULL || event_of(event)->number == 0 || stream_of(stream)->number == 0) {
        runtime_end_branch(stream, event);
        return;
    }
    order_stream(CLIENT_ORDER_STREAM, stream, &is_node, 1);
    *out_stream = stream;
    *out_event = event;
}

void runtime_end_branch(cudaStream_t stream, cudaEvent_t event)
{
    end_stream(stream);
    end_event(event);
}

static cudaError_t wait_for_event(cudaEvent_t waited)
{
    const struct event *event = event_of(waited);

    if (event == NULL) {
        return no_event();
    }
    order_event(CLIENT_ORDER_HOST_WAITS_EVENT, NULL, event);
    return runtime_synchronise();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventSynchronize);
    return runtime_leave(wait_for_event(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventQuery);
    return runtime_leave(wait_for_event(event));
}

cudaError_t cudaEventElapsedTime(float *out_ms, cudaEvent_t start, cudaEvent_t end)
{
    const struct event *first = (const struct event *)(void *)start;
    const struct event *last = (const struct event *)(void *)end;

    runtime_enter(RUNTIME_CALL_cudaEventElapsedTime);
    if (out_ms == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    if (!registry_contains(&events, start) || !registry_contains(&events, end)) {
        return runtime_leave(no_event());
    }
    if (!first->is_timed || !last->is_timed) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NOT_TIMED));
    }
    if (!first->is_recorded || !last->is_recorded) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NOT_RECORDED));
    }
    /* What it is told is an estimate: the device notes that it was asked. */
    runtime_ask(CLIENT_TIME, NULL, 0);
    *out_ms = (float)(((double)last->time_ns - (double)first->time_ns) / 1e6);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventDestroy);
    if (!registry_contains(&events, event)) {
        return runtime_leave(no_event());
    }
    end_event(event);
    return runtime_leave(cudaSuccess);
}
