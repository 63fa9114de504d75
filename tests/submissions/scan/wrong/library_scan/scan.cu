#include "scan.h"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    thrust::exclusive_scan(thrust::device, d_in, d_in + n, d_out);
}

struct is_positive {
    __device__ bool operator()(int x) const
    {
        return x > 0;
    }
};

__global__ void setCount(int *count, int value)
{
    *count = value;
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    const int *end = thrust::copy_if(thrust::device, d_in, d_in + n, d_out, is_positive());
    setCount<<<1, 1>>>(d_count, (int)(end - d_out));
}
