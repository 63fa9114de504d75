/* One block of 1024 threads goes through the whole array and carries the sum along. No scratch. */
#include "scan.h"

__device__ int scan1024(int own, int *s)
{
    s[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
        int left = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
        __syncthreads();
        s[threadIdx.x] += left;
        __syncthreads();
    }
    return s[threadIdx.x];
}

__global__ void scanLoop(const int *in, int *out, int n)
{
    __shared__ int s[1024];
    int carry = 0;
    for (int base = 0; base < n; base += 1024) {
        int i = base + threadIdx.x;
        int own = i < n ? in[i] : 0;
        int sum = scan1024(own, s);
        if (i < n)
            out[i] = carry + sum - own;
        carry += s[1023];
        __syncthreads();
    }
}

__global__ void compactLoop(const int *in, int n, int *out, int *count)
{
    __shared__ int s[1024];
    int carry = 0;
    for (int base = 0; base < n; base += 1024) {
        int i = base + threadIdx.x;
        int own = i < n ? in[i] : 0;
        int place = carry + scan1024(own > 0, s) - 1;
        if (own > 0)
            out[place] = own;
        carry += s[1023];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *count = carry;
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scanLoop<<<1, 1024>>>(d_in, d_out, n);
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    compactLoop<<<1, 1024>>>(d_in, n, d_out, d_count);
}
