/* tensor_cores.c: see tensor_cores.h. */
#include "device/emulated/exec/tensor_cores.h"

#include "device/emulated/arithmetic/tensor_sums.h"
#include "device/emulated/memory/access_counts.h"

#include <string.h>

/* Multiply-adds that are emulated in the time of one unit of work (launch_work.h). */
enum { MULTIPLY_ADDS_PER_WORK = 2 };

static uint32_t *words(const struct warp *warp, uint32_t slot)
{
    return (uint32_t *)(void *)(warp->file + slot);
}

static uint64_t *wide_words(const struct warp *warp, uint32_t slot)
{
    return (uint64_t *)(void *)(warp->file + slot);
}

void element_address_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct element_places *places = &warp->block->launch->code->places[op->target];
    const uint32_t *pitch = words(warp, op->slot[2]);
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t at = (uint64_t)places->major[lane] * pitch[lane] + places->minor[lane];
        if (op->address_is_wide) {
            wide_words(warp, op->slot[0])[lane] =
                wide_words(warp, op->slot[1])[lane] + at * op->bytes;
        } else {
            words(warp, op->slot[0])[lane] =
                words(warp, op->slot[1])[lane] + (uint32_t)at * op->bytes;
        }
    }
}

/* Number `column` of row `row` of matrix `i`, where rows lie in lanes. */
static uint32_t get_of_rows(uint32_t from[4][LANES], unsigned i, unsigned row, unsigned column)
{
    return from[column / 2][8 * i + row] >> 16 * (column % 2) & 0xffff;
}

/* The same of a fragment. */
static uint32_t get_of_fragment(uint32_t from[4][LANES], unsigned i, unsigned row, unsigned column)
{
    return from[i][4 * row + column / 2] >> 16 * (column % 2) & 0xffff;
}

void matrix_lanes_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    bool to_rows = op->kind == MOVE_TO_ROWS || op->kind == MOVE_TO_ROWS_TRANSPOSED;
    bool is_turned = op->kind == MOVE_TO_FRAGMENT_TRANSPOSED ||
                     op->kind == MOVE_TO_ROWS_TRANSPOSED || op->kind == MOVE_TRANSPOSED;
    bool of_rows = op->kind == MOVE_TO_FRAGMENT || op->kind == MOVE_TO_FRAGMENT_TRANSPOSED;
    uint32_t from[4][LANES];
    for (unsigned k = 0; k < 4; k++) {
        memcpy(from[k], words(warp, op->slot[k]), sizeof from[k]);
    }
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < (to_rows ? 4 : op->count); k++) {
            unsigned matrix = to_rows ? lane / 8 : k;
            unsigned row = to_rows ? lane % 8 : lane / 4;
            unsigned column = 2 * (to_rows ? k : lane % 4);
            uint32_t pair = 0;
            for (unsigned half = 0; half < 2 && matrix < op->count; half++) {
                unsigned y = is_turned ? column + half : row;
                unsigned x = is_turned ? row : column + half;
                pair |= (of_rows ? get_of_rows(from, matrix, y, x)
                                 : get_of_fragment(from, matrix, y, x))
                        << 16 * half;
            }
            words(warp, op->slot[k])[lane] = pair;
        }
    }
}

/* Puts all elements of a, b or c where they belong in a matrix: a in rows, b in columns, c in
 * rows. */
static void collect(const struct warp *warp, const struct tensor_product *product, unsigned part,
                    uint64_t *matrix)
{
    const struct ptx_fragment *fragment = &product->fragments[part];
    const unsigned major = part == 2 ? 1 : fragment->columns; /* distance of rows */
    const unsigned minor = part == 2 ? fragment->rows : 1;
    const bool is_wide = fragment->bits == 64;
    const unsigned pack = is_wide ? 1 : 32 / fragment->bits;
    const uint32_t bits = fragment->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << fragment->bits) - 1;
    for (unsigned i = 0; i < fragment->elements; i++) {
        const uint32_t slot = product->slots[part][i / pack];
        const unsigned shift = is_wide ? 0 : fragment->bits * (i % pack);
        const struct ptx_element_place *place = product->places[part] + i;
        for (unsigned lane = 0; lane < LANES; lane++, place += fragment->elements) {
            matrix[place->row * major + place->column * minor] =
                is_wide ? wide_words(warp, slot)[lane] : words(warp, slot)[lane] >> shift & bits;
        }
    }
}

/* Puts the results into the lanes of `mask`. */
static void spread(const struct warp *warp, const struct tensor_product *product, uint32_t mask,
                   const uint64_t *matrix)
{
    const struct ptx_fragment *fragment = &product->fragments[0];
    const struct ptx_element_place *place = product->places[0];
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < fragment->elements; i++, place++) {
            uint64_t bits = matrix[place->row * fragment->columns + place->column];
            if ((mask >> lane & 1) == 0) {
                continue;
            }
            if (fragment->bits == 64) {
                wide_words(warp, product->slots[0][i])[lane] = bits;
            } else if (fragment->bits == 32) {
                words(warp, product->slots[0][i])[lane] = (uint32_t)bits;
            } else {
                uint32_t *word = &words(warp, product->slots[0][i / 2])[lane];
                *word = i % 2 == 0 ? (uint32_t)bits : *word | (uint32_t)bits << 16;
            }
        }
    }
}

void tensor_product_run(struct warp *warp, const struct op *op, uint32_t mask)
{
    const struct tensor_product *product = &warp->block->launch->code->products[op->target];
    const struct ptx_matrix *matrix = &product->matrix;
    const uint64_t multiply_adds = (uint64_t)matrix->m * matrix->n * matrix->k;
    uint64_t a[TENSOR_ELEMENTS_MAX];
    uint64_t b[TENSOR_ELEMENTS_MAX];
    uint64_t c[TENSOR_ELEMENTS_MAX];
    uint64_t d[TENSOR_ELEMENTS_MAX];
    collect(warp, product, 1, a);
    collect(warp, product, 2, b);
    collect(warp, product, 3, c);
    tensor_sums(warp->block->launch->variant, product, a, b, c, d);
    spread(warp, product, mask, d);
    if (warp->worker->is_watched) {
        count_product(warp, op, mask, multiply_adds);
    }
    warp->block->work += multiply_adds / MULTIPLY_ADDS_PER_WORK;
}
