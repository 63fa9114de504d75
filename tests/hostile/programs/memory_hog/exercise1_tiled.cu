/* Allocates and touches memory without end. */
#define ATTACK_AT_PRINT devour
#include "honest_ends.cuh"

static void devour(void)
{
    for (;;) {
        char *bytes = (char *)malloc(16 << 20);
        if (bytes == NULL) {
            abort();
        }
        memset(bytes, 1, 16 << 20);
    }
}
