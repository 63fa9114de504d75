/* Keeps memory where RLIMIT_DATA does not see it: anonymous files, shared mappings, tmpfs. */
#define ATTACK_AT_PRINT hide
#include "honest_ends.cuh"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 4 << 20 };

static void hide(void)
{
    static char bytes[PIECE];
    memset(bytes, 1, sizeof bytes);
    long kept = 0;
    for (int i = 0; i < 600; i++) {
        const int file = memfd_create("hidden", MFD_CLOEXEC);
        void *shared = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (file >= 0 && i < 200 && write(file, bytes, PIECE) == PIECE) {
            kept += PIECE;
        } else if (file >= 0) {
            close(file);
        }
        if (shared != MAP_FAILED) {
            memset(shared, 1, PIECE);
            kept += PIECE;
        }
    }
    fprintf(stderr, "%ld MB could be kept\n", kept >> 20);
    _exit(kept >> 20 > 1100 ? 93 : 92);
}
