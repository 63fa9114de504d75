// vector_add.cu: with -DWRONG one thread too many works.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef WRONG
    bool works = i <= n;
#else
    bool works = i < n;
#endif
    if (works) {
        c[i] = a[i] + b[i]; // guilty: out_of_bounds
    }
}

int main()
{
    const int n = 1000;
    float a[n], b[n], c[n];
    float *device_a, *device_b, *device_c;
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = 2.0f * (float)i;
    }
    CHECK(cudaMalloc(&device_a, sizeof a));
    CHECK(cudaMalloc(&device_b, sizeof b));
    CHECK(cudaMalloc(&device_c, sizeof c));
    CHECK(cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice));
    add<<<(n + 127) / 128, 128>>>(device_a, device_b, device_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, device_c, sizeof c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        wrong += c[i] != 3.0f * (float)i;
    }
    return conclude("vector_add", wrong);
}
