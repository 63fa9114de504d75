// Managed memory: allocations, __managed__ variables, a list of nodes, prefetches and advice.
#include "../kernel_program.h"

__managed__ int total;
__managed__ int weights[4] = {1, 2, 3, 4};

__global__ void sum(const int *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        atomicAdd(&total, values[i] * weights[i % 4]);
    }
}

struct node {
    int value;
    node *next;
};

__global__ void walk(const node *first, int *out)
{
    int all = 0;

    for (const node *at = first; at != nullptr; at = at->next) {
        all += at->value;
    }
    *out = all;
}

__global__ void twice(int *values, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        values[i] *= 2;
    }
}

int main()
{
    const int count = 10000;
    int *values, *out, expected = 0;

    CHECK(cudaMallocManaged(&values, count * sizeof(int)));
    CHECK(cudaMallocManaged(&out, sizeof(int)));
    for (int i = 0; i < count; i++) {
        values[i] = input_value(i);
        expected += values[i] * (i % 4 + 1);
    }
    cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
    CHECK(cudaMemAdvise(values, count * sizeof(int), cudaMemAdviseSetReadMostly, location));
    CHECK(cudaMemPrefetchAsync(values, count * sizeof(int), location, 0, 0));
    sum<<<(count + 255) / 256, 256>>>(values, count);
    CHECK(cudaDeviceSynchronize());
    printf("sum %d, expected %d\n", total, expected);

    // Two launches without a wait between them, then new values from the host.
    twice<<<(count + 255) / 256, 256>>>(values, count);
    twice<<<(count + 255) / 256, 256>>>(values, count);
    CHECK(cudaDeviceSynchronize());
    printf("four times: %d\n", values[77] == 4 * (int)input_value(77));
    values[77] = 5;
    weights[77 % 4] = 10;
    total = 0;
    sum<<<1, 78>>>(values, 78);
    CHECK(cudaDeviceSynchronize());
    for (int i = expected = 0; i < 78; i++) {
        expected += values[i] * weights[i % 4];
    }
    printf("sum %d, expected %d\n", total, expected);

    node *first = nullptr;
    for (int i = 1; i <= 100; i++) {
        node *added;
        CHECK(cudaMallocManaged(&added, sizeof(node)));
        added->value = i;
        added->next = first;
        first = added;
    }
    walk<<<1, 1>>>(first, out);
    CHECK(cudaDeviceSynchronize());
    printf("list %d\n", *out);
    while (first != nullptr) {
        node *next = first->next;
        CHECK(cudaFree(first));
        first = next;
    }

    // Copies with managed ends, also while the device has newer contents.
    int local[4] = {9, 9, 9, 9};
    twice<<<1, 4>>>(values, 4);
    CHECK(cudaMemcpy(local, values, sizeof(local), cudaMemcpyDefault));
    printf("copied %d\n", local[3] == 8 * (int)input_value(3));
    CHECK(cudaMemcpyToSymbol(weights, local, sizeof(local)));
    printf("symbol %d\n", weights[3] == local[3]);
    printf("too far: %s\n", cudaGetErrorName(cudaMemset(out, 0, sizeof(int) + 1)));
    cudaGetLastError();
    CHECK(cudaFree(values));
    CHECK(cudaFree(out));
    return 0;
}
