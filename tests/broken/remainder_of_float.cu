__global__ void wave(float *a)
{
    int i = threadIdx.x;
    a[i] = (a[i] % 2.0f) * 3.0f;
}
