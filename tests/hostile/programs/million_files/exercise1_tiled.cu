/* Empty files without end. */
#define ATTACK_AT_PRINT litter
#include "honest_ends.cuh"

#include <fcntl.h>
#include <unistd.h>

static void litter(void)
{
    for (unsigned i = 0;; i++) {
        char path[100];
        snprintf(path, sizeof path, "@NAME@-%u", i);
        const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0) {
            close(file);
        }
    }
}
