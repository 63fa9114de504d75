/* A graph with nodes for a producer, two branches and an end. NO_WAIT: the branches do not wait for the
 * producer; HALF: only one does; OVERLAP: both branches write one array; END: the end does not wait for
 * the second branch; TWICE launches the graph in two streams, TWICE_EVENT one after the other; AFTER
 * lets a stream use the result without waiting; CHILD puts the branches into a child graph. */
#include "stages.h"

static cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t *waits, size_t count,
                           void (*kernel)(const int *, int *), const int *in, int *out)
{
    cudaGraphNode_t node;
    void *arguments[] = {&in, &out};
    cudaKernelNodeParams params = {};
    params.func = (void *)kernel;
    params.gridDim = dim3(BLOCKS);
    params.blockDim = dim3(THREADS);
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, waits, count, &params));
    return node;
}

__global__ void sum(const int *in, int *out)
{
    out[INDEX()] = in[INDEX()] + in[COUNT + INDEX()];
}

int main()
{
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    const cudaStream_t other = new_stream(cudaStreamNonBlocking);
    int *in = new_input<int>(COUNT);
    int *middle = new_output<int>(COUNT);
    int *parts = new_output<int>(2 * COUNT);
    int *out = new_output<int>(COUNT);
    cudaGraph_t graph, branches;
    cudaGraphExec_t executable;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&branches, 0));
    const cudaGraphNode_t root = add(graph, nullptr, 0, twice, in, middle);
#ifdef OVERLAP
    int *second = parts;
#else
    int *second = parts + COUNT;
#endif
#if defined(NO_WAIT)
    const int waits[2] = {0, 0};
#elif defined(HALF)
    const int waits[2] = {1, 0};
#else
    const int waits[2] = {1, 1};
#endif
    cudaGraphNode_t ends[2];
#ifdef CHILD
    add(branches, nullptr, 0, twice, middle, parts);
    add(branches, nullptr, 0, twice, middle, second);
    CHECK(cudaGraphAddChildGraphNode(&ends[0], graph, &root, 1, branches));
    add(graph, ends, 1, sum, parts, out);
    (void)waits;
#else
    ends[0] = add(graph, &root, waits[0], twice, middle, parts);
    ends[1] = add(graph, &root, waits[1], twice, middle, second);
#ifdef END
    add(graph, ends, 1, sum, parts, out);
#else
    add(graph, ends, 2, sum, parts, out);
#endif
#endif
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, stream));
#ifdef TWICE_EVENT
    order(stream, other, new_event());
#endif
#if defined(TWICE) || defined(TWICE_EVENT)
    CHECK(cudaGraphLaunch(executable, other));
#endif
#ifdef AFTER
    add_one<<<BLOCKS, THREADS, 0, other>>>(out);
#endif
    CHECK(cudaDeviceSynchronize());
    print_result("graph", out, COUNT);
    return 0;
}
