/* blas_values.c: see blas_values.h. */
#include "libraries/blas_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Types **************************************************************************************/

/* A complex number is two of these. */
static cudaDataType part_of(cudaDataType type)
{
    return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

static size_t parts_of(cudaDataType type)
{
    return part_of(type) == type ? 1 : 2;
}

static size_t bytes_of(cudaDataType type)
{
    switch ((int)type) {
    case CUDA_C_64F:
        return 16;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    case CUDA_C_32F:
    case CUDA_R_64F:
        return 8;
    default:
        return 4;
    }
}

static double of_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    double value;

    if (exponent == 31) {
        value = fraction == 0.0 ? INFINITY : NAN;
    } else {
        value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024.0 + fraction, exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -value : value;
}

/* Rounds to the nearest number with `bits` of fraction after the leading one, ties to even; below
 * 2^least_exponent steps no longer shrink. */
static double rounded(double value, int bits, int least_exponent)
{
    if (value == 0.0 || !isfinite(value)) {
        return value;
    }
    const int exponent = ilogb(value) < least_exponent ? least_exponent : ilogb(value);
    return ldexp(nearbyint(ldexp(value, bits - exponent)), exponent - bits);
}

static uint16_t to_half(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(rounded(value, 10, -14));

    if (isnan(value)) {
        return 0x7fff;
    }
    if (size >= 65536.0) {
        return sign | 0x7c00;
    }
    if (size < 0x1p-14) {
        return (uint16_t)(sign | (uint16_t)ldexp(size, 24));
    }
    const int exponent = ilogb(size);
    return (uint16_t)(sign | (exponent + 14) << 10) + (uint16_t)ldexp(size, 10 - exponent);
}

static double value_at(const uint8_t *bytes, cudaDataType type)
{
    uint16_t half;
    uint32_t word;
    int32_t number;
    float single;
    double value;

    switch ((int)type) {
    case CUDA_R_16F:
        memcpy(&half, bytes, sizeof(half));
        return of_half(half);
    case CUDA_R_16BF:
        memcpy(&half, bytes, sizeof(half));
        word = (uint32_t)half << 16;
        memcpy(&single, &word, sizeof(single));
        return (double)single;
    case CUDA_R_32I:
        memcpy(&number, bytes, sizeof(number));
        return number;
    case CUDA_R_64F:
        memcpy(&value, bytes, sizeof(value));
        return value;
    default:
        memcpy(&single, bytes, sizeof(single));
        return (double)single;
    }
}

void blas_put_value(double value, cudaDataType type, void *out)
{
    uint16_t half;
    uint32_t word;
    int32_t number;
    float single;

    switch ((int)type) {
    case CUDA_R_16F:
        half = to_half(value);
        memcpy(out, &half, sizeof(half));
        break;
    case CUDA_R_16BF:
        single = (float)rounded(value, 7, -126);
        memcpy(&word, &single, sizeof(word));
        half = isnan(value) ? 0x7fff : (uint16_t)(word >> 16);
        memcpy(out, &half, sizeof(half));
        break;
    case CUDA_R_32I:
        number = (int32_t)value;
        memcpy(out, &number, sizeof(number));
        break;
    case CUDA_R_64F:
        memcpy(out, &value, sizeof(value));
        break;
    default:
        single = (float)value;
        memcpy(out, &single, sizeof(single));
        break;
    }
}

/* Blocks *************************************************************************************/

static struct library_area area_of(const struct blas_block *block)
{
    return (struct library_area){
        .address = block->address,
        .element_bytes = bytes_of(block->type),
        .rows = block->rows,
        .columns = block->columns,
        .stride = block->stride,
        .operand = block->operand,
        .is_part = block->is_part,
    };
}

/* Memory for the values of a block whose size fits into numbers. */
static cudaError_t make_values(const struct blas_block *block, double **out_values)
{
    double *values =
        calloc(block->rows * block->columns + 1, parts_of(block->type) * sizeof(*values));

    if (values == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *out_values = values;
    return cudaSuccess;
}

cudaError_t blas_fetch(const struct blas_block *block, double **out_values)
{
    const struct library_area area = area_of(block);
    void *bytes = NULL;
    cudaError_t error = library_fetch(&area, &bytes);

    if (error == cudaSuccess) {
        error = make_values(block, out_values);
    }
    const size_t parts = parts_of(block->type), part_bytes = area.element_bytes / parts;
    for (size_t i = 0; error == cudaSuccess && i < block->rows * block->columns * parts; i++) {
        (*out_values)[i] = value_at((const uint8_t *)bytes + i * part_bytes, part_of(block->type));
    }
    free(bytes);
    return error;
}

cudaError_t blas_room(const struct blas_block *block, double **out_values)
{
    const struct library_area area = area_of(block);
    void *bytes = NULL;
    cudaError_t error = library_room(&area, &bytes);

    free(bytes);
    return error == cudaSuccess ? make_values(block, out_values) : error;
}

cudaError_t blas_store(const struct blas_block *block, const double *values)
{
    const struct library_area area = area_of(block);
    void *bytes = NULL;
    cudaError_t error = library_room(&area, &bytes);

    if (error != cudaSuccess) {
        return error;
    }
    const size_t parts = parts_of(block->type), part_bytes = area.element_bytes / parts;
    for (size_t i = 0; i < block->rows * block->columns * parts; i++) {
        blas_put_value(values[i], part_of(block->type), (uint8_t *)bytes + i * part_bytes);
    }
    error = library_store(&area, bytes);
    free(bytes);
    return error;
}

cudaError_t blas_fetch_addresses(const void *array, int count, const char *operand,
                                 void ***out_addresses)
{
    const struct library_area area = {array, sizeof(void *), (size_t)count, 1, 1, operand, false};
    void *bytes = NULL;
    cudaError_t error = library_fetch(&area, &bytes);

    *out_addresses = bytes;
    return error;
}

bool blas_matrix(const void *address, cudaDataType type, int rows, int columns, int leading,
                 struct blas_block *out)
{
    *out = (struct blas_block){address,         type, (size_t)rows, (size_t)columns,
                               (size_t)leading, "A",  false};
    return leading >= (rows > 1 ? rows : 1);
}

void blas_reverse(double *values, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const double value = values[i];

        values[i] = values[count - 1 - i];
        values[count - 1 - i] = value;
    }
}

bool blas_is_operation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

struct blas_vector blas_vector(const void *address, cudaDataType type, int n, int increment)
{
    struct blas_vector vector = {
        .block = {address, type, 1, 1, 1, "x", false}, .n = n, .increment = increment};
    const size_t step = increment < 0 ? (size_t) - (long long)increment : (size_t)increment;

    if (step == 1) {
        vector.block.rows = vector.block.stride = (size_t)n;
    } else if (step > 1) {
        vector.block.columns = (size_t)n;
        vector.block.stride = step;
    }
    return vector;
}

size_t blas_place(const struct blas_vector *vector, int i)
{
    if (vector->increment == 0) {
        return 0;
    }
    return (size_t)(vector->increment > 0 ? i : vector->n - 1 - i);
}

/* Scalars ************************************************************************************/

enum refusal blas_take_scalar(cublasHandle_t handle, const void *address, cudaDataType type,
                              struct blas_scalar *out)
{
    *out = (struct blas_scalar){.address = address, .type = type};
    if (address == NULL) {
        return REFUSAL_NULL_POINTER;
    }
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        return REFUSAL_NONE;
    }
    if (runtime_is_device_address(address) && mirror_find(address) == NULL) {
        return REFUSAL_DEVICE_SCALAR;
    }
    out->address = NULL;
    out->value = value_at(address, part_of(type));
    if (parts_of(type) == 2) {
        out->imaginary = value_at((const uint8_t *)address + bytes_of(type) / 2, part_of(type));
    }
    return REFUSAL_NONE;
}

cudaError_t blas_read_scalar(const struct blas_scalar *scalar, double *out_value)
{
    double parts[2];
    cudaError_t error = blas_read_complex(scalar, parts);

    if (error == cudaSuccess) {
        *out_value = parts[0];
    }
    return error;
}

cudaError_t blas_read_complex(const struct blas_scalar *scalar, double out_parts[2])
{
    const struct blas_block block = {scalar->address, scalar->type, 1, 1, 1, "scalar", false};
    double *value = NULL;

    out_parts[0] = scalar->value;
    out_parts[1] = scalar->imaginary;
    if (scalar->address == NULL) {
        return cudaSuccess;
    }
    cudaError_t error = blas_fetch(&block, &value);
    if (error == cudaSuccess) {
        out_parts[0] = value[0];
        out_parts[1] = parts_of(scalar->type) == 2 ? value[1] : 0.0;
    }
    free(value);
    return error;
}
