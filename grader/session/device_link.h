/* device_link.h: a device process and the grader's channel to it.
 *
 *   grader --control--> device process <--client-- program
 *
 * A link is started, configured, given the program's modules one by one, asked, and closed. It
 * knows no rubric and no program: connection.c adds the sandboxed one that is graded, plain_run.c
 * the one that its user runs.
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

/* How a device process was lost through what the program did. */
enum device_loss {
    DEVICE_SERVES,  /* it was not */
    DEVICE_HUNG,    /* a real GPU, or its driver, did not come back from a launch */
    DEVICE_DIED,    /* the process with a real GPU ended in a launch */
    DEVICE_FULL,    /* the emulated device was refused memory, or told too much */
    DEVICE_CRASHED, /* the emulated device ended by a mistake of its own, once it was configured */
    DEVICE_SPENT    /* the emulated device used the processor time that it may for one program */
};

struct device_link {
    struct process device;
    struct channel control;
    uint64_t reply_limit_ns; /* how long a reply may take */
    uint64_t reported_bytes; /* that the device has sent of its own accord */
    bool is_gpu;
    bool has_errors; /* of the emulated device: `errors_fd` is what it says as it fails */
    int errors_fd;
    bool has_own_user;    /* the process has a slot of the sandbox */
    int slot_fd;          /* with it: holds the slot */
    uint64_t confinement; /* enum control_confinement, once it is configured */
    bool is_configured;   /* from then on what it does is what the program asks of it */
    bool has_launched;    /* a request was sent that launches, or may */
    /* Called with the control channel while device_link_call waits for a reply on it, until it is
     * readable or the deadline has passed, or earlier; NULL: none. */
    void (*watch)(void *watched, int fd, uint64_t deadline_ns);
    void *watched;
    enum device_loss loss;
    /* By which findings in the log are told; NULL: none are known. */
    const struct operand_memories *operands;
};

/* Which device process to start. */
struct device_start {
    const char *path; /* gpugrade-device */
    bool is_gpu;
    bool own_group;                /* signals of the terminal do not reach it */
    const struct sandbox *sandbox; /* who gives out users; NULL: it stays this process's user */
};

/* The device that a program runs on. */
struct device_choice {
    bool is_gpu;       /* a real one */
    const char *gpu;   /* its UUID, or its number */
    const void *model; /* of the emulated device: occupancy/gpu_model_record.h */
    size_t model_bytes;
};

/* What a device is told first. */
struct device_setup {
    struct device_choice device;
    uint64_t memory_bytes;
    uint64_t launch_ns;               /* deadline of one launch */
    uint64_t cpu_ns;                  /* of the emulated device's process for each of its threads;
                                         0: any */
    uint64_t launch_work, total_work; /* of the emulated device: units of work that each launch, and
                                         all of them, may use; 0: no limit */
    uint32_t threads;                 /* of the emulated device; 0: all cores */
    bool checks_global_races;
    uint64_t shuffle_seed; /* of the emulated device, see device.h; 0: in order */
    const struct fat_program *code;
};

/* Starts the device process for a kind of device; the program's end of the client channel is handed
 * to the caller, who closes it. With a real GPU the process has this one's environment, which the
 * driver and its tools read; else none. It also stays this one's user, whom the machine lets use
 * the GPU; the emulated device gets a user of its own if the grader is root. device_link_close ends
 * it, also after a failure. Errors: ERROR_ENVIRONMENT. */
enum error device_link_start(struct device_link *link, const struct device_start *start,
                             int *out_client_fd, struct diagnostic *diagnostic);

/* Sends a control message and receives its reply; a status other than 0 becomes that error. An
 * error that the program's launches caused is told by link->loss too: then nothing can be asked any
 * more, and it is the program's, not the grader's. The emulated device's want of memory or
 * time is ERROR_LIMIT; its crash stays ERROR_PEER and is the program's too: no submission may make
 * the grader blame itself. */
enum error device_link_call(struct device_link *link, const struct message *request,
                            struct message *out_reply, struct diagnostic *diagnostic);

/* Configures the device; link->confinement tells what the process is confined by then. */
enum error device_link_configure(struct device_link *link, const struct device_setup *setup,
                                 struct diagnostic *diagnostic);

/* Names the process that alone may use the client channel. */
enum error device_link_peer(struct device_link *link, pid_t program, struct diagnostic *diagnostic);

/* Lets the program go on; a loss is noted as above. */
enum error device_link_send_resume(struct device_link *link, struct diagnostic *diagnostic);

/* Receives the reply to a RESUME, with the link's patience; a loss is noted as above. */
enum error device_link_receive(struct device_link *link, struct message *out_reply,
                               struct diagnostic *diagnostic);

/* What is known of a device that crashed at a kernel; "": which one is not known. */
struct finding device_link_crash(struct arena *arena, const char *launch_id, const char *kernel);

/* Loads one module of the program, in their order, with the machine code that ptxas made of it for
 * a real GPU (NULL: the driver assembles the text; the emulated device takes the text alone).
 * Errors blame the student if the device refuses the code. */
enum error device_link_load(struct device_link *link, const struct fat_program *code, size_t module,
                            const void *image, size_t image_bytes, struct diagnostic *diagnostic);

/* Loads a module of the grader's own, which the program can neither name nor launch; *out_module is
 * its number on this device. Errors are the grader's. */
enum error device_link_load_own(struct device_link *link, const struct fat_module *text,
                                const void *image, size_t image_bytes, uint64_t *out_module,
                                struct diagnostic *diagnostic);

/* Tells the device what ptxas says of a module's kernels, and what it said of them in the program's
 * first build if `first` is not NULL: first_registers.h. */
enum error device_link_resources(struct device_link *link, uint64_t module,
                                 const struct kernel_resources *kernels, size_t count,
                                 const struct program_build *first, struct diagnostic *diagnostic);

/* Asks what happened on the program's own data and fills findings, call errors, the number of
 * launches, their work and, if the activity says that a signal ended the program, the fault's
 * address. Of a device that was lost it tells that, as a failed launch. */
enum error device_link_log(struct device_link *link, struct arena *arena,
                           const struct code_index *code, const char *launch_id,
                           struct program_activity *activity, struct diagnostic *diagnostic);

/* Ends the device process. Safe on a zeroed link whose control.fd is -1. */
void device_link_close(struct device_link *link);

#endif
