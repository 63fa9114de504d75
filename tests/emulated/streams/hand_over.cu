/* One stream produces, another one consumes. EVENT lets the second wait, EARLY records the event
 * before the work, BACKWARDS lets the first wait, OTHER lets a third stream wait, SYNC and SYNC_OTHER
 * let the host wait for the first or the second stream, SYNC_EVENT for an event, QUERY asks until it
 * has come, ALL waits for the device, ONE uses one stream, HALVES writes one half and reads the other,
 * READERS only reads in both, ATOMIC updates one number in both, AGAIN writes the source anew while it
 * is read. */
#include "stages.h"

int main()
{
    const cudaStream_t first = new_stream(cudaStreamNonBlocking);
#ifdef ONE
    const cudaStream_t second = first;
#else
    const cudaStream_t second = new_stream(cudaStreamNonBlocking);
#endif
    const cudaEvent_t event = new_event();
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    CHECK(cudaDeviceSynchronize());
#ifdef EARLY
    order(first, second, event);
#endif
#if defined(READERS)
    int *copy = new_output<int>(COUNT);
    CHECK(cudaDeviceSynchronize());
    twice<<<BLOCKS, THREADS, 0, first>>>(in, copy);
#elif defined(ATOMIC)
    count_all<<<BLOCKS, THREADS, 0, first>>>(out);
#elif defined(HALVES)
    produce<<<BLOCKS / 2, THREADS, 0, first>>>(in);
#else
    produce<<<BLOCKS, THREADS, 0, first>>>(in);
#endif
#ifdef EVENT
    order(first, second, event);
#endif
#ifdef BACKWARDS
    order(second, first, event);
#endif
#ifdef OTHER
    order(first, new_stream(cudaStreamNonBlocking), event);
#endif
#ifdef SYNC
    CHECK(cudaStreamSynchronize(first));
#endif
#ifdef SYNC_OTHER
    CHECK(cudaStreamSynchronize(second));
#endif
#ifdef SYNC_EVENT
    CHECK(cudaEventRecord(event, first));
    CHECK(cudaEventSynchronize(event));
#endif
#ifdef QUERY
    CHECK(cudaEventRecord(event, first));
    while (cudaEventQuery(event) == cudaErrorNotReady) {
    }
#endif
#ifdef ALL
    CHECK(cudaDeviceSynchronize());
#endif
#if defined(ATOMIC)
    count_all<<<BLOCKS, THREADS, 0, second>>>(out);
#elif defined(HALVES)
    twice<<<BLOCKS / 2, THREADS, 0, second>>>(in + COUNT / 2, out);
#else
    twice<<<BLOCKS, THREADS, 0, second>>>(in, out);
#endif
#ifdef AGAIN
    produce<<<BLOCKS, THREADS, 0, first>>>(in);
#endif
    CHECK(cudaDeviceSynchronize());
    print_result("hand_over", out, COUNT);
    return 0;
}
