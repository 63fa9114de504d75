/* Slots of one pinned buffer, which the host fills by a system call while others are copied.
 * NO_WAIT does not wait until a slot is free, and fills it itself. BLOCKED blocks all signals;
 * CHILD lets a child process read what is copied. */
#include "stages.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOT = 3000, SLOTS = 4, ROUNDS = 10 };

static void fill(char *slot, int round)
{
    static char bytes[SLOT];
    int ends[2];

    memset(bytes, round, SLOT);
#ifdef NO_WAIT
    memcpy(slot, bytes, SLOT);
    (void)ends;
#else
    if (pipe(ends) != 0 || write(ends[1], bytes, SLOT) != SLOT ||
        read(ends[0], slot, SLOT) != SLOT) {
        printf("round %d: nothing was read\n", round);
        exit(1);
    }
    close(ends[0]);
    close(ends[1]);
#endif
}

int main()
{
    const cudaStream_t stream = new_stream(cudaStreamNonBlocking);
    cudaEvent_t is_free[SLOTS];
    char *host, *device;

#ifdef BLOCKED
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
#endif
    CHECK(cudaMallocHost(&host, SLOT * SLOTS));
    CHECK(cudaMalloc(&device, SLOT * SLOTS));
    for (int round = 0; round < ROUNDS; round++) {
        const int k = round % SLOTS;

        if (round < SLOTS) {
            is_free[k] = new_event();
#ifndef NO_WAIT
        } else {
            CHECK(cudaEventSynchronize(is_free[k]));
#endif
        }
        fill(host + k * SLOT, round);
        CHECK(cudaMemcpyAsync(device + k * SLOT, host + k * SLOT, SLOT, cudaMemcpyHostToDevice,
                              stream));
        CHECK(cudaEventRecord(is_free[k], stream));
    }
#ifdef CHILD
    CHECK(cudaMemcpyAsync(host, device, SLOT * SLOTS, cudaMemcpyDeviceToHost, stream));
    const pid_t child = fork();
    if (child == 0) {
        _exit(host[0] == 8 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) {
        printf("the child failed\n");
        return 1;
    }
#endif
    CHECK(cudaStreamSynchronize(stream));
    printf("ring: %d\n", host[0]);
    return 0;
}
