/* calls.cu: PROGRAM NAME reads lines "n alpha" and calls that launch function once for each, with
 * arrays of just the sizes that it needs; the calls are marked. */
#include "gpugrade.h"
#include "operands.h"

#include <stdio.h>
#include <string.h>

/* An array of a call. */
template <typename T> static T *array(const char *name, size_t count)
{
    T *made = nullptr;

    if (cudaMalloc((void **)&made, count * sizeof *made) == cudaSuccess) {
        gpugrade_operand(name, made);
    }
    return made;
}

template <typename T> static void call(const char *name, T function)
{
    fflush(NULL);
    gpugrade_begin(name);
    function();
    gpugrade_end();
    (void)cudaDeviceSynchronize();
    (void)cudaGetLastError();
}

static void run(const char *name, float alpha, int n)
{
    const size_t count = (size_t)n;

    if (strcmp(name, "saxpy") == 0) {
        call("launchSaxpy", [&] {
            float *x = array<float>("x", count), *y = array<float>("y", count);
            launchSaxpy(alpha, x, y, n);
        });
    } else if (strcmp(name, "compact") == 0) {
        call("launchCompact", [&] {
            int *in = array<int>("in", count), *out = array<int>("out", count);
            launchCompact(in, out, array<int>("count", 1), n);
        });
    } else if (strcmp(name, "sort") == 0) {
        call("launchSort", [&] { launchSort(array<unsigned>("keys", count), n); });
    } else if (strcmp(name, "gray") == 0) {
        call("launchGray", [&] {
            uchar3 *rgb = array<uchar3>("rgb", count);
            launchGray(rgb, array<unsigned char>("gray", count), n);
        });
    } else if (strcmp(name, "bins") == 0) {
        call("launchBins", [&] {
            unsigned char *in = array<unsigned char>("in", count);
            launchBins(in, array<unsigned>("bins", 256), n);
        });
    } else if (strcmp(name, "sparse") == 0) {
        call("launchSparse", [&] {
            int *start = array<int>("start", count + 1), *column = array<int>("column", 4 * count);
            float *value = array<float>("value", 4 * count), *x = array<float>("x", count + 7);
            launchSparse(start, column, value, x, array<float>("y", count), n);
        });
    } else if (strcmp(name, "half") == 0) {
        call("launchHalf", [&] {
            __half *x = array<__half>("x", count);
            launchHalf(x, array<__half>("y", count), n);
        });
    } else if (strcmp(name, "products") == 0) {
        call("launchProducts", [&] {
            long long *x = array<long long>("x", count);
            unsigned *y = array<unsigned>("y", count);
            launchProducts(x, y, array<long long>("product", count), n);
        });
    } else if (strcmp(name, "vectors") == 0) {
        call("launchVectors", [&] {
            float4 *in = array<float4>("in", count);
            float3 *out = array<float3>("out", count);
            launchVectors(in, out, array<float4>("scratch", count), n);
        });
    } else if (strcmp(name, "sum") == 0) {
        call("launchSum", [&] {
            float *in = array<float>("in", count);
            launchSum(in, array<float>("out", 1), n);
        });
    } else {
        call("launchSteps", [&] {
            float *x = array<float>("x", count);
            launchSteps(x, array<int>("steps", count), n);
        });
    }
}

int main(int count, char **arguments)
{
    float alpha;
    int n;

    while (count == 2 && scanf("%d %f", &n, &alpha) == 2) {
        run(arguments[1], alpha, n);
    }
    return 0;
}
