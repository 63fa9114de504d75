/* The kernel is a template with a size as its argument, so that its name is another one in each
 * build, and in some of them it takes more registers than blocks of 1024 threads are best with. */
#include <cmath>
#include <cstdio>

#define A_WIDTH 512
#define A_HEIGHT 256
#define B_WIDTH 768
#define B_HEIGHT 512

__constant__ int BLOCK_SIZE;

__device__ float d_A[A_HEIGHT][A_WIDTH], d_B[B_HEIGHT][B_WIDTH], d_C[A_HEIGHT][B_WIDTH];

template <int EDGE, int INNER> __device__ void multiply_tiles()
{
    extern __shared__ char memory[];
    auto a = reinterpret_cast<float(*)[EDGE]>(memory);
    auto b = a + EDGE;
    const int column = blockIdx.x * EDGE + threadIdx.x;
    const int row = blockIdx.y * EDGE + threadIdx.y;
    float sum = 0;

    for (int tile = 0; tile < INNER / EDGE; tile++) {
        a[threadIdx.y][threadIdx.x] = d_A[row][tile * EDGE + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = d_B[tile * EDGE + threadIdx.y][column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EDGE; k++) {
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        }
        __syncthreads();
    }
    d_C[row][column] = sum;
}

template <int INNER> __global__ void multiply()
{
    switch (BLOCK_SIZE) {
    case 8:
        multiply_tiles<8, INNER>();
        break;
    case 16:
        multiply_tiles<16, INNER>();
        break;
    case 32:
        multiply_tiles<32, INNER>();
        break;
    }
}

static int tile_bytes(int threads)
{
    return threads * 2 * static_cast<int>(sizeof(float));
}

int main()
{
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&blocks, &threads, multiply<A_WIDTH>,
                                                   tile_bytes);
    const int edge = 1 << static_cast<int>(std::log2(threads) / 2);
    std::printf("Block size: %d\n", edge);
    cudaMemcpyToSymbol(BLOCK_SIZE, &edge, sizeof edge);
    multiply<A_WIDTH><<<dim3(B_WIDTH / edge, A_HEIGHT / edge), dim3(edge, edge),
                        tile_bytes(edge * edge)>>>();
    cudaDeviceSynchronize();
    return 0;
}
