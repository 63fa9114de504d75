#include <cstdio>
#define FULL_MASK 0xffffffff
#define warpReduceMax(v) for (int o = warpSize / 2; o > 0; o >>= 1) v = max(v, __shfl_down_sync(FULL_MASK, v, o))
template <typename T> __inline__ __device__ T warpReduceSum(T val)
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
__global__ void kernel(double *out, int *ints)
{
    int t = threadIdx.x, m = t * 3 % 17;
    int s = blockReduceSum(t);
    if (t == 0) ints[0] = s;
    double d = warpReduceSum(t * 0.5); float f = warpReduceSum((float)t); unsigned u = warpReduceSum(1u);
    long long ll = warpReduceSum((long long)t << 32);
    if (t == 32) { out[0] = d; out[1] = f; out[2] = u; out[3] = ll; }
    warpReduceMax(m); if (t == 0) ints[1] = m;
    int x = __shfl_xor_sync(FULL_MASK, t, 1), y = __shfl_sync(FULL_MASK, t, 5, 8), z = __shfl_up_sync(FULL_MASK, t, 2);
    if (t == 70) { ints[2] = x; ints[3] = y; ints[4] = z; }
    unsigned b = __ballot_sync(FULL_MASK, t & 1); int any = __any_sync(FULL_MASK, t == 33), all = __all_sync(FULL_MASK, t < 64);
    if (t == 33) { ints[5] = b == 0xaaaaaaaa; ints[6] = any * 10 + all; ints[7] = __popc(__activemask() | b); }
    int c = __syncthreads_count(t % 3 == 0), a = __syncthreads_and(t < 100), o = __syncthreads_or(t == 96);
    if (t == 0) { ints[8] = c; ints[9] = (a != 0) * 10 + (o != 0); }
    if (t < 32) { if (t < 16) { __syncwarp(0xffff); ints[10] = 3; } __syncwarp(); }
    unsigned lt = (1u << (t & 31)) - 1; if (t == 31) ints[11] = __popc(b & lt) + __ffs(b) + __clz(8) + __brev(1) / 2;
}
int main()
{
    double *d, h[4]; int *i, g[12]; cudaMalloc(&d, sizeof h); cudaMalloc(&i, sizeof g);
    kernel<<<1, 128>>>(d, i);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(g, i, sizeof g, cudaMemcpyDeviceToHost);
    for (double v : h) printf("%.1f ", v);
    for (int v : g) printf("%d ", v);
    printf("\n");
}
/* exit status 0, findings: none
760.0 1520.0 32.0 6528350289920.0 8128 16 71 69 68 1 11 16 43 1 3 1073741869 
*/
