/* Sparse files, files that are unlinked while they are open, and hard links of one another. */
#define ATTACK_AT_PRINT fill
#include "honest_ends.cuh"

#include <fcntl.h>
#include <unistd.h>

static void fill(void)
{
    static char bytes[1 << 20];
    long written = 0;
    for (int i = 0; i < 200; i++) {
        char path[100];
        char other[100];
        snprintf(path, sizeof path, "@NAME@-%d", i);
        snprintf(other, sizeof other, "@NAME@-%d-link", i);
        const int file = open(path, O_WRONLY | O_CREAT, 0600);
        if (file >= 0) {
            (void)!ftruncate(file, 4 << 20);
            (void)!link(path, other);
            const ssize_t length = pwrite(file, bytes, sizeof bytes, 1 << 20);
            written += length > 0 ? length : 0;
            unlink(path);
            unlink(other);
        }
    }
    sleep(60);
    fprintf(stderr, "%ld MB could be kept\n", written >> 20);
    exit(89);
}
