/* sandbox_probe.h: the program gpugrade-sandbox-probe, which tries what a program in the sandbox
 * must not do.
 *
 *     gpugrade-sandbox-probe NAME [KEY=VALUE...]
 *
 * NAME is a row of denials.def; the facts say what lies outside the sandbox. Each run makes one
 * attempt, so that none disturbs another. It prints one line and exits with 0:
 *
 *     held WHY      the attempt was refused
 *     open WHAT     it succeeded
 *     broken WHY    it could not be made: a fact is missing, or something else failed
 *
 * Killing the probe is also a way to refuse; its caller judges that. It leaves nothing except what
 * its row is about, and does no harm where it succeeds.
 */
#ifndef GPUGRADE_SANDBOX_PROBE_SANDBOX_PROBE_H
#define GPUGRADE_SANDBOX_PROBE_SANDBOX_PROBE_H

#include <stdbool.h>
#include <stdint.h>

enum { WITNESS_TEXT_MAX = 400 };

/* Returns the value of a fact, of a NULL-terminated list of KEY=VALUE; ends the program with
 * "broken" if it was not given. */
const char *fact_text(char *const *facts, const char *key);
long fact_number(char *const *facts, const char *key);
bool fact_is_given(char *const *facts, const char *key);

/* Print the line and end the program. */
_Noreturn void say_held(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void say_open(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void say_broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A list of what succeeded and why the rest was refused. */
struct attempts {
    char open[WITNESS_TEXT_MAX]; /* "user, net"; "" */
    char held[WITNESS_TEXT_MAX];
    int held_count;
    int last_error; /* errno of the last refusal */
};

/* Notes one attempt; `error` 0: it succeeded. */
void attempts_add(struct attempts *attempts, const char *what, int error);

/* Says open with the list if anything succeeded, else held with the last reason; a long list of
 * refusals is only counted. */
_Noreturn void attempts_say(const struct attempts *attempts);

/* Files and devices: attempt_files.c. */
void attempt_read(char *const *facts, const char *key);
void attempt_private_file(char *const *facts);
void attempt_shared_file(char *const *facts);
void attempt_overwrite(char *const *facts);
void attempt_system_write(char *const *facts);
void attempt_gpu_device(char *const *facts);
void attempt_posix_memory(char *const *facts);

/* Sockets: attempt_sockets.c. */
void attempt_tcp(char *const *facts);
void attempt_udp(char *const *facts);
void attempt_abstract_socket(char *const *facts);
void attempt_local_socket(char *const *facts);
void attempt_raw_socket(char *const *facts);

/* Other processes: attempt_processes.c. */
void attempt_signal(char *const *facts);
void attempt_supervisor(char *const *facts);
void attempt_trace(char *const *facts);
void attempt_trace_child(char *const *facts);
void attempt_foreign_memory(char *const *facts);
void attempt_process_list(char *const *facts);
void attempt_process_files(char *const *facts);
void attempt_environment(char *const *facts);
void attempt_descriptors(char *const *facts);
void attempt_daemon(char *const *facts);

/* The kernel: attempt_kernel.c. */
void attempt_sysv_memory(char *const *facts);
void attempt_left_objects(char *const *facts);
void attempt_namespaces(char *const *facts);
void attempt_kernel_calls(char *const *facts);
void attempt_privileges(char *const *facts);

/* Limits: attempt_limits.c. */
void attempt_tasks(char *const *facts);
void attempt_memory(char *const *facts);
void attempt_memory_sum(char *const *facts);
void attempt_memory_shared(char *const *facts);
void attempt_file_size(char *const *facts);
void attempt_files_sum(char *const *facts);
void attempt_output(char *const *facts);
void attempt_cpu_time(char *const *facts);
void attempt_wall_time(char *const *facts);

#endif
