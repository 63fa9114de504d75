/* device_link.h: a device process and the grader's channel to it.
 *
 *   grader --control--> device process <--client-- program
 *
 * A link is started, configured, given the program's modules one by one, sent requests, and closed.
 * It knows neither rubric nor program: connection.c adds the sandboxed program that is graded,
 * plain_run.c the program that its user runs.
 */
#ifndef GPUGRADE_SESSION_DEVICE_LINK_H
#define GPUGRADE_SESSION_DEVICE_LINK_H

#include "base/process.h"
#include "model/observation.h"
#include "sandbox/sandbox.h"
#include "session/operand_memory.h"
#include "toolchain/code_index.h"
#include "wire/control.h"
#include "wire/message.h"

/* How the program made the device process end or hang. */
enum device_loss {
    DEVICE_SERVES,  /* it did not */
    DEVICE_HUNG,    /* a real GPU, or its driver, did not return from a launch */
    DEVICE_DIED,    /* the process that uses a real GPU ended during a launch */
    DEVICE_FULL,    /* the emulated device ran out of memory, or reported too much */
    DEVICE_CRASHED, /* the emulated device crashed after it was configured */
    DEVICE_SPENT    /* the emulated device used up the processor time for one program */
};

/* A place of the program whose line is of interest once the log is read. */
struct site_wish {
    uint64_t site;              /* as the device numbers them; 0: unknown */
    struct host_places *places; /* set then; NULL: none are wanted */
    struct finding *finding;    /* gets it as a further place, `role`; NULL: none does */
    const char *role;           /* "allocated" */
    struct site_wish *next;
};

struct device_link {
    struct process device;
    struct channel control;
    uint64_t reply_limit_ns; /* how long a reply may take */
    uint64_t reported_bytes; /* that the device sent without a request for them */
    bool is_gpu;
    bool has_errors; /* emulated device only: `errors_fd` reads its error messages */
    int errors_fd;
    bool has_own_user;    /* the process has a user slot of the sandbox */
    int slot_fd;          /* holds that slot */
    uint64_t confinement; /* enum control_confinement, after it is configured */
    bool is_configured;   /* from then on it does what the program asks for */
    bool has_launched;    /* a request was sent that launches, or may launch */
    /* Called while device_link_call waits for a reply on the control channel. It returns when the
     * channel is readable, when the deadline has passed, or earlier. NULL: none. */
    void (*watch)(void *watched, int fd, uint64_t deadline_ns);
    void *watched;
    enum device_loss loss;
    /* The program's host code, for the lines of its calls; executable NULL: they stay unknown. */
    struct {
        const struct sandbox *sandbox;
        const char *executable;
        struct source_naming naming;
        bool wants_leaks;         /* what is never freed is of interest */
        struct site_wish *wishes; /* in an arena */
    } host;
    /* Names the arrays that findings in the log are about; NULL: none are known. */
    const struct operand_memories *operands;
};

/* Which device process to start. */
struct device_start {
    const char *path; /* gpugrade-device */
    bool is_gpu;
    bool own_group;                /* it gets no signals from the terminal */
    const struct sandbox *sandbox; /* assigns users; NULL: it keeps this process's user */
};

/* The device that a program runs on. */
struct device_choice {
    bool is_gpu;       /* a real one */
    const char *gpu;   /* its UUID, or its number */
    const void *model; /* of the emulated device: occupancy/gpu_model_record.h */
    size_t model_bytes;
};

/* The configuration of a device. */
struct device_setup {
    struct device_choice device;
    uint64_t memory_bytes;
    uint64_t launch_ns;               /* deadline of one launch */
    uint64_t cpu_ns;                  /* limit of the emulated device's process for each of its
                                         threads; 0: no limit */
    uint64_t launch_work, total_work; /* limits of the emulated device, in units of work: for each
                                         launch, and for all of them; 0: no limit */
    uint32_t threads;                 /* of the emulated device; 0: all cores */
    bool checks_global_races, checks_unwritten;
    bool checks_streams;   /* looks for work in several streams that nothing orders */
    bool takes_modules;    /* the program may bring modules of its own */
    uint64_t shuffle_seed; /* of the emulated device, see device.h; 0: in order */
    const struct fat_program *code;
};

/* Starts the device process. The caller gets the program's end of the client channel and closes it.
 * With a real GPU the process inherits this one's environment, which the driver and its tools read,
 * and its user, who may use the GPU. The emulated device gets no environment, and its own user if
 * the grader is root. device_link_close ends the process, also after a failure.
 * Errors: ERROR_ENVIRONMENT. */
enum error device_link_start(struct device_link *link, const struct device_start *start,
                             int *out_client_fd, struct diagnostic *diagnostic);

/* Sends a control message and receives its reply; a status other than 0 becomes that error. If the
 * program's launches caused the error, link->loss is set too: then the device answers no more
 * requests, and the program is to blame, not the grader. ERROR_LIMIT: the emulated device ran out
 * of memory or time. ERROR_PEER: it crashed. The program is to blame for a crash too, since no
 * submission may make the grader blame itself. */
enum error device_link_call(struct device_link *link, const struct message *request,
                            struct message *out_reply, struct diagnostic *diagnostic);

/* Configures the device; after that link->confinement says how the process is confined. */
enum error device_link_configure(struct device_link *link, const struct device_setup *setup,
                                 struct diagnostic *diagnostic);

/* Names the only process that may use the client channel. */
enum error device_link_peer(struct device_link *link, pid_t program, struct diagnostic *diagnostic);

/* Lets the program continue; sets link->loss as above. */
enum error device_link_send_resume(struct device_link *link, struct diagnostic *diagnostic);

/* Receives the reply to a RESUME within link->reply_limit_ns; sets link->loss as above. */
enum error device_link_receive(struct device_link *link, struct message *out_reply,
                               struct diagnostic *diagnostic);

/* The finding for a device that crashed in a kernel; "": it is not known in which one. */
struct finding device_link_crash(struct arena *arena, const char *launch_id, const char *kernel);

/* Loads one module of the program; modules must be loaded in order. `image` is the machine code
 * that ptxas made for a real GPU (NULL: the driver assembles the text; the emulated device needs
 * only the text). Errors blame the student if the device refuses the code. */
enum error device_link_load(struct device_link *link, const struct fat_program *code, size_t module,
                            const void *image, size_t image_bytes, struct diagnostic *diagnostic);

/* Loads a module that the program has brought: its number follows those loaded before. Errors: as
 * above. */
enum error device_link_load_brought(struct device_link *link, const struct fat_module *text,
                                    struct diagnostic *diagnostic);

/* Loads a module of the grader's own, which the program can neither name nor launch; *out_module is
 * its number on this device. Errors are the grader's. */
enum error device_link_load_own(struct device_link *link, const struct fat_module *text,
                                const void *image, size_t image_bytes, uint64_t *out_module,
                                struct diagnostic *diagnostic);

/* Sends the device what ptxas reports about a module's kernels and, if `first` is not NULL, what it
 * reported about them in the program's first build (first_registers.h). */
enum error device_link_resources(struct device_link *link, uint64_t module,
                                 const struct kernel_resources *kernels, size_t count,
                                 const struct program_build *first, struct diagnostic *diagnostic);

/* Asks the device what happened on the program's own data. Fills findings, call errors, the number
 * of launches, their work, leaks and, if the activity says that a signal ended the program, where
 * it crashed. If the device was lost, it reports a failed launch. (device_log.c) */
enum error device_link_log(struct device_link *link, struct arena *arena,
                           const struct code_index *code, const char *launch_id,
                           struct program_activity *activity, struct diagnostic *diagnostic);

/* Ends the device process. Safe on a zeroed link whose control.fd is -1. */
void device_link_close(struct device_link *link);

#endif
