// A kernel writes where nothing is: every call fails from then on, until the device is reset.
// finding: out_of_bounds
#include "../kernel_program.h"

__global__ void store(int *values, int index)
{
    values[index] = 1;
}

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main()
{
    int *values, other = 0;
    void *pointer;
    cudaStream_t stream;

    CHECK(cudaMalloc(&values, 64));
    store<<<1, 1>>>(values, 5000);
    say("launch", cudaGetLastError());
    say("wait", cudaDeviceSynchronize());
    say("error", cudaGetLastError());
    say("still", cudaGetLastError());
    say("copy", cudaMemcpy(&other, values, 4, cudaMemcpyDeviceToHost));
    say("allocate", cudaMalloc(&pointer, 64));
    say("free", cudaFree(values));
    say("stream", cudaStreamCreate(&stream));
    store<<<1, 1>>>(values, 0);
    say("next launch", cudaGetLastError());
    say("reset", cudaDeviceReset());
    say("error", cudaGetLastError());
    CHECK(cudaMalloc(&values, 64));
    store<<<1, 1>>>(values, 1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&other, values + 1, 4, cudaMemcpyDeviceToHost));
    printf("afterwards: %d\n", other);
    return 0;
}
