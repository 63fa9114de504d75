/* occupancy_on_gpu.cu: asks a real GPU's runtime how many blocks fit on a multiprocessor, for kernels
 * that need many or few registers and more or less shared memory.
 *
 * Prints a line for each combination, in the columns of occupancy.txt: registers of the kernel,
 * static and dynamic bytes of shared memory, whether its limit was raised, threads of a block,
 * blocks that fit.
 */
#include <cstdio>
#include <cstdlib>

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "occupancy_on_gpu: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* Keeps `live` values in registers across a loop that uses all of them. */
template <int live, int static_bytes>
__global__ void __maxnreg__(live + 24) work(const float *in, float *out, int rounds)
{
    __shared__ char tile[static_bytes + 1];
    float values[live];
    for (int i = 0; i < live; i++) {
        values[i] = in[i * 64 + threadIdx.x];
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < live; i++) {
            values[i] = values[i] * values[(i + 1) % live] + in[round];
        }
    }
    float sum = 0.0f;
    for (int i = 0; i < live; i++) {
        sum += values[i];
    }
    tile[threadIdx.x % (static_bytes + 1)] = (char)sum;
    __syncthreads();
    out[threadIdx.x] = sum + tile[0];
}

static void print_blocks(const void *kernel)
{
    static const int threads[] = {32, 96, 128, 256, 500, 1024};
    static const int dynamic_bytes[] = {0, 1000, 16384, 40000, 100000, 190000};
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, kernel));
    for (int bytes : dynamic_bytes) {
        const bool is_raised = bytes + attributes.sharedSizeBytes > 49152;
        if (is_raised) {
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
        }
        for (int block : threads) {
            int blocks = 0;
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, bytes));
            printf("%d %zu %d %d %d %d\n", attributes.numRegs, attributes.sharedSizeBytes, bytes,
                   is_raised, block, blocks);
        }
    }
}

template <int static_bytes> static void print_kernels(void)
{
    print_blocks((const void *)work<4, static_bytes>);
    print_blocks((const void *)work<16, static_bytes>);
    print_blocks((const void *)work<40, static_bytes>);
    print_blocks((const void *)work<72, static_bytes>);
    print_blocks((const void *)work<120, static_bytes>);
    print_blocks((const void *)work<200, static_bytes>);
}

int main()
{
    print_kernels<15>();
    print_kernels<2047>();
    print_kernels<9999>();
    print_kernels<32767>();
    return 0;
}
