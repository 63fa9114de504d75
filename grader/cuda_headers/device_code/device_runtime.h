/* device_runtime.h: functions that device code calls by name and the device executes itself:
 * printf, assert, malloc; and what threads of a block wait for. */
#ifndef GPUGRADE_CUDA_HEADERS_DEVICE_RUNTIME_H
#define GPUGRADE_CUDA_HEADERS_DEVICE_RUNTIME_H

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...); /* clang makes a vprintf of it */
__device__ void *malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void __assertfail(const char *condition, const char *file, unsigned line,
                             const char *function, size_t character_bytes);

/* Sets the value of a conditional node of the graph that is running. */
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);

/* What the host's assert calls. */
GPUGRADE_DEVICE void __assert_fail(const char *condition, const char *file, unsigned line,
                                   const char *function)
{
    __assertfail(condition, file, line, function, sizeof(char));
}

/* How many blocks <<<>>> starts, and with what. Compiling for the device clang looks for the call
 * of old toolkits, and never makes it. */
#ifdef __CUDA_ARCH__
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                      struct CUstream_st *stream = 0);
#endif
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                     struct CUstream_st *stream = 0);
}

namespace std
{
using ::free;
using ::malloc;
using ::printf;
} // namespace std

/* new and delete of device code call malloc and free. */
#include <new>

GPUGRADE_DEVICE void __nanosleep(unsigned ns)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}

#endif
