// The sequences of cuRAND: bits and uniform numbers exactly, normal numbers to six digits.
#include <cstdio>
#include <curand_kernel.h>
template <class S>
__device__ void fill(unsigned long long *o, unsigned long long seed, unsigned long long seq,
                     unsigned long long off)
{
    S s;
    curand_init(seed, seq, off, &s);
    int i = 0;
    for (int k = 0; k < 6; k++)
        o[i++] = curand(&s);
    o[i++] = __float_as_uint(curand_uniform(&s));
    o[i++] = __double_as_longlong(curand_uniform_double(&s));
    o[i++] = __float_as_uint(curand_uniform(&s));
    skipahead(12345ull, &s);
    o[i++] = curand(&s);
    o[i++] = curand(&s);
    o[i++] = curand_poisson(&s, 3.5);
    o[i++] = curand(&s);
    for (int k = 0; k < 3; k++)
        o[i++] = (long long)(curand_normal(&s) * 1e4);
    float2 n = curand_normal2(&s);
    o[i++] = (long long)(n.x * 1e4);
    o[i++] = (long long)(n.y * 1e4);
    for (int k = 0; k < 3; k++)
        o[i++] = (long long)(curand_normal_double(&s) * 1e4);
    o[i++] = (long long)(curand_log_normal(&s, 0.5f, 1.5f) * 1e4);
    o[i++] = (long long)(curand_log_normal_double(&s, 0.5, 1.5) * 1e4);
    o[i++] = curand_poisson(&s, 5000.0);
    o[i++] = curand(&s);
    o[i++] = sizeof(S);
}
__global__ void k(unsigned long long *o)
{
    int t = threadIdx.x;
    unsigned long long seed = t % 2 ? 1234ull : 0x123456789abcdull * t, seq = t * 37,
                       off = t % 3 ? t : t * 1003ull;
    fill<curandState>(o + t * 96, seed, seq, off);
    fill<curandStatePhilox4_32_10_t>(o + t * 96 + 32, seed, seq, off);
    fill<curandStateMRG32k3a>(o + t * 96 + 64, seed, seq, off);
    curandStatePhilox4_32_10_t p;
    curand_init(seed, seq, off, &p);
    uint4 q = curand4(&p);
    float4 f = curand_uniform4(&p);
    double2 d = curand_uniform2_double(&p);
    float4 g = curand_normal4(&p);
    o[t * 96 + 62] =
        q.x ^ q.w ^ __float_as_uint(f.x) ^ __float_as_uint(f.w) ^ __double_as_longlong(d.y);
    o[t * 96 + 63] = (long long)(g.z * 1e4);
}
/* Prints a hash (FNV-1a) of each column: what one expression gives in all threads. */
static void print_columns(const unsigned long long *cells, int rows, int columns)
{
    for (int column = 0; column < columns; column++) {
        unsigned long long hash = 14695981039346656037ull;
        for (int row = 0; row < rows; row++) {
            hash = (hash ^ cells[row * columns + column]) * 1099511628211ull;
        }
        printf("%016llx%c", hash, column % 6 == 5 ? '\n' : ' ');
    }
    printf("\n");
}

int main()
{
    unsigned long long *o;
    cudaMallocManaged(&o, 32 * 96 * 8);
    cudaMemset(o, 0, 32 * 96 * 8);
    k<<<1, 32>>>(o);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    print_columns(o, 32, 96);
}
