/* ptx_matrix.h: instructions of tensor cores and of the matrices that they take: wmma, mma,
 * ldmatrix, stmatrix, movmatrix. What their words mean, which shapes and types go together, and how
 * elements are spread over the lanes of a warp (a "fragment").
 *
 * All fragments follow one rule, with g = lane / 4, t = lane % 4 and P elements in 32 bits (f64:
 * P is 1). a is cut into blocks of 16 rows (8, where m is 8), b into blocks of 8 columns. A lane has,
 * block by block, of each 4 P elements along k those with the numbers t P to t P + P - 1: in row g
 * of the block and then, of 16 rows, in row g + 8. Of c and d it has, block by block of a, then of b,
 * the columns 2 t and 2 t + 1 of row g, then of row g + 8. Where m is 8 and n is 32, everything is
 * the other way round, as if the transposed matrices were multiplied. A fragment of f16 of wmma has
 * 16 elements: those of the rule, again and again.
 *
 * Source: PTX ISA 9.0, "Warp Level Matrix Multiply-Accumulate Instructions", for mma; that wmma
 * follows the same rule was read off an H200 (tests/emulated/pass/tensor_wmma.cu).
 */
#ifndef GPUGRADE_PTX_PTX_MATRIX_H
#define GPUGRADE_PTX_PTX_MATRIX_H

#include "ptx/ptx.h"

/* What a lane holds of a matrix. */
struct ptx_fragment {
    enum ptx_type type;     /* of an element */
    unsigned bits;          /* of an element */
    unsigned registers;     /* at most PTX_FRAGMENT_MAX, of 32 bits, or 64 if elements have 64 */
    unsigned elements;      /* different ones */
    unsigned rows, columns; /* of the matrix */
    unsigned block;         /* 8 or 16 */
    bool is_sum;            /* c or d */
    bool is_turned;         /* blocks are of columns, not of rows */
};

struct ptx_element_place {
    uint8_t row, column;
};

/* Takes a word behind the first; *seen is the caller's, 0 before the first. False: unknown. */
bool ptx_matrix_word(struct ptx_instruction *instruction, const char *word, size_t length,
                     uint64_t *seen);

/* After the last word: fills in what the words leave open. False if there is no such instruction. */
bool ptx_matrix_finish(struct ptx_instruction *instruction, uint64_t seen);

/* True if the operands are as many as the words ask for; of wmma. */
bool ptx_matrix_has_form(const struct ptx_instruction *instruction);

/* True if the matrix is an input, to be stored: of wmma.store and stmatrix. */
bool ptx_matrix_is_store(const struct ptx_instruction *instruction);

/* The fragment of 'a', 'b', 'c' or 'd', or 'l', the one that is loaded or stored. */
struct ptx_fragment ptx_matrix_fragment(const struct ptx_instruction *instruction, char letter);

/* Where the element of a lane lies in the matrix. */
struct ptx_element_place ptx_fragment_place(const struct ptx_fragment *fragment, unsigned lane,
                                            unsigned element);

#endif
