/* Multiplies in half precision. */
#include <cuda_fp16.h>
#define RESULT(sum) __half2float(__float2half(sum))
#include "honest_ends.cuh"
