__global__ void total(const float *a, float *sum)
{
    atomicAdd(sum[0], a[threadIdx.x]);
}
