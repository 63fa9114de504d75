/* Makes clocks and events say what it likes, and the copy of results return right ones. */
#define WRONG_KERNEL
#include "honest_ends.cuh"

#include <sys/time.h>
#include <time.h>

extern "C" int clock_gettime(clockid_t, struct timespec *out_time) noexcept
{
    out_time->tv_sec = 1;
    out_time->tv_nsec = 1;
    return 0;
}

extern "C" int gettimeofday(struct timeval *out_time, void *) noexcept
{
    out_time->tv_sec = 1;
    out_time->tv_usec = 0;
    return 0;
}

extern "C" cudaError_t CUDARTAPI cudaEventElapsedTime(float *out_ms, cudaEvent_t, cudaEvent_t)
{
    *out_ms = 1e-6f;
    return cudaSuccess;
}

extern "C" cudaError_t CUDARTAPI cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind)
{
    return cudaSuccess;
}
