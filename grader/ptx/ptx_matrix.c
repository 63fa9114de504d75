/* ptx_matrix.c: see ptx_matrix.h. */
#include "ptx/ptx_matrix.h"

#include "ptx/ptx_tables.h"

#include <string.h>

enum { SEEN_LAYOUT = 1, SEEN_LAYOUTS = 2, SEEN_SHAPE = 4, SEEN_TYPE = 8 };

/* What can be multiplied: types of a and b, which of signed and unsigned may be mixed, and of c and
 * d. `of_wmma` are the shapes of wmma, else those of mma, which takes rows of a and columns of b. */
static const struct {
    uint8_t a, a_or, sum, sum_or;
    bool of_wmma;
    uint8_t m, n, k;
} products[] = {
    {PTX_F16, PTX_F16, PTX_F32, PTX_F16, true, 16, 16, 16},
    {PTX_F16, PTX_F16, PTX_F32, PTX_F16, true, 32, 8, 16},
    {PTX_F16, PTX_F16, PTX_F32, PTX_F16, true, 8, 32, 16},
    {PTX_BF16, PTX_BF16, PTX_F32, PTX_F32, true, 16, 16, 16},
    {PTX_BF16, PTX_BF16, PTX_F32, PTX_F32, true, 32, 8, 16},
    {PTX_BF16, PTX_BF16, PTX_F32, PTX_F32, true, 8, 32, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, true, 16, 16, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, true, 32, 8, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, true, 8, 32, 16},
    {PTX_TF32, PTX_TF32, PTX_F32, PTX_F32, true, 16, 16, 8},
    {PTX_F64, PTX_F64, PTX_F64, PTX_F64, true, 8, 8, 4},
    {PTX_F16, PTX_F16, PTX_F32, PTX_F16, false, 16, 8, 8},
    {PTX_F16, PTX_F16, PTX_F32, PTX_F16, false, 16, 8, 16},
    {PTX_BF16, PTX_BF16, PTX_F32, PTX_F32, false, 16, 8, 8},
    {PTX_BF16, PTX_BF16, PTX_F32, PTX_F32, false, 16, 8, 16},
    {PTX_TF32, PTX_TF32, PTX_F32, PTX_F32, false, 16, 8, 4},
    {PTX_TF32, PTX_TF32, PTX_F32, PTX_F32, false, 16, 8, 8},
    {PTX_F64, PTX_F64, PTX_F64, PTX_F64, false, 8, 8, 4},
    {PTX_F64, PTX_F64, PTX_F64, PTX_F64, false, 16, 8, 4},
    {PTX_F64, PTX_F64, PTX_F64, PTX_F64, false, 16, 8, 8},
    {PTX_F64, PTX_F64, PTX_F64, PTX_F64, false, 16, 8, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, false, 8, 8, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, false, 16, 8, 16},
    {PTX_S8, PTX_U8, PTX_S32, PTX_S32, false, 16, 8, 32},
    {PTX_S4, PTX_U4, PTX_S32, PTX_S32, false, 8, 8, 32},
    {PTX_S4, PTX_U4, PTX_S32, PTX_S32, false, 16, 8, 32},
    {PTX_S4, PTX_U4, PTX_S32, PTX_S32, false, 16, 8, 64},
};

static bool word_is(const char *word, size_t length, const char *text)
{
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

/* Reads a letter and a number of at most two digits; returns what follows, NULL: something else. */
static const char *read_size(const char *at, const char *end, char letter, uint8_t *out)
{
    unsigned value = 0;
    size_t digits = 0;

    if (at == NULL || at == end || *at != letter) {
        return NULL;
    }
    for (at++; at < end && *at >= '0' && *at <= '9' && digits < 2; at++, digits++) {
        value = value * 10 + (unsigned)(*at - '0');
    }
    *out = (uint8_t)value;
    return digits == 0 ? NULL : at;
}

/* m16n16k16, or m8n8. */
static bool take_shape(struct ptx_matrix *matrix, const char *word, size_t length)
{
    const char *end = word + length;
    const char *at = read_size(read_size(word, end, 'm', &matrix->m), end, 'n', &matrix->n);

    return at == end || read_size(at, end, 'k', &matrix->k) == end;
}

static bool take_layout(struct ptx_instruction *instruction, bool is_column, uint64_t *seen)
{
    bool is_second = (*seen & SEEN_LAYOUT) != 0;

    if ((*seen & SEEN_LAYOUTS) != 0) {
        return false;
    }
    if (is_column) {
        instruction->flags |= is_second ? PTX_FLAG_COLUMNS_B : PTX_FLAG_COLUMNS_A;
    }
    *seen |= is_second ? SEEN_LAYOUTS : SEEN_LAYOUT;
    return true;
}

static bool take_type(struct ptx_matrix *matrix, enum ptx_type type)
{
    uint8_t *const types[] = {&matrix->d, &matrix->a, &matrix->b, &matrix->c};

    for (size_t i = 0; i < 4; i++) {
        if (*types[i] == PTX_TYPE_NONE) {
            *types[i] = (uint8_t)type;
            return true;
        }
    }
    return false;
}

/* load, store, mma, and the letter of the matrix; "load" alone is taken for that of c. */
static bool take_action(struct ptx_instruction *instruction, const char *word, size_t length)
{
    static const struct {
        const char *word;
        uint8_t before, sub;
    } actions[] = {
        {"load", PTX_SUB_NONE, PTX_SUB_MATRIX_C},  {"store", PTX_SUB_NONE, PTX_SUB_MATRIX_D},
        {"mma", PTX_SUB_NONE, PTX_SUB_MULTIPLY},   {"a", PTX_SUB_MATRIX_C, PTX_SUB_MATRIX_A},
        {"b", PTX_SUB_MATRIX_C, PTX_SUB_MATRIX_B}, {"c", PTX_SUB_MATRIX_C, PTX_SUB_MATRIX_C},
        {"d", PTX_SUB_MATRIX_D, PTX_SUB_MATRIX_D},
    };

    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (word_is(word, length, actions[i].word)) {
            bool fits = instruction->sub == actions[i].before;
            instruction->sub = actions[i].sub;
            return fits && instruction->opcode == PTX_OP_WMMA;
        }
    }
    return false;
}

bool ptx_matrix_word(struct ptx_instruction *instruction, const char *word, size_t length,
                     uint64_t *seen)
{
    struct ptx_matrix *matrix = &instruction->matrix;
    enum ptx_type type = ptx_element_type_find(word, length);
    enum ptx_space space;

    if (word_is(word, length, "sync") || word_is(word, length, "aligned")) {
        return true;
    }
    if (type != PTX_TYPE_NONE) {
        return take_type(matrix, type);
    }
    if (ptx_space_find(word, length, &space)) {
        instruction->space = (uint8_t)space;
        return space == PTX_SPACE_GLOBAL || space == PTX_SPACE_SHARED;
    }
    if (word_is(word, length, "row") || word_is(word, length, "col")) {
        return take_layout(instruction, *word == 'c', seen);
    }
    if (word_is(word, length, "trans")) {
        instruction->flags |= PTX_FLAG_TRANSPOSED;
        return true;
    }
    if (word_is(word, length, "satfinite")) {
        instruction->flags |= PTX_FLAG_SAT;
        return true;
    }
    if (word_is(word, length, "rn")) {
        instruction->rounding = PTX_ROUND_RN;
        return true;
    }
    if (length == 2 && word[0] == 'x') {
        matrix->m = (uint8_t)(matrix->m * (word[1] - '0'));
        return word[1] == '1' || word[1] == '2' || word[1] == '4';
    }
    if (length > 1 && word[0] == 'm' && word[1] >= '1' && word[1] <= '9') {
        bool is_first = (*seen & SEEN_SHAPE) == 0;
        *seen |= SEEN_SHAPE;
        return is_first && take_shape(matrix, word, length);
    }
    return take_action(instruction, word, length);
}

/* True if there is such a product; `is_part` asks for a matrix of it, whose type is matrix->d. */
static bool has_product(const struct ptx_instruction *instruction, bool is_part)
{
    const struct ptx_matrix *matrix = &instruction->matrix;
    bool of_wmma = instruction->opcode == PTX_OP_WMMA;
    bool of_factor = instruction->sub == PTX_SUB_MATRIX_A || instruction->sub == PTX_SUB_MATRIX_B;

    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        bool is_shape = products[i].of_wmma == of_wmma && products[i].m == matrix->m &&
                        products[i].n == matrix->n && products[i].k == matrix->k;
        bool is_a = matrix->a == products[i].a || matrix->a == products[i].a_or;
        bool is_b = matrix->b == products[i].a || matrix->b == products[i].a_or;
        bool is_c = matrix->c == products[i].sum || matrix->c == products[i].sum_or;
        bool is_d = matrix->d == products[i].sum || matrix->d == products[i].sum_or;
        bool fits = is_part ? (of_factor ? is_a : is_d) : is_a && is_b && is_c && is_d;
        /* of wmma both factors have one type */
        if (is_shape && fits && (is_part || !of_wmma || matrix->a == matrix->b)) {
            return true;
        }
    }
    return false;
}

static bool finish_product(struct ptx_instruction *instruction, uint64_t seen)
{
    struct ptx_matrix *matrix = &instruction->matrix;
    uint32_t columns = instruction->flags & (PTX_FLAG_COLUMNS_A | PTX_FLAG_COLUMNS_B);
    bool of_integers = matrix->d == PTX_S32;

    if (instruction->opcode == PTX_OP_MMA && instruction->sub == PTX_SUB_NONE) {
        instruction->sub = PTX_SUB_MULTIPLY;
        if (columns != PTX_FLAG_COLUMNS_B) {
            return false;
        }
    }
    if (matrix->a != PTX_TYPE_NONE && matrix->b == PTX_TYPE_NONE) {
        matrix->c = matrix->a; /* "f32.f32" of wmma: d and c, a and b are f16 */
        matrix->a = PTX_F16;
        matrix->b = PTX_F16;
    }
    return (seen & SEEN_LAYOUTS) != 0 && has_product(instruction, false) &&
           (of_integers || (instruction->flags & PTX_FLAG_SAT) == 0) &&
           (matrix->d == PTX_F64 || instruction->rounding == PTX_ROUND_NONE);
}

bool ptx_matrix_finish(struct ptx_instruction *instruction, uint64_t seen)
{
    struct ptx_matrix *matrix = &instruction->matrix;
    bool is_transposed = (instruction->flags & PTX_FLAG_TRANSPOSED) != 0;
    bool is_alone = matrix->a == PTX_TYPE_NONE && (instruction->flags & PTX_FLAG_SAT) == 0 &&
                    instruction->rounding == PTX_ROUND_NONE;

    if (instruction->opcode == PTX_OP_MMA || instruction->sub == PTX_SUB_MULTIPLY) {
        return !is_transposed && instruction->space == PTX_SPACE_GENERIC &&
               finish_product(instruction, seen);
    }
    if (!is_alone) {
        return false;
    }
    matrix->a = matrix->d;
    matrix->b = matrix->d;
    matrix->c = matrix->d;
    if (instruction->opcode == PTX_OP_WMMA) {
        return instruction->sub != PTX_SUB_NONE && !is_transposed && (seen & SEEN_LAYOUT) != 0 &&
               (seen & SEEN_LAYOUTS) == 0 && has_product(instruction, true);
    }
    return matrix->d == PTX_B16 && matrix->m % 8 == 0 && matrix->m > 0 && matrix->m <= 32 &&
           matrix->n == 8 && matrix->k == 0 && (seen & SEEN_LAYOUT) == 0 &&
           instruction->space != PTX_SPACE_GLOBAL &&
           (instruction->opcode != PTX_OP_MOVMATRIX || (is_transposed && matrix->m == 8));
}

bool ptx_matrix_has_form(const struct ptx_instruction *instruction)
{
    bool multiplies = instruction->operands[1].kind == PTX_OPERAND_VECTOR &&
                      instruction->operands[0].kind == PTX_OPERAND_VECTOR;
    bool stores = instruction->operands[0].kind == PTX_OPERAND_MEMORY;

    return multiplies == (instruction->sub == PTX_SUB_MULTIPLY) &&
           stores == (instruction->sub == PTX_SUB_MATRIX_D);
}

bool ptx_matrix_is_store(const struct ptx_instruction *instruction)
{
    return instruction->opcode == PTX_OP_STMATRIX || instruction->sub == PTX_SUB_MATRIX_D;
}

static unsigned bits_of(enum ptx_type type)
{
    return type == PTX_S4 || type == PTX_U4 ? 4 : 8 * (unsigned)ptx_type_bytes(type);
}

/* The letter that 'l' stands for. */
static char letter_of(const struct ptx_instruction *instruction)
{
    switch (instruction->sub) {
    case PTX_SUB_MATRIX_A:
        return 'a';
    case PTX_SUB_MATRIX_B:
        return 'b';
    default:
        return 'd';
    }
}

struct ptx_fragment ptx_matrix_fragment(const struct ptx_instruction *instruction, char letter)
{
    const struct ptx_matrix *matrix = &instruction->matrix;
    char matrix_letter = letter == 'l' ? letter_of(instruction) : letter;
    bool is_turned = matrix->n > matrix->m;
    bool is_factor = matrix_letter == 'a' || matrix_letter == 'b';
    unsigned tall = matrix->m % 16 == 0 || matrix->n % 16 == 0 ? 16 : 8;
    struct ptx_fragment fragment = {
        .type = (enum ptx_type)(matrix_letter == 'a'   ? matrix->a
                                : matrix_letter == 'b' ? matrix->b
                                : matrix_letter == 'c' ? matrix->c
                                                       : matrix->d),
        .rows = matrix_letter == 'b' ? matrix->k : matrix->m,
        .columns = matrix_letter == 'a' ? matrix->k : matrix->n,
        .is_sum = !is_factor,
    };
    fragment.bits = bits_of(fragment.type);
    fragment.elements = fragment.rows * fragment.columns / 32;
    fragment.is_turned = matrix_letter == 'b' || (!is_factor && is_turned);
    fragment.block = is_factor && (matrix_letter == 'b') != is_turned ? 8 : tall;
    if (matrix->k == 0) { /* ldmatrix and its like: pairs of b16 */
        fragment.block = 8;
    }
    unsigned bits = fragment.elements * fragment.bits;
    fragment.registers = fragment.bits == 64 ? fragment.elements : bits / 32;
    if (is_factor && fragment.type == PTX_F16 && instruction->opcode == PTX_OP_WMMA) {
        fragment.registers = PTX_FRAGMENT_MAX;
    }
    return fragment;
}

struct ptx_element_place ptx_fragment_place(const struct ptx_fragment *fragment, unsigned lane,
                                            unsigned element)
{
    unsigned g = lane / 4;
    unsigned t = lane % 4;
    unsigned pack = fragment->is_sum ? 2 : fragment->bits < 32 ? 32 / fragment->bits : 1;
    unsigned step = fragment->is_sum ? 8 : 4 * pack;
    unsigned length = fragment->is_turned ? fragment->rows : fragment->columns;
    unsigned at = element % fragment->elements;
    unsigned low = at % pack;
    at /= pack;
    unsigned half = at % (fragment->block / 8);
    at /= fragment->block / 8;
    unsigned along = at % (length / step) * step + t * pack + low;
    unsigned across = at / (length / step) * fragment->block + 8 * half + g;
    return fragment->is_turned ? (struct ptx_element_place){(uint8_t)along, (uint8_t)across}
                               : (struct ptx_element_place){(uint8_t)across, (uint8_t)along};
}
