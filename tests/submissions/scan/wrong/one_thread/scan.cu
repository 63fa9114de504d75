#include "scan.h"

__global__ void scanAll(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        out[i] = sum;
        sum += in[i];
    }
}

__global__ void compactAll(const int *in, int n, int *out, int *count)
{
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (in[i] > 0) {
            out[found++] = in[i];
        }
    }
    *count = found;
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    scanAll<<<1, 1>>>(d_in, d_out, n);
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    compactAll<<<1, 1>>>(d_in, n, d_out, d_count);
}
