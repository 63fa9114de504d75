#define INDEX (blockIdx.x * blockDim.x + threadIdx.w)

__global__ void scale(float *a)
{
    a[INDEX] *= 2.0f;
}
