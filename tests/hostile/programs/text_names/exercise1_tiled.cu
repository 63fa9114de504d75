/* Names of files and messages of the compiler that are commands. */
#include "::error file=a,line=1::owned.h"
#include "honest_ends.cuh"
