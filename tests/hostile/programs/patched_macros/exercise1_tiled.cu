/* Defines barriers away and lets lines claim to stand in the given files. */
#include <cuda_runtime.h>
#define __syncthreads() ((void)0)
#line 1 "main.cu"
#include "honest_ends.cuh"
#line 1 "/etc/passwd"
static int unused_function_with_a_false_place(int x) { return x / 0; }
