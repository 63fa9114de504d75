/* lowering_state.h: what the files of the lowering share. Private to it.
 *
 *   lowering.c        functions, calls, branches, the finished kernel
 *   lower_operand.c   slots, constants, symbols
 *   lower_arithmetic.c  the instructions of lane_ops.def and rare_ops.def, moves, comparisons
 *   lower_memory.c    loads, stores, atomics
 *   lower_addresses.c  accesses that look at the same address register again
 *   lower_threads.c   barriers and exchanges between lanes
 *
 * A function that lowers an instruction returns false if it cannot; then the ops that it has made
 * are dropped and OP_UNKNOWN takes their place.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWERING_STATE_H
#define GPUGRADE_DEVICE_EMULATED_LOWERING_STATE_H

#include "device/emulated/lowering.h"

/* Slots of constants and specials carry this bit until their region is placed behind the
 * registers. */
#define CONSTANT_SLOT UINT32_C(0x80000000)

/* Where a .param or .local variable of a function lies in the local memory of a thread. */
struct local_place {
    uint64_t offset;
    bool is_placed;
};

/* One function, inlined at one place. */
struct frame {
    const struct ptx_function *function;
    const struct frame *caller;
    unsigned depth;
    uint32_t *slots;               /* [register_count], 0: none yet */
    struct local_place *variables; /* [variable_count] */
    const uint64_t *parameters;    /* [parameter_count] places in local memory; NULL in an entry */
    const uint64_t *returns;       /* [return_count] */
    uint32_t *starts;              /* [instruction_count] index of the first op */
    uint32_t *return_jumps;        /* [return_jump_count] ops that jump behind the call */
    size_t return_jump_count, return_jump_capacity;
};

struct shared_place {
    const struct ptx_variable *variable;
    uint64_t offset; /* from the dynamic start if it is dynamic */
};

/* Which accesses use a pattern. */
struct pattern_use {
    uint32_t slot, bytes;
    bool is_guarded;
};

struct lowering {
    struct arena *arena;
    const struct ptx_module *module;
    const uint64_t *variables;
    const struct warp_variant *variant;
    struct kernel_code *code;
    struct op *ops;
    const struct ptx_instruction **sources;
    size_t op_count, op_capacity, source_capacity;
    struct slot_constant *constants;
    size_t constant_count, constant_capacity;
    struct slot_special *specials;
    size_t special_count, special_capacity;
    uint32_t *targets;
    size_t target_count, target_capacity;
    struct shared_place *shared;
    size_t shared_count, shared_capacity;
    struct shared_tile *tiles;
    size_t tile_count, tile_capacity;
    struct pattern_use *patterns;
    size_t pattern_count, pattern_capacity;
    uint64_t register_bytes, constant_bytes;  /* of the two regions of the register file */
    uint32_t predicate_slot, predicates_left; /* of the last group of predicates */
    uint64_t dynamic_alignment;
    uint32_t ordinal;
    bool is_too_large; /* a limit was passed: everything is given up */
    struct frame *frame;
    const struct ptx_instruction *instruction; /* that is being lowered */
};

/* Appends an op with the guard of the current instruction; the caller fills it at once. */
struct op *lower_emit(struct lowering *state, enum op_code code);

/* Registers. */
uint32_t lower_new_slot(struct lowering *state, unsigned bytes);          /* 0: a predicate; 4; 8 */
unsigned lower_register_bytes(const struct lowering *state, int32_t reg); /* 0, 2, 4 or 8 */

/* Constant slots of 4 or 8 bytes, or of a predicate (0). */
uint32_t lower_constant(struct lowering *state, unsigned bytes, uint64_t bits);

/* The slot of a source or a destination of 0 (predicate), 4 or 8 bytes. False if the operand has
 * another width or form. A source may need ops of its own, which are appended. */
bool lower_source(struct lowering *state, const struct ptx_operand *operand, unsigned bytes,
                  uint32_t *out_slot);
bool lower_destination(struct lowering *state, const struct ptx_operand *operand, unsigned bytes,
                       uint32_t *out_slot);

/* The address of a symbol: its space (that of functions' parameters is PTX_SPACE_LOCAL, except for
 * the kernel's own), and the slot of 8 bytes that holds it. */
bool lower_symbol(struct lowering *state, const struct ptx_operand *operand, bool is_generic,
                  uint8_t *out_space, uint32_t *out_slot);

/* Gives the .shared variables of a function their places, in the order of the text. */
void lower_place_shared(struct lowering *state, const struct ptx_function *function);

/* Room in the local memory of a thread. */
uint64_t lower_local_room(struct lowering *state, uint64_t bytes, uint64_t alignment);

/* Marks the ops of a finished kernel that look at an address register again (lower_addresses.c). */
void lower_mark_addresses(struct lowering *state);

/* Lowerings of the current instruction. */
bool lower_arithmetic(struct lowering *state);
bool lower_memory(struct lowering *state);
bool lower_threads(struct lowering *state);

#endif
