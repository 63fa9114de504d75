/* device_atomics.h: atomic operations, for all threads of the device, of a block (_block) and of
 * the machine (_system). They return what was there before. */
#ifndef GPUGRADE_CUDA_HEADERS_DEVICE_ATOMICS_H
#define GPUGRADE_CUDA_HEADERS_DEVICE_ATOMICS_H

/* ATOMIC(name, type, function, scope): function is clang's. */
#define GPUGRADE_ATOMIC(name, type, function, scope)                                               \
    GPUGRADE_DEVICE type name##scope(type *address, type value)                                    \
    {                                                                                              \
        return function##scope(address, value);                                                    \
    }
#define GPUGRADE_ATOMICS_OF_INTEGERS(name, operation, scope)                                       \
    GPUGRADE_ATOMIC(name, int, __iAtomic##operation, scope)                                        \
    GPUGRADE_ATOMIC(name, unsigned, __uAtomic##operation, scope)                                   \
    GPUGRADE_ATOMIC(name, unsigned long long, __ullAtomic##operation, scope)
#define GPUGRADE_ATOMICS_OF_BITS(name, operation, scope)                                           \
    GPUGRADE_ATOMICS_OF_INTEGERS(name, operation, scope)                                           \
    GPUGRADE_ATOMIC(name, long long, __llAtomic##operation, scope)
#define GPUGRADE_ATOMICS_OF_ORDER(name, operation, scope)                                          \
    GPUGRADE_ATOMICS_OF_INTEGERS(name, operation, scope)                                           \
    GPUGRADE_ATOMIC(name, long long, __illAtomic##operation, scope)
#define GPUGRADE_COMPARE_AND_SWAP(type, function, scope)                                           \
    GPUGRADE_DEVICE type atomicCAS##scope(type *address, type compare, type value)                 \
    {                                                                                              \
        return function##scope(address, compare, value);                                           \
    }
#define GPUGRADE_ATOMICS(scope, suffix)                                                            \
    GPUGRADE_ATOMICS_OF_INTEGERS(atomicAdd, Add, scope)                                            \
    GPUGRADE_ATOMIC(atomicAdd, float, __fAtomicAdd, scope)                                         \
    GPUGRADE_ATOMIC(atomicAdd, double, __dAtomicAdd, scope)                                        \
    GPUGRADE_ATOMICS_OF_INTEGERS(atomicExch, Exch, scope)                                          \
    GPUGRADE_ATOMIC(atomicExch, float, __fAtomicExch, scope)                                       \
    GPUGRADE_ATOMICS_OF_ORDER(atomicMin, Min, scope)                                               \
    GPUGRADE_ATOMICS_OF_ORDER(atomicMax, Max, scope)                                               \
    GPUGRADE_ATOMICS_OF_BITS(atomicAnd, And, scope)                                                \
    GPUGRADE_ATOMICS_OF_BITS(atomicOr, Or, scope)                                                  \
    GPUGRADE_ATOMICS_OF_BITS(atomicXor, Xor, scope)                                                \
    GPUGRADE_ATOMIC(atomicInc, unsigned, __uAtomicInc, scope)                                      \
    GPUGRADE_ATOMIC(atomicDec, unsigned, __uAtomicDec, scope)                                      \
    GPUGRADE_COMPARE_AND_SWAP(int, __iAtomicCAS, scope)                                            \
    GPUGRADE_COMPARE_AND_SWAP(unsigned, __uAtomicCAS, scope)                                       \
    GPUGRADE_COMPARE_AND_SWAP(unsigned long long, __ullAtomicCAS, scope)                           \
    GPUGRADE_DEVICE unsigned short atomicCAS##scope(unsigned short *address,                       \
                                                    unsigned short compare, unsigned short value)  \
    {                                                                                              \
        unsigned short before;                                                                     \
        asm volatile("atom" suffix ".cas.b16 %0, [%1], %2, %3;"                                    \
                     : "=h"(before)                                                                \
                     : "l"(address), "h"(compare), "h"(value)                                      \
                     : "memory");                                                                  \
        return before;                                                                             \
    }                                                                                              \
    GPUGRADE_DEVICE int atomicSub##scope(int *address, int value)                                  \
    {                                                                                              \
        return __iAtomicAdd##scope(address, (int)(0u - (unsigned)value));                          \
    }                                                                                              \
    GPUGRADE_DEVICE unsigned atomicSub##scope(unsigned *address, unsigned value)                   \
    {                                                                                              \
        return __uAtomicAdd##scope(address, 0u - value);                                           \
    }

GPUGRADE_ATOMICS(, "")
GPUGRADE_ATOMICS(_block, ".cta")
GPUGRADE_ATOMICS(_system, ".sys")

#undef GPUGRADE_ATOMIC
#undef GPUGRADE_ATOMICS_OF_INTEGERS
#undef GPUGRADE_ATOMICS_OF_BITS
#undef GPUGRADE_ATOMICS_OF_ORDER
#undef GPUGRADE_COMPARE_AND_SWAP
#undef GPUGRADE_ATOMICS

#endif
