/* block_barrier.h: the barrier of <cuda/barrier>: an instruction from 8.0 on, before that a word
 * that counts. */
#ifndef GPUGRADE_CUDA_HEADERS_BLOCK_BARRIER_H
#define GPUGRADE_CUDA_HEADERS_BLOCK_BARRIER_H

namespace cuda
{
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread,
};

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

/* Copies what one thread copies; it has arrived at the barrier with it only when it is done. */
template <class T, thread_scope Scope>
GPUGRADE_DEVICE void memcpy_async(T *to, const T *from, size_t bytes, barrier<Scope> &counted)
{
    const size_t both = (size_t)to | (size_t)from | bytes;
    const size_t word = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : both % 4 == 0 ? 4 : 0;
    if (word == 0) {
        for (size_t i = 0; i < bytes; i++) {
            ((char *)to)[i] = ((const char *)from)[i];
        }
    } else {
        for (size_t at = 0; at < bytes; at += word) {
            __pipeline_memcpy_async((char *)to + at, (const char *)from + at, word);
        }
    }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&counted.gpugrade_state))
                 : "memory");
#else
    (void)counted;
#endif
}
} // namespace cuda

#endif
