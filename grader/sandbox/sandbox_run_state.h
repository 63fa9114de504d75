/* sandbox_run_state.h: one running program as sandbox_start.c makes it and sandbox_run.c drives it;
 * for these two only. */
#ifndef GPUGRADE_SANDBOX_SANDBOX_RUN_STATE_H
#define GPUGRADE_SANDBOX_SANDBOX_RUN_STATE_H

#include "base/process.h"
#include "sandbox/jail.h"
#include "sandbox/program_clock.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_files.h"
#include "sandbox/sandbox_judge.h"

struct sandbox_run {
    struct arena *arena;
    struct process helper;
    pid_t program; /* 0: not known */
    struct sandbox_limits limits;
    enum sandbox_tier tier;
    const char *jail_path;
    uint32_t uid;
    struct sandbox_group group;
    struct sandbox_files files;
    uint64_t cpu_look_ns; /* when to add up processor time again */
    uint64_t cpu_seen_ns; /* the most that was seen */
    int control;
    int input;
    int output_fd, errors_fd;
    struct text output, errors;
    struct text queue; /* for standard input */
    size_t queue_sent;
    bool input_closing;
    int slot_fd;
    const char **taken_folders; /* [taken_count]: changed to the slot's user */
    size_t taken_count;
    struct program_clock clock;
    pid_t device;        /* the process that serves it; 0: none */
    uint64_t kill_by_ns; /* 0: not being killed */
    struct sandbox_facts facts;
    bool ended;
    struct sandbox_end end;
};

/* Makes and starts a run: what sandbox_start does. If a step fails, *out_run is what was made by
 * then, for sandbox_run_free; NULL: nothing. */
enum error sandbox_run_make(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                            struct sandbox_run **out_run, struct diagnostic *diagnostic);

/* Takes one record of the helper if there is one; notes the sender of the one that the program's
 * process sends before it becomes the program. */
bool sandbox_take_record(struct sandbox_run *run, struct jail_record *out_record);

/* Takes what a pipe holds. Returns false when it is at its end; stops at the limit. */
bool sandbox_drain(int fd, struct text *text, uint64_t limit_bytes);

/* Runs one of the helper's short verbs for the run's user; true if it succeeded in time. */
bool sandbox_run_verb(const struct sandbox_run *run, const char *verb, const char *folder);

/* Takes back the folders that the run's user was allowed to write. */
void sandbox_return_folders(struct sandbox_run *run);

#endif
