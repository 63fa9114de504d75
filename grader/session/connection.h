/* connection.h: starts a program and its device, connects them, and controls both for a session.
 *
 *   grader --control--> device process <--client-- student's program (in the sandbox)
 *
 * A connection is opened, advanced from event to event by connection_resume(), and closed. Between
 * two events the program runs. At an event the program is stopped, its time limit does not count,
 * and the control functions can be called.
 */
#ifndef GPUGRADE_SESSION_CONNECTION_H
#define GPUGRADE_SESSION_CONNECTION_H

#include "session/device_link.h"
#include "session/operand_memory.h"
#include "session/session.h"
#include "toolchain/code_index.h"
#include "wire/timing_record.h"

struct connection {
    const struct session_config *config;
    struct arena *arena;
    struct device_link link;
    struct sandbox_run *run; /* the program */
    const char *run_folder;  /* it may write there; of this machine only if files are kept */
    struct code_index code;
    unsigned stand_in_number;         /* the variant that stands in: stand_ins.h */
    struct operand_memories operands; /* of all launches that were bound */
    uint64_t
        announced[RUBRIC_OPERANDS_MAX]; /* addresses of the operands of a call that has begun */
    bool program_ended;
    uint32_t late_events; /* events received since then */
    bool foreign_module;
    bool forked_channel;
    bool is_broken; /* the program broke the protocol */
    const char *broken_message;
};

/* A launch that the device holds. */
struct held_launch {
    uint32_t module, kernel; /* index in connection.code */
    struct launch_geometry geometry;
    bool is_cooperative;
    const uint8_t *parameters; /* [parameter_bytes], copied to the arena */
    size_t parameter_bytes;
};

struct connection_event {
    enum control_event kind;
    enum client_mark mark; /* MARKER: and */
    uint64_t address;
    char name[CLIENT_MARK_BYTES + 1]; /* no text that can be shown: it is the program's */
    struct held_launch launch;        /* LAUNCH */
};

/* Starts the device, loads the program's PTX, observes each kernel that `kernel` names or matches
 * (kernel_pattern.h; NULL: none) and starts the program with `arguments`. If it fails, everything
 * is closed again. */
enum error connection_open(const struct session_config *config, struct arena *arena,
                           const char *kernel, const char *const *arguments, size_t argument_count,
                           struct connection *out_connection, struct diagnostic *diagnostic);

/* Also observes the kernels of another name or pattern; call it before the first resume. */
enum error connection_observe(struct connection *connection, const char *kernel,
                              struct diagnostic *diagnostic);

/* Limits the work of each later launch on the emulated device to what is allowed in a case with
 * these parameters, in elements, and this block width (model/work_limit.h). */
enum error connection_allow_work(struct connection *connection, const struct rubric_launch *launch,
                                 const int64_t *parameters, int64_t block,
                                 struct diagnostic *diagnostic);

/* Stops observing the kernels of a name or pattern: their further launches run without a stop. */
enum error connection_ignore(struct connection *connection, const char *kernel,
                             struct diagnostic *diagnostic);

/* What is known of the launches of one kernel. */
struct kernel_launches {
    uint64_t count;
    uint64_t last; /* the number of the last one in the run, from 1; 0: there was none */
};

/* Lets the next `passes` launches of a held launch's kernel run without a stop, or fewer if one has
 * another geometry than the launch that was held last. Also returns how many launches there were so
 * far, including the held one. This saves time: a launch costs little, a stop costs much. */
enum error connection_let_pass(struct connection *connection, const struct held_launch *held,
                               uint64_t passes, struct kernel_launches *out_launches,
                               struct diagnostic *diagnostic);

/* Lets the program continue until the next event. Requests for register counts are answered on the
 * way. After GONE or BROKEN the program has ended or is stopped. If the device is lost on the way
 * (link.loss), the event is GONE: a launch of the program ended it. */
enum error connection_resume(struct connection *connection, struct connection_event *out_event,
                             struct diagnostic *diagnostic);

/* How a timing ended. */
struct timing_reply {
    enum launch_status
        status; /* not LAUNCH_DONE: how `contender` ended, and there are no samples */
    uint32_t contender;
    size_t sample_count;
    const struct finding *findings; /* [finding_count], of the program's own kernels */
    size_t finding_count;
    double copy_bandwidth; /* struct timing_run */
};

/* Lets the device time contenders while a launch is held; samples and findings live in the arena.
 * If the device is lost on the way, that counts as a deadline or a fault of the judged contender.
 */
enum error connection_time(struct connection *connection, const struct timing_request *request,
                           struct timing_sample out_samples[TIMING_SAMPLES_MAX],
                           struct timing_reply *out_reply, struct diagnostic *diagnostic);

/* Sends bytes to the program's standard input; closes it. */
void connection_write(struct connection *connection, const char *bytes, size_t length);
void connection_close_input(struct connection *connection);

/* Kills the program; a held launch will not run. */
void connection_stop(struct connection *connection);

/* Waits for the program's end, asks the device what else happened and fills the activity. */
enum error connection_finish(struct connection *connection, const char *launch_id,
                             struct program_activity *out_activity, struct diagnostic *diagnostic);

/* Ends everything that is still running. */
void connection_close(struct connection *connection);

/* Reads or writes a range of one allocation, piece by piece. The errors are connection_call's, and
 * ERROR_PEER when the device answers with fewer bytes. */
enum error connection_read_memory(struct connection *connection, uint64_t address, void *out_bytes,
                                  size_t length, struct diagnostic *diagnostic);
enum error connection_write_memory(struct connection *connection, uint64_t address,
                                   const void *bytes, size_t length, struct diagnostic *diagnostic);

/* Writes bytes to new memory of the grader's own, which the program cannot name, until the run
 * ends. The same errors. */
enum error connection_keep(struct connection *connection, const void *bytes, size_t length,
                           uint64_t *out_address, struct diagnostic *diagnostic);

/* The lines of a site of the program's code, which are set when the run is finished; NULL: unknown.
 * The second form gives the inner one. */
struct host_places *connection_places(struct connection *connection, uint64_t site);
struct host_place *connection_place(struct connection *connection, uint64_t site);

/* Adds that line to the places of a finding then. */
void connection_place_in(struct connection *connection, uint64_t site, struct finding *finding,
                         const char *role);

/* Sends a control message and receives its reply; a status other than 0 becomes that error. */
enum error connection_call(struct connection *connection, const struct message *request,
                           struct message *out_reply, struct diagnostic *diagnostic);

#endif
