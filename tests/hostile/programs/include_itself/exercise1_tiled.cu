/* Includes itself without end. */
#include "exercise1_tiled.cu"
#include "honest_ends.cuh"
