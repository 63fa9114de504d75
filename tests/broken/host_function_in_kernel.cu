float square(float x)
{
    return x * x;
}

__global__ void squares(float *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = square(a[i]);
}
