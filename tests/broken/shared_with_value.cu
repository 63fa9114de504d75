__global__ void histogram(const int *a, int *out)
{
    __shared__ int bins[16] = {0};
    atomicAdd(&bins[a[threadIdx.x] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
