/* The last block adds up what the others wrote, but no fence stands before the ticket.
 * order: matters */
#include "../kernel_program.h"

#define BLOCKS 4

__device__ int done;

__global__ void reduce(const int *in, int *partial, int *out)
{
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = in[blockIdx.x] * 2; // error: R03 write
        if (atomicAdd(&done, 1) == BLOCKS - 1) {
            int sum = 0;
            for (int i = 0; i < BLOCKS; i++) {
                sum += partial[i]; // error: R03 read
            }
            *out = sum;
        }
    }
}

int main()
{
    int *in = new_input<int>(BLOCKS);
    int *partial = new_output<int>(BLOCKS);
    int *out = new_output<int>(1);
    reduce<<<BLOCKS, 32>>>(in, partial, out);
    print_result("global_race_last_block", out, 1);
    return 0;
}
