#include <stdio.h>
#define FULL_MASK 0xffffffff
__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);
    return val;
}
__inline__ __device__ int blockReduceSum(int val)
{
    static __shared__ int shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0) shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0) val = warpReduceSum(val);
    return val;
}
__global__ void votes(int *out)
{
    int t = threadIdx.x, lane = t & 31;
    int c = __syncthreads_count(t % 3 == 0), a = __syncthreads_and(t < 64), o = __syncthreads_or(t == 40);
    unsigned b = __ballot_sync(FULL_MASK, lane & 1);
    int any = __any_sync(FULL_MASK, t == 33), alls = __all_sync(FULL_MASK, lane >= 0);
    unsigned m = __match_any_sync(FULL_MASK, lane / 8);
    int pred; unsigned ma = __match_all_sync(FULL_MASK, t / 32, &pred);
    float x = __shfl_xor_sync(FULL_MASK, (float)lane, 5);
    double d = __shfl_sync(FULL_MASK, lane * 0.5, 7);
    long long l = __shfl_up_sync(FULL_MASK, (long long)lane << 33, 1, 16);
#if __CUDA_ARCH__ >= 800
    unsigned sum = __reduce_add_sync(FULL_MASK, (unsigned)lane); int mn = __reduce_min_sync(FULL_MASK, lane - 10); unsigned orr = __reduce_or_sync(FULL_MASK, 1u << (lane & 7));
#else
    unsigned sum = warpReduceSum(lane), orr = 255; int mn = -10; sum = __shfl_sync(FULL_MASK, sum, 0);
#endif
    int s = blockReduceSum(t);
    unsigned active = __activemask();
    if (t == 3) {
        int k = 0;
        out[k++] = c; out[k++] = a; out[k++] = o; out[k++] = b; out[k++] = any; out[k++] = alls; out[k++] = m; out[k++] = ma; out[k++] = pred;
        out[k++] = (int)x; out[k++] = (int)(d * 10); out[k++] = (int)(l >> 33); out[k++] = sum; out[k++] = mn; out[k++] = orr; out[k++] = active == FULL_MASK;
    }
    if (t == 0) out[16] = s;
}
int main()
{
    int *d, h[17];
    cudaMalloc(&d, sizeof h);
    votes<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 17; i++) printf("%d%s", h[i], i < 16 ? " " : "\n");
    return 0;
}

/* exit status 0, findings: none
22 1 1 -1431655766 0 1 255 -1 1 6 35 2 496 -10 255 1 2016
*/
