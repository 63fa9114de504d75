/* jail_job.h: what `gpugrade-jail supervise` was asked to do (sandbox/jail_options.def). */
#ifndef GPUGRADE_SANDBOX_JAIL_JAIL_JOB_H
#define GPUGRADE_SANDBOX_JAIL_JAIL_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jail_option {
#define JAIL_NUMBER(field, name) JAIL_OPTION_##field,
#define JAIL_TEXT(field, name) JAIL_OPTION_##field,
#define JAIL_LIST(field, name) JAIL_OPTION_##field,
#include "sandbox/jail_options.def"
#undef JAIL_NUMBER
#undef JAIL_TEXT
#undef JAIL_LIST
    JAIL_OPTION_COUNT
};

struct jail_job {
#define JAIL_NUMBER(field, name) uint64_t field;
#define JAIL_TEXT(field, name) const char *field;
#define JAIL_LIST(field, name)
#include "sandbox/jail_options.def"
#undef JAIL_NUMBER
#undef JAIL_TEXT
#undef JAIL_LIST
    char **options; /* [option_count]: names and values in turn */
    size_t option_count;
    char **program;     /* [0] is its path; ends with NULL */
    char **environment; /* of the program; ends with NULL */
};

/* The option of that name; JAIL_OPTION_COUNT if there is none. */
enum jail_option jail_option_of(const char *name);

/* Reads a decimal number; false if the text is anything else. */
bool jail_number(const char *text, uint64_t *out_number);

/* Reads the options, "--" and the program out of arguments [count], which stay. False with the
 * first argument that is wrong, or NULL at the end of them. */
bool jail_job_read(char **arguments, size_t count, struct jail_job *out_job,
                   const char **out_wrong);

/* Keeps of an environment only the variables with JAIL_VARIABLE_MARK, without it, in place. */
void jail_environment_unmark(char **environment);

#endif
