__device__ void twice(float *x)
{
    *x *= 2.0f;
}

__global__ void scale(const float *a)
{
    twice(&a[threadIdx.x]);
}
