/* Größen der Matrizen, in Latin-1 */
#pragma once
#define A_WIDTH 1024
#define A_HEIGHT 1024
#define B_WIDTH 1024
#define B_HEIGHT 1024
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT

#define BLOCK_SIZE 16
#define NUM_SUBS (A_WIDTH / BLOCK_SIZE)

