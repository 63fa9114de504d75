#include <cstdio>
#include <vector>
__global__ void axpy(float *y, const float *x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i] + y[i]; }
int main()
{
    const int n = 1024; cudaStream_t stream; cudaStreamCreate(&stream);
    float *x, *y; std::vector<float> h(n, 2.f);
    cudaMallocAsync(&x, n * sizeof(float), stream); cudaMallocAsync((void **)&y, n * sizeof(float), stream);
    cudaMemcpyAsync(x, h.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaMemsetAsync(y, 0, n * sizeof(float), stream);
    cudaGraph_t graph; cudaGraphExec_t instance;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 5; i++) axpy<<<n / 256, 256, 0, stream>>>(y, x, 1.5f, n);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, NULL, NULL, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(instance, stream);
    cudaStreamSynchronize(stream);
    cudaMemcpy(h.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g\n", h[n - 1]);
    cudaFreeAsync(x, stream); cudaFreeAsync(y, stream); cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(instance); cudaGraphDestroy(graph); cudaStreamDestroy(stream);
}

/* exit status 0, findings: none
45
*/
