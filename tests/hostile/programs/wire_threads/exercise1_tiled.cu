/* Eight threads write messages at once, each in pieces. */
#define ATTACK_AT_LAUNCH race_each_other
#include "client_wire.cuh"
#include "honest_ends.cuh"

#include <pthread.h>

static void *write_pieces(void *)
{
    struct wire_header header;
    memset(&header, 0, sizeof header);
    header.type = WIRE_ALLOCATE;
    header.words[0] = 1;
    header.words[1] = 0x1111111111111111;
    for (int i = 0; i < 2000; i++) {
        for (size_t at = 0; at < sizeof header; at += 12) {
            wire_send((const char *)&header + at, 12);
        }
    }
    return NULL;
}

static void race_each_other(void)
{
    pthread_t threads[8];
    for (pthread_t &thread : threads) {
        pthread_create(&thread, NULL, write_pieces, NULL);
    }
    for (pthread_t thread : threads) {
        pthread_join(thread, NULL);
    }
}
