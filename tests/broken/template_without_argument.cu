template <int TILE>
__global__ void tiled(float *a)
{
    __shared__ float s[TILE];
    s[threadIdx.x] = a[threadIdx.x];
}

int main()
{
    tiled<<<1, 16>>>(nullptr);
    return 0;
}
