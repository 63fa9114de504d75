/* Work of two streams that a graph captures. FORK: the second stream joins the capture too early;
 * JOIN: the first reads the second's result before it waits; BOTH write one array; SEVERAL launches. */
#include "stages.h"

int main()
{
    const cudaStream_t first = new_stream(cudaStreamNonBlocking);
    const cudaStream_t second = new_stream(cudaStreamNonBlocking);
    const cudaEvent_t fork = new_event();
    const cudaEvent_t join = new_event();
    int *in = new_input<int>(COUNT);
    int *left = new_output<int>(COUNT);
    int *right = new_output<int>(COUNT);
    int *out = new_output<int>(COUNT);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
#ifdef FORK
    order(first, second, fork);
    add_one<<<BLOCKS, THREADS, 0, first>>>(in);
#else
    add_one<<<BLOCKS, THREADS, 0, first>>>(in);
    order(first, second, fork);
#endif
    twice<<<BLOCKS, THREADS, 0, first>>>(in, left);
#ifdef BOTH
    twice<<<BLOCKS, THREADS, 0, second>>>(in, left);
#else
    twice<<<BLOCKS, THREADS, 0, second>>>(in, right);
#endif
    CHECK(cudaEventRecord(join, second));
#ifdef JOIN
    twice<<<BLOCKS, THREADS, 0, first>>>(right, out);
    CHECK(cudaStreamWaitEvent(first, join, 0));
#else
    CHECK(cudaStreamWaitEvent(first, join, 0));
    twice<<<BLOCKS, THREADS, 0, first>>>(right, out);
#endif
    CHECK(cudaStreamEndCapture(first, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphLaunch(executable, first));
#ifdef SEVERAL
    CHECK(cudaGraphLaunch(executable, first));
#endif
    CHECK(cudaStreamSynchronize(first));
    print_result("capture", out, COUNT);
    return 0;
}
