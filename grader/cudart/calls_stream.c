/* calls_stream.c: streams and events. The device executes everything in the order of the calls, so
 * a stream is a name, and an event is the device's time when it was recorded.
 */
#include "cudart/runtime.h"

#include <stdlib.h>

struct event {
    bool is_timed;
    bool is_recorded;
    uint64_t time_ns;
};

static struct runtime_registry streams;
static struct runtime_registry events;

bool runtime_stream_exists(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           registry_contains(&streams, stream);
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
    cudaError_t error = runtime_connect();

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

static cudaError_t create_stream(cudaStream_t *out_stream)
{
    void *handle = NULL;

    if (out_stream == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = make_handle(&streams, 1, &handle);
    if (error == cudaSuccess) {
        *out_stream = handle;
    }
    return error;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamCreate);
    return runtime_leave(create_stream(stream));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    runtime_enter(RUNTIME_CALL_cudaStreamCreateWithFlags);
    if (flags > cudaStreamNonBlocking) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(create_stream(stream));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    runtime_enter(RUNTIME_CALL_cudaStreamCreateWithPriority);
    if (flags > cudaStreamNonBlocking) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE));
    }
    return runtime_leave(create_stream(stream));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamDestroy);
    if (!registry_remove(&streams, stream)) {
        return runtime_leave(no_stream());
    }
    free(stream);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamSynchronize);
    return runtime_leave(runtime_stream_exists(stream) ? runtime_synchronise() : no_stream());
}

/* Everything that was asked for is done. */
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    runtime_enter(RUNTIME_CALL_cudaStreamQuery);
    return runtime_leave(runtime_stream_exists(stream) ? runtime_synchronise() : no_stream());
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    runtime_enter(RUNTIME_CALL_cudaStreamWaitEvent);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(no_stream());
    }
    return runtime_leave(registry_contains(&events, event) ? cudaSuccess : no_event());
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

static cudaError_t record_event(cudaEvent_t event, cudaStream_t stream)
{
    struct message reply, request = {.type = CLIENT_TIME};

    if (!registry_contains(&events, event)) {
        return no_event();
    }
    if (!runtime_stream_exists(stream)) {
        return no_stream();
    }
    cudaError_t error = runtime_request(&request, &reply);
    if (error == cudaSuccess) {
        struct event *record = (struct event *)(void *)event;

        record->is_recorded = true;
        record->time_ns = reply.words[0];
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

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventSynchronize);
    return runtime_leave(registry_contains(&events, event) ? runtime_synchronise() : no_event());
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventQuery);
    return runtime_leave(registry_contains(&events, event) ? runtime_synchronise() : no_event());
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
    *out_ms = (float)(((double)last->time_ns - (double)first->time_ns) / 1e6);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    runtime_enter(RUNTIME_CALL_cudaEventDestroy);
    if (!registry_remove(&events, event)) {
        return runtime_leave(no_event());
    }
    free(event);
    return runtime_leave(cudaSuccess);
}
