/* A loop of a graph that never ends: with a kernel in it, as the case is run, and without one, as the
 * program prints. */
#define ATTACK_AT_LAUNCH launch_loop
#define ATTACK_AT_PRINT wait_loop
#include "honest_ends.cuh"

__global__ void again(cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, 1);
}

static void loop(bool has_kernel)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    if (has_kernel) {
        void *arguments[] = {&handle};
        cudaKernelNodeParams kernel = {};
        kernel.func = (void *)again;
        kernel.gridDim = dim3(1);
        kernel.blockDim = dim3(1);
        kernel.kernelParams = arguments;
        cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], nullptr, 0, &kernel);
    }
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
}

static void launch_loop(void)
{
    loop(true);
}

static void wait_loop(void)
{
    loop(false);
}
