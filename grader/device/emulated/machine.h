/* machine.h: a kernel made ready to run, and the state of the warps that run it.
 *
 * A PTX function is lowered once (lowering.h) into an array of struct op. A warp executes one op
 * for all its active lanes at once. Its registers lie in a register file of slots:
 *
 *   file + op->slot[k]:  predicate   1 x u32, a bit for each lane
 *                        32 bit     32 x u32 (also for 8 and 16 bit, zero-extended)
 *                        64 bit     32 x u64
 *
 * Registers hold poison until they are written, as memory does; PTX does not define their contents.
 * Constants and special registers are slots too; they are filled before a warp starts and never
 * written. Small device functions are inlined, the others have a call stack (call_stack.h).
 *
 * Lanes that went different ways are paths: each has a program counter and a mask (paths.h). The
 * path with the lowest counter runs until it reaches the counter of another one, then they merge.
 *
 * Anything may be written to lanes that are not `live`; they never run again.
 */
#ifndef GPUGRADE_DEVICE_EMULATED_MACHINE_H
#define GPUGRADE_DEVICE_EMULATED_MACHINE_H

#include "device/emulated/memory/window_memory.h"
#include "ptx/ptx_matrix.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LANES = 32,
    LOCAL_CHUNK = 4096, /* bytes of local memory that are made ready at once */
    BARRIERS = 16,
    OP_SLOTS = 6,
    UNWRITTEN_SITES = 8, /* that followed values may come from (unwritten.h) */
    SLOT_ADDRESS = 4,    /* of memory operations; the data are in slots 0 to 3 */
};
#define ALL_LANES UINT32_MAX

/* Generic addresses of shared, local and parameter space: outside of the device window. */
#define SHARED_WINDOW UINT64_C(0x200000000000)
#define LOCAL_WINDOW UINT64_C(0x210000000000)
#define PARAM_WINDOW UINT64_C(0x220000000000)
#define SPACE_WINDOW_BYTES UINT64_C(0x1000000)
#define NULL_POINTER_END UINT64_C(0x10000) /* below: a null pointer plus something */

enum op_code {
#define VECTOR_OP(name, ...) OP_##name,
#include "device/emulated/arithmetic/vector_ops.def"
#undef VECTOR_OP
#define COMPARE_OP(name, ...) OP_##name,
#include "device/emulated/arithmetic/compare_ops.def"
#undef COMPARE_OP
#define SCALAR_OP(name, ...) OP_##name,
#include "device/emulated/arithmetic/scalar_ops.def"
#undef SCALAR_OP
#define DIRECTED_OP(name, ...) OP_##name,
#include "device/emulated/arithmetic/directed_ops.def"
#undef DIRECTED_OP
#define OTHER_OP(name, ...) OP_##name,
#include "device/emulated/arithmetic/other_ops.def"
#undef OTHER_OP
    OP_CODE_COUNT
};

enum op_flag {
    OP_GUARDED = 1,       /* lanes outside of slot `guard` do not execute it */
    OP_GUARD_NEGATED = 2, /* ... inside of it */
    OP_CONTROL = 4,       /* may change the program counter or the paths */
    OP_COUNTED = 8,       /* with OP_GUARDED: the first op of its PTX instruction */
};

/* How an access, or a fence, orders what other threads see (race_watch.h). */
enum access_order {
    ORDER_RELEASES = 1, /* shows what its thread has done */
    ORDER_ACQUIRES = 2, /* sees what others have shown */
    ORDER_STORES = 4,   /* with a fence before it, it releases */
    ORDER_LOADS = 8,    /* with a fence after it, it acquires */
    ORDER_DEVICE = 16,  /* for threads outside of the block too */
    ORDER_RELAXED = 32, /* a load or a store that is atomic at least */
};

struct op;
struct warp;

typedef void op_handler(struct warp *warp, const struct op *op, uint32_t mask);

/* Runs an op and those after it while all live lanes are active; returns the op that comes next.
 * Each one jumps to the next one; that of an op which may change the program counter or the paths,
 * or which is looked at, only returns it. */
typedef const struct op *op_chain(struct warp *warp, const struct op *op);

struct op {
    op_handler *run;
    op_chain *chain;
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
    bool is_ordered; /* volatile, relaxed, acquire or release, or an atomic, that reaches global
                        memory */
    bool is_release;
    uint8_t order;     /* of ATOMIC, FENCE and ORDER: enum access_order */
    bool same_address; /* an earlier op, always executed just before by the same lanes, has looked
                          at the same address register with the same pattern */
    bool is_implied;   /* ... and has been logged for this one too (lower_watch.c) */
    bool leads_bundle; /* the loads that it is logged for can be checked together with it */
    uint8_t own_work;  /* its weight (launch_work.h) */
    uint8_t border;    /* enum ptx_border */
    uint16_t range;    /* index in worker->ranges: where in shared memory it has to stay */
    bool is_followed;  /* that differs (followed_tiles.h), and `range` is empty */
    bool is_formatted; /* the data have the format of the surface, and x counts texels */
    uint32_t guard;
    uint32_t slot[OP_SLOTS];              /* offsets in the register file; [0] is the destination */
    int32_t offset;                       /* of a memory operation */
    uint32_t bundle_before, bundle_after; /* bytes that a bundle reaches beyond its first load */
    uint32_t target;  /* index of an op; of a table: how many targets; of COPY_WAIT: groups
                                that may stay under way */
    uint32_t pattern; /* index in worker->patterns; of a table: its first target */
    uint32_t ordinal; /* how many PTX instructions come before this one */
    uint32_t work;    /* weights of all ops before this one */
    uint32_t
        access_index; /* of a load, store, atomic, barrier, product or guarded branch: its number in
                                the kernel, below kernel_code.access_count; else unused */
};

/* A slot that holds the same value in all lanes. */
struct slot_constant {
    uint32_t slot;
    uint8_t bytes; /* 4 (a predicate too, as one word) or 8 */
    bool is_predicate;
    bool add_static_shared; /* the address of dynamic shared memory: `bits` comes on top */
    uint32_t shared; /* the address of a .shared variable: its number in the lowering plus 1 */
    uint64_t bits;
};

struct slot_special {
    uint32_t slot;
    uint8_t bytes;
    uint8_t special; /* enum ptx_special */
};

/* Where in a matrix the elements of the lanes lie: rows or columns that are apart in memory, and
 * the place in them. */
struct element_places {
    uint8_t major[LANES], minor[LANES];
};

/* A product of matrices, d = a b + c, each a fragment in registers (ptx_matrix.h). */
struct tensor_product {
    struct ptx_matrix matrix;
    struct ptx_fragment fragments[4];    /* d, a, b, c */
    uint32_t slots[4][PTX_FRAGMENT_MAX]; /* of their registers */
    struct ptx_element_place *places[4]; /* [LANES][elements] */
    unsigned
        sum_length; /* of floating point: products that are added up at once; k is a multiple */
    bool saturates;
};

/* A register of the PTX that is no predicate. */
struct slot_register {
    uint32_t slot;
    uint8_t bytes; /* 1, 2, 4 or 8 */
};

/* A .shared variable, for messages. */
struct shared_tile {
    const char *name;
    uint64_t start, bytes;
    bool is_dynamic; /* it goes on to the end; `bytes` is 0 */
};

/* Part of the shared memory of a block. */
struct shared_range {
    uint64_t start, bytes;
};

/* What an access does. */
enum access_role {
    ROLE_READS = 1,
    ROLE_WRITES = 2,
    ROLE_ATOMIC = 4,    /* does not race with others of its kind */
    ROLE_FILLS = 8,     /* writes without regard to what was there */
    ROLE_COMPARES = 16, /* atom.cas */
};

/* An op with an access_index, as race_watch.h needs it. */
struct shared_access {
    uint32_t op;   /* its index */
    uint32_t site; /* accesses of one role at one place of the source share it (lower_watch.c) */
    uint32_t first_follower, follower_count; /* in kernel_code.followers */
    uint8_t role;                            /* enum access_role */
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
    const struct slot_register *registers; /* [register_count] */
    size_t register_count;
    const struct shared_tile *tiles; /* [tile_count], sorted by start */
    size_t tile_count;
    const struct element_places *places;   /* [place_count] by target of ELEMENT_ADDRESS */
    const struct tensor_product *products; /* [product_count] by target of TENSOR_PRODUCT */
    size_t place_count, product_count;
    uint32_t file_bytes;     /* of the register file of a warp */
    uint32_t register_bytes; /* its beginning, which a block finds as worker->registers has it */
    uint32_t pattern_count;
    uint32_t access_count;                /* ops that have an access_index */
    const struct shared_access *accesses; /* [access_count] */
    const uint32_t *followers; /* accesses that are implied, grouped by the one that is logged */
    const uint32_t *site_ops;  /* [site_count] the first op of each site */
    uint32_t site_count;
    const uint16_t *followed_cells; /* followed_tiles.h: by slot / FOLLOWED_CELL_BYTES: the range
                                       that a register points into, or FOLLOWED_FIRST plus its
                                       number; 0: no address, or it is not known */
    uint32_t followed_count;        /* registers that are followed */
    uint64_t static_shared_bytes;
    uint64_t dynamic_shared_start;
    uint64_t local_bytes; /* of a thread */
    bool runs_in_order;  /* global atomics, volatile or ordered accesses: one block after another */
    bool has_copies;     /* async_copies.h */
    bool uses_heap;      /* it calls malloc or free; then it runs in order too */
    bool has_open_stack; /* recursion or function pointers: its depth is not known before */
    const struct call_body *bodies; /* [body_count] functions that are not inlined, sorted */
    size_t body_count;
    const struct call_site *calls; /* [call_count] */
    size_t call_count;
};

/* What the last execution of a memory instruction looked like; the next one is often the same. */
enum access_shape { SHAPE_NONE, SHAPE_GENERAL, SHAPE_CONTIGUOUS, SHAPE_UNIFORM };

/* What a request needs (access_cost.h), in sectors of global memory or wavefronts of shared one. */
struct access_cost {
    uint8_t space;              /* enum count_record_space; 0: not worked out yet */
    uint8_t units, least_units; /* `least`: for the same bytes, placed well */
    uint8_t pieces; /* shared: of 32 bytes that the distinct bytes of each wavefront fill */
    uint8_t degree; /* of bank conflicts */
};

/* Lanes with words in one bank, if each lane has a word of its own. */
struct bank_sets {
    uint32_t lanes[LANES / 2]; /* [count] of two lanes or more, the largest set first */
    uint8_t sizes[LANES / 2];
    uint8_t count;
    bool has_own_words;
};

/* Distances between lanes, as in a pattern. */
struct past_lanes {
    uint32_t mask;
    int32_t delta[LANES];
};
enum { PAST_PATTERNS = 8 };

struct access_pattern {
    int32_t delta[LANES];     /* address of a lane minus that of the first lane */
    int32_t group[LANES / 8]; /* delta of lanes 0, 8, 16 and 24 */
    uint32_t mask;            /* of lanes whose distances are known; 0: nothing is */
    uint32_t active;          /* of the last access: `mask`; of shared memory perhaps fewer */
    uint32_t first_lane;
    uint32_t delta_bits; /* of all deltas, for alignment */
    uint8_t shape;       /* contiguous and uniform: within each group of 8 lanes, all 32 active */
    uint8_t whole_shape; /* the same when all of `mask` are */
    uint8_t narrow;      /* how often no more than the active lanes are to be learnt */
    uint8_t misses;      /* in a row: nothing was like the active lanes */
    uint8_t next_past;
    bool holds_bundle;     /* the last access was the first load of a bundle, and all are valid */
    uint32_t bundle_first; /* ... then what an offset is added to, for the first lane's place */
    int64_t lowest;        /* delta */
    uint64_t span;         /* highest delta minus lowest one */
    uint64_t block_start, block_end; /* of the last hit */
    struct window_block *block;
    uint64_t last_first; /* of global memory: where the first lane was */
    uint64_t epoch;      /* grows whenever something is learnt */
    uint64_t race_epoch; /* race_shapes.h: race_shape is valid if this is the epoch, and for the */
    uint32_t race_shape, race_owner; /* ... log of this number only */
    /* access_counts.c: costs, by the place of the first lane in a sector or a word, and of shared
     * memory for stores and loads; valid if cost_epoch is the epoch */
    uint64_t cost_epoch;
    struct access_cost global_costs[32], shared_costs[2][4];
    uint64_t bank_epoch; /* the same for the banks */
    struct bank_sets banks;
    struct past_lanes past[PAST_PATTERNS];             /* of shared memory: what it held before */
    int32_t lanes[LANES] __attribute__((aligned(64))); /* -1 in the lanes of `mask`, else 0 */
} __attribute__((aligned(64)));

enum path_state {
    PATH_RUNS,
    PATH_AT_BARRIER,   /* waits for a barrier of the block */
    PATH_AT_WARP_SYNC, /* waits for lanes of its warp at bar.warp.sync */
    PATH_FAILED,       /* stopped by a trap, an assertion or a call that cannot be made */
    PATH_CONVERGES,    /* waits for lanes of its warp at the same instruction (shfl.sync, ...) */
};

struct path {
    const struct op *pc;
    uint32_t mask;
    uint8_t state;     /* enum path_state */
    uint8_t barrier;   /* its number */
    uint32_t expected; /* at a barrier: lanes that were alive when the first of it came; at
                          bar.warp.sync: lanes that it names */
    uint32_t awaited;  /* of a path that waits for lanes of its warp: those that could come when it
                          began to */
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
    uint32_t segment_work; /* ... and `work` of the first op */
    uint32_t ticks;        /* ops in loops left in this turn; 0: it ended so */
    bool suspended;        /* no path can run, or the turn is over */
    bool is_rotated;       /* the path was chosen out of order */
    bool has_polled;       /* in this turn it has loaded what others store, or slept, ... */
    bool has_acted;        /* ... and in this one it has changed what others load */
    uint32_t path_count, current;
    uint64_t turns;
    struct path paths[LANES];
    uint32_t index;              /* in the block */
    struct lane_stack *stacks;   /* [LANES]; NULL: the kernel has no bodies */
    struct endless_watch *watch; /* endless.h; NULL: it is not watched */
    uint16_t *followed;          /* [followed_count][LANES] followed_tiles.h */
    struct trail *trail;         /* unwritten.h; NULL: it holds no value of unwritten memory */
    struct block *block;
    struct worker *worker;
};

struct barrier {
    uint32_t arrived;             /* threads that wait or have arrived */
    uint32_t expected;            /* threads; 0: all of the block */
    uint32_t holds, true_threads; /* bar.red: threads that came, and those whose predicate held */
};

/* Lanes that exited together. */
struct block_exit {
    const struct op *op;
    uint32_t warp, mask;
};

enum block_state { BLOCK_RUNS, BLOCK_DONE, BLOCK_FAULT, BLOCK_UNSUPPORTED, BLOCK_DEADLINE };

struct block {
    struct launch *launch;
    struct worker *worker;
    uint64_t linear; /* x first */
    uint32_t index[3];
    enum block_state state;
    enum block_state failure; /* of lanes that failed: how the block ends when the others can no
                                 longer run; BLOCK_RUNS: none has */
    uint32_t alive;           /* threads that have not exited */
    struct warp *warps;       /* [warp_count] */
    uint32_t warp_count;
    uint8_t *files;     /* of all warps */
    uint16_t *followed; /* ... of all warps */
    uint8_t *shared;    /* [shared_bytes] */
    uint64_t shared_bytes;
    uint8_t *local; /* [threads][local_bytes], in chunks of LOCAL_CHUNK; only what the block has
                       touched holds anything */
    uint8_t *local_touched; /* [local_chunks] 1: the chunk has been poisoned for this block */
    uint64_t local_chunks;
    uint64_t stack_bytes; /* of the host, in the stacks of all lanes */
    struct barrier barriers[BARRIERS];
    struct block_exit *exits; /* [threads] */
    uint32_t exit_count;
    uint64_t rounds; /* turns of all warps */
    uint64_t warp_instructions, lane_instructions, barrier_arrivals;
    uint64_t idle_warp_instructions, idle_lane_instructions; /* of them, in turns that only waited:
                                                                how many depends on the order of the
                                                                turns, so they do not count */
    uint64_t work, added_work; /* launch_work.h: so far, and of it what the worker was given */
    uint64_t look_work;        /* endless.h: when to look next whether a warp ever ends */
    uint8_t *unwritten_uses;   /* [site_count] unwritten.h: enum unwritten_use */
    bool has_trails;           /* ... some of them are not 0 */
    uint32_t unwritten_sites[UNWRITTEN_SITES]; /* ... whose values are back in shared memory */
    uint32_t unwritten_count;
    uint64_t skipped_time;     /* waiting.h: that its clock has gone on beyond its instructions */
    uint64_t progress;         /* grows whenever a path leaves a barrier or exits */
    struct race_log *races;    /* race_watch.h; NULL: shared memory is not watched */
    struct copy_queue *copies; /* [warp_count] async_copies.h; NULL: the kernel has none */
};

/* One thread of the host, and what it has seen. */
struct worker {
    struct launch *launch;
    struct access_pattern *patterns; /* [pattern_count] */
    struct shared_range *ranges; /* [tile_count + 2]: all of shared memory, each tile, nothing */
    uint8_t *registers; /* [register_bytes] a register file before anything is written: poison in
                           registers, else zero */
    struct finding_table *findings;
    struct device_counters counters;
    enum block_state worst;
    struct print_buffer *printed; /* [PRINT_STREAMS] (print_buffer.h) */
    bool is_watched;              /* accesses are logged and counted */
    struct race_memory *races;    /* race_watch.h; NULL: shared memory is not watched */
    struct touch_watch *touches;  /* touch_watch.h; NULL: not of interest */
    uint8_t *unwritten_uses;      /* [site_count] the same, of all blocks that have ended */
    struct access_counts *counts; /* access_counts.h; NULL: nothing is counted */
    uint64_t own_work;            /* launch_work.h: not yet added to the launch's sum */
    uint64_t waiting_work;        /* ... since a warp of its blocks last did more than wait */
    uint64_t look_waiting;        /* waiting.h: of it, when to ask next whether all wait forever */
    uint64_t time_step;           /* ... and how much time passes in each round of waiting */
    uint32_t wait_rounds;         /* ... since all are watched; 0: they are not */
    uint64_t limit_time_ns;       /* ... the processor time of its thread at which it stops */
    uint64_t look_ns;             /* ... and the earliest time at which that can be */
};

struct tensor_format;

/* The hot loop for one kind of processor. */
struct warp_variant {
    const char *name; /* "stepwise": without chains; "baseline", "avx2", "avx512" */
    void (*run)(struct warp *warp);
    op_handler *(*handler)(uint16_t code);
    void (*link)(struct op *ops, size_t count); /* makes the chains of a finished kernel */
    /* Sums of tensor_sums.h in f32; false if they are not of finite numbers alone: then d has
     * nothing that counts. */
    bool (*tensor_rows)(const struct tensor_product *product, const struct tensor_format *format,
                        const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *d);
};

/* Why a launch ends before its blocks have. */
enum launch_stop {
    STOP_NONE,
    STOP_WORK,     /* it did more work than allowed */
    STOP_ENDLESS,  /* a thread never ends (endless.h) */
    STOP_DEADLOCK, /* all threads wait at barriers, some of them in loops (waiting.h) */
    STOP_TIME,     /* a thread of the host has used up its processor time */
    STOP_UNWANTED, /* the caller does not need the rest */
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
    uint64_t work_limit;   /* units that it may use (launch_work.h) */
    uint64_t work;         /* atomic: that its workers have used */
    uint64_t limit_ns;     /* processor time that each worker may use */
    uint32_t multiprocessors;
    uint64_t next_block;                      /* atomic: of blocks that run in parallel */
    uint8_t stop;                             /* atomic: enum launch_stop */
    bool is_reported;                         /* where it was when it stopped */
    uint64_t look_ns;                         /* atomic: when to ask next whether it is wanted */
    bool (*is_unwanted)(const void *context); /* see device.h; NULL: always wanted */
    const void *unwanted_context;
    struct order_watch *watch; /* NULL: whether their order matters is not of interest */
    bool is_parallel;          /* several threads run blocks; one may run all of them again,
                                          which reports what has no end */
    bool checks_global_races;
    struct touch_watch **watches;      /* of its workers; NULL: no one asks what they touch */
    bool has_met;                      /* atomic: two threads have touched a word, and one wrote */
    struct global_races *global_races; /* global_races.h; NULL: global memory is not watched */
    const struct touch_watch *touches; /* ... but where threads met in the run before; NULL: all */
    struct thread_order *thread_order; /* thread_order.h; NULL likewise */
    uint64_t stack_limit;              /* bytes that a lane's activations may take */
    uint64_t print_limit;              /* bytes of printed text */
    struct device_heap *heap;          /* of malloc and free in kernels */
    uint64_t workspace;            /* of grid barriers: device address; 0: no cooperative launch */
    struct launch_texts *texts;    /* texts of findings that the kernel gives (device_calls.h) */
    uint64_t shuffle_seed;         /* 0: warps and blocks run in order */
    bool is_unwatched;             /* no races, no counts */
    struct access_trace *trace;    /* access_trace.h; NULL: nothing is traced */
    struct step_log *steps;        /* step_log.h; NULL: no steps are logged */
    struct value_origins *origins; /* value_origins.h; NULL: values are not followed */
};

/* The variants that this processor can run, the best one last; [0] is always there. */
size_t warp_variants(const struct warp_variant **out_variants);

/* Handlers that exist once: scalar_handlers.c, control_flow.c. Indexed by code; NULL elsewhere. */
extern op_handler *const scalar_handlers[OP_CODE_COUNT];
extern op_handler *const directed_handlers[OP_CODE_COUNT]; /* directed_rounding.c */
extern op_handler *const control_handlers[OP_CODE_COUNT];

/* True for ops that load, store or update memory at an address. */
static inline bool op_is_memory(const struct op *op)
{
    switch (op->code) {
    case OP_LOAD_32:
    case OP_LOAD_64:
    case OP_LOAD_ANY:
    case OP_STORE_32:
    case OP_STORE_64:
    case OP_STORE_ANY:
    case OP_ATOMIC:
    case OP_COPY_READ:
    case OP_COPY_WRITE:
    case OP_MBARRIER:
        return true;
    default:
        return false;
    }
}

/* True for ops that read or write texels: at addresses of their own, not at that in a slot. */
static inline bool op_is_texture(const struct op *op)
{
    return op->code == OP_TEXTURE || op->code == OP_SURFACE_LOAD || op->code == OP_SURFACE_STORE ||
           op->code == OP_SURFACE_REDUCE;
}

/* True for ops that have an access_index. */
static inline bool op_is_counted(const struct op *op)
{
    return op_is_memory(op) || op_is_texture(op) || op->code == OP_BARRIER ||
           op->code == OP_TENSOR_PRODUCT ||
           (op->code == OP_BRANCH && (op->flags & OP_GUARDED) != 0);
}

/* The PTX instruction that an op comes from. */
static inline const struct ptx_instruction *op_source(const struct kernel_code *code,
                                                      const struct op *op)
{
    return code->sources[op - code->ops];
}

#endif
