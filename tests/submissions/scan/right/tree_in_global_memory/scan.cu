/* Blelloch's tree over the whole array, padded to a power of two: one launch for each level. */
#include "scan.h"

#define T 256

__global__ void pad(const int *in, int *tree, int n, int size, int as_flags)
{
    int i = blockIdx.x * T + threadIdx.x;
    if (i < size)
        tree[i] = i >= n ? 0 : as_flags ? in[i] > 0 : in[i];
}

__global__ void up(int *tree, int step, int nodes)
{
    int k = blockIdx.x * T + threadIdx.x;
    if (k < nodes)
        tree[2 * step * (k + 1) - 1] += tree[2 * step * k + step - 1];
}

__global__ void clear_root(int *tree, int size)
{
    tree[size - 1] = 0;
}

__global__ void down(int *tree, int step, int nodes)
{
    int k = blockIdx.x * T + threadIdx.x;
    if (k < nodes) {
        int left = tree[2 * step * k + step - 1];
        int here = tree[2 * step * (k + 1) - 1];
        tree[2 * step * k + step - 1] = here;
        tree[2 * step * (k + 1) - 1] = here + left;
    }
}

/* Returns the scanned tree, which the caller frees. */
static int *scanned(const int *d_in, int n, int as_flags)
{
    int size = 1;
    while (size < n)
        size *= 2;
    int *tree;
    cudaMalloc(&tree, size * sizeof(int));
    pad<<<(size + T - 1) / T, T>>>(d_in, tree, n, size, as_flags);
    for (int step = 1; step < size; step *= 2)
        up<<<(size / (2 * step) + T - 1) / T, T>>>(tree, step, size / (2 * step));
    clear_root<<<1, 1>>>(tree, size);
    for (int step = size / 2; step >= 1; step /= 2)
        down<<<(size / (2 * step) + T - 1) / T, T>>>(tree, step, size / (2 * step));
    return tree;
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    int *tree = scanned(d_in, n, 0);
    cudaMemcpy(d_out, tree, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(tree);
}

__global__ void keep(const int *in, const int *place, int n, int *out, int *count)
{
    int i = blockIdx.x * T + threadIdx.x;
    if (i < n) {
        if (in[i] > 0)
            out[place[i]] = in[i];
        if (i == n - 1)
            count[0] = place[i] + (in[i] > 0);
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    int *tree = scanned(d_in, n, 1);
    keep<<<(n + T - 1) / T, T>>>(d_in, tree, n, d_out, d_count);
    cudaFree(tree);
}
