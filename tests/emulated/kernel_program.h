/* kernel_program.h: what the programs in pass/ and fail/ share: their input, and the line they print.
 *
 * Inputs are small whole numbers that depend on nothing, so sums of them are exact in any order in
 * float too, and two devices must agree on every bit of the result.
 */
#ifndef GPUGRADE_TESTS_KERNEL_PROGRAM_H
#define GPUGRADE_TESTS_KERNEL_PROGRAM_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call) check((call), __LINE__)

/* Ends the program if a call failed. */
static inline void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorName(error));
        exit(1);
    }
}

/* Number `index` of the input, 0 to 250. */
static inline unsigned input_value(size_t index)
{
    uint32_t mixed = (uint32_t)index * 2654435761u;
    return ((mixed ^ mixed >> 15) * 2246822519u >> 8) % 251;
}

/* Allocates `count` values of device memory and fills them with the input. */
template <typename T> static T *new_input(size_t count)
{
    T *host = (T *)malloc(count * sizeof(T));
    T *device = nullptr;
    for (size_t i = 0; i < count; i++) {
        host[i] = (T)input_value(i);
    }
    CHECK(cudaMalloc(&device, count * sizeof(T)));
    CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    free(host);
    return device;
}

/* Allocates `count` values of device memory and clears them. */
template <typename T> static T *new_output(size_t count)
{
    T *device = nullptr;
    CHECK(cudaMalloc(&device, count * sizeof(T)));
    CHECK(cudaMemset(device, 0, count * sizeof(T)));
    return device;
}

/* Waits for the kernels and prints `name`, the size and the FNV-1a hash of the result. */
template <typename T> static void print_result(const char *name, const T *device, size_t count)
{
    T *host = (T *)malloc(count * sizeof(T));
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < count * sizeof(T); i++) {
        hash = (hash ^ ((const unsigned char *)host)[i]) * UINT64_C(1099511628211);
    }
    printf("%s: %zu bytes, hash %016llx\n", name, count * sizeof(T), (unsigned long long)hash);
    free(host);
}

#endif
