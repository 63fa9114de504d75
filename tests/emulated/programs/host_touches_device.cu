// Host code uses a device pointer: the program ends, and the grader says why.
// finding: crash
// says: host code touches device memory
#include "../kernel_program.h"

int main()
{
    int *values;

    CHECK(cudaMalloc(&values, 4096));
    printf("before\n");
    fflush(stdout);
    values[3] = 7;
    printf("after\n");
    return 0;
}
