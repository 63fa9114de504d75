__global__ void scale(float *a, int n)
{
    a[threadIdx.x] *= n;
}

int main()
{
    double *d_a;
    cudaMalloc(&d_a, 256 * sizeof(double));
    scale<<<1, 256>>>(d_a, 256);
    return 0;
}
