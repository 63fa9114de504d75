__global__ scale(float *a)
{
    a[threadIdx.x] *= 2.0f;
}
