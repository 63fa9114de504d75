#include <curand_kernel.h>
#include <stdio.h>
__global__ void setup(curandState *state, unsigned long seed) { int id = threadIdx.x + blockIdx.x * blockDim.x; curand_init(seed, id, 0, &state[id]); }
__global__ void pi(curandState_t *state, int *hits, int tries)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x, in = 0;
    curandState local = state[id];
    for (int i = 0; i < tries; i++) { float x = curand_uniform(&local), y = curand_uniform(&local); if (x * x + y * y <= 1.0f) in++; }
    state[id] = local; atomicAdd(hits, in);
}
__global__ void others(float *f, double *d, unsigned *u)
{
    curandStatePhilox4_32_10_t p; curand_init(7ULL, threadIdx.x, 0, &p);
    float4 v = curand_uniform4(&p); f[0] = v.x + v.w; f[1] = curand_normal(&p);
    curandStateXORWOW_t s; curand_init(1234, 0, 0, &s);
    u[0] = curand(&s) % 1000; d[0] = curand_uniform_double(&s); float2 n = curand_normal2(&s); f[2] = n.x; f[3] = n.y; u[1] = curand_poisson(&s, 3.0); f[4] = curand_log_normal(&s, 0.f, 1.f); skipahead(10ull, &s); u[2] = curand(&s) % 1000;
    curandStateMRG32k3a m; curand_init(5, 0, 0, &m); u[3] = curand(&m) % 1000;
}
int main()
{
    curandState *s; int *h; cudaMalloc(&s, 64 * sizeof(curandState)); cudaMallocManaged(&h, 4); *h = 0;
    setup<<<2, 32>>>(s, 2024UL); pi<<<2, 32>>>(s, h, 50); cudaDeviceSynchronize(); printf("%d\n", *h);
    float *f; double *d; unsigned *u; cudaMallocManaged(&f, 20); cudaMallocManaged(&d, 8); cudaMallocManaged(&u, 16);
    others<<<1, 1>>>(f, d, u); cudaDeviceSynchronize();
    printf("%.4f %.4f %.4f %.4f %.4f %.6f %u %u %u %u\n", f[0], f[1], f[2], f[3], f[4], d[0], u[0], u[1], u[2], u[3]);
}

/* exit status 0, findings: none
2536
1.0403 -1.2870 -0.9812 0.7820 0.5180 0.870710 773 3 823 919
*/
