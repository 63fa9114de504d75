/* calls_capture.c: streams whose work becomes a graph. */
#include "cudart/runtime_graph.h"

static cudaError_t check_stream(cudaStream_t stream)
{
    if (!runtime_stream_exists(stream)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM);
    }
    if (stream == NULL || stream == cudaStreamLegacy || runtime_capture_of(stream) != NULL) {
        return runtime_refuse(cudaErrorStreamCaptureUnsupported, REFUSAL_CAPTURE);
    }
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    struct CUgraph_st *graph = NULL;

    (void)mode;
    runtime_enter(RUNTIME_CALL_cudaStreamBeginCapture);
    cudaError_t error = check_stream(stream);
    if (error == cudaSuccess) {
        error = graph_create(&graph);
    }
    if (error == cudaSuccess) {
        runtime_set_capture(stream, graph);
    }
    return runtime_leave(error);
}

/* Captures into a graph, after some of its nodes. */
static cudaError_t capture_to(cudaStream_t stream, struct CUgraph_st *graph,
                              const cudaGraphNode_t *waits, size_t count)
{
    cudaError_t error = cudaSuccess;

    runtime_set_capture(stream, graph);
    for (size_t i = 0; i < count && error == cudaSuccess; i++) {
        const struct capture_end end = {{waits[i]}, 1};
        error = graph_contains(graph, waits[i])
                    ? graph_join(graph, runtime_capture_end(stream), &end)
                    : runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH);
    }
    if (error != cudaSuccess) {
        runtime_end_capture(graph);
    }
    return error;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *waits,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    (void)edges;
    (void)mode;
    runtime_enter(RUNTIME_CALL_cudaStreamBeginCaptureToGraph);
    if (!graph_exists(graph) || (waits == NULL && count > 0)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_GRAPH));
    }
    cudaError_t error = check_stream(stream);
    return runtime_leave(error == cudaSuccess ? capture_to(stream, graph, waits, count) : error);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    runtime_enter(RUNTIME_CALL_cudaStreamEndCapture);
    if (!runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_NO_STREAM));
    }
    struct CUgraph_st *captured = runtime_capture_of(stream);
    if (graph == NULL || captured == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorIllegalState, REFUSAL_NO_CAPTURE));
    }
    runtime_end_capture(captured);
    *graph = captured;
    return runtime_leave(runtime_ready());
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    runtime_enter(RUNTIME_CALL_cudaStreamIsCapturing);
    if (status == NULL || !runtime_stream_exists(stream)) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NO_STREAM));
    }
    *status = runtime_capture_of(stream) != NULL ? cudaStreamCaptureStatusActive
                                                 : cudaStreamCaptureStatusNone;
    return runtime_leave(cudaSuccess);
}

/* Captures of one thread do not forbid another one's calls here, in whatever mode. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static __thread enum cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;

    runtime_enter(RUNTIME_CALL_cudaThreadExchangeStreamCaptureMode);
    if (mode == NULL) {
        return runtime_leave(runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER));
    }
    enum cudaStreamCaptureMode before = current;
    current = *mode;
    *mode = before;
    return runtime_leave(cudaSuccess);
}
