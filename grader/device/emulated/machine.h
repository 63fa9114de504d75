/* machine.h: a kernel made ready to run, and the state of the warps that run it.
 *
 * A PTX function is lowered once (lowering.h) into an array of struct op. A warp executes one op
 * for all its active lanes at once. Its registers lie in a register file of slots:
 *
 *   file + op->slot[k]:  predicate   1 x u32, a bit for each lane
 *                        32 bit     32 x u32 (also for 8 and 16 bit, zero-extended)
 *                        64 bit     32 x u64
 *
 * Constants and special registers are slots too; they are filled before a warp starts and never
 * written. Device functions are inlined, so there is no call stack.
 *
 * Lanes that went different ways are paths: each has a program counter and a mask (paths.h). The
 * path with the lowest counter runs until it reaches the counter of another one, then they merge.
 *
 * What may be written to lanes that are not `live`: anything; they never run again.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MACHINE_H
#define GPUGRADE_DEVICE_EMULATED_MACHINE_H

#include "device/emulated/window_memory.h"
#include "ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LANES = 32,
    BARRIERS = 16,
    OP_SLOTS = 6,
    SLOT_ADDRESS = 4, /* of memory operations; the data are in slots 0 to 3 */
};
#define ALL_LANES UINT32_MAX

/* Generic addresses of shared, local and parameter space: outside of the device window. */
#define SHARED_WINDOW UINT64_C(0x200000000000)
#define LOCAL_WINDOW UINT64_C(0x210000000000)
#define PARAM_WINDOW UINT64_C(0x220000000000)
#define SPACE_WINDOW_BYTES UINT64_C(0x1000000)
#define NULL_POINTER_END UINT64_C(0x10000) /* below: a null pointer plus something */

enum op_code {
#define LANE_OP(name, ...) OP_##name,
#include "device/emulated/lane_ops.def"
#undef LANE_OP
#define COMPARE_OP(name, ...) OP_##name,
#include "device/emulated/compare_ops.def"
#undef COMPARE_OP
#define RARE_OP(name, ...) OP_##name,
#include "device/emulated/rare_ops.def"
#undef RARE_OP
#define OTHER_OP(name) OP_##name,
#include "device/emulated/other_ops.def"
#undef OTHER_OP
    OP_CODE_COUNT
};

enum op_flag {
    OP_GUARDED = 1,       /* lanes outside of slot `guard` do not execute it */
    OP_GUARD_NEGATED = 2, /* ... inside of it */
    OP_CONTROL = 4,       /* may change the program counter or the paths */
    OP_COUNTED = 8,       /* with OP_GUARDED: the first op of its PTX instruction */
};

struct op;
struct warp;

typedef void op_handler(struct warp *warp, const struct op *op, uint32_t mask);

struct op {
    op_handler *run;
    uint16_t code; /* enum op_code */
    uint8_t flags; /* enum op_flag */
    uint8_t type;  /* enum ptx_type: of a conversion's result, an element in memory */
    uint8_t source_type;
    uint8_t space;        /* enum ptx_space */
    uint8_t kind;         /* enum ptx_compare, ptx_suboperation or ptx_rounding */
    uint8_t bytes;        /* of an element in memory */
    uint8_t count;        /* of elements */
    uint8_t slot_bytes;   /* 4 or 8: of a lane's element in the slots of a memory operation */
    bool address_is_wide; /* SLOT_ADDRESS holds 64 bits */
    bool saturate;
    bool same_address; /* an earlier op, always executed just before by the same lanes, has looked
                          at the same address register with the same pattern */
    uint32_t guard;
    uint32_t slot[OP_SLOTS]; /* offsets in the register file; [0] is the destination */
    int32_t offset;          /* of a memory operation */
    uint32_t target;         /* index of an op; of a table: how many targets */
    uint32_t pattern;        /* index in worker->patterns; of a table: its first target */
    uint32_t ordinal;        /* how many PTX instructions come before this one */
};

/* A slot that holds the same value in all lanes. */
struct slot_constant {
    uint32_t slot;
    uint8_t bytes; /* 4 (a predicate too, as one word) or 8 */
    bool is_predicate;
    bool add_static_shared; /* the address of dynamic shared memory: `bits` comes on top */
    uint64_t bits;
};

struct slot_special {
    uint32_t slot;
    uint8_t bytes;
    uint8_t special; /* enum ptx_special */
};

/* A .shared variable, for messages. */
struct shared_tile {
    const char *name;
    uint64_t start, bytes;
};

struct kernel_code {
    const struct ptx_module *module;
    const struct ptx_function *function;
    uint32_t module_index, function_index;
    const struct op *ops; /* [op_count]; the last one is an exit */
    size_t op_count;
    const struct ptx_instruction *const *sources; /* [op_count] */
    const uint32_t *targets;                      /* [target_count] of branch tables */
    size_t target_count;
    const struct slot_constant *constants; /* [constant_count] */
    size_t constant_count;
    const struct slot_special *specials; /* [special_count] */
    size_t special_count;
    const struct shared_tile *tiles; /* [tile_count], sorted by start */
    size_t tile_count;
    uint32_t file_bytes;     /* of the register file of a warp */
    uint32_t register_bytes; /* its beginning, which a block finds zeroed */
    uint32_t pattern_count;
    uint64_t static_shared_bytes;
    uint64_t dynamic_shared_start;
    uint64_t local_bytes; /* of a thread */
    bool runs_in_order; /* global atomics, volatile or ordered accesses: one block after another */
};

/* What the last execution of a memory instruction looked like; the next one often looks alike. */
enum access_shape { SHAPE_NONE, SHAPE_GENERAL, SHAPE_CONTIGUOUS, SHAPE_UNIFORM };

struct access_pattern {
    int32_t delta[LANES];     /* address of a lane minus that of the first active lane */
    int32_t group[LANES / 8]; /* delta of lanes 0, 8, 16 and 24 */
    uint32_t mask;            /* of active lanes; 0: nothing is known */
    uint32_t first_lane;
    uint32_t delta_bits; /* of all deltas, for alignment */
    uint8_t shape;       /* contiguous and uniform: within each group of 8 lanes, all 32 active */
    int64_t lowest;      /* delta */
    uint64_t span;       /* highest delta minus lowest one */
    uint64_t block_start, block_end; /* of the last hit */
    struct window_block *block;
    int32_t lanes[LANES] __attribute__((aligned(64))); /* -1 in the lanes of `mask`, else 0 */
} __attribute__((aligned(64)));

enum path_state {
    PATH_RUNS,
    PATH_AT_BARRIER,   /* waits for a barrier of the block */
    PATH_AT_WARP_SYNC, /* waits for lanes of its warp at bar.warp.sync */
    PATH_CONVERGES,    /* waits for lanes of its warp at the same instruction (shfl.sync, ...) */
};

struct path {
    const struct op *pc;
    uint32_t mask;
    uint8_t state;     /* enum path_state */
    uint8_t barrier;   /* its number */
    uint32_t expected; /* at a barrier: lanes that were alive when the first of it came */
    uint64_t turn;     /* when rotation chose it last */
};

struct warp {
    uint8_t *file;
    uint32_t active; /* of the path that runs */
    uint32_t live;   /* lanes that exist and have not exited */
    uint32_t active_count;
    const struct op *pc;   /* of the path that runs, when it is not running */
    const struct op *stop; /* where another path waits to merge; NULL: nowhere */
    uint32_t segment;      /* ordinal of the first instruction that is not counted yet */
    uint32_t ticks;        /* ops in loops left in this turn; 0: it ended so */
    bool suspended;        /* no path can run, or the turn is over */
    bool is_rotated;       /* the path was chosen out of order */
    uint32_t path_count, current;
    uint64_t turns;
    struct path paths[LANES];
    uint32_t index; /* in the block */
    struct block *block;
    struct worker *worker;
};

struct barrier {
    uint32_t arrived;             /* threads that wait or have arrived */
    uint32_t expected;            /* threads; 0: all of the block */
    uint32_t holds, true_threads; /* bar.red: threads that came, and those whose predicate held */
};

enum block_state { BLOCK_RUNS, BLOCK_DONE, BLOCK_FAULT, BLOCK_UNSUPPORTED, BLOCK_DEADLINE };

struct block {
    struct launch *launch;
    struct worker *worker;
    uint64_t linear; /* x first */
    uint32_t index[3];
    enum block_state state;
    uint32_t alive;     /* threads that have not exited */
    struct warp *warps; /* [warp_count] */
    uint32_t warp_count;
    uint8_t *files;  /* of all warps */
    uint8_t *shared; /* [shared_bytes] */
    uint64_t shared_bytes;
    uint8_t *local; /* [threads][local_bytes] */
    struct barrier barriers[BARRIERS];
    uint64_t warp_instructions, lane_instructions, barrier_arrivals;
    uint64_t progress; /* grows whenever a path leaves a barrier or exits */
};

/* One thread of the host, and what it has seen. */
struct worker {
    struct launch *launch;
    struct access_pattern *patterns; /* [pattern_count] */
    struct finding_table *findings;
    struct device_counters counters;
    enum block_state worst;
};

/* The hot loop for one kind of processor. */
struct warp_variant {
    const char *name; /* "baseline", "avx2", "avx512" */
    void (*run)(struct warp *warp);
    op_handler *(*handler)(uint16_t code);
};

struct launch {
    const struct kernel_code *code;
    const struct device_launch *request;
    const struct warp_variant *variant;
    const struct window_memory *memory;
    const uint8_t *parameters;
    uint32_t threads;    /* of a block */
    uint32_t warp_count; /* of a block */
    uint64_t blocks;
    uint64_t shared_bytes; /* static and dynamic */
    uint64_t deadline_ns;  /* of the monotonic clock */
    uint32_t multiprocessors;
    uint64_t next_block;       /* atomic: of blocks that run in parallel */
    bool is_late;              /* atomic: the deadline has passed */
    struct order_watch *watch; /* NULL: one thread runs all blocks */
};

/* The variants that this processor can run, the best one last; [0] is always there. */
size_t warp_variants(const struct warp_variant **out_variants);

/* Handlers that exist once: rare_handlers.c, control_flow.c. Indexed by code; NULL elsewhere. */
extern op_handler *const rare_handlers[OP_CODE_COUNT];
extern op_handler *const control_handlers[OP_CODE_COUNT];

/* The PTX instruction that an op comes from. */
static inline const struct ptx_instruction *op_source(const struct kernel_code *code,
                                                      const struct op *op)
{
    return code->sources[op - code->ops];
}

#endif
