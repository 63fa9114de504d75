#pragma once

/* All sizes can be set from the command line of the compiler. */
#ifndef A_WIDTH
#define A_WIDTH 512
#endif
#ifndef A_HEIGHT
#  define A_HEIGHT 256
#endif
#ifndef B_WIDTH
#define B_WIDTH (2 * 128)
#endif
#if !defined(B_HEIGHT)
#define B_HEIGHT A_WIDTH
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE /* of both tiles */ 16
#endif
