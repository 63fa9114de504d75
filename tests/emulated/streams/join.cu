/* Work forks into streams and joins. MISSING: the last stream is not waited for; ONE_EVENT: one event
 * is recorded in all, so only the last record counts; ONE_BY_ONE: it is waited for before it is
 * recorded again; NO_FORK: the streams do not wait for what they read; DESTROY: streams are destroyed
 * before their work is waited for, and made again; CALLBACK: a function of the host runs in between. */
#include "stages.h"

enum { BRANCHES = 3 };

static void note(void *data)
{
    *(int *)data += 1;
}

int main()
{
    const cudaStream_t root = new_stream(cudaStreamNonBlocking);
    cudaStream_t branches[BRANCHES];
    cudaEvent_t start = new_event();
    cudaEvent_t events[BRANCHES];
    int *in = new_input<int>(COUNT);
    int *parts = new_output<int>(BRANCHES * COUNT);
    int *out = new_output<int>(BRANCHES * COUNT);
    int calls = 0;
    CHECK(cudaDeviceSynchronize());
    produce<<<BLOCKS, THREADS, 0, root>>>(in);
    CHECK(cudaEventRecord(start, root));
    for (int i = 0; i < BRANCHES; i++) {
        branches[i] = new_stream(cudaStreamNonBlocking);
        events[i] = new_event();
#ifdef ONE_EVENT
        events[i] = events[0];
#endif
#ifdef ONE_BY_ONE
        events[i] = events[0];
#endif
#ifndef NO_FORK
        CHECK(cudaStreamWaitEvent(branches[i], start, 0));
#endif
        twice<<<BLOCKS, THREADS, 0, branches[i]>>>(in, parts + i * COUNT);
#ifdef CALLBACK
        CHECK(cudaLaunchHostFunc(branches[i], note, &calls));
#endif
        CHECK(cudaEventRecord(events[i], branches[i]));
#ifdef ONE_BY_ONE
        CHECK(cudaStreamWaitEvent(root, events[i], 0));
#endif
#ifdef DESTROY
        CHECK(cudaStreamDestroy(branches[i]));
#endif
    }
#ifdef MISSING
    const int last = BRANCHES - 1;
#else
    const int last = BRANCHES;
#endif
    for (int i = 0; i < last; i++) {
        CHECK(cudaStreamWaitEvent(root, events[i], 0));
    }
    twice<<<BRANCHES * BLOCKS, THREADS, 0, root>>>(parts, out);
    CHECK(cudaDeviceSynchronize());
    (void)note;
    print_result("join", out, BRANCHES * COUNT);
    return calls < 0;
}
