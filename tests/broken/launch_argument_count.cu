__global__ void scale(float *a, float factor, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] *= factor;
}

int main()
{
    float *d_a;
    cudaMalloc(&d_a, 256 * sizeof(float));
    scale<<<1, 256>>>(d_a, 256);
    return 0;
}
