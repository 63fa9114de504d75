template <typename T>
__device__ float length(T v)
{
    return sqrtf(v.x * v.x + v.y * v.y);
}

__global__ void lengths(const float *a, float *out)
{
    out[threadIdx.x] = length(a[threadIdx.x]);
}
