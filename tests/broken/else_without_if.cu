__global__ void clamp(float *a)
{
    int i = threadIdx.x;
    if (a[i] < 0.0f);
        a[i] = 0.0f;
    else
        a[i] = 1.0f;
}
