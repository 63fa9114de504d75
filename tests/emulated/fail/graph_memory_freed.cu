/* A graph uses its memory after it has freed it, and the host does so after the launch. */
#include "../kernel_program.h"

__global__ void fill(int *values)
{
    values[threadIdx.x] = threadIdx.x; // error: B05 write
}

static cudaGraphNode_t add_fill(cudaGraph_t graph, const cudaGraphNode_t *wait, int *values)
{
    cudaGraphNode_t node;
    void *arguments[] = {&values};
    cudaKernelNodeParams params = {};
    params.func = (void *)fill;
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, wait, 1, &params));
    return node;
}

int main()
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t made, freed;
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 128;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &params)); // error: B05 allocated
    int *values = (int *)params.dptr;
    const cudaGraphNode_t filled = add_fill(graph, &made, values);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, &filled, 1, values)); // error: B05 freed
    add_fill(graph, &freed, values);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
