/* Matrices that end before the tile of 16 by 16 that is loaded and stored does. */
#include "../kernel_program.h"

#include <mma.h>

using namespace nvcuda;

__global__ void multiply(const half *a, float *c)
{
    __shared__ __align__(32) half tile[15 * 16];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_c;
    for (int i = threadIdx.x; i < 15 * 16; i += 32) {
        tile[i] = a[i];
    }
    __syncthreads();
    wmma::fill_fragment(fragment_c, 0.0f);
    wmma::load_matrix_sync(fragment_a, tile, 16); // error: B02 read
    wmma::load_matrix_sync(fragment_b, a, 16);    // error: B01 read
    wmma::mma_sync(fragment_c, fragment_a, fragment_b, fragment_c);
    wmma::store_matrix_sync(c, fragment_c, 16, wmma::mem_row_major); // error: B01 write
}

int main()
{
    half *a = new_output<half>(15 * 16);
    float *c = new_output<float>(15 * 16);
    multiply<<<1, 32>>>(a, c);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
    return 0;
}
