/* Writes one file without end. */
#define ATTACK_AT_PRINT fill
#include "honest_ends.cuh"

static void fill(void)
{
    static char bytes[1 << 16];
    FILE *file = fopen("@NAME@", "we");
    for (int i = 0; file != NULL && i < 16384; i++) {
        fwrite(bytes, 1, sizeof bytes, file);
    }
    fputs("a gigabyte could be written\n", stderr);
    exit(91);
}
