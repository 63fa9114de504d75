__global__ void child(float *a)
{
    a[threadIdx.x] = 1.0f;
}

__global__ void parent(float *a)
{
    child<<<1, 32>>>(a);
}
