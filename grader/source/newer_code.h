/* newer_code.h: code of a source for newer GPUs, which a build for an older one leaves out.
 *
 * It is found by comparisons of __CUDA_ARCH__ with a number: the code under one that only a newer
 * GPU meets, and what is under #else, #elif or #error of one that only older ones meet. Comments
 * are no code; nothing else is evaluated, so code in `#if 0` counts.
 */
#ifndef GPUGRADE_SOURCE_NEWER_CODE_H
#define GPUGRADE_SOURCE_NEWER_CODE_H

#include <stddef.h>
#include <stdint.h>

struct newer_code {
    uint32_t architecture; /* the least __CUDA_ARCH__ that has it, 800 for 8.0; 0: there is none */
    int line;
};

/* The code for the newest GPU that a text [length] has, in time linear in its length; of several
 * the first. */
struct newer_code source_newer_code(const char *text, size_t length);

#endif
