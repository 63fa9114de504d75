__global__ void first(float *a)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = a[threadIdx.x];
}

__global__ void second(int *a)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = a[threadIdx.x];
}
