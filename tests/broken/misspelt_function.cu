int main()
{
    float *d_a;
    cudaMaloc(&d_a, 1024 * sizeof(float));
    cudaFree(d_a);
    return 0;
}
