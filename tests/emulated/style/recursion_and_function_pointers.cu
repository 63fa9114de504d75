#include <stdio.h>
__device__ int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__host__ __device__ int fibonacci(int n) { if (n < 2) return n; return fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t d_add = add;
__device__ op_t ops[2] = {add, mul};
template <op_t F> __global__ void fixed(float *out) { out[0] += F(2.f, 5.f); }
__global__ void kernel(int *out, float *f, op_t op, int which) {
    out[0] = fact(6); out[1] = fibonacci(10); out[2] = even(7) * 10 + odd(7);
    f[0] = op(3.f, 4.f); f[1] = ops[which](3.f, 4.f);
    op_t local = threadIdx.x ? add : mul; f[2] = local(1.5f, 2.f);
    float (*g)(float) = [](float x) { return x + 1; }; f[3] = g(41.f);
}
int main(void) {
    op_t host_op; int *o, ho[3]; float *f, hf[4];
    cudaMemcpyFromSymbol(&host_op, d_add, sizeof(op_t));
    cudaMalloc(&o, sizeof(ho)); cudaMalloc(&f, sizeof(hf));
    kernel<<<1, 1>>>(o, f, host_op, 1);
    fixed<mul><<<1, 1>>>(f);
    cudaMemcpy(ho, o, sizeof(ho), cudaMemcpyDeviceToHost); cudaMemcpy(hf, f, sizeof(hf), cudaMemcpyDeviceToHost);
    printf("%d %d %d %g %g %g %g %d\n", ho[0], ho[1], ho[2], hf[0], hf[1], hf[2], hf[3], fibonacci(12));
}
/* exit status 0, findings: none
720 55 1 17 12 3 42 144
*/
