#include "bitonic.h"

__global__ void insertAll(int *data, int n)
{
    __shared__ int part[2048];
    for (int i = 0; i < n; i++) {
        int k = i;
        const int number = data[i];
        for (; k > 0 && part[k - 1] > number; k--) {
            part[k] = part[k - 1];
        }
        part[k] = number;
    }
    for (int i = 0; i < n; i++) {
        data[i] = part[i];
    }
}

void bitonicSort(int *d_data, int n)
{
    insertAll<<<1, 1>>>(d_data, n);
}
