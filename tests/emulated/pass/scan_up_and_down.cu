/* Exclusive scan with an up-sweep and a down-sweep over a tree, in dynamic shared memory. */
#include "../kernel_program.h"

#define COUNT 128

__global__ void scan(const int *in, int *out)
{
    extern __shared__ int tree[];
    const int tx = threadIdx.x;
    tree[2 * tx] = in[2 * tx];
    tree[2 * tx + 1] = in[2 * tx + 1];
    int offset = 1;
    for (int nodes = COUNT / 2; nodes > 0; nodes /= 2) {
        __syncthreads();
        if (tx < nodes) {
            tree[offset * (2 * tx + 2) - 1] += tree[offset * (2 * tx + 1) - 1];
        }
        offset *= 2;
    }
    if (tx == 0) {
        tree[COUNT - 1] = 0;
    }
    for (int nodes = 1; nodes < COUNT; nodes *= 2) {
        offset /= 2;
        __syncthreads();
        if (tx < nodes) {
            const int left = offset * (2 * tx + 1) - 1;
            const int right = offset * (2 * tx + 2) - 1;
            const int value = tree[left];
            tree[left] = tree[right];
            tree[right] += value;
        }
    }
    __syncthreads();
    out[2 * tx] = tree[2 * tx];
    out[2 * tx + 1] = tree[2 * tx + 1];
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    scan<<<1, COUNT / 2, COUNT * sizeof(int)>>>(in, out);
    print_result("scan_up_and_down", out, COUNT);
    return 0;
}
