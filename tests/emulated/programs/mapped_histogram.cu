// Pinned, mapped and registered host memory that kernels read and write directly.
#include "../kernel_program.h"

#include <vector>

__global__ void histogram(const unsigned *values, unsigned *bins, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count) {
        atomicAdd(&bins[values[i] % 8], 1u);
    }
}

struct batch {
    const unsigned *values;
    unsigned *bins;
    int count;
};

__global__ void histogram_of(const batch *work)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < work->count) {
        atomicAdd(&work->bins[work->values[i] % 8], 1u);
    }
}

static void print(const char *name, const unsigned *bins)
{
    printf("%s:", name);
    for (int i = 0; i < 8; i++) {
        printf(" %u", bins[i]);
    }
    printf("\n");
}

int main()
{
    const int count = 5000;
    unsigned *mapped, *mapped_device, *pinned, *pinned_device;
    std::vector<unsigned> registered(2 * count);
    unsigned *registered_device;

    CHECK(cudaHostAlloc(&mapped, count * sizeof(unsigned), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&mapped_device, mapped, 0));
    CHECK(cudaMallocHost(&pinned, 8 * sizeof(unsigned)));
    CHECK(cudaHostGetDevicePointer(&pinned_device, pinned, 0));
    printf("one address for both sides: %d\n", mapped == mapped_device && pinned == pinned_device);
    for (int i = 0; i < count; i++) {
        mapped[i] = input_value(i);
        registered[i] = mapped[i] + 1;
    }
    for (int i = 0; i < 8; i++) {
        pinned[i] = 0;
    }
    histogram<<<(count + 255) / 256, 256>>>(mapped_device, pinned_device, count);
    CHECK(cudaDeviceSynchronize());
    print("mapped", pinned);

    // The host changes what the kernel sees, without any copy.
    for (int i = 0; i < count; i++) {
        mapped[i] = 3;
    }
    histogram<<<(count + 255) / 256, 256>>>(mapped, pinned, count);
    CHECK(cudaDeviceSynchronize());
    print("changed", pinned);

    // Memory of the program's own; the bins lie behind the values.
    CHECK(cudaHostRegister(registered.data(), registered.size() * sizeof(unsigned),
                           cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&registered_device, registered.data(), 0));
    histogram<<<(count + 255) / 256, 256>>>(registered_device, registered_device + count, count);
    CHECK(cudaDeviceSynchronize());
    print("registered", registered.data() + count);
    histogram<<<(count + 255) / 256, 256>>>(registered.data(), registered.data() + count, count);
    CHECK(cudaDeviceSynchronize());
    print("by its own address", registered.data() + count);
    printf("twice: %s\n",
           cudaGetErrorName(cudaHostRegister(registered.data(), 4, cudaHostRegisterDefault)));
    cudaGetLastError();
    CHECK(cudaHostUnregister(registered.data()));

    // A kernel that finds the addresses in device memory.
    unsigned *late, *bins;
    batch *work, host_work;
    CHECK(cudaMallocHost(&late, count * sizeof(unsigned)));
    CHECK(cudaMallocHost(&bins, 8 * sizeof(unsigned)));
    CHECK(cudaMalloc(&work, sizeof(batch)));
    for (int i = 0; i < count; i++) {
        late[i] = i;
    }
    CHECK(cudaMemset(bins, 0, 8 * sizeof(unsigned)));
    host_work = {late, bins, count};
    CHECK(cudaMemcpy(work, &host_work, sizeof(batch), cudaMemcpyHostToDevice));
    histogram_of<<<(count + 255) / 256, 256>>>(work);
    CHECK(cudaDeviceSynchronize());
    print("by a pointer in device memory", bins);

    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, late + 1));
    printf("host memory: %d, on the device at +%d\n", attributes.type == cudaMemoryTypeHost,
           (int)((unsigned *)attributes.devicePointer - late));
    CHECK(cudaFree(work));
    CHECK(cudaFreeHost(late));
    CHECK(cudaFreeHost(bins));
    CHECK(cudaFreeHost(mapped));
    CHECK(cudaFreeHost(pinned));
    return 0;
}
