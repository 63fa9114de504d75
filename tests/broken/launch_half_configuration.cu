__global__ void scale(float *a, int n)
{
    a[threadIdx.x] *= n;
}

int main()
{
    float *d_a;
    cudaMalloc(&d_a, 256 * sizeof(float));
    scale<<<256>>>(d_a, 256);
    return 0;
}
