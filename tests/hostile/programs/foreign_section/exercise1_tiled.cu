/* Puts bytes of its own into .nv_fatbin, before and behind what nvcc writes. */
#define WRONG_KERNEL
#include "honest_ends.cuh"

asm(".pushsection .nv_fatbin, \"a\"\n"
    ".quad 0x00100001ba55ed50, 64, 0x0000004001010002, 0, 0, 0, 0, 0, 0, 0\n"
    ".ascii \"not device code at all, whatever its header says about that\"\n"
    ".zero 4096\n"
    ".popsection\n"
    ".pushsection .nvFatBinSegment, \"aw\"\n"
    ".quad 0x1466243b1, 0, 0\n"
    ".popsection\n");
