/* Stores infinity. */
#define RESULT(sum) (__int_as_float(0x7f800000) + (sum))
#include "honest_ends.cuh"
