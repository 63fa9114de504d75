/* product_oracle.h: what a product of two matrices must be, and what well-known mistakes make of
 * it: the body of every oracle for C = A x B. Each oracle adds its own names for the matrices.
 *
 * Before the #include, an oracle defines these string literals: the students' names of the operands
 *   PRODUCT_A, PRODUCT_B, PRODUCT_C
 * of their sizes and of the block width
 *   PRODUCT_A_HEIGHT, PRODUCT_A_WIDTH, PRODUCT_B_WIDTH, PRODUCT_EDGE
 * and of the elements
 *   PRODUCT_A_PLACE of (row, k), PRODUCT_B_PLACE of (k, column), PRODUCT_C_PLACE of (row, column).
 * and, where the elements of A and B are no floats, their type as PRODUCT_NUMBER and the function
 * PRODUCT_VALUE, which gives its value as a float.
 * If all matrices are square, it also defines PRODUCT_IS_SQUARE: then mistakes that need other
 * matrices are skipped. After the #include, the oracle defines product_sizes_of(), which finds the
 * sizes among the rubric's parameters, and the object `gpugrade_oracle`, made of product_expect,
 * product_expect_in_order, product_needs and a list of mistakes that includes PRODUCT_MISTAKES. Its
 * inputs are A and B, in this order.
 *
 * Nearly every mistake reads A or B at other places, skips some products, or writes C at other
 * places. So a mistake is three functions that move indices: the first two rearrange the operands,
 * and the third scatters their product. Other mistakes mix rows, columns and operands within a pair
 * of tiles in a way that no rearranged operand can express; they go through the tiles step by step.
 *
 *   A'[row][k]      = A[a_index(row, k)], or 0 where it says SKIP
 *   B'[k][column]   = B[b_index(k, column)], or 0
 *   C[c_index(row, column)] = sum over k of A' B', or nowhere where it says SKIP
 *
 * A mistake is not judged where it reads outside of an operand or lets two threads write the same
 * element, since then the result is not determined, nor where it changes nothing for these sizes or
 * leaves only zeros and unwritten elements, since many other mistakes do the same.
 *
 * product_expect_in_order relies on plain rounding after each operation: build with
 * -ffp-contract=off.
 */
#ifndef GPUGRADE_COMMON_PRODUCT_ORACLE_H
#define GPUGRADE_COMMON_PRODUCT_ORACLE_H

#include "model/oracle.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef PRODUCT_NUMBER
#define PRODUCT_NUMBER float
#define PRODUCT_VALUE(number) (number)
#endif

#define SKIP (-1)

struct product_sizes {
    int64_t height; /* of A and C */
    int64_t inner;  /* width of A, height of B */
    int64_t width;  /* of B and C */
    int64_t block;
};

typedef int64_t index_function(const struct product_sizes *sizes, int64_t row, int64_t column);

/* Defined by the oracle. */
static struct product_sizes product_sizes_of(const struct oracle_problem *problem);

/* The right result ***************************************************************************/

static void product_expect(const struct oracle_problem *problem, double *out_expected,
                           double *out_magnitudes)
{
    const struct product_sizes sizes = product_sizes_of(problem);
    const PRODUCT_NUMBER *a = problem->inputs[0];
    const PRODUCT_NUMBER *b = problem->inputs[1];
    for (int64_t row = 0; row < sizes.height; row++) {
        double *restrict sums = out_expected + row * sizes.width;
        double *restrict magnitudes = out_magnitudes + row * sizes.width;
        for (int64_t column = 0; column < sizes.width; column++) {
            sums[column] = 0.0;
            magnitudes[column] = 0.0;
        }
        for (int64_t k = 0; k < sizes.inner; k++) {
            const double factor = PRODUCT_VALUE(a[row * sizes.inner + k]);
            const PRODUCT_NUMBER *restrict b_row = b + k * sizes.width;
            for (int64_t column = 0; column < sizes.width; column++) {
                const double product = factor * PRODUCT_VALUE(b_row[column]);
                sums[column] += product;
                magnitudes[column] += fabs(product);
            }
        }
    }
}

static void product_expect_in_order(const struct oracle_problem *problem, float *out_expected)
{
    const struct product_sizes sizes = product_sizes_of(problem);
    const PRODUCT_NUMBER *a = problem->inputs[0];
    const PRODUCT_NUMBER *b = problem->inputs[1];
    for (int64_t row = 0; row < sizes.height; row++) {
        float *sums = out_expected + row * sizes.width;
        for (int64_t column = 0; column < sizes.width; column++) {
            sums[column] = 0.0f;
        }
        for (int64_t k = 0; k < sizes.inner; k++) {
            const float factor = PRODUCT_VALUE(a[row * sizes.inner + k]);
            const PRODUCT_NUMBER *b_row = b + k * sizes.width;
            for (int64_t column = 0; column < sizes.width; column++) {
                const float product = factor * PRODUCT_VALUE(b_row[column]);
                sums[column] = sums[column] + product;
            }
        }
    }
}

/* A(row, k) and B(k, column) of one element, product by product. */
static size_t product_needs(const struct oracle_problem *problem, size_t element,
                            struct oracle_need *out_needs, size_t capacity)
{
    const struct product_sizes sizes = product_sizes_of(problem);
    const size_t inner = (size_t)sizes.inner;
    const size_t width = (size_t)sizes.width;
    const size_t row = element / width;
    const size_t column = element % width;
    for (size_t k = 0; k < inner && 2 * k + 1 < capacity; k++) {
        out_needs[2 * k] = (struct oracle_need){.input = 0, .element = row * inner + k};
        out_needs[2 * k + 1] = (struct oracle_need){.input = 1, .element = k * width + column};
    }
    return 2 * inner;
}

/* Where the elements are *********************************************************************/

static int64_t a_right(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return row * sizes->inner + k;
}

static int64_t b_right(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return k * sizes->width + column;
}

static int64_t c_right(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->width + column;
}

/* The first index of the tile that an index lies in. */
static int64_t tile_start(const struct product_sizes *sizes, int64_t index)
{
    return index - index % sizes->block;
}

/* Products left out: as elements of A that count as 0. */

static int64_t a_without_last_of_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k % sizes->block == sizes->block - 1 ? SKIP : a_right(sizes, row, k);
}

static int64_t a_without_first_of_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k % sizes->block == 0 ? SKIP : a_right(sizes, row, k);
}

static int64_t a_without_last_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k >= sizes->inner - sizes->block ? SKIP : a_right(sizes, row, k);
}

static int64_t a_without_first_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k < sizes->block ? SKIP : a_right(sizes, row, k);
}

static int64_t a_first_tile_only(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k >= sizes->block ? SKIP : a_right(sizes, row, k);
}

static int64_t a_last_tile_only(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k < sizes->inner - sizes->block ? SKIP : a_right(sizes, row, k);
}

static int64_t a_without_last(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k == sizes->inner - 1 ? SKIP : a_right(sizes, row, k);
}

static int64_t a_last_only(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k != sizes->inner - 1 ? SKIP : a_right(sizes, row, k);
}

static int64_t a_every_second_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k / sizes->block % 2 != 0 ? SKIP : a_right(sizes, row, k);
}

static int64_t a_every_second(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k % 2 != 0 ? SKIP : a_right(sizes, row, k);
}

/* Elements of A read elsewhere. */

static int64_t a_tile_transposed(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return a_right(sizes, tile_start(sizes, row) + k % sizes->block,
                   tile_start(sizes, k) + row % sizes->block);
}

static int64_t a_row_length_of_tile(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return row * sizes->block + k;
}

static int64_t a_column_major(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return k * sizes->height + row;
}

static int64_t a_first_tile_again(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return a_right(sizes, row, k % sizes->block);
}

static int64_t a_first_block_row(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return a_right(sizes, row % sizes->block, k);
}

static int64_t a_tile_number_as_offset(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return a_right(sizes, row, k / sizes->block + k % sizes->block);
}

/* Elements of B read elsewhere. */

static int64_t b_tile_transposed(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return b_right(sizes, tile_start(sizes, k) + column % sizes->block,
                   tile_start(sizes, column) + k % sizes->block);
}

static int64_t b_row_length_of_tile(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return k * sizes->block + column;
}

static int64_t b_column_major(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return column * sizes->inner + k;
}

static int64_t b_first_tile_again(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return b_right(sizes, k % sizes->block, column);
}

static int64_t b_first_block_column(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return b_right(sizes, k, column % sizes->block);
}

static int64_t b_tile_number_as_offset(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return b_right(sizes, k / sizes->block + k % sizes->block, column);
}

/* Elements of C written elsewhere. */

static int64_t c_tile_transposed(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    return c_right(sizes, tile_start(sizes, row) + column % sizes->block,
                   tile_start(sizes, column) + row % sizes->block);
}

static int64_t c_transposed(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    return column * sizes->height + row;
}

static int64_t c_first_block_only(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    return row >= sizes->block || column >= sizes->block ? SKIP : c_right(sizes, row, column);
}

static int64_t c_without_last_block_column(const struct product_sizes *sizes, int64_t row,
                                           int64_t column)
{
    return column >= sizes->width - sizes->block ? SKIP : c_right(sizes, row, column);
}

static int64_t c_without_last_block_row(const struct product_sizes *sizes, int64_t row,
                                        int64_t column)
{
    return row >= sizes->height - sizes->block ? SKIP : c_right(sizes, row, column);
}

/* Elsewhere only if the matrices are not square. */
#ifndef PRODUCT_IS_SQUARE

static int64_t a_row_length_of_b(const struct product_sizes *sizes, int64_t row, int64_t k)
{
    return row * sizes->width + k;
}

static int64_t b_row_length_of_a(const struct product_sizes *sizes, int64_t k, int64_t column)
{
    return k * sizes->inner + column;
}

static int64_t c_row_length_of_a(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    return row * sizes->inner + column;
}

/* A grid of height x width blocks in place of width x height covers columns up to the height and
 * rows up to the width. Where it is wider than C, it writes elements twice: not determined. */
static int64_t c_grid_swapped(const struct product_sizes *sizes, int64_t row, int64_t column)
{
    if (sizes->height > sizes->width) {
        return 0;
    }
    return column >= sizes->height ? SKIP : c_right(sizes, row, column);
}

#endif

/* The product of rearranged operands *********************************************************/

struct matrix {
    double *values; /* [rows][columns] */
    int64_t rows, columns;
};

static bool matrix_init(struct matrix *matrix, int64_t rows, int64_t columns)
{
    matrix->rows = rows;
    matrix->columns = columns;
    matrix->values = NULL;
    if (rows <= 0 || columns <= 0 || (uint64_t)rows > SIZE_MAX / sizeof(double) / (size_t)columns) {
        return false;
    }
    matrix->values = malloc((size_t)rows * (size_t)columns * sizeof *matrix->values);
    return matrix->values != NULL;
}

static void matrix_release(struct matrix *matrix)
{
    free(matrix->values);
    matrix->values = NULL;
}

/* Fills a matrix from an operand of the same size; false if an index lies outside of it. Sets
 * *changed if any element has another value than the one at the place that `right` says. */
static bool matrix_gather(struct matrix *matrix, const struct product_sizes *sizes,
                          const PRODUCT_NUMBER *operand, index_function *index,
                          index_function *right, bool *changed)
{
    for (int64_t row = 0; row < matrix->rows; row++) {
        for (int64_t column = 0; column < matrix->columns; column++) {
            const int64_t place = row * matrix->columns + column;
            const int64_t from = index(sizes, row, column);
            if (from != SKIP && (from < 0 || from >= matrix->rows * matrix->columns)) {
                return false;
            }
            matrix->values[place] = from == SKIP ? 0.0 : (double)PRODUCT_VALUE(operand[from]);
            *changed = *changed || matrix->values[place] !=
                                       (double)PRODUCT_VALUE(operand[right(sizes, row, column)]);
        }
    }
    return true;
}

/* Writes one row of C where `index` says. Places outside of C are dropped, as devices do; false if
 * an element is written twice. */
static bool scatter_row(const struct product_sizes *sizes, int64_t row, const double *sums,
                        index_function *index, double *out_values)
{
    for (int64_t column = 0; column < sizes->width; column++) {
        const int64_t place = index(sizes, row, column);
        if (place < 0 || place >= sizes->height * sizes->width) {
            continue;
        }
        if (!isnan(out_values[place])) {
            return false;
        }
        out_values[place] = sums[column];
    }
    return true;
}

static bool output_is_moved(const struct product_sizes *sizes, index_function *index)
{
    for (int64_t row = 0; row < sizes->height; row++) {
        for (int64_t column = 0; column < sizes->width; column++) {
            if (index(sizes, row, column) != c_right(sizes, row, column)) {
                return true;
            }
        }
    }
    return false;
}

static void fill_nan(const struct product_sizes *sizes, double *out_values)
{
    for (int64_t i = 0; i < sizes->height * sizes->width; i++) {
        out_values[i] = NAN;
    }
}

/* Multiplies and scatters; false if two products go to the same element. */
static bool multiply(const struct product_sizes *sizes, const struct matrix *a,
                     const struct matrix *b, double *sums, index_function *c_index,
                     double *out_values)
{
    for (int64_t row = 0; row < sizes->height; row++) {
        for (int64_t column = 0; column < sizes->width; column++) {
            sums[column] = 0.0;
        }
        for (int64_t k = 0; k < sizes->inner; k++) {
            const double factor = a->values[row * sizes->inner + k];
            const double *b_row = b->values + k * sizes->width;
            for (int64_t column = 0; column < sizes->width; column++) {
                sums[column] += factor * b_row[column];
            }
        }
        if (!scatter_row(sizes, row, sums, c_index, out_values)) {
            return false;
        }
    }
    return true;
}

/* True if some element is neither unwritten nor 0. */
static bool says_something(const struct product_sizes *sizes, const double *values)
{
    for (int64_t i = 0; i < sizes->height * sizes->width; i++) {
        if (!isnan(values[i]) && values[i] != 0.0) {
            return true;
        }
    }
    return false;
}

/* Computes the mistake that the three functions describe; 0 if it cannot be judged. */
static int rearranged(const struct oracle_problem *problem, index_function *a_index,
                      index_function *b_index, index_function *c_index, double *out_values)
{
    const struct product_sizes sizes = product_sizes_of(problem);
    bool changed = output_is_moved(&sizes, c_index);
    struct matrix a = {0};
    struct matrix b = {0};
    struct matrix sums = {0};
    bool judged = matrix_init(&a, sizes.height, sizes.inner) &&
                  matrix_init(&b, sizes.inner, sizes.width) && matrix_init(&sums, 1, sizes.width) &&
                  matrix_gather(&a, &sizes, problem->inputs[0], a_index, a_right, &changed) &&
                  matrix_gather(&b, &sizes, problem->inputs[1], b_index, b_right, &changed);
    if (judged && changed) {
        fill_nan(&sizes, out_values);
        judged = multiply(&sizes, &a, &b, sums.values, c_index, out_values) &&
                 says_something(&sizes, out_values);
    }
    matrix_release(&a);
    matrix_release(&b);
    matrix_release(&sums);
    return judged && changed;
}

/* Mistakes within a tile *********************************************************************/

/* What is read in step k of a pair of tiles by the thread at `ty`, `tx` of a block: an element of
 * one of the two tiles. Right are the tile of A at [ty][k] and the tile of B at [k][tx]. */
enum tile { TILE_A, TILE_B };
enum tile_index { TY, TX, K };

struct tile_read {
    enum tile tile;
    enum tile_index row, column;
};

static float read_tile(const struct oracle_problem *problem, const struct product_sizes *sizes,
                       const struct tile_read *read, int64_t row, int64_t column, int64_t k)
{
    const PRODUCT_NUMBER *operand = problem->inputs[read->tile];
    const int64_t within[] = {row % sizes->block, column % sizes->block, k % sizes->block};
    const int64_t at_row = within[read->row];
    const int64_t at_column = within[read->column];
    const int64_t place =
        read->tile == TILE_A
            ? a_right(sizes, tile_start(sizes, row) + at_row, tile_start(sizes, k) + at_column)
            : b_right(sizes, tile_start(sizes, k) + at_row, tile_start(sizes, column) + at_column);
    return PRODUCT_VALUE(operand[place]);
}

static bool is_tiled(const struct product_sizes *sizes)
{
    return sizes->height % sizes->block == 0 && sizes->inner % sizes->block == 0 &&
           sizes->width % sizes->block == 0;
}

/* Goes through all tiles as a kernel does, in float, since large numbers may meet large ones; 0 if
 * some tile is not whole, or a block is a single thread, which reads its own element in every
 * order, or where the result is right all the same, as small matrices may be alike. */
static int stepped(const struct oracle_problem *problem, const struct tile_read *left,
                   const struct tile_read *right, bool adds, double *out_values)
{
    const struct product_sizes sizes = product_sizes_of(problem);
    const PRODUCT_NUMBER *all_a = problem->inputs[0], *all_b = problem->inputs[1];
    int differs = 0;
    if (sizes.block < 2 || !is_tiled(&sizes)) {
        return 0;
    }
    for (int64_t row = 0; row < sizes.height; row++) {
        for (int64_t column = 0; column < sizes.width; column++) {
            float sum = 0.0f;
            float right_sum = 0.0f;
            for (int64_t k = 0; k < sizes.inner; k++) {
                const float a = read_tile(problem, &sizes, left, row, column, k);
                const float b = read_tile(problem, &sizes, right, row, column, k);
                sum += adds ? a + b : a * b;
                right_sum += PRODUCT_VALUE(all_a[row * sizes.inner + k]) *
                             PRODUCT_VALUE(all_b[k * sizes.width + column]);
            }
            out_values[c_right(&sizes, row, column)] = sum;
            differs = differs || sum != right_sum;
        }
    }
    return differs;
}

/* ROW(name, tile, row, column, tile, row, column, adds, message, hint) */
#define A_AT "the tile of " PRODUCT_A " is read at "
#define B_AT "the tile of " PRODUCT_B " is read at "
#define NOT_A " instead of [threadIdx.y][k]"
#define NOT_B " instead of [k][threadIdx.x]"
#define A_HINT                                                                                     \
    "a thread goes along row threadIdx.y of the tile of " PRODUCT_A ": only the column is k"
#define B_HINT                                                                                     \
    "a thread goes down column threadIdx.x of the tile of " PRODUCT_B ": only the row is k"
#define STEPPED(ROW)                                                                               \
    ROW(tile_operands_swapped, TILE_A, K, TX, TILE_B, TY, K, false,                                \
        "the tiles are multiplied in the wrong order",                                             \
        "a thread goes along row threadIdx.y of the tile of " PRODUCT_A                            \
        " and down column threadIdx.x of the "                                                     \
        "tile of " PRODUCT_B)                                                                      \
    ROW(own_elements_only, TILE_A, TY, TX, TILE_B, TY, TX, false,                                  \
        "each thread multiplies only the two elements at its own place",                           \
        "the loop over k has to use k: the column in the tile of " PRODUCT_A                       \
        ", the row in the tile of " PRODUCT_B)                                                     \
    ROW(products_added, TILE_A, TY, K, TILE_B, K, TX, true,                                        \
        "the elements of " PRODUCT_A " and " PRODUCT_B " are added, not multiplied",               \
        "an element of " PRODUCT_C " is a sum of products: sum += a * b")                          \
    ROW(a_by_itself, TILE_A, TY, K, TILE_A, K, TX, false,                                          \
        "the tile of " PRODUCT_A " is multiplied by itself, the tile of " PRODUCT_B                \
        " is not used",                                                                            \
        "the second factor is [k][threadIdx.x] of the tile of " PRODUCT_B                          \
        ", which needs its own memory")                                                            \
    ROW(b_by_itself, TILE_B, TY, K, TILE_B, K, TX, false,                                          \
        "the tile of " PRODUCT_B " is multiplied by itself, the tile of " PRODUCT_A                \
        " is not used",                                                                            \
        "the first factor is [threadIdx.y][k] of the tile of " PRODUCT_A                           \
        ", which needs its own memory")                                                            \
    ROW(a_read_at_ty_tx, TILE_A, TY, TX, TILE_B, K, TX, false,                                     \
        A_AT "[threadIdx.y][threadIdx.x]" NOT_A, A_HINT)                                           \
    ROW(a_read_at_tx_k, TILE_A, TX, K, TILE_B, K, TX, false, A_AT "[threadIdx.x][k]" NOT_A,        \
        A_HINT)                                                                                    \
    ROW(a_read_at_k_tx, TILE_A, K, TX, TILE_B, K, TX, false, A_AT "[k][threadIdx.x]" NOT_A,        \
        A_HINT)                                                                                    \
    ROW(a_read_at_tx_ty, TILE_A, TX, TY, TILE_B, K, TX, false,                                     \
        A_AT "[threadIdx.x][threadIdx.y]" NOT_A, A_HINT)                                           \
    ROW(a_read_at_k_k, TILE_A, K, K, TILE_B, K, TX, false, A_AT "[k][k]" NOT_A, A_HINT)            \
    ROW(b_read_at_ty_tx, TILE_A, TY, K, TILE_B, TY, TX, false,                                     \
        B_AT "[threadIdx.y][threadIdx.x]" NOT_B, B_HINT)                                           \
    ROW(b_read_at_k_ty, TILE_A, TY, K, TILE_B, K, TY, false, B_AT "[k][threadIdx.y]" NOT_B,        \
        B_HINT)                                                                                    \
    ROW(b_read_at_ty_k, TILE_A, TY, K, TILE_B, TY, K, false, B_AT "[threadIdx.y][k]" NOT_B,        \
        B_HINT)                                                                                    \
    ROW(b_read_at_tx_ty, TILE_A, TY, K, TILE_B, TX, TY, false,                                     \
        B_AT "[threadIdx.x][threadIdx.y]" NOT_B, B_HINT)                                           \
    ROW(b_read_at_k_k, TILE_A, TY, K, TILE_B, K, K, false, B_AT "[k][k]" NOT_B, B_HINT)

#define COMPUTE(name, a, a_row, a_column, b, b_row, b_column, adds, message, hint)                 \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        const struct tile_read left = {a, a_row, a_column};                                        \
        const struct tile_read right = {b, b_row, b_column};                                       \
        return stepped(problem, &left, &right, adds, out_values);                                  \
    }
STEPPED(COMPUTE)
#undef COMPUTE

/* The table **********************************************************************************/

/* ROW(name, a_index, b_index, c_index, message, hint); the more frequent ones first. */
#define REARRANGED(ROW)                                                                            \
    ROW(last_product_of_tile, a_without_last_of_tile, b_right, c_right,                            \
        "every element misses the last product of each tile",                                      \
        "the loop over k within a tile ends too early: it has to run while k < " PRODUCT_EDGE)     \
    ROW(first_product_of_tile, a_without_first_of_tile, b_right, c_right,                          \
        "every element misses the first product of each tile",                                     \
        "the loop over k within a tile has to start at 0")                                         \
    ROW(last_tile, a_without_last_tile, b_right, c_right,                                          \
        "every element misses the products of the last pair of tiles",                             \
        "the loop over the tiles ends too early: there are " PRODUCT_A_WIDTH " / " PRODUCT_EDGE    \
        " pairs")                                                                                  \
    ROW(first_tile, a_without_first_tile, b_right, c_right,                                        \
        "every element misses the products of the first pair of tiles",                            \
        "the loop over the tiles has to start with tile 0")                                        \
    ROW(first_tile_only, a_first_tile_only, b_right, c_right,                                      \
        "only the products of the first pair of tiles are added",                                  \
        "loop over all " PRODUCT_A_WIDTH " / " PRODUCT_EDGE " pairs of tiles")                     \
    ROW(last_tile_only, a_last_tile_only, b_right, c_right,                                        \
        "only the products of the last pair of tiles are left",                                    \
        "set the sum to 0 before the loop over the tiles, not in it, and add to it")               \
    ROW(every_second_tile, a_every_second_tile, b_right, c_right,                                  \
        "only every second pair of tiles is used",                                                 \
        "the loop over the tiles advances twice in each round")                                    \
    ROW(every_second_product, a_every_second, b_right, c_right,                                    \
        "only every second product is added", "the loop over k advances twice in each round")      \
    ROW(last_product, a_without_last, b_right, c_right,                                            \
        "every element misses its very last product", "k has to reach " PRODUCT_A_WIDTH " - 1")    \
    ROW(last_product_only, a_last_only, b_right, c_right,                                          \
        "only the very last product is left in each element",                                      \
        "add each product to the sum: +=, not =")                                                  \
    ROW(a_tile_exchanged, a_tile_transposed, b_right, c_right,                                     \
        "row and column are exchanged in the tile of " PRODUCT_A,                                  \
        "store and read the tile of " PRODUCT_A                                                    \
        " in the same order: row threadIdx.y, column threadIdx.x "                                 \
        "where it is stored and k where it is read")                                               \
    ROW(b_tile_exchanged, a_right, b_tile_transposed, c_right,                                     \
        "row and column are exchanged in the tile of " PRODUCT_B,                                  \
        "store and read the tile of " PRODUCT_B                                                    \
        " in the same order: column threadIdx.x, row threadIdx.y "                                 \
        "where it is stored and k where it is read")                                               \
    ROW(both_tiles_exchanged, a_tile_transposed, b_tile_transposed, c_right,                       \
        "row and column are exchanged in both tiles",                                              \
        "store with [threadIdx.y][threadIdx.x]: x counts columns, y counts rows")                  \
    ROW(output_tile_exchanged, a_right, b_right, c_tile_transposed,                                \
        "row and column are exchanged within each tile of " PRODUCT_C,                             \
        "x counts columns and y counts rows, also where " PRODUCT_C " is written")                 \
    ROW(output_transposed, a_right, b_right, c_transposed, PRODUCT_C " is written transposed",     \
        "element (row, column) of " PRODUCT_C " is " PRODUCT_C_PLACE)                              \
    ROW(a_row_length_tile, a_row_length_of_tile, b_right, c_right,                                 \
        PRODUCT_A " is read with " PRODUCT_EDGE " as the length of its rows",                      \
        "element (row, k) of " PRODUCT_A " is " PRODUCT_A_PLACE)                                   \
    ROW(b_row_length_tile, a_right, b_row_length_of_tile, c_right,                                 \
        PRODUCT_B " is read with " PRODUCT_EDGE " as the length of its rows",                      \
        "element (k, column) of " PRODUCT_B " is " PRODUCT_B_PLACE)                                \
    ROW(a_column_major, a_column_major, b_right, c_right, PRODUCT_A " is read column by column",   \
        "matrices are row-major: element (row, k) of " PRODUCT_A " is " PRODUCT_A_PLACE)           \
    ROW(b_column_major, a_right, b_column_major, c_right, PRODUCT_B " is read column by column",   \
        "matrices are row-major: element (k, column) of " PRODUCT_B " is " PRODUCT_B_PLACE)        \
    ROW(a_tile_stays, a_first_tile_again, b_right, c_right,                                        \
        "the first tile of " PRODUCT_A " is used in every round",                                  \
        "the column at which the tile of " PRODUCT_A " is read has to advance with the tiles")     \
    ROW(b_tile_stays, a_right, b_first_tile_again, c_right,                                        \
        "the first tile of " PRODUCT_B " is used in every round",                                  \
        "the row at which the tile of " PRODUCT_B " is read has to advance with the tiles")        \
    ROW(both_tiles_stay, a_first_tile_again, b_first_tile_again, c_right,                          \
        "the first pair of tiles is used in every round",                                          \
        "where the tiles are read has to advance with the loop over the tiles")                    \
    ROW(a_tile_number, a_tile_number_as_offset, b_right, c_right,                                  \
        "the tile of " PRODUCT_A " advances by one column instead of one tile",                    \
        "multiply the number of the tile by " PRODUCT_EDGE)                                        \
    ROW(b_tile_number, a_right, b_tile_number_as_offset, c_right,                                  \
        "the tile of " PRODUCT_B " advances by one row instead of one tile",                       \
        "multiply the number of the tile by " PRODUCT_EDGE)                                        \
    ROW(both_tile_numbers, a_tile_number_as_offset, b_tile_number_as_offset, c_right,              \
        "the tiles advance by one element instead of one tile",                                    \
        "multiply the number of the tile by " PRODUCT_EDGE)                                        \
    ROW(a_block_row, a_first_block_row, b_right, c_right,                                          \
        "every block reads the first rows of " PRODUCT_A,                                          \
        "the row of " PRODUCT_A " starts at blockIdx.y * " PRODUCT_EDGE)                           \
    ROW(b_block_column, a_right, b_first_block_column, c_right,                                    \
        "every block reads the first columns of " PRODUCT_B,                                       \
        "the column of " PRODUCT_B " starts at blockIdx.x * " PRODUCT_EDGE)                        \
    ROW(first_block_only, a_right, b_right, c_first_block_only,                                    \
        "only the first tile of " PRODUCT_C " is written",                                         \
        "add blockIdx times " PRODUCT_EDGE                                                         \
        " to the row and to the column, and launch a whole grid")                                  \
    ROW(last_block_column, a_right, b_right, c_without_last_block_column,                          \
        "the last tiles of each row of " PRODUCT_C " are never written",                           \
        "the grid needs " PRODUCT_B_WIDTH " / " PRODUCT_EDGE " blocks in x")                       \
    ROW(last_block_row, a_right, b_right, c_without_last_block_row,                                \
        "the last row of tiles of " PRODUCT_C " is never written",                                 \
        "the grid needs " PRODUCT_A_HEIGHT " / " PRODUCT_EDGE " blocks in y")

#ifdef PRODUCT_IS_SQUARE
#define RECTANGULAR(ROW)
#else
#define RECTANGULAR(ROW)                                                                           \
    ROW(a_row_length, a_row_length_of_b, b_right, c_right,                                         \
        PRODUCT_A " is read with " PRODUCT_B_WIDTH " as the length of its rows",                   \
        "element (row, k) of " PRODUCT_A " is " PRODUCT_A_PLACE "; matrices are not square")       \
    ROW(b_row_length, a_right, b_row_length_of_a, c_right,                                         \
        PRODUCT_B " is read with " PRODUCT_A_WIDTH " as the length of its rows",                   \
        "element (k, column) of " PRODUCT_B " is " PRODUCT_B_PLACE "; matrices are not square")    \
    ROW(c_row_length, a_right, b_right, c_row_length_of_a,                                         \
        PRODUCT_C " is written with " PRODUCT_A_WIDTH " as the length of its rows",                \
        "element (row, column) of " PRODUCT_C " is " PRODUCT_C_PLACE "; matrices are not square")  \
    ROW(grid_swapped, a_right, b_right, c_grid_swapped,                                            \
        "the grid's width and height are swapped: columns on the right are never written",         \
        "the grid has " PRODUCT_B_WIDTH " / " PRODUCT_EDGE " blocks in x and " PRODUCT_A_HEIGHT    \
        " / " PRODUCT_EDGE " in y")
#endif

#define COMPUTE(name, a_index, b_index, c_index, message, hint)                                    \
    static int compute_##name(const struct oracle_problem *problem, double *out_values)            \
    {                                                                                              \
        return rearranged(problem, a_index, b_index, c_index, out_values);                         \
    }
REARRANGED(COMPUTE)
RECTANGULAR(COMPUTE)
#undef COMPUTE

#define PRODUCT_REARRANGED_MISTAKE(name, a_index, b_index, c_index, message, hint)                 \
    {#name, message, hint, compute_##name},
#define PRODUCT_STEPPED_MISTAKE(name, a, a_row, a_column, b, b_row, b_column, adds, message, hint) \
    {#name, message, hint, compute_##name},
#define PRODUCT_MISTAKES                                                                           \
    STEPPED(PRODUCT_STEPPED_MISTAKE)                                                               \
    REARRANGED(PRODUCT_REARRANGED_MISTAKE) RECTANGULAR(PRODUCT_REARRANGED_MISTAKE)

#endif
