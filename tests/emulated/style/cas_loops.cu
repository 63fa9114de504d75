#include <cstdio>
#include <cfloat>
__device__ double atomicAddDouble(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__device__ static float atomicMax(float *address, float val)
{
    int *address_as_i = (int *)address;
    int old = *address_as_i, assumed;
    do {
        assumed = old;
        old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fmaxf(val, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__device__ __forceinline__ float atomicMinFloat(float *addr, float value)
{
    return value >= 0 ? __int_as_float(atomicMin((int *)addr, __float_as_int(value))) : __uint_as_float(atomicMax((unsigned int *)addr, __float_as_uint(value)));
}
__device__ int lock = 0;
__device__ unsigned short flags16[2];
__global__ void all(const float *x, int n, double *sum, float *mx, float *mn, int *guarded)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { atomicAddDouble(sum, x[i]); atomicMax(mx, x[i]); atomicMinFloat(mn, x[i]); }
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) ;
        __threadfence();
        *guarded = *guarded + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
    atomicCAS(&flags16[i & 1], (unsigned short)0, (unsigned short)(i % 2 + 7));
}
__global__ void many(unsigned *u, unsigned long long *l, long long *sl, float *f, double *d)
{
    int t = threadIdx.x;
    atomicInc(&u[0], 20); atomicDec(&u[1], 9); atomicSub(&u[2], 1); atomicAnd(&u[3], ~(1u << (t % 8))); atomicOr(&u[4], 1u << t); atomicXor(&u[5], t);
    atomicAdd(&l[0], 5ull); atomicMax(&l[1], (unsigned long long)t); atomicMin(&sl[0], (long long)-t); atomicAdd(f, 0.5f); atomicAdd(d, 0.25);
    atomicAdd_block(&u[6], 1); atomicAdd_system(&u[7], 2); atomicExch(f + 1, 3.5f); atomicOr(&l[2], 1ull << (t + 20));
}
int main()
{
    const int n = 500; float h[n], *x, *m, mm[2] = {-FLT_MAX, FLT_MAX}; double *s, sum = 0; int *g, guarded = 0;
    for (int i = 0; i < n; i++) h[i] = (i * 37) % 101 - 50.5f;
    cudaMalloc(&x, sizeof h); cudaMalloc(&m, sizeof mm); cudaMalloc(&s, sizeof sum); cudaMalloc(&g, sizeof guarded);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice); cudaMemcpy(m, mm, sizeof mm, cudaMemcpyHostToDevice);
    cudaMemset(s, 0, sizeof sum); cudaMemset(g, 0, sizeof(int));
    all<<<4, 128>>>(x, n, s, m, m + 1, g);
    cudaMemcpy(mm, m, sizeof mm, cudaMemcpyDeviceToHost); cudaMemcpy(&sum, s, sizeof sum, cudaMemcpyDeviceToHost); cudaMemcpy(&guarded, g, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%g %g %g %d\n", sum, mm[0], mm[1], guarded);
    unsigned *u; unsigned long long *l; long long *sl; float *f; double *d;
    cudaMallocManaged(&u, 32); cudaMallocManaged(&l, 24); cudaMallocManaged(&sl, 8); cudaMallocManaged(&f, 8); cudaMallocManaged(&d, 8);
    cudaMemset(u, 0, 32); cudaMemset(l, 0, 24); cudaMemset(sl, 0, 8); cudaMemset(f, 0, 8); cudaMemset(d, 0, 8); cudaDeviceSynchronize(); u[3] = 0xffff;
    many<<<1, 32>>>(u, l, sl, f, d);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++) printf("%x ", u[i]);
    printf("%llu %llu %llx %lld %g %g %g\n", l[0], l[1], l[2], *sl, f[0], f[1], *d);
}

/* exit status 0, findings: none
-253 49.5 -50.5 4
b 8 ffffffe0 ff00 ffffffff 0 20 40 160 31 ffffffff00000 -31 16 3.5 8
*/
