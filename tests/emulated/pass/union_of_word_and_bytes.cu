/* A union of a word and its bytes: written as a word by one thread, read as bytes after a barrier. */
#include "../kernel_program.h"

#define THREADS 64

union cell {
    unsigned word;
    unsigned char bytes[4];
};

__global__ void mix_bytes(const unsigned *in, unsigned *out)
{
    __shared__ union cell cells[THREADS];
    const int tx = threadIdx.x;
    cells[tx].word = in[tx] * 0x01020304u;
    __syncthreads();
    const unsigned char byte = cells[tx / 4].bytes[tx % 4];
    __syncthreads();
    cells[(tx + 5) % THREADS / 4].bytes[(tx + 5) % 4] = byte;
    __syncthreads();
    out[tx] = cells[tx].word;
}

int main()
{
    unsigned *in = new_input<unsigned>(THREADS);
    unsigned *out = new_output<unsigned>(THREADS);
    mix_bytes<<<1, THREADS>>>(in, out);
    print_result("union_of_word_and_bytes", out, THREADS);
    return 0;
}
