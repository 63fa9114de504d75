/* managed_variables.h: GPUGRADE_MANAGED(NAME), which follows the variable gpugrade_managed_NAME of
 * the device in the place of `__managed__ TYPE NAME` (grader/clang/nvcc_spellings.h): NAME itself.
 *
 *   device  a constant reference, of which no code is made
 *   host    a reference to memory of the host's, which the stand-in runtime has once the program
 *           has registered the variable: before main(), after the constructors of the same file
 */
#ifndef GPUGRADE_CUDA_HEADERS_MANAGED_VARIABLES_H
#define GPUGRADE_CUDA_HEADERS_MANAGED_VARIABLES_H

#ifdef __CUDA_ARCH__
#define GPUGRADE_MANAGED(name)                                                                     \
    static constexpr decltype(gpugrade_managed_##name) &name = gpugrade_managed_##name
#else
extern "C" void __cudaRegisterManagedVar(void **handle, void **host_pointer, char *symbol,
                                         const char *name, int is_extern, size_t bytes,
                                         int is_constant, int is_global);

/* A reference is stored as a pointer is, which the runtime sets. */
#define GPUGRADE_MANAGED(name)                                                                     \
    static void *gpugrade_place_##name __asm__("gpugrade_place_" #name);                           \
    extern decltype(gpugrade_managed_##name) &name __asm__("gpugrade_place_" #name);               \
    static const int gpugrade_is_managed_##name =                                                  \
        (__cudaRegisterManagedVar(nullptr, &gpugrade_place_##name,                                 \
                                  (char *)&gpugrade_managed_##name, #name, 0,                      \
                                  sizeof gpugrade_managed_##name, 0, 1),                           \
         1)
#endif

#endif
