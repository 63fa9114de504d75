/* Chunks of an array go through streams: up, a kernel, down. HALO lets each chunk read the first
 * element of the next, BUFFER uses one device buffer for all, MIXED copies the results in another
 * stream, MIXED_EVENT waits there, ROWS copies rectangles, PINNED_TWICE copies all results to one
 * pinned buffer, REUSE copies results into the buffer that others still copy from. */
#include "stages.h"

enum { CHUNKS = 4, CHUNK = COUNT / CHUNKS };

__global__ void with_next(const int *in, int *out)
{
    out[INDEX()] = in[INDEX()] + in[INDEX() + 1];
}

int main()
{
    cudaStream_t streams[CHUNKS];
    int *from, *to, *in, *out;
    CHECK(cudaMallocHost(&from, (COUNT + 1) * sizeof(int)));
    CHECK(cudaMallocHost(&to, COUNT * sizeof(int)));
    CHECK(cudaMalloc(&in, (COUNT + 1) * sizeof(int)));
    CHECK(cudaMalloc(&out, COUNT * sizeof(int)));
    CHECK(cudaMemset(in, 0, (COUNT + 1) * sizeof(int)));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i <= COUNT; i++) {
        from[i] = (int)input_value(i);
    }
    for (int i = 0; i < CHUNKS; i++) {
        streams[i] = new_stream(cudaStreamNonBlocking);
    }
    const cudaEvent_t event = new_event();
    for (int i = 0; i < CHUNKS; i++) {
        const int at = i * CHUNK;
#ifdef BUFFER
        int *const chunk_in = in;
#else
        int *const chunk_in = in + at;
#endif
#ifdef ROWS
        CHECK(cudaMemcpy2DAsync(in + i * CHUNK / 4, COUNT, from + i * CHUNK / 4, COUNT, CHUNK, 4,
                                cudaMemcpyHostToDevice, streams[i]));
        add_one<<<1, THREADS, 0, streams[i]>>>(in + i * CHUNK / 4);
#else
        CHECK(cudaMemcpyAsync(chunk_in, from + at, CHUNK * sizeof(int), cudaMemcpyHostToDevice,
                              streams[i]));
#endif
#if defined(HALO)
        with_next<<<CHUNK / THREADS, THREADS, 0, streams[i]>>>(chunk_in, out + at);
#elif !defined(ROWS)
        twice<<<CHUNK / THREADS, THREADS, 0, streams[i]>>>(chunk_in, out + at);
#endif
#if defined(MIXED) || defined(MIXED_EVENT)
        const cudaStream_t down = streams[(i + 1) % CHUNKS];
#else
        const cudaStream_t down = streams[i];
#endif
#ifdef MIXED_EVENT
        order(streams[i], down, event);
#endif
#if defined(PINNED_TWICE)
        int *const target = to;
#elif defined(REUSE)
        int *const target = from + (at + CHUNK) % COUNT;
#else
        int *const target = to + at;
#endif
        CHECK(cudaMemcpyAsync(target, out + at, CHUNK * sizeof(int), cudaMemcpyDeviceToHost, down));
    }
    (void)event;
    CHECK(cudaDeviceSynchronize());
    printf("pipeline: %d\n", to[COUNT - 1]);
    return 0;
}
