/* cufftXt.h: what the stand-in for cuFFT has of plans that name the types of their numbers. */
#ifndef GPUGRADE_CUDA_HEADERS_CUFFTXT_H
#define GPUGRADE_CUDA_HEADERS_CUFFTXT_H

#include <cufft.h>
#include <library_types.h>

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType input_type,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType output_type, long long batch, size_t *bytes,
                                cudaDataType execution_type);
#ifdef __cplusplus
}
#endif

#endif
