/* A million empty files, if it can. */
#define ATTACK_AT_PRINT litter
#include "honest_ends.cuh"

#include <fcntl.h>
#include <unistd.h>

static void litter(void)
{
    for (int i = 0; i < 1000000; i++) {
        char path[100];
        snprintf(path, sizeof path, "@NAME@-%d", i);
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0) {
            close(file);
        }
    }
}
