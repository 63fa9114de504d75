#include <stdio.h>
__device__ double atomicAddCas(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ static float atomicMaxf(float *address, float val)
{
    int *address_as_int = (int *)address; int old = *address_as_int, assumed;
    while (val > __int_as_float(old)) {
        assumed = old;
        old = atomicCAS(address_as_int, assumed, __float_as_int(val));
        if (assumed == old) break;
    }
    return __int_as_float(old);
}
struct All { int i, mx, mn, ex, an, o, x, sub; unsigned u, inc, dec, umx; unsigned long long ull, umax; long long lmin; float f, fmx; double d, dc; };
__device__ int mutex = 0;
__device__ unsigned int count = 0;
__global__ void kernel(All *a)
{
    __shared__ int si; __shared__ float sf; __shared__ unsigned hist[8];
    int t = threadIdx.x;
    if (t == 0) { si = 0; sf = 0; }
    if (t < 8) hist[t] = 0;
    __syncthreads();
    atomicAdd(&a->i, 1); atomicMax(&a->mx, t); atomicMin(&a->mn, -t); atomicAnd(&a->an, ~t); atomicOr(&a->o, t); atomicXor(&a->x, t);
    atomicSub(&a->sub, 2); atomicAdd(&a->u, 3u); atomicInc(&a->inc, 40); atomicDec(&a->dec, 100); atomicMax(&a->umx, (unsigned)t);
    atomicAdd(&a->ull, 1ULL << 33); atomicMax(&a->umax, (unsigned long long)t); atomicMin(&a->lmin, (long long)-t);
    atomicAdd(&a->f, 0.5f); atomicMaxf(&a->fmx, t * 1.5f); atomicAdd(&a->d, 0.25); atomicAddCas(&a->dc, 0.25);
    atomicAdd(&si, t); atomicAdd(&sf, 1.0f); atomicAdd(&hist[t & 7], 1);
    atomicAdd_block(&si, 1); atomicAdd_system(&a->i, 1);
    __syncthreads();
    if (t == 0) { atomicAdd(&a->i, si + (int)sf + hist[3]); atomicExch(&a->ex, 77); __threadfence(); atomicInc(&count, gridDim.x); }
}
int main()
{
    All h = {}, *d; cudaMalloc(&d, sizeof(All)); h.an = -1; h.dec = 5;
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    kernel<<<2, 64>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d %d %d %d\n", h.i, h.mx, h.mn, h.ex, h.an, h.o, h.x, h.sub);
    printf("%u %u %u %u %llu %llu %lld\n%g %g %g %g\n", h.u, h.inc, h.dec, h.umx, h.ull, h.umax, h.lmin, h.f, h.fmx, h.d, h.dc);
}
/* exit status 0, findings: none
4560 63 -63 77 -64 63 0 -256
384 5 79 63 1099511627776 63 -63
64 94.5 32 32
*/
