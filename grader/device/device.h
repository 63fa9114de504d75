/* device.h: what a device can do; the server drives it, a backend implements it.
 *
 * The device owns mechanism only: memory, modules, launches, snapshots. It knows no rubric and no
 * verdict. One device serves one program. All functions are called from one thread; a backend may
 * use more inside.
 *
 * Device memory lies in one window of addresses (base/device_window.h). Module variables (.global
 * and .const) and allocations are in it; addresses are never reused while the device lives unless
 * the window is full, so that a use after free can be recognised.
 */
#ifndef GPUGRADE_DEVICE_DEVICE_H
#define GPUGRADE_DEVICE_DEVICE_H

#include "base/arena.h"
#include "base/device_window.h"
#include "base/diagnostic.h"
#include "device/stream_order.h"
#include "occupancy/occupancy.h"
#include "wire/control.h"
#include "wire/count_record.h"
#include "wire/finding_record.h"
#include "wire/timing_record.h"
#include "wire/trace_record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device_config {
    struct gpu_model model;
    uint64_t memory_limit_bytes; /* of allocations and module variables together */
    uint64_t launch_deadline_ns; /* of one launch: wall time on a GPU; processor time of a thread on
                                    the emulated device, where the work limit is normally reached
                                    first */
    uint64_t cpu_limit_ns;       /* processor time that the process may use for each of its
                                    threads; 0: any. Of the emulated device */
    uint32_t threads;            /* of the host; 0: as many as there are cores */
    uint64_t shuffle_seed;       /* 0: blocks and warps run in order; else in a random one */
    bool checks_global_races;    /* the emulated device only; costs up to 12 bytes for each byte */
    bool checks_unwritten;       /* likewise: reads of global memory that nothing has written; with
                              checks_global_races, since others are not repeated in order */
    bool checks_streams;         /* the server looks for work in streams that nothing orders */
    bool is_unwatched;           /* for benchmarks: no races, no counts, bounds only */
    bool (*is_unwanted)(const void *context); /* asked now and then during a launch, by any of its
                                                 threads: true ends it as its deadline does; NULL:
                                                 always wanted */
    const void *unwanted_context;
    const char *gpu; /* of the cuda device: a number, or a UUID as nvidia-smi -L prints it; NULL:
                        the first */
};

/* A block of device memory. */
struct device_allocation {
    uint64_t address;
    uint64_t bytes;
    bool is_module_variable;
    bool is_constant;
};

/* Where a kernel's parameter lies in its parameter block. */
struct device_parameter {
    uint64_t offset;
    uint64_t bytes;
};

/* A kernel or a function of a module, as the driver describes it. */
struct device_function_info {
    const char *name; /* mangled */
    uint32_t parameter_count;
    const struct device_parameter *parameters; /* [parameter_count], owned by the module */
    uint64_t parameter_bytes;
    uint32_t static_shared_bytes;
    uint32_t local_bytes;
    uint32_t constant_bytes;
    uint32_t max_threads; /* of __launch_bounds__; 0: none */
    uint32_t registers;   /* of a thread, in the machine code that a real GPU runs; 0: unknown */
};

/* What cudaDeviceSetLimit sets; 0: CUDA's defaults. */
struct device_limits {
    uint64_t stack_bytes; /* of a thread whose call depth is not known in advance: 1 KiB */
    uint64_t print_bytes; /* of the text of a launch; the latest text is kept: 1 MiB */
    uint64_t heap_bytes;  /* of malloc in kernels: 8 MiB; applies from its first use */
};

struct device_launch {
    uint32_t module;   /* index, from device_load_module */
    uint32_t function; /* index within the module's entries */
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t dynamic_shared_bytes;
    const void *parameters; /* [parameter_bytes], in the layout of the PTX .param list */
    bool is_cooperative;    /* its blocks may wait for each other */
    struct device_limits limits;
    uint64_t work_limit; /* of the emulated device: units that it may use (emulated/launch_work.h);
                            0: no limit */
    /* Of the emulated device: */
    uint64_t order_seed; /* blocks and warps run in another order, a random one; 0: in the order
                            that device_config has */
    bool asks_touched;   /* the result says which bytes of global memory it touched */
    bool asks_order;     /* the result says whether the order of the blocks can matter */
    uint32_t site;       /* where the program makes it, for device_origin; 0: unknown */
};

struct device_counters {
    uint64_t lane_instructions;
    uint64_t warp_instructions;
    uint64_t barriers; /* arrivals of warps */
    uint64_t work;     /* of the emulated device: units (emulated/launch_work.h) */
};

struct device_launch_result {
    enum launch_status status;
    struct device_counters counters;
    const struct finding_record *findings; /* [finding_count], sorted; until the next launch */
    size_t finding_count;
    bool is_counted;                   /* false: this device does not count, or counting is off */
    const struct count_record *counts; /* [count_count], sorted; until the next launch */
    size_t count_count;
    const char *printed; /* [printed_bytes] what the kernel printed; valid until the next launch */
    size_t printed_bytes;
    const char *complaints; /* [complaint_bytes] what failed assertions print to standard error */
    size_t complaint_bytes;
    struct order_bytes touched; /* if the launch asks, in whole words of 4 bytes; until the next
                                   launch; none: nothing, or this device does not know */
    bool order_can_matter; /* if the launch asks: what the kernel writes may depend on the order of
                              its blocks (emulated/race/order_watch.h). false: it cannot, or this
                              device does not know */
};

/* What a timing gave. Samples are in the order in which they were taken. */
struct device_timing_result {
    enum launch_status status; /* other than LAUNCH_DONE: `contender` ended so, no samples count */
    uint32_t contender;
    const struct timing_sample *samples; /* [sample_count], until the next timing */
    size_t sample_count;
    const struct finding_record *findings; /* [finding_count], of that contender, or overruns */
    size_t finding_count;
    double copy_bandwidth; /* bytes a second that copies within the GPU's memory read and write
                              together, measured once; 0: unknown */
};

/* A place in the code of a module. */
struct device_place {
    bool is_known; /* else zeros */
    uint32_t module;
    struct finding_record_place place;
};

/* What is known of [address, address + bytes). */
struct device_origin {
    struct device_place last; /* of what is at the address: the last store there */
    uint32_t launch;          /* that made it: 1 for the first that was followed; 0: unknown */
    struct device_place made; /* the store that made the value, which others may have moved */
    uint64_t unloaded;        /* offset of the first byte that nothing has loaded; `bytes`: none */
    struct device_place loader; /* what loads the bytes before it, or else after it */
    uint32_t lost_site; /* from which no launch has stores that are at the addresses, or were used
                           by a later launch, a copy or the host, though those of another launch of
                           its kernel are; 0: there is none, or it is unknown */
};

/* An element of memory that a value is made of. */
struct device_term {
    uint64_t address;
    uint32_t bytes;
    uint32_t count;            /* in how many ways it gets there; UINT32_MAX: that many, or more */
    struct device_place load;  /* what loads it */
    struct device_place place; /* the last read on one of these ways */
};

/* What a trace gave. */
struct device_trace {
    enum launch_status status; /* other than LAUNCH_DONE: nothing else counts */
    uint64_t block;            /* that was logged, x first */
    bool wrote;                /* it is the first that wrote the watched bytes; else none did */
    bool has_all;              /* all of its accesses are in the log */
    const void *records;       /* [record_count] packed, then [place_count] packed places
                                  (wire/trace_record.h); until the next trace */
    size_t record_count, place_count;
};

/* Which block's steps are of interest. */
struct device_step_wish {
    bool has_block;    /* false: the block with the first finding, or else the first one */
    uint32_t block[3]; /* in the grid; where it lies outside, nothing is logged */
};

/* The steps of one block. */
struct device_steps {
    bool is_there; /* false: no launch of interest has run, and nothing else counts */
    bool has_finding;
    uint32_t module, function;
    uint32_t grid[3], block[3], block_index[3];
    uint64_t shared_bytes;
    uint64_t kept, total; /* steps that are logged, and that there were */
    const void *records;  /* [record_bytes] packed steps, then [place_count] packed places, then
                             [region_count] packed regions (wire/step_record.h); until the next
                             launch */
    size_t record_bytes, place_count, region_count;
};

struct device;

/* What a backend implements; each entry is documented at the function below that calls it. */
struct device_backend {
    const char *name; /* "emulated" */
    enum error (*open)(const struct device_config *config, void **out_state,
                       struct diagnostic *diagnostic);
    void (*close)(void *state);
    enum error (*load_module)(void *state, const char *ptx, size_t length, uint32_t *out_module,
                              struct diagnostic *diagnostic);
    size_t (*function_count)(void *state, uint32_t module);
    bool (*function_info)(void *state, uint32_t module, uint32_t function,
                          struct device_function_info *out_info);
    bool (*variable)(void *state, uint32_t module, const char *name,
                     struct device_allocation *out_variable);
    void (*initialise)(void *state);
    enum error (*allocate)(void *state, uint64_t bytes, uint64_t *out_address,
                           struct diagnostic *diagnostic);
    enum error (*allocate_again)(void *state, uint64_t bytes, uint64_t address,
                                 struct diagnostic *diagnostic);
    bool (*release)(void *state, uint64_t address);
    bool (*find)(void *state, uint64_t address, struct device_allocation *out_allocation);
    bool (*read)(void *state, uint64_t address, void *out_bytes, size_t length);
    bool (*write)(void *state, uint64_t address, const void *bytes, size_t length);
    bool (*fill)(void *state, uint64_t address, uint64_t length, uint32_t pattern,
                 size_t pattern_bytes);
    bool (*copy)(void *state, uint64_t to, uint64_t from, uint64_t length);
    /* NULL: it does not know what is written */
    void (*forget)(void *state, uint64_t address);
    bool (*unwritten)(void *state, uint64_t address, uint64_t length, uint64_t element_bytes,
                      uint64_t *out_address);
    enum error (*snapshot)(void *state, struct diagnostic *diagnostic);
    void (*restore)(void *state);
    void (*discard)(void *state);
    void (*launch)(void *state, const struct device_launch *launch,
                   struct device_launch_result *out_result);
    /* Optional (NULL if missing): measuring times; knowing better than the occupancy calculator how
     * many blocks fit; loading machine code in addition to the text; logging accesses,
     * and steps. */
    enum error (*time)(void *state, const struct timing_request *request,
                       const struct device_limits *limits, struct device_timing_result *out_result,
                       struct diagnostic *diagnostic);
    bool (*active_blocks)(void *state, uint32_t module, uint32_t function, uint32_t block_threads,
                          uint64_t dynamic_shared_bytes, uint32_t *out_blocks);
    enum error (*load_image)(void *state, const char *ptx, size_t length, const void *image,
                             size_t image_bytes, uint32_t *out_module,
                             struct diagnostic *diagnostic);
    enum error (*trace)(void *state, const struct device_launch *launch, uint64_t address,
                        uint64_t bytes, struct device_trace *out_trace,
                        struct diagnostic *diagnostic);
    /* Optional: follows values (device_follow). */
    void (*follow)(void *state, bool is_on);
    void (*origin)(void *state, uint64_t address, uint64_t bytes, struct device_origin *out_origin);
    size_t (*terms)(void *state, uint64_t address, uint64_t bytes, struct device_term *out_terms,
                    size_t room);
    enum term_fate (*fate)(void *state, uint64_t address, struct device_place *out_place);
    void (*watch_steps)(void *state, uint32_t module, uint32_t function,
                        const struct device_step_wish *wish);
    void (*steps)(void *state, struct device_steps *out_steps);
};

extern const struct device_backend device_emulated;
extern const struct device_backend device_cuda; /* cuda/cuda_device.h */

/* Opens a device. Errors: ERROR_ENVIRONMENT. */
enum error device_open(const struct device_backend *backend, const struct device_config *config,
                       struct device **out_device, struct diagnostic *diagnostic);
void device_close(struct device *device); /* NULL is accepted */

/* The state of the backend, for the functions that it has beyond this interface (cuda_device.h). */
void *device_state(struct device *device);

/* Loads PTX text, places its variables. Errors: ERROR_SYNTAX, ERROR_LIMIT, ERROR_UNSUPPORTED. */
enum error device_load_module(struct device *device, const char *ptx, size_t length,
                              uint32_t *out_module, struct diagnostic *diagnostic);

/* Entries (kernels) of a module, numbered in the order of the text. */
size_t device_function_count(struct device *device, uint32_t module);
bool device_function_info(struct device *device, uint32_t module, uint32_t function,
                          struct device_function_info *out_info);

/* A .global or .const variable of a module by its mangled name; false if there is none. */
bool device_variable(struct device *device, uint32_t module, const char *name,
                     struct device_allocation *out_variable);

/* Sets all module variables back to the values they had when their module was loaded. */
void device_initialise(struct device *device);

/* Allocates `bytes` > 0, aligned to 512, holding unspecified values (the emulated device fills it
 * with a poison pattern). Errors: ERROR_LIMIT when the memory limit would be exceeded. */
enum error device_allocate(struct device *device, uint64_t bytes, uint64_t *out_address,
                           struct diagnostic *diagnostic);

/* The same where an allocation of as many bytes was freed, and nothing has been made since. */
enum error device_allocate_again(struct device *device, uint64_t bytes, uint64_t address,
                                 struct diagnostic *diagnostic);

/* Frees an allocation; false if `address` is not the start of a live one. */
bool device_release(struct device *device, uint64_t address);

/* The live allocation or module variable that contains an address; false if there is none. */
bool device_find(struct device *device, uint64_t address, struct device_allocation *out_allocation);

/* Access from the host side; false if the range is not within one live allocation or variable
 * (constants can be written: cudaMemcpyToSymbol). */
bool device_read(struct device *device, uint64_t address, void *out_bytes, size_t length);
bool device_write(struct device *device, uint64_t address, const void *bytes, size_t length);
bool device_copy(struct device *device, uint64_t to, uint64_t from, uint64_t length);

/* Of an allocation that starts there, nothing counts as written any more. Its bytes stay. */
void device_forget(struct device *device, uint64_t address);

/* The first element of a range of which nothing has been written; false if there is none, or the
 * device does not know. Errors: false unless the range lies within one live allocation. */
bool device_unwritten(struct device *device, uint64_t address, uint64_t length,
                      uint64_t element_bytes, uint64_t *out_address);

/* Fills with a pattern of 1, 2 or 4 bytes (little endian), repeated from `address`. */
bool device_fill(struct device *device, uint64_t address, uint64_t length, uint32_t pattern,
                 size_t pattern_bytes);

/* Takes a snapshot of all allocations and variables; restore goes back to it (and keeps it),
 * discard drops it. There is one snapshot at most; no allocation is made or freed while it is
 * held. Errors: ERROR_LIMIT. */
enum error device_snapshot(struct device *device, struct diagnostic *diagnostic);
void device_restore(struct device *device);
void device_discard(struct device *device);

/* Runs a launch to its end. The geometry must have been checked against the model by the caller
 * (server), the function must exist. */
void device_launch(struct device *device, const struct device_launch *launch,
                   struct device_launch_result *out_result);

/* Loads PTX text with the machine code that ptxas made of it for this GPU; a device without that
 * loads the text. Errors: those of device_load_module. */
enum error device_load_image(struct device *device, const char *ptx, size_t length,
                             const void *image, size_t image_bytes, uint32_t *out_module,
                             struct diagnostic *diagnostic);

/* Blocks of a kernel that fit on a multiprocessor, as the device itself reports; false if it does
 * not. */
bool device_active_blocks(struct device *device, uint32_t module, uint32_t function,
                          uint32_t block_threads, uint64_t dynamic_shared_bytes,
                          uint32_t *out_blocks);

/* Times contenders against each other (timing_record.h), under the limits that the program has set;
 * they apply to every contender. Everything in the operands' memory is overwritten. The modules are
 * those that were loaded, functions and addresses are checked here. Errors: ERROR_UNSUPPORTED (this
 * device measures no times), ERROR_RANGE (no such function, an operand outside of an allocation),
 * ERROR_LIMIT (no memory for the comparison). */
enum error device_measure(struct device *device, const struct timing_request *request,
                          const struct device_limits *limits,
                          struct device_timing_result *out_result, struct diagnostic *diagnostic);

/* Runs a launch as device_launch does, twice, with its blocks in order: first to find the block
 * that writes any of [address, address + bytes), bytes > 0, then, from the snapshot, which must be
 * held, to log the accesses of that block; of the first block if none writes there. The contents of
 * memory are undefined afterwards. Both runs together have the deadline of one. Errors:
 * ERROR_UNSUPPORTED (this device logs no accesses), ERROR_INTERNAL (no snapshot is held). */
enum error device_trace_block(struct device *device, const struct device_launch *launch,
                              uint64_t address, uint64_t bytes, struct device_trace *out_trace,
                              struct diagnostic *diagnostic);

/* From now on the device notes where the values come from that launches and copies leave in global
 * memory, and forgets what it knew; or it ends that and forgets. Launches that are followed are
 * slower, are not counted and look for no races. A device that cannot knows no origins. */
void device_follow(struct device *device, bool is_on);

/* What is known of some bytes. Where nothing is, `unloaded` is `bytes`. */
void device_find_origin(struct device *device, uint64_t address, uint64_t bytes,
                        struct device_origin *out_origin);

/* Lists up to `room` elements of memory that the value at an address is made of, as they were when
 * the device began to follow values. Returns how many there are; SIZE_MAX: that is not known. */
size_t device_find_terms(struct device *device, uint64_t address, uint64_t bytes,
                         struct device_term *out_terms, size_t room);

/* How far an element of memory got, and the last place that loads it or reads something made of it.
 */
enum term_fate device_find_fate(struct device *device, uint64_t address,
                                struct device_place *out_place);

/* Has the steps of one block logged in later launches of a kernel that exists: those of the first
 * launch, until one has a finding, then those of that one. The wish is that of the last call. What
 * launches do and report stays the same; they take about three times as long until then. A device
 * that logs none does nothing. */
void device_watch_steps(struct device *device, uint32_t module, uint32_t function,
                        const struct device_step_wish *wish);

/* What has been logged so far. */
void device_steps(struct device *device, struct device_steps *out_steps);

#endif
