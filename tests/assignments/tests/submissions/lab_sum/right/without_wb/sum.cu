/* The same lab by the standard library and gpugrade's mark alone. */
#include "gpugrade.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void add(const float *in, float *out, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += in[i];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(out, sum);
    }
}

int main(int argc, char **argv)
{
    const char *path = "";
    int n = 0;

    for (int i = 1; i + 1 < argc; i++) {
        path = strcmp(argv[i], "-i") == 0 ? argv[i + 1] : path;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL || fscanf(file, "%d", &n) != 1) {
        return 1;
    }
    float *numbers = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) {
        if (fscanf(file, "%f", &numbers[i]) != 1) {
            return 1;
        }
    }
    fclose(file);

    float *d_in, *d_out, sum;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(float));
    cudaMemcpy(d_in, numbers, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof(float));
    add<<<32, 256>>>(d_in, d_out, n);
    cudaMemcpy(&sum, d_out, sizeof(float), cudaMemcpyDeviceToHost);
    gpugrade_result(&sum, sizeof sum);
    cudaFree(d_in);
    cudaFree(d_out);
    free(numbers);
    return 0;
}
