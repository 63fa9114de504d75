__global__ void reverse(float *a)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthread();
    a[t] = s[255 - t];
}
