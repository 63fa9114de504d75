/* A loop in a graph whose kernel says when it ends, with a branch beside it. NO_WAIT: the node that
 * decides does not wait for the kernel that sets its value; BODY: the loop and the branch write one
 * array; AFTER: a stream uses the result without waiting. */
#include "stages.h"

__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    cudaGraphSetConditional(handle, --left[0] > 0);
}

__global__ void begin(cudaGraphConditionalHandle handle, int *left)
{
    left[0] = 3;
    cudaGraphSetConditional(handle, 1);
}

template <class... Arguments>
static cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t *wait, int threads,
                           void (*kernel)(Arguments...), Arguments... arguments)
{
    cudaGraphNode_t node;
    void *pointers[] = {&arguments...};
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = dim3(threads > 1 ? BLOCKS : 1);
    params.blockDim = dim3(threads);
    params.kernelParams = pointers;
    CHECK(cudaGraphAddKernelNode(&node, graph, wait, wait != nullptr, &params));
    return node;
}

int main()
{
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    const cudaStream_t other = new_stream(cudaStreamNonBlocking);
    int *left = new_output<int>(1);
    int *sums = new_input<int>(COUNT);
    int *beside = new_input<int>(COUNT);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t loop;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    const cudaGraphNode_t begun = add(graph, nullptr, 1, begin, handle, left);
#ifdef NO_WAIT
    const cudaGraphNode_t *wait = nullptr;
#else
    const cudaGraphNode_t *wait = &begun;
#endif
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    CHECK(cudaGraphAddNode(&loop, graph, wait, nullptr, wait != nullptr, &params));
    const cudaGraph_t body = params.conditional.phGraph_out[0];
    add(body, nullptr, THREADS, add_one, sums);
    add(body, nullptr, 1, count_down, handle, left);
#ifdef BODY
    add(graph, &begun, THREADS, add_one, sums);
#else
    add(graph, &begun, THREADS, add_one, beside);
#endif
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
#ifdef AFTER
    add_one<<<BLOCKS, THREADS, 0, other>>>(sums);
#endif
    CHECK(cudaDeviceSynchronize());
    print_result("condition", sums, COUNT);
    return 0;
}
