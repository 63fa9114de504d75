int main()
{
    float *d_a;
    cudaMalloc(d_a, 1024 * sizeof(float));
    return 0;
}
