int main()
{
    std::vector<float> h(1024);
    float *d;
    cudaMalloc(&d, h.size() * sizeof(float));
    return 0;
}
