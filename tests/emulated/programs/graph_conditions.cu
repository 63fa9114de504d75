// Conditional nodes: if, else, while and switch, one inside of another, captured and made by hand.
#include "../kernel_program.h"

__global__ void set(cudaGraphConditionalHandle handle, unsigned value)
{
    cudaGraphSetConditional(handle, value);
}

__global__ void count_down(cudaGraphConditionalHandle handle, int *left)
{
    if (threadIdx.x == 0) {
        left[0]--;
        cudaGraphSetConditional(handle, left[0] > 0);
    }
}

__global__ void note(int *log, int what)
{
    log[1 + log[0]++] = what;
}

__global__ void is_even(cudaGraphConditionalHandle handle, const int *left)
{
    cudaGraphSetConditional(handle, left[0] % 2 == 0);
}

template <class... Arguments>
static cudaGraphNode_t add(cudaGraph_t graph, const cudaGraphNode_t *waits, size_t count,
                           void (*kernel)(Arguments...), Arguments... arguments)
{
    cudaGraphNode_t node;
    void *pointers[] = {&arguments...};
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = (void *)kernel;
    params.kernel.gridDim = dim3(1);
    params.kernel.blockDim = dim3(1);
    params.kernel.kernelParams = pointers;
    CHECK(cudaGraphAddNode(&node, graph, waits, nullptr, count, &params));
    return node;
}

static cudaGraphNode_t decide(cudaGraph_t graph, const cudaGraphNode_t *waits, size_t count,
                              cudaGraphConditionalNodeType type, cudaGraphConditionalHandle handle,
                              unsigned size, cudaGraph_t *bodies)
{
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, waits, nullptr, count, &params));
    for (unsigned i = 0; i < size; i++) {
        bodies[i] = params.conditional.phGraph_out[i];
    }
    return node;
}

static void show(const char *what, const int *log)
{
    int host[32];

    CHECK(cudaMemcpy(host, log, sizeof(host), cudaMemcpyDeviceToHost));
    printf("%s:", what);
    for (int i = 0; i < host[0]; i++) {
        printf(" %d", host[1 + i]);
    }
    printf("\n");
}

static void CUDART_CB on_host(void *)
{
}

// while (left > 0) { left--; if (left is even) note(0) else note(1) }, then one of three.
static void nested(cudaStream_t stream, int *log, int *left)
{
    cudaGraph_t graph, loop, halves[2], cases[3], captured;
    cudaGraphExec_t executable;
    cudaGraphConditionalHandle again, even, which;

    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));
    CHECK(cudaGraphConditionalHandleCreate(&even, graph));
    CHECK(cudaGraphConditionalHandleCreate(&which, graph, 0, 0));
    cudaGraphNode_t looped =
        decide(graph, nullptr, 0, cudaGraphCondTypeWhile, again, 1, &loop);
    CHECK(cudaStreamBeginCaptureToGraph(stream, loop, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
    count_down<<<1, 32, 0, stream>>>(again, left);
    CHECK(cudaStreamEndCapture(stream, &captured));
    cudaGraphNode_t counted;
    size_t nodes = 1;
    CHECK(cudaGraphGetNodes(loop, &counted, &nodes));
    cudaGraphNode_t asked = add(loop, &counted, 1, is_even, even, (const int *)left);
    decide(loop, &asked, 1, cudaGraphCondTypeIf, even, 2, halves);
    add(halves[0], nullptr, 0, note, log, 0);
    add(halves[1], nullptr, 0, note, log, 1);
    cudaGraphNode_t chosen = add(graph, &looped, 1, set, which, 2u);
    decide(graph, &chosen, 1, cudaGraphCondTypeSwitch, which, 3, cases);
    for (int i = 0; i < 3; i++) {
        add(cases[i], nullptr, 0, note, log, 10 + i);
    }
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    for (int start = 3; start >= 1; start -= 2) {
        CHECK(cudaMemsetAsync(log, 0, 4, stream));
        CHECK(cudaMemcpyAsync(left, &start, 4, cudaMemcpyHostToDevice, stream));
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        show("nested", log);
    }
    CHECK(cudaGraphExecDestroy(executable));
}

// The value of each launch is the one of the handle, whatever the last launch left.
static void defaults(cudaStream_t stream, int *log)
{
    cudaGraph_t graph, body;
    cudaGraphExec_t executable;
    cudaGraphConditionalHandle once;

    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&once, graph, 70000, cudaGraphCondAssignDefault));
    cudaGraphNode_t tried = decide(graph, nullptr, 0, cudaGraphCondTypeIf, once, 1, &body);
    add(body, nullptr, 0, note, log, 5);
    add(graph, &tried, 1, set, once, 0u);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaMemsetAsync(log, 0, 4, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    show("defaults", log);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));
}

static void mistakes()
{
    cudaGraph_t graph, body, parent, clone;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle, other;
    cudaHostNodeParams host = {on_host, nullptr};
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};

    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphCreate(&parent, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    CHECK(cudaGraphConditionalHandleCreate(&other, graph));
    params.conditional.handle = other;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 2;
    printf("two loops: %s\n",
           cudaGetErrorName(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params)));
    decide(graph, nullptr, 0, cudaGraphCondTypeIf, handle, 1, &body);
    params.conditional.handle = handle;
    params.conditional.size = 1;
    printf("a handle twice: %s\n",
           cudaGetErrorName(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params)));
    printf("the host in a body: %s\n",
           cudaGetErrorName(cudaGraphAddHostNode(&node, body, nullptr, 0, &host)));
    cudaGraphExec_t executable;
    printf("the whole: %s\n", cudaGetErrorName(cudaGraphInstantiate(&executable, graph, 0)));
    printf("a child: %s\n",
           cudaGetErrorName(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph)));
    printf("a clone: %s\n", cudaGetErrorName(cudaGraphClone(&clone, graph)));
    printf("destroying a body: %s\n", cudaGetErrorName(cudaGraphDestroy(body)));
    cudaGetLastError();
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(parent));
}

int main()
{
    int *log, *left;
    cudaStream_t stream;

    CHECK(cudaMalloc(&log, 32 * sizeof(int)));
    CHECK(cudaMalloc(&left, sizeof(int)));
    CHECK(cudaMemset(log, 0, 32 * sizeof(int)));
    CHECK(cudaStreamCreate(&stream));
    nested(stream, log, left);
    defaults(stream, log);
    mistakes();
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(log));
    CHECK(cudaFree(left));
    return 0;
}
