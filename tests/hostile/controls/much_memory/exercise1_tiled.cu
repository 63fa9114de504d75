/* Uses two thirds of the memory that it may, 700 MB under the real limits. */
#define ATTACK_AT_LAUNCH use
#define ATTACK_AT_PRINT use
#include "honest_ends.cuh"

static void use(void)
{
    const size_t bytes = (size_t)@MEMORY@ << 20;
    char *memory = (char *)malloc(bytes);
    if (memory == NULL) {
        abort();
    }
    for (size_t i = 0; i < bytes; i += 4096) {
        memory[i] = (char)i;
    }
    free(memory);
}
