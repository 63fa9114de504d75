/* Memory that streams get and give back. USE: another stream uses it without waiting; USE_EVENT waits;
 * FREE: it is given back while another stream may still use it; FREE_EVENT waits; PLAIN: cudaFree(),
 * which waits for everything; SAME: one stream does all. */
#include "stages.h"

int main()
{
    const cudaStream_t owner = new_stream(cudaStreamNonBlocking);
    const cudaStream_t other = new_stream(cudaStreamNonBlocking);
    const cudaEvent_t made = new_event();
    const cudaEvent_t done = new_event();
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    int *scratch = nullptr;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMallocAsync(&scratch, COUNT * sizeof(int), owner));
#ifdef SAME
    twice<<<BLOCKS, THREADS, 0, owner>>>(in, scratch);
    twice<<<BLOCKS, THREADS, 0, owner>>>(scratch, out);
#else
#ifndef USE
    order(owner, other, made);
#endif
    twice<<<BLOCKS, THREADS, 0, other>>>(in, scratch);
    twice<<<BLOCKS, THREADS, 0, other>>>(scratch, out);
#ifndef FREE
    order(other, owner, done);
#endif
#endif
#ifdef PLAIN
    CHECK(cudaFree(scratch));
#else
    CHECK(cudaFreeAsync(scratch, owner));
#endif
    (void)made;
    (void)done;
    CHECK(cudaDeviceSynchronize());
    print_result("pool", out, COUNT);
    return 0;
}
