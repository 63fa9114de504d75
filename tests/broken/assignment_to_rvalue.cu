__global__ void minimum(float *a, int n)
{
    int i = threadIdx.x;
    if (i + 1 = n)
        a[i] = 0.0f;
}
