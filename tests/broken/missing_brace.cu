__global__ void scale(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 2.0f * a[i];
}

int main()
{
    float *d_a = nullptr;
    cudaMalloc(&d_a, 1024);
    scale<<<1, 256>>>(d_a, 256);
    return 0;
}
