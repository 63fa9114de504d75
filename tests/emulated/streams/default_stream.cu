/* The default stream and one that the program makes. NONBLOCKING makes one that does not wait for the
 * default stream, THREAD uses the default stream of the thread, REVERSE gives the work to the stream
 * first, SET sets memory instead of producing it, SYNC waits in between, LEGACY names the default
 * stream, COPY copies from pageable memory, which the host waits for. */
#include "stages.h"

int main()
{
#if defined(THREAD)
    const cudaStream_t stream = cudaStreamPerThread;
#elif defined(NONBLOCKING)
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
#else
    const cudaStream_t stream = new_stream(cudaStreamDefault);
#endif
#ifdef LEGACY
    const cudaStream_t none = cudaStreamLegacy;
#else
    const cudaStream_t none = 0;
#endif
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    CHECK(cudaDeviceSynchronize());
#if defined(REVERSE)
    produce<<<BLOCKS, THREADS, 0, stream>>>(in);
#elif defined(SET)
    CHECK(cudaMemset(in, 1, COUNT * sizeof(int)));
#elif defined(COPY)
    static int host[COUNT];
    CHECK(cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice));
#else
    produce<<<BLOCKS, THREADS, 0, none>>>(in);
#endif
#ifdef SYNC
    CHECK(cudaDeviceSynchronize());
#endif
#ifdef REVERSE
    twice<<<BLOCKS, THREADS, 0, none>>>(in, out);
#else
    twice<<<BLOCKS, THREADS, 0, stream>>>(in, out);
#endif
    CHECK(cudaDeviceSynchronize());
    print_result("default_stream", out, COUNT);
    return 0;
}
