__global__ void reverse(float *a)
{
    __share__ float s[256];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    a[t] = s[255 - t];
}
