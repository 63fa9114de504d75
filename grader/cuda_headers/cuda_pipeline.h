/* cuda_pipeline.h: copies from global to shared memory that a thread starts now and waits for
 * later. Devices before 8.0 have none: there a thread copies at once. Sizes are in bytes: 4, 8 or
 * 16. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_PIPELINE_H
#define GPUGRADE_CUDA_HEADERS_CUDA_PIPELINE_H

#include <cuda_runtime.h>

#if defined(__cplusplus) && defined(__CUDA__)
/* The last `zeros` bytes are not read but filled with zero. */
GPUGRADE_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                             size_t zeros = 0)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    const unsigned target = (unsigned)__cvta_generic_to_shared(shared);
    const size_t source = __cvta_generic_to_global(global);
    const unsigned read = (unsigned)(bytes - zeros);
    if (bytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(source),
                     "r"(read)
                     : "memory");
    } else if (bytes == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(target), "l"(source),
                     "r"(read)
                     : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(source),
                     "r"(read)
                     : "memory");
    }
#else
    if (zeros == 0 && bytes == 16) {
        *(uint4 *)shared = *(const uint4 *)global;
    } else if (zeros == 0 && bytes == 8) {
        *(uint2 *)shared = *(const uint2 *)global;
    } else if (zeros == 0 && bytes == 4) {
        *(unsigned *)shared = *(const unsigned *)global;
    } else {
        for (size_t i = 0; i < bytes; i++) {
            ((char *)shared)[i] = i < bytes - zeros ? ((const char *)global)[i] : (char)0;
        }
    }
#endif
}
GPUGRADE_DEVICE void __pipeline_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/* Waits for all batches but the last `batches`, eight at most. */
GPUGRADE_DEVICE void __pipeline_wait_prior(size_t batches)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    switch (batches) {
    case 0:
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        break;
    case 1:
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        break;
    case 2:
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        break;
    case 3:
        asm volatile("cp.async.wait_group 3;" ::: "memory");
        break;
    case 4:
        asm volatile("cp.async.wait_group 4;" ::: "memory");
        break;
    case 5:
        asm volatile("cp.async.wait_group 5;" ::: "memory");
        break;
    case 6:
        asm volatile("cp.async.wait_group 6;" ::: "memory");
        break;
    case 7:
        asm volatile("cp.async.wait_group 7;" ::: "memory");
        break;
    default:
        asm volatile("cp.async.wait_group 8;" ::: "memory");
        break;
    }
#else
    (void)batches;
#endif
}
#endif

#endif
