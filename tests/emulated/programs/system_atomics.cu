// Host code adds to managed memory while a kernel does, as the sample systemWideAtomics: both are in
// the sum, though the host did not wait.
// finding: race
// says: may still update
#include "../kernel_program.h"

__global__ void add(int *sums)
{
    atomicAdd_system(&sums[0], 1);
    atomicMax_system(&sums[1], (int)threadIdx.x);
    sums[1500] = 7;
}

int main()
{
    int *sums;

    CHECK(cudaMallocManaged(&sums, 2048 * sizeof(int)));
    sums[0] = sums[1] = 0;
    add<<<1, 64>>>(sums);
    for (int i = 0; i < 10; i++) {
        __sync_fetch_and_add(&sums[0], 1);
    }
    sums[2] = 5;
    CHECK(cudaDeviceSynchronize());
    printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[1500]);
    add<<<1, 64>>>(sums);
    sums[2000] = 9; // another page
    CHECK(cudaDeviceSynchronize());
    printf("%d %d %d\n", sums[0], sums[2], sums[2000]);
    CHECK(cudaFree(sums));
    return 0;
}
