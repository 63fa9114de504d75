/* program_exit.c: see program_exit.h. The kernel tells it in /proc/PID/stat (proc_pid_stat(5)), as
 * a flag of the task: PF_EXITING of linux/sched.h, which is part of no header for programs. */
#include "session/program_exit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fields between the name, which may hold anything, and the flags: the state and five numbers. */
enum { FLAG_EXITING = 0x4, NUMBERS_BEFORE_FLAGS = 5 };

bool program_is_leaving(pid_t program)
{
    char path[64], line[512];

    if (program <= 0) {
        return true;
    }
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)program);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return true;
    }
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    char *at = strrchr(line, ')');
    if (at == NULL || strlen(at) < 4) {
        return true;
    }
    char state = at[2];
    at += 3;
    for (int i = 0; i < NUMBERS_BEFORE_FLAGS; i++) {
        (void)strtol(at, &at, 10);
    }
    unsigned long flags = strtoul(at, NULL, 10);
    return state == 'Z' || state == 'X' || (flags & FLAG_EXITING) != 0;
}
