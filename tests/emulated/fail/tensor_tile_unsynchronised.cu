/* Tiles of halves in shared memory that four warps fill and multiply, with no barrier in between. */
#include "../kernel_program.h"

#include <mma.h>

using namespace nvcuda;

#define TILE 32
#define PITCH (TILE + 8)

__global__ void multiply(const half *a, float *c)
{
    __shared__ __align__(32) half tile[TILE * PITCH];
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fragment_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fragment_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_c;
    const int warp = threadIdx.x / 32;
    for (int i = threadIdx.x; i < TILE * TILE; i += blockDim.x) {
        tile[i / TILE * PITCH + i % TILE] = a[i]; // error: R01 write
    }
    wmma::fill_fragment(fragment_c, 0.0f);
    for (int k = 0; k < TILE; k += 16) {
        const half *row = tile + warp / 2 * 16 * PITCH + k;
        const half *column = tile + k * PITCH + warp % 2 * 16;
        wmma::load_matrix_sync(fragment_a, row, PITCH);    // error: R01 read
        wmma::load_matrix_sync(fragment_b, column, PITCH); // error: R01 read
        wmma::mma_sync(fragment_c, fragment_a, fragment_b, fragment_c);
    }
    wmma::store_matrix_sync(c + warp / 2 * 16 * TILE + warp % 2 * 16, fragment_c, TILE,
                            wmma::mem_row_major);
}

int main()
{
    half *a = new_output<half>(TILE * TILE);
    float *c = new_output<float>(TILE * TILE);
    multiply<<<1, 128>>>(a, c);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    CHECK(cudaFree(c));
    return 0;
}
