#include "reduction.h"

/* One atomic operation a warp in global memory; the maximum as an unsigned number, whose order is
 * that of the int when the sign bit is turned. */
__global__ void sumWarps(const float4 *in, int quads, const float *rest, int count, float *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = t < count ? rest[t] : 0.f;
    for (int q = t; q < quads; q += gridDim.x * blockDim.x) {
        const float4 four = in[q];
        sum += (four.x + four.y) + (four.z + four.w);
    }
    for (int lanes = 1; lanes < 32; lanes *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

__global__ void maxUnsigned(const int *in, unsigned *best, int n)
{
    __shared__ unsigned in_block;
    unsigned own = 0;
    if (threadIdx.x == 0)
        in_block = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned turned = (unsigned)in[i] ^ 0x80000000u;
        own = turned > own ? turned : own;
    }
    atomicMax(&in_block, own);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(best, in_block);
}

__global__ void turnBack(const unsigned *best, int *out)
{
    *out = (int)(*best ^ 0x80000000u);
}

void reduceSum(const float *d_in, float *d_out, int n)
{
    cudaMemsetAsync(d_out, 0, sizeof *d_out);
    sumWarps<<<32, 256>>>((const float4 *)d_in, n / 4, d_in + n / 4 * 4, n % 4, d_out);
}

void reduceMax(const int *d_in, int *d_out, int n)
{
    unsigned *best;
    cudaMalloc(&best, sizeof *best);
    cudaMemset(best, 0, sizeof *best);
    maxUnsigned<<<40, 320>>>(d_in, best, n);
    turnBack<<<1, 1>>>(best, d_out);
    cudaFree(best);
}
