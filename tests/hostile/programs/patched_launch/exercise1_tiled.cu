/* Overwrites the stand-in's cudaLaunchKernel and cudaMemcpy in memory: they return success at once.
 */
#define ATTACK_AT_LAUNCH patch
#include "honest_ends.cuh"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static void patch_function(void *function)
{
#if defined(__x86_64__)
    static const unsigned char code[] = {0x31, 0xc0, 0xc3}; /* xor eax, eax; ret */
#else
    static const unsigned char code[] = {0, 0, 0x80, 0x52, 0xc0, 0x03, 0x5f, 0xd6};
#endif
    const uintptr_t page = (uintptr_t)function & ~(uintptr_t)4095;
    if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        memcpy(function, code, sizeof code);
        __builtin___clear_cache((char *)function, (char *)function + sizeof code);
    }
}

static void patch(void)
{
    patch_function((void *)(cudaError_t(*)(const void *, dim3, dim3, void **, size_t,
                                           cudaStream_t))cudaLaunchKernel);
    patch_function((void *)(cudaError_t(*)(void))cudaDeviceSynchronize);
}
