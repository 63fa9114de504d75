__global__ void scale(float *a)
{
    a[threadIdx.x] *= 2.0f;
}

int main()
{
    dim3 block(16, 16, 1, 1);
    scale<<<1, block>>>(nullptr);
    return 0;
}
