/* Headers of its own with blanks and letters beyond ASCII in their names, in a folder. */
#include "honest_ends.cuh"
#include "my headers/größe.h"

static const int answer = ANSWER;
