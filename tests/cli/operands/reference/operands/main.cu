/* main.cu: PROGRAM NAME reads lines "n alpha" and calls that launch function once for each. */
#include "operands.h"

#include <cuda_profiler_api.h>
#include <stdio.h>
#include <string.h>

enum { ARRAYS = 5, BYTES = 1 << 22 };

static void call(const char *name, void *const *a, float alpha, int n)
{
    fflush(NULL);
    (void)cudaProfilerStart();
    if (strcmp(name, "saxpy") == 0) {
        launchSaxpy(alpha, (const float *)a[0], (float *)a[1], n);
    } else if (strcmp(name, "compact") == 0) {
        launchCompact((const int *)a[0], (int *)a[1], (int *)a[2], n);
    } else if (strcmp(name, "sort") == 0) {
        launchSort((unsigned *)a[0], n);
    } else if (strcmp(name, "gray") == 0) {
        launchGray((const uchar3 *)a[0], (unsigned char *)a[1], n);
    } else if (strcmp(name, "bins") == 0) {
        launchBins((const unsigned char *)a[0], (unsigned *)a[1], n);
    } else if (strcmp(name, "sparse") == 0) {
        launchSparse((const int *)a[0], (const int *)a[1], (const float *)a[2], (const float *)a[3],
                     (float *)a[4], n);
    } else if (strcmp(name, "half") == 0) {
        launchHalf((const __half *)a[0], (__half *)a[1], n);
    } else if (strcmp(name, "products") == 0) {
        launchProducts((const long long *)a[0], (const unsigned *)a[1], (long long *)a[2], n);
    } else if (strcmp(name, "vectors") == 0) {
        launchVectors((const float4 *)a[0], (float3 *)a[1], (float4 *)a[2], n);
    } else if (strcmp(name, "sum") == 0) {
        launchSum((const float *)a[0], (float *)a[1], n);
    } else {
        launchSteps((const float *)a[0], (int *)a[1], n);
    }
    (void)cudaDeviceSynchronize();
    (void)cudaProfilerStop();
}

int main(int count, char **arguments)
{
    void *arrays[ARRAYS];
    float alpha;
    int n;

    for (int i = 0; i < ARRAYS; i++) {
        if (cudaMalloc(&arrays[i], BYTES) != cudaSuccess) {
            return 1;
        }
    }
    while (count == 2 && scanf("%d %f", &n, &alpha) == 2) {
        call(arguments[1], arrays, alpha, n);
    }
    return 0;
}
