/* Includes a file that has no end. */
#include "/dev/zero"
#include "honest_ends.cuh"
