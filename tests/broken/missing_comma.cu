__global__ void add(const float *a const float *b, float *c)
{
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
