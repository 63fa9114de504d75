/* blas_values.h: matrices, vectors and scalars of the stand-in for cuBLAS. All types are computed
 * as doubles, and rounded once when they are stored. */
#ifndef GPUGRADE_LIBRARIES_BLAS_VALUES_H
#define GPUGRADE_LIBRARIES_BLAS_VALUES_H

#include "libraries/library_work.h"

#include <cublas_v2.h>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
};

/* Begins a call; false: it has ended, there is no such handle. */
bool blas_enter(enum runtime_call call, cublasHandle_t handle);

/* Ends a call that is refused; returns the status. */
cublasStatus_t blas_refuse(cublasStatus_t status, enum refusal why);

/* Ends a call with what became of its work. */
cublasStatus_t blas_leave(cudaError_t error);

/* Numbers in device memory: `columns` of `rows`, `stride` elements from one to the next. */
struct blas_block {
    const void *address;
    cudaDataType type; /* CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F, CUDA_R_32I; CUDA_C_32F
                          and CUDA_C_64F, of which each value is two doubles */
    size_t rows, columns, stride;
    const char *operand; /* its name in the call: "A" */
    bool is_part;        /* the call may leave some of them unread */
};

/* Reads all of them, or only makes room for them; to be freed. Errors are reported. */
cudaError_t blas_fetch(const struct blas_block *block, double **out_values);
cudaError_t blas_room(const struct blas_block *block, double **out_values);
cudaError_t blas_store(const struct blas_block *block, const double *values);

/* A matrix by columns, called A until it gets another name; false: its columns do not fit. */
bool blas_matrix(const void *address, cudaDataType type, int rows, int columns, int leading,
                 struct blas_block *out);

/* The addresses of the `count` matrices of a batch, from an array in device memory; to be freed. */
cudaError_t blas_fetch_addresses(const void *array, int count, const char *operand,
                                 void ***out_addresses);

/* Turns numbers around: a vector whose increment is negative. */
void blas_reverse(double *values, size_t count);

bool blas_is_operation(cublasOperation_t operation);

/* A vector of n > 0 numbers, called x until it gets another name. Where its increment is negative
 * it starts with the last one. */
struct blas_vector {
    struct blas_block block;
    int n, increment;
};
struct blas_vector blas_vector(const void *address, cudaDataType type, int n, int increment);

/* Where number i is among the values of the block. */
size_t blas_place(const struct blas_vector *vector, int i);

/* A number that a call takes: of the host, read at once, or of the device, read by its work. */
struct blas_scalar {
    double value, imaginary;
    const void *address; /* NULL: it is known */
    cudaDataType type;
};

/* Takes one; why it cannot be had, or REFUSAL_NONE. */
enum refusal blas_take_scalar(cublasHandle_t handle, const void *address, cudaDataType type,
                              struct blas_scalar *out);
cudaError_t blas_read_scalar(const struct blas_scalar *scalar, double *out_value);
cudaError_t blas_read_complex(const struct blas_scalar *scalar, double out_parts[2]);

/* Writes a number into host memory. */
void blas_put_value(double value, cudaDataType type, void *out);

#endif
