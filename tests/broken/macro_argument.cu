#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            return 1;                                                                              \
    } while (0)

int main()
{
    float *d;
    CHECK(cudaMalloc(&d, 64 * sizeof(flot)));
    return 0;
}
