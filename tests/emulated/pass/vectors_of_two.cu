/* Pairs of doubles and pairs of ints through one tile of each. */
#include "../kernel_program.h"

#define THREADS 48

__global__ void rotate_pairs(const double2 *in, double2 *out, int2 *indices)
{
    __shared__ double2 pairs[THREADS];
    __shared__ int2 places[THREADS];
    const int tx = threadIdx.x;
    pairs[tx] = in[tx];
    places[tx] = make_int2(tx, (tx * 7) % THREADS);
    __syncthreads();
    const int2 place = places[(tx + 1) % THREADS];
    const double2 pair = pairs[place.y];
    out[tx] = make_double2(pair.y, pair.x * 0.5);
    indices[tx] = place;
}

int main()
{
    double *in = new_input<double>(2 * THREADS);
    double *out = new_output<double>(2 * THREADS);
    int *indices = new_output<int>(2 * THREADS);
    rotate_pairs<<<1, THREADS>>>((const double2 *)in, (double2 *)out, (int2 *)indices);
    print_result("vectors_of_two, double", out, 2 * THREADS);
    print_result("vectors_of_two, int", indices, 2 * THREADS);
    return 0;
}
