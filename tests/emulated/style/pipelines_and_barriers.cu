#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
namespace cg = cooperative_groups;
template <int STAGES> __global__ void staged(const int *in, int *out, int tiles)
{
    __shared__ int buffer[STAGES][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int compute = 0, fetch = 0; compute < tiles; compute++) {
        for (; fetch < tiles && fetch < compute + STAGES; fetch++) { pipe.producer_acquire(); cuda::memcpy_async(block, buffer[fetch % STAGES], in + fetch * 64, cuda::aligned_size_t<16>(64 * sizeof(int)), pipe); pipe.producer_commit(); }
        pipe.consumer_wait(); block.sync(); sum += buffer[compute % STAGES][63 - threadIdx.x]; block.sync(); pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
__global__ void per_thread(const float *in, float *out)
{
    __shared__ float s[64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire(); cuda::memcpy_async(&s[threadIdx.x], &in[threadIdx.x], sizeof(float), pipe); pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe); __syncthreads(); out[threadIdx.x] = s[63 - threadIdx.x]; pipe.consumer_release();
}
__global__ void arrive(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ int s[64];
    auto block = cg::this_thread_block(); if (block.thread_rank() == 0) init(&bar, block.size()); block.sync();
    cuda::memcpy_async(block, s, in, sizeof(int) * block.size(), bar); bar.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x]; auto token = bar.arrive(); bar.wait(std::move(token));
}
int main() { int *in, *out; float *fi, *fo; cudaMallocManaged(&in, 512 * 4); cudaMallocManaged(&out, 256); cudaMallocManaged(&fi, 256); cudaMallocManaged(&fo, 256); for (int i = 0; i < 512; i++) in[i] = i; for (int i = 0; i < 64; i++) fi[i] = i * .5f;
    staged<2><<<1, 64>>>(in, out, 8); cudaDeviceSynchronize(); printf("%d %d ", out[0], out[63]); per_thread<<<1, 64>>>(fi, fo); arrive<<<1, 64>>>(in, out); printf("%s ", cudaGetErrorString(cudaDeviceSynchronize())); printf("%g %d\n", fo[0], out[1]); }

/* exit status 0, findings: none
2296 1792 no error 31.5 62
*/
