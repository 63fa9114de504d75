/* Host code and memory that it shares with the device. DOWN: it reads a pinned buffer while a copy
 * to it is under way; UP: it overwrites one while a copy from it is under way; UP_READ only reads
 * it; FIRST: a kernel writes the first number alone, and the host updates it; MANAGED: it reads
 * managed memory while a kernel writes it; MAPPED: it reads pinned memory that a kernel writes;
 * FILL: it reads pinned memory that is set, with cudaMemset() if PLAIN. SYNC waits before,
 * SYNC_OTHER for another stream, EVENT for an event behind the work, EARLY for one before it;
 * OTHER_BYTES uses what nothing else does; STREAM uses a stream of its own; PAGEABLE
 * copies to memory that is not pinned; PLAIN uses cudaMemcpy(); TO_FILE writes the buffer to a
 * file. */
#include "stages.h"

int main()
{
#ifdef STREAM
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
#else
    const cudaStream_t stream = 0;
#endif
    const cudaEvent_t event = new_event();
    int *device = new_input<int>(COUNT);
    int *host;
#if defined(MANAGED)
    CHECK(cudaMallocManaged(&host, COUNT * sizeof(int)));
#elif defined(PAGEABLE)
    host = (int *)malloc(COUNT * sizeof(int));
#else
    CHECK(cudaMallocHost(&host, COUNT * sizeof(int)));
#endif
    for (int i = 0; i < COUNT; i++) {
        host[i] = i;
    }
    CHECK(cudaDeviceSynchronize());
#ifdef EARLY
    CHECK(cudaEventRecord(event, stream));
#endif
#ifdef OTHER_BYTES
    const int bytes = COUNT * sizeof(int) / 2 - 64;
#else
    const int bytes = COUNT * sizeof(int);
#endif
#if defined(MANAGED) || defined(MAPPED)
#ifdef FIRST
    add_one<<<1, 1, 0, stream>>>(host);
#else
    add_one<<<bytes / (int)sizeof(int) / THREADS, THREADS, 0, stream>>>(host);
#endif
#elif defined(UP) || defined(UP_READ)
    CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
#elif defined(FILL) && defined(PLAIN)
    CHECK(cudaMemset(host, 1, bytes));
#elif defined(FILL)
    CHECK(cudaMemsetAsync(host, 1, bytes, stream));
#elif defined(PLAIN)
    CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
#else
    CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
#endif
#ifdef EVENT
    CHECK(cudaEventRecord(event, stream));
#endif
#if defined(EVENT) || defined(EARLY)
    CHECK(cudaEventSynchronize(event));
#endif
#ifdef SYNC
    CHECK(cudaStreamSynchronize(stream));
#endif
#ifdef SYNC_OTHER
    CHECK(cudaStreamSynchronize(new_stream(cudaStreamNonBlocking)));
#endif
#if defined(UP)
    host[COUNT - 1] = 7;
    host[0] = 7;
#endif
#ifdef TO_FILE
    FILE *file = tmpfile();
    if (fwrite(host, sizeof(int), COUNT, file) != COUNT) {
        printf("nothing was written\n");
    }
    fclose(file);
#elif defined(FIRST)
    printf("%d\n", __sync_fetch_and_add(&host[0], 1));
#elif defined(OTHER_BYTES)
    printf("%d\n", host[COUNT / 2]);
#else
    printf("%d\n", host[100]);
#endif
    CHECK(cudaDeviceSynchronize());
    printf("host: %d\n", host[1]);
    return 0;
}
