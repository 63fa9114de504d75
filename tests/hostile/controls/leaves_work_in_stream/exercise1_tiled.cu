/* The end of the call waits for it. */
#include "honest_tiled.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    static cudaStream_t stream;
    const dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    const dim3 blocks(shape.b_width / BLOCK_SIZE, shape.a_height / BLOCK_SIZE);
    if (stream == NULL) {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    matrixMulTiled<<<blocks, threads, 0, stream>>>(d_A, d_B, d_C, shape.a_width, shape.b_width);
}

void printOccupancy(void)
{
    honest_print();
}
