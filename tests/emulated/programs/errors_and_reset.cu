// What calls return when something is wrong, errors that stay, and a reset that clears them.
#include "../kernel_program.h"

__device__ int counter = 5;
__constant__ int bias = 3;
__managed__ int seen = 1;

__global__ void count_up()
{
    counter += bias;
    seen++;
}

__global__ void nothing()
{
}

static void say(const char *what, cudaError_t error)
{
    printf("%s: %s\n", what, cudaGetErrorName(error));
}

static int read_counter()
{
    int value = 0;
    CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
    return value;
}

int main()
{
    int *device, other = 0, count = 0;
    void *pointer;
    cudaFuncAttributes attributes;

    CHECK(cudaGetDeviceCount(&count));
    printf("devices %d\n", count);
    CHECK(cudaMalloc(&device, 64));
    say("too much", cudaMalloc(&pointer, (size_t)1 << 40));
    say("peeked", cudaPeekAtLastError());
    say("got", cudaGetLastError());
    say("again", cudaGetLastError());
    say("no such device", cudaSetDevice(7));
    say("too small", cudaMemcpy(device, &other, 65, cudaMemcpyDefault));
    say("wrong direction", cudaMemcpy(device, &other, 4, cudaMemcpyDeviceToHost));
    say("no direction", cudaMemcpy(device, &other, 4, (cudaMemcpyKind)9));
    say("foreign free", cudaFree(&other));
    say("free", cudaFree(device));
    say("twice", cudaFree(device));
    say("null", cudaFree(nullptr));
    say("no symbol", cudaMemcpyToSymbol((const void *)&other, &other, 4));
    say("not a kernel", cudaFuncGetAttributes(&attributes, (const void *)&other));
    say("peer", cudaDeviceEnablePeerAccess(0, 0));
    cudaGetLastError();
    nothing<<<1, 2000>>>();
    say("threads", cudaGetLastError());
    nothing<<<0, 32>>>();
    say("blocks", cudaGetLastError());
    nothing<<<1, 32, 300000>>>();
    say("shared", cudaGetLastError());
    nothing<<<1, dim3(1, 1, 65)>>>();
    say("depth", cudaGetLastError());
    nothing<<<1, 32>>>();
    say("right", cudaGetLastError());

    count_up<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    printf("counter %d, seen %d\n", read_counter(), seen);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaDeviceReset());
    printf("after the reset: counter %d, seen %d\n", read_counter(), seen);
    say("stream of before", cudaStreamSynchronize(stream));
    cudaGetLastError();
    count_up<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
    printf("counter %d, seen %d\n", read_counter(), seen);
    return 0;
}
