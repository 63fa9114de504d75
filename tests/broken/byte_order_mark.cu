__global__ void scale(float *a)
{
    a[threadIdx.x] *= factor;
}
