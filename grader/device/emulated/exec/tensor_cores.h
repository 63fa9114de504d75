/* tensor_cores.h: products of matrices by a warp, and what brings the matrices to its registers.
 *
 * Results are those of an H200, bit for bit (tests/emulated/pass/tensor_mma.cu and tensor_wmma.cu hold
 * them to what one has printed): the products of a sum are exact; together with c they are cut off
 * at 25 bits behind the binary point of the largest exponent among them (the sum of the exponents of
 * two factors counts as the exponent of their product), added exactly, and rounded once: toward zero
 * to f32, to nearest to f16. k may be up to 16 in one such sum; wmma adds up tf32 in two, of 4 each.
 * f64 is a chain of fma along k; integers wrap, or are saturated at the end. GPUs of other
 * generations cut off at other places: results there may differ in their last bits.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_EXEC_TENSOR_CORES_H
#define GPUGRADE_DEVICE_EMULATED_EXEC_TENSOR_CORES_H

#include "device/emulated/machine.h"

/* What MATRIX_LANES does (its kind): lane 8 i + j has row j of matrix i in slots 0 to 3, two numbers
 * of 16 bits in each; of a fragment, lane 4 g + t has in slot i the numbers 2 t and 2 t + 1 of row g
 * of matrix i, or of column g where it is transposed. */
enum matrix_move {
    MOVE_TO_FRAGMENT,
    MOVE_TO_FRAGMENT_TRANSPOSED,
    MOVE_TO_ROWS,
    MOVE_TO_ROWS_TRANSPOSED,
    MOVE_TRANSPOSED, /* from fragment to fragment */
};

/* Slot 0 gets the address in slot 1 plus that of the lane's element: `target` is the number of its
 * places, slot 2 the distance of rows or columns in elements of op->bytes. */
void element_address_run(struct warp *warp, const struct op *op, uint32_t mask);

/* Moves numbers between the lanes, in slots 0 to op->count - 1 (of rows always 0 to 3). */
void matrix_lanes_run(struct warp *warp, const struct op *op, uint32_t mask);

/* The product of number `target`. */
void tensor_product_run(struct warp *warp, const struct op *op, uint32_t mask);

#endif
