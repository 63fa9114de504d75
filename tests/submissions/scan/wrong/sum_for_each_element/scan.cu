/* Each thread adds up all that comes before its element. */
#include "scan.h"

__global__ void addAll(const int *in, int *out, int n, bool flags)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) {
        int sum = 0;
        for (int j = 0; j < i; j++) {
            sum += flags ? in[j] > 0 : in[j];
        }
        out[i] = sum;
    }
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    addAll<<<(n + 255) / 256, 256>>>(d_in, d_out, n, false);
}

__global__ void move(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] > 0) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + (in[i] > 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *d_places = nullptr;
    cudaMalloc(&d_places, n * sizeof(int));
    addAll<<<(n + 255) / 256, 256>>>(d_in, d_places, n, true);
    move<<<(n + 255) / 256, 256>>>(d_in, d_places, n, d_out, d_count);
    cudaFree(d_places);
}
