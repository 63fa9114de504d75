/* lower_matrix.c: tensor cores, and the loads and stores of their matrices.
 *
 * All lanes of the warp come together first (WARP_JOIN). Then what a lane loads or stores of a matrix
 * becomes ordinary loads and stores, which are checked and counted as others are: of elements that
 * lie next to each other in memory together, where there are such; of 16 bits, where they do not,
 * as ldmatrix.trans does it: a lane takes 16 bytes of a row, and the lanes exchange them.
 */
#include "device/emulated/lower/lowering_state.h"

#include "device/emulated/exec/tensor_cores.h"

enum {
    ROW_WORDS = 4, /* of a row of eight numbers of 16 bits */
    ROWS = 8,      /* of a matrix of ldmatrix */
    LOOK_BACK = 8,
};

/* A load or a store of a fragment. */
struct transfer {
    struct ptx_fragment fragment;
    struct lowered_place place;
    uint32_t pitch;                   /* slot */
    uint32_t slots[PTX_FRAGMENT_MAX]; /* of the registers */
    bool is_store;
    bool by_columns; /* .col: memory holds column after column */
};

/* The slots of the registers of a fragment. */
static bool lower_fragment(struct lowering *state, const struct ptx_operand *operand,
                           const struct ptx_fragment *fragment, bool is_source, uint32_t *out_slots)
{
    const struct ptx_operand *elements = &state->frame->function->elements[operand->element_first];
    unsigned bytes = fragment->bits == 64 ? 8 : 4;
    for (unsigned i = 0; i < fragment->registers; i++) {
        if (is_source ? !lower_source(state, &elements[i], bytes, &out_slots[i])
                      : !lower_destination(state, &elements[i], bytes, &out_slots[i])) {
            return false;
        }
    }
    return true;
}

static void emit_join(struct lowering *state)
{
    lower_emit(state, OP_WARP_JOIN)->flags |= OP_CONTROL;
}

static void emit_move(struct lowering *state, unsigned bytes, uint32_t to, uint32_t from)
{
    struct op *op = lower_emit(state, bytes == 8 ? OP_MOV_64 : OP_MOV_32);
    op->slot[0] = to;
    op->slot[1] = from;
}

/* Room for the places of the lanes' elements; *out_number is what ELEMENT_ADDRESS calls them. */
static struct element_places *add_places(struct lowering *state, uint32_t *out_number)
{
    arena_grow(state->arena, &state->places, &state->place_capacity, state->place_count + 1,
               sizeof *state->places);
    *out_number = (uint32_t)state->place_count;
    return &state->places[state->place_count++];
}

static void set_place(struct element_places *places, unsigned lane, struct ptx_element_place place,
                      bool by_columns)
{
    places->major[lane] = by_columns ? place.column : place.row;
    places->minor[lane] = by_columns ? place.row : place.column;
}

/* Appends the addresses of places; returns their slot. */
static uint32_t emit_addresses(struct lowering *state, const struct transfer *transfer,
                               uint32_t places)
{
    uint32_t slot = lower_new_slot(state, transfer->place.is_wide ? 8 : 4);
    struct op *op = lower_emit(state, OP_ELEMENT_ADDRESS);
    op->slot[0] = slot;
    op->slot[1] = transfer->place.slot;
    op->slot[2] = transfer->pitch;
    op->target = places;
    op->bytes = (uint8_t)(transfer->fragment.bits / 8);
    op->address_is_wide = transfer->place.is_wide;
    return slot;
}

/* Appends a load or a store of `count` elements of `bytes`, each in one of the slots. */
static struct op *emit_access(struct lowering *state, const struct transfer *transfer,
                              uint32_t address, const uint32_t *slots, unsigned count,
                              unsigned bytes)
{
    static const enum ptx_type types[] = {
        [1] = PTX_U8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    unsigned slot_bytes = bytes == 8 ? 8 : 4;
    struct op *op =
        lower_emit(state, lower_access_code(!transfer->is_store, bytes, count, slot_bytes));
    for (unsigned i = 0; i < count; i++) {
        op->slot[i] = slots[i];
    }
    op->type = types[bytes];
    op->bytes = (uint8_t)bytes;
    op->count = (uint8_t)count;
    op->slot_bytes = (uint8_t)slot_bytes;
    op->slot[SLOT_ADDRESS] = address;
    op->space = transfer->place.space;
    op->address_is_wide = transfer->place.is_wide;
    op->offset = transfer->place.offset;
    op->pattern = lower_pattern(state, op);
    return op;
}

/* A predicate of the lanes that have a row of `count` matrices, of those that a guard admits. */
static uint32_t row_lanes(struct lowering *state, unsigned count)
{
    uint32_t lanes = lower_constant(state, 0, (UINT32_C(1) << count * ROWS) - 1);
    const struct ptx_operand guard = {.kind = PTX_OPERAND_REGISTER,
                                      .reg = state->instruction->guard,
                                      .negated = state->instruction->guard_negated};
    uint32_t slot;
    if (guard.reg < 0 || !lower_source(state, &guard, 0, &slot)) {
        return lanes;
    }
    uint32_t both = lower_new_slot(state, 0);
    struct op *op = lower_emit(state, OP_PRED_AND);
    op->slot[0] = both;
    op->slot[1] = slot;
    op->slot[2] = lanes;
    return both;
}

/* Appends a load or a store of rows of up to four matrices of 16 bits, one a lane. */
static void emit_rows(struct lowering *state, const struct transfer *transfer, uint32_t address,
                      const uint32_t rows[ROW_WORDS], unsigned count)
{
    uint32_t lanes = count < ROW_WORDS ? row_lanes(state, count) : 0;
    struct op *op = emit_access(state, transfer, address, rows, ROW_WORDS, 4);
    if (count < ROW_WORDS) {
        op->flags = OP_GUARDED;
        op->guard = lanes;
        state->patterns[op->pattern].is_guarded = true;
    }
}

static void emit_exchange(struct lowering *state, const uint32_t rows[ROW_WORDS], unsigned count,
                          enum matrix_move move)
{
    struct op *op = lower_emit(state, OP_MATRIX_LANES);
    for (unsigned i = 0; i < ROW_WORDS; i++) {
        op->slot[i] = rows[i];
    }
    op->count = (uint8_t)count;
    op->kind = (uint8_t)move;
}

/* Rows of up to four matrices at an address of each lane, to or from registers. */
static void emit_matrices(struct lowering *state, const struct transfer *transfer, uint32_t address,
                          const uint32_t *slots, unsigned count, bool is_transposed)
{
    uint32_t rows[ROW_WORDS];
    for (unsigned i = 0; i < ROW_WORDS; i++) {
        rows[i] = lower_new_slot(state, 4);
    }
    if (!transfer->is_store) {
        emit_rows(state, transfer, address, rows, count);
        emit_exchange(state, rows, count,
                      is_transposed ? MOVE_TO_FRAGMENT_TRANSPOSED : MOVE_TO_FRAGMENT);
    }
    for (unsigned i = 0; i < count; i++) {
        emit_move(state, 4, transfer->is_store ? rows[i] : slots[i],
                  transfer->is_store ? slots[i] : rows[i]);
    }
    if (transfer->is_store) {
        emit_exchange(state, rows, count, is_transposed ? MOVE_TO_ROWS_TRANSPOSED : MOVE_TO_ROWS);
        emit_rows(state, transfer, address, rows, count);
    }
}

/* A fragment of 16 bits across the rows or columns of memory: each register is a matrix of eight by
 * eight that lies transposed. */
static void lower_across(struct lowering *state, const struct transfer *transfer)
{
    const struct ptx_fragment *fragment = &transfer->fragment;
    unsigned count = fragment->elements / 2;
    uint32_t addresses[2] = {0, 0};
    for (unsigned first = 0; first < count; first += ROW_WORDS) {
        uint32_t number;
        struct element_places *places = add_places(state, &number);
        for (unsigned lane = 0; lane < LANES; lane++) {
            unsigned matrix = first + lane / ROWS;
            struct ptx_element_place place = ptx_fragment_place(fragment, 0, 2 * matrix);
            place.row = (uint8_t)(place.row + (fragment->is_turned ? lane % ROWS : 0));
            place.column = (uint8_t)(place.column + (fragment->is_turned ? 0 : lane % ROWS));
            set_place(places, lane, place, transfer->by_columns);
        }
        addresses[first / ROW_WORDS] = emit_addresses(state, transfer, number);
    }
    for (unsigned first = 0; first < count; first += ROW_WORDS) {
        unsigned left = count - first;
        emit_matrices(state, transfer, addresses[first / ROW_WORDS], &transfer->slots[first],
                      left < ROW_WORDS ? left : ROW_WORDS, true);
    }
}

/* Puts bytes that were loaded one by one into a register. */
static void pack_bytes(struct lowering *state, uint32_t to, const uint32_t bytes[4])
{
    uint32_t sum = bytes[0];
    for (unsigned i = 1; i < 4; i++) {
        uint32_t shifted = lower_new_slot(state, 4);
        uint32_t next = i == 3 ? to : lower_new_slot(state, 4);
        struct op *op = lower_emit(state, OP_SHL_32);
        op->slot[0] = shifted;
        op->slot[1] = bytes[i];
        op->slot[2] = lower_constant(state, 4, 8 * i);
        op = lower_emit(state, OP_OR_32);
        op->slot[0] = next;
        op->slot[1] = sum;
        op->slot[2] = shifted;
        sum = next;
    }
}

/* Elements one by one, or as many as lie next to each other. */
static void lower_along(struct lowering *state, const struct transfer *transfer, unsigned together)
{
    const struct ptx_fragment *fragment = &transfer->fragment;
    uint32_t addresses[LANES];
    unsigned count = fragment->elements / together;
    for (unsigned i = 0; i < count; i++) {
        uint32_t number;
        struct element_places *places = add_places(state, &number);
        for (unsigned lane = 0; lane < LANES; lane++) {
            set_place(places, lane, ptx_fragment_place(fragment, lane, i * together),
                      transfer->by_columns);
        }
        addresses[i] = emit_addresses(state, transfer, number);
    }
    unsigned bytes = together * fragment->bits / 8;
    unsigned width = fragment->bits == 64 ? 8 : 4;
    uint32_t loaded[4];
    for (unsigned i = 0; i < count; i++) {
        if (bytes >= width) {
            unsigned words = bytes / width;
            emit_access(state, transfer, addresses[i], &transfer->slots[i * words], words, width);
            continue;
        }
        loaded[i % 4] = lower_new_slot(state, 4);
        emit_access(state, transfer, addresses[i], &loaded[i % 4], 1, 1);
        if (i % 4 == 3) {
            pack_bytes(state, transfer->slots[i / 4], loaded);
        }
    }
}

/* wmma.load and wmma.store. */
static bool lower_transfer(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    struct transfer transfer = {
        .fragment = ptx_matrix_fragment(instruction, 'l'),
        .is_store = ptx_matrix_is_store(instruction),
        .by_columns = (instruction->flags & PTX_FLAG_COLUMNS_A) != 0,
    };
    const struct ptx_fragment *fragment = &transfer.fragment;
    const struct ptx_operand *operands = instruction->operands;
    unsigned pitch = transfer.by_columns ? fragment->rows : fragment->columns;
    transfer.pitch = lower_constant(state, 4, pitch);
    if (!lower_fragment(state, &operands[transfer.is_store ? 1 : 0], fragment, transfer.is_store,
                        transfer.slots)) {
        return false;
    }
    emit_join(state);
    if (!lower_place(state, &operands[transfer.is_store ? 0 : 1], instruction->space,
                     &transfer.place) ||
        (instruction->operand_count > 2 &&
         !lower_source(state, &operands[2], 4, &transfer.pitch))) {
        return false;
    }
    bool lies_along = transfer.by_columns == fragment->is_turned;
    unsigned pack = fragment->is_sum ? 2 : fragment->bits < 32 ? 32 / fragment->bits : 1;
    if (!lies_along && fragment->bits == 16) {
        lower_across(state, &transfer);
    } else {
        lower_along(state, &transfer, lies_along ? pack : 1);
    }
    unsigned distinct = fragment->elements * fragment->bits / (fragment->bits == 64 ? 64 : 32);
    for (unsigned i = distinct; i < fragment->registers; i++) {
        emit_move(state, 4, transfer.slots[i], transfer.slots[i % distinct]);
    }
    return true;
}

/* ldmatrix and stmatrix. */
static bool lower_matrices(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    struct transfer transfer = {
        .fragment = ptx_matrix_fragment(instruction, 'l'),
        .is_store = ptx_matrix_is_store(instruction),
    };
    const struct ptx_operand *operands = instruction->operands;
    if (!lower_fragment(state, &operands[transfer.is_store ? 1 : 0], &transfer.fragment,
                        transfer.is_store, transfer.slots)) {
        return false;
    }
    emit_join(state);
    if (!lower_place(state, &operands[transfer.is_store ? 0 : 1], instruction->space,
                     &transfer.place)) {
        return false;
    }
    emit_matrices(state, &transfer, transfer.place.slot, transfer.slots,
                  transfer.fragment.registers, (instruction->flags & PTX_FLAG_TRANSPOSED) != 0);
    return true;
}

static bool lower_movement(struct lowering *state)
{
    const struct ptx_operand *operands = state->instruction->operands;
    uint32_t rows[ROW_WORDS] = {0};
    uint32_t from;
    uint32_t to;
    if (!lower_source(state, &operands[1], 4, &from) ||
        !lower_destination(state, &operands[0], 4, &to)) {
        return false;
    }
    rows[0] = lower_new_slot(state, 4);
    emit_join(state);
    emit_move(state, 4, rows[0], from);
    emit_exchange(state, rows, 1, MOVE_TRANSPOSED);
    emit_move(state, 4, to, rows[0]);
    return true;
}

/* Where the elements of the lanes lie. A product before this one may have the same matrices. */
static void set_places(struct lowering *state, struct tensor_product *product)
{
    for (size_t i = 1; i <= state->product_count && i <= LOOK_BACK; i++) {
        const struct tensor_product *before = &state->products[state->product_count - i];
        bool is_same = true;
        for (unsigned part = 0; part < 4; part++) {
            is_same = is_same &&
                      before->fragments[part].elements == product->fragments[part].elements &&
                      before->fragments[part].bits == product->fragments[part].bits;
        }
        if (is_same && before->matrix.m == product->matrix.m &&
            before->matrix.n == product->matrix.n && before->matrix.k == product->matrix.k) {
            for (unsigned part = 0; part < 4; part++) {
                product->places[part] = before->places[part];
            }
            return;
        }
    }
    for (unsigned part = 0; part < 4; part++) {
        const struct ptx_fragment *fragment = &product->fragments[part];
        struct ptx_element_place *places =
            arena_array(state->arena, (size_t)LANES * fragment->elements, sizeof *places);
        for (unsigned i = 0; i < LANES * fragment->elements; i++) {
            places[i] =
                ptx_fragment_place(fragment, i / fragment->elements, i % fragment->elements);
        }
        product->places[part] = places;
    }
}

static bool lower_product(struct lowering *state)
{
    const struct ptx_instruction *instruction = state->instruction;
    struct tensor_product product = {
        .matrix = instruction->matrix,
        .sum_length = instruction->matrix.k,
        .saturates = (instruction->flags & PTX_FLAG_SAT) != 0,
    };
    for (unsigned part = 0; part < 4; part++) {
        product.fragments[part] = ptx_matrix_fragment(instruction, "dabc"[part]);
        if (!lower_fragment(state, &instruction->operands[part], &product.fragments[part],
                            part != 0, product.slots[part])) {
            return false;
        }
    }
    if (instruction->opcode == PTX_OP_WMMA && product.matrix.a == PTX_TF32) {
        product.sum_length = 4;
    }
    set_places(state, &product);
    emit_join(state);
    arena_grow(state->arena, &state->products, &state->product_capacity, state->product_count + 1,
               sizeof *state->products);
    lower_emit(state, OP_TENSOR_PRODUCT)->target = (uint32_t)state->product_count;
    state->products[state->product_count++] = product;
    return true;
}

bool lower_matrix(struct lowering *state)
{
    switch (state->instruction->opcode) {
    case PTX_OP_MOVMATRIX:
        return lower_movement(state);
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
        return lower_matrices(state);
    default:
        return state->instruction->sub == PTX_SUB_MULTIPLY ? lower_product(state)
                                                           : lower_transfer(state);
    }
}
