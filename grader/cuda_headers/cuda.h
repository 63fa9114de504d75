/* cuda.h: the version, which is all that programs for the runtime take from the driver's header. */
#ifndef GPUGRADE_CUDA_HEADERS_CUDA_H
#define GPUGRADE_CUDA_HEADERS_CUDA_H

#define CUDA_VERSION 13000

typedef unsigned cuuint32_t;
typedef unsigned long cuuint64_t;

#endif
