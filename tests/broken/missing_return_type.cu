__device__ square(float x)
{
    return x * x;
}

__global__ void squares(float *a)
{
    a[threadIdx.x] = square(a[threadIdx.x]);
}
