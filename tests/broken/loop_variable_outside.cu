__global__ void total(const float *a, float *out, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += a[i];
    out[i] = sum;
}
