/* driver_stream.c: the stand-in for the driver: streams, events, graphs. Their handles are those of
 * the runtime. */
#include "libraries/driver_state.h"

/* A new handle belongs to the context. */
static cudaError_t own(cudaError_t error, void *handle, enum owned_kind kind)
{
    return driver_own(error, &handle, kind);
}

static cudaError_t make_stream(CUstream *stream, unsigned flags, int priority)
{
    cudaError_t error = cudaStreamCreateWithPriority(stream, flags, priority);

    return error == cudaSuccess ? own(error, *stream, OWNED_STREAM) : error;
}

static cudaError_t make_event(CUevent *event, unsigned flags)
{
    cudaError_t error = cudaEventCreateWithFlags(event, flags);

    return error == cudaSuccess ? own(error, *event, OWNED_EVENT) : error;
}

/* What is destroyed has no owner, if that went well. */
static cudaError_t destroyed(cudaError_t error, const void *handle)
{
    if (error == cudaSuccess) {
        driver_disown(handle);
    }
    return error;
}

/* A whole call about a stream or an event of the current context. */
#define DRIVER_OF(handle, name, version, parameters, expression)                                   \
    CUresult name##version parameters                                                              \
    {                                                                                              \
        CUresult begun = driver_enter(RUNTIME_CALL_##name, NEEDS_CONTEXT);                         \
        if (begun != CUDA_SUCCESS) {                                                               \
            return begun;                                                                          \
        }                                                                                          \
        cudaError_t checked = driver_check_owner(handle);                                          \
        return driver_leave(checked == cudaSuccess ? (expression) : checked);                      \
    }

DRIVER(cuStreamCreate, , (CUstream * stream, unsigned flags), make_stream(stream, flags, 0))
DRIVER(cuStreamCreateWithPriority, , (CUstream * stream, unsigned flags, int priority),
       make_stream(stream, flags, priority))
DRIVER_OF(stream, cuStreamDestroy, _v2, (CUstream stream),
          destroyed(cudaStreamDestroy(stream), stream))
DRIVER_OF(stream, cuStreamSynchronize, , (CUstream stream), cudaStreamSynchronize(stream))
DRIVER_OF(stream, cuStreamQuery, , (CUstream stream), cudaStreamQuery(stream))
DRIVER_OF(stream, cuStreamWaitEvent, , (CUstream stream, CUevent event, unsigned flags),
          cudaStreamWaitEvent(stream, event, flags))
DRIVER_OF(stream, cuStreamGetFlags, , (CUstream stream, unsigned *flags),
          cudaStreamGetFlags(stream, flags))
DRIVER_OF(stream, cuStreamGetPriority, , (CUstream stream, int *priority),
          cudaStreamGetPriority(stream, priority))
DRIVER_OF(stream, cuStreamAddCallback, ,
          (CUstream stream, CUstreamCallback callback, void *data, unsigned flags),
          cudaStreamAddCallback(stream, (cudaStreamCallback_t)(void (*)(void))callback, data,
                                flags))
DRIVER_OF(stream, cuStreamAttachMemAsync, ,
          (CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags),
          cudaStreamAttachMemAsync(stream, driver_pointer(address), bytes, flags))
DRIVER_OF(stream, cuStreamBeginCapture, _v2, (CUstream stream, CUstreamCaptureMode mode),
          cudaStreamBeginCapture(stream, (enum cudaStreamCaptureMode)mode))
DRIVER_OF(stream, cuStreamEndCapture, , (CUstream stream, CUgraph *graph),
          cudaStreamEndCapture(stream, graph))
DRIVER_OF(stream, cuStreamIsCapturing, , (CUstream stream, CUstreamCaptureStatus *status),
          cudaStreamIsCapturing(stream, (enum cudaStreamCaptureStatus *)status))
DRIVER_OF(stream, cuLaunchHostFunc, , (CUstream stream, CUhostFn function, void *data),
          cudaLaunchHostFunc(stream, function, data))

DRIVER(cuEventCreate, , (CUevent * event, unsigned flags), make_event(event, flags))
DRIVER_OF(event, cuEventRecord, , (CUevent event, CUstream stream), cudaEventRecord(event, stream))
DRIVER_OF(event, cuEventRecordWithFlags, , (CUevent event, CUstream stream, unsigned flags),
          cudaEventRecordWithFlags(event, stream, flags))
DRIVER_OF(event, cuEventSynchronize, , (CUevent event), cudaEventSynchronize(event))
DRIVER_OF(event, cuEventQuery, , (CUevent event), cudaEventQuery(event))
DRIVER_OF(event, cuEventDestroy, _v2, (CUevent event), destroyed(cudaEventDestroy(event), event))
DRIVER(cuEventElapsedTime, _v2, (float *milliseconds, CUevent start, CUevent end),
       cudaEventElapsedTime(milliseconds, start, end))

DRIVER(cuGraphInstantiateWithFlags, ,
       (CUgraphExec * executable, CUgraph graph, unsigned long long flags),
       cudaGraphInstantiateWithFlags(executable, graph, flags))
DRIVER_OF(stream, cuGraphLaunch, , (CUgraphExec executable, CUstream stream),
          cudaGraphLaunch(executable, stream))
DRIVER_OF(stream, cuGraphUpload, , (CUgraphExec executable, CUstream stream),
          cudaGraphUpload(executable, stream))
DRIVER(cuGraphExecDestroy, , (CUgraphExec executable), cudaGraphExecDestroy(executable))
DRIVER(cuGraphDestroy, , (CUgraph graph), cudaGraphDestroy(graph))
