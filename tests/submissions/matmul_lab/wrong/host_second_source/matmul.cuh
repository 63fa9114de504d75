#pragma once
#include <cuda_runtime.h>
#define A_WIDTH 1024
#define A_HEIGHT 1024
#define B_WIDTH 1024
#define B_HEIGHT 1024
#define C_WIDTH B_WIDTH
#define C_HEIGHT A_HEIGHT
int requiredSM(int threadsPerBlock);
void launchNaive(dim3 grid, dim3 threads);
void launchTiled(dim3 grid, dim3 threads, int bytes);
int chooseBlockSize();
void copyIn(const float *a, const float *b);
void copyOut(float *c);
