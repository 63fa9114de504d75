/* An array in host memory, processed in chunks that overlap. See README.md. */
#include "streams.h"

__global__ void transform(const float *in, float *out, int count)
{
    /* TODO 1: out[i] = sqrtf(in[i]) * 2 + 1 for each i below count. */
}

void process(const float *h_in, float *h_out, int n, int chunks)
{
    /* TODO 2: allocate device memory, and create at least two streams.
     * TODO 3: for each chunk, put three pieces of work into one of the streams: the copy of its
     *         part of h_in to the device, the kernel, and the copy back to its part of h_out.
     *         Chunks that follow each other go to different streams. The last chunks may be
     *         smaller, or empty.
     * TODO 4: wait for all streams. Then destroy them, and free the memory. */
}
