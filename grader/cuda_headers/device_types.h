/* device_types.h: how device code rounds. */
#ifndef GPUGRADE_CUDA_HEADERS_DEVICE_TYPES_H
#define GPUGRADE_CUDA_HEADERS_DEVICE_TYPES_H

enum cudaRoundMode {
    cudaRoundNearest = 0,
    cudaRoundZero = 1,
    cudaRoundPosInf = 2,
    cudaRoundMinInf = 3,
};

#endif
