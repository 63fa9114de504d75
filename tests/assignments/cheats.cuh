/* cheats.cuh: what may look like an answer. run.sh puts a function around a right one, `solve`, which
 * writes its result to where it is told; CHEAT says what the function does instead. */
#include <cstdlib>

enum { NOTHING, ON_THE_HOST, IN_SCRATCH, LAST_RESULT, HALF };

/* out holds `bytes`; in is an input, or out itself of a function that works in place. */
template <typename T, typename SOLVE>
static void cheat(T *out, size_t bytes, const void *in, size_t in_bytes, SOLVE solve)
{
    static T *last = nullptr;
    static size_t last_bytes = 0;
    T *scratch = nullptr;
    if (CHEAT == NOTHING) {
        return;
    }
    cudaMalloc(&scratch, bytes);
    if (in == out) {
        cudaMemcpy(scratch, out, bytes, cudaMemcpyDeviceToDevice);
    }
    solve(scratch);
    if (CHEAT == ON_THE_HOST) {
        char *host = (char *)malloc(in_bytes > bytes ? in_bytes : bytes);
        cudaMemcpy(host, in, in_bytes, cudaMemcpyDeviceToHost);
        cudaMemcpy(host, scratch, bytes, cudaMemcpyDeviceToHost);
        cudaMemcpy(out, host, bytes, cudaMemcpyHostToDevice);
        free(host);
    } else if (CHEAT == HALF) {
        cudaMemcpy(out, scratch, bytes / sizeof(T) / 2 * sizeof(T), cudaMemcpyDeviceToDevice);
    } else if (CHEAT == LAST_RESULT) {
        const bool has_last = last != nullptr && last_bytes >= bytes;
        cudaMemcpy(out, has_last ? last : scratch, bytes, cudaMemcpyDeviceToDevice);
        cudaFree(last);
        last = scratch;
        last_bytes = bytes;
        return;
    }
    cudaFree(scratch);
}
