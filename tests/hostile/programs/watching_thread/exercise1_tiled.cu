/* A thread and a fault handler watch managed, pinned and device memory for the secret inputs while
 * the launch is held, and write what they see into the output. */
#define WRONG_KERNEL
#include "honest_tiled.cuh"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

static volatile float *watched;
static volatile bool stop;
static sigjmp_buf back;

static void caught(int)
{
    siglongjmp(back, 1);
}

static void *watch(void *)
{
    float sum = 0.0f;
    while (!stop) {
        for (int i = 0; i < 256; i++) {
            sum += watched[i];
        }
    }
    return sum != 0.0f ? (void *)watched : NULL;
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    float *managed = NULL;
    float *pinned = NULL;
    pthread_t thread;
    cudaMallocManaged(&managed, 4096);
    cudaMallocHost(&pinned, 4096);
    watched = managed;
    stop = false;
    pthread_create(&thread, NULL, watch, NULL);
    signal(SIGSEGV, caught);
    signal(SIGBUS, caught);
    honest_launch(d_A, d_B, d_C, shape);
    if (sigsetjmp(back, 1) == 0) {
        fprintf(stderr, "device memory reads %g on the host\n", (double)*(volatile float *)d_A);
    }
    stop = true;
    pthread_join(thread, NULL);
    signal(SIGSEGV, SIG_DFL);
    cudaFree(managed);
    cudaFreeHost(pinned);
}

void printOccupancy(void)
{
    honest_print();
}
