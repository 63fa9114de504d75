/* A stream copies, another one computes, with two buffers by turns. NO_READY: the computation does
 * not wait for the data; NO_FREE: the next copy does not wait until a buffer is free; SINGLE: there is
 * one buffer and the copy waits for the turn before the last; HOST: the host waits in each turn. */
#include "stages.h"

enum { TURNS = 6, CHUNK = COUNT / TURNS / THREADS * THREADS };

int main()
{
    const cudaStream_t copies = new_stream(cudaStreamNonBlocking);
    const cudaStream_t kernels = new_stream(cudaStreamNonBlocking);
    cudaEvent_t ready[2] = {new_event(), new_event()};
    cudaEvent_t free_again[2] = {new_event(), new_event()};
    int *from, *buffers[2];
    int *out = new_output<int>(COUNT);
    CHECK(cudaMallocHost(&from, COUNT * sizeof(int)));
    for (int i = 0; i < COUNT; i++) {
        from[i] = (int)input_value(i);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaMalloc(&buffers[i], CHUNK * sizeof(int)));
    }
#ifdef SINGLE
    buffers[1] = buffers[0];
#endif
    CHECK(cudaDeviceSynchronize());
    for (int turn = 0; turn < TURNS; turn++) {
        const int which = turn % 2;
#ifndef NO_FREE
        if (turn >= 2) {
            CHECK(cudaStreamWaitEvent(copies, free_again[which], 0));
        }
#endif
        CHECK(cudaMemcpyAsync(buffers[which], from + turn * CHUNK, CHUNK * sizeof(int),
                              cudaMemcpyHostToDevice, copies));
        CHECK(cudaEventRecord(ready[which], copies));
#ifdef HOST
        CHECK(cudaEventSynchronize(ready[which]));
#elif !defined(NO_READY)
        CHECK(cudaStreamWaitEvent(kernels, ready[which], 0));
#endif
        twice<<<CHUNK / THREADS, THREADS, 0, kernels>>>(buffers[which], out + turn * CHUNK);
        CHECK(cudaEventRecord(free_again[which], kernels));
    }
    CHECK(cudaStreamSynchronize(kernels));
    print_result("double_buffer", out, COUNT);
    return 0;
}
