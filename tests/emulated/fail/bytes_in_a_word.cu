/* One thread stores a byte, another reads the word around it. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void bytes(const int *in, int *out)
{
    __shared__ int words[THREADS];
    const int tx = threadIdx.x;
    words[tx] = in[tx];
    __syncthreads();
    if (tx < 32) {
        ((unsigned char *)&words[tx])[3] = 1; // error: R01 write
    } else {
        out[tx] = words[tx - 32]; // error: R01 read
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    bytes<<<1, THREADS>>>(in, out);
    print_result("bytes_in_a_word", out, THREADS);
    return 0;
}
