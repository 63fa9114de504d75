// Graphs: captured from two streams, and made node by node.
#include "../kernel_program.h"

__global__ void add(int *values, int amount, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        values[i] += amount;
    }
}

static void CUDART_CB count_calls(void *data)
{
    ++*(int *)data;
}

int main()
{
    const int count = 1000;
    static int host[count];
    int *values, *others, calls = 0, amount = 5, size = count;
    cudaStream_t stream, fork;
    cudaEvent_t forked, joined;
    cudaGraph_t graph, manual;
    cudaGraphExec_t executable;

    CHECK(cudaMalloc(&values, sizeof(host)));
    CHECK(cudaMalloc(&others, sizeof(host)));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&fork));
    CHECK(cudaEventCreate(&forked));
    CHECK(cudaEventCreate(&joined));
    CHECK(cudaMemset(values, 0, sizeof(host)));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<(count + 127) / 128, 128, 0, stream>>>(values, 1, count);
    CHECK(cudaEventRecord(forked, stream));
    CHECK(cudaStreamWaitEvent(fork, forked, 0));
    CHECK(cudaMemsetAsync(others, 0, sizeof(host), fork));
    add<<<(count + 127) / 128, 128, 0, fork>>>(others, 7, count);
    CHECK(cudaEventRecord(joined, fork));
    CHECK(cudaStreamWaitEvent(stream, joined, 0));
    CHECK(cudaMemcpyAsync(host, values, sizeof(host), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, count_calls, &calls));
    printf("while capturing: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
    cudaGetLastError();
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    printf("nodes %zu, calls %d, first %d\n", nodes, calls, host[0]);
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 10; i++) {
        CHECK(cudaGraphLaunch(executable, stream));
    }
    CHECK(cudaStreamSynchronize(stream));
    printf("calls %d, values %d %d\n", calls, host[0], host[count - 1]);
    CHECK(cudaMemcpy(host, others, sizeof(host), cudaMemcpyDeviceToHost));
    printf("others %d\n", host[count - 1]);
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(graph));

    // fill -> add twice -> fetch; the edges are given in no order.
    void *arguments[] = {&values, &amount, &size};
    cudaMemsetParams fill = {values, 0, 100, sizeof(int), count, 1};
    cudaKernelNodeParams kernel = {};
    cudaGraphNode_t filled, first, second, fetched;
    kernel.func = (void *)add;
    kernel.gridDim = dim3((count + 127) / 128);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphCreate(&manual, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&fetched, manual, nullptr, 0, host, values, sizeof(host),
                                   cudaMemcpyDeviceToHost));
    CHECK(cudaGraphAddKernelNode(&second, manual, nullptr, 0, &kernel));
    CHECK(cudaGraphAddKernelNode(&first, manual, nullptr, 0, &kernel));
    CHECK(cudaGraphAddMemsetNode(&filled, manual, nullptr, 0, &fill));
    cudaGraphNode_t from[] = {filled, first, second}, to[] = {first, second, fetched};
    CHECK(cudaGraphAddDependencies(manual, from, to, nullptr, 3));
    CHECK(cudaGraphInstantiate(&executable, manual, 0));
    CHECK(cudaGraphLaunch(executable, 0));
    CHECK(cudaDeviceSynchronize());
    printf("made by hand: %d\n", host[count - 1]);
    amount = 50;
    CHECK(cudaGraphExecKernelNodeSetParams(executable, second, &kernel));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("with other arguments: %d\n", host[0]);
    CHECK(cudaGraphAddDependencies(manual, &fetched, &filled, nullptr, 1));
    cudaGraphExec_t circle;
    printf("in a circle: %s\n", cudaGetErrorName(cudaGraphInstantiate(&circle, manual, 0)));
    cudaGetLastError();
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(manual));
    return 0;
}
