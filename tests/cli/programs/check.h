/* check.h: what the sample programs share: a program tells by its exit status whether it is right. */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Prints what was found and returns the exit status. */
inline int conclude(const char *name, int wrong)
{
    printf("%s: %d wrong\n", name, wrong);
    return wrong == 0 ? 0 : 4;
}

#endif
