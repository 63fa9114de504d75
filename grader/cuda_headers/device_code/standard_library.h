/* standard_library.h: namespace cuda::std, the parts of the C++ library that device code uses: the
 * host's, whose constexpr functions clang compiles for the device too, and some that are not
 * constexpr before C++20. */
#ifndef GPUGRADE_CUDA_HEADERS_STANDARD_LIBRARY_H
#define GPUGRADE_CUDA_HEADERS_STANDARD_LIBRARY_H

#include <cuda_runtime.h>

#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <bit>
#include <concepts>
#endif

#include <device_code/scoped_atomic.h>

namespace cuda
{
namespace std
{
using namespace ::std;

template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;

template <class T> GPUGRADE_HOST_DEVICE void swap(T &left, T &right)
{
    T kept = static_cast<T &&>(left);
    left = static_cast<T &&>(right);
    right = static_cast<T &&>(kept);
}
template <class T, class U> GPUGRADE_HOST_DEVICE T exchange(T &place, U &&value)
{
    T before = static_cast<T &&>(place);
    place = static_cast<U &&>(value);
    return before;
}
} // namespace std
} // namespace cuda

#endif
