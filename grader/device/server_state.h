/* server_state.h: what the files of the server share: its state, and the handlers of the client
 * channel.
 *
 *   server.c          the loop, events
 *   server_state.c    what the handlers share: kernels by number, refusals
 *   server_control.c  the grader's requests
 *   server_timing.c     GPUS and TIME
 *   server_client.c   the program's requests: one table of handlers; faults
 *   server_module.c     modules, kernels, variables
 *   server_memory.c     allocations and copies
 *   server_launch.c     geometry, launches, their results
 *   server_order.c      streams, and what they are given
 *   server_call.c       judged calls
 *   server_result.c     of a judged call that is a whole program: its files and its result
 *   server_record.c     what a call asks for, written down
 *   server_print.c    what kernels print, limits
 *   server_query.c      properties, occupancy, attributes
 *   server_log.c      findings and refused calls, for LOG
 *   server_clock.c    the device's time
 *
 * What always holds: every number of a client request is checked in the handler that uses it; what
 * is stored in the state is checked already.
 */
#ifndef GPUGRADE_DEVICE_SERVER_STATE_H
#define GPUGRADE_DEVICE_SERVER_STATE_H

#include "device/finding_room.h"
#include "device/server.h"
#include "wire/call_record.h"
#include "wire/client.h"
#include "wire/control.h"
#include "wire/cuda_error.h"

/* What is known of a kernel besides device_function_info. */
struct server_kernel {
    bool is_observed;
    bool has_stand_in;
    uint32_t stand_in;          /* the kernel that runs in place of it */
    uint64_t passes;            /* launches that pass before the next stop, if they are alike: */
    uint32_t grid[3], block[3]; /* of the launch that stopped last; zeros: none did */
    uint32_t dynamic_shared_bytes;
    uint64_t launches;    /* of the program's */
    uint64_t last_launch; /* its number in the run, from 1; 0: there is none */
    bool has_registers;
    uint32_t registers;
    uint32_t own_registers;               /* as the device itself says; 0: it does not */
    uint32_t first_registers;             /* of control_resources */
    bool is_shared_set;                   /* the program set the limit below */
    uint64_t shared_limit_bytes;          /* of dynamic shared memory */
    uint32_t local_bytes, constant_bytes; /* as ptxas reports */
};

struct server_module {
    uint64_t offset; /* in .nv_fatbin */
    bool is_own;     /* the grader's: no request of the program finds it */
    bool has_resources;
    struct server_kernel *kernels; /* [kernel_count], owned */
    size_t kernel_count;
};

/* A live allocation of the program. */
struct server_allocation {
    uint64_t address;
    uint64_t bytes;
    uint32_t site;      /* where it was made; 0: unknown */
    bool may_be_shared; /* with the host: no call made it that gives plain device memory */
};

/* An allocation that was freed. */
struct server_freed {
    struct server_allocation allocation;
    uint32_t site; /* where it was freed */
};

enum { SERVER_FREED_MAX = 1024 }; /* the last ones are remembered */

/* Classes of failed calls and launches; the log keeps room for each, so none displaces another. */
enum server_call_class {
    SERVER_CALL_LAUNCH,
    SERVER_CALL_UNKNOWN, /* of functions that the runtime does not know */
    SERVER_CALL_MEMORY,  /* enum control_call_memory */
    SERVER_CALL_OTHER,
    SERVER_CALL_CLASSES
};

struct server_finding {
    struct finding_record record;
    uint64_t number; /* in the order in which findings came */
};

/* A place in the program's code, numbered from 1. */
struct server_site {
    uint64_t addresses[CLIENT_SITE_ADDRESSES];
    uint64_t requests; /* that came from there */
};

/* What LOG reports. */
struct server_log {
    uint64_t launches;
    struct finding_room room;
    struct server_finding *findings[FINDING_RECORD_KIND_END]; /* [FINDING_ROOM], owned */
    struct finding_record rests[FINDING_RECORD_KIND_END];     /* count 0: nothing is left out */
    uint64_t numbers;
    struct control_call_error *errors; /* [error_count] */
    size_t error_count, error_capacity;
    uint64_t errors_left_out[SERVER_CALL_CLASSES]; /* beyond what the log holds */
};

/* A kernel launch of the program, checked. */
struct server_launch {
    struct device_launch launch;
    uint8_t parameters[CLIENT_PARAMETERS_BYTES];
};

/* Text of the last launch that the program has not fetched. */
struct server_printed {
    struct text text;
    size_t fetched; /* bytes of it */
};

/* Work in two streams that nothing orders. */
struct server_conflict {
    struct order_conflict conflict;
    uint32_t object_site; /* where the memory was allocated; 0: unknown */
    uint64_t count;
};

enum { SERVER_CONFLICTS_MAX = 64 };

/* A kernel that a judged call has launched. */
struct server_call_kernel {
    struct call_kernel_record record;
    struct count_record *counts; /* [count_count], of all its launches, owned */
    size_t count_count;
};

/* What the program asked for in a call that is recorded. */
struct server_call_step {
    struct call_step_record record;
    uint8_t *parameters; /* [record.parameter_bytes], owned */
};

enum { COPIES_KEPT = 1024 };

/* A copy to the host. */
struct server_copy {
    size_t start;   /* of its bytes, among those that are kept */
    uint64_t array; /* from exactly which memory it is, if that is as large as the result; else 0 */
    uint64_t offset; /* of its first byte there */
};

/* Of a judged call that is a whole program. */
struct server_result {
    struct text files[CALL_OPERANDS_MAX];   /* what the program reads from its files */
    size_t next[CALL_OPERANDS_MAX];         /* of each file: after the piece that was copied last */
    bool is_elsewhere[CALL_OPERANDS_MAX];   /* of each file: copied elsewhere than to its array */
    uint64_t budget;                        /* bytes of files that may still be looked at */
    struct text copied;                     /* what copies brought to the host: the last of it */
    struct server_copy copies[COPIES_KEPT]; /* [copy_count] */
    size_t copy_count;
    bool is_part;       /* the last one may go on: it came in a full message */
    struct text handed; /* the result, [wanted] at most */
    uint64_t wanted;    /* 0: the call is no whole program */
    uint64_t pieces;    /* of files, copied to the device */
    bool is_handed;     /* the program has begun to hand it over */
};

enum { SERVER_CALL_SITES_MAX = 64 };

/* How much a call asked for at one place. */
struct server_call_site {
    enum call_request request;
    uint32_t site;
    uint64_t amount;
};

/* The judged call that is in progress. */
struct server_call {
    bool is_open;
    bool asks_order;
    uint64_t order_seed;
    uint64_t bounds[CALL_BOUNDS];
    uint64_t work;         /* units, of all its launches */
    uint64_t objects;      /* textures and surfaces that were made in it */
    uint64_t decided_bits; /* that the host learnt of conditions */
    double clock_ns;       /* as it began; so are the allocated bytes */
    uint64_t allocated_bytes;
    uint64_t operands[CALL_OPERANDS_MAX]; /* [operand_count] addresses of whole allocations */
    size_t operand_count;
    struct call_record record;
    struct server_log log;              /* findings alone */
    struct server_call_kernel *kernels; /* [kernel_count], owned */
    size_t kernel_count;
    size_t other_records; /* of allocations that are no operands, in all kernels */
    struct server_call_site sites[SERVER_CALL_SITES_MAX]; /* [site_count] */
    size_t site_count;
    bool has_more_sites; /* than there is room for */
    bool is_recorded;
    struct server_call_step steps[CALL_STEPS_MAX]; /* [record.steps] */
    struct server_result result;
};

struct server {
    const struct server_devices *devices;
    int control_fd;        /* -1: none; readable: the grader asks for something */
    struct device *device; /* NULL: not configured */
    struct device_config config;
    bool is_gpu;                  /* `device` is a real one */
    bool takes_modules;           /* the program may bring some */
    char gpu[CONTROL_UUID_BYTES]; /* which */
    bool is_lost;                 /* a launch killed its context: it is never of use again */
    uint64_t section_address, section_bytes; /* of .nv_fatbin */
    pid_t peer; /* the process that alone may use the client channel; 0: any */

    struct server_module *modules; /* [module_count], owned */
    size_t module_count, module_capacity;
    struct server_allocation *allocations; /* [allocation_count], by address, owned */
    size_t allocation_count, allocation_capacity;
    uint64_t allocated_bytes;
    struct server_freed freed[SERVER_FREED_MAX]; /* in a circle */
    size_t freed_count;                          /* so far */
    uint64_t *own_variables; /* [own_variable_count] addresses of own modules' variables, owned */
    size_t own_variable_count;

    uint32_t fault;     /* cudaError_t that an earlier launch left, 0: none */
    bool fault_is_seen; /* the program knows: from now on every call fails */
    bool has_crash_address;
    uint64_t crash_address; /* that host code touched as it crashed */
    uint32_t crash_site;    /* where; 0: unknown */
    uint32_t last_site;     /* of the last request that has one */
    double clock_ns;
    bool has_reported_times; /* the program asked for the time between two events */
    bool has_snapshot;
    struct device_limits limits;      /* that the program set */
    uint64_t launch_work, total_work; /* units that a launch, and all, may use; 0: no limit */
    uint64_t work;                    /* that launches have used */
    bool has_run_out;                 /* a launch did more work than allowed: no other one runs */
    struct server_printed printed[2]; /* standard output, standard error */

    enum server_step step;       /* of the request in progress */
    struct message held_request; /* where step is RESOURCES or MARKER */
    struct server_launch held;   /* where step is LAUNCH */
    uint32_t wanted_module;      /* where step is RESOURCES */
    bool resources_refused;      /* the grader resumed without sending them */

    struct text brought;    /* code of a module that the program brings, so far */
    uint64_t brought_bytes; /* of all of them */
    bool is_loaded;         /* the grader has loaded that module: the last one */
    char load_problem[240]; /* or the device refused it */

    struct server_log log;
    struct server_call call;
    bool is_node[ORDER_STREAMS_MAX]; /* the stream is a node of a graph */
    struct stream_order *order;      /* NULL: the program has made no stream */
    struct server_conflict conflicts[SERVER_CONFLICTS_MAX];
    size_t conflict_count;
    uint64_t conflicts_left_out;
    struct client_origin origin; /* of the request in progress */
    struct server_site *sites;   /* [site_count], owned */
    size_t site_count, site_capacity;
    struct text bytes;   /* payload of the reply */
    char broken[512];    /* how the protocol was broken */
    bool foreign_module; /* by device code that is not in the executable */
    bool foreign_sender; /* by a process that is not the peer */
};

/* Starts a reply without words. */
void server_clear_reply(const struct message *request, struct message *out_reply);

/* Answers `request` with an error of the runtime and notes it in the log. */
enum server_step server_refuse(struct server *server, const struct message *request,
                               struct message *out_reply, enum cuda_status status,
                               const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Notes how the program broke the protocol. */
enum server_step server_break(struct server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A module of the program by its number; NULL if there is none. */
const struct server_module *server_find_module(const struct server *server, uint64_t module);

/* A kernel of the program by its handle (module in the high half, function in the low half); false
 * if there is none. */
bool server_find_kernel(struct server *server, uint64_t handle, struct server_kernel **out_kernel,
                        struct device_function_info *out_info);

/* The allocation, or the variable of the program, that contains an address; false if there is none.
 * Variables of own modules are not the program's. */
bool server_find_memory(struct server *server, uint64_t address,
                        struct device_allocation *out_found);

/* Answers the request that brought the last piece of a module, once the grader has seen it. */
void server_loaded(struct server *server, const struct message *request, struct message *out_reply);

/* Makes the variables of an own module, whose text is given, unknown to the program. Errors: those
 * of ptx_parse. */
enum error server_hide_variables(struct server *server, uint32_t module, const char *ptx,
                                 size_t length, struct diagnostic *diagnostic);

/* Sets how much of the remaining work a launch may use. */
void server_allow_work(const struct server *server, struct device_launch *launch);

/* Notes how a launch ended; a real GPU is lost once a launch has killed its context. */
void server_note_end(struct server *server, enum launch_status status);

/* Bytes of dynamic shared memory that a launch of a kernel may ask for. */
uint64_t server_shared_limit(const struct server *server, const struct server_kernel *kernel,
                             const struct device_function_info *info);

/* Lets the kernel run that stands in for that of a launch, if one does. */
void server_let_stand_in(const struct server *server, struct device_launch *launch);

/* Runs a checked launch on the program's own data: log, clock and fault are kept. */
void server_execute(struct server *server, const struct device_launch *launch);

/* Keeps what a launch printed for the program; what it has not fetched before is lost. */
void server_keep_printed(struct server *server, const struct device_launch_result *result);

/* True if there is something to fetch. */
bool server_has_printed(const struct server *server);

/* Sets the sites of the allocation that a finding is about. */
void server_set_sites(const struct server *server, struct finding_record *finding);

/* Where the allocation that holds an address was made; 0: unknown. */
uint32_t server_site_of(const struct server *server, uint64_t address);

/* True if an address lies in an allocation that the host may share. */
bool server_may_share(const struct server *server, uint64_t address);

/* The host needs some bytes: work that may still write them is a conflict. */
void server_order_needs(struct server *server, uint64_t address, uint64_t bytes);

/* Whether the order of streams is of interest: from the first request that names a stream on. */
bool server_has_order(struct server *server);

/* A launch has run: its stream got it. */
void server_order_launch(struct server *server, const struct device_launch *launch,
                         const struct device_launch_result *result);

/* Appends what the streams got in all, then the conflicts between them. */
void server_pack_conflicts(const struct server *server, struct text *out);

/* A judged call begins and ends: CALL and CALL_END. */
enum error server_call_begin(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic);
enum error server_call_end(struct server *server, const struct message *request,
                           struct message *reply, struct diagnostic *diagnostic);
void server_call_release(struct server *server);

/* True if a call is recorded; then these write down what is not carried out. */
bool server_call_records(const struct server *server);
void server_call_keep_launch(struct server *server, const struct device_launch *launch,
                             size_t parameter_bytes);
void server_call_keep_rows(struct server *server, const struct call_step_record *step,
                           uint64_t to_pitch, uint64_t from_pitch, uint64_t rows);

/* Writes down what a call copies from the host to memory that it may have found undefined, [rows *
 * step->bytes] bytes; it is carried out as well. */
void server_call_keep_upload(struct server *server, const struct call_step_record *step,
                             uint64_t to_pitch, uint64_t rows, const uint8_t *bytes);

void server_call_pack_steps(const struct server_call *call, struct text *out);
void server_call_release_steps(struct server_call *call);

/* Host code has touched memory whose pages were closed. */
void server_call_touch(struct server *server, uint64_t address);

/* True if the call that is in progress has come to the end of a launch of that kernel. */
bool server_call_knows(const struct server_call *call, const struct device_launch *launch);

/* Counts a request that was served, and a launch, for the call that is in progress, if one is. */
void server_call_note(struct server *server, const struct message *request,
                      const struct message *reply);
void server_call_launch(struct server *server, const struct device_launch *launch,
                        const struct device_launch_result *result);

/* Of a call that is a whole program, CALL_FILE and CALL_RESULT. */
enum error server_result_file(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic);
enum error server_result_read(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic);

/* The request RESULT. */
enum server_step server_result_take(struct server *server, const struct message *request,
                                    struct message *reply);

/* True if a copy to an address in `to` holds a piece of a file: then it does not count. */
bool server_result_is_of_file(struct server *server, uint64_t address,
                              const struct device_allocation *to, const void *bytes, size_t length);

/* The memory of exactly its size to which a file was copied, and nowhere else; 0: none. */
uint64_t server_result_array(const struct server *server, size_t file);

/* Keeps what a copy brings to the host, from an address in `from`. */
void server_result_note_copied(struct server *server, uint64_t address,
                               const struct device_allocation *from, const void *bytes,
                               size_t length);

/* How many bytes of the result no copy has brought. *out_array: the memory of exactly its size from
 * which all others came, each from its place; 0: none. */
uint64_t server_result_host_bytes(const struct server *server, uint64_t *out_array);

/* `wanted`: bytes of the result. */
void server_result_init(struct server_result *result, uint64_t wanted);
void server_result_release(struct server_result *result);

/* Appends all sites, each with what it allocated and did not free. */
void server_pack_sites(const struct server *server, struct text *out);

/* Releases all allocations of the program. */
void server_release_memory(struct server *server);

/* The log. */
void server_log_findings(struct server_log *log, const struct finding_record *findings,
                         size_t count);
void server_log_error(struct server_log *log, const struct control_call_error *error);
void server_log_fetched(struct server_log *log);
void server_log_pack(const struct server_log *log, struct text *out_bytes,
                     size_t *out_finding_count, size_t *out_error_count);
void server_log_release(struct server_log *log);

/* True if the grader asks for something: it does not wait for the end of a launch. */
bool server_is_asked(const void *server);

/* The clock. */
void server_clock_launch(struct server *server, uint64_t lane_instructions, uint64_t taken_ns);
void server_clock_copy(struct server *server, uint64_t bytes);

/* Where the values of a call come from (server_follow.c). */
enum error server_find_origin(struct server *server, const struct message *request,
                              struct message *reply, struct diagnostic *diagnostic);
enum error server_find_terms(struct server *server, const struct message *request,
                             struct message *reply, struct diagnostic *diagnostic);
enum error server_find_fate(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic);

/* The grader's requests that concern real GPUs (server_timing.c). */
enum error server_list_gpus(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic);
enum error server_time(struct server *server, const struct message *request, struct message *reply,
                       struct diagnostic *diagnostic);

/* The handlers of client messages, by message; each gets a request that fits its row. */
enum server_step server_hello(struct server *, const struct message *, struct message *);
enum server_step server_module(struct server *, const struct message *, struct message *);
enum server_step server_kernel(struct server *, const struct message *, struct message *);
enum server_step server_variable(struct server *, const struct message *, struct message *);
enum server_step server_load(struct server *, const struct message *, struct message *);
enum server_step server_allocate(struct server *, const struct message *, struct message *);
enum server_step server_free_memory(struct server *, const struct message *, struct message *);
enum server_step server_range(struct server *, const struct message *, struct message *);
enum server_step server_touch(struct server *, const struct message *, struct message *);
enum server_step server_find(struct server *, const struct message *, struct message *);
enum server_step server_upload(struct server *, const struct message *, struct message *);
enum server_step server_download(struct server *, const struct message *, struct message *);
enum server_step server_decide(struct server *, const struct message *, struct message *);
enum server_step server_copy(struct server *, const struct message *, struct message *);
enum server_step server_fill(struct server *, const struct message *, struct message *);
enum server_step server_changes(struct server *, const struct message *, struct message *);
enum server_step server_memory(struct server *, const struct message *, struct message *);
enum server_step server_launch(struct server *, const struct message *, struct message *);
enum server_step server_printed(struct server *, const struct message *, struct message *);
enum server_step server_limit(struct server *, const struct message *, struct message *);
enum server_step server_occupancy(struct server *, const struct message *, struct message *);
enum server_step server_occupancy_shared(struct server *, const struct message *, struct message *);
enum server_step server_attributes(struct server *, const struct message *, struct message *);
enum server_step server_order(struct server *, const struct message *, struct message *);
enum server_step server_set_shared(struct server *, const struct message *, struct message *);

#endif
