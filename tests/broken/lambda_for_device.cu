template <typename F>
__global__ void apply(float *a, F f)
{
    a[threadIdx.x] = f(a[threadIdx.x]);
}

int main()
{
    float *d;
    cudaMalloc(&d, 1024);
    apply<<<1, 256>>>(d, [](float x) { return 2.0f * x; });
    return 0;
}
