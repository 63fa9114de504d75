/* lowering_state.h: what the files of the lowering share. Private to it.
 *
 *   lowering.c        functions, branches, the finished kernel
 *   lower_calls.c     calls and returns, functions with a body of their own
 *   lower_operand.c   slots, constants, symbols
 *   lower_arithmetic.c  the instructions of vector_ops.def and scalar_ops.def, moves, carries
 *   lower_compare.c   comparisons, set, testp
 *   lower_convert.c   conversions
 *   lower_memory.c    loads, stores, atomics
 *   lower_addresses.c  accesses that use the same address register again
 *   lower_textures.c  textures and surfaces
 *   lower_threads.c   barriers and exchanges between lanes
 *   lower_matrix.c    tensor cores, and the loads and stores of their matrices
 *
 * A function that lowers an instruction returns false if it cannot; then the ops that it has made
 * are dropped and OP_UNKNOWN takes their place.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_LOWER_LOWERING_STATE_H
#define GPUGRADE_DEVICE_EMULATED_LOWER_LOWERING_STATE_H

#include "device/emulated/exec/call_stack.h"
#include "device/emulated/lower/lowering.h"

/* Slots of constants and specials carry this bit until their region is placed after the
 * registers. */
#define CONSTANT_SLOT UINT32_C(0x80000000)

/* Where a .param or .local variable of a function lies in the local memory of a thread. */
struct local_place {
    uint64_t offset;
    bool is_placed;
};

/* The kernel, or a function with a body of its own, while it is lowered. */
struct lowered_body {
    const struct ptx_function *function;
    uint32_t index; /* among the bodies */
    uint32_t first_op;
    uint32_t base_slot;   /* NO_BASE in the kernel */
    uint64_t local_bytes; /* of the frame; of the kernel's own part of local memory */
    struct call_places parameters, returns;
    bool is_saved;            /* registers are noted: a call has to save them */
    struct slot_saved *saved; /* [saved_count] */
    size_t saved_count, saved_capacity;
};

/* One function, inlined at one place or at the beginning of a body. */
struct frame {
    const struct ptx_function *function;
    const struct frame *caller; /* NULL: not inlined */
    bool is_entry;
    unsigned depth;
    uint32_t *slots;               /* [register_count], 0: none yet */
    struct local_place *variables; /* [variable_count] */
    const uint64_t *parameters;    /* [parameter_count] places in local memory; NULL in an entry */
    const uint64_t *returns;       /* [return_count] */
    uint32_t *starts;              /* [instruction_count] index of the first op */
    uint32_t carry_slot;           /* the carry of add.cc and its relatives; 0: none yet */
    uint32_t *return_jumps;        /* [return_jump_count] ops that jump to after the call */
    size_t return_jump_count, return_jump_capacity;
};

struct shared_place {
    const struct ptx_variable *variable;
    uint64_t offset; /* from the dynamic start if it is dynamic */
    uint32_t tile;   /* its index, if it is not */
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
    const struct call_graph *graph;
    uint32_t module_index;
    const struct warp_variant *variant;
    struct kernel_code *code;
    struct op *ops;
    const struct ptx_instruction **sources;
    size_t op_count, op_capacity, source_capacity;
    struct slot_constant *constants;
    size_t constant_count, constant_capacity;
    struct slot_special *specials;
    size_t special_count, special_capacity;
    struct slot_register *registers;
    size_t register_count, register_capacity;
    uint32_t *targets;
    size_t target_count, target_capacity;
    struct shared_place *shared;
    size_t shared_count, shared_capacity;
    struct shared_tile *tiles;
    size_t tile_count, tile_capacity;
    struct pattern_use *patterns;
    size_t pattern_count, pattern_capacity;
    struct element_places *places;
    size_t place_count, place_capacity;
    struct tensor_product *products;
    size_t product_count, product_capacity;
    uint64_t register_bytes, constant_bytes;  /* of the two regions of the register file */
    uint32_t predicate_slot, predicates_left; /* of the last group of predicates */
    struct lowered_body *body;                /* that is being lowered */
    struct lowered_body **bodies;             /* [body_count] of functions */
    size_t body_count, body_capacity;
    uint32_t *body_numbers;  /* [functions of the module] index plus 1; 0: none */
    struct call_site *calls; /* [code->call_count] */
    size_t call_capacity;
    bool is_indirect;       /* there is a call through a pointer */
    uint32_t texture_slots; /* lower_textures.c; 0: none yet */
    uint64_t dynamic_alignment;
    uint32_t ordinal;
    bool is_too_large; /* a limit was exceeded: the lowering is abandoned */
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

/* Room in the frame of the body. */
uint64_t lower_local_room(struct lowering *state, uint64_t bytes, uint64_t alignment);

/* Where a .local or .param variable lies in the frame of the body; false for other symbols. */
bool lower_frame_place(struct lowering *state, const struct ptx_operand *operand,
                       struct call_place *out_place);

/* The slot that together with *offset leads to a place of the frame; *offset is what remains. */
uint32_t lower_frame_base(struct lowering *state, uint64_t *offset);

/* Space, base and offset of a memory operand. */
struct lowered_place {
    uint8_t space;
    uint32_t slot;
    bool is_wide;
    int32_t offset;
};

/* Where a memory operand of an instruction leads to, in a space. May append ops. */
bool lower_place(struct lowering *state, const struct ptx_operand *operand, uint8_t space,
                 struct lowered_place *out_place);

/* Slots of the data of a memory operation: one register or the elements of a vector, all equally
 * wide. */
bool lower_data(struct lowering *state, const struct ptx_operand *operand, bool is_source,
                uint32_t slots[OP_SLOTS], unsigned *out_count, unsigned *out_slot_bytes);
/* The op that loads or stores `count` elements, each in a slot. */
enum op_code lower_access_code(bool is_load, unsigned bytes, unsigned count, unsigned slot_bytes);

/* The pattern of an access, for which address and width are filled in. */
uint32_t lower_pattern(struct lowering *state, const struct op *op);

/* Functions: a frame inside of the current one, and the ops of its instructions. False if the
 * kernel is too large. */
struct frame *lower_new_frame(struct lowering *state, const struct ptx_function *function);
bool lower_function(struct lowering *state, struct frame *frame);

/* The bodies that calls need, after the kernel. False if the kernel is too large. */
bool lower_bodies(struct lowering *state);

/* Zeroes body_numbers for the next kernel. */
void lower_forget_bodies(struct lowering *state);

/* Marks the ops of a finished kernel that use an address register again (lower_addresses.c). */
void lower_mark_addresses(struct lowering *state);

/* Finds the .shared variable that each access belongs to (lower_tiles.c), and prepares the kernel
 * for race_watch.h (lower_watch.c); for a finished kernel. */
void lower_tiles(struct lowering *state);
void lower_watch(struct lowering *state);

/* Appends an op with one source, and returns its destination, a new slot of so many bytes. */
uint32_t lower_unary(struct lowering *state, enum op_code code, unsigned bytes, uint32_t source);

/* A source operand, flushed if the instruction is .ftz and the type has that. */
bool lower_flushed(struct lowering *state, unsigned index, uint8_t type, unsigned bytes,
                   uint32_t *out_slot);

/* Appends slots[0] = predicate slots[3] ? slots[1] : slots[2]. */
bool lower_select(struct lowering *state, unsigned bytes, const uint32_t slots[4]);

/* Lowerings of the current instruction. */
bool lower_arithmetic(struct lowering *state);
bool lower_comparison(struct lowering *state);
bool lower_conversion(struct lowering *state);
bool lower_call(struct lowering *state);
bool lower_return(struct lowering *state);
bool lower_memory(struct lowering *state);
bool lower_threads(struct lowering *state);
bool lower_copies(struct lowering *state);
bool lower_mbarrier(struct lowering *state);
bool lower_texture(struct lowering *state);
bool lower_matrix(struct lowering *state);

#endif
