/* Votes, ballots, matches and shuffles of parts of a warp. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void exchange(const int *in, unsigned *out)
{
    const int tx = threadIdx.x;
    const unsigned all = 0xffffffffu;
    const int value = in[tx];
    unsigned result = __ballot_sync(all, value > 80);
    result ^= __match_any_sync(all, value % 6);
    result += __any_sync(all, value > 249) * 3 + __all_sync(all, value < 250) * 5;
    result = result * 31 + __shfl_down_sync(all, value, 3, 8);
    result = result * 31 + __shfl_sync(all, value, tx * 5, 16);
    if (tx % 2 == 0) {
        result += __ballot_sync(0x55555555u, value % 3 == 0);
    }
    out[tx] = result;
}

int main()
{
    int *in = new_input<int>(THREADS);
    unsigned *out = new_output<unsigned>(THREADS);
    exchange<<<1, THREADS>>>(in, out);
    print_result("votes_and_matches", out, THREADS);
    return 0;
}
