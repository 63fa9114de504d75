/* A list that one kernel leaves to the next is freed by both, and read in between. One warp: where
 * an allocation lies depends on the order of warps, and the finding tells its address. */
#include "../kernel_program.h"

struct list {
    int length;
    int elements[7];
};

__global__ void make_lists(list **lists, const int *in)
{
    const int tx = threadIdx.x;
    list *mine = (list *)malloc(sizeof(list));
    mine->length = 7;
    for (int i = 0; i < 7; i++) {
        mine->elements[i] = in[tx] + i;
    }
    lists[tx] = mine;
    if (tx % 2 == 1) {
        free(mine);
    }
}

__global__ void sum_lists(list **lists, int *out)
{
    const int tx = threadIdx.x;
    list *mine = lists[tx];
    int sum = 0;
    for (int i = 0; i < 7; i++) {
        sum += mine->elements[i]; // error: B05 read
    }
    out[tx] = sum;
    free(mine); // error: B12 here
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    list **lists = nullptr;
    CHECK(cudaMalloc(&lists, 32 * sizeof(list *)));
    make_lists<<<1, 32>>>(lists, in);
    CHECK(cudaDeviceSynchronize());
    sum_lists<<<1, 32>>>(lists, out);
    print_result("heap_freed_twice", out, 32);
    return 0;
}
