int main()
{
    float h[16], *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, cudaMemcpyHostToDevice);
    return 0;
}
