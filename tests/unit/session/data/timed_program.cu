/* timed_program.cu KERNEL [WAY]: the program of test_timed_launch.c. It launches KERNEL for each n of
 * the input; from 1000 on as WAY says. With WAY "whole" it reads nothing and launches for 4000 alone,
 * with "warm" after a smaller launch. From "call" on it marks a call, which copies an edge to the
 * device, or does too much. */
#include <cuda_profiler_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
void gpugrade_mark_call(const char *name);
void gpugrade_mark_operand(const char *name, const void *address);
void gpugrade_mark_end(void);
}
typedef unsigned long long u64;
typedef void (*kernel)(const float *, float *, u64);
__device__ unsigned char counters[64] = {1};
__device__ int never_set = 5;
__constant__ int edge;
__device__ float array_in[4096];
#define KERNEL(name) extern "C" __global__ void name(const float *in, float *out, u64 n) \
{ u64 i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i < n && edge) { out[i] = in[i] * in[i] + 0.0f * counters[i % 64] * never_set; } }
KERNEL(square_2000)
KERNEL(square_3000)
KERNEL(square_2500)
KERNEL(faulty_2500)
KERNEL(fault_700)
KERNEL(endless_1)
KERNEL(refused_1)
KERNEL(stray_2500)
KERNEL(scribble_2500)
KERNEL(spoil_2500)
KERNEL(jam_2500)
extern "C" __global__ void symbols(float *out, u64 n)
{ u64 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { out[i] = array_in[i]; } }
static const struct { const char *name; kernel call; } kernels[] = {
    {"square_2000", square_2000}, {"square_3000", square_3000},
    {"square_2500", square_2500}, {"faulty_2500", faulty_2500},
    {"fault_700", fault_700}, {"endless_1", endless_1}, {"refused_1", refused_1},
    {"stray_2500", stray_2500}, {"scribble_2500", scribble_2500},
    {"spoil_2500", spoil_2500}, {"jam_2500", jam_2500}};
int main(int argc, char **argv)
{
    const char *way = argc > 2 ? argv[2] : "";
    unsigned char bytes[64];
    int host_edge = 32;
    u64 n = 0;
    for (int i = 0; i < 64; i++) { bytes[i] = (unsigned char)(100 + i); }
    cudaMemcpyToSymbol(counters, bytes, sizeof bytes);
    cudaMemcpyToSymbol(edge, &host_edge, sizeof host_edge);
    bool is_warm = strcmp(way, "warm") == 0;
    bool is_whole = is_warm || strcmp(way, "whole") == 0;
    while (is_whole ? n == 0 && (n = 4000) : scanf("%llu", &n) == 1) {
        float *in = NULL, *out = NULL;
        unsigned threads = 32;
        if (n >= 1000 && strcmp(way, "crash") == 0) { abort(); }
        if (n >= 1000 && strcmp(way, "edge") == 0) { threads = 64; }
        cudaMalloc((void **)&in, n * 4);
        cudaMalloc((void **)&out, n * 4);
        cudaMemset(in, 0, n * 4);
        if (n >= 1000 && strcmp(way, "short") == 0) { out = in + 8; }
        cudaProfilerStart();
        const char *const calls[] = {"call", "copies", "reads", "writes"};
        bool is_call = false;
        int *copy = NULL;
        for (int i = 0; i < 4; i++) { is_call = is_call || strcmp(way, calls[i]) == 0; }
        if (is_call) {
            gpugrade_mark_call("square");
            gpugrade_mark_operand("in", in);
            gpugrade_mark_operand("out", out);
            cudaMalloc((void **)&copy, sizeof *copy);
            cudaMemcpy(copy, &host_edge, sizeof host_edge, cudaMemcpyHostToDevice);
            for (int i = 0; i < 64 && strcmp(way, "copies") == 0; i++) {
                cudaMemcpy(out, in, n * 4, cudaMemcpyDeviceToDevice);
            }
        }
        for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
            bool is_it = strcmp(argv[1], kernels[i].name) == 0;
            if (is_it && strcmp(way, "together") == 0) {
                void *values[] = {&in, &out, &n};
                cudaLaunchCooperativeKernel((const void *)kernels[i].call,
                                            dim3((unsigned)n / 32), dim3(32), values);
            } else if (is_it && is_warm) {
                kernels[i].call<<<1, 16>>>(in, out, n);
                kernels[i].call<<<(unsigned)n / 32, 32>>>(in, out, n);
            } else if (is_it && !(n >= 1000 && strcmp(way, "never") == 0)) {
                kernels[i].call<<<(unsigned)(n + threads - 1) / threads, threads>>>(in, out, n);
            }
        }
        if (strcmp(argv[1], "symbols") == 0) { symbols<<<(unsigned)n / 32, 32>>>(out, n); }
        if (is_call) {
            float *host = (float *)calloc(n, 4);
            if (strcmp(way, "reads") == 0) { cudaMemcpy(host, out, n * 4, cudaMemcpyDefault); }
            if (strcmp(way, "writes") == 0) { cudaMemcpy(out, host, n * 4, cudaMemcpyDefault); }
            gpugrade_mark_end();
            cudaFree(copy);
            free(host);
        }
        cudaProfilerStop();
        if (cudaDeviceSynchronize() != cudaSuccess) { return 1; }
    }
    return 0;
}
