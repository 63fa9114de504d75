/* stages.h: what the programs of streams/ share: kernels of one element for each thread, and arrays.
 * What -D options change is said in each program. */
#ifndef GPUGRADE_TESTS_STAGES_H
#define GPUGRADE_TESTS_STAGES_H

#include "../kernel_program.h"

enum { COUNT = 4096, THREADS = 256, BLOCKS = COUNT / THREADS };

#define INDEX() (int)(blockIdx.x * blockDim.x + threadIdx.x)

__global__ void produce(int *out)
{
    out[INDEX()] = INDEX();
}

__global__ void twice(const int *in, int *out)
{
    out[INDEX()] = 2 * in[INDEX()];
}

__global__ void add_one(int *data)
{
    data[INDEX()] += 1;
}

__global__ void count_all(int *total)
{
    atomicAdd(total, 1);
}

static inline cudaStream_t new_stream(unsigned flags)
{
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, flags));
    return stream;
}

static inline cudaEvent_t new_event()
{
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
}

/* Lets `later` wait for what `earlier` has got so far. */
static inline void order(cudaStream_t earlier, cudaStream_t later, cudaEvent_t event)
{
    CHECK(cudaEventRecord(event, earlier));
    CHECK(cudaStreamWaitEvent(later, event, 0));
}

#endif
