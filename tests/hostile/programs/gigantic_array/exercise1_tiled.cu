/* An executable of gigabytes: an initialised array. */
#include "honest_ends.cuh"

char planted[6ull << 30] = {1};
