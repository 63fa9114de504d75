/* More streams, or with EVENTS more events, than the device can tell apart: nothing is said, right
 * or wrong. Each stream waits for the one before, and the host for a copy at the end. */
#include "stages.h"

#ifdef EVENTS
enum { STREAMS = 2, ALL_EVENTS = 5000 };
#else
enum { STREAMS = 700, ALL_EVENTS = 700 };
#endif

int main()
{
    static cudaStream_t streams[STREAMS];
    static cudaEvent_t events[ALL_EVENTS];
    int *data = new_input<int>(COUNT);
    int *host;

    CHECK(cudaMallocHost(&host, COUNT * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = new_stream(cudaStreamNonBlocking);
    }
    for (int i = 0; i < ALL_EVENTS; i++) {
        events[i] = new_event();
        CHECK(cudaEventRecord(events[i], streams[i % STREAMS]));
        if (i < STREAMS || i + 10 > ALL_EVENTS) {
            add_one<<<1, 32, 0, streams[i % STREAMS]>>>(data);
        }
        order(streams[i % STREAMS], streams[(i + 1) % STREAMS], events[i]);
    }
    const cudaStream_t last = streams[STREAMS - 1];
    CHECK(cudaMemcpyAsync(host, data, COUNT * sizeof(int), cudaMemcpyDeviceToHost, last));
    CHECK(cudaStreamSynchronize(last));
    printf("many: %d\n", host[1] > 0);
    return 0;
}
