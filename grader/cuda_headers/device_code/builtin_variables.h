/* builtin_variables.h: threadIdx, blockIdx, blockDim and gridDim. A member is a property whose
 * value is a register of the thread's, so a copy of one of them has the same members. */
#ifndef GPUGRADE_CUDA_HEADERS_BUILTIN_VARIABLES_H
#define GPUGRADE_CUDA_HEADERS_BUILTIN_VARIABLES_H

#define GPUGRADE_MEMBER(variable, builtin, member)                                                 \
    __declspec(property(get = gpugrade_##member)) unsigned member;                                 \
    static __device__ __inline__ GPUGRADE_INLINE unsigned gpugrade_##member()                      \
    {                                                                                              \
        return (unsigned)__nvvm_read_ptx_sreg_##builtin##_##member();                              \
    }
#define GPUGRADE_VARIABLE(variable, builtin)                                                       \
    struct __cuda_builtin_##variable##_t {                                                         \
        GPUGRADE_MEMBER(variable, builtin, x)                                                      \
        GPUGRADE_MEMBER(variable, builtin, y)                                                      \
        GPUGRADE_MEMBER(variable, builtin, z)                                                      \
        __device__ __inline__ GPUGRADE_INLINE operator dim3() const                                \
        {                                                                                          \
            return dim3(x, y, z);                                                                  \
        }                                                                                          \
        __device__ __inline__ GPUGRADE_INLINE operator uint3() const                               \
        {                                                                                          \
            return uint3{x, y, z};                                                                 \
        }                                                                                          \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) __cuda_builtin_##variable##_t variable;
GPUGRADE_VARIABLE(threadIdx, tid)
GPUGRADE_VARIABLE(blockIdx, ctaid)
GPUGRADE_VARIABLE(blockDim, ntid)
GPUGRADE_VARIABLE(gridDim, nctaid)
#undef GPUGRADE_VARIABLE
#undef GPUGRADE_MEMBER

__device__ const int warpSize = 32;

#endif
