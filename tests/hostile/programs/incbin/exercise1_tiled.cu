/* Has the assembler put host files into the executable, and prints them. */
#define ATTACK_AT_PRINT tell
#include "honest_ends.cuh"

asm(".pushsection .rodata\n"
    "stolen: .incbin \"@OTHER@/exercise1_tiled.cu\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char stolen[];

static void tell(void)
{
    printf("Occupancy: %s\n", stolen);
    fputs(stolen, stderr);
}
