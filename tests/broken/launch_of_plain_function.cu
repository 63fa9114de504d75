void scale(float *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2.0f;
}

int main()
{
    float *d_a;
    cudaMalloc(&d_a, 256 * sizeof(float));
    scale<<<1, 256>>>(d_a, 256);
    return 0;
}
