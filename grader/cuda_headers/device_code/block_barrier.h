/* block_barrier.h: the barrier of <cuda/barrier>: an instruction from 8.0 on, before that a word
 * that counts. */
#ifndef GPUGRADE_CUDA_HEADERS_BLOCK_BARRIER_H
#define GPUGRADE_CUDA_HEADERS_BLOCK_BARRIER_H

#include <device_code/async_copy.h>
#include <device_code/thread_scope.h>

namespace cuda
{

template <thread_scope Scope> class barrier
{
  public:
    typedef unsigned long long arrival_token;

    /* On 8.0 and newer the instructions' own; else the round and how many are still awaited, 32
     * bits each, and how many are expected. Nothing until init. */
    unsigned long long gpugrade_state;
    unsigned long long gpugrade_expected;

    barrier() = default;
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    __device__ __inline__ GPUGRADE_INLINE arrival_token arrive()
    {
        unsigned long long before;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
                     : "=l"(before)
                     : "r"((unsigned)__cvta_generic_to_shared(&gpugrade_state))
                     : "memory");
        return before;
#else
        asm volatile("atom.add.acq_rel.cta.u64 %0, [%1], %2;"
                     : "=l"(before)
                     : "l"(&gpugrade_state), "l"(~0ull)
                     : "memory");
        if ((unsigned)before == 1) {
            unsigned long long ignored;
            asm volatile("atom.add.acq_rel.cta.u64 %0, [%1], %2;"
                         : "=l"(ignored)
                         : "l"(&gpugrade_state), "l"((1ull << 32) + gpugrade_expected)
                         : "memory");
        }
        return before >> 32;
#endif
    }
    __device__ __inline__ GPUGRADE_INLINE void wait(arrival_token &&token) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        unsigned is_over;
        do {
            asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; "
                         "selp.u32 %0, 1, 0, p;}"
                         : "=r"(is_over)
                         : "r"((unsigned)__cvta_generic_to_shared(&gpugrade_state)), "l"(token)
                         : "memory");
        } while (is_over == 0);
#else
        unsigned long long now;
        do {
            asm volatile("ld.acquire.cta.u64 %0, [%1];"
                         : "=l"(now)
                         : "l"(&gpugrade_state)
                         : "memory");
        } while (now >> 32 == token);
#endif
    }
    /* Waits for the end of the round of that parity, the first one's being 0. */
    __device__ __inline__ GPUGRADE_INLINE void wait_parity(bool parity) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        unsigned is_over;
        do {
            asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
                         "selp.u32 %0, 1, 0, p;}"
                         : "=r"(is_over)
                         : "r"((unsigned)__cvta_generic_to_shared(&gpugrade_state)),
                           "r"((unsigned)parity)
                         : "memory");
        } while (is_over == 0);
#else
        unsigned long long now;
        do {
            asm volatile("ld.acquire.cta.u64 %0, [%1];"
                         : "=l"(now)
                         : "l"(&gpugrade_state)
                         : "memory");
        } while ((now >> 32 & 1) == parity);
#endif
    }
    __device__ __inline__ GPUGRADE_INLINE void arrive_and_wait()
    {
        wait(arrive());
    }

    friend __device__ __inline__ GPUGRADE_INLINE void init(barrier *made, long long expected)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&made->gpugrade_state)),
                     "r"((unsigned)expected)
                     : "memory");
#else
        made->gpugrade_state = (unsigned long long)expected;
        made->gpugrade_expected = (unsigned long long)expected;
#endif
    }
};

/* The calling thread's copies so far: it has arrived with them only when they are done. */
template <thread_scope Scope> GPUGRADE_DEVICE void gpugrade_count_copies(barrier<Scope> &counted)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&counted.gpugrade_state))
                 : "memory");
#else
    (void)counted;
#endif
}
/* Copies of one thread, and of a group's threads together. */
template <class T, thread_scope Scope>
GPUGRADE_DEVICE void memcpy_async(T *to, const T *from, size_t bytes, barrier<Scope> &counted)
{
    gpugrade_copy(to, from, bytes, 0, 1);
    gpugrade_count_copies(counted);
}
template <class Group, class T, thread_scope Scope>
GPUGRADE_DEVICE void memcpy_async(const Group &group, T *to, const T *from, size_t bytes,
                                  barrier<Scope> &counted)
{
    gpugrade_copy(to, from, bytes, group.thread_rank(), group.num_threads());
    gpugrade_count_copies(counted);
}
} // namespace cuda

#endif
