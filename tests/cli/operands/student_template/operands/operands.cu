#include "operands.h"

enum { BLOCK = 128 };

static int blocks(int n)
{
    return (n + BLOCK - 1) / BLOCK;
}

__global__ void saxpy(float alpha, const float *x, float *y, int n)
{
}

void launchSaxpy(float alpha, const float *x, float *y, int n)
{
    saxpy<<<blocks(n), BLOCK>>>(alpha, x, y, n);
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
}

void launchCompact(const int *in, int *out, int *count, int n)
{
    compact<<<1, BLOCK>>>(in, out, count, n);
}

__global__ void sortByDigit(unsigned *keys, int n)
{
}

void launchSort(unsigned *keys, int n)
{
    sortByDigit<<<1, BLOCK>>>(keys, n);
}

__global__ void gray(const uchar3 *rgb, unsigned char *gray, int n)
{
}

void launchGray(const uchar3 *rgb, unsigned char *result, int n)
{
    gray<<<blocks(n), BLOCK>>>(rgb, result, n);
}

__global__ void countBins(const unsigned char *in, unsigned *bins, int n)
{
}

void launchBins(const unsigned char *in, unsigned *bins, int n)
{
    countBins<<<blocks(n), BLOCK>>>(in, bins, n);
}

__global__ void sparse(const int *start, const int *column, const float *value, const float *x,
                       float *y, int rows)
{
}

void launchSparse(const int *start, const int *column, const float *value, const float *x, float *y,
                  int rows)
{
    sparse<<<blocks(rows), BLOCK>>>(start, column, value, x, y, rows);
}

__global__ void halves(const __half *x, __half *y, int n)
{
}

void launchHalf(const __half *x, __half *y, int n)
{
    halves<<<blocks(n), BLOCK>>>(x, y, n);
}

__global__ void products(const long long *x, const unsigned *y, long long *product, int n)
{
}

void launchProducts(const long long *x, const unsigned *y, long long *product, int n)
{
    products<<<blocks(n), BLOCK>>>(x, y, product, n);
}

__global__ void neighbours(const float4 *in, float3 *out, float4 *scratch, int n)
{
}

void launchVectors(const float4 *in, float3 *out, float4 *scratch, int n)
{
    neighbours<<<blocks(n), BLOCK>>>(in, out, scratch, n);
}

__global__ void sum(const float *in, float *out, int n)
{
}

void launchSum(const float *in, float *out, int n)
{
    sum<<<1, BLOCK>>>(in, out, n);
}

__global__ void steps(const float *x, int *steps, int n)
{
}

void launchSteps(const float *x, int *result, int n)
{
    steps<<<blocks(n), BLOCK>>>(x, result, n);
}
