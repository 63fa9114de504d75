__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadidx.x;
    if (i < n)
        a[i] *= 2.0f;
}
