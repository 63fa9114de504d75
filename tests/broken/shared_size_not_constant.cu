__global__ void reverse(float *a, int n)
{
    __shared__ float s[n];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    a[t] = s[n - 1 - t];
}
