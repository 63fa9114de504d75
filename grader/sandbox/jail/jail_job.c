/* jail_job.c: see jail_job.h. */
#include "sandbox/jail/jail_job.h"

#include "sandbox/jail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define JAIL_NUMBER(field, name) name,
#define JAIL_TEXT(field, name) name,
#define JAIL_LIST(field, name) name,
static const char *const names[JAIL_OPTION_COUNT] = {
#include "sandbox/jail_options.def"
};
#undef JAIL_NUMBER
#undef JAIL_TEXT
#undef JAIL_LIST

enum jail_option jail_option_of(const char *name)
{
    int option = 0;

    while (option < JAIL_OPTION_COUNT && strcmp(names[option], name) != 0) {
        option++;
    }
    return (enum jail_option)option;
}

bool jail_number(const char *text, uint64_t *out_number)
{
    char *end = NULL;

    if (text[0] < '0' || text[0] > '9') {
        return false; /* strtoull takes blanks and signs */
    }
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0') {
        return false;
    }
    *out_number = value;
    return true;
}

static bool read_option(struct jail_job *job, const char *name, const char *value)
{
    switch (jail_option_of(name)) {
#define JAIL_NUMBER(field, word)                                                                   \
    case JAIL_OPTION_##field:                                                                      \
        return jail_number(value, &job->field);
#define JAIL_TEXT(field, word)                                                                     \
    case JAIL_OPTION_##field:                                                                      \
        job->field = value;                                                                        \
        return true;
#define JAIL_LIST(field, word)                                                                     \
    case JAIL_OPTION_##field:                                                                      \
        return value[0] == '/';
#include "sandbox/jail_options.def"
#undef JAIL_NUMBER
#undef JAIL_TEXT
#undef JAIL_LIST
    case JAIL_OPTION_COUNT:
        break;
    }
    return false;
}

bool jail_job_read(char **arguments, size_t count, struct jail_job *out_job, const char **out_wrong)
{
    struct jail_job job = {.options = arguments, .folder = "/"};
    size_t i = 0;

    *out_wrong = NULL;
    while (i + 1 < count && strcmp(arguments[i], "--") != 0) {
        if (!read_option(&job, arguments[i], arguments[i + 1])) {
            *out_wrong = arguments[i];
            return false;
        }
        i += 2;
    }
    if (i + 1 >= count) {
        return false; /* no "--", or nothing after it */
    }
    job.option_count = i;
    job.program = arguments + i + 1;
    *out_job = job;
    return true;
}

void jail_environment_unmark(char **environment)
{
    size_t kept = 0;

    for (size_t i = 0; environment[i] != NULL; i++) {
        if (environment[i][0] == JAIL_VARIABLE_MARK) {
            environment[kept++] = environment[i] + 1;
        }
    }
    environment[kept] = NULL;
}
