int main()
{
    float h[16], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevic);
    return 0;
}
