/* The guide's atomic addition of doubles: a loop of compare-and-swap that a plain read begins. */
#include "../kernel_program.h"

#define THREADS 128

__device__ void add(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits;
    unsigned long long assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
}

__global__ void sum(double *out)
{
    __shared__ double total;
    if (threadIdx.x == 0) {
        total = 0;
    }
    __syncthreads();
    add(&total, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = total;
}

int main()
{
    double *out = new_output<double>(THREADS);
    sum<<<1, THREADS>>>(out);
    print_result("swap_after_plain_read", out, THREADS);
    return 0;
}
