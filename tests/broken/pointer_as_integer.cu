__global__ void first(const int *a, int *out)
{
    int value = a;
    out[threadIdx.x] = value;
}
