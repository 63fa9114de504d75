/* A product of matrices by half a warp: the lanes that stay away have a part of it. */
#include "../kernel_program.h"

#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_c;
    if (threadIdx.x < 16) {
        wmma::fill_fragment(fragment_c, 0.0f);
        wmma::load_matrix_sync(fragment_a, a, 16);                       // error: D05 here
        wmma::load_matrix_sync(fragment_b, b, 16);                       // error: D05 here
        wmma::mma_sync(fragment_c, fragment_a, fragment_b, fragment_c);  // error: D05 here
        wmma::store_matrix_sync(c, fragment_c, 16, wmma::mem_row_major); // error: D05 here
    }
}

int main()
{
    half *a = new_output<half>(256);
    half *b = new_output<half>(256);
    float *c = new_output<float>(256);
    multiply<<<1, 32>>>(a, b, c);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    return 0;
}
