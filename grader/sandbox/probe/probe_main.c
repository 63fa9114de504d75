/* probe_main.c: finds the row and makes its attempt; see sandbox_probe.h. */
#include "sandbox/probe/sandbox_probe.h"

#include "sandbox/denials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As which it shows what a set-user-id program is: see attempt_privileges. */
static const char effective_user[] = "EFFECTIVE_USER";

enum { STATUS_IS_ROOT = 42 };

static const struct {
    enum denial denial;
    void (*attempt)(char *const *facts);
} attempts_table[] = {
    {DENIAL_PRIVATE_FILE, attempt_private_file},
    {DENIAL_SHARED_FILE, attempt_shared_file},
    {DENIAL_OVERWRITE, attempt_overwrite},
    {DENIAL_SYSTEM_WRITE, attempt_system_write},
    {DENIAL_GPU_DEVICE, attempt_gpu_device},
    {DENIAL_TCP, attempt_tcp},
    {DENIAL_UDP, attempt_udp},
    {DENIAL_ABSTRACT_SOCKET, attempt_abstract_socket},
    {DENIAL_LOCAL_SOCKET, attempt_local_socket},
    {DENIAL_RAW_SOCKET, attempt_raw_socket},
    {DENIAL_SIGNAL, attempt_signal},
    {DENIAL_SUPERVISOR, attempt_supervisor},
    {DENIAL_TRACE, attempt_trace},
    {DENIAL_TRACE_CHILD, attempt_trace_child},
    {DENIAL_FOREIGN_MEMORY, attempt_foreign_memory},
    {DENIAL_PROCESS_LIST, attempt_process_list},
    {DENIAL_PROCESS_FILES, attempt_process_files},
    {DENIAL_ENVIRONMENT, attempt_environment},
    {DENIAL_DESCRIPTORS, attempt_descriptors},
    {DENIAL_SYSV_MEMORY, attempt_sysv_memory},
    {DENIAL_POSIX_MEMORY, attempt_posix_memory},
    {DENIAL_LEFT_OBJECTS, attempt_left_objects},
    {DENIAL_NAMESPACES, attempt_namespaces},
    {DENIAL_KERNEL_CALLS, attempt_kernel_calls},
    {DENIAL_PRIVILEGES, attempt_privileges},
    {DENIAL_TASKS, attempt_tasks},
    {DENIAL_MEMORY, attempt_memory},
    {DENIAL_MEMORY_SUM, attempt_memory_sum},
    {DENIAL_MEMORY_SHARED, attempt_memory_shared},
    {DENIAL_FILE_SIZE, attempt_file_size},
    {DENIAL_FILES_SUM, attempt_files_sum},
    {DENIAL_OUTPUT, attempt_output},
    {DENIAL_CPU_TIME, attempt_cpu_time},
    {DENIAL_WALL_TIME, attempt_wall_time},
    {DENIAL_DAEMON, attempt_daemon},
};

_Static_assert(sizeof attempts_table / sizeof attempts_table[0] == DENIAL_COUNT,
               "each row of denials.def has an attempt");

int main(int argument_count, char **arguments)
{
    if (argument_count == 2 && strcmp(arguments[1], effective_user) == 0) {
        return geteuid() == 0 ? STATUS_IS_ROOT : EXIT_SUCCESS;
    }
    if (argument_count < 2) {
        fprintf(stderr, "usage: gpugrade-sandbox-probe NAME [KEY=VALUE...]\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof attempts_table / sizeof attempts_table[0]; i++) {
        if (strcmp(denial_word(attempts_table[i].denial), arguments[1]) == 0) {
            attempts_table[i].attempt(arguments + 2);
            say_broken("the attempt said nothing");
        }
    }
    fprintf(stderr, "gpugrade-sandbox-probe: no row %s\n", arguments[1]);
    return EXIT_FAILURE;
}
