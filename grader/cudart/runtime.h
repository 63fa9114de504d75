/* runtime.h: what the files of the stand-in runtime share.
 *
 *   program --cudaMalloc()--> calls_*.c --message--> runtime_channel.c ==channel==> device process
 *
 *   runtime_channel.c   the connection, the lock, errors
 *   runtime_modules.c   what nvcc's code registers: modules, kernels, variables
 *   runtime_managed.c     managed variables
 *   runtime_memory.c    allocations of the device
 *   runtime_transfer.c    uploads and downloads
 *   runtime_mirrors.c     memory that exists twice
 *   runtime_contents.c      what is in it
 *   runtime_guard.c     host code that does not wait
 *   runtime_crash.c     the address at which host code crashes
 *   runtime_sites.c     where in the program calls are made
 *   runtime_registry.c  sets of pointers: streams, events, host memory
 *   runtime_order.c     what orders streams
 *   runtime_graph.c     nodes of graphs
 *   runtime_array.c     arrays of textures and surfaces
 *   runtime_ops.c       work for streams
 *   runtime_copy.c, runtime_fill.c, runtime_launch.c
 *                         what does it
 *   runtime_graph_set.c graphs that exist
 *   runtime_condition.c values of conditional nodes
 *   runtime_pool.c      memory of streams and graphs
 *   calls_*.c           the calls themselves, in families
 *   list_unknown_calls.sh  all other symbols of a real runtime (runtime_names.txt), at build time
 *
 * This library runs inside the student's program and may be changed by it in any way: nothing here
 * earns or protects a mark. It only depends on wire/ and on cuda_headers/, whose prototypes a wrong
 * signature does not compile with; one lock serialises all calls.
 */
#ifndef GPUGRADE_CUDART_RUNTIME_H
#define GPUGRADE_CUDART_RUNTIME_H

#include "wire/client.h"
#include "wire/message.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Begins a call: takes the lock and names the call for what it asks of the device. */
void runtime_enter(enum runtime_call call);

/* The same for a call of the driver (libraries/driver_context.c), which is made of calls of the
 * runtime: until it ends they are parts of it, made under its name and at its place, and leave no
 * error for cudaGetLastError. */
void runtime_enter_driver(enum runtime_call call);

/* Whether the program has made any call of the runtime itself. */
bool runtime_is_used(void);

/* Ends a call: keeps an error for cudaGetLastError, gives the lock back, returns the error. */
cudaError_t runtime_leave(cudaError_t error);

/* Ends a call whose error is not kept (cudaErrorNotReady, cudaGetLastError itself). */
cudaError_t runtime_leave_quietly(cudaError_t error);

/* Connects to the device if that has not been done. Errors: cudaErrorNoDevice (no channel, or in a
 * child after fork), cudaErrorDevicesUnavailable (the device process is gone). */
cudaError_t runtime_connect(void);

/* The same for calls that need a working device: after a fault of a kernel they fail with it until
 * cudaDeviceReset. */
cudaError_t runtime_ready(void);

/* Resets the device: all of its memory, errors and handles are gone. */
cudaError_t runtime_reset(void);

/* Reports a crash of host code, with the address that it touched if that is known, unless the
 * program has a handler of its own. Before, `repair` is asked about an address that host code must
 * not touch: true if it may now. */
void runtime_watch_crashes(void (*report)(uint64_t address, bool has_address),
                           bool (*repair)(uint64_t address, bool is_write));

/* True as long as the program has no handler of SIGSEGV of its own, and the thread does not block
 * the signal. */
bool runtime_sees_faults(void);

/* The place in the program's code that is making a call, on this thread; under the lock. 0: it is
 * not known. */
uint32_t runtime_site_here(void);

/* [CLIENT_SITE_ADDRESSES] of a site, NULL if there is no such one. They are numbered from 1 without
 * gaps. */
const uint64_t *runtime_site_addresses(uint32_t site);

/* Sends a request (its first word is filled in) and receives the reply. */
cudaError_t runtime_request(struct message *request, struct message *out_reply);

/* The same with words only; the reply is ignored. */
cudaError_t runtime_ask(enum client_message type, const uint64_t *words, size_t word_count);

/* The same for requests that are sent even after a fault of a kernel; returns that fault then. */
cudaError_t runtime_report(enum client_message type, const uint64_t *words, size_t word_count);

/* The same for a request that may have a payload. */
cudaError_t runtime_tell(struct message *request, uint64_t *out_word);

/* Reports to the device why a call is refused here; returns the error. */
cudaError_t runtime_refuse(cudaError_t error, enum refusal why);

/* Reports a call that the runtime does not implement; returns cudaErrorNotSupported. */
cudaError_t runtime_unknown_call(const char *name);

/* The device; valid after runtime_connect(). */
const struct device_properties *runtime_properties(void);

/* The last error of this thread; `clear` forgets it. */
cudaError_t runtime_last_error(bool clear);

/* A kernel that the program registered. */
struct runtime_kernel {
    struct runtime_kernel *next;
    struct runtime_module *module;
    const void *host_function;
    const char *name; /* mangled; it lives as long as the program */
    bool is_known;    /* the device has filled in the fields below */
    uint64_t handle;
    size_t parameter_bytes, parameter_count;
    uint64_t *parameters; /* [2 * parameter_count] offset and bytes of each, owned */
};

/* A kernel by its host function or by itself (cudaKernel_t); NULL if it is not registered. */
struct runtime_kernel *runtime_find_kernel(const void *function);

/* Blocks of a kernel that fit on a multiprocessor; 0 if that is not known. */
uint64_t runtime_active_blocks(const struct runtime_kernel *kernel, uint64_t threads,
                               uint64_t shared_bytes);

/* Asks the device about a kernel once. */
cudaError_t runtime_resolve_kernel(struct runtime_kernel *kernel);

/* Sends the device the code of a module that the program brings itself, and forgets such a module
 * with its kernels: handles of them are none any more. */
cudaError_t runtime_load_module(const void *code, size_t bytes, struct runtime_module **out_module);
void runtime_unload_module(struct runtime_module *module);

/* A kernel or a variable of such a module by its mangled name. The name is copied. */
cudaError_t runtime_module_kernel(struct runtime_module *module, const char *name,
                                  struct runtime_kernel **out_kernel);
cudaError_t runtime_module_variable(struct runtime_module *module, const char *name,
                                    uint64_t *out_address, size_t *out_bytes);

/* A variable that the program registered. */
struct runtime_variable {
    struct runtime_variable *next;
    struct runtime_module *module;
    const void *host_symbol;
    void **managed_pointer; /* NULL: not managed */
    const char *name;
    bool is_known;
    uint64_t address;
    size_t bytes;
};

/* All of them, the last one first. */
struct runtime_variable *runtime_variables(void);

/* Asks the device about a variable once. */
cudaError_t runtime_resolve_variable(struct runtime_variable *variable);

/* Sets managed variables back to their initial values. */
cudaError_t runtime_reset_variables(void);

/* The device variable of a host symbol. Errors: cudaErrorInvalidSymbol. */
cudaError_t runtime_symbol(const void *symbol, uint64_t *out_address, size_t *out_bytes);

struct runtime_op;

/* Memory that exists twice, on the device and here: see runtime_mirrors.c. */
enum mirror_kind {
    MIRROR_MANAGED,
    MIRROR_PINNED,     /* made by cudaMallocHost or cudaHostAlloc */
    MIRROR_REGISTERED, /* the program's own memory */
};
struct mirror {
    enum mirror_kind kind;
    unsigned flags;  /* of the call that made it */
    uint8_t *host;   /* [bytes] */
    uint64_t device; /* the same address, except for registered memory; 0: not yet there */
    size_t bytes;
    bool is_reachable;               /* a kernel may hold its address */
    bool is_newer_there;             /* the device may hold newer contents */
    uint64_t guard_start, guard_end; /* closed pages: runtime_guard.c; end 0: none is */
    int guard_protection;
    bool is_opened;    /* by the call under way */
    bool is_announced; /* as an operand, by a mark */
    bool is_lent; /* an operand of the judged call that is in progress: the device's side counts */
    uint64_t *hashes; /* [pages] what both sides last agreed on, 0: nothing; owned */
};

/* Notes a mirror and opens its pages here. Errors: cudaErrorMemoryAllocation. */
cudaError_t mirror_add(const struct mirror *mirror);
void mirror_remove(struct mirror *mirror);
void mirrors_remove_all(void);

/* The mirror that holds an address of either side; NULL if there is none. */
struct mirror *mirror_find(const void *pointer);

/* The mirrors by host address; NULL after the last one. */
struct mirror *mirror_at(size_t index);

/* The device's side of all mirrors no longer holds what was agreed on: all of it is sent again. */
void mirrors_forget(void);

/* Pages of a mirror; the last one may not be whole. */
size_t mirror_pages(const struct mirror *mirror);

/* How many mirrors no kernel can reach yet. */
size_t mirrors_hidden(void);

/* True if some mirror may be newer on the device; notes whether one is. */
bool mirrors_are_newer(void);
void mirror_set_newer(struct mirror *mirror, bool is_newer);

/* Opens the mirrors that parameters lead to and translates addresses of registered memory. */
cudaError_t mirrors_translate(uint64_t *parameters, size_t count);

/* Closes what work of a mirror may still use, or opens it; the same for all mirrors that an
 * operation of a stream has just used. */
void guard_review(struct mirror *mirror);
void guards_after(const struct runtime_op *op);

/* Lends the mirrors that were announced to a judged call, and closes their pages, so that host code
 * that touches them is noticed; or takes them back. */
void guards_lend(void);
void guards_take_back(void);

/* Opens a mirror for the call under way. */
void guard_open(struct mirror *mirror);

/* What guards have to do when a call ends, when the host has waited, and when host code touches an
 * address that is closed (true if it is open now; it is a report to the device only with
 * `is_reported`). */
struct guard_hooks {
    void (*close)(void);
    void (*review)(void);
    bool (*repair)(uint64_t address, bool is_write, bool is_reported);
};
void runtime_hook_guards(const struct guard_hooks *hooks);
void runtime_host_waited(void);

/* True if a mirror shares bytes with a range of host memory. */
bool mirror_overlaps(const void *pointer, size_t bytes);

/* Gives a mirror its place on the device and lets kernels reach it. */
cudaError_t mirror_open(struct mirror *mirror);

/* Before a launch: notes which mirrors its parameters lead to, puts the device's addresses of
 * registered memory into them, and sends what changed here. */
cudaError_t mirrors_push(uint64_t *parameters, size_t count);

/* After a launch: contents may be newer on the device. */
cudaError_t mirrors_launched(void);

/* Fetches what is newer on the device: of one mirror, or of all. */
cudaError_t mirror_pull(struct mirror *mirror);
cudaError_t mirrors_pull(void);

/* Where the `extent` bytes from an address of a mirror are on the host, with their newest contents.
 * Errors: cudaErrorInvalidValue if it is too small. */
cudaError_t mirror_side(struct mirror *mirror, const void *pointer, size_t extent,
                        uint8_t **out_here);

/* Notes which mirrors the words of an upload lead to. */
void mirrors_notice(const void *bytes, size_t length);

/* True for an address in the device window. */
bool runtime_is_window_address(const void *pointer);

/* True for an address in the device window, or in a variable that the program has asked for: those
 * of a real GPU lie elsewhere. */
bool runtime_is_device_address(const void *pointer);

/* Waits for the device: reports faults of launches, fetches what is newer there. */
cudaError_t runtime_synchronise(void);

/* Allocates and frees device memory. */
cudaError_t runtime_allocate(size_t bytes, uint64_t *out_address);
cudaError_t runtime_free(uint64_t address);

/* An allocation that was freed, made again where it was. */
cudaError_t runtime_allocate_again(size_t bytes, uint64_t address);

/* Memory pools: forgets an allocation that was freed; forgets everything. */
void runtime_pool_forget(uint64_t address);
void runtime_reset_pools(void);

/* The values of conditional nodes are gone. */
void runtime_reset_conditions(void);

/* Memory of a graph: an allocation, or its end. */
struct runtime_graph_memory {
    uint64_t address;
    size_t bytes;
};

/* Memory of streams and graphs, in the order of the stream of the operation under way: makes that
 * of a graph; frees either. The address of the former is given out before, by the third. */
cudaError_t runtime_allocate_of_graph(const struct runtime_graph_memory *memory);
cudaError_t runtime_free_pooled(uint64_t address);
cudaError_t runtime_reserve_for_graph(size_t bytes, struct runtime_graph_memory *out_memory);

/* Whether an address is one of graphs; whether there is memory of a pool or graph now. */
bool runtime_is_of_graph(uint64_t address);
bool runtime_is_pooled(uint64_t address);

/* Checks what memory of a pool, or of a graph, is to be. */
cudaError_t runtime_check_pool(const struct cudaMemPoolProps *properties);

/* Allocates memory that exists twice, with one address; reports a refusal itself. */
cudaError_t runtime_allocate_mirror(enum mirror_kind kind, unsigned flags, size_t bytes,
                                    uint64_t *out_address);

/* Notes that kernels have printed; shows what they printed, in the order of the program's own
 * output. CUDA does so when the program waits for the device, launches or resets, not at its
 * end. */
void runtime_note_printed(bool has_printed);
void runtime_show_printed(void);

/* Copies between host and device memory, without looking at mirrors. */
struct runtime_area {
    uint64_t address;
    size_t pitch, width, rows;
};
cudaError_t runtime_upload(const struct runtime_area *area, const void *bytes, size_t pitch);
cudaError_t runtime_download(const struct runtime_area *area, void *out_bytes, size_t pitch);

/* A copy as a call asks for it: a rectangle, or `slices` of them, each a number of bytes after the
 * previous one. The work of a library (below) copies by itself: the host does not wait for that. */
struct runtime_copy {
    bool is_of_library;
    void *target;
    size_t target_pitch;
    const void *source;
    size_t source_pitch;
    size_t width, rows;
    enum cudaMemcpyKind kind;
    size_t slices; /* 0 stands for 1 */
    size_t target_slice, source_slice;
};

/* A fill with elements of 1, 2 or 4 bytes. */
struct runtime_fill {
    void *target;
    size_t pitch;
    unsigned value;
    size_t element_bytes;
    size_t width, rows; /* width in bytes */
    size_t slices, slice;
};

/* A launch with its parameters as the kernel expects them. */
struct runtime_launch {
    struct runtime_kernel *kernel;
    dim3 grid, block;
    size_t shared_bytes;
    uint64_t *words;     /* [parameter_bytes / 8, rounded up], owned */
    bool is_cooperative; /* its blocks may wait for each other */
};

/* A function of the host; one of the two. */
struct runtime_host_call {
    cudaHostFn_t function;
    cudaStreamCallback_t callback;
    cudaStream_t stream;
    void *data;
};

/* Work of a library that stands in for one of NVIDIA's (libraries/library_work.h): a function that
 * does it, and what it gets. */
enum { LIBRARY_REQUEST_BYTES = 512 };
struct runtime_library_call {
    cudaError_t (*work)(const void *request);
    _Alignas(16) uint8_t request[LIBRARY_REQUEST_BYTES];
};

/* Work for a stream: it is done at once, or kept in a graph. */
struct runtime_op {
    enum runtime_call call; /* that gave it, and where; RUNTIME_CALL_NONE: the one under way */
    uint32_t site;
    enum runtime_op_kind {
        OP_EMPTY,
        OP_COPY,
        OP_FILL,
        OP_LAUNCH,
        OP_HOST,
        OP_LIBRARY,
        OP_ALLOCATE, /* of a graph alone, as a condition */
        OP_FREE,
        OP_CONDITION,
    } kind;
    struct runtime_copy copy;
    struct runtime_fill fill;
    struct runtime_launch launch;
    struct runtime_host_call host;
    struct runtime_library_call library;
    struct runtime_graph_memory memory;
};

/* Does the work of an operation. */
cudaError_t runtime_run(const struct runtime_op *op);

/* Reports the order of streams to the device, once there is one to report: the program has made a
 * stream, or memory that host and device share. Streams have numbers there, 0 is none. `words`
 * [count] belong to `what`. */
void runtime_order(enum client_order what, uint32_t stream, const uint64_t *words, size_t count);

/* Asks the device about the order; the answer has 3 words. NULL: none is wanted. */
void runtime_ask_order(enum client_order what, const uint64_t *words, size_t count,
                       uint64_t *out_answer);

/* From here on there is an order to report; whether there is. */
void runtime_start_order(void);
bool runtime_has_order(void);

/* There are more streams or events than the device can tell apart: nothing is reported any more. */
void runtime_end_order(void);

/* The stream of the operation under way: the legacy default stream of a call that names none; 0: no
 * order is reported yet. The second sets it and returns the one before. */
uint32_t runtime_work_stream(void);
uint32_t runtime_set_work_stream(uint32_t stream);

/* The number of the calling thread of the host, as the device knows it: client_origin. */
uint32_t runtime_thread(void);

/* The number of a stream that exists. */
uint32_t runtime_stream_number(cudaStream_t stream);

/* Makes a stream and an event that the program does not see, for a node of a graph; NULL if there
 * are too many. */
void runtime_make_branch(cudaStream_t *out_stream, cudaEvent_t *out_event);
void runtime_end_branch(cudaStream_t stream, cudaEvent_t event); /* NULL is accepted */

/* Tells the device that a stream records an event, or waits for one. */
void runtime_order_event(enum client_order what, cudaStream_t stream, cudaEvent_t event);

/* The call under way, and where it was made; the second names another one in its place. */
void runtime_origin(enum runtime_call *out_call, uint32_t *out_site);
void runtime_set_origin(enum runtime_call call, uint32_t site);

/* From here on the messages of a call are work for a stream; 0: for none. */
void runtime_set_stream(uint32_t stream);

/* Gives an operation to a stream: runs it, or puts it into the graph that the stream captures. The
 * operation is released. */
cudaError_t runtime_submit(cudaStream_t stream, struct runtime_op *op);

/* Frees what an operation owns. */
void runtime_op_release(struct runtime_op *op);

/* Reads the 32 bits at a device address in the order of the work's stream, for a decision: their
 * value, or `highest` if it is higher, so that the host learns no more than it needs. */
cudaError_t runtime_decide(uint64_t address, uint32_t highest, uint32_t *out_value);

/* Copies; the second also waits for the device, as copies that are not asynchronous do. */
cudaError_t runtime_copy(const struct runtime_copy *copy);
cudaError_t runtime_copy_and_wait(const struct runtime_copy *copy);
cudaError_t runtime_fill(const struct runtime_fill *fill);
cudaError_t runtime_fill_and_wait(const struct runtime_fill *fill);
cudaError_t runtime_launch(const struct runtime_launch *launch);

/* The copy that parameters of cudaMemcpy3D ask for. */
cudaError_t runtime_volume_copy(const struct cudaMemcpy3DParms *from, struct runtime_copy *out);

/* Makes a launch from an array of pointers to arguments; its words are the caller's. */
cudaError_t runtime_prepare_launch(const void *function, void **arguments,
                                   struct runtime_launch *out);

/* Calls a function of the program with the result of the device's work; the lock is released
 * meanwhile. */
void runtime_call_host(const struct runtime_host_call *call, cudaError_t status);

/* A set of pointers, each with a number. */
struct runtime_registry {
    struct registry_entry {
        void *pointer;
        size_t bytes;
    } * entries;
    size_t count, capacity;
};
bool registry_add(struct runtime_registry *registry, void *pointer, size_t bytes);
bool registry_contains(const struct runtime_registry *registry, const void *pointer);
bool registry_remove(struct runtime_registry *registry, const void *pointer);

/* True for a stream that exists, the default ones included. */
bool runtime_stream_exists(cudaStream_t stream);

/* The graph that a stream captures into; NULL if it captures none. */
struct CUgraph_st *runtime_capture_of(cudaStream_t stream);
void runtime_set_capture(cudaStream_t stream, struct CUgraph_st *graph);

/* The nodes that what a stream captures next waits for. */
enum { CAPTURE_ENDS_MAX = 16 };
struct capture_end {
    struct CUgraphNode_st *nodes[CAPTURE_ENDS_MAX];
    size_t count;
};
struct capture_end *runtime_capture_end(cudaStream_t stream);

/* Ends a capture on all streams and events that take part in it. */
void runtime_end_capture(struct CUgraph_st *graph);

/* Adds captured work to a graph, which owns it from now on, after `end`. The second lets what comes
 * after `end` wait for `other` too. */
cudaError_t graph_append(struct CUgraph_st *graph, struct runtime_op *op, struct capture_end *end);
cudaError_t graph_join(struct CUgraph_st *graph, struct capture_end *end,
                       const struct capture_end *other);

/* Forgets all streams and events. */
void runtime_forget_streams(void);

#endif
