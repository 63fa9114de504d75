#include "bitonic.h"

enum { ALL = 2048 };

__global__ void sortBlock(int *data, int n)
{
    __shared__ int part[ALL];
    const int t = threadIdx.x;
    part[t] = data[t];
    part[t + n / 2] = data[t + n / 2];
    for (int run = 2; run <= n; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            __syncthreads();
            const int low = t / distance * 2 * distance + t % distance, high = low + distance;
            const int a = part[low], b = part[high];
            if ((a > b) == ((low & run) == 0)) {
                part[low] = b;
                part[high] = a;
            }
        }
    }
    __syncthreads();
    data[t] = part[t];
    data[t + n / 2] = part[t + n / 2];
}

void bitonicSort(int *d_data, int n)
{
    sortBlock<<<1, n / 2>>>(d_data, n);
}
