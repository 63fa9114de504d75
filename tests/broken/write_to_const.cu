__global__ void scale(const float *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = 2.0f * a[i];
}
