/* Starts threads until that fails, keeps them for a while, and says so by its end. */
#define ATTACK_AT_PRINT start_threads
#include "honest_ends.cuh"

#include <pthread.h>
#include <unistd.h>

static void *wait(void *)
{
    for (;;) {
        pause();
    }
}

static void start_threads(void)
{
    int count = 0;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    while (count < 100000 && pthread_create(&thread, &small, wait, NULL) == 0) {
        count++;
    }
    if (count >= 64) {
        fprintf(stderr, "%d threads could be started\n", count);
        _exit(95);
    }
    sleep(2);
    abort();
}
