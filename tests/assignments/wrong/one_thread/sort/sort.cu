#include "sort.h"

__global__ void insertAll(unsigned int *keys, int n)
{
    for (int i = 1; i < n; i++) {
        const unsigned int key = keys[i];
        int k = i;
        for (; k > 0 && keys[k - 1] > key; k--) {
            keys[k] = keys[k - 1];
        }
        keys[k] = key;
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    insertAll<<<1, 1>>>(d_keys, n);
}
