#include "operands.h"

enum { BLOCK = 128 };

static int blocks(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

__global__ void saxpy(float alpha, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchSaxpy(float alpha, const float *x, float *y, int n)
{
    saxpy<<<blocks(n), BLOCK>>>(alpha, x, y, n);
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
    if (threadIdx.x == 0) {
        int kept = 0;
        for (int i = 0; i < n; i++) {
            if (in[i] > 0) {
                out[kept++] = in[i];
            }
        }
        *count = kept;
    }
}

void launchCompact(const int *in, int *out, int *count, int n)
{
    compact<<<1, BLOCK>>>(in, out, count, n);
}

__global__ void sortByDigit(unsigned *keys, int n)
{
    for (int i = 1; threadIdx.x == 0 && i < n; i++) {
        for (int j = i; j > 0 && keys[j] % 10 < keys[j - 1] % 10; j--) {
            unsigned kept = keys[j];
            keys[j] = keys[j - 1];
            keys[j - 1] = kept;
        }
    }
}

void launchSort(unsigned *keys, int n)
{
    sortByDigit<<<1, BLOCK>>>(keys, n);
}

__global__ void gray(const uchar3 *rgb, unsigned char *gray, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchGray(const uchar3 *rgb, unsigned char *result, int n)
{
    gray<<<blocks(n), BLOCK>>>(rgb, result, n);
}

__global__ void countBins(const unsigned char *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchBins(const unsigned char *in, unsigned *bins, int n)
{
    countBins<<<blocks(n), BLOCK>>>(in, bins, n);
}

__global__ void sparse(const int *start, const int *column, const float *value, const float *x,
                       float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < rows) {
        float sum = 0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum += value[i] * x[column[i]];
        }
        y[row] = sum;
    }
}

void launchSparse(const int *start, const int *column, const float *value, const float *x, float *y,
                  int rows)
{
    sparse<<<blocks(rows), BLOCK>>>(start, column, value, x, y, rows);
}

__global__ void halves(const __half *x, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchHalf(const __half *x, __half *y, int n)
{
    halves<<<blocks(n), BLOCK>>>(x, y, n);
}

__global__ void products(const long long *x, const unsigned *y, long long *product, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchProducts(const long long *x, const unsigned *y, long long *product, int n)
{
    products<<<blocks(n), BLOCK>>>(x, y, product, n);
}

__global__ void neighbours(const float4 *in, float3 *out, float4 *scratch, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchVectors(const float4 *in, float3 *out, float4 *scratch, int n)
{
    neighbours<<<blocks(n), BLOCK>>>(in, out, scratch, n);
}

__global__ void sum(const float *in, float *out, int n)
{
    __shared__ float parts[BLOCK];
    float part = 0;

    for (int i = threadIdx.x; i < n; i += BLOCK) {
        part += in[i];
    }
    parts[threadIdx.x] = part;
    __syncthreads();
    for (int step = BLOCK / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) {
            parts[threadIdx.x] += parts[threadIdx.x + step];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        *out = parts[0];
    }
}

void launchSum(const float *in, float *out, int n)
{
    sum<<<1, BLOCK>>>(in, out, n);
}

__global__ void steps(const float *x, int *steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

}

void launchSteps(const float *x, int *result, int n)
{
    steps<<<blocks(n), BLOCK>>>(x, result, n);
}
