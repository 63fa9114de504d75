__global__ void add(const float *a, const float *b, float *c, int n)
{
    if (idx < n)
        c[idx] = a[idx] + b[idx];
}
