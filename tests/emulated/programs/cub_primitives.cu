// Primitives of cub: for a warp, for a block, for the whole device.
#include "../kernel_program.h"

#include <cub/cub.cuh>

__global__ void reduce_blocks(const int *values, int *sums)
{
    using reduce = cub::BlockReduce<int, 128>;
    __shared__ typename reduce::TempStorage storage;
    int sum = reduce(storage).Sum(values[blockIdx.x * 128 + threadIdx.x]);

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
    }
}

__global__ void scan_block(const int *values, int *sums)
{
    using scan = cub::BlockScan<int, 256>;
    __shared__ typename scan::TempStorage storage;
    int items[2] = {values[2 * threadIdx.x], values[2 * threadIdx.x + 1]};

    scan(storage).InclusiveSum(items, items);
    sums[2 * threadIdx.x] = items[0];
    sums[2 * threadIdx.x + 1] = items[1];
}

__global__ void sum_warps(const int *values, int *sums)
{
    using reduce = cub::WarpReduce<int>;
    __shared__ typename reduce::TempStorage storage[4];
    int sum = reduce(storage[threadIdx.x / 32]).Sum(values[threadIdx.x]);

    if (threadIdx.x % 32 == 0) {
        sums[threadIdx.x / 32] = sum;
    }
}

static int host_sum(int first, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += input_value(first + i);
    }
    return sum;
}

int main()
{
    const int count = 2048;
    int *values = new_input<int>(count), *out = new_output<int>(count), host[count];
    void *scratch = nullptr;
    size_t bytes = 0;

    reduce_blocks<<<count / 128, 128>>>(values, out);
    CHECK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    printf("block: %d %d\n", host[0] == host_sum(0, 128), host[15] == host_sum(15 * 128, 128));
    scan_block<<<1, 256>>>(values, out);
    CHECK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    printf("scan: %d %d\n", host[100] == host_sum(0, 101), host[511] == host_sum(0, 512));
    sum_warps<<<1, 128>>>(values, out);
    CHECK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    printf("warp: %d %d\n", host[0] == host_sum(0, 32), host[3] == host_sum(96, 32));

    CHECK(cub::DeviceReduce::Sum(scratch, bytes, values, out, count));
    CHECK(cudaMalloc(&scratch, bytes));
    CHECK(cub::DeviceReduce::Sum(scratch, bytes, values, out, count));
    CHECK(cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("device: %d\n", host[0] == host_sum(0, count));
    CHECK(cudaFree(scratch));
    scratch = nullptr;
    CHECK(cub::DeviceRadixSort::SortKeys(scratch, bytes, values, out, count));
    CHECK(cudaMalloc(&scratch, bytes));
    CHECK(cub::DeviceRadixSort::SortKeys(scratch, bytes, values, out, count));
    CHECK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 1; i < count; i++) {
        wrong += host[i - 1] > host[i];
    }
    printf("sorted: %d wrong\n", wrong);
    CHECK(cudaFree(scratch));
    CHECK(cudaFree(values));
    CHECK(cudaFree(out));
    return 0;
}
