/* scoped_atomic.h: cuda::atomic and cuda::atomic_ref of numbers and pointers. On the device an
 * operation is a relaxed one of its scope, with fences before and after it as its order asks. */
#ifndef GPUGRADE_CUDA_HEADERS_SCOPED_ATOMIC_H
#define GPUGRADE_CUDA_HEADERS_SCOPED_ATOMIC_H

#include <atomic>
#include <type_traits>

#include <device_code/thread_scope.h>

#define GPUGRADE_BOTH __host__ __device__ __inline__ GPUGRADE_INLINE

namespace cuda
{
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

GPUGRADE_HOST_DEVICE void atomic_thread_fence(memory_order order,
                                              thread_scope scope = thread_scope_system)
{
#ifdef __CUDA_ARCH__
    if (order == memory_order_relaxed) {
        return;
    }
    if (scope == thread_scope_system) {
        __threadfence_system();
    } else if (scope == thread_scope_device) {
        __threadfence();
    } else {
        __threadfence_block();
    }
#else
    (void)scope;
    __atomic_thread_fence((int)order);
#endif
}

namespace gpugrade
{
/* The word that instructions take for a value of 4 or 8 bytes, and the number that they add or
 * compare. */
template <class T> using word = ::std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
template <class T>
using number = ::std::conditional_t<
    ::std::is_floating_point<T>::value, T,
    ::std::conditional_t<::std::is_signed<T>::value,
                         ::std::conditional_t<sizeof(T) == 8, long long, int>, word<T>>>;

/* One relaxed operation on the device; f is a function of its scope. */
#define GPUGRADE_SCOPED(name, type, parameters, f, arguments)                                      \
    template <thread_scope Scope> GPUGRADE_DEVICE type name parameters                             \
    {                                                                                              \
        return Scope == thread_scope_system   ? f##_system arguments                               \
               : Scope == thread_scope_device ? f arguments                                        \
                                              : f##_block arguments;                               \
    }
#define GPUGRADE_SCOPED_OF(name, f, type)                                                          \
    GPUGRADE_SCOPED(name, type, (type * place, type value), f, (place, value))
#define GPUGRADE_SCOPED_WORDS(type)                                                                \
    GPUGRADE_SCOPED_OF(exchange, atomicExch, type)                                                 \
    GPUGRADE_SCOPED_OF(bit_and, atomicAnd, type)                                                   \
    GPUGRADE_SCOPED_OF(bit_or, atomicOr, type)                                                     \
    GPUGRADE_SCOPED_OF(bit_xor, atomicXor, type)                                                   \
    GPUGRADE_SCOPED(compare_and_swap, type, (type * place, type expected, type value), atomicCAS,  \
                    (place, expected, value))
#define GPUGRADE_SCOPED_NUMBERS(type)                                                              \
    GPUGRADE_SCOPED_OF(least, atomicMin, type)                                                     \
    GPUGRADE_SCOPED_OF(greatest, atomicMax, type)
GPUGRADE_SCOPED_WORDS(unsigned)
GPUGRADE_SCOPED_WORDS(unsigned long long)
GPUGRADE_SCOPED_NUMBERS(int)
GPUGRADE_SCOPED_NUMBERS(unsigned)
GPUGRADE_SCOPED_NUMBERS(long long)
GPUGRADE_SCOPED_NUMBERS(unsigned long long)
GPUGRADE_SCOPED_OF(add, atomicAdd, int)
GPUGRADE_SCOPED_OF(add, atomicAdd, unsigned)
GPUGRADE_SCOPED_OF(add, atomicAdd, unsigned long long)
GPUGRADE_SCOPED_OF(add, atomicAdd, float)
GPUGRADE_SCOPED_OF(add, atomicAdd, double)
template <thread_scope Scope> GPUGRADE_DEVICE long long add(long long *place, long long value)
{
    return (long long)add<Scope>((unsigned long long *)place, (unsigned long long)value);
}
#undef GPUGRADE_SCOPED_NUMBERS
#undef GPUGRADE_SCOPED_WORDS
#undef GPUGRADE_SCOPED_OF
#undef GPUGRADE_SCOPED

#define GPUGRADE_ACCESS(scope, bits, reg)                                                          \
    {                                                                                              \
        asm volatile("ld.relaxed." scope ".b" bits " %0, [%1];"                                    \
                     : "=" reg(value)                                                              \
                     : "l"(place)                                                                  \
                     : "memory");                                                                  \
    }
#define GPUGRADE_LOAD(type, bits, reg)                                                             \
    template <thread_scope Scope> GPUGRADE_DEVICE type load(const type *place)                     \
    {                                                                                              \
        type value;                                                                                \
        if (Scope == thread_scope_system)                                                          \
            GPUGRADE_ACCESS("sys", bits, reg)                                                      \
        else if (Scope == thread_scope_device)                                                     \
            GPUGRADE_ACCESS("gpu", bits, reg)                                                      \
        else                                                                                       \
            GPUGRADE_ACCESS("cta", bits, reg)                                                      \
        return value;                                                                              \
    }
GPUGRADE_LOAD(unsigned, "32", "r")
GPUGRADE_LOAD(unsigned long long, "64", "l")
#undef GPUGRADE_LOAD
#undef GPUGRADE_ACCESS
#define GPUGRADE_ACCESS(scope, bits, reg)                                                          \
    {                                                                                              \
        asm volatile("st.relaxed." scope ".b" bits " [%0], %1;" ::"l"(place), reg(value)           \
                     : "memory");                                                                  \
    }
#define GPUGRADE_STORE(type, bits, reg)                                                            \
    template <thread_scope Scope> GPUGRADE_DEVICE void store(type *place, type value)              \
    {                                                                                              \
        if (Scope == thread_scope_system)                                                          \
            GPUGRADE_ACCESS("sys", bits, reg)                                                      \
        else if (Scope == thread_scope_device)                                                     \
            GPUGRADE_ACCESS("gpu", bits, reg)                                                      \
        else                                                                                       \
            GPUGRADE_ACCESS("cta", bits, reg)                                                      \
    }
GPUGRADE_STORE(unsigned, "32", "r")
GPUGRADE_STORE(unsigned long long, "64", "l")
#undef GPUGRADE_STORE
#undef GPUGRADE_ACCESS

/* What both classes do, at a place that Self knows. */
template <class T, thread_scope Scope, class Self> class operations
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                  "atomic operations are on values of 4 and 8 bytes");
    typedef word<T> bits;

    GPUGRADE_BOTH T *place() const
    {
        return static_cast<const Self *>(this)->gpugrade_place();
    }
    GPUGRADE_BOTH static bits bits_of(T value)
    {
        return __builtin_bit_cast(bits, value);
    }
    GPUGRADE_BOTH static T value_of(bits value)
    {
        return __builtin_bit_cast(T, value);
    }
    GPUGRADE_BOTH static void before(memory_order order)
    {
        if (order == memory_order_release || order == memory_order_acq_rel ||
            order == memory_order_seq_cst) {
            atomic_thread_fence(order, Scope);
        }
    }
    GPUGRADE_BOTH static void after(memory_order order)
    {
        if (order != memory_order_relaxed && order != memory_order_release) {
            atomic_thread_fence(order, Scope);
        }
    }

  public:
    typedef T value_type;

    GPUGRADE_BOTH T load(memory_order order = memory_order_seq_cst) const
    {
#ifdef __CUDA_ARCH__
        if (order == memory_order_seq_cst) {
            atomic_thread_fence(order, Scope);
        }
        bits found = gpugrade::load<Scope>((const bits *)place());
        after(order);
        return value_of(found);
#else
        T found;
        __atomic_load(place(), &found, (int)order);
        return found;
#endif
    }
    GPUGRADE_BOTH void store(T value, memory_order order = memory_order_seq_cst) const
    {
#ifdef __CUDA_ARCH__
        before(order);
        gpugrade::store<Scope>((bits *)place(), bits_of(value));
#else
        __atomic_store(place(), &value, (int)order);
#endif
    }
    GPUGRADE_BOTH T exchange(T value, memory_order order = memory_order_seq_cst) const
    {
#ifdef __CUDA_ARCH__
        before(order);
        bits found = gpugrade::exchange<Scope>((bits *)place(), bits_of(value));
        after(order);
        return value_of(found);
#else
        T found;
        __atomic_exchange(place(), &value, &found, (int)order);
        return found;
#endif
    }
    GPUGRADE_BOTH bool compare_exchange_strong(T &expected, T value,
                                               memory_order order = memory_order_seq_cst) const
    {
#ifdef __CUDA_ARCH__
        before(order);
        bits wanted = bits_of(expected);
        bits found = gpugrade::compare_and_swap<Scope>((bits *)place(), wanted, bits_of(value));
        after(order);
        if (found != wanted) {
            expected = value_of(found);
        }
        return found == wanted;
#else
        return __atomic_compare_exchange(place(), &expected, &value, false, (int)order,
                                         (int)memory_order_relaxed);
#endif
    }
    GPUGRADE_BOTH bool compare_exchange_strong(T &expected, T value, memory_order success,
                                               memory_order) const
    {
        return compare_exchange_strong(expected, value, success);
    }
    template <class... Orders>
    GPUGRADE_BOTH bool compare_exchange_weak(T &expected, T value, Orders... orders) const
    {
        return compare_exchange_strong(expected, value, orders...);
    }

/* A function that gives what was there before; without an instruction of its own it is repeated
 * until no other thread was faster. */
#define GPUGRADE_REPEATED(result)                                                                  \
    T found = load(memory_order_relaxed);                                                          \
    while (!compare_exchange_strong(found, (T)(result), order)) {                                  \
    }                                                                                              \
    return found;
#ifdef __CUDA_ARCH__
#define GPUGRADE_INSTRUCTION(function, type, result)                                               \
    before(order);                                                                                 \
    T found = __builtin_bit_cast(                                                                  \
        T, gpugrade::function<Scope>((type *)place(), __builtin_bit_cast(type, value)));           \
    after(order);                                                                                  \
    return found;
#else
#define GPUGRADE_INSTRUCTION(function, type, result) GPUGRADE_REPEATED(result)
#endif
#define GPUGRADE_FETCH(name, body)                                                                 \
    GPUGRADE_BOTH T name(T value, memory_order order = memory_order_seq_cst) const                 \
    {                                                                                              \
        body                                                                                       \
    }
    GPUGRADE_FETCH(fetch_add, GPUGRADE_INSTRUCTION(add, number<T>, found + value))
    GPUGRADE_FETCH(fetch_and, GPUGRADE_INSTRUCTION(bit_and, bits, found &value))
    GPUGRADE_FETCH(fetch_or, GPUGRADE_INSTRUCTION(bit_or, bits, found | value))
    GPUGRADE_FETCH(fetch_xor, GPUGRADE_INSTRUCTION(bit_xor, bits, found ^ value))
    GPUGRADE_FETCH(fetch_min, GPUGRADE_REPEATED(value < found ? value : found))
    GPUGRADE_FETCH(fetch_max, GPUGRADE_REPEATED(found < value ? value : found))
#undef GPUGRADE_FETCH
#undef GPUGRADE_INSTRUCTION
#undef GPUGRADE_REPEATED
    GPUGRADE_BOTH T fetch_sub(T value, memory_order order = memory_order_seq_cst) const
    {
        return fetch_add((T)(0 - value), order);
    }

    GPUGRADE_BOTH T operator=(T value) const
    {
        store(value);
        return value;
    }
    GPUGRADE_BOTH operator T() const
    {
        return load();
    }
    GPUGRADE_BOTH T operator++() const
    {
        return fetch_add((T)1) + (T)1;
    }
    GPUGRADE_BOTH T operator++(int) const
    {
        return fetch_add((T)1);
    }
    GPUGRADE_BOTH T operator--() const
    {
        return fetch_sub((T)1) - (T)1;
    }
    GPUGRADE_BOTH T operator--(int) const
    {
        return fetch_sub((T)1);
    }
    GPUGRADE_BOTH T operator+=(T value) const
    {
        return fetch_add(value) + value;
    }
    GPUGRADE_BOTH T operator-=(T value) const
    {
        return fetch_sub(value) - value;
    }
    GPUGRADE_BOTH T operator&=(T value) const
    {
        return fetch_and(value) & value;
    }
    GPUGRADE_BOTH T operator|=(T value) const
    {
        return fetch_or(value) | value;
    }
    GPUGRADE_BOTH T operator^=(T value) const
    {
        return fetch_xor(value) ^ value;
    }
    /* Until another thread has changed it, which needs no notice. */
    GPUGRADE_BOTH void wait(T old, memory_order order = memory_order_seq_cst) const
    {
        while (load(order) == old) {
        }
    }
    GPUGRADE_BOTH void notify_one() const
    {
    }
    GPUGRADE_BOTH void notify_all() const
    {
    }
    GPUGRADE_BOTH static constexpr bool is_lock_free()
    {
        return true;
    }
};
} // namespace gpugrade

/* A value of its own. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public gpugrade::operations<T, Scope, atomic<T, Scope>>
{
    mutable T value;

  public:
    using gpugrade::operations<T, Scope, atomic<T, Scope>>::operator=;

    atomic() = default;
    __host__ __device__ constexpr atomic(T first) : value(first)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    GPUGRADE_BOTH T *gpugrade_place() const
    {
        return &value;
    }
};
/* A flag takes a word. */
template <thread_scope Scope> class atomic<bool, Scope>
{
    atomic<int, Scope> flag;

  public:
    atomic() = default;
    __host__ __device__ constexpr atomic(bool first) : flag(first)
    {
    }
    GPUGRADE_BOTH bool load(memory_order order = memory_order_seq_cst) const
    {
        return flag.load(order) != 0;
    }
    GPUGRADE_BOTH void store(bool value, memory_order order = memory_order_seq_cst) const
    {
        flag.store(value, order);
    }
    GPUGRADE_BOTH bool exchange(bool value, memory_order order = memory_order_seq_cst) const
    {
        return flag.exchange(value, order) != 0;
    }
    GPUGRADE_BOTH bool operator=(bool value) const
    {
        store(value);
        return value;
    }
    GPUGRADE_BOTH operator bool() const
    {
        return load();
    }
};

/* A value that lies elsewhere. */
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public gpugrade::operations<T, Scope, atomic_ref<T, Scope>>
{
    T *place;

  public:
    using gpugrade::operations<T, Scope, atomic_ref<T, Scope>>::operator=;

    GPUGRADE_BOTH explicit atomic_ref(T &value) : place(&value)
    {
    }
    GPUGRADE_BOTH atomic_ref(const atomic_ref &other) : place(other.place)
    {
    }
    GPUGRADE_BOTH T *gpugrade_place() const
    {
        return place;
    }
};
} // namespace cuda

#undef GPUGRADE_BOTH

#endif
