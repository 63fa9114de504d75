// Allocations in graphs: as nodes, captured, freed by the graph, by a stream and by the next launch.
#include "../kernel_program.h"

__global__ void fill(int *values, int from)
{
    values[threadIdx.x] = from + threadIdx.x;
}

static int fetch(const int *values)
{
    int last;

    CHECK(cudaMemcpy(&last, values + 31, sizeof(last), cudaMemcpyDeviceToHost));
    return last;
}

static cudaMemAllocNodeParams allocation(size_t bytes)
{
    cudaMemAllocNodeParams params = {};

    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = bytes;
    return params;
}

static cudaGraphNode_t add_fill(cudaGraph_t graph, cudaGraphNode_t wait, int *values, int from)
{
    cudaGraphNode_t node;
    void *arguments[] = {&values, &from};
    cudaKernelNodeParams params = {};

    params.func = (void *)fill;
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, &wait, 1, &params));
    return node;
}

// Memory that lives within a launch, and its copy.
static void by_hand(cudaStream_t stream, int *out)
{
    cudaGraph_t graph, clone;
    cudaGraphExec_t executable;
    cudaGraphNode_t made, copied, freed;
    cudaMemAllocNodeParams params = allocation(128), seen;
    cudaGraphNodeType type;
    void *pointer;
    unsigned long long used = 1, high = 0;

    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
    cudaGraphNode_t filled = add_fill(graph, made, (int *)params.dptr, 100);
    CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, out, params.dptr, 128,
                                   cudaMemcpyDeviceToDevice));
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, params.dptr));
    CHECK(cudaGraphMemAllocNodeGetParams(made, &seen));
    CHECK(cudaGraphMemFreeNodeGetParams(freed, &pointer));
    CHECK(cudaGraphNodeGetType(freed, &type));
    printf("%zu bytes, %d, %d, type %d\n", seen.bytesize, seen.dptr == params.dptr,
           pointer == params.dptr, type);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemset(out, 0, 128));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
    printf("by hand: %d, used %llu, high %d\n", fetch(out), used, high > 0);
    printf("a clone: %s\n", cudaGetErrorName(cudaGraphClone(&clone, graph)));
    printf("freed twice: %s\n",
           cudaGetErrorName(cudaGraphAddMemFreeNode(&copied, graph, &freed, 1, params.dptr)));
    printf("not of a graph: %s\n",
           cudaGetErrorName(cudaGraphAddMemFreeNode(&copied, graph, &freed, 1, out)));
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

// Memory that outlives a launch.
static void kept(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable, freeing;
    cudaGraphNode_t made;
    cudaMemAllocNodeParams params = allocation(128);

    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
    add_fill(graph, made, (int *)params.dptr, 200);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("kept: %d\n", fetch((int *)params.dptr));
    printf("launched again: %s\n", cudaGetErrorName(cudaGraphLaunch(executable, stream)));
    cudaGetLastError();
    CHECK(cudaFreeAsync(params.dptr, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(params.dptr));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++) {
        CHECK(cudaGraphLaunch(freeing, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    printf("freed by launches: %d\n", fetch((int *)params.dptr));
    CHECK(cudaFree(params.dptr));
    CHECK(cudaGraphExecDestroy(freeing));
    CHECK(cudaGraphDestroy(graph));
}

static void captured(cudaStream_t stream, int *out)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    int *values;
    size_t nodes = 0;

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMallocAsync(&values, 128, stream));
    fill<<<1, 32, 0, stream>>>(values, 300);
    CHECK(cudaMemcpyAsync(out, values, 128, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaFreeAsync(values, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 100; i++) {
        CHECK(cudaGraphLaunch(executable, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    printf("captured: %zu nodes, %d\n", nodes, fetch(out));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

int main()
{
    int *out;
    cudaStream_t stream;

    CHECK(cudaMalloc(&out, 128));
    CHECK(cudaStreamCreate(&stream));
    by_hand(stream, out);
    kept(stream);
    captured(stream, out);
    CHECK(cudaDeviceGraphMemTrim(0));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(out));
    return 0;
}
