/* Four threads launch the kernel at once. */
#include "honest_tiled.cuh"

#include <pthread.h>

struct job {
    const float *A, *B;
    float *C;
    struct matmul_shape shape;
};

static void *launch(void *argument)
{
    const struct job *job = (const struct job *)argument;
    honest_launch(job->A, job->B, job->C, job->shape);
    return NULL;
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    struct job job = {d_A, d_B, d_C, shape};
    pthread_t threads[4];
    for (pthread_t &thread : threads) {
        pthread_create(&thread, NULL, launch, &job);
    }
    for (pthread_t thread : threads) {
        pthread_join(thread, NULL);
    }
}

void printOccupancy(void)
{
    honest_print();
}
