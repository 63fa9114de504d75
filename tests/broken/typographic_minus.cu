__global__ void shift(float *a)
{
    int i = threadIdx.x;
    a[i] = a[i] – 1.0f;
}
