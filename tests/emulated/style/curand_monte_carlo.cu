#include <stdio.h>
#include <curand_kernel.h>
#define THREADS 32
#define TRIALS 50
__global__ void setup(curandState *state, unsigned long seed) { int id = threadIdx.x + blockIdx.x * blockDim.x; curand_init(seed, id, 0, &state[id]); }
__global__ void pi(curandState *states, unsigned int *hits) {
    int tid = threadIdx.x + blockDim.x * blockIdx.x;
    curandState local = states[tid]; unsigned n = 0;
    for (int i = 0; i < TRIALS; i++) {
        float x = curand_uniform(&local), y = curand_uniform(&local);
        n += (x * x + y * y <= 1.0f);
    }
    states[tid] = local; atomicAdd(hits, n);
}
__global__ void others(curandState_t *s, float *out) {
    curandStateXORWOW_t st; curand_init(1234ULL, 5, 7, &st);
    out[0] = curand_normal(&st) < 10; out[1] = (float)(curand_uniform_double(&st) <= 1.0);
    out[2] = (float)(curand(&st) % 100); float2 n = curand_normal2(&st); out[3] = n.x * n.x + n.y * n.y >= 0;
    out[4] = curand(&s[0]) % 1000;
}
int main() {
    curandState *d; unsigned *h; float *o;
    cudaMalloc((void **)&d, 64 * sizeof(curandState)); cudaMallocManaged(&h, 4); cudaMallocManaged(&o, 20); *h = 0;
    setup<<<2, THREADS>>>(d, 2024UL);
    pi<<<2, THREADS>>>(d, h);
    others<<<1, 1>>>(d, o);
    cudaDeviceSynchronize();
    printf("%u of %d\n%g %g %g %g %g\n", *h, 64 * TRIALS, o[0], o[1], o[2], o[3], o[4]);
    return 0;
}
/* exit status 0, findings: none
2536 of 3200
1 1 27 1 276
*/
