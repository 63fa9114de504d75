/* sandbox.h: runs one untrusted program under limits and reports how it ended.
 *
 * Tiers (the strongest that works is taken, or the one asked for):
 *   A  bubblewrap: own mount, pid, net, ipc, uts and user namespaces; only the folders that the
 *      spec names are there; everything in it is killed at the end
 *   B  where namespaces are forbidden, as in a container: a user of its own where the helper may
 *      give one (root, or file capabilities), and Landlock where the kernel has it; one of the two
 *      must hold
 *   C  limits only: for a student checking own code
 * In A and B the system calls of denied_calls.def fail, and the program cannot gain privileges. In
 * every tier the jail helper (gpugrade-jail, jail_main.c) is started by posix_spawn, applies all
 * that, the limits and the death signal, and execs.
 *
 * How it ended is reported in two ways: a function that returns an error means that the sandbox
 * itself failed; `struct sandbox_end` describes the end of the program.
 */
#ifndef GPUGRADE_SANDBOX_SANDBOX_H
#define GPUGRADE_SANDBOX_SANDBOX_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "sandbox/program_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum sandbox_tier { SANDBOX_AUTO, SANDBOX_A, SANDBOX_B, SANDBOX_C };

/* What bounds the memory of a program. */
enum sandbox_bound {
    SANDBOX_PER_PROCESS, /* RLIMIT_DATA: of each process, not of their sum */
    SANDBOX_CGROUP1,     /* of all of them, and what they keep in files in memory */
    SANDBOX_CGROUP2,
};

enum { SANDBOX_HIDDEN_MAX = 6 };

/* How this machine can confine programs; made once, read only afterwards. */
struct sandbox {
    enum sandbox_tier tier;
    char note[256];            /* what the tier lacks; "" if nothing */
    char jail_path[4096];      /* the helper */
    char bwrap_path[4096];     /* "" but in tier A */
    bool uses_slots;           /* each program gets a user of its own */
    bool filters_calls;        /* the calls of denied_calls.def fail */
    int landlock_abi;          /* what tier B restricts with; 0: nothing */
    enum sandbox_bound bound;  /* of memory; of processes too, but for SANDBOX_PER_PROCESS */
    char memory_group[4096];   /* the folder below which each run gets a cgroup; "" */
    char tasks_group[4096];    /* likewise for the number of tasks; in cgroup 2 the same */
    bool sizes_tmpfs;          /* in tier A: bubblewrap can bound a temporary folder in memory */
    bool counts_per_namespace; /* RLIMIT_NPROC counts within a user namespace (linux 5.14) */
    /* hidden folders: resolved, none inside another (sandbox_hide) */
    char hidden_folders[SANDBOX_HIDDEN_MAX][4096];
    size_t hidden_count;
};

/* Finds out by trying the tiers. `helper_folder` holds gpugrade-jail. Errors: ERROR_ENVIRONMENT
 * (what does not work, what to install). */
enum error sandbox_init(enum sandbox_tier wanted, const char *helper_folder,
                        struct sandbox *out_sandbox, struct diagnostic *diagnostic);
/* Hides a folder below a system folder that programs may read, such as the reference solutions of
 * an installed gpugrade. It works in tier A, and in B where there is Landlock. A folder that does
 * not exist, or lies elsewhere, needs no hiding. At most SANDBOX_HIDDEN_MAX folders can be
 * hidden. */
void sandbox_hide(struct sandbox *sandbox, const char *folder);
const char *sandbox_tier_name(enum sandbox_tier tier);    /* "A" */
const char *sandbox_bound_name(enum sandbox_bound bound); /* "each process", "cgroup v1" */

/* A folder or file that the program may see. */
struct sandbox_mount {
    const char *source; /* absolute, on this machine */
    const char *target; /* absolute, for the program; in B and C it must equal the source */
    bool writable;
};

struct sandbox_limits {
    uint64_t wall_ns;      /* of the program's own time (program_clock.h), while no clock is held */
    uint64_t cpu_ns;       /* rounded up to a second */
    uint64_t memory_bytes; /* of all its processes, or of each, see enum sandbox_bound */
    uint32_t processes;    /* tasks at once; 0: not limited (compilers) */
    uint64_t output_bytes; /* of standard output and standard error, each */
    uint64_t file_bytes;   /* of one file, and of all files in the folders that it may write */
};

enum { SANDBOX_MOUNTS_MAX = 24 };

struct sandbox_spec {
    const char *const *arguments;   /* NULL-terminated; [0] is the program's path inside */
    const char *const *environment; /* NULL-terminated "NAME=value"; NULL: none but PATH */
    const char *folder;             /* working directory inside */
    struct sandbox_mount mounts[SANDBOX_MOUNTS_MAX]; /* besides the system's /usr, /lib*, /bin,
                                                        /sbin and /etc/alternatives, read only */
    size_t mount_count;
    struct sandbox_limits limits;
    int channel_fd; /* becomes descriptor 3 of the program; -1: none. The caller closes its copy */
    bool keeps_input_open;        /* true: sandbox_write feeds standard input; false: it is empty */
    bool watches_steps;           /* for compilers: the end reports what ended its processes */
    const char *temporary_folder; /* absolute, on this machine: becomes /tmp inside in tier A and
                                     TMPDIR in B and C; NULL: an empty one in memory, which
                                     limits.file_bytes bounds only if sizes_tmpfs */
};

enum sandbox_ending {
    SANDBOX_EXITED,
    SANDBOX_SIGNALLED,
    SANDBOX_WALL_LIMIT,
    SANDBOX_CPU_LIMIT,
    SANDBOX_MEMORY_LIMIT,  /* it failed after memory was refused, or was killed for it */
    SANDBOX_PROCESS_LIMIT, /* it failed, or ran into another limit, after a task was refused */
    SANDBOX_OUTPUT_LIMIT,
    SANDBOX_FILE_LIMIT,
    SANDBOX_STOPPED, /* sandbox_stop */
};

struct sandbox_end {
    enum sandbox_ending ending;
    int exit_status;
    int signal;
    uint64_t limit;       /* the one that was hit, in its unit */
    uint64_t reached;     /* how far it came, in that unit; 0: unknown */
    enum program_use use; /* WALL_LIMIT: what most of its time went to */
    bool is_starved;      /* STOPPED because the machine gave it almost no processor time */
    uint64_t wall_ns, cpu_ns, peak_memory_bytes; /* peak of the largest process; 0 if unknown */
    uint64_t step_signals; /* 1 << N: signal N ended a process of it; watches_steps, and 1 << 0
                              (there is no signal 0) where the machine lets them be watched */
};

struct sandbox_run; /* one running or ended program */

/* Starts a program. Errors: ERROR_ENVIRONMENT. */
enum error sandbox_start(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                         struct sandbox_run **out_run, struct diagnostic *diagnostic);

enum sandbox_wake {
    SANDBOX_WAKE_EVENT,    /* event_fd is readable or closed */
    SANDBOX_WAKE_ENDED,    /* the program has ended and all its output is there */
    SANDBOX_WAKE_DEADLINE, /* deadline_ns has passed */
};

/* Waits for one of the three; meanwhile it transfers input and output and checks the limits.
 * event_fd may be -1. An event is reported before an ending; when the program is over a limit it is
 * killed, and ENDED follows. */
enum sandbox_wake sandbox_pump(struct sandbox_run *run, int event_fd, uint64_t deadline_ns);

/* Queues bytes for standard input; sandbox_pump writes them. */
void sandbox_write(struct sandbox_run *run, const void *bytes, size_t length);
void sandbox_close_input(struct sandbox_run *run); /* after the queue is written */

/* Stops and restarts the program's wall clock (nothing else is stopped). */
void sandbox_hold_clock(struct sandbox_run *run);
void sandbox_release_clock(struct sandbox_run *run);

/* Sets the process that the program waits for: time in which that process works, or gets no
 * processor, is not charged to the program. */
void sandbox_served_by(struct sandbox_run *run, pid_t device);

/* Pumps until the program has ended. Errors: ERROR_ENVIRONMENT (its end is_starved). */
enum error sandbox_wait(struct sandbox_run *run, struct diagnostic *diagnostic);

/* The program's process, as this process sees it; 0 if that is not known. */
pid_t sandbox_program(const struct sandbox_run *run);

/* Kills everything and waits; the end is SANDBOX_STOPPED unless it had ended before. */
void sandbox_stop(struct sandbox_run *run);

/* After ENDED or stop. The texts belong to the run. */
const struct sandbox_end *sandbox_end(const struct sandbox_run *run);
const struct text *sandbox_output(const struct sandbox_run *run);
const struct text *sandbox_errors(const struct sandbox_run *run);

/* Kills what is left, frees. NULL is accepted. */
void sandbox_run_free(struct sandbox_run *run);

/* Starts, waits and returns the end and the outputs; for compilers. */
enum error sandbox_run_to_end(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                              struct sandbox_end *out_end, struct text *out_output,
                              struct text *out_errors, struct diagnostic *diagnostic);

#endif
