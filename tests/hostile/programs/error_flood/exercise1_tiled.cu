/* Hundreds of thousands of errors, each with control codes. */
#include "honest_ends.cuh"

#define E1 unknown_type x;
#define E2 E1 E1 E1 E1 E1 E1 E1 E1 E1 E1
#define E3 E2 E2 E2 E2 E2 E2 E2 E2 E2 E2
#define E4 E3 E3 E3 E3 E3 E3 E3 E3 E3 E3
#define E5 E4 E4 E4 E4 E4 E4 E4 E4 E4 E4
#define E6 E5 E5 E5 E5 E5 E5 E5 E5 E5 E5
E6
