/* driver_functions.h: make_cudaExtent and its like. Sizes are in bytes. */
#ifndef GPUGRADE_CUDA_HEADERS_DRIVER_FUNCTIONS_H
#define GPUGRADE_CUDA_HEADERS_DRIVER_FUNCTIONS_H

#include <driver_types.h>

static __inline__ struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch,
                                                            size_t width, size_t height)
{
    struct cudaPitchedPtr made = {pointer, pitch, width, height};
    return made;
}
static __inline__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos made = {x, y, z};
    return made;
}
static __inline__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent made = {width, height, depth};
    return made;
}

#endif
