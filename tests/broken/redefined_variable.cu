__global__ void add(const float *a, float *c, int n)
{
    int i = threadIdx.x;
    int n = 256;
    if (i < n)
        c[i] = a[i];
}
